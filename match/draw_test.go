package match_test

import (
	"slices"
	"testing"
	"time"

	"rowbot/match"
)

func TestDrawOffer(t *testing.T) {
	at := noon.Add(time.Hour)
	offered := func(by match.Player) match.Match { // after three moves: bob is to move
		return do(t, play(t, started(t, "15 freestyle"), "h8 h9 h10"), match.OfferDraw{}, by, at)
	}
	agreed := outcome{match.Drawn, match.ByAgreement, match.Empty}

	for name, by := range map[string]match.Player{"on the other's turn": alice, "on one's own turn": bob} {
		t.Run(name, func(t *testing.T) {
			m := offered(by)
			other := m.Opponent(by)
			if m.Offer != m.StoneOf(by) || m.Status != match.Active || m.Version != 6 {
				t.Fatalf("offer %v, status %d, version %d", m.Offer, m.Status, m.Version)
			}
			refused(t, m, match.OfferDraw{}, by, at, match.Offered)
			refused(t, m, match.AgreeDraw{}, by, at, match.NoOffer)
			refused(t, m, match.RefuseDraw{}, by, at, match.NoOffer)
			for _, a := range []match.Action{match.OfferDraw{}, match.AgreeDraw{}, match.RefuseDraw{}} {
				refused(t, m, a, carol, at, match.NotYours)
			}
			ended(t, do(t, m, match.AgreeDraw{}, other, at), agreed)
			ended(t, do(t, m, match.OfferDraw{}, other, at), agreed)

			no := do(t, m, match.RefuseDraw{}, other, at)
			if no.Offer != match.Empty || no.Status != match.Active {
				t.Errorf("refused: offer %v, status %d", no.Offer, no.Status)
			}
			refused(t, no, match.AgreeDraw{}, other, at, match.NoOffer)
			refused(t, no, match.RefuseDraw{}, other, at, match.NoOffer)
			// It may be made again when both have moved.
			refused(t, no, match.OfferDraw{}, by, at, match.DrawTooSoon)
			no = play(t, no, "a1")
			refused(t, no, match.OfferDraw{}, by, at, match.DrawTooSoon)
			do(t, no, match.OfferDraw{}, other, at) // the other may at once
			do(t, play(t, no, "a2"), match.OfferDraw{}, by, at)
		})
	}
	t.Run("answered by moving", func(t *testing.T) {
		m := do(t, offered(alice), match.Place{At: cell("i9")}, bob, at)
		if m.Offer != match.Empty {
			t.Errorf("offer %v", m.Offer)
		}
		refused(t, m, match.AgreeDraw{}, bob, at, match.NoOffer)
	})
	t.Run("answered by passing", func(t *testing.T) {
		if m := do(t, offered(alice), match.PassTurn{}, bob, at); m.Offer != match.Empty {
			t.Errorf("offer %v", m.Offer)
		}
	})
	t.Run("outlives one's own move", func(t *testing.T) {
		for _, own := range cells("i9 pass") {
			m := do(t, offered(bob), action(own), bob, at)
			if m.Offer != match.White {
				t.Errorf("after %v: offer %v", own, m.Offer)
			}
			ended(t, do(t, m, match.AgreeDraw{}, alice, at), agreed)
		}
	})
	t.Run("outlives a refused move", func(t *testing.T) {
		m := offered(alice)
		refused(t, m, match.Place{At: cell("h8")}, bob, at, match.Occupied)
		ended(t, do(t, m, match.AgreeDraw{}, bob, at), agreed)
	})
	t.Run("ends with the match", func(t *testing.T) {
		ended(t, do(t, offered(alice), match.Resign{}, alice, at), outcome{match.Won, match.ByResignation, match.White})
	})
	t.Run("before the first move", func(t *testing.T) {
		m := do(t, started(t, "ttt"), match.OfferDraw{}, bob, at)
		ended(t, do(t, m, match.AgreeDraw{}, alice, at), agreed)
	})
	t.Run("none stands", func(t *testing.T) {
		m := started(t, "ttt")
		refused(t, m, match.AgreeDraw{}, alice, at, match.NoOffer)
		refused(t, m, match.RefuseDraw{}, bob, at, match.NoOffer)
	})
	t.Run("to Rowbot", func(t *testing.T) {
		m := do(t, challenge("ttt", rowbot, match.SideFirst), match.Accept{}, rowbot, noon)
		refused(t, m, match.OfferDraw{}, alice, at, match.EnginePlaysOn)
		refused(t, m, match.AgreeDraw{}, alice, at, match.NoOffer)
	})
}

func TestResign(t *testing.T) {
	m := play(t, started(t, "15 freestyle"), "h8 h9 h10")
	for _, m := range []match.Match{started(t, "ttt"), m, play(t, m, "a1")} {
		ended(t, do(t, m, match.Resign{}, alice, m.Changed), outcome{match.Won, match.ByResignation, match.White})
		ended(t, do(t, m, match.Resign{}, bob, m.Changed), outcome{match.Won, match.ByResignation, match.Black})
		refused(t, m, match.Resign{}, carol, m.Changed, match.NotYours)
		refused(t, m, match.Resign{}, nobody, m.Changed, match.NotYours)
	}
	m = do(t, m, match.Resign{}, alice, noon)
	if line := m.Line(); line != nil {
		t.Errorf("a resigned match has the line %v", line)
	}
}

