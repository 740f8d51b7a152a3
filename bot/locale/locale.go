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
	"sync"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

//go:embed *.toml
var files embed.FS

// Bundle is all languages. It is safe for concurrent use.
type Bundle struct {
	messages *i18n.Bundle

	mu       sync.Mutex
	printers map[string]Printer // by the reader's tag
}

// Load reads the languages that are built in. An error is a fault of a file.
func Load() (*Bundle, error) {
	b := &Bundle{messages: i18n.NewBundle(language.English), printers: map[string]Printer{}}
	b.messages.RegisterUnmarshalFunc("toml", toml.Unmarshal)
	names, err := fs.Glob(files, "*.toml")
	if err != nil {
		return nil, fmt.Errorf("list languages: %w", err)
	}
	for _, name := range names {
		if _, err := b.messages.LoadMessageFileFS(files, name); err != nil {
			return nil, fmt.Errorf("read language %s: %w", name, err)
		}
	}
	return b, nil
}

// maxPrinters bounds the cache; Discord has some thirty locales.
const maxPrinters = 100

// For returns the printer for a Discord locale such as "pt-BR". A language that
// Rowbot does not speak, and an empty locale, give English.
func (b *Bundle) For(tag string) Printer {
	b.mu.Lock()
	defer b.mu.Unlock()
	p, ok := b.printers[tag]
	if !ok {
		p = Printer{localizer: i18n.NewLocalizer(b.messages, tag, "en"), plain: &sync.Map{}}
		if len(b.printers) < maxPrinters {
			b.printers[tag] = p
		}
	}
	return p
}

// Printer writes messages in one language.
type Printer struct {
	localizer *i18n.Localizer
	plain     *sync.Map // messages without placeholders, such as labels, by key
}

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
