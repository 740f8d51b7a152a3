package sandbox

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Limits of messages.
const (
	maxContent     = 2000
	maxAttachments = 10
	createFlags    = FlagSuppressEmbeds | FlagSuppressNotifications | FlagComponentsV2
	editFlags      = FlagSuppressEmbeds | FlagComponentsV2
)

// draft is a checked request body that creates or edits a message. The has fields tell what was named in it.
type draft struct {
	content    string
	embeds     []Embed
	components []*Component
	flags      int
	keep       []kept
	uploads    []upload
	allowed    *allowedMentions
	nonce      string
	enforce    bool
	replyTo    string
	// replyAnyway: where the message that is answered is gone, this one answers none.
	replyAnyway bool

	hasContent, hasEmbeds, hasComponents, hasFlags, hasKeep bool
}

// kept is an entry of attachments: an old attachment to keep, or the description of an upload.
type kept struct {
	id, filename, description string
}

// upload is a file that came with the request.
type upload struct {
	index                 int
	filename, contentType string
	data                  []byte
}

// readDraft checks a body against the rules of messages; old is the message to be edited, nil for a new one.
func readDraft(n node, old *Message, uploads []upload) *draft {
	d := &draft{uploads: uploads}
	d.readFlags(n, old)
	v2 := d.flags&FlagComponentsV2 != 0
	d.readContent(n, old, v2)
	d.readEmbeds(n, old, v2)
	d.readKeep(n, old)
	d.allowed = readAllowedMentions(n)
	if v2 {
		for _, key := range []string{"poll", "sticker_ids"} {
			if list, ok := n.m[key].([]any); n.has(key) && (!ok || len(list) > 0) {
				legacyField(n, key)
			}
		}
	}
	d.hasComponents = n.has("components")
	d.components = newLayout(n.form, v2, false, d.fileNamed(old)).read(n, "components")
	if old == nil {
		d.readNonce(n)
		if ref, ok := n.object("message_reference"); ok {
			d.replyTo = ref.snowflake("message_id")
			d.replyAnyway = ref.has("fail_if_not_exists") && !ref.flag("fail_if_not_exists")
		}
		n.flag("tts")
	}
	return d
}

func legacyField(n node, key string) {
	n.fail(key, "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
		"The '%s' field cannot be used when using MessageFlags.IS_COMPONENTS_V2", key)
}

func (d *draft) readFlags(n node, old *Message) {
	v, ok := n.number("flags", 0, math.MaxInt32)
	d.flags, d.hasFlags = int(v), ok
	if old == nil || !old.V2() {
		return
	}
	if ok && d.flags&FlagComponentsV2 == 0 {
		n.fail("flags", "MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG", "MessageFlags.IS_COMPONENTS_V2 cannot be removed from a message")
	}
	d.flags |= FlagComponentsV2
}

func (d *draft) readContent(n node, old *Message, v2 bool) {
	d.hasContent = n.named("content")
	d.content = strings.TrimSpace(n.text("content", 0, maxContent))
	if !v2 {
		return
	}
	becomes := old != nil && !old.V2() && !old.Loading()
	if d.content != "" || becomes && (n.has("content") || old.Content != "" && !d.hasContent) {
		legacyField(n, "content")
	}
}

func (d *draft) readEmbeds(n node, old *Message, v2 bool) {
	d.hasEmbeds = n.named("embeds")
	d.embeds = readEmbeds(n)
	becomes := v2 && old != nil && !old.V2()
	if v2 && len(n.values("embeds", 10)) > 0 || becomes && len(old.Embeds) > 0 && !d.hasEmbeds {
		legacyField(n, "embeds")
	}
}

func (d *draft) readKeep(n node, old *Message) {
	d.hasKeep = n.has("attachments")
	for _, a := range n.objects("attachments", maxAttachments) {
		d.keep = append(d.keep, kept{
			id: a.mustID(), filename: a.text("filename", 0, 1024), description: a.text("description", 0, 1024),
		})
	}
	if len(d.uploads) > maxAttachments || old != nil && len(d.kept(old))+len(d.uploads) > maxAttachments {
		n.fail("attachments", "BASE_TYPE_MAX_LENGTH", "Must be %d or fewer in length.", maxAttachments)
	}
}

