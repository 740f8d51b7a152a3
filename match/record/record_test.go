package record_test

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"rowbot/match"
	"rowbot/match/record"
)

func gomoku(side int8, v match.Variant) match.Rules { return match.GomokuRules(side, v) }

var examples = []struct {
	name     string
	match    match.Match
	moves    string
	names    [2]string
	sgf, psq string
}{
	{
		name: "won by a line",
		match: match.Match{
			Rules: gomoku(15, match.Freestyle), Status: match.Won, Reason: match.ByLine, Winner: match.Black,
			Created: time.Date(2026, 11, 30, 23, 30, 0, 0, time.FixedZone("", -3600)),
		},
		moves: "h8 a1 i8 o15 j8 a15 k8 o1 l8",
		names: [2]string{"Ada", "Бета 🐻"},
		sgf: "(;FF[4]GM[4]CA[UTF-8]SZ[15]PB[Ada]PW[Бета 🐻]DT[2026-12-01]RU[freestyle]RE[B+]\n" +
			";B[hh];W[ao];B[ih];W[oa];B[jh];W[aa];B[kh];W[oo];B[lh])\n",
		psq: "Piskvorky 15x15, 11:11, 0\n" +
			"8,8,0\n1,15,0\n9,8,0\n15,1,0\n10,8,0\n1,1,0\n11,8,0\n15,15,0\n12,8,0\n" +
			"Ada\nБета 🐻\n0\n1,Freestyle15\n",
	},
	{
		name: "resigned, with a pass and hard names",
		match: match.Match{
			Rules: gomoku(19, match.Standard), Status: match.Won, Reason: match.ByResignation, Winner: match.White,
		},
		moves: "j10 pass s1",
		names: [2]string{`a]b\c`, "8,8,0\r\nx"},
		sgf: `(;FF[4]GM[4]CA[UTF-8]SZ[19]PB[a\]b\\c]PW[8,8,0  x]RU[standard]RE[W+R]` + "\n" +
			";B[jj];W[];B[ss])\n",
		psq: "Piskvorky 19x19, 11:11, 0\n10,10,0\n0,0,0\n19,19,0\n" +
			"a]b\\c\n\"8,8,0  x\"\n0\n2,Standard19\n",
	},
	{
		name: "lost on time after swap2",
		match: match.Match{
			Rules: gomoku(15, match.Renju), Opening: match.Swap2, Status: match.Won, Reason: match.ByTime, Winner: match.Black,
		},
		moves: "h8 i9 j10 a1",
		names: [2]string{"", `"Q"`},
		sgf: `(;FF[4]GM[4]CA[UTF-8]SZ[15]PB[]PW["Q"]RU[renju]ON[swap2]RE[B+T]` + "\n" +
			";B[hh];W[ig];B[jf];W[ao])\n",
		psq: "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,0\n10,6,0\n1,15,0\n\"\"\n\"\"Q\"\"\n15\n1,Renju15\n",
	},
	{
		name:  "a draw of tic-tac-toe",
		match: match.Match{Rules: match.TicTacToeRules(), Status: match.Drawn, Reason: match.ByFullBoard},
		moves: "b2 a1 c3 b1 c1 a3 a2 c2 b3",
		names: [2]string{"X", " O "},
		sgf: "(;FF[4]GM[4]CA[UTF-8]SZ[3]PB[X]PW[ O ]RU[tic-tac-toe]RE[Draw]\n" +
			";B[bb];W[ac];B[ca];W[bc];B[cc];W[aa];B[ab];W[cb];B[ba])\n",
		psq: "Piskvorky 3x3, 11:11, 0\n2,2,0\n1,3,0\n3,1,0\n2,3,0\n3,3,0\n1,1,0\n1,2,0\n3,2,0\n2,1,0\n" +
			"X\n\" O \"\n0\n0,TicTacToe3\n",
	},
	{
		name:  "not over, more than ten plies",
		match: match.Match{Rules: gomoku(15, match.Freestyle), Status: match.Active},
		moves: "a1 b1 c1 d1 e1 f1 g1 h1 i1 j1 k1",
		names: [2]string{"\x00\u2028", "\xff"},
		sgf: "(;FF[4]GM[4]CA[UTF-8]SZ[15]PB[  ]PW[\uFFFD]RU[freestyle]RE[?]\n" +
			";B[ao];W[bo];B[co];W[do];B[eo];W[fo];B[go];W[ho];B[io];W[jo]\n;B[ko])\n",
		psq: "Piskvorky 15x15, 11:11, 0\n1,15,0\n2,15,0\n3,15,0\n4,15,0\n5,15,0\n6,15,0\n7,15,0\n8,15,0\n9,15,0\n10,15,0\n11,15,0\n" +
			"\"  \"\n\uFFFD\n-1\n0,Freestyle15\n",
	},
	{
		name:  "closed without a move",
		match: match.Match{Rules: gomoku(15, match.Freestyle), Status: match.Closed},
		names: [2]string{"-1", "b"},
		sgf:   "(;FF[4]GM[4]CA[UTF-8]SZ[15]PB[-1]PW[b]RU[freestyle]RE[Void])\n",
		psq:   "Piskvorky 15x15, 11:11, 0\n\"-1\"\nb\n-1\n0,Freestyle15\n",
	},
}

