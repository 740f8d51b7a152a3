package match_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"rowbot/match"
)

func TestParsePoint(t *testing.T) {
	const (
		notACell = match.NotACell
		offBoard = match.OffBoard
	)
	for _, test := range []struct {
		text    string
		rules   string
		want    string
		refused match.Refusal
	}{
		{"h8", "15 freestyle", "h8", ""},
		{"a1", "15 freestyle", "a1", ""},
		{"i9", "15 freestyle", "i9", ""}, // no letter is skipped
		{"o15", "15 freestyle", "o15", ""},
		{"s19", "19 freestyle", "s19", ""},
		{"c3", "ttt", "c3", ""},
		{"H8", "15 freestyle", "h8", ""},
		{"O15", "15 freestyle", "o15", ""},
		{"A1", "15 freestyle", "a1", ""},
		{" h8", "15 freestyle", "h8", ""},
		{"h8  ", "15 freestyle", "h8", ""},
		{"H 8", "15 freestyle", "h8", ""},
		{"  h    8  ", "15 freestyle", "h8", ""},
		{"\th8\n", "15 freestyle", "h8", ""},
		{"h\u00a08", "15 freestyle", "h8", ""},
		{"ｈ８", "15 freestyle", "h8", ""},
		{"Ｈ８", "15 freestyle", "h8", ""},
		{"Ｈ　１０", "15 freestyle", "h10", ""},
		{"　ｈ8　", "15 freestyle", "h8", ""},

		{"8 10", "15 freestyle", "j8", ""},
		{"8,10", "15 freestyle", "j8", ""},
		{"8, 10", "15 freestyle", "j8", ""},
		{"8 ,10", "15 freestyle", "j8", ""},
		{"8 , 10", "15 freestyle", "j8", ""},
		{" 8   10 ", "15 freestyle", "j8", ""},
		{"8\t10", "15 freestyle", "j8", ""},
		{"８　１０", "15 freestyle", "j8", ""},
		{"８，１０", "15 freestyle", "j8", ""},
		{"８、１０", "15 freestyle", "j8", ""},
		{"８， １０", "15 freestyle", "j8", ""},
		{"1 1", "15 freestyle", "a15", ""},
		{"15 1", "15 freestyle", "a1", ""},
		{"1 15", "15 freestyle", "o15", ""},
		{"15 15", "15 freestyle", "o1", ""},
		{"1 1", "19 freestyle", "a19", ""},
		{"19,19", "19 standard", "s1", ""},
		{"1 3", "ttt", "c3", ""},
		{"2,2", "ttt", "b2", ""},

		{"z9", "15 freestyle", "", offBoard},
		{"Z9", "15 freestyle", "", offBoard},
		{"p1", "15 freestyle", "", offBoard},
		{"a16", "15 freestyle", "", offBoard},
		{"h0", "15 freestyle", "", offBoard},
		{"d1", "ttt", "", offBoard},
		{"a4", "ttt", "", offBoard},
		{"t1", "19 freestyle", "", offBoard},
		{"a20", "19 freestyle", "", offBoard},
		{"16 1", "15 freestyle", "", offBoard},
		{"1 16", "15 freestyle", "", offBoard},
		{"0 1", "15 freestyle", "", offBoard},
		{"1 0", "15 freestyle", "", offBoard},
		{"0,0", "15 freestyle", "", offBoard},
		{"4 1", "ttt", "", offBoard},
		{"h257", "15 freestyle", "", offBoard},
		{"h264", "15 freestyle", "", offBoard}, // 8 in eight bits
		{"264 10", "15 freestyle", "", offBoard},
		{"h1000", "15 freestyle", "", offBoard},
		{"h4294967304", "15 freestyle", "", offBoard}, // 8 in 32 bits
		{"h18446744073709551624", "15 freestyle", "", offBoard},
		{"8 18446744073709551626", "15 freestyle", "", offBoard},
		{"h" + strings.Repeat("9", 4000), "15 freestyle", "", offBoard},

		{"", "15 freestyle", "", notACell},
		{"   ", "15 freestyle", "", notACell},
		{"\n", "15 freestyle", "", notACell},
		{"　", "15 freestyle", "", notACell},
		{"h", "15 freestyle", "", notACell},
		{"8", "15 freestyle", "", notACell},
		{"8 ", "15 freestyle", "", notACell},
		{"hh8", "15 freestyle", "", notACell},
		{"h h8", "15 freestyle", "", notACell},
		{"8h", "15 freestyle", "", notACell},
		{"8 h", "15 freestyle", "", notACell},
		{"h8x", "15 freestyle", "", notACell},
		{"h8 9", "15 freestyle", "", notACell},
		{"h8 i9", "15 freestyle", "", notACell},
		{"h,8", "15 freestyle", "", notACell},
		{"h-8", "15 freestyle", "", notACell},
		{"h+8", "15 freestyle", "", notACell},
		{"h8.", "15 freestyle", "", notACell},
		{"h8.0", "15 freestyle", "", notACell},
		{"h1e1", "15 freestyle", "", notACell},
		{"h0x8", "15 freestyle", "", notACell},
		{"h1_0", "15 freestyle", "", notACell},
		{"h08", "15 freestyle", "", notACell},
		{"h00", "15 freestyle", "", notACell},
		{"08 10", "15 freestyle", "", notACell},
		{"8 010", "15 freestyle", "", notACell},
		{"-8 10", "15 freestyle", "", notACell},
		{"8 -10", "15 freestyle", "", notACell},
		{"+8 10", "15 freestyle", "", notACell},
		{"8;10", "15 freestyle", "", notACell},
		{"8.10", "15 freestyle", "", notACell},
		{"8x10", "15 freestyle", "", notACell},
		{"8 10 12", "15 freestyle", "", notACell},
		{"8,10,12", "15 freestyle", "", notACell},
		{"8,,10", "15 freestyle", "", notACell},
		{"8 10,", "15 freestyle", "", notACell},
		{",10", "15 freestyle", "", notACell},
		{"8,", "15 freestyle", "", notACell},
		{",", "15 freestyle", "", notACell},
		{"(8,10)", "15 freestyle", "", notACell},
		{"н8", "15 freestyle", "", notACell},      // Cyrillic
		{"а1", "15 freestyle", "", notACell},      // Cyrillic
		{"Н8", "15 freestyle", "", notACell},      // Cyrillic
		{"α1", "15 freestyle", "", notACell},      // Greek
		{"\u212a8", "19 freestyle", "", notACell}, // the sign of kelvin
		{"h٨", "15 freestyle", "", notACell},      // Arabic digits
		{"h८", "15 freestyle", "", notACell},      // Devanagari digits
		{"h⁸", "15 freestyle", "", notACell},      // superscript
		{"h八", "15 freestyle", "", notACell},      // a number all the same, but not in digits
		{"ⓗ8", "15 freestyle", "", notACell},      // in a circle
		{"h\x008", "15 freestyle", "", notACell},
		{"h8\x00", "15 freestyle", "", notACell},
		{"\x1bh8", "15 freestyle", "", notACell},
		{"h\u200b8", "15 freestyle", "", notACell}, // a space without width
		{"\u202eh8", "15 freestyle", "", notACell}, // right to left
		{"\ufeffh8", "15 freestyle", "", notACell},
		{"h\xff8", "15 freestyle", "", notACell}, // not UTF-8
		{"\xff", "15 freestyle", "", notACell},
		{"pass", "15 freestyle", "", notACell},
		{"xyz", "15 freestyle", "", notACell},
		{"<@101>", "15 freestyle", "", notACell},
		{"❌", "ttt", "", notACell},
	} {
		t.Run(fmt.Sprintf("%.40q on %s", test.text, test.rules), func(t *testing.T) {
			got, err := allRules[test.rules].ParsePoint(test.text)
			if test.refused != "" {
				if err != test.refused || got != (match.Point{}) {
					t.Errorf("%v, error %v; want %v", got, err, test.refused)
				}
				return
			}
			if want := cell(test.want); err != nil || got != want {
				t.Errorf("%v, error %v; want %v", got, err, test.want)
			}
		})
	}
}

