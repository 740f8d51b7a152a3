// Package match is the game itself: boards and rules of the m,n,k family
// (tic-tac-toe and gomoku), the notation of cells, the life of a match from the
// challenge to the result, and the records of its players.
//
// Everything that decides is pure: a [Position] and a [Match] are values, time
// comes as an argument and luck from the match's own seed, so that any match
// replays bit by bit. [Service] adds the one thing that is not pure, the store,
// behind the ports [Store] and [Tx].
//
// Package match imports the standard library and its own subpackages only.
// Everybody may import it; it knows nothing of Discord, SQL, files or clocks.
package match
