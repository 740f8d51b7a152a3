package bot

import (
	"math"
	"strings"
	"testing"

	"rowbot/bot/render"
	"rowbot/match"
)

// maxCustomID is what Discord takes, in characters.
const maxCustomID = 100

const (
	longestID   = match.ID("3w5e11264sgsf") // the largest 64-bit number
	lastVersion = match.Version(math.MaxUint32)
)

// pressArgs has an argument for each verb that takes one, the longest there is.
var pressArgs = map[verb]string{
	verbCell: "s19", verbGiveUp: "b", verbChoose: "two",
	verbLeft: "14.14", verbRight: "14.14", verbUp: "14.14", verbDown: "14.14",
}

// Each verb's press comes back from its own text, and the longest fits.
func TestPress(t *testing.T) {
	for v, takes := range hasArg {
		want := press{match: longestID, version: lastVersion, verb: v, arg: pressArgs[v]}
		if takes == (want.arg == "") {
			t.Fatalf("%s: the test has the argument %q", v, want.arg)
		}
		s := want.String()
		if got, ok := parsePress(s); !ok || got != want {
			t.Errorf("%q is read as %+v, %v", s, got, ok)
		}
		if len(s) > maxCustomID {
			t.Errorf("%q has %d characters", s, len(s))
		}
		// With an argument where none belongs, or without where one does.
		wrong := want
		if wrong.arg = ""; !takes {
			wrong.arg = "h8"
		}
		if got, ok := parsePress(wrong.String()); ok {
			t.Errorf("%q is read as %+v", wrong.String(), got)
		}
	}
}

func TestForgedPress(t *testing.T) {
	for name, s := range map[string]string{
		"empty":                      "",
		"kind only":                  "1",
		"kind and colons":            "1:::",
		"no verb":                    "1:abc:1:",
		"another kind":               "2:abc:1:accept",
		"kind with a leading zero":   "01:abc:1:accept",
		"no kind":                    ":abc:1:accept",
		"upper case match":           "1:ABC:1:accept",
		"upper case version":         "1:abc:1Z:accept",
		"upper case verb":            "1:abc:1:Accept",
		"leading zero in match":      "1:0abc:1:accept",
		"leading zero in version":    "1:abc:01:accept",
		"signed match":               "1:+abc:1:accept",
		"negative match":             "1:-abc:1:accept",
		"signed version":             "1:abc:+1:accept",
		"negative version":           "1:abc:-1:accept",
		"version nought":             "1:abc:0:accept",
		"no match":                   "1::1:accept",
		"no version":                 "1:abc::accept",
		"match beyond 64 bits":       "1:3w5e11264sgsg:1:accept",
		"huge match":                 "1:" + strings.Repeat("z", 60) + ":1:accept",
		"version beyond 32 bits":     "1:abc:1z141z4:accept",
		"underscore in match":        "1:a_c:1:accept",
		"underscore in version":      "1:abc:1_0:accept",
		"space before":               " 1:abc:1:accept",
		"space behind":               "1:abc:1:accept ",
		"space inside":               "1:a c:1:accept",
		"line break behind":          "1:abc:1:accept\n",
		"unknown verb":               "1:abc:1:win",
		"argument to accept":         "1:abc:1:accept:h8",
		"empty argument to accept":   "1:abc:1:accept:",
		"cell without cell":          "1:abc:1:cell",
		"cell with an empty one":     "1:abc:1:cell:",
		"arrow without window":       "1:abc:1:left",
		"question without side":      "1:abc:1:giveup",
		"full-width digits":          "1:abc:１:accept",
		"accented match":             "1:äbc:1:accept",
		"nul":                        "1:abc:1:accept\x00",
		"broken UTF-8":               "1:\xff:1:accept",
		"fields in another order":    "1:accept:1:abc",
		"something else altogether":  "rematch",
		"a hundred characters of it": strings.Repeat("1:", 50),
	} {
		if p, ok := parsePress(s); ok {
			t.Errorf("%s: %q is read as %+v", name, s, p)
		}
	}
}

