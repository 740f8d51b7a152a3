package record_test

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"rowbot/match"
)

// kept is what a record says of a match.
type kept struct {
	Cols, Rows int
	Names      [2]string
	Moves      []match.Point
	Over       bool        // there is a result
	Winner     match.Stone // Empty: nobody
	Rules      string
	Props      map[string]string // of SGF: the root's properties
}

// scanner reads SGF by its grammar: Collection = GameTree+, GameTree = "("
// Node+ GameTree* ")", Node = ";" Property*, Property = UcLetter+ PropValue+,
// PropValue = "[" text "]".
type scanner struct {
	text []rune
	pos  int
}

func (s *scanner) peek() rune {
	for s.pos < len(s.text) && unicode.IsSpace(s.text[s.pos]) {
		s.pos++
	}
	if s.pos == len(s.text) {
		return 0
	}
	return s.text[s.pos]
}

func (s *scanner) expect(want rune) error {
	if got := s.peek(); got != want {
		return fmt.Errorf("at %d: %q, want %q", s.pos, got, want)
	}
	s.pos++
	return nil
}

// node is the properties of a node, each with its one value.
type node map[string]string

// collection reads a file that holds one game without variations.
func (s *scanner) collection() (nodes []node, err error) {
	if err := s.expect('('); err != nil {
		return nil, err
	}
	for s.peek() == ';' {
		s.pos++
		n, err := s.node()
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, n)
	}
	if err := s.expect(')'); err != nil {
		return nil, err
	}
	if s.peek() != 0 {
		return nil, fmt.Errorf("at %d: more after the game", s.pos)
	}
	if len(nodes) == 0 {
		return nil, errors.New("no nodes")
	}
	return nodes, nil
}

func (s *scanner) node() (node, error) {
	n := node{}
	for c := s.peek(); c >= 'A' && c <= 'Z'; c = s.peek() {
		start := s.pos
		for s.pos < len(s.text) && s.text[s.pos] >= 'A' && s.text[s.pos] <= 'Z' {
			s.pos++
		}
		id := string(s.text[start:s.pos])
		if _, twice := n[id]; twice {
			return nil, fmt.Errorf("%s twice in one node", id)
		}
		value, err := s.value()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", id, err)
		}
		n[id] = value
		if s.peek() == '[' {
			return nil, fmt.Errorf("%s has several values", id)
		}
	}
	return n, nil
}

// value reads a SimpleText. Line ends and other control characters would be
// allowed, but come out differently than they went in, so they are refused.
func (s *scanner) value() (string, error) {
	if err := s.expect('['); err != nil {
		return "", err
	}
	out := []rune{}
	for ; s.pos < len(s.text); s.pos++ {
		c := s.text[s.pos]
		switch {
		case unicode.IsControl(c):
			return "", fmt.Errorf("control character %U", c)
		case c == ']':
			s.pos++
			return string(out), nil
		case c == '\\':
			s.pos++
			if s.pos == len(s.text) {
				return "", errors.New("ends within an escape")
			}
			c = s.text[s.pos]
		}
		out = append(out, c)
	}
	return "", errors.New("never ends")
}

// parseSGF reads what a program that knows SGF and GM[4] reads.
func parseSGF(file []byte) (k kept, err error) {
	s := scanner{text: []rune(string(file))}
	nodes, err := s.collection()
	if err != nil {
		return k, err
	}
	k.Props = nodes[0]
	if k.Props["FF"] != "4" || k.Props["GM"] != "4" || k.Props["CA"] != "UTF-8" {
		return k, fmt.Errorf("root %v", k.Props)
	}
	k.Names = [2]string{k.Props["PB"], k.Props["PW"]}
	k.Rules = k.Props["RU"]
	if k.Cols, err = strconv.Atoi(k.Props["SZ"]); err != nil {
		return k, err
	}
	k.Rows = k.Cols
	if err := k.readResult(k.Props["RE"]); err != nil {
		return k, err
	}
	for i, n := range nodes[1:] {
		colour := []string{"B", "W"}[i%2]
		at, ok := n[colour]
		if !ok || len(n) != 1 {
			return k, fmt.Errorf("ply %d: %v", i, n)
		}
		p, err := k.point(at)
		if err != nil {
			return k, fmt.Errorf("ply %d: %w", i, err)
		}
		k.Moves = append(k.Moves, p)
	}
	return k, nil
}

