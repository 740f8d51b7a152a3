// Package engine chooses Rowbot's moves: a search over fixed arrays for gomoku
// on boards up to 20x20 in all rules, and a perfect player of tic-tac-toe.
//
// The search keeps, for every empty cell, each of its four lines and each side,
// the shape that a stone there would make, and updates them with every stone.
// From the shapes come the threats, the order of the moves and the evaluation,
// which a small network of the lines around each empty cell corrects; a solver
// of continuous fours finds forced wins, and an alpha-beta search with iterative
// deepening does the rest. No clock is read in here and there is no randomness: the
// time comes from a context and from Engine.Now, luck from a seed.
//
// Package engine imports the standard library and package match only. The bot
// and cmd/bot may import it.
package engine
