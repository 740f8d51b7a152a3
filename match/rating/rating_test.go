package rating_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"rowbot/match/rating"
)

// near reports whether two figures agree to within a tolerance.
func near(a, b, by float64) bool { return math.Abs(a-b) <= by }

// TestWorkedExample is the example of the paper, with tau 0.5 as there.
func TestWorkedExample(t *testing.T) {
	before := rating.Rating{Points: 1500, Deviation: 200, Volatility: 0.06}
	opponent := func(points, deviation float64) rating.Rating {
		return rating.Rating{Points: points, Deviation: deviation, Volatility: 0.06}
	}
	got := before.Update(
		rating.Result{Opponent: opponent(1400, 30), Score: rating.Win},
		rating.Result{Opponent: opponent(1550, 100), Score: rating.Loss},
		rating.Result{Opponent: opponent(1700, 300), Score: rating.Loss},
	)
	if !near(got.Points, 1464.06, 0.01) || !near(got.Deviation, 151.52, 0.01) || !near(got.Volatility, 0.05999, 0.00001) {
		t.Errorf("%+v, want 1464.06, 151.52, 0.05999", got)
	}
}

func TestNewcomers(t *testing.T) {
	n := rating.New()
	if n != (rating.Rating{Points: 1500, Deviation: 350, Volatility: 0.06}) || !n.Provisional() {
		t.Errorf("%+v, provisional %t", n, n.Provisional())
	}
	if r := (rating.Rating{Points: 1500, Deviation: 60, Volatility: 0.06}); r.Provisional() {
		t.Errorf("%+v is provisional", r)
	}
	won := n.Update(rating.Result{Opponent: n, Score: rating.Win})
	if !near(won.Points, 1662.31, 0.01) || !near(won.Deviation, 290.32, 0.01) || !near(won.Volatility, 0.06, 0.0001) {
		t.Errorf("a first win: %+v", won)
	}
}

// TestQuietPeriod only makes a rating less sure, up to a newcomer's.
func TestQuietPeriod(t *testing.T) {
	r := rating.Rating{Points: 1700, Deviation: 50, Volatility: 0.06}
	got := r.Update()
	// sqrt((50/173.7178)² + 0.06²) * 173.7178
	if got.Points != 1700 || got.Volatility != 0.06 || !near(got.Deviation, 51.0747, 0.001) {
		t.Errorf("%+v", got)
	}
	for range 10_000 {
		got = got.Update()
	}
	if got.Points != 1700 || got.Deviation != 350 {
		t.Errorf("after very long: %+v", got)
	}
}

var anyScore = rapid.SampledFrom([]rating.Score{rating.Loss, rating.Draw, rating.Win})

// anyRating draws ratings that nobody will ever have, too.
var anyRating = rapid.Custom(func(t *rapid.T) rating.Rating {
	reach := rapid.SampledFrom([]float64{300, 3000, 100_000}).Draw(t, "reach")
	return rating.Rating{
		Points:     1500 + rapid.Float64Range(-reach, reach).Draw(t, "points"),
		Deviation:  rapid.Float64Range(1, 350).Draw(t, "deviation"),
		Volatility: rapid.Float64Range(0.01, 0.3).Draw(t, "volatility"),
	}
})

func sane(r rating.Rating) bool {
	for _, x := range []float64{r.Points, r.Deviation, r.Volatility} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return r.Deviation > 0 && r.Deviation <= 350 && r.Volatility > 0
}

func TestExtremesStayFinite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRating.Draw(t, "rating")
		var results []rating.Result
		for range rapid.IntRange(1, 5).Draw(t, "matches") {
			results = append(results, rating.Result{Opponent: anyRating.Draw(t, "opponent"), Score: anyScore.Draw(t, "score")})
		}
		got := r.Update(results...)
		if !sane(got) {
			t.Fatalf("%+v after %+v: %+v", r, results, got)
		}
	})
}