func TestPass(t *testing.T) {
	both := outcome{match.Drawn, match.ByPasses, match.Empty}
	for _, test := range []struct {
		moves string
		want  outcome
	}{
		{"pass", outcome{Status: match.Active}},
		{"pass pass", both},
		{"pass h8 pass", outcome{Status: match.Active}}, // a stone between
		{"pass h8 pass h9 pass h10", outcome{Status: match.Active}},
		{"h8 pass pass", both},
		{"h8 pass h9 pass", outcome{Status: match.Active}},
		{"h8 h9 pass pass", both},
		{"h8 pass h9 pass h10 pass h11 pass h12", outcome{match.Won, match.ByLine, match.Black}},
	} {
		t.Run(test.moves, func(t *testing.T) {
			m := play(t, started(t, "15 freestyle"), test.moves)
			if test.want.Status != match.Active {
				ended(t, m, test.want)
			} else if m.Status != match.Active || m.Reason != match.NoReason {
				t.Errorf("status %d, reason %d", m.Status, m.Reason)
			}
		})
	}
	t.Run("not one's turn", func(t *testing.T) {
		m := play(t, started(t, "15 freestyle"), "pass")
		refused(t, m, match.PassTurn{}, alice, noon, match.NotYourTurn)
		refused(t, m, match.PassTurn{}, carol, noon, match.NotYours)
	})
	t.Run("tic-tac-toe", func(t *testing.T) {
		refused(t, started(t, "ttt"), match.PassTurn{}, alice, noon, match.NoPassing)
		refused(t, started(t, "ttt"), match.PassTurn{}, bob, noon, match.NotYourTurn)
		p := allRules["ttt"].Start()
		if next, err := p.Pass(); err != match.NoPassing || next != p {
			t.Errorf("Pass: error %v, changed %t", err, next != p)
		}
	})
}

// woven fills a board so that nobody has five in a row: the columns in pairs,
// the rows in turn. Black has the one stone more.
func woven(r match.Rules) (black, white []match.Point) {
	for _, at := range every(r) {
		if (int(at.Col)/2+int(at.Row))%2 == 0 {
			black = append(black, at)
		} else {
			white = append(white, at)
		}
	}
	return black, white
}

// fill plays the stones in turn from black's first to black's last.
func fill(t *testing.T, m match.Match, black, white []match.Point) match.Match {
	t.Helper()
	if len(black) != len(white)+1 {
		t.Fatalf("%d black and %d white stones", len(black), len(white))
	}
	for i, at := range black {
		if m.Status != match.Active {
			t.Fatalf("over after %d moves: status %d, reason %d", len(m.Moves), m.Status, m.Reason)
		}
		m = do(t, m, match.Place{At: at}, alice, noon)
		if i < len(white) {
			m = do(t, m, match.Place{At: white[i]}, bob, noon)
		}
	}
	return m
}

func TestFullBoardWithoutLineIsADraw(t *testing.T) {
	for name, r := range allRules {
		if r.Need == 3 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			black, white := woven(r)
			m := fill(t, started(t, name), black, white)
			ended(t, m, outcome{match.Drawn, match.ByFullBoard, match.Empty})
			if p := m.Position(); !p.Full() || p.Placed() != r.Cells() || len(p.Empties()) != 0 {
				t.Errorf("full %t, %d stones, empty %v", p.Full(), p.Placed(), p.Empties())
			}
			for _, by := range []match.Player{alice, bob} {
				refused(t, m, match.PassTurn{}, by, noon, match.Over)
				refused(t, m, match.Place{At: r.Centre()}, by, noon, match.Over)
			}
		})
	}
}

// TestLastCellWins makes the stone that fills the board close a line as well.
func TestLastCellWins(t *testing.T) {
	for name, r := range allRules {
		if r.Need == 3 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			black, white := woven(r)
			// The first column's lowest five all become black; two black stones far
			// from there become white, so that the numbers stay.
			swap := func(from, to *[]match.Point, name string) {
				i := slices.Index(*from, cell(name))
				if i < 0 {
					t.Fatalf("%s is of the other side", name)
				}
				*to, *from = append(*to, (*from)[i]), slices.Delete(*from, i, i+1)
			}
			swap(&white, &black, "a2")
			swap(&white, &black, "a4")
			swap(&black, &white, "i9")
			swap(&black, &white, "m11")
			// The last move is the middle of the five.
			i := slices.Index(black, cell("a3"))
			black = append(slices.Delete(black, i, i+1), cell("a3"))
			m := fill(t, started(t, name), black, white)
			ended(t, m, outcome{match.Won, match.ByLine, match.Black})
			if got, want := m.Line(), cells("a1 a2 a3 a4 a5"); !slices.Equal(got, want) {
				t.Errorf("line %v, want %v", got, want)
			}
			if p := m.Position(); !p.Full() {
				t.Error("the board is not full")
			}
		})
	}
}