func TestExamples(t *testing.T) {
	for _, c := range examples {
		t.Run(c.name, func(t *testing.T) {
			m := c.match
			var err error
			if m.Moves, err = m.Rules.ParseMoves(c.moves); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.sgf, string(record.SGF(&m, c.names))); diff != "" {
				t.Errorf("SGF (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.psq, string(record.PSQ(&m, c.names))); diff != "" {
				t.Errorf("PSQ (-want +got):\n%s", diff)
			}
			check(t, &m, c.names)
		})
	}
}

// check reads the records of a match back and compares all they say.
func check(t rapid.TB, m *match.Match, names [2]string) {
	t.Helper()
	want := kept{
		Cols: int(m.Rules.Cols), Rows: int(m.Rules.Rows), Names: [2]string{shown(names[0]), shown(names[1])},
		Moves: slices.Clone(m.Moves), Over: m.Status == match.Won || m.Status == match.Drawn,
	}
	if m.Status == match.Won {
		want.Winner = m.Winner
	}
	rules := map[match.Variant][2]string{
		match.Freestyle: {"freestyle", "Freestyle"}, match.Standard: {"standard", "Standard"}, match.Renju: {"renju", "Renju"},
	}[m.Rules.Variant]
	if m.Rules.Cols == 3 {
		rules = [2]string{"tic-tac-toe", "TicTacToe"}
	}
	for i, c := range []struct {
		format string
		file   []byte
		parse  func([]byte) (kept, error)
	}{
		{"SGF", record.SGF(m, names), parseSGF},
		{"PSQ", record.PSQ(m, names), parsePSQ},
	} {
		got, err := c.parse(c.file)
		if err != nil {
			t.Fatalf("%s: %v in:\n%s", c.format, err, c.file)
		}
		got.Props, want.Rules = nil, rules[i]
		if len(got.Moves) == 0 {
			got.Moves = want.Moves
		}
		if len(got.Moves) != len(m.Moves) {
			t.Errorf("%s: %d plies of %d", c.format, len(got.Moves), len(m.Moves))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.format, diff)
		}
	}
}

// shown is a name as it is to be read: what ends lines or is no character is a
// space, and what is no UTF-8 is the sign for that.
func shown(name string) string {
	var b strings.Builder
	broken := false
	for i := 0; i < len(name); {
		c, n := utf8.DecodeRuneInString(name[i:])
		i += n
		wrong := c == utf8.RuneError && n == 1
		switch {
		case wrong && broken: // one sign for several bytes in a row
		case c < 0x20, c >= 0x7f && c < 0xa0, c == 0x2028, c == 0x2029:
			b.WriteByte(' ')
		default:
			b.WriteRune(c)
		}
		broken = wrong
	}
	return b.String()
}

func drawName(t *rapid.T, label string) string {
	return rapid.OneOf(
		rapid.String(),
		rapid.StringOf(rapid.SampledFrom([]rune("]\\[();:\"\r\n\t ,-+0189aZé🐻\u200d\u2028\u202e\u0000\u0085"))),
		rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) }),
	).Draw(t, label)
}

