// Package locale holds every sentence that Rowbot says, in files of one
// language each, and picks the language and the plural form for a reader.
//
// It imports go-i18n and x/text, and nothing of the module; package bot is its
// user.
package locale

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

//go:embed *.toml
var files embed.FS

// English is the tag of the language that all others fall back to.
const English = "en"

// Bundle is all languages. It is safe for concurrent use.
type Bundle struct {
	printers map[string]Printer // by the tag of the language, such as "pt-BR"
	bases    map[string]string  // from "pt" to "pt-BR"
}

// Load reads the languages that are built in. An error is a fault of a file.
func Load() (*Bundle, error) {
	messages := i18n.NewBundle(language.English)
	messages.RegisterUnmarshalFunc("toml", toml.Unmarshal)
	names, err := fs.Glob(files, "*.toml")
	if err != nil {
		return nil, fmt.Errorf("list languages: %w", err)
	}
	b := &Bundle{printers: map[string]Printer{}, bases: map[string]string{}}
	for _, name := range names { // sorted, so that of two with one base the first is taken
		if _, err := messages.LoadMessageFileFS(files, name); err != nil {
			return nil, fmt.Errorf("read language %s: %w", name, err)
		}
		tag := strings.TrimSuffix(name, ".toml")
		b.printers[tag] = Printer{tag: tag, plain: &sync.Map{}}
		if base, _, _ := strings.Cut(tag, "-"); b.bases[base] == "" {
			b.bases[base] = tag
		}
	}
	for tag, p := range b.printers { // when all are known: a localizer looks a tag up among them
		p.localizer = i18n.NewLocalizer(messages, tag, English)
		b.printers[tag] = p
	}
	return b, nil
}

// For returns the printer for a Discord locale such as "pt-BR". A locale whose
// region has no file of its own gets that of the same language: "es-419" is
// spoken to as "es-ES". All other locales, and the empty one, give English: to be
// answered in a language that is merely near one's own is worse.
func (b *Bundle) For(tag string) Printer {
	if p, ok := b.printers[tag]; ok {
		return p
	}
	base, _, _ := strings.Cut(tag, "-")
	if p, ok := b.printers[b.bases[base]]; ok {
		return p
	}
	return b.printers[English]
}

// Tags lists the languages but English, sorted, by the names that Discord has
// for them.
func (b *Bundle) Tags() []string {
	tags := slices.Sorted(maps.Keys(b.printers))
	return slices.DeleteFunc(tags, func(tag string) bool { return tag == English })
}

// Printer writes messages in one language.
type Printer struct {
	tag       string
	localizer *i18n.Localizer
	plain     *sync.Map // messages without placeholders, such as labels, by key
}

// Tag names the language: what For takes to get this printer again.
func (p Printer) Tag() string { return p.tag }

// T returns the message of a key. Its placeholders are given as pairs of name
// and value: T("taken", "Cell", "h8"). A key that does not exist comes back as
// it is, so that a fault of ours is seen and stops nobody.
func (p Printer) T(key string, args ...any) string {
	if len(args) > 0 {
		return p.message(&i18n.LocalizeConfig{MessageID: key, TemplateData: data(args)}, key)
	}
	if text, ok := p.plain.Load(key); ok {
		return text.(string)
	}
	text := p.message(&i18n.LocalizeConfig{MessageID: key}, key)
	p.plain.Store(key, text)
	return text
}

// N is T for a message that counts something: n picks the plural form and is
// the placeholder N.
func (p Printer) N(key string, n int, args ...any) string {
	values := data(append(args, "N", n))
	return p.message(&i18n.LocalizeConfig{MessageID: key, PluralCount: n, TemplateData: values}, key)
}

func (p Printer) message(c *i18n.LocalizeConfig, key string) string {
	text, err := p.localizer.Localize(c)
	if err != nil && text == "" {
		return key
	}
	return text
}

func data(args []any) map[string]any {
	if len(args) == 0 {
		return nil
	}
	m := make(map[string]any, len(args)/2+1)
	for i := 0; i+1 < len(args); i += 2 {
		m[args[i].(string)] = args[i+1]
	}
	return m
}