// mustID reads the id of an attachment: a snowflake, or the number of an upload.
func (n node) mustID() string {
	v, ok := whole(n.m["id"])
	if !ok || v < 0 {
		n.fail("id", "NUMBER_TYPE_COERCE", "Value is not snowflake.")
	}
	return strconv.FormatInt(v, 10)
}

func (d *draft) readNonce(n node) {
	if v, ok := whole(n.m["nonce"]); ok {
		d.nonce = strconv.FormatInt(v, 10)
	} else {
		d.nonce = n.text("nonce", 0, 25)
	}
	d.enforce = n.flag("enforce_nonce")
}

// fileNamed tells which names "attachment://" may use: the uploads, and what an edited message keeps.
func (d *draft) fileNamed(old *Message) func(string) bool {
	return func(name string) bool {
		if slices.ContainsFunc(d.uploads, func(u upload) bool { return u.filename == name }) {
			return true
		}
		return old != nil && slices.ContainsFunc(d.kept(old), func(a Attachment) bool { return a.Filename == name })
	}
}

// kept are the attachments of old that stay: all of them unless the body lists them.
func (d *draft) kept(old *Message) []Attachment {
	if !d.hasKeep {
		return slices.Clone(old.Attachments)
	}
	var out []Attachment
	for _, a := range old.Attachments {
		if slices.ContainsFunc(d.keep, func(k kept) bool { return k.id == a.ID }) {
			out = append(out, a)
		}
	}
	return out
}

// fill writes the draft into a new message. ping decides about mentions where the body says nothing.
func (d *draft) fill(s *Server, m *Message, settable int, defaults *allowedMentions) *apiError {
	m.Content, m.Embeds, m.Components = d.content, d.embeds, d.components
	m.Flags |= d.flags & settable
	m.Nonce, m.ReplyTo = d.nonce, d.replyTo
	m.Attachments = d.uploaded(s, m)
	m.ping(d.allowed, defaults)
	return m.empty()
}

// edit makes the next state of a message; fields that the body does not name stay.
func (d *draft) edit(s *Server, old *Message, defaults *allowedMentions) (*Message, *apiError) {
	m := old.next()
	m.EditedAt = s.opt.Now().UTC()
	if d.hasContent {
		m.Content = d.content
	}
	if d.hasEmbeds {
		m.Embeds = d.embeds
	}
	if d.hasComponents {
		m.Components = d.components
	}
	if d.hasFlags {
		m.Flags = m.Flags&^FlagSuppressEmbeds | d.flags&editFlags
	}
	m.Flags &^= FlagLoading
	m.Attachments = append(d.kept(old), d.uploaded(s, m)...)
	m.ping(d.allowed, defaults)
	return m, m.empty()
}

// next copies a message for its next state.
func (m *Message) next() *Message {
	return &Message{
		ID: m.ID, ChannelID: m.ChannelID, GuildID: m.GuildID, Type: m.Type, Author: m.Author, Content: m.Content,
		Embeds: m.Embeds, Components: m.Components, Attachments: m.Attachments, Flags: m.Flags, CreatedAt: m.CreatedAt,
		EditedAt: m.EditedAt, Nonce: m.Nonce, ReplyTo: m.ReplyTo, Viewer: m.Viewer, InteractionID: m.InteractionID,
		metadata: m.metadata, applicationID: m.applicationID,
	}
}

// empty refuses a message that shows nothing.
func (m *Message) empty() *apiError {
	if len(m.Components) == 0 && (m.V2() || m.Content == "" && len(m.Embeds) == 0 && len(m.Attachments) == 0) {
		return &apiError{status: 400, Code: codeEmpty, Message: "Cannot send an empty message"}
	}
	return nil
}

// uploaded turns the files of the request into attachments.
func (d *draft) uploaded(s *Server, m *Message) []Attachment {
	var out []Attachment
	for _, u := range d.uploads {
		f := File{Name: u.filename, ContentType: u.contentType, Data: u.data}
		description := ""
		for _, k := range d.keep {
			if k.id == strconv.Itoa(u.index) {
				description = k.description
				f.Name = cmp.Or(k.filename, f.Name)
			}
		}
		a := s.attach(m.ChannelID+"/"+m.ID, f)
		a.Description = description
		out = append(out, a)
	}
	return out
}

// stamp writes a time as Discord does: with microseconds and offset.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000+00:00") }