// drawMatch plays random legal moves, among them passes, and ends somehow.
func drawMatch(t *rapid.T) *match.Match {
	m := &match.Match{Status: match.Active, Rules: rapid.SampledFrom([]match.Rules{
		match.TicTacToeRules(),
		gomoku(15, match.Freestyle), gomoku(15, match.Standard), gomoku(15, match.Renju),
		gomoku(19, match.Freestyle), gomoku(19, match.Standard), gomoku(19, match.Renju),
	}).Draw(t, "rules")}
	for range rapid.IntRange(0, 80).Draw(t, "plies") {
		p := m.Position()
		if m.Rules.MayPass() && rapid.IntRange(0, 9).Draw(t, "pass") == 0 {
			m.Moves = append(m.Moves, match.Pass)
			continue
		}
		at := rapid.SampledFrom(p.Legal()).Draw(t, "cell")
		next, won, err := p.Place(at)
		if err != nil {
			t.Fatal(err)
		}
		side := m.Turn()
		m.Moves = append(m.Moves, at)
		if won {
			m.Status, m.Reason, m.Winner = match.Won, match.ByLine, side
			return m
		}
		if next.Full() {
			m.Status, m.Reason = match.Drawn, match.ByFullBoard
			return m
		}
	}
	end := rapid.SampledFrom([]match.Match{
		{Status: match.Active},
		{Status: match.Closed},
		{Status: match.Won, Reason: match.ByResignation, Winner: match.Black},
		{Status: match.Won, Reason: match.ByTime, Winner: match.White},
		{Status: match.Drawn, Reason: match.ByAgreement},
		{Status: match.Drawn, Reason: match.ByPasses},
	}).Draw(t, "end")
	m.Status, m.Reason, m.Winner = end.Status, end.Reason, end.Winner
	return m
}

func TestAnyMatchReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		check(t, drawMatch(t), [2]string{drawName(t, "black"), drawName(t, "white")})
	})
}

func FuzzNames(f *testing.F) {
	for _, name := range []string{"", "]", `\`, "a\nb", "1,1,0", "-1", "\"", "\xff\xfe", "🐻", " "} {
		f.Add(name, name)
	}
	f.Fuzz(func(t *testing.T, black, white string) {
		m := match.Match{
			Rules: gomoku(15, match.Freestyle), Status: match.Active, Moves: []match.Point{{Col: 7, Row: 7}, match.Pass},
		}
		check(t, &m, [2]string{black, white})
	})
}

// A record of another program's making is read as well: the parsers are no
// mirror of the writers.
func TestParsersKnowTheFormats(t *testing.T) {
	k, err := parseSGF([]byte("(\r\n;FF[4] GM [4]CA[UTF-8]\nSZ[15]C[x\\\\y \\: z]PB[a]RE[0]\n;B[ oo\n"))
	if err == nil {
		t.Errorf("a broken file gives %+v", k)
	}
	k, err = parseSGF([]byte("(\r\n;FF[4] GM [4]CA[UTF-8]\nSZ[15]C[x\\\\y \\: z]PB[a]RE[0]\n;B[oo]\n;W[])"))
	if err != nil || k.Props["C"] != `x\y : z` || !k.Over {
		t.Errorf("%+v, %v", k, err)
	}
	if diff := cmp.Diff([]match.Point{{Col: 14, Row: 0}, match.Pass}, k.Moves); diff != "" {
		t.Errorf("plies (-want +got):\n%s", diff)
	}
	for _, bad := range []string{
		"", "(", "()", "(;FF[4]GM[4]CA[UTF-8]SZ[15]RE[?];W[aa])", "(;FF[4]GM[4]CA[UTF-8]SZ[15]RE[?];B[pa])",
		"(;FF[4]GM[1]CA[UTF-8]SZ[15]RE[?])", "(;FF[4]GM[4]CA[UTF-8]SZ[15]RE[B])", "(;FF[4]GM[4]CA[UTF-8]SZ[15]RE[?])x",
		"(;FF[4]GM[4]CA[UTF-8]SZ[15]RE[?]PB[a]b])",
	} {
		if k, err := parseSGF([]byte(bad)); err == nil {
			t.Errorf("%q gives %+v", bad, k)
		}
	}
	for _, bad := range []string{
		"", "Piskvorky 15x15, 11:11, 0\n", "Piskvorky 15x15, 11:11, 0\n16,1,0\na\nb\n0\n1,Renju15\n",
		"Piskvorky 15x15, 11:11, 0\n1,1,0\n1,2\nb\n0\n1,Renju15\n", "Piskvorky 15x15, 11:11, 0\na\nb\n0\n3,Renju15\n",
	} {
		if k, err := parsePSQ([]byte(bad)); err == nil {
			t.Errorf("%q gives %+v", bad, k)
		}
	}
}
