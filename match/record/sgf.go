package record

import (
	"strconv"
	"strings"
	"time"

	"rowbot/match"
)

// SGF returns a match in the Smart Game Format, version 4 (red-bean.com/sgf), as
// game 4, "Gomoku+Renju": the names of black and white, the rules, the day it
// began, the result, and a node for each ply. Cells are two letters, the column
// from the left and the row from the top, as in SGF's Go; a passed turn is a move
// without a cell. The names may be any text; line ends and control characters in
// them become spaces. The stones have the colours they had; who put down which of
// a swap2 opening is not told.
//
// Tic-tac-toe has no number of its own in SGF; it is written as the gomoku it is
// akin to, on a board of 3, and RU says what it is.
func SGF(m *match.Match, names [2]string) []byte {
	b := []byte("(;FF[4]GM[4]CA[UTF-8]")
	b = property(b, "SZ", size(m.Rules))
	b = property(b, "PB", plain(names[0]))
	b = property(b, "PW", plain(names[1]))
	if !m.Created.IsZero() {
		b = property(b, "DT", m.Created.UTC().Format(time.DateOnly))
	}
	b = property(b, "RU", rules(m.Rules))
	if m.Opening == match.Swap2 {
		b = property(b, "ON", m.Opening.String())
	}
	b = property(b, "RE", result(m))
	for i, at := range m.Moves {
		if i%10 == 0 {
			b = append(b, '\n')
		}
		b = append(b, ';', "BW"[i%2], '[')
		if !at.IsPass() {
			b = append(b, 'a'+byte(at.Col), 'a'+byte(m.Rules.Rows-1-at.Row))
		}
		b = append(b, ']')
	}
	return append(b, ")\n"...)
}

// property appends a property with one value. What would end the value early is
// escaped.
func property(b []byte, id, value string) []byte {
	b = append(b, id...)
	b = append(b, '[')
	b = append(b, escapes.Replace(value)...)
	return append(b, ']')
}

var escapes = strings.NewReplacer(`\`, `\\`, `]`, `\]`)

// size is one number for a square board, else columns and rows.
func size(r match.Rules) string {
	cols := strconv.Itoa(int(r.Cols))
	if r.Cols == r.Rows {
		return cols
	}
	return cols + ":" + strconv.Itoa(int(r.Rows))
}

func rules(r match.Rules) string {
	if r.Game() == match.TicTacToe {
		return "tic-tac-toe"
	}
	return r.Variant.String()
}

// result is the RE property: who won and, where it was not on the board, how;
// "Draw"; "Void" for a match that ended without a result; "?" before the end.
func result(m *match.Match) string {
	switch {
	case m.Status == match.Won:
		return string("BW"[m.Winner-match.Black]) + "+" + map[match.Reason]string{
			match.ByResignation: "R", match.ByTime: "T",
		}[m.Reason]
	case m.Status == match.Drawn:
		return "Draw"
	case m.Status.Over():
		return "Void"
	}
	return "?"
}
