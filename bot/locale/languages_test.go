package locale_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"rowbot/bot/locale"
)

// forms are the plural forms of each language, as CLDR names them for whole
// numbers (chart "Language Plural Rules").
var forms = map[string][]string{
	"de": {"one", "other"}, "en": {"one", "other"},
	"es-ES": {"many", "one", "other"}, "fr": {"many", "one", "other"}, "pt-BR": {"many", "one", "other"},
	"ru": {"few", "many", "one", "other"},
	"ja": {"other"}, "ko": {"other"}, "zh-CN": {"other"}, "zh-TW": {"other"},
}

func readAll(t *testing.T) map[string]map[string]message {
	t.Helper()
	all := map[string]map[string]message{}
	for _, file := range languages(t) {
		all[strings.TrimSuffix(file, ".toml")] = readLanguage(t, file)
	}
	return all
}

func TestTenLanguages(t *testing.T) {
	want := slices.Sorted(maps.Keys(forms))
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(readAll(t)))); diff != "" {
		t.Errorf("languages (-want +got):\n%s", diff)
	}
	without := slices.DeleteFunc(want, func(tag string) bool { return tag == "en" })
	if diff := cmp.Diff(without, load(t).Tags()); diff != "" {
		t.Errorf("tags (-want +got):\n%s", diff)
	}
}

// Each of Discord's locales gets a language; one that merely resembles it is none.
func TestLocales(t *testing.T) {
	want := map[string]string{
		"en-US": "en", "en-GB": "en", "ru": "ru", "zh-CN": "zh-CN", "zh-TW": "zh-TW", "ja": "ja", "ko": "ko",
		"es-ES": "es-ES", "es-419": "es-ES", "pt-BR": "pt-BR", "de": "de", "fr": "fr",
	}
	for tag := range strings.FieldsSeq("id da hr it lt hu nl no pl ro fi sv-SE vi tr cs el bg uk hi th ar he") {
		want[tag] = "en"
	}
	texts := load(t)
	for tag, language := range want {
		p := texts.For(tag)
		if got := p.Tag(); got != language {
			t.Errorf("%s is spoken to in %s, want %s", tag, got, language)
		}
		if got := texts.For(p.Tag()).Tag(); got != language {
			t.Errorf("the tag of %s leads to %s", tag, got)
		}
	}
}

// A message that counts has just the forms of its language.
func TestPluralForms(t *testing.T) {
	all := readAll(t)
	for key, m := range all["en"] {
		for tag, messages := range all {
			other, exists := messages[key]
			if !exists {
				continue // see TestLanguagesAgree
			}
			want := []string{"other"}
			if len(m) > 1 {
				want = forms[tag]
			}
			if diff := cmp.Diff(want, slices.Sorted(maps.Keys(other))); diff != "" {
				t.Errorf("%s.toml: forms of %q (-want +got):\n%s", tag, key, diff)
			}
		}
	}
}

func TestPluralsOfAllLanguages(t *testing.T) {
	texts := load(t)
	for tag, want := range map[string]map[int]string{
		"ru":    {0: "0 побед", 1: "1 победа", 2: "2 победы", 4: "4 победы", 5: "5 побед", 11: "11 побед", 12: "12 побед", 21: "21 победа", 22: "22 победы", 111: "111 побед"},
		"de":    {0: "0 Siege", 1: "1 Sieg", 2: "2 Siege", 21: "21 Siege"},
		"fr":    {0: "0 victoire", 1: "1 victoire", 2: "2 victoires", 1000000: "1000000 de victoires"}, //nolint:misspell // French
		"es-ES": {0: "0 victorias", 1: "1 victoria", 2: "2 victorias", 1000000: "1000000 de victorias"},
		"pt-BR": {0: "0 vitória", 1: "1 vitória", 2: "2 vitórias", 1000000: "1000000 de vitórias"},
		"ja":    {0: "0勝", 1: "1勝", 5: "5勝"},
		"ko":    {0: "0승", 1: "1승", 5: "5승"},
		"zh-CN": {0: "0 胜", 1: "1 胜", 5: "5 胜"},
		"zh-TW": {0: "0 勝", 1: "1 勝", 5: "5 勝"},
	} {
		for n, s := range want {
			if got := texts.For(tag).N("wins", n); got != s {
				t.Errorf("%s: %d is %q, want %q", tag, n, got, s)
			}
		}
	}
}

// sameAsEnglish are the keys whose text is rightly the same in other languages:
// proper names, terms of the game, and texts without words.
var sameAsEnglish = regexp.MustCompile(`^(as_seen_by|tally|rowbot|opening_swap2|game_ttt|game_gomoku|rules_(standard|renju)|minutes|set_threads)$`)

// A text that is the same as in English was forgotten, unless it is listed.
func TestNothingStaysEnglish(t *testing.T) {
	all := readAll(t)
	for tag, messages := range all {
		for key, m := range messages {
			if tag != "en" && m["other"] == all["en"][key]["other"] && !sameAsEnglish.MatchString(key) {
				t.Errorf("%s.toml: %q is %q as in English", tag, key, m["other"])
			}
		}
	}
	for key := range all["en"] {
		if sameAsEnglish.MatchString(key) && !slices.ContainsFunc(slices.Collect(maps.Values(all)), func(messages map[string]message) bool {
			return messages[key]["other"] != "" && messages[key]["other"] == all["en"][key]["other"]
		}) {
			t.Errorf("%q is listed for nothing", key)
		}
	}
}