// TestCellsReadBack writes every cell of every board in every way that is taken.
func TestCellsReadBack(t *testing.T) {
	for name, r := range allRules {
		t.Run(name, func(t *testing.T) {
			for col := range int(r.Cols) {
				for row := range int(r.Rows) {
					at := match.Point{Col: int8(col), Row: int8(row)}
					letter, number, fromTop := 'a'+rune(col), row+1, int(r.Rows)-row
					if got, want := at.String(), fmt.Sprintf("%c%d", letter, number); got != want {
						t.Errorf("String() = %q, want %q", got, want)
					}
					for _, text := range []string{
						fmt.Sprintf("%c%d", letter, number),
						fmt.Sprintf("%c %d", letter-'a'+'A', number),
						fmt.Sprintf("%d %d", fromTop, col+1),
						fmt.Sprintf("%d,%d", fromTop, col+1),
						fmt.Sprintf(" %d , %d ", fromTop, col+1),
						wide(fmt.Sprintf("%c%d", letter, number)),
						wide(fmt.Sprintf("%d,%d", fromTop, col+1)),
						wide(fmt.Sprintf("%d %d", fromTop, col+1)),
					} {
						if got, err := r.ParsePoint(text); err != nil || got != at {
							t.Errorf("%q: %v, error %v; want %v", text, got, err, at)
						}
					}
				}
			}
		})
	}
}

