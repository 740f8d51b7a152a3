package bot_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"rowbot/bot"
)

// said is a command, an option or a choice with its texts in other languages.
type said struct {
	Type                     int               `json:"type"`
	Name                     string            `json:"name"`
	NameLocalizations        map[string]string `json:"name_localizations"`
	Description              string            `json:"description"`
	DescriptionLocalizations map[string]string `json:"description_localizations"`
	Options                  []said            `json:"options"`
	Choices                  []said            `json:"choices"`
	Value                    any               `json:"value"`
}

func saidCommands(t *testing.T) (list []said) {
	t.Helper()
	all, err := bot.Commands(false)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// others are the languages beside English, by Discord's names.
var others = []string{"de", "es-ES", "fr", "ja", "ko", "pt-BR", "ru", "zh-CN", "zh-TW"}

// Every description is there in every language, and so is the name of every
// option, and of every entry of a menu.
func TestCommandsInAllLanguages(t *testing.T) {
	in := func(what string, texts map[string]string, least int) {
		t.Helper()
		if got := slices.Sorted(maps.Keys(texts)); len(got) < least {
			t.Errorf("%s is there in %q alone", what, got)
		}
	}
	var check func(path string, list []said)
	check = func(path string, list []said) {
		for _, s := range list {
			at := path + " " + s.Name
			switch menu, option := path == "" && s.Type != 1, path != "" && s.Type > 2; {
			case menu:
				in("the name of the entry"+at, s.NameLocalizations, len(others))
			case option: // in one language or two the English word may be the right one
				in("the name of the option"+at+" (the text option_"+s.Name+")", s.NameLocalizations, len(others)-2)
			case s.NameLocalizations != nil:
				t.Errorf("the command%s has other names, which texts do not mention", at)
			}
			if s.Description != "" {
				in("the description of"+at, s.DescriptionLocalizations, len(others))
			}
			check(at, s.Options)
		}
	}
	check("", saidCommands(t))
}

// What Discord demands of the names and texts of a command, in each language.
func TestTranslatedCommandsFitDiscord(t *testing.T) {
	var check func(at string, list []said)
	check = func(at string, list []said) {
		for _, tag := range others {
			names := map[string]string{}
			for _, s := range list {
				names[s.Name] = s.Name
			}
			for _, s := range list {
				name, translated := s.NameLocalizations[tag]
				if !translated {
					continue
				}
				if menu := at == "" && s.Type != 1; menu { // may be of any letters, and of several words
					if n := utf8.RuneCountInString(name); n < 1 || n > 32 || strings.TrimSpace(name) != name {
						t.Errorf("%s: the entry %s is called %q", tag, s.Name, name)
					}
				} else if !commandName.MatchString(name) || name != strings.ToLower(name) {
					t.Errorf("%s: %s %s is called %q", tag, at, s.Name, name)
				}
				if of, taken := names[name]; taken && of != s.Name {
					t.Errorf("%s: %s %s is called %q, as %s is", tag, at, s.Name, name, of)
				}
				names[name] = s.Name
			}
		}
		for _, s := range list {
			for tag, text := range s.DescriptionLocalizations {
				if n := utf8.RuneCountInString(text); n < 1 || n > 100 {
					t.Errorf("%s: %s %s is described in %d characters", tag, at, s.Name, n)
				}
			}
			checkChoices(t, at+" "+s.Name, s.Choices)
			check(at+" "+s.Name, s.Options)
		}
	}
	list := saidCommands(t)
	check("", list)
	for _, s := range list {
		if n := longest(s); n > 8000 {
			t.Errorf("%s has %d characters where each text is the longest", s.Name, n)
		}
	}
}

func checkChoices(t *testing.T, at string, choices []said) {
	t.Helper()
	for _, tag := range others {
		seen := map[string]bool{}
		for _, c := range choices {
			name := c.Name
			if s, ok := c.NameLocalizations[tag]; ok {
				name = s
			}
			if n := utf8.RuneCountInString(name); n < 1 || n > 100 || seen[name] {
				t.Errorf("%s: %s has the choice %q, or has it twice", tag, at, name)
			}
			seen[name] = true
		}
	}
}

// longest adds up what Discord counts: of each text the longest translation.
func longest(s said) int {
	most := func(s string, others map[string]string) int {
		n := utf8.RuneCountInString(s)
		for _, o := range others {
			n = max(n, utf8.RuneCountInString(o))
		}
		return n
	}
	n := most(s.Name, s.NameLocalizations) + most(s.Description, s.DescriptionLocalizations)
	for _, o := range s.Options {
		n += longest(o)
	}
	for _, c := range s.Choices {
		n += longest(c)
		if text, ok := c.Value.(string); ok {
			n += utf8.RuneCountInString(text)
		}
	}
	return n
}

// A few texts, found where they belong.
func TestTranslations(t *testing.T) {
	find := func(path string) said {
		t.Helper()
		list, found := saidCommands(t), said{}
		for name := range strings.FieldsSeq(path) {
			i := slices.IndexFunc(list, func(s said) bool { return s.Name == name })
			if i < 0 {
				t.Fatalf("there is no %s in %s", name, path)
			}
			found, list = list[i], list[i].Options
		}
		return found
	}
	for path, want := range map[string]string{
		"ttt ru": "Крестики-нолики, три в ряд", "gomoku ja": "五目並べ", "gomoku move ko": "이 채널의 내 대국에서 수를 둬요",
		"help de": "So wird gespielt", "gomoku challenge opponent fr": "Qui défier\u202f; sans nom, tout le monde peut accepter",
		"settings threads threads pt-BR": "Abrir um tópico para cada partida", "privacy export zh-TW": "把關於你的所有資料存成檔案給你",
	} {
		words := strings.Fields(path)
		tag := words[len(words)-1]
		if got := find(strings.TrimSuffix(path, " "+tag)).DescriptionLocalizations[tag]; got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	for path, want := range map[string]string{
		"gomoku challenge opponent ru": "соперник", "ttt move cell de": "feld", "ttt bot level zh-CN": "难度", "stats player pt-BR": "jogador",
		"settings style style es-ES": "aspecto", "settings language language ja": "言語", "replay match fr": "partie",
	} {
		words := strings.Fields(path)
		tag := words[len(words)-1]
		if got := find(strings.TrimSuffix(path, " "+tag)).NameLocalizations[tag]; got != want {
			t.Errorf("%s is called %q, want %q", path, got, want)
		}
	}
	level := find("ttt bot level").Choices
	if got := level[3].NameLocalizations["es-ES"]; got != "perfecto (imbatible)" {
		t.Errorf("the last level is called %q", got)
	}
}

// The cell that is given as an example of one is on the game's board, in every language.
func TestExampleOfACell(t *testing.T) {
	for game, want := range map[string][2]string{"ttt": {"b2", "2 2"}, "gomoku": {"h8", "8 8"}} {
		i := slices.IndexFunc(saidCommands(t), func(s said) bool { return s.Name == game })
		subs := saidCommands(t)[i].Options
		cell := subs[slices.IndexFunc(subs, func(s said) bool { return s.Name == "move" })].Options[0]
		texts := append(slices.Collect(maps.Values(cell.DescriptionLocalizations)), cell.Description)
		if len(texts) != len(others)+1 {
			t.Errorf("%s: %d texts", game, len(texts))
		}
		for _, text := range texts {
			if !strings.Contains(text, want[0]) || !strings.Contains(text, want[1]) || strings.Contains(text, "{") {
				t.Errorf("%s: %s", game, text)
			}
		}
	}
}