var (
	latinWord = regexp.MustCompile(`[A-Za-z]{2,}`)
	// commandName are the Latin words that languages with another script keep:
	// names, and what has to be typed as it is.
	commandName = regexp.MustCompile(`^(Rowbot|Discord|swap|Swap|ttt|gomoku|challenge|bot|move|board|matches|stats|leaderboard|help|replay|privacy|delete|preferences)$`)
)

// Where the script is another one, a Latin word is a name or was forgotten.
func TestScripts(t *testing.T) {
	for tag, messages := range readAll(t) {
		if !slices.Contains([]string{"ru", "ja", "ko", "zh-CN", "zh-TW"}, tag) {
			continue
		}
		for key, m := range messages {
			for _, s := range m {
				for _, word := range latinWord.FindAllString(placeholder.ReplaceAllString(s, ""), -1) {
					if !commandName.MatchString(word) {
						t.Errorf("%s.toml: %q has the word %q", tag, key, word)
					}
				}
			}
		}
	}
}

// bad are signs that a language does not write so.
var bad = map[string]*regexp.Regexp{
	"en":    regexp.MustCompile(`[«»„]| [!?;]`),
	"de":    regexp.MustCompile(`["«»”]| [!?;:]`),
	"ru":    regexp.MustCompile(`["„“”]| [!?;:]`),
	"es-ES": regexp.MustCompile(`["„“”]| [!?;:]`),
	"pt-BR": regexp.MustCompile(`["„«»]| [!?;:]`),
	"fr":    regexp.MustCompile(`['"„“”]|[^\x{202f}][!?;:»]|«[^\x{202f}]`),
	"ja":    regexp.MustCompile(`["“”]|[\p{Han}\p{Hiragana}\p{Katakana}] ?[,.!?:;()]`),
	"zh-CN": regexp.MustCompile(`["「」]|\p{Han} ?[,.!?:;()]`),
	"zh-TW": regexp.MustCompile(`["“”]|\p{Han} ?[,.!?:;()]`),
	"ko":    regexp.MustCompile(`["「」]|[，。！？：]| [!?;:,]`),
}

var code = regexp.MustCompile("`[^`]*`")

func TestPunctuation(t *testing.T) {
	for tag, messages := range readAll(t) {
		for key, m := range messages {
			for form, s := range m {
				plain := placeholder.ReplaceAllString(code.ReplaceAllString(s, "x"), "x")
				if found := bad[tag].FindString(plain); found != "" {
					t.Errorf("%s.toml: %s (%s) has %q: %s", tag, key, form, found, s)
				}
				if strings.TrimRightFunc(s, unicode.IsSpace) != s || strings.Contains(s, "  ") {
					t.Errorf("%s.toml: %s (%s) has space where none should be: %q", tag, key, form, s)
				}
			}
		}
	}
}

// Texts that mention a button mention it by its label, and so it is with an option
// and with who stands in the place of somebody who left.
func TestLabelsAreMentioned(t *testing.T) {
	for tag, messages := range readAll(t) {
		for text, label := range map[string]string{
			"help": "type_move", "over": "rematch", "not_started_yours": "accept", "menu_old": "more",
			"nothing_to_replay": "option_match", "delete_sure": "somebody_gone",
		} {
			if name := messages[label]["other"]; !strings.Contains(messages[text]["other"], name) {
				t.Errorf("%s.toml: %q does not mention %q", tag, text, name)
			}
		}
	}
}

// Labels stand in rows of up to five on a phone.
func TestLabelsAreShort(t *testing.T) {
	for most, label := range map[int]*regexp.Regexp{
		20: regexp.MustCompile(`^(accept|decline|withdraw|resign|offer_draw|pass|rematch|more|take_black|take_white|place_two|type_move|end_match)$`),
		9:  regexp.MustCompile(`^replay(_first|_back|_next|_last|_jump)?$`), // five in a row, or one beside others
		24: regexp.MustCompile(`^delete_data$`),                             // alone in its row
	} {
		for tag, messages := range readAll(t) {
			for key, m := range messages {
				if n := utf8.RuneCountInString(m["other"]); label.MatchString(key) && n > most {
					t.Errorf("%s.toml: the label %q has %d characters of %d", tag, key, n, most)
				}
			}
		}
	}
}

// In every language every message comes out whole: in that language, with
// nothing unfilled.
func TestAllLanguagesComeOutWhole(t *testing.T) {
	texts, english := load(t), readLanguage(t, "en.toml")
	unfilled := regexp.MustCompile(`\{\{|\}\}|<no value>|<nil>`)
	for tag, messages := range readAll(t) {
		p := texts.For(tag)
		for key, m := range messages {
			counts := len(english[key]) > 1
			got, want := written(p, key, m.placeholders(t), counts), m["other"]
			if unfilled.MatchString(got) {
				t.Errorf("%s: %s comes out as %q", tag, key, got)
			}
			if want = placeholder.ReplaceAllString(want, "⟨$1⟩"); !counts && got != strings.ReplaceAll(want, "⟨.", "⟨") {
				t.Errorf("%s: %s comes out as %q, want %q", tag, key, got, want)
			}
		}
	}
}

// written is a message with each placeholder filled in by its own name.
func written(p locale.Printer, key string, names []string, counts bool) string {
	var args []any
	for _, name := range names {
		if name != "N" || !counts {
			args = append(args, name, "⟨"+name+"⟩")
		}
	}
	if counts {
		return p.N(key, 3, args...)
	}
	return p.T(key, args...)
}
