package match

import "slices"

// Audience is who may challenge a person. Its numbers are stored.
type Audience uint8

// The audiences.
const (
	FromEveryone Audience = 0
	FromServer   Audience = 1 // people of one server, in that server
	FromNobody   Audience = 2
)

// MaxBlocked is how many people a person can block.
const MaxBlocked = 25

// Preferences are what a person has chosen for themselves. The zero value, with
// the user's ID, is the default.
type Preferences struct {
	User    string
	From    Audience
	Server  string // the guild that FromServer means
	Quiet   bool   // no word to them when it is their turn
	Blocked []string
}

// Blocks reports whether the person wants nothing to do with another.
func (p Preferences) Blocks(user string) bool { return slices.Contains(p.Blocked, user) }

// Welcomes reports whether the person wants to be challenged by another in a
// guild, "" for a conversation outside of any.
func (p Preferences) Welcomes(user, guild string) bool {
	switch {
	case p.From == FromNobody, p.From == FromServer && guild != p.Server:
		return false
	}
	return !p.Blocks(user)
}
