package storetest

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"pgregory.net/rapid"

	"rowbot/match"
)

// texts are IDs and names as Discord would never send them, but as a store must
// keep them: any text without NUL, which PostgreSQL cannot hold.
func texts() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{
			"", "0", "250000000000000001", " ", "'", `"; DROP TABLE matches; --`, "%_\\", "$1?1:a@b", "NULL",
			"a\tb\nc", "❌⭕", "e\u0301", "ÄÖ", "\u202eright to left", "黑白", "\U0001F3F4\u200d\u2620\ufe0f",
		}),
		rapid.StringOf(rapid.Rune().Filter(func(r rune) bool { return r != 0 })),
		rapid.StringOfN(rapid.RuneFrom([]rune("xyz")), 200, 400, -1),
	)
}

var serial atomic.Int64

// newID returns an ID that was not used before and ends oddly.
func newID(t *rapid.T) match.ID {
	return match.ID(fmt.Sprintf("%d/%s", serial.Add(1), texts().Draw(t, "id")))
}

// moments are times as a store keeps them, to the millisecond and in UTC.
func moments() *rapid.Generator[time.Time] {
	latest := time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC).UnixMilli()
	return rapid.Map(rapid.Int64Range(1, latest), func(ms int64) time.Time { return time.UnixMilli(ms).UTC() })
}

// players are people, Rowbot and nobody.
func players() *rapid.Generator[match.Player] {
	return rapid.OneOf(
		rapid.Just(match.Player{}),
		rapid.Just(match.Engine(match.Random)),
		rapid.Map(rapid.Uint8Range(1, math.MaxUint8), func(l uint8) match.Player { return match.Engine(match.Level(l)) }),
		rapid.Map(texts(), match.Person),
	)
}

func rules() *rapid.Generator[match.Rules] {
	return rapid.SampledFrom([]match.Rules{
		match.TicTacToeRules(),
		match.GomokuRules(15, match.Freestyle), match.GomokuRules(15, match.Standard),
		match.GomokuRules(19, match.Freestyle), match.GomokuRules(19, match.Standard),
		match.GomokuRules(15, match.Renju), match.GomokuRules(19, match.Renju),
	})
}

// moves are cells of the board and passes in any order, up to a full board's
// worth; whether they were legal is not the store's business.
func moves(t *rapid.T, r match.Rules) []match.Point {
	cell := rapid.Custom(func(t *rapid.T) match.Point {
		if rapid.IntRange(0, 9).Draw(t, "kind") == 0 {
			return match.Pass
		}
		return match.Point{
			Col: rapid.Int8Range(0, r.Cols-1).Draw(t, "col"), Row: rapid.Int8Range(0, r.Rows-1).Draw(t, "row"),
		}
	})
	few := rapid.SliceOfN(cell, 0, 9)
	full := rapid.Map(cell, func(p match.Point) []match.Point {
		all := make([]match.Point, r.Cells())
		for i := range all {
			if all[i] = p; i%7 != 0 {
				all[i] = match.Point{Col: int8(i % int(r.Cols)), Row: int8(i / int(r.Cols))}
			}
		}
		return all
	})
	return rapid.OneOf(few, full).Draw(t, "moves")
}

