package bot

import (
	"time"

	"rowbot/match"
)

// exported is what is stored about a person, in the words of people rather than
// in the numbers of the store. Its names are part of what people may rely on.
type exported struct {
	User        string           `json:"user"`
	Name        string           `json:"name,omitempty"` // kept in memory, for lists
	Exported    time.Time        `json:"exported"`
	Preferences exportedChoices  `json:"preferences"`
	Records     []exportedRecord `json:"records"`
	Matches     []exportedMatch  `json:"matches"`
}

type exportedChoices struct {
	Challenges string   `json:"challenges_from"` // everyone, server or nobody
	Server     string   `json:"server,omitempty"`
	Notices    bool     `json:"turn_notices"`
	Blocked    []string `json:"blocked"`
}

type exportedRecord struct {
	Game       string    `json:"game"`
	Server     string    `json:"server"`            // "*" for everywhere
	Against    string    `json:"against,omitempty"` // "user:" with an ID, "level:" with a name; left out for all people
	Won        int       `json:"won"`
	Drawn      int       `json:"drawn"`
	Lost       int       `json:"lost"`
	Streak     int       `json:"streak"`
	Best       int       `json:"best_streak"`
	Rating     float64   `json:"rating"`
	Deviation  float64   `json:"rating_deviation"`
	Volatility float64   `json:"rating_volatility"`
	Updated    time.Time `json:"updated"`
}

type exportedMatch struct {
	ID         match.ID  `json:"id"`
	Game       string    `json:"game"`
	Board      string    `json:"board"`
	Rules      string    `json:"rules"`
	Opening    string    `json:"opening"`
	Challenger string    `json:"challenger"`
	Invited    string    `json:"invited,omitempty"`
	First      string    `json:"first,omitempty"`
	Second     string    `json:"second,omitempty"`
	Status     string    `json:"status"`
	Reason     string    `json:"reason,omitempty"`
	Winner     string    `json:"winner,omitempty"`
	Moves      string    `json:"moves"`
	Unrated    bool      `json:"unrated,omitempty"`
	Rating     int       `json:"rating_after,omitempty"`
	Change     int       `json:"rating_change,omitempty"`
	Pace       string    `json:"time_per_move"`
	Created    time.Time `json:"created"`
	Changed    time.Time `json:"changed"`
	Server     string    `json:"server,omitempty"`
	Channel    string    `json:"channel,omitempty"`
	Message    string    `json:"message,omitempty"`
}

func exportOf(user string, matches []match.Match, records []match.Record, chosen match.Preferences) exported {
	x := exported{
		User: user, Records: []exportedRecord{}, Matches: []exportedMatch{},
		Preferences: exportedChoices{
			Challenges: audienceNames[chosen.From], Server: chosen.Server, Notices: !chosen.Quiet,
			Blocked: append([]string{}, chosen.Blocked...),
		},
	}
	for _, r := range records {
		x.Records = append(x.Records, exportedRecord{
			Game: string(r.Game), Server: r.Scope, Against: r.Versus, Won: r.Won, Drawn: r.Drawn, Lost: r.Lost,
			Streak: r.Streak, Best: r.Best, Rating: r.Rating.Points, Deviation: r.Rating.Deviation, Volatility: r.Rating.Volatility, Updated: r.Updated,
		})
	}
	for i := range matches {
		x.Matches = append(x.Matches, exportMatch(user, &matches[i]))
	}
	return x
}

func exportMatch(user string, m *match.Match) exportedMatch {
	x := exportedMatch{
		ID: m.ID, Game: string(m.Rules.Game()), Board: sizeText(m.Rules), Rules: m.Rules.Variant.String(), Opening: m.Opening.String(),
		Challenger: playerName(m.Challenger), Invited: playerName(m.Invited), First: playerName(m.Seats[0]), Second: playerName(m.Seats[1]),
		Status: statusNames[m.Status], Reason: reasonNames[m.Reason], Moves: match.FormatMoves(m.Moves), Unrated: m.Unrated != match.Rated,
		Pace: m.Pace.String(), Created: m.Created, Changed: m.Changed,
		Server: m.Where.Guild, Channel: m.Where.Channel, Message: m.Where.Message,
	}
	if m.Winner != match.Empty {
		x.Winner = playerName(m.Seat(m.Winner))
	}
	if side := m.StoneOf(match.Person(user)); side != match.Empty {
		g := m.Gains[side-match.Black]
		x.Rating, x.Change = g.After, g.Change
	}
	return x
}

// playerName is a user's ID, or Rowbot with its level.
func playerName(p match.Player) string {
	if p.IsEngine() {
		return "rowbot:" + p.Level.String()
	}
	return p.User
}

var audienceNames = map[match.Audience]string{
	match.FromEveryone: fromEveryone, match.FromServer: fromServer, match.FromNobody: fromNobody,
}

var statusNames = map[match.Status]string{
	match.Challenged: "challenged", match.Active: "running", match.Won: "won", match.Drawn: "drawn",
	match.Declined: "declined", match.Withdrawn: "withdrawn", match.Lapsed: "expired", match.Closed: "closed",
}

var reasonNames = map[match.Reason]string{
	match.ByLine: "line", match.ByResignation: "resignation", match.ByTime: "time", match.ByFullBoard: "full_board",
	match.ByAgreement: "agreement", match.ByPasses: "passes", match.ByModerator: "moderator", match.ByLeaving: "left",
}