func (k *kept) readResult(re string) error {
	winner, how, won := strings.Cut(re, "+")
	switch {
	case re == "?" || re == "Void":
		return nil
	case re == "0" || re == "Draw":
		k.Over = true
		return nil
	case won && (winner == "B" || winner == "W") && (how == "" || how == "R" || how == "T"):
		k.Over, k.Winner = true, map[string]match.Stone{"B": match.Black, "W": match.White}[winner]
		return nil
	}
	return fmt.Errorf("result %q", re)
}

// point reads a cell by its letters: "aa" is the upper left one.
func (k *kept) point(s string) (match.Point, error) {
	if s == "" {
		return match.Pass, nil
	}
	const letters = "abcdefghijklmnopqrstuvwxyz"
	if len(s) != 2 {
		return match.Point{}, fmt.Errorf("cell %q", s)
	}
	return k.cell(strings.IndexByte(letters, s[0])+1, strings.IndexByte(letters, s[1])+1)
}

// cell is a cell by column from the left and row from the top, from 1.
func (k *kept) cell(x, y int) (match.Point, error) {
	if x < 1 || x > k.Cols || y < 1 || y > k.Rows {
		return match.Point{}, fmt.Errorf("cell %d,%d is off the board", x, y)
	}
	return match.Point{Col: int8(x - 1), Row: int8(k.Rows - y)}, nil
}

var (
	psqHeader = regexp.MustCompile(`^Piskvorky (\d+)x(\d+), \d+:\d+, 0$`)
	psqPly    = regexp.MustCompile(`^\s*[+-]?\d+\s*,\s*[+-]?\d+`)
	psqExact  = regexp.MustCompile(`^(\d+),(\d+),0$`)
	psqResult = regexp.MustCompile(`^([012]),([A-Z]\w*[a-z])(\d+)$`)
)

// parsePSQ reads as Piskvork does: plies as long as lines begin with two
// numbers, then two names and a number; and then Gomocup's line.
func parsePSQ(file []byte) (k kept, err error) {
	lines := strings.Split(string(file), "\n")
	header := psqHeader.FindStringSubmatch(lines[0])
	if header == nil {
		return k, fmt.Errorf("header %q", lines[0])
	}
	k.Cols, _ = strconv.Atoi(header[1])
	k.Rows, _ = strconv.Atoi(header[2])
	for lines = lines[1:]; psqPly.MatchString(lines[0]); lines = lines[1:] {
		ply := psqExact.FindStringSubmatch(lines[0])
		if ply == nil {
			return k, fmt.Errorf("ply %q", lines[0])
		}
		x, _ := strconv.Atoi(ply[1])
		y, _ := strconv.Atoi(ply[2])
		at := match.Pass
		if x != 0 || y != 0 {
			if at, err = k.cell(x, y); err != nil {
				return k, err
			}
		}
		k.Moves = append(k.Moves, at)
	}
	if len(lines) != 5 || lines[4] != "" {
		return k, fmt.Errorf("after the plies: %q", lines)
	}
	for i := range k.Names {
		if k.Names[i], err = psqName(lines[i]); err != nil {
			return k, err
		}
	}
	return k, k.readEnd(lines[2], lines[3])
}

// readEnd reads Piskvork's mark and Gomocup's line.
func (k *kept) readEnd(mark, end string) error {
	r := psqResult.FindStringSubmatch(end)
	if r == nil || r[3] != strconv.Itoa(k.Cols) || mark != "-1" && mark != "0" && mark != "15" {
		return fmt.Errorf("mark %q, result %q", mark, end)
	}
	k.Over, k.Winner, k.Rules = mark != "-1", match.Stone(r[1][0]-'0'), r[2]
	return nil
}

// psqName reads a line that holds a name.
func psqName(line string) (string, error) {
	if strings.TrimSpace(line) != line || line == "" {
		return "", fmt.Errorf("name %q loses spaces", line)
	}
	for _, c := range line {
		if unicode.IsControl(c) {
			return "", fmt.Errorf("control character %U", c)
		}
	}
	if line[0] != '"' {
		if line[0] == '+' || line[0] == '-' || line[0] >= '0' && line[0] <= '9' {
			return "", fmt.Errorf("name %q begins like a number", line)
		}
		return line, nil
	}
	if len(line) < 2 || line[len(line)-1] != '"' {
		return "", fmt.Errorf("name %q has one quotation mark", line)
	}
	return line[1 : len(line)-1], nil
}