// aMatch draws a match in which any field may hold anything it can, the life of
// a match notwithstanding.
func aMatch(t *rapid.T, id match.ID) match.Match {
	stones := rapid.SampledFrom([]match.Stone{match.Empty, match.Black, match.White})
	gains := rapid.Custom(func(t *rapid.T) match.Gain {
		return match.Gain{After: rapid.IntRange(-9999, 9999).Draw(t, "after"), Change: rapid.IntRange(-9999, 9999).Draw(t, "change")}
	})
	m := match.Match{
		ID:      id,
		Version: match.Version(rapid.Uint32Range(1, math.MaxUint32-99).Draw(t, "version")),
		Rules:   rules().Draw(t, "rules"),
		Seed:    rapid.OneOf(rapid.Uint64(), rapid.SampledFrom([]uint64{0, 1 << 63, math.MaxInt64, math.MaxUint64})).Draw(t, "seed"),

		Challenger: players().Draw(t, "challenger"), Invited: players().Draw(t, "invited"),
		Side:  rapid.SampledFrom([]match.Side{match.SideRandom, match.SideFirst, match.SideSecond}).Draw(t, "side"),
		Seats: [2]match.Player{players().Draw(t, "black"), players().Draw(t, "white")},

		Opening: match.Opening(rapid.Uint8().Draw(t, "opening")),
		Choices: [2]match.Choice{choices().Draw(t, "choice"), choices().Draw(t, "last choice")},

		Unrated:   match.Unrated(rapid.Uint8().Draw(t, "unrated")),
		OfferFrom: [2]int{rapid.IntRange(0, 400).Draw(t, "black's offer"), rapid.IntRange(0, 400).Draw(t, "white's offer")},

		Status: statuses().Draw(t, "status"), Reason: reasons().Draw(t, "reason"),
		Winner: stones.Draw(t, "winner"), Offer: stones.Draw(t, "offer"),
		Gains: [2]match.Gain{gains.Draw(t, "black's gain"), gains.Draw(t, "white's gain")},

		Pace:     time.Duration(rapid.Int64Range(0, 1<<40).Draw(t, "pace")) * time.Millisecond,
		Deadline: rapid.OneOf(moments(), rapid.Just(time.Time{})).Draw(t, "deadline"),
		Created:  moments().Draw(t, "created"), Changed: moments().Draw(t, "changed"),
		Where: match.Where{Guild: texts().Draw(t, "guild"), Channel: texts().Draw(t, "channel"), Message: texts().Draw(t, "message"), Locale: texts().Draw(t, "locale")},
		Event: texts().Draw(t, "event"),
	}
	m.Told = match.Told{
		Turn: match.Version(rapid.Uint32().Draw(t, "told of the turn")), Time: match.Version(rapid.Uint32().Draw(t, "told of the time")),
	}
	m.Since = match.Version(rapid.Uint32Range(0, uint32(m.Version)).Draw(t, "since"))
	m.Moves = moves(t, m.Rules)
	if rapid.Bool().Draw(t, "is a rematch") {
		m.RematchOf = newID(t)
	}
	return m
}

// oneThings are what a change may touch beside what every move does.
var oneThings = []func(m, other *match.Match){
	func(m, other *match.Match) { m.Rules, m.Moves = other.Rules, other.Moves },
	func(m, other *match.Match) { m.Seed = other.Seed },
	func(m, other *match.Match) { m.Challenger = other.Challenger },
	func(m, other *match.Match) { m.Invited = other.Invited },
	func(m, other *match.Match) { m.Side = other.Side },
	func(m, other *match.Match) { m.Seats[0] = other.Seats[0] },
	func(m, other *match.Match) { m.Seats[1] = other.Seats[1] },
	func(m, other *match.Match) { m.Opening = other.Opening },
	func(m, other *match.Match) { m.Choices[0] = other.Choices[0] },
	func(m, other *match.Match) { m.Choices[1] = other.Choices[1] },
	func(m, other *match.Match) { m.Status = other.Status },
	func(m, other *match.Match) { m.Reason = other.Reason },
	func(m, other *match.Match) { m.Winner = other.Winner },
	func(m, other *match.Match) { m.Gains = other.Gains },
	func(m, other *match.Match) { m.Unrated = other.Unrated },
	func(m, other *match.Match) { m.OfferFrom = other.OfferFrom },
	func(m, other *match.Match) { m.Pace = other.Pace },
	func(m, other *match.Match) { m.Created = other.Created },
	func(m, other *match.Match) { m.RematchOf = other.RematchOf },
}

// moved returns a match after a move, which also took one of oneThings (or none
// of them) from another match.
func moved(m, other match.Match, one int) match.Match {
	m.Version++
	m.Moves = append(slices.Clip(m.Moves), match.Point{Col: int8(one % 3), Row: 1})
	m.Offer, m.Event = other.Offer, fmt.Sprint(other.Event, one)
	m.Deadline, m.Changed = other.Deadline.Add(time.Duration(one)*time.Second), other.Changed
	if one < len(oneThings) {
		oneThings[one](&m, &other)
	}
	return m
}

func choices() *rapid.Generator[match.Choice] {
	return rapid.SampledFrom([]match.Choice{match.NoChoice, match.TakeBlack, match.TakeWhite, match.PlaceTwo})
}

func statuses() *rapid.Generator[match.Status] {
	return rapid.SampledFrom([]match.Status{
		match.Challenged, match.Active, match.Won, match.Drawn,
		match.Declined, match.Withdrawn, match.Lapsed, match.Closed,
	})
}

func reasons() *rapid.Generator[match.Reason] {
	return rapid.SampledFrom([]match.Reason{
		match.NoReason, match.ByLine, match.ByResignation, match.ByTime,
		match.ByFullBoard, match.ByAgreement, match.ByPasses, match.ByModerator, match.ByLeaving,
	})
}
