package bot

import (
	"strconv"
	"strings"
	"time"

	"rowbot/bot/render"
	"rowbot/match"
)

// verb is what a button of a match asks for.
type verb string

// The verbs, with their argument where they have one.
const (
	verbAccept   verb = "accept"
	verbDecline  verb = "decline"
	verbWithdraw verb = "withdraw"
	verbCell     verb = "cell" // the cell
	verbLeft     verb = "left" // the window to show, for all four arrows
	verbRight    verb = "right"
	verbUp       verb = "up"
	verbDown     verb = "down"
	verbChoose   verb = "choose" // what: black, white or two
	verbType     verb = "type"   // opens the modal; the modal's ID is the same
	verbMore     verb = "more"   // opens the private menu
	verbPass     verb = "pass"   //
	verbResign   verb = "resign" // asks whether one is sure
	verbGiveUp   verb = "giveup" // who gives up: b is the opener, w the other
	verbDraw     verb = "draw"
	verbAgree    verb = "agree"
	verbRefuse   verb = "refuse"
	verbRematch  verb = "rematch"
	verbBoard    verb = "board"
	verbEnd      verb = "end" // a moderator's
)

// hasArg says of each verb whether it takes an argument; verbs that are not
// here do not exist.
var hasArg = map[verb]bool{
	verbAccept: false, verbDecline: false, verbWithdraw: false, verbCell: true,
	verbLeft: true, verbRight: true, verbUp: true, verbDown: true,
	verbChoose: true,
	verbType:   false, verbMore: false, verbPass: false, verbResign: false, verbGiveUp: true,
	verbDraw: false, verbAgree: false, verbRefuse: false, verbRematch: false, verbBoard: false, verbEnd: false,
}

// press is what the custom ID of a match's button says: which match, the
// version it was drawn at, and what is asked. So a board works after any
// restart, and an old board plays nothing.
type press struct {
	match   match.ID
	version match.Version
	verb    verb
	arg     string
}

// The kinds of custom IDs, as their first field. A kind's form never changes; a
// new form is a new kind.
const (
	kindPress       = "1"
	kindPick        = "2"
	kindLeaders     = "3"
	kindReplay      = "4"
	kindSettings    = "5" // which one
	kindPreferences = "6" // which one
	kindPrivacy     = "7" // whose data is to be deleted, and when that was asked
	kindList        = "8" // which page
)

// fieldID is the custom ID of what changes one field of a panel, and parseField
// reads it.
func fieldID(kind, field string) string { return kind + ":" + field }

func parseField(kind, s string) (field string, ok bool) {
	return strings.CutPrefix(s, kind+":")
}

// farewellID is the custom ID of the button that has somebody's data deleted; it
// says when they were asked whether they mean it. parseFarewellID reads it.
func farewellID(user string, asked time.Time) string {
	return fieldID(kindPrivacy, user+":"+strconv.FormatInt(asked.Unix(), 10))
}

func parseFarewellID(s string) (user string, asked time.Time, ok bool) {
	field, ok := parseField(kindPrivacy, s)
	user, at, _ := strings.Cut(field, ":")
	seconds, err := strconv.ParseInt(at, 10, 64)
	asked = time.Unix(seconds, 0)
	return user, asked, ok && err == nil && isSnowflake(user) && farewellID(user, asked) == s
}

// listID is the custom ID of what leads to a page, from 0, of a person's matches,
// and parseListID reads it.
func listID(page int) string { return fieldID(kindList, strconv.Itoa(page)) }

func parseListID(s string) (page int, ok bool) {
	field, ok := parseField(kindList, s)
	page, err := strconv.Atoi(field)
	return page, ok && err == nil && page >= 0 && page < maxPages && listID(page) == s
}

func (p press) String() string {
	s := kindPress + ":" + string(p.match) + ":" + strconv.FormatUint(uint64(p.version), 36) + ":" + string(p.verb)
	if p.arg != "" {
		s += ":" + p.arg
	}
	return s
}

// parsePress reads a press. Whatever does not write back to itself is refused.
func parsePress(s string) (press, bool) {
	f := strings.SplitN(s, ":", 5)
	if len(f) < 4 || f[0] != kindPress {
		return press{}, false
	}
	version, err := strconv.ParseUint(f[2], 36, 32)
	if err != nil || version == 0 || !validID(f[1]) {
		return press{}, false
	}
	p := press{match: match.ID(f[1]), version: match.Version(version), verb: verb(f[3])}
	if len(f) == 5 {
		p.arg = f[4]
	}
	if takes, known := hasArg[p.verb]; !known || takes != (p.arg != "") || p.String() != s {
		return press{}, false
	}
	return p, true
}

