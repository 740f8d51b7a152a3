package match

// Refusal is an error meant for the player: what was asked is against the
// rules or no longer possible, and nothing was changed. Its text is the key of
// a message, not a sentence.
type Refusal string

// Error returns the key of the message.
func (r Refusal) Error() string { return string(r) }

// What a player can be refused for.
const (
	NotACell        Refusal = "not_a_cell"        // the text cannot be read as a cell
	OffBoard        Refusal = "off_board"         // a cell that the board does not have
	Occupied        Refusal = "occupied"          // the cell is taken
	Overline        Refusal = "overline"          // renju: black may not make more than five in a row
	DoubleThree     Refusal = "double_three"      // renju: nor two threes with one stone
	DoubleFour      Refusal = "double_four"       // renju: nor two fours
	NotYourTurn     Refusal = "not_your_turn"     // the other side is to move
	NoPassing       Refusal = "no_passing"        // this game knows no passing
	NoPassingYet    Refusal = "no_passing_yet"    // the stones of an opening have to be put down
	ChooseFirst     Refusal = "choose_side"       // swap2: a side has to be chosen before play goes on
	NothingToChoose Refusal = "nothing_to_choose" // swap2: not now, or not this
	PeopleOnly      Refusal = "people_only"       // Rowbot plays no such opening
	Over            Refusal = "over"              // the match has ended
	NotStarted      Refusal = "not_started"       // the challenge has not been accepted yet
	NotYours        Refusal = "not_yours"         // somebody else's match
	NotForYou       Refusal = "not_for_you"       // the challenge names somebody else
	OwnChallenge    Refusal = "own_challenge"     // one cannot accept one's own challenge
	NotChallenger   Refusal = "not_challenger"    // only the challenger may withdraw
	Gone            Refusal = "gone"              // the challenge was answered, withdrawn or has expired
	Stale           Refusal = "stale"             // the match has moved on since the board was drawn
	Replaced        Refusal = "replaced"          // a newer message shows the match
	NoOffer         Refusal = "no_offer"          // no draw offer of the other side stands
	Offered         Refusal = "offered"           // the player's own draw offer stands already
	EnginePlaysOn   Refusal = "engine_plays_on"   // Rowbot does not agree to a draw
	NotOver         Refusal = "not_over"          // a rematch needs an ended match
	Early           Refusal = "early"             // the deadline has not come yet
	Yourself        Refusal = "yourself"          // nobody can challenge themselves
	DrawTooSoon     Refusal = "draw_too_soon"     // the last offer was turned down just now
	AlreadyAsked    Refusal = "already_asked"     // a challenge to the same person waits for an answer
	AskedByThem     Refusal = "asked_by_them"     // the other player's challenge waits for an answer
	AlreadyOpen     Refusal = "already_open"      // an open challenge waits in this channel
	TooManyPending  Refusal = "too_many_pending"  // the challenger has [MaxPending] challenges out
	TooManyRunning  Refusal = "too_many_running"  // the player has [MaxRunning] matches running
	OpponentBusy    Refusal = "opponent_busy"     // the other player has
	CoolingDown     Refusal = "cooling_down"      // [MaxRebuffs] challenges to the same person have come to nothing just now
	Unwelcome       Refusal = "unwelcome"         // the other player does not want this challenge
	OpponentGone    Refusal = "opponent_gone"     // the other player had their data deleted
)
