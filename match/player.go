package match

import "strings"

// Level is how well Rowbot plays. Its numbers are stored; they never change.
type Level uint8

// The levels.
const (
	// NoLevel is a person.
	NoLevel Level = 0
	// Random picks uniformly among the cells that may be played.
	Random Level = 10
	// Easy sees little further than its nose: a beginner beats it.
	Easy Level = 20
	// Medium sees short attacks coming.
	Medium Level = 30
	// Hard reads attacks through and plans some moves ahead. Gomoku only.
	Hard Level = 40
	// Perfect never loses. Tic-tac-toe only.
	Perfect Level = 50
	// Master plays as well as it can in the time it is given. Gomoku only.
	Master Level = 60
)

// String returns the level's name as players choose it.
func (l Level) String() string {
	switch l {
	case NoLevel:
		return ""
	case Random:
		return "random"
	case Easy:
		return "easy"
	case Medium:
		return "medium"
	case Hard:
		return "hard"
	case Perfect:
		return "perfect"
	case Master:
		return "master"
	}
	return ""
}

// Player is a person, by their Discord user ID, or Rowbot at a level. The zero
// value is nobody.
type Player struct {
	User  string
	Level Level
}

// Person returns the player with the given user ID.
func Person(user string) Player { return Player{User: user} }

// Engine returns Rowbot at a level.
func Engine(l Level) Player { return Player{Level: l} }

// IsEngine reports whether the player is Rowbot.
func (p Player) IsEngine() bool { return p.Level != NoLevel }

// gonePrefix begins the name that stands for a person whose data was deleted.
// Discord's IDs are digits, so that nobody has such a name.
const gonePrefix = "gone-"

// IsGone reports whether the player is a person whose data was deleted.
func (p Player) IsGone() bool { return strings.HasPrefix(p.User, gonePrefix) }

// IsNobody reports whether the seat is free.
func (p Player) IsNobody() bool { return p == Player{} }
