package bot_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"rowbot/bot"
)

// definition is a command or an option as it goes to Discord.
type definition struct {
	Type             int          `json:"type"`
	Name             string       `json:"name"`
	Description      string       `json:"description"`
	Required         bool         `json:"required"`
	Autocomplete     bool         `json:"autocomplete"`
	Choices          []choice     `json:"choices"`
	Options          []definition `json:"options"`
	Contexts         []int        `json:"contexts"`
	IntegrationTypes []int        `json:"integration_types"`
	Permissions      *string      `json:"default_member_permissions"`
}

type choice struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

// commands are the definitions, and the same as they were written.
func commands(t *testing.T, oneGuild bool) ([]definition, []map[string]any) {
	t.Helper()
	all, err := bot.Commands(oneGuild)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	var list []definition
	var plain []map[string]any
	for _, into := range []any{&list, &plain} {
		if err := json.Unmarshal(raw, into); err != nil {
			t.Fatal(err)
		}
	}
	return list, plain
}

// kinds are the words by which outline names the types of options.
var kinds = map[int]string{1: "sub", 3: "string", 4: "integer", 5: "boolean", 6: "user"}

// outline writes a command's form: its options and their choices' values.
func outline(d definition, indent string) string {
	var b strings.Builder
	b.WriteString(indent + d.Name)
	if indent != "" {
		b.WriteString(" " + kinds[d.Type])
	}
	if d.Required {
		b.WriteString(" required")
	}
	if d.Autocomplete {
		b.WriteString(" autocomplete")
	}
	for i, c := range d.Choices {
		b.WriteString([]string{" of ", "|"}[min(i, 1)])
		value, _ := json.Marshal(c.Value)
		b.Write(value)
	}
	b.WriteString("\n")
	for _, o := range d.Options {
		b.WriteString(outline(o, indent+"  "))
	}
	return b.String()
}

const contract = `ttt
  challenge sub
    opponent user
    side string of "first"|"second"|"random"
    pace string of "5m"|"15m"|"1h"|"6h"|"1d"|"3d"|"7d"
  bot sub
    level string of "random"|"easy"|"medium"|"perfect"
    side string of "first"|"second"|"random"
  move sub
    cell string required autocomplete
    match string autocomplete
  resign sub
    match string autocomplete
  draw sub
    match string autocomplete
  board sub
    match string autocomplete
gomoku
  challenge sub
    opponent user
    side string of "first"|"second"|"random"
    size integer of 15|19
    rules string of "freestyle"|"standard"|"renju"
    opening string of "free"|"swap2"
    pace string of "5m"|"15m"|"1h"|"6h"|"1d"|"3d"|"7d"
  bot sub
    level string of "random"|"easy"|"medium"|"hard"|"master"
    side string of "first"|"second"|"random"
    size integer of 15|19
    rules string of "freestyle"|"standard"|"renju"
  move sub
    cell string required autocomplete
    match string autocomplete
  pass sub
    match string autocomplete
  resign sub
    match string autocomplete
  draw sub
    match string autocomplete
  board sub
    match string autocomplete
leaderboard
  game string of "ttt"|"gomoku"
  scope string of "server"|"everywhere"
  by string of "rating"|"wins"
stats
  player user
  opponent user
matches
replay
  match string autocomplete
help
preferences
privacy
  export sub
  delete sub
settings
  show sub
  style sub
    style string required of "text"|"colour"|"emoji"|"picture"
  language sub
    language string required of "default"|"en-US"|"ru"|"zh-CN"|"zh-TW"|"ja"|"ko"|"es-ES"|"pt-BR"|"de"|"fr"
  channels sub
  pace sub
    pace string required of "default"|"5m"|"15m"|"1h"|"6h"|"1d"|"3d"|"7d"
  rules sub
    size integer of 15|19
    rules string of "freestyle"|"standard"|"renju"
  threads sub
    threads boolean required
  end sub
    match string required autocomplete
Challenge to tic-tac-toe
Challenge to gomoku
`

func TestCommandsAreTheContract(t *testing.T) {
	for _, oneGuild := range []bool{false, true} {
		list, _ := commands(t, oneGuild)
		var got strings.Builder
		for _, d := range list {
			got.WriteString(outline(d, ""))
		}
		if diff := cmp.Diff(contract, got.String()); diff != "" {
			t.Errorf("commands (-want +got):\n%s", diff)
		}
	}
}