func TestPick(t *testing.T) {
	for _, want := range []pick{
		{verb: verbCell, arg: strings.Repeat("8", maxTyped)},
		{verb: verbCell, arg: "8, 10"},
		{verb: verbCell, arg: "h8:"},
		{verb: verbPass},
		{verb: verbResign},
		{verb: verbDraw},
		{verb: verbBoard},
	} {
		s := want.String()
		if got, ok := parsePick(s); !ok || got != want {
			t.Errorf("%q is read as %+v, %v", s, got, ok)
		}
		if len(s) > maxCustomID {
			t.Errorf("%q has %d characters", s, len(s))
		}
	}
	for _, s := range []string{
		"", "2", "2:", "2::", "2:cell", "2:cell:", "2:pass:", "2:pass:h8", "2:resign:b", "2:accept", "2:giveup:b", "2:Cell:h8",
		"2: cell:h8", "1:cell:h8", "02:cell:h8", "2:rematch", "2:left:0.0",
	} {
		if p, ok := parsePick(s); ok {
			t.Errorf("%q is read as %+v", s, p)
		}
	}
}

func TestLeaderPage(t *testing.T) {
	for _, g := range []match.Game{match.TicTacToe, match.Gomoku} {
		for _, by := range []match.Order{match.ByRating, match.ByWins} {
			for _, everywhere := range []bool{true, false} {
				for _, page := range []int{0, 1, 10, maxPages - 1} {
					want := leaderPage{game: g, everywhere: everywhere, by: by, page: page}
					s := want.String()
					if got, ok := parseLeaderPage(s); !ok || got != want {
						t.Errorf("%q is read as %+v, %v", s, got, ok)
					}
					if len(s) > maxCustomID {
						t.Errorf("%q has %d characters", s, len(s))
					}
				}
			}
		}
	}
	for _, s := range []string{
		"", "3", "3:ttt:s:rating", "3:ttt:s:rating:", "3:ttt:s:rating:-1", "3:ttt:s:rating:1000", "3:ttt:s:rating:01",
		"3:ttt:s:rating:+1", "3:ttt:s:rating:-0", "3:ttt:s:rating:1:", "3:ttt:x:rating:1", "3:ttt::rating:1", "3:TTT:s:rating:1",
		"3:chess:s:rating:1", "3:ttt:s:losses:1", "3:ttt:s:rating: 1", "3:ttt:s:rating:1 ", "1:ttt:s:rating:1", "3:ttt:e:wins:1e2",
		"3:ttt:s:rating:99999999999999999999", "3:gomoku:E:wins:0", "3:gomoku:e:wins:0x1",
	} {
		if l, ok := parseLeaderPage(s); ok {
			t.Errorf("%q is read as %+v", s, l)
		}
	}
}

func TestParseWindow(t *testing.T) {
	for _, side := range []int8{15, 19} {
		r := match.GomokuRules(side, match.Freestyle)
		for col := int8(-6); col <= side; col++ {
			for row := int8(-6); row <= side; row++ {
				want := render.Window{Col: col, Row: row}
				s := formatWindow(want)
				got, ok := parseWindow(s, r)
				if ok != want.Fits(r) || ok && got != want {
					t.Errorf("%q on %d is read as %+v, %v", s, side, got, ok)
				}
			}
		}
		for _, s := range []string{"", ".", "1", "1.", ".1", "01.1", "1.01", "+1.1", " 1.1", "1.1 ", "1,1", "1.1.1", "300.1", "1.300", "256.0", "-0.0"} {
			if w, ok := parseWindow(s, r); ok {
				t.Errorf("%q is read as %+v", s, w)
			}
		}
	}
}

