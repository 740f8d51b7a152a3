// Package bot is Rowbot on Discord: an interaction comes in, becomes an action on a
// match, which changes in one transaction, and is answered with a message. The package
// owns the commands, the custom IDs of buttons, the boards in their channels, and the
// sweep that ends what has passed its deadline.
//
// It imports match, match/record, match/rating, bot/gateway, bot/slim, bot/render,
// bot/render/picture, bot/locale, discordgo's types and golang-lru; only cmd/bot
// imports it. It knows no SQL and reads no clock of its own.
package bot
