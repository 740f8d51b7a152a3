package match

import (
	"context"
	"errors"
	"time"

	"rowbot/match/rating"
)

// What a store answers besides its own failures.
var (
	// ErrNotFound: there is no such match or record.
	ErrNotFound = errors.New("not found")
	// ErrConflict: the match was changed by somebody else meanwhile. An Update
	// that returns it has changed nothing and may be tried again.
	ErrConflict = errors.New("changed meanwhile")
	// ErrExists: there is a match of this ID, or a rematch of that match, already.
	ErrExists = errors.New("exists already")
	// ErrUnsure: the connection broke during the commit, so that nobody knows whether
	// it was carried out. An Update that returns it has changed all or nothing.
	ErrUnsure = errors.New("it may have been stored or not")
)

// Store keeps matches and records. Implementations are safe for concurrent use.
type Store interface {
	// View runs f in a transaction that only reads, and sees one state throughout.
	View(ctx context.Context, f func(Tx) error) error
	// Update runs f in one transaction, which is committed, and on its way to the
	// disk, before Update returns nil. If f fails nothing of it stays, nor after any
	// other error but ErrUnsure. f may be run again from the start when the database
	// asks for it, so it must have no other effects.
	Update(ctx context.Context, f func(Tx) error) error
}

// Tx is what can be done inside a transaction. It must not be used after the
// function that got it has returned, nor from several goroutines at once.
type Tx interface {
	// Match returns a match; ErrNotFound where there is none.
	Match(ctx context.Context, id ID) (Match, error)
	// Insert stores a new match; ErrExists where its ID, or its RematchOf, is taken.
	Insert(ctx context.Context, m Match) error
	// Replace stores a match in place of its version was; ErrConflict where the
	// stored one has another version. Where and Told are left as they are stored.
	Replace(ctx context.Context, was Version, m Match) error
	// SetWhere notes which message shows the match; the version stays.
	// ErrNotFound where there is no such match.
	SetWhere(ctx context.Context, id ID, w Where) error
	// Rematch returns the match that is the rematch of another; ErrNotFound.
	Rematch(ctx context.Context, of ID) (Match, error)
	// Open returns matches that are not over, the newest first.
	Open(ctx context.Context, q OpenQuery) ([]Match, error)
	// Ended returns matches that ended with a result, the latest first, and among
	// those of the same moment the later ID.
	Ended(ctx context.Context, q EndedQuery) ([]Summary, error)
	// Due returns the alarms that ring at or before now of deadlines of matches that
	// are not over: by their times and IDs, those after the given one (from the
	// beginning for none).
	Due(ctx context.Context, now time.Time, after Alarm, limit int) ([]Alarm, error)
	// Owed returns the IDs of matches that are not over and have no deadline,
	// since Rowbot is to move: in the order of their IDs, those after the given one.
	Owed(ctx context.Context, after ID, limit int) ([]ID, error)
	// SetUnshown notes whether a match's board still has to be drawn as the match
	// stands; the version stays. ErrNotFound where there is no such match.
	SetUnshown(ctx context.Context, id ID, unshown bool) error
	// Unshown returns the IDs of matches that are noted as not shown, in their
	// order, those after the given one.
	Unshown(ctx context.Context, after ID, limit int) ([]ID, error)
	// Running returns the matches being played in a guild, the newest first.
	Running(ctx context.Context, guild string, limit int) ([]Match, error)
	// Pending returns the newest challenge that waits for an answer; ErrNotFound.
	Pending(ctx context.Context, q PendingQuery) (Match, error)
	// Standing counts what a player has open. Until the end of an Update nobody else
	// starts anything for them then.
	Standing(ctx context.Context, user string, now time.Time) (Standing, error)
	// Rebuffed returns the nth latest challenge, from 1, of one person to another
	// that was declined or withdrawn; ErrNotFound.
	Rebuffed(ctx context.Context, challenger, invited string, nth int) (Match, error)
	// RatedBetween counts the rated matches of two people that ended after a time.
	RatedBetween(ctx context.Context, one, other string, after time.Time) (int, error)
	// History returns all matches that are over and that a person played,
	// proposed or was invited to, in a fixed order.
	History(ctx context.Context, user string) ([]Match, error)

	// SetTold notes of which turns the players were told; the version stays.
	// ErrNotFound where there is no such match.
	SetTold(ctx context.Context, id ID, told Told) error
	// Quiet returns, in the same way, the alarms of running matches between people
	// that were changed last at or before a time and whose Told.Turn is before their
	// Since. They ring when the match was changed, or earlier.
	Quiet(ctx context.Context, since time.Time, after Alarm, limit int) ([]Alarm, error)
	// ShortOfTime returns, in the same way, the alarms of running matches in which a
	// person is to move, a third of the pace or less is left at the time, and
	// Told.Time is before Since. They ring when that third begins, or earlier.
	ShortOfTime(ctx context.Context, now time.Time, after Alarm, limit int) ([]Alarm, error)
	// SetAlarms has all alarms of a match ring when they have to, and not earlier.
	SetAlarms(ctx context.Context, id ID) error
	// PutNotice stores a notice, in place of the one of its turn and kind if there
	// is one.
	PutNotice(ctx context.Context, n Notice) error
	// DropNotice forgets a notice, if it is stored.
	DropNotice(ctx context.Context, n Notice) error
	// RetireNotices makes Retired of every notice of a match that is Posted, but for
	// draw offers.
	RetireNotices(ctx context.Context, id ID) error
	// RetireOffers makes Retired of every draw offer of a match that is Posted.
	RetireOffers(ctx context.Context, id ID) error
	// Notices returns the notices of a match, by turn and kind.
	Notices(ctx context.Context, id ID) ([]Notice, error)
	// Unsettled returns the IDs of matches, in their order and after the given one,
	// that have notices which are not Posted.
	Unsettled(ctx context.Context, after ID, limit int) ([]ID, error)

	// LastPlayed returns the game of the latest match between people that ended
	// with a result in a guild (everywhere for [Everywhere]); ErrNotFound.
	LastPlayed(ctx context.Context, scope string) (Game, error)

	// Record returns a record; one without matches where nothing is stored.
	Record(ctx context.Context, k RecordKey) (Record, error)
	// PutRecord stores a record; its rating is not touched by it.
	PutRecord(ctx context.Context, r Record) error
	// PutRating stores the rating in all records of the player at the game that
	// are against people.
	PutRating(ctx context.Context, user string, g Game, r rating.Rating) error
	// Records returns a player's records everywhere: per game against people, and
	// against Rowbot per level; not those against single people. In a fixed order.
	Records(ctx context.Context, user string) ([]Record, error)
	// AllRecords returns every record of a player, in a fixed order.
	AllRecords(ctx context.Context, user string) ([]Record, error)
	// Leaders returns records against people, the best first.
	Leaders(ctx context.Context, q LeadersQuery) ([]Record, error)
	// Place returns the place of a record among the leaders, from 1.
	Place(ctx context.Context, r Record, by Order) (int, error)

	// Preferences returns a person's preferences; the defaults where nothing is stored.
	Preferences(ctx context.Context, user string) (Preferences, error)
	// PutPreferences stores them.
	PutPreferences(ctx context.Context, p Preferences) error
	// Forget deletes a person's records and preferences, and puts another name
	// in place of the person's in all matches and in the records of others.
	Forget(ctx context.Context, user, name string) (Forgotten, error)

	// Guild returns a guild's settings; the defaults where nothing is stored.
	Guild(ctx context.Context, id string) (Guild, error)
	// PutGuild stores them.
	PutGuild(ctx context.Context, g Guild) error
	// Presence returns the guilds that Rowbot is or was a member of, each with the
	// time at which it was found to be one no more; zero while it is one.
	Presence(ctx context.Context) (map[string]time.Time, error)
	// SetPresence notes that Rowbot is a member of a guild, or since when it is not.
	SetPresence(ctx context.Context, guild string, gone time.Time) error
	// ForgetGuild deletes a guild's settings, presence and records, and forgets of
	// its matches where they were played.
	ForgetGuild(ctx context.Context, guild string) error

	// Take gives a duty to a holder until a time, and reports whether it did: it
	// does not where another holder has it until after now.
	Take(ctx context.Context, duty, holder string, now, until time.Time) (bool, error)
	// Yield gives a duty back, if that holder has it.
	Yield(ctx context.Context, duty, holder string) error
}