var commandName = regexp.MustCompile(`^[-_'\p{L}\p{N}]{1,32}$`)

// size adds up the characters that Discord counts, and holds each level against
// its limits.
func size(t *testing.T, d definition, level int) int {
	t.Helper()
	if !commandName.MatchString(d.Name) || d.Name != strings.ToLower(d.Name) {
		t.Errorf("name %q", d.Name)
	}
	if n := utf8.RuneCountInString(d.Description); n < 1 || n > 100 || d.Description == "cmd_"+d.Name || strings.HasPrefix(d.Description, "opt_") {
		t.Errorf("%s is described as %q", d.Name, d.Description)
	}
	if len(d.Options) > 25 || len(d.Choices) > 25 || d.Autocomplete && len(d.Choices) > 0 {
		t.Errorf("%s has %d options and %d choices", d.Name, len(d.Options), len(d.Choices))
	}
	n := utf8.RuneCountInString(d.Name + d.Description)
	seen := map[any]bool{}
	for _, c := range d.Choices {
		text, _ := c.Value.(string)
		if l := utf8.RuneCountInString(c.Name); l < 1 || l > 100 || utf8.RuneCountInString(text) > 100 || seen[c.Name] || seen[c.Value] {
			t.Errorf("%s has the choice %q = %v", d.Name, c.Name, c.Value)
		}
		seen[c.Name], seen[c.Value] = true, true
		n += utf8.RuneCountInString(c.Name + text)
	}
	names, optional, subs := map[string]bool{}, false, 0
	for _, o := range d.Options {
		if names[o.Name] || o.Required && optional {
			t.Errorf("%s has the option %s twice, or required behind optional ones", d.Name, o.Name)
		}
		names[o.Name], optional = true, optional || !o.Required
		if o.Type == 1 {
			subs++
		}
		n += size(t, o, level+1)
	}
	if subs != 0 && (subs != len(d.Options) || level != 0) {
		t.Errorf("%s mixes subcommands with options", d.Name)
	}
	return n
}

func TestCommandsFitDiscord(t *testing.T) {
	list, _ := commands(t, false)
	names := map[string]bool{}
	for _, d := range list {
		if onUser := strings.HasPrefix(d.Name, "Challenge to "); onUser {
			if n := utf8.RuneCountInString(d.Name); n > 32 || d.Type != 2 || d.Description != "" || d.Options != nil {
				t.Errorf("%s has the type %d, %d characters, options or a description", d.Name, d.Type, n)
			}
		} else if n := size(t, d, 0); n > 8000 || d.Type != 1 {
			t.Errorf("%s has %d characters and the type %d", d.Name, n, d.Type)
		}
		if names[d.Name] {
			t.Errorf("%s is there twice", d.Name)
		}
		names[d.Name] = true
		contexts, installs := []int{0, 1, 2}, []int{0, 1}
		if d.Name == "settings" {
			contexts, installs = []int{0}, []int{0}
		}
		if wants := d.Permissions != nil; wants != (d.Name == "settings") || wants && *d.Permissions != "32" {
			t.Errorf("%s wants the permissions %v", d.Name, d.Permissions)
		}
		if diff := cmp.Diff(contexts, d.Contexts); diff != "" {
			t.Errorf("%s: contexts (-want +got):\n%s", d.Name, diff)
		}
		if diff := cmp.Diff(installs, d.IntegrationTypes); diff != "" {
			t.Errorf("%s: installations (-want +got):\n%s", d.Name, diff)
		}
	}
}

func TestCommandsOfOneGuild(t *testing.T) {
	_, plain := commands(t, true)
	for _, d := range plain {
		for _, key := range []string{"contexts", "integration_types"} {
			if v, ok := d[key]; ok && v != nil {
				t.Errorf("%v has %s %v, which a guild's command must not have", d["name"], key, v)
			}
		}
	}
}

// A moderator's match is described as what it is, not as one of their own.
func TestMatchToEnd(t *testing.T) {
	_, plain := commands(t, false)
	raw, err := json.Marshal(plain)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`"Which match to end"`, `"Welche Partie beendet wird"`, `"Какую партию закрыть"`} {
		if n := strings.Count(string(raw), text); n != 1 {
			t.Errorf("%s stands in %d places", text, n)
		}
	}
}