// wide writes ASCII in full-width characters.
func wide(text string) string {
	return strings.Map(func(c rune) rune {
		if c == ' ' {
			return '\u3000'
		}
		return c - '!' + '！'
	}, text)
}

func TestParseMoves(t *testing.T) {
	for _, test := range []struct {
		text    string
		want    []match.Point
		refused match.Refusal
	}{
		{"", nil, ""},
		{"h8", cells("h8"), ""},
		{"h8 i9 pass", cells("h8 i9 pass"), ""},
		{"pass pass", cells("pass pass"), ""},
		{"a1 o15 a15 o1", cells("a1 o15 a15 o1"), ""},
		{" ", nil, match.NotACell},
		{" h8", nil, match.NotACell},
		{"h8 ", nil, match.NotACell},
		{"h8  i9", nil, match.NotACell},
		{"h8\ti9", nil, match.NotACell},
		{"h8,i9", nil, match.NotACell},
		{"H8", nil, match.NotACell},
		{"h 8", nil, match.NotACell},
		{"h08", nil, match.NotACell},
		{"8 10", nil, match.NotACell},
		{"ｈ８", nil, match.NotACell},
		{"Pass", nil, match.NotACell},
		{"passpass", nil, match.NotACell},
		{"h8 xyz", nil, match.NotACell},
		{"h8 p1", nil, match.OffBoard},
		{"h0", nil, match.OffBoard},
		{"h4294967304", nil, match.OffBoard},
	} {
		t.Run(fmt.Sprintf("%q", test.text), func(t *testing.T) {
			got, err := allRules["15 freestyle"].ParseMoves(test.text)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if test.refused == "" && err != nil || test.refused != "" && err != test.refused {
				t.Errorf("error %v, want %q", err, test.refused)
			}
		})
	}
}

// TestMovesReadBack writes any moves and reads them again.
func TestMovesReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRules.Draw(t, "rules")
		moves := rapid.SliceOf(rapid.Custom(func(t *rapid.T) match.Point {
			n := rapid.IntRange(-1, r.Cells()-1).Draw(t, "cell")
			if n < 0 {
				return match.Pass
			}
			return match.Point{Col: int8(n % int(r.Cols)), Row: int8(n / int(r.Cols))}
		})).Draw(t, "moves")
		text := match.FormatMoves(moves)
		got, err := r.ParseMoves(text)
		if err != nil || !slices.Equal(got, moves) {
			t.Fatalf("%q: %v, error %v; want %v", text, got, err, moves)
		}
	})
}

// FuzzParsePoint holds that what is taken as a cell lies on the board and is
// the same cell when written plainly, and that all else is refused.
func FuzzParsePoint(f *testing.F) {
	for _, text := range []string{"h8", "8 10", "8,10", " Ｈ　８ ", "８、１０", "h08", "z9", "", "\xff", "h\x008", "h99999999999999999999"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for name, r := range allRules {
			at, err := r.ParsePoint(text)
			if err != nil {
				var refused match.Refusal
				if !errors.As(err, &refused) || refused != match.NotACell && refused != match.OffBoard {
					t.Fatalf("%s: %q: %v", name, text, err)
				}
				continue
			}
			if !r.Contains(at) {
				t.Fatalf("%s: %q is (%d, %d), off the board", name, text, at.Col, at.Row)
			}
			if again, err := r.ParsePoint(at.String()); err != nil || again != at {
				t.Fatalf("%s: %q is %v, which is %v, error %v", name, text, at, again, err)
			}
		}
	})
}

// FuzzParseMoves holds that a record which can be read is written the same.
func FuzzParseMoves(f *testing.F) {
	for _, text := range []string{"", "h8", "h8 i9 pass", "pass pass", "a1 b2 ", "h08", " a1", "passa1", "a1 \xff"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for name, r := range allRules {
			moves, err := r.ParseMoves(text)
			if err != nil {
				if moves != nil {
					t.Fatalf("%s: %q: %v beside error %v", name, text, moves, err)
				}
				continue
			}
			if again := match.FormatMoves(moves); again != text {
				t.Fatalf("%s: %q is written %q", name, text, again)
			}
		}
	})
}
