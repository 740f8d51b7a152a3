package page

import (
	"cmp"
	"slices"

	"rowbot/sandbox"
)

// How many messages a page gets at once: when it opens a channel, and as the reader scrolls on.
const (
	firstLeaf = 50
	leafSize  = 30
)

// The directions of doPage.
const (
	before = "before" // older than the message
	after  = "after"  // newer than it
	around = "around" // with it in the middle
)

// leaf answers doPage: a stretch of the channel's messages, oldest first, and whether there are more on either side.
func (c *connection) leaf(req request) result {
	out := result{T: "result", ID: req.ID, Leaf: &leaf{Messages: []messageInfo{}}}
	if !c.looksAt(req.Channel) {
		out.Error, out.Leaf = sentence(errGone.Reason), nil
		return out
	}
	all := c.person.In(c.channel).Messages()
	at, found := slices.BinarySearchFunc(all, req.Message, func(m *sandbox.Message, id string) int { return compareIDs(m.ID, id) })
	var from, to int
	switch req.Where {
	case before:
		from, to = max(0, at-leafSize), at
	case after:
		if found {
			at++
		}
		from, to = at, min(len(all), at+leafSize)
	case around:
		if !found {
			out.Error, out.Leaf = sentence(errGone.Reason), nil
			return out
		}
		from = max(0, at-firstLeaf/2)
		to = min(len(all), from+firstLeaf)
	default:
		from, to = max(0, len(all)-firstLeaf), len(all)
	}
	out.Leaf.fill(c.page.srv, all, from, to)
	return out
}

// leaf is a stretch of a channel's messages.
type leaf struct {
	Messages []messageInfo `json:"messages"` // oldest first
	Older    bool          `json:"older"`    // there are older ones before
	Newer    bool          `json:"newer"`    // there are newer ones behind
}

func (l *leaf) fill(srv *sandbox.Server, all []*sandbox.Message, from, to int) {
	l.Older, l.Newer = from > 0, to < len(all)
	for _, m := range all[from:to] {
		l.Messages = append(l.Messages, describe(srv, m))
	}
}

// compareIDs compares snowflakes, which are numbers without leading zeros, by age.
func compareIDs(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }
