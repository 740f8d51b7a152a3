package sandbox

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
)

// Callback types, as in the protocol.
const (
	replyMessage        = 4
	replyDeferred       = 5
	replyDeferredUpdate = 6
	replyUpdate         = 7
	replyChoices        = 8
	replyModal          = 9
)

// maxFollowUps is how many follow-ups an interaction has that only a user's installation authorises.
const maxFollowUps = 5

// fits tells whether an interaction may be answered with a callback type.
func (it *interaction) fits(callback int) bool {
	switch it.kind {
	case kindAutocomplete:
		return callback == replyChoices
	case kindCommand:
		return slices.Contains([]int{replyMessage, replyDeferred, replyModal}, callback)
	case kindModal:
		fromMessage := it.meta.interacted != "" || it.meta.trigger != nil && it.meta.trigger.interacted != ""
		return callback == replyMessage || callback == replyDeferred ||
			fromMessage && (callback == replyUpdate || callback == replyDeferredUpdate)
	}
	return callback >= replyMessage && callback <= replyModal && callback != replyChoices
}

// postCallback is POST /interactions/{id}/{token}/callback.
func (s *Server) postCallback(c *call) (answer, *apiError) {
	n, bad := c.object()
	if bad != nil {
		return answer{}, bad
	}
	s.mu.Lock()
	it := s.interactions.byToken[c.PathValue("interaction_token")]
	s.mu.Unlock()
	if it == nil || it.id != c.PathValue("interaction_id") {
		return answer{}, unknown(codeUnknownInteraction, "interaction")
	}
	reply, bad := s.acknowledge(it, n, c.uploads)
	if bad != nil {
		return answer{}, bad
	}
	if !c.truthy("with_response") {
		return nothing()
	}
	return ok(it.response(reply))
}

// acknowledge does what the first answer to an interaction asks for and ends the wait of its person, who sees the reply.
func (s *Server) acknowledge(it *interaction, n node, uploads []upload) (reply Reply, bad *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case it.failed:
		return reply, unknown(codeUnknownInteraction, "interaction")
	case it.callback != 0:
		return reply, &apiError{
			status: http.StatusBadRequest, Code: codeAcknowledged, Message: "Interaction has already been acknowledged.",
		}
	case s.age(it.id) > s.opt.AnswerWithin:
		return reply, unknown(codeUnknownInteraction, "interaction")
	}
	callback, bad := it.readCallback(n)
	if bad != nil {
		return reply, bad
	}
	if reply, bad = s.perform(it, callback, n, uploads); bad != nil {
		return reply, bad
	}
	reply.Kind = callback
	it.settle(reply)
	s.stats.Answered++
	return reply, nil
}

// readCallback checks type and data of a callback as far as they depend on nothing else.
func (it *interaction) readCallback(n node) (int, *apiError) {
	v, there := n.number("type", math.MinInt64, math.MaxInt64)
	if !there {
		if !n.form.bad() {
			n.required("type")
		}
		return 0, n.form.err()
	}
	callback := int(v)
	if callback < 1 || callback > 13 || !it.fits(callback) {
		n.fail("type", "INTERACTION_CALLBACK_TYPE_INVALID", "Callback type %d does not fit an interaction of type %d", callback, it.kind)
		return 0, n.form.err()
	}
	return callback, nil
}

// perform does what a callback asks for; Server.mu is held.
func (s *Server) perform(it *interaction, callback int, n node, files []upload) (Reply, *apiError) {
	data, there := n.object("data")
	if !there {
		data = node{form: n.form, path: n.at("data"), m: map[string]any{}}
		if callback == replyMessage || callback == replyChoices || callback == replyModal {
			n.required("data")
		}
		if n.form.bad() {
			return Reply{}, n.form.err()
		}
	}
	switch callback {
	case replyMessage:
		return s.answerMessage(it, data, files)
	case replyDeferred:
		return s.deferMessage(it, data)
	case replyChoices:
		return it.suggest(data)
	case replyModal:
		return it.openModal(data)
	}
	return s.answerUpdate(it, callback, data, files)
}

// answerMessage is type 4.
func (s *Server) answerMessage(it *interaction, data node, files []upload) (Reply, *apiError) {
	m, bad := s.compose(it, data, files)
	if bad != nil {
		return Reply{}, bad
	}
	it.original = m.ID
	s.put(m, true)
	return Reply{Message: m, Ephemeral: m.Ephemeral()}, nil
}

// compose makes a message of an interaction from a body; Server.mu is held.
func (s *Server) compose(it *interaction, data node, files []upload) (*Message, *apiError) {
	d := readDraft(data, nil, files)
	if bad := data.form.err(); bad != nil {
		return nil, bad
	}
	m := s.blank(it, d.flags&FlagEphemeral != 0)
	if bad := d.fill(s, m, createFlags, interactionMentions); bad != nil {
		return nil, bad
	}
	return m, nil
}

