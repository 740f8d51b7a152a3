package locale_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"

	"rowbot/match"
)

// anyRefusal stands for the keys that are refusals.
const anyRefusal = "(refusal)"

// computed says which keys the expressions make that are no literals. A new
// expression in package bot has to be added here with what it can be.
var computed = map[string][]string{
	`board.go movedKey(m)`:                             {"board_moved", "challenge_moved"},
	`route.go movedKey(&m)`:                            {"board_moved", "challenge_moved"},
	`invitation.go key`:                                {"you_withdrew", "you_declined"},
	`challenge.go problem`:                             {"nobody_here", "another_bot", "opponent_left", string(match.Yourself)},
	`commands.go "cmd_" + string(g)`:                   {"cmd_ttt", "cmd_gomoku"},
	`commands.go "cmd_" + name`:                        {"cmd_challenge", "cmd_bot", "cmd_move", "cmd_pass", "cmd_resign", "cmd_draw", "cmd_board"},
	`commands.go "level_" + l.String()`:                levelKeys(),
	`commands.go key`:                                  nil, // inside the helpers, whose calls are looked at themselves
	`end.go key`:                                       {"draw_declined", "draw_agreed", "draw_agreed_before", "draw_gone"},
	`leaders.go "game_" + string(l.game)`:              games(),
	`leaders.go "game_" + string(other)`:               games(),
	`leaders.go "by_" + string(l.by)`:                  orders(),
	`leaders.go "by_" + string(order)`:                 orders(),
	`leaders.go scope`:                                 {"scope_server", "scope_everywhere"},
	`matchtext.go "game_" + string(r.Game())`:          games(),
	`matchtext.go "rules_" + m.Rules.Variant.String()`: {"rules_" + match.Freestyle.String(), "rules_" + match.Standard.String(), "rules_" + match.Renju.String()},
	`matchtext.go "level_" + who.Level.String()`:       levelKeys(),
	`matchtext.go drawReason[m.Reason]`:                {"by_full_board", "by_agreement", "by_passes"},
	`matchtext.go closedKey(m)`:                        {"closed", "closed_by_moderator", "closed_by_leaving"},
	`matchtext.go key`:                                 {"in_a_row_3", "in_a_row_5", "in_a_row_more"},
	`notices.go key`:                                   {"reminder", "reminder_closes"},
	`opening.go choicesOf[c].label`:                    {"take_black", "take_white", "place_two"},
	`permission.go p.key`:                              {"perm_view", "perm_send", "perm_history", "perm_attach", "perm_threads"},
	`play.go string(match.Stale)`:                      {string(match.Stale)},
	`refuse.go string(key)`:                            {anyRefusal},
	`refuse.go goneKey(m)`:                             {"gone_lapsed", "gone_withdrawn", "gone_declined", "gone_accepted"},
	`settings.go "style_" + s`:                         {"style_text", "style_colour", "style_emoji", "style_picture"},
	`settings.go "rules_" + v.String()`:                {"rules_freestyle", "rules_standard", "rules_renju"},
	`settings.go no`:                                   {"only_in_server", "managers_only"},
	`stats.go "game_" + string(rec.Game)`:              games(),
	`stats.go "game_" + string(g)`:                     games(),
	`stats.go "level_" + level`:                        levelKeys(),
	`translate.go "option_" + o.Name`:                  optionNames(),
}

func games() []string {
	return []string{"game_" + string(match.TicTacToe), "game_" + string(match.Gomoku)}
}

func levelKeys() []string {
	var keys []string
	for _, l := range []match.Level{match.Random, match.Easy, match.Medium, match.Hard, match.Perfect, match.Master} {
		keys = append(keys, "level_"+l.String())
	}
	return keys
}

// optionNames are the keys of the names of all options: those that English has,
// which bot's own tests compare with the options that there are.
func optionNames() (keys []string) {
	var raw map[string]any
	if _, err := toml.DecodeFile("en.toml", &raw); err != nil {
		panic(err)
	}
	for key := range raw {
		if strings.HasPrefix(key, "option_") {
			keys = append(keys, key)
		}
	}
	return keys
}

