package sandbox

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// Command is what a client shows above the answer to a command: the name with its subcommands, for example
// "ttt bot"; empty for messages that no command made.
func (m *Message) Command() string {
	for meta := m.metadata; meta != nil; meta = meta.trigger {
		if meta.command != "" {
			return meta.command
		}
	}
	return ""
}

// User is the account that used the command or component behind the message; the zero User when none did.
func (m *Message) User() User {
	if m.metadata == nil {
		return User{}
	}
	return m.metadata.user
}

// Reply posts a plain message that answers another one of the same channel; its author is addressed, as clients do
// unless told otherwise. It refuses (*ClientError) when the other message is gone or private.
func (p Seat) Reply(to *Message, text string) (*Message, error) {
	s := p.server()
	m := &Message{
		ID: s.flake.next(), ChannelID: p.channel.id, GuildID: p.channel.GuildID(), Content: text, CreatedAt: s.opt.Now().UTC(), Type: 19,
	}
	m.ping(nil, interactionMentions)
	s.mu.Lock()
	defer s.mu.Unlock()
	if to == nil || to.ChannelID != p.channel.id || p.channel.public.get(to.ID) == nil {
		return nil, refuse("the message is gone")
	}
	m.Author, m.ReplyTo = p.person.user, to.ID
	if to.Author.ID != p.person.user.ID && !slices.Contains(m.Pings, to.Author.ID) {
		m.Pings = append(m.Pings, to.Author.ID)
	}
	s.put(m, true)
	return m, nil
}

// Delete removes a message, as a moderator would; false when it is gone already.
func (s *Server) Delete(m *Message) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m == nil || s.find(m.ChannelID, m.ID) == nil {
		return false
	}
	s.remove(m)
	return true
}

// Packet is one packet on a gateway connection, as JSON before any compression.
type Packet struct {
	At      time.Time
	FromBot bool            // sent by the bot; else by this server
	Raw     json.RawMessage // op, d, s, t; not valid JSON when the bot sent something else
}

// Packets delivers what passes on the gateway connections from now on.
func (s *Server) Packets(buffer int) *Subscription[Packet] { return s.packets.subscribe(buffer) }

// tap shows a packet to those who watch.
func (s *Server) tap(fromBot bool, raw []byte) {
	if s.packets.listened() {
		s.packets.publish(Packet{s.opt.Now(), fromBot, raw})
	}
}

// calledAs is the name of a command with its subcommands, read from the data of an interaction.
func calledAs(data map[string]any) string {
	name, _ := data["name"].(string)
	words := []string{name}
	for {
		options, _ := data["options"].([]any)
		if len(options) != 1 {
			break
		}
		inner, _ := options[0].(map[string]any)
		kind, _ := inner["type"].(int)
		if kind != OptionSubcommand && kind != OptionGroup {
			break
		}
		word, _ := inner["name"].(string)
		words, data = append(words, word), inner
	}
	return strings.Join(words, " ")
}

// PreparedFaults counts what Fail has prepared and no request has met yet; -1 when one of them stays until ClearFaults.
func (s *Server) PreparedFaults() int {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	n := 0
	for _, p := range s.faults.list {
		if p.left < 0 {
			return -1
		}
		n += p.left
	}
	return n
}

// GatewayFaultsNow are the misfortunes of the gateway that are in force.
func (s *Server) GatewayFaultsNow() GatewayFaults {
	s.gate.mu.Lock()
	defer s.gate.mu.Unlock()
	return s.gate.faults
}