// Alarm says that a match is to be looked at. It rings when there is something to be
// done, or earlier: a move after which it need not ring before some later time may
// leave it as it is, since it costs much to set one anew with each move. Its match and
// time say where it stands among others, also when it has been set anew.
type Alarm struct {
	Match ID
	At    time.Time
	// Early: nothing is to be done yet, so the alarm is to be set anew.
	Early bool
}

// Forgotten counts what there was of a person.
type Forgotten struct {
	Played  int // matches that are over and in which the person has a seat
	Records int
}

// PendingQuery asks for a challenge that waits for an answer.
type PendingQuery struct {
	Challenger string
	Invited    string // empty: an open challenge, in the channel
	Channel    string
	Now        time.Time // what has run out by then does not wait any more
}

// Standing is what a person has open.
type Standing struct {
	Pending int // challenges of their own that wait for an answer
	Running int // matches being played
}

// OpenQuery asks for matches that are not over.
type OpenQuery struct {
	User    string // who plays, proposed or is invited
	Channel string // empty: any
	Part    Part
	Offset  int // how many of the newest are left out
	Limit   int
}

// Part says which of a person's open matches are asked for. At most [MaxRunning] are
// being played and at most [MaxPending] are challenges that they sent, but there may be
// any number of challenges to them.
type Part uint8

// The parts.
const (
	AllOpen Part = 0
	Playing Part = 1 // those being played
	Sent    Part = 2 // the person's own challenges that wait for an answer
)

// EndedQuery asks for matches that ended with a result: those of a guild, or,
// where that is empty, those that a user played anywhere.
type EndedQuery struct {
	Guild string
	User  string
	Limit int
}

// Summary is what a list shows of a match that ended with a result. It leaves the moves
// out, so that a store need not load them.
type Summary struct {
	ID      ID
	Rules   Rules
	Seats   [2]Player // black, white
	Status  Status    // Won or Drawn
	Winner  Stone
	Plies   int
	Changed time.Time // when it ended
}

// Summary returns what a list shows of the match.
func (m *Match) Summary() Summary {
	return Summary{
		ID: m.ID, Rules: m.Rules, Seats: m.Seats, Status: m.Status, Winner: m.Winner,
		Plies: len(m.Moves), Changed: m.Changed,
	}
}

// LeadersQuery asks for a page of a leaderboard.
type LeadersQuery struct {
	Scope         string // a guild's ID, or Everywhere
	Game          Game
	By            Order
	Offset, Limit int
}

// Order is what a leaderboard is sorted by. Ties are broken in a fixed order:
// by the other figure, then by wins, fewer losses, draws, and the user's ID.
type Order string

// The orders.
const (
	ByRating Order = "rating"
	ByWins   Order = "wins"
)
