package page

import (
	"context"
	"slices"
	"strings"

	"rowbot/sandbox"
)

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
		T        string        `json:"t"` // "view"
		Channel  string        `json:"channel"`
		leaf                   // the newest messages
		Commands []commandInfo `json:"commands"`
	}
	// newsEvent tells of a new message in a channel that is not open.
	newsEvent struct {
		T       string `json:"t"` // "news"
		Channel string `json:"channel"`
		Author  string `json:"author"`
		Pinged  bool   `json:"pinged"`
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
		T        string        `json:"t"` // "commands"
		Channel  string        `json:"channel"`
		Commands []commandInfo `json:"commands"`
	}
	botEvent struct {
		T         string `json:"t"` // "bot"
		Connected bool   `json:"connected"`
	}
)

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
	v := viewEvent{T: "view", Channel: c.channel.ID(), Commands: c.commands()}
	all := c.person.In(c.channel).Messages()
	v.Messages = []messageInfo{}
	v.fill(c.page.srv, all, max(0, len(all)-firstLeaf), len(all))
	c.send(ctx, v)
}

// commands are what the person is offered in the open channel, in their language.
func (c *connection) commands() []commandInfo {
	return describeCommands(c.person.In(c.channel).Offered(), c.person.User().Locale)
}

func (c *connection) sendCommands(ctx context.Context) {
	if c.channel != nil {
		c.send(ctx, commandsEvent{"commands", c.channel.ID(), c.commands()})
	}
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