// blank starts a message of an interaction; Server.mu is held.
func (s *Server) blank(it *interaction, ephemeral bool) *Message {
	ephemeral = ephemeral || it.hushed
	m := s.newMessage(it.channel)
	m.InteractionID, m.metadata, m.Type = it.id, it.meta, 0
	switch {
	case it.callback != 0:
		meta := *it.meta
		meta.original = it.original
		m.metadata = &meta
	case it.kind == kindCommand && it.data["type"] == commandSlash:
		m.Type = 20
	case it.kind == kindCommand:
		m.Type = 23
	}
	if ephemeral {
		m.Flags |= FlagEphemeral
		m.Viewer = it.user.ID
	}
	it.messages = append(it.messages, m.ID)
	return m
}

// deferMessage is type 5.
func (s *Server) deferMessage(it *interaction, data node) (Reply, *apiError) {
	flags, _ := data.number("flags", 0, math.MaxInt32)
	if flags&^FlagEphemeral != 0 {
		data.fail("flags", "MESSAGE_FLAGS_INVALID", "Only EPHEMERAL may be set on a deferred answer")
	}
	if bad := data.form.err(); bad != nil {
		return Reply{}, bad
	}
	m := s.blank(it, flags&FlagEphemeral != 0)
	m.Flags |= FlagLoading
	it.original, it.deferred = m.ID, m.ID
	s.put(m, true)
	return Reply{Message: m, Ephemeral: m.Ephemeral(), Deferred: true}, nil
}

// answerUpdate is types 6 and 7: about the message that carries the component.
func (s *Server) answerUpdate(it *interaction, callback int, data node, files []upload) (Reply, *apiError) {
	id := it.meta.interacted
	if id == "" {
		id = it.meta.trigger.interacted
	}
	old := s.find(it.channel.id, id)
	if old == nil {
		return Reply{}, unknown(codeUnknownMessage, "Message")
	}
	it.original = old.ID
	if callback == replyDeferredUpdate {
		return Reply{Updated: old, Ephemeral: old.Ephemeral(), Deferred: true}, nil
	}
	m := old
	if len(data.m) > 0 || len(files) > 0 {
		d := readDraft(data, old, files)
		bad := data.form.err()
		if bad == nil {
			m, bad = d.edit(s, old, interactionMentions)
		}
		if bad != nil {
			it.original = ""
			return Reply{}, bad
		}
		s.put(m, false)
	}
	return Reply{Updated: m, Ephemeral: m.Ephemeral()}, nil
}

// suggest is type 8.
func (it *interaction) suggest(data node) (Reply, *apiError) {
	if !data.has("choices") {
		data.required("choices")
	}
	var out []Choice
	for _, ch := range data.objects("choices", 25) {
		out = append(out, readChoice(ch, it.focusedType()))
	}
	return Reply{Choices: out}, data.form.err()
}

// readChoice reads one choice of a command or of an autocomplete answer.
func readChoice(n node, option int) Choice {
	c := Choice{Name: n.mustText("name", 1, 100)}
	checkLocalized(n, "name_localizations", 1, 100)
	if !n.has("value") {
		n.required("value")
		return c
	}
	switch option {
	case OptionInteger:
		v, _ := n.number("value", -1<<53+1, 1<<53-1)
		c.Value = v
	case OptionNumber:
		f, err := strconv.ParseFloat(fmt.Sprint(n.m["value"]), 64)
		if err != nil {
			n.fail("value", "NUMBER_TYPE_COERCE", "Value is not a number.")
		}
		c.Value = f
	default:
		c.Value = n.text("value", 0, 100)
	}
	return c
}

// openModal is type 9.
func (it *interaction) openModal(data node) (Reply, *apiError) {
	m := &Modal{CustomID: data.mustText("custom_id", 1, maxCustomID), Title: data.mustText("title", 1, 45)}
	if list := data.values("components", 5); len(list) == 0 && !data.form.bad() {
		data.fail("components", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length.")
	}
	m.Components = newLayout(data.form, false, true, nil).read(data, "components")
	m.source = it
	return Reply{Modal: m}, data.form.err()
}

// response is the body for with_response=true.
func (it *interaction) response(r Reply) map[string]any {
	about := map[string]any{"id": it.id, "type": it.kind, "channel_id": it.channel.id}
	if g := it.channel.GuildID(); g != "" {
		about["guild_id"] = g
	}
	out := map[string]any{"interaction": about}
	if m := r.Shown(); m != nil {
		about["response_message_id"] = m.ID
		about["response_message_loading"] = m.Loading()
		about["response_message_ephemeral"] = m.Ephemeral()
		if r.Kind == replyMessage || r.Kind == replyUpdate {
			out["resource"] = map[string]any{"type": r.Kind, "message": m.JSON()}
		}
	}
	return out
}

// focusedType is the type of the option that is being typed.
func (it *interaction) focusedType() int {
	level, _ := it.data["options"].([]any)
	for len(level) > 0 {
		var next []any
		for _, v := range level {
			o, _ := v.(map[string]any)
			if o["focused"] == true {
				t, _ := o["type"].(int)
				return t
			}
			if deeper, ok := o["options"].([]any); ok {
				next = append(next, deeper...)
			}
		}
		level = next
	}
	return OptionString
}
