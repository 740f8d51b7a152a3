// Package rating computes ratings of players by Glicko-2, as published by Mark
// E. Glickman ("Example of the Glicko-2 system", glicko.net). It is pure
// arithmetic: it imports nothing of the module, and package match calls it.
package rating

import "math"

// Rating is what is believed about a player's strength: the rating itself (on
// Elo's scale, 1500 for a newcomer), its deviation (350 for a newcomer, small
// when sure) and the volatility.
type Rating struct{ Points, Deviation, Volatility float64 }

// New returns a newcomer's rating.
func New() Rating { return Rating{Points: 1500, Deviation: 350, Volatility: 0.06} }

// provisional is the deviation above which a rating says little yet.
const provisional = 110

// Provisional reports whether the rating is still too unsure to boast of.
func (r Rating) Provisional() bool { return r.Deviation > provisional }

// Score is a match's result for one player.
type Score float64

// The scores.
const (
	Loss Score = 0
	Draw Score = 0.5
	Win  Score = 1
)

// Result is one match of a rating period: the opponent's rating before it and
// the score against them.
type Result struct {
	Opponent Rating
	Score    Score
}

const (
	scale   = 173.7178 // one unit of Glicko-2's own scale, in points
	tau     = 0.5      // how fast volatility may change
	epsilon = 0.000001 // where the search for the volatility stops
)

// Update returns the rating after a rating period with the given results. A
// period without any only makes the rating less sure.
func (r Rating) Update(results ...Result) Rating {
	phi := r.Deviation / scale
	if len(results) == 0 {
		r.Deviation = min(math.Hypot(phi, r.Volatility)*scale, New().Deviation)
		return r
	}
	mu := (r.Points - 1500) / scale
	var information, surplus float64
	for _, x := range results {
		g := damping(x.Opponent.Deviation / scale)
		e := 1 / (1 + math.Exp(-g*(mu-(x.Opponent.Points-1500)/scale)))
		information += g * g * e * (1 - e)
		surplus += g * (float64(x.Score) - e)
	}
	v := 1 / information
	sigma := volatility(r.Volatility, phi, v, v*surplus)
	phiStar := math.Hypot(phi, sigma)
	phiNew := 1 / math.Sqrt(1/(phiStar*phiStar)+1/v)
	return Rating{
		Points:     (mu+phiNew*phiNew*surplus)*scale + 1500,
		Deviation:  min(phiNew*scale, New().Deviation),
		Volatility: sigma,
	}
}

// damping weighs a result down by how unsure the opponent's rating is: g(phi).
func damping(phi float64) float64 { return 1 / math.Sqrt(1+3*phi*phi/(math.Pi*math.Pi)) }

// volatility solves step 5 of the paper by the Illinois method: the new
// volatility, from the old one, the deviation, the estimated variance and the
// estimated improvement.
func volatility(sigma, phi, v, delta float64) float64 {
	a := math.Log(sigma * sigma)
	f := func(x float64) float64 {
		ex := math.Exp(x)
		d := phi*phi + v + ex
		return ex*(delta*delta-phi*phi-v-ex)/(2*d*d) - (x-a)/(tau*tau)
	}
	low := a
	var high float64
	if delta*delta > phi*phi+v {
		high = math.Log(delta*delta - phi*phi - v)
	} else {
		k := 1.0
		for f(a-k*tau) < 0 {
			k++
		}
		high = a - k*tau
	}
	fLow, fHigh := f(low), f(high)
	for math.Abs(high-low) > epsilon {
		mid := low + (low-high)*fLow/(fHigh-fLow)
		fMid := f(mid)
		if fMid*fHigh <= 0 {
			low, fLow = high, fHigh
		} else {
			fLow /= 2
		}
		high, fHigh = mid, fMid
	}
	return math.Exp(low / 2)
}
