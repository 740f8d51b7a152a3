// Package load plays real matches with many people in many servers of the stand-in for Discord against a bot that runs
// in processes of its own, and checks every board as it goes. It measures how many interactions are answered, how soon,
// and what processor time and memory the bot's processes take.
//
// It may be imported by cmd/bot and by tests; of this module it imports package sandbox only. What the bot has to say it
// knows from the bot's contract (names of commands, labels of buttons, how a board is written), not from its code.
package load