func TestIDs(t *testing.T) {
	for s, want := range map[string]match.ID{
		"0": "0", "35": "z", "36": "10", "1345678901234567890": "a823cwxfg3wy", "18446744073709551615": longestID,
	} {
		got, ok := newID(s)
		if !ok || got != want {
			t.Errorf("newID(%s) = %q, %v, want %q", s, got, ok, want)
		}
		if !validID(string(got)) {
			t.Errorf("%q is not valid", got)
		}
	}
	for _, s := range []string{"", "-1", "+1", "1.0", "abc", " 1", "18446744073709551616", "１"} {
		if id, ok := newID(s); ok {
			t.Errorf("newID(%q) = %q", s, id)
		}
	}
	for _, s := range []string{"", "A", "00", "01", "-1", "+1", "a b", "3w5e11264sgsg", "a:b", "ä", "a_b"} {
		if validID(s) {
			t.Errorf("%q is a valid ID", s)
		}
	}
}

// What is accepted writes back to the same text, and nothing makes it panic.
func FuzzParsePress(f *testing.F) {
	for v := range hasArg {
		f.Add(press{match: longestID, version: lastVersion, verb: v, arg: pressArgs[v]}.String())
	}
	for _, s := range []string{"", "1:::", "1:abc:0:accept", "1:ABC:1:accept", "1:abc:1:cell:h8:9", "1:abc:01:cell:h8", "1:abc:1:cell:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, ok := parsePress(s)
		if !ok {
			return
		}
		if p.String() != s {
			t.Errorf("%q writes back to %q", s, p.String())
		}
		if takes, known := hasArg[p.verb]; !known || takes != (p.arg != "") || p.version == 0 || !validID(string(p.match)) {
			t.Errorf("%q is read as %+v", s, p)
		}
		for _, r := range []match.Rules{match.TicTacToeRules(), match.GomokuRules(15, match.Freestyle), match.GomokuRules(19, match.Standard)} {
			if w, ok := parseWindow(p.arg, r); ok && (!w.Fits(r) || formatWindow(w) != p.arg) {
				t.Errorf("%q is read as the window %+v", p.arg, w)
			}
		}
	})
}

func FuzzParsePick(f *testing.F) {
	for _, s := range []string{"2:cell:h8", "2:cell:8, 10", "2:pass", "2:resign", "2:draw", "2:board", "2:cell:", "2:pass:", "3:pass"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, ok := parsePick(s)
		if !ok {
			return
		}
		if p.String() != s {
			t.Errorf("%q writes back to %q", s, p.String())
		}
		if (p.verb == verbCell) != (p.arg != "") {
			t.Errorf("%q is read as %+v", s, p)
		}
	})
}

func FuzzParseLeaderPage(f *testing.F) {
	for _, s := range []string{"3:ttt:s:rating:0", "3:gomoku:e:wins:999", "3:ttt:s:rating:-1", "3:ttt:s:rating:01", "3:ttt:x:rating:1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		l, ok := parseLeaderPage(s)
		if !ok {
			return
		}
		if l.String() != s {
			t.Errorf("%q writes back to %q", s, l.String())
		}
		if l.page < 0 || l.page >= maxPages {
			t.Errorf("%q is read as %+v", s, l)
		}
	})
}

func TestParseScene(t *testing.T) {
	for _, s := range []string{"4:abc:open:0", "4:abc:next:27", "4:abc:gif:361", "4:1:jump:5"} {
		if got, ok := parseScene(s); !ok || got.String() != s {
			t.Errorf("%q is read as %+v", s, got)
		}
	}
	for _, s := range []string{
		"", "4", "4:abc:next", "4:abc:next:-1", "4:abc:next:01", "4:abc:next:x", "4:abc:next:9999", "4:abc:play:1",
		"4:ABC:next:1", "4::next:1", "1:abc:next:1", "4:abc:next:1:2",
	} {
		if got, ok := parseScene(s); ok {
			t.Errorf("%q is read as %+v", s, got)
		}
	}
}

func FuzzParseScene(f *testing.F) {
	for _, s := range []string{"4:abc:open:0", "4:abc:psq:27", "4:abc:next:-1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, ok := parseScene(s); ok && got.String() != s {
			t.Errorf("%q writes back to %q", s, got.String())
		}
	})
}
