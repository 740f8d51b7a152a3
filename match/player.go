package match

// Level is how well Rowbot plays. Its numbers are stored; they never change.
type Level uint8

// The levels.
const (
	// NoLevel is a person.
	NoLevel Level = 0
	// Random picks uniformly among the empty cells.
	Random Level = 10
)

// String returns the level's name as players choose it.
func (l Level) String() string {
	if l == Random {
		return "random"
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

// IsNobody reports whether the seat is free.
func (p Player) IsNobody() bool { return p == Player{} }
