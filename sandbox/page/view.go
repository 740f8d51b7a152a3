package page

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"rowbot/sandbox"
)

// keep is how many messages of a channel a page shows when it opens it.
const keep = 200

// The messages to the browser; T tells them apart.
type (
	// worldEvent is who and what there is, as the person sees it.
	worldEvent struct {
		T         string       `json:"t"` // "world"
		Me        string       `json:"me"`
		Bot       string       `json:"bot"`
		Connected bool         `json:"connected"`
		People    []personInfo `json:"people"` // the bot last
		Places    []placeInfo  `json:"places"` // servers, then what is private
	}
	personInfo struct {
		ID       string `json:"id"`
		Name     string `json:"name"`
		Username string `json:"username"`
		Locale   string `json:"locale"`
		Bot      bool   `json:"bot"`
	}
	placeInfo struct {
		ID       string        `json:"id"` // a server's; "@me" for private channels
		Name     string        `json:"name"`
		Channels []channelInfo `json:"channels"`
	}
	channelInfo struct {
		ID      string   `json:"id"`
		Name    string   `json:"name"`
		Kind    int      `json:"kind"`
		Members []string `json:"members"` // the bot too
	}
	// viewEvent is the open channel.
	viewEvent struct {
		T        string             `json:"t"` // "view"
		Channel  string             `json:"channel"`
		Messages []messageInfo      `json:"messages"` // oldest first
		Commands []*sandbox.Command `json:"commands"`
	}
	// messageInfo is a message object of the API with what only the stand-in knows.
	messageInfo struct {
		Message json.RawMessage `json:"message"`
		Pings   []string        `json:"pings"` // ids of the people it addresses
		All     bool            `json:"all"`   // it addresses everyone
		Viewer  string          `json:"viewer,omitempty"`
	}
	messageEvent struct {
		T       string      `json:"t"` // "message"
		Channel string      `json:"channel"`
		New     bool        `json:"new"`
		Message messageInfo `json:"message"`
	}
	deletedEvent struct {
		T       string `json:"t"` // "deleted"
		Channel string `json:"channel"`
		ID      string `json:"id"`
	}
	failedEvent struct {
		T           string `json:"t"` // "failed"
		Channel     string `json:"channel"`
		Interaction string `json:"interaction"`
	}
	commandsEvent struct {
		T        string             `json:"t"` // "commands"
		Channel  string             `json:"channel"`
		Commands []*sandbox.Command `json:"commands"`
	}
	botEvent struct {
		T         string `json:"t"` // "bot"
		Connected bool   `json:"connected"`
	}
)

func describe(m *sandbox.Message) messageInfo {
	return messageInfo{Message: m.JSON(), Pings: orEmpty(m.Pings), All: m.PingsEveryone, Viewer: m.Viewer}
}

func describePerson(p *sandbox.Person) personInfo {
	u := p.User()
	return personInfo{ID: u.ID, Name: u.Name(), Username: u.Username, Locale: u.Locale, Bot: u.Bot}
}

// sendWorld sends who and what there is, and notes which channels the person sees.
func (c *connection) sendWorld(ctx context.Context) {
	srv := c.page.srv
	w := worldEvent{T: "world", Me: c.person.ID(), Bot: srv.BotID(), Connected: srv.Stats().Sessions > 0}
	for _, p := range append(srv.People(), srv.Bot()) {
		w.People = append(w.People, describePerson(p))
	}
	for _, g := range srv.Guilds() {
		members := g.Members()
		if !slices.Contains(members, c.person) {
			continue
		}
		place := placeInfo{ID: g.ID(), Name: g.Name(), Channels: []channelInfo{}}
		for _, ch := range g.Channels() {
			place.Channels = append(place.Channels, channelInfo{ch.ID(), ch.Name(), ch.Kind(), c.ids(members)})
		}
		w.Places = append(w.Places, place)
	}
	w.Places = append(w.Places, c.private())
	c.seen = map[string]bool{}
	for _, place := range w.Places {
		for _, ch := range place.Channels {
			c.seen[ch.ID] = true
		}
	}
	if c.channel == nil || !c.seen[c.channel.ID()] {
		c.channel = c.firstOf(w.Places)
	}
	c.send(ctx, w)
}

// private are the person's direct messages with the bot, then the groups they are in.
func (c *connection) private() placeInfo {
	place := placeInfo{ID: "@me", Name: "Direct messages"}
	dm := c.person.DM().Channel()
	place.Channels = append(place.Channels, channelInfo{dm.ID(), c.page.srv.Bot().Name(), dm.Kind(), c.ids(dm.Recipients())})
	for _, ch := range c.page.srv.Channels() {
		people := ch.Recipients()
		if ch.Kind() != sandbox.ChannelGroup || !slices.Contains(people, c.person) {
			continue
		}
		var others []string
		for _, p := range people {
			if p != c.person {
				others = append(others, p.Name())
			}
		}
		name := "With " + strings.Join(others, ", ")
		place.Channels = append(place.Channels, channelInfo{ch.ID(), name, ch.Kind(), c.ids(people)})
	}
	return place
}

func (c *connection) ids(people []*sandbox.Person) []string {
	out := []string{}
	for _, p := range people {
		out = append(out, p.ID())
	}
	return append(out, c.page.srv.BotID())
}

func (c *connection) firstOf(places []placeInfo) *sandbox.Channel {
	for _, place := range places {
		for _, ch := range place.Channels {
			return c.page.srv.ChannelByID(ch.ID)
		}
	}
	return nil
}

// visible finds a channel that the person sees; the present one when it is none of these.
func (c *connection) visible(id string) *sandbox.Channel {
	if ch := c.page.srv.ChannelByID(id); ch != nil && c.seen[id] {
		return ch
	}
	return c.channel
}

// sendView sends the open channel.
func (c *connection) sendView(ctx context.Context) {
	if c.channel == nil {
		return
	}
	seat := c.person.In(c.channel)
	v := viewEvent{T: "view", Channel: c.channel.ID(), Messages: []messageInfo{}, Commands: orEmpty(seat.Offered())}
	messages := seat.Messages()
	for _, m := range messages[max(0, len(messages)-keep):] {
		v.Messages = append(v.Messages, describe(m))
	}
	c.send(ctx, v)
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