// newID makes a match's ID of the interaction that creates it.
func newID(interaction string) (match.ID, bool) {
	n, err := strconv.ParseUint(interaction, 10, 64)
	return match.ID(strconv.FormatUint(n, 36)), err == nil
}

// validID reports whether a text has the form of a match's ID.
func validID(s string) bool {
	n, err := strconv.ParseUint(s, 36, 64)
	return err == nil && strconv.FormatUint(n, 36) == s
}

// pick is the custom ID of the select that asks which match is meant: what to
// do in the one that is chosen.
type pick struct {
	verb verb
	arg  string
}

func (p pick) String() string {
	if p.arg == "" {
		return kindPick + ":" + string(p.verb)
	}
	return kindPick + ":" + string(p.verb) + ":" + p.arg
}

func parsePick(s string) (pick, bool) {
	f := strings.SplitN(s, ":", 3)
	if len(f) < 2 || f[0] != kindPick {
		return pick{}, false
	}
	p := pick{verb: verb(f[1])}
	if len(f) == 3 {
		p.arg = f[2]
	}
	switch p.verb { //nolint:exhaustive // nothing else is asked about
	case verbCell:
		return p, p.arg != "" && p.String() == s
	case verbPass, verbResign, verbDraw, verbBoard:
		return p, p.arg == "" && p.String() == s
	}
	return pick{}, false
}

// replayVerb is what a button of a replay asks for.
type replayVerb string

// The verbs of a replay. Each goes with the ply that is to be shown, or that is
// shown where the board stays as it is.
const (
	replayOpen  replayVerb = "open" // from a finished match's board
	replayFirst replayVerb = "first"
	replayBack  replayVerb = "back"
	replayNext  replayVerb = "next"
	replayLast  replayVerb = "last"
	replayJump  replayVerb = "jump" // opens the modal; the modal's ID is the same
	replayGIF   replayVerb = "gif"
	replayPSQ   replayVerb = "psq"
	replaySGF   replayVerb = "sgf"
)

var replayVerbs = map[replayVerb]bool{
	replayOpen: true, replayFirst: true, replayBack: true, replayNext: true, replayLast: true,
	replayJump: true, replayGIF: true, replayPSQ: true, replaySGF: true,
}

// scene is what the custom ID of a replay's button says.
type scene struct {
	match match.ID
	verb  replayVerb
	ply   int
}

func (s scene) String() string {
	return strings.Join([]string{kindReplay, string(s.match), string(s.verb), strconv.Itoa(s.ply)}, ":")
}

func parseScene(text string) (scene, bool) {
	f := strings.Split(text, ":")
	if len(f) != 4 || f[0] != kindReplay {
		return scene{}, false
	}
	ply, err := strconv.Atoi(f[3])
	s := scene{match: match.ID(f[1]), verb: replayVerb(f[2]), ply: ply}
	ok := err == nil && ply >= 0 && ply <= maxPly && validID(f[1]) && replayVerbs[s.verb] && s.String() == text
	return s, ok
}

// maxPly is more plies than any match has: passes come two in a row at most.
const maxPly = 3 * match.MaxSide * match.MaxSide

// leaderPage names a page of a leaderboard.
type leaderPage struct {
	game       match.Game
	everywhere bool
	by         match.Order
	page       int // from 0
}

func (l leaderPage) String() string {
	scope := "s"
	if l.everywhere {
		scope = "e"
	}
	return strings.Join([]string{kindLeaders, string(l.game), scope, string(l.by), strconv.Itoa(l.page)}, ":")
}

func parseLeaderPage(s string) (leaderPage, bool) {
	f := strings.Split(s, ":")
	if len(f) != 5 || f[0] != kindLeaders {
		return leaderPage{}, false
	}
	page, err := strconv.Atoi(f[4])
	l := leaderPage{game: match.Game(f[1]), everywhere: f[2] == "e", by: match.Order(f[3]), page: page}
	ok := err == nil && page >= 0 && page < maxPages &&
		(l.game == match.TicTacToe || l.game == match.Gomoku) &&
		(l.by == match.ByRating || l.by == match.ByWins) && l.String() == s
	return l, ok
}

// formatWindow and parseWindow write a window as the argument of an arrow.
func formatWindow(w render.Window) string {
	return strconv.Itoa(int(w.Col)) + "." + strconv.Itoa(int(w.Row))
}

func parseWindow(s string, r match.Rules) (render.Window, bool) {
	c, rw, _ := strings.Cut(s, ".")
	col, err1 := strconv.ParseInt(c, 10, 8)
	rowN, err2 := strconv.ParseInt(rw, 10, 8)
	w := render.Window{Col: int8(col), Row: int8(rowN)}
	return w, err1 == nil && err2 == nil && w.Fits(r) && formatWindow(w) == s
}