// TestFarApart is about players so far apart that an expected score is 0 or 1 to
// the last digit: the expected result changes next to nothing, and the other one
// moves the two no more than the deviation allows.
func TestFarApart(t *testing.T) {
	for _, apart := range []float64{3000, 6000, 6500, 10_000, 200_000} {
		for _, deviation := range []float64{1, 30, 350} {
			weak := rating.Rating{Points: 1500, Deviation: deviation, Volatility: 0.06}
			strong := rating.Rating{Points: 1500 + apart, Deviation: deviation, Volatility: 0.06}
			for _, s := range []rating.Score{rating.Loss, rating.Draw, rating.Win} {
				w := weak.Update(rating.Result{Opponent: strong, Score: s})
				g := strong.Update(rating.Result{Opponent: weak, Score: 1 - s})
				if !sane(w) || !sane(g) {
					t.Fatalf("%v apart, score %v: %+v, %+v", apart, s, w, g)
				}
				gain, loss := w.Points-weak.Points, strong.Points-g.Points
				if !near(gain, loss, 0.01) || gain < -0.01 || gain > 1000 || s == rating.Loss && gain > 0.01 {
					t.Errorf("%v apart, score %v: gain %v, loss %v", apart, s, gain, loss)
				}
			}
		}
	}
}

// TestLongCareers lets a few people play each other for long, some of them
// winning always.
func TestLongCareers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		players := []rating.Rating{rating.New(), rating.New(), rating.New()}
		bias := rapid.SampledFrom([]rating.Score{rating.Loss, rating.Draw, rating.Win, -1}).Draw(t, "bias")
		for range 200 {
			i := rapid.IntRange(0, 2).Draw(t, "player")
			j := (i + 1) % 3
			score := bias
			if score < 0 {
				score = anyScore.Draw(t, "score")
			}
			a, b := players[i], players[j]
			players[i] = a.Update(rating.Result{Opponent: b, Score: score})
			players[j] = b.Update(rating.Result{Opponent: a, Score: 1 - score})
			if !sane(players[i]) || !sane(players[j]) {
				t.Fatalf("%+v and %+v, score %v: %+v, %+v", a, b, score, players[i], players[j])
			}
		}
	})
}

// TestSymmetry: what one of two equals wins the other loses, a draw of equals
// moves nobody, and seen from the other side the scale is the same.
func TestSymmetry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rating.Rating{
			Points:     rapid.Float64Range(500, 3000).Draw(t, "points"),
			Deviation:  rapid.Float64Range(30, 350).Draw(t, "deviation"),
			Volatility: rapid.Float64Range(0.03, 0.1).Draw(t, "volatility"),
		}
		against := func(score rating.Score) rating.Rating { return r.Update(rating.Result{Opponent: r, Score: score}) }
		won, drawn, lost := against(rating.Win), against(rating.Draw), against(rating.Loss)
		if won.Points <= r.Points || !near(won.Points-r.Points, r.Points-lost.Points, 1e-6) {
			t.Fatalf("won %+v, lost %+v", won, lost)
		}
		if !near(won.Deviation, lost.Deviation, 1e-6) || !near(won.Volatility, lost.Volatility, 1e-9) {
			t.Fatalf("won %+v, lost %+v", won, lost)
		}
		if !near(drawn.Points, r.Points, 1e-6) {
			t.Fatalf("drawn %+v", drawn)
		}
	})
}

// TestBetterScoreBetterRating holds for any two, and a match never makes a
// rating less sure than a quiet period does.
func TestBetterScoreBetterRating(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) rating.Rating {
			return rating.Rating{
				Points:     rapid.Float64Range(800, 2400).Draw(t, label),
				Deviation:  rapid.Float64Range(30, 350).Draw(t, label+" deviation"),
				Volatility: 0.06,
			}
		}
		a, b := draw("a"), draw("b")
		after := func(score rating.Score) rating.Rating { return a.Update(rating.Result{Opponent: b, Score: score}) }
		won, drawn, lost := after(rating.Win), after(rating.Draw), after(rating.Loss)
		if !(won.Points > drawn.Points && drawn.Points > lost.Points && won.Points > a.Points && lost.Points < a.Points) {
			t.Fatalf("won %+v, drawn %+v, lost %+v", won, drawn, lost)
		}
	})
}
