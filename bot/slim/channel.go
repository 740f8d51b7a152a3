package slim

import (
	"context"

	"github.com/tidwall/gjson"
)

// Channel is what is kept of the channel that an interaction came from. discordgo
// leaves it out.
type Channel struct {
	Type   int    // Discord's number of the type
	Parent string // the ID of the channel that it belongs to: a thread's, or a category; "" where there is none
}

// ChannelOf reads the channel that stands at a path, such as "d.channel". It is nil
// where none is told.
func ChannelOf(raw []byte, path string) *Channel {
	c := gjson.GetBytes(raw, path)
	kind := c.Get("type")
	if kind.Type != gjson.Number {
		return nil
	}
	return &Channel{Type: int(kind.Int()), Parent: c.Get("parent_id").String()}
}

// channelKey is the key of a channel in a context.
type channelKey struct{}

// WithChannel makes the context of an interaction whose channel is told; nil changes
// nothing.
func WithChannel(ctx context.Context, c *Channel) context.Context {
	if c == nil {
		return ctx
	}
	return context.WithValue(ctx, channelKey{}, c)
}

// ChannelFrom returns the channel of the interaction that a context is of; nil where
// it was not told.
func ChannelFrom(ctx context.Context) *Channel {
	c, _ := ctx.Value(channelKey{}).(*Channel)
	return c
}