func orders() []string { return []string{"by_" + string(match.ByRating), "by_" + string(match.ByWins)} }

// message is an entry of a language's file: its forms, one where it counts nothing.
type message map[string]string

func readLanguage(t *testing.T, file string) map[string]message {
	t.Helper()
	var raw map[string]any
	if _, err := toml.DecodeFile(file, &raw); err != nil {
		t.Fatal(err)
	}
	out := map[string]message{}
	for key, v := range raw {
		switch v := v.(type) {
		case string:
			out[key] = message{"other": v}
		case map[string]any:
			m := message{}
			for form, s := range v {
				m[form] = fmt.Sprint(s)
			}
			out[key] = m
		default:
			t.Errorf("%s: %s is a %T", file, key, v)
		}
	}
	return out
}

var (
	placeholder = regexp.MustCompile(`\{\{(.*?)\}\}`)
	plainName   = regexp.MustCompile(`^\.[A-Z][A-Za-z]*$`)
)

// placeholders are the names that a message fills in, over all its forms.
func (m message) placeholders(t *testing.T) []string {
	t.Helper()
	names := map[string]bool{}
	for _, s := range m {
		for _, found := range placeholder.FindAllStringSubmatch(s, -1) {
			if !plainName.MatchString(found[1]) {
				t.Errorf("%q is not a plain placeholder", found[0])
				continue
			}
			names[found[1][1:]] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// Every key that is asked for exists, with the placeholders that are given, and
// none is there for nothing.
func TestKeys(t *testing.T) {
	english := readLanguage(t, "en.toml")
	used, expressions := map[string]bool{}, map[string]bool{}
	for _, c := range parseBot(t).calls(t) {
		keys := []string{c.key}
		if c.computed != "" {
			expressions[c.computed] = true
			listed, known := computed[c.computed]
			if !known {
				t.Errorf("%s: which keys does %q make? Add it to the table", c.at, c.computed)
			}
			if slices.Contains(listed, anyRefusal) {
				continue // see TestRefusals
			}
			keys = listed
		}
		for _, key := range keys {
			used[key] = true
			m, exists := english[key]
			if !exists {
				t.Errorf("%s: there is no message %q", c.at, key)
				continue
			}
			checkNames(t, c, key, m.placeholders(t))
		}
	}
	for _, key := range refusals(t) {
		used[key] = true
	}
	for key := range english {
		if !used[key] {
			t.Errorf("nothing asks for %q", key)
		}
	}
	for e := range computed {
		if !expressions[e] {
			t.Errorf("the table's %q is no longer in package bot", e)
		}
	}
}

// checkNames compares what a call gives with what the message takes. A call
// with a computed key may give more than one of its messages takes.
func checkNames(t *testing.T, c call, key string, want []string) {
	t.Helper()
	if c.computed == "" {
		if diff := cmp.Diff(want, c.names); diff != "" {
			t.Errorf("%s: placeholders of %q (-message +call):\n%s", c.at, key, diff)
		}
		return
	}
	for _, name := range want {
		if !slices.Contains(c.names, name) {
			t.Errorf("%s: %q takes %s, which is not given", c.at, key, name)
		}
	}
}

// given are the placeholders that are filled in for the refusals whose text is
// looked up under their own name. The others have a call of their own, which
// TestKeys looks at, or need none.
var given = map[match.Refusal][]string{
	match.Offered: {"Player"}, match.Yourself: {"Game"}, match.OwnChallenge: {"Player"}, match.NotForYou: {"Player"},
	match.DrawTooSoon: {"Player"}, match.OpponentBusy: {"Player"}, match.Unwelcome: {"Player"},
	match.AlreadyAsked: {"Link", "Player"}, match.AskedByThem: {"Link", "Player"}, match.AlreadyOpen: {"Link"}, match.CoolingDown: {"Player", "Time"},
	match.TooManyPending: {"Game", "N"}, match.TooManyRunning: {"N"},
	match.Overline: {"Cell"}, match.DoubleThree: {"Cell"}, match.DoubleFour: {"Cell"},
}

// Each refusal is the key of a message that says what is wrong. Only one has
// several messages instead, by what became of the challenge.
func TestRefusals(t *testing.T) {
	english, own := readLanguage(t, "en.toml"), map[string]bool{}
	for _, c := range parseBot(t).calls(t) {
		own[c.key] = true
	}
	for _, key := range refusals(t) {
		m, exists := english[key]
		switch {
		case match.Refusal(key) == match.Gone || exists && own[key]:
		case !exists:
			t.Errorf("there is no message for the refusal %q", key)
		default:
			if diff := cmp.Diff(given[match.Refusal(key)], m.placeholders(t)); diff != "" {
				t.Errorf("placeholders of %q (-given +message):\n%s", key, diff)
			}
		}
	}
}

// Another language has the same keys and fills in the same things.
func TestLanguagesAgree(t *testing.T) {
	english := readLanguage(t, "en.toml")
	for _, file := range languages(t) {
		other := readLanguage(t, file)
		var missing, beyond []string
		for key, m := range english {
			translated, exists := other[key]
			if !exists {
				missing = append(missing, key)
				continue
			}
			if diff := cmp.Diff(m.placeholders(t), translated.placeholders(t)); diff != "" {
				t.Errorf("%s: placeholders of %q (-en +%s):\n%s", file, key, file, diff)
			}
		}
		for key := range other {
			if _, exists := english[key]; !exists {
				beyond = append(beyond, key)
			}
		}
		for what, keys := range map[string][]string{"lacks": missing, "has beyond English": beyond} {
			if len(keys) > 0 {
				slices.Sort(keys)
				t.Errorf("%s %s:\n\t%s", file, what, strings.Join(keys, "\n\t"))
			}
		}
	}
}

// limits are what Discord takes, in characters, of the places where these
// messages stand.
var limits = []struct {
	keys *regexp.Regexp
	most int
}{
	{regexp.MustCompile(`^(cmd|opt)_|^modal_description$`), 100},                                                                                      // descriptions
	{regexp.MustCompile(`^(accept|decline|withdraw|resign|end_match|delete_data|offer_draw|pass|rematch|more|take_black|take_white|place_two)$`), 80}, // buttons
	{regexp.MustCompile(`^(type_move|modal_label)$`), 45},                                                                                             // a modal's title and label
	{regexp.MustCompile(`^(game|choose|scope|level)_|^(rules|opening)_.*_long$|^by_(rating|wins)$`), 80},                                              // choices, and buttons too
	{regexp.MustCompile(`^menu_(ttt|gomoku)$`), 32},                                                                                                   // names of commands
	{regexp.MustCompile(`^(style|language|threads|from|notices|pace)_`), 100},                                                                         // options of selects, and choices
	{regexp.MustCompile(`^(everywhere_here|nobody_blocked)$`), 150},                                                                                   // placeholders of selects
	{regexp.MustCompile(`^(days|hours|minutes)$`), 100},                                                                                               // choices
	{regexp.MustCompile(`^which_match$`), 150},                                                                                                        // a select's placeholder
}

func TestLengths(t *testing.T) {
	for _, file := range languages(t) {
		found := make([]int, len(limits))
		for key, m := range readLanguage(t, file) {
			for form, s := range m {
				if s == "" {
					t.Errorf("%s: %s (%s) is empty", file, key, form)
				}
				filled := placeholder.ReplaceAllString(s, "j10")
				for i, l := range limits {
					if !l.keys.MatchString(key) {
						continue
					}
					found[i]++
					if n := utf8.RuneCountInString(filled); n > l.most {
						t.Errorf("%s: %s has %d characters of %d", file, key, n, l.most)
					}
				}
			}
		}
		for i, n := range found {
			if n == 0 {
				t.Errorf("%s: no key is like %v", file, limits[i].keys)
			}
		}
	}
}
