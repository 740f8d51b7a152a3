package match

import (
	"strconv"
	"strings"
	"unicode"
)

// ParsePoint reads a cell as people write it: "h8" (column letter, row number
// from the bottom), or "8 10", "8,10" (row from the top, column, both from 1).
// Upper case, spaces around and between, and full-width characters are taken.
// The error is [NotACell] for text of any other form, and [OffBoard] for a cell
// that this board does not have.
func (r Rules) ParsePoint(text string) (Point, error) {
	s := strings.TrimSpace(strings.Map(narrow, text))
	if s == "" {
		return Point{}, NotACell
	}
	if c := s[0]; c >= 'a' && c <= 'z' {
		row, ok := parseNumber(strings.TrimLeft(s[1:], " "))
		if !ok {
			return Point{}, NotACell
		}
		return r.point(int(c-'a'), row-1)
	}
	first, second, ok := cutPair(s)
	if !ok {
		return Point{}, NotACell
	}
	fromTop, ok1 := parseNumber(first)
	col, ok2 := parseNumber(second)
	if !ok1 || !ok2 {
		return Point{}, NotACell
	}
	return r.point(col-1, int(r.Rows)-fromTop)
}

// point makes a cell of numbers that may lie anywhere.
func (r Rules) point(col, row int) (Point, error) {
	if col < 0 || col >= int(r.Cols) || row < 0 || row >= int(r.Rows) {
		return Point{}, OffBoard
	}
	return Point{Col: int8(col), Row: int8(row)}, nil
}

// cutPair splits "8 10", "8,10" and "8 , 10" at its one comma or its spaces.
func cutPair(s string) (first, second string, ok bool) {
	if first, second, ok = strings.Cut(s, ","); !ok {
		first, second, ok = strings.Cut(s, " ")
	}
	return strings.TrimRight(first, " "), strings.TrimLeft(second, " "), ok
}

// beyond stands for any number too long to be on a board; it keeps an absurdly
// long one from overflowing while it is still known to be a number.
const beyond = 1000

// parseNumber reads decimal digits without sign; leading zeros are refused.
func parseNumber(s string) (int, bool) {
	if s == "" || (s[0] == '0' && len(s) > 1) {
		return 0, false
	}
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
	}
	if len(s) > 3 {
		return beyond, true
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// narrow maps full-width forms to ASCII, every space to ' ', and upper case
// ASCII letters to lower case; all else stays and is refused later.
func narrow(c rune) rune {
	if c >= '！' && c <= '～' {
		c -= '！' - '!'
	}
	switch {
	case c == '、':
		return ','
	case unicode.IsSpace(c):
		return ' '
	case c >= 'A' && c <= 'Z':
		return c - 'A' + 'a'
	}
	return c
}

// FormatMoves writes moves as the store keeps them: cells separated by spaces,
// such as "h8 i9 pass".
func FormatMoves(moves []Point) string {
	b := make([]byte, 0, 4*len(moves))
	for i, p := range moves {
		if i > 0 {
			b = append(b, ' ')
		}
		if p.IsPass() {
			b = append(b, "pass"...)
		} else {
			b = p.append(b)
		}
	}
	return string(b)
}

// ParseMoves reads what [FormatMoves] wrote, and nothing else. The error is
// [NotACell] or [OffBoard].
func (r Rules) ParseMoves(text string) ([]Point, error) {
	if text == "" {
		return nil, nil
	}
	moves := make([]Point, 0, strings.Count(text, " ")+1)
	for text != "" {
		word, rest, more := strings.Cut(text, " ")
		p, err := r.parseMove(word)
		if err != nil {
			return nil, err
		}
		if more && rest == "" {
			return nil, NotACell
		}
		moves, text = append(moves, p), rest
	}
	return moves, nil
}

// parseMove reads one word of a stored record: "pass" or a canonical cell.
func (r Rules) parseMove(word string) (Point, error) {
	if word == "pass" {
		return Pass, nil
	}
	if word == "" || word[0] < 'a' || word[0] > 'z' {
		return Point{}, NotACell
	}
	row, ok := parseNumber(word[1:])
	if !ok {
		return Point{}, NotACell
	}
	return r.point(int(word[0]-'a'), row-1)
}
