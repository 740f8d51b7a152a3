package sandbox

import "encoding/json"

// metadata is what a message tells about the interaction that made it.
type metadata struct {
	id         string
	kind       int
	user       User
	command    string // what was used, with subcommands; empty for components
	owners     map[string]string
	original   string    // first answer of the interaction, for follow-ups
	interacted string    // the message whose component was used
	trigger    *metadata // what opened the modal

	targetUser    *User  // of a user command
	targetMessage string // of a message command
}

func (m *metadata) wire() map[string]any {
	out := map[string]any{
		"id": m.id, "type": m.kind, "user": m.user.wire(), "authorizing_integration_owners": m.owners,
	}
	if m.original != "" {
		out["original_response_message_id"] = m.original
	}
	if m.interacted != "" {
		out["interacted_message_id"] = m.interacted
	}
	if m.targetUser != nil {
		out["target_user"] = m.targetUser.wire()
	}
	if m.targetMessage != "" {
		out["target_message_id"] = m.targetMessage
	}
	if m.trigger != nil {
		out["triggering_interaction_metadata"] = m.trigger.wire()
	}
	return out
}

// JSON is the message object as the API and the gateway send it.
func (m *Message) JSON() json.RawMessage {
	m.once.Do(func() { m.wire = encode(m.fields()) })
	return m.wire
}

func (m *Message) fields() map[string]any {
	out := map[string]any{
		"id": m.ID, "channel_id": m.ChannelID, "type": m.Type, "author": m.Author.wire(), "content": m.Content,
		"embeds": orEmpty(m.Embeds), "components": m.componentsWire(), "attachments": m.attachmentsWire(),
		"flags": m.Flags, "timestamp": stamp(m.CreatedAt), "edited_timestamp": nil, "pinned": false, "tts": false,
		"mention_everyone": m.PingsEveryone, "mention_roles": orEmpty(m.PingsRoles), "mentions": m.mentionsWire(),
	}
	if !m.EditedAt.IsZero() {
		out["edited_timestamp"] = stamp(m.EditedAt)
	}
	if m.Nonce != "" {
		out["nonce"] = m.Nonce
	}
	if m.applicationID != "" {
		out["application_id"] = m.applicationID
	}
	if m.metadata != nil {
		out["webhook_id"] = m.applicationID
		out["interaction_metadata"] = m.metadata.wire()
	}
	if m.ReplyTo != "" {
		ref := map[string]any{"type": 0, "channel_id": m.ChannelID, "message_id": m.ReplyTo}
		if m.GuildID != "" {
			ref["guild_id"] = m.GuildID
		}
		out["message_reference"] = ref
	}
	return out
}

func (m *Message) mentionsWire() []any {
	out := []any{}
	for _, u := range m.mentions {
		out = append(out, u.wire())
	}
	return out
}

func (m *Message) componentsWire() []any {
	out := make([]any, 0, len(m.Components))
	for _, c := range m.Components {
		out = append(out, c.wire(m))
	}
	return out
}

func (m *Message) attachmentsWire() []any {
	out := []any{}
	for _, a := range m.Attachments {
		w := a.wire()
		if m.Ephemeral() {
			w["ephemeral"] = true
		}
		out = append(out, w)
	}
	return out
}

// buttonWire, selectWire and so on are the shapes of components in answers.
type buttonWire struct {
	Type     int    `json:"type"`
	ID       int    `json:"id"`
	Style    int    `json:"style"`
	CustomID string `json:"custom_id,omitempty"`
	Label    string `json:"label,omitempty"`
	Emoji    *Emoji `json:"emoji,omitempty"`
	URL      string `json:"url,omitempty"`
	SKU      string `json:"sku_id,omitempty"`
	Disabled bool   `json:"disabled,omitempty"`
}

type selectWire struct {
	Type        int            `json:"type"`
	ID          int            `json:"id"`
	CustomID    string         `json:"custom_id"`
	Placeholder string         `json:"placeholder,omitempty"`
	MinValues   int            `json:"min_values"`
	MaxValues   int            `json:"max_values"`
	Disabled    bool           `json:"disabled,omitempty"`
	Options     []SelectOption `json:"options,omitempty"`
	Types       []int          `json:"channel_types,omitempty"`
	Defaults    []DefaultValue `json:"default_values,omitempty"`
}

type rowWire struct {
	Type       int   `json:"type"`
	ID         int   `json:"id"`
	Components []any `json:"components"`
}

type textWire struct {
	Type    int    `json:"type"`
	ID      int    `json:"id"`
	Content string `json:"content"`
}

func (c *Component) wire(m *Message) any {
	switch c.Type {
	case TypeButton:
		return buttonWire{c.Type, c.ID, c.Style, c.CustomID, c.Label, c.Emoji, c.URL, c.SKU, c.Disabled}
	case TypeStringSelect, TypeUserSelect, TypeRoleSelect, TypeMentionableSelect, TypeChannelSelect:
		return selectWire{
			c.Type, c.ID, c.CustomID, c.Placeholder, c.MinValues, c.MaxValues, c.Disabled, c.Options, c.ChannelTypes, c.Defaults,
		}
	}
	switch c.Type {
	case TypeActionRow:
		return rowWire{c.Type, c.ID, c.kids(m)}
	case TypeTextDisplay:
		return textWire{c.Type, c.ID, c.Content}
	}
	out := map[string]any{"type": c.Type, "id": c.ID}
	switch c.Type {
	case TypeSection:
		out["components"], out["accessory"] = c.kids(m), c.Accessory.wire(m)
	case TypeSeparator:
		out["divider"], out["spacing"] = c.Divider, c.Spacing
	case TypeContainer:
		out["components"], out["accent_color"], out["spoiler"] = c.kids(m), c.AccentColor, c.Spoiler
	case TypeThumbnail, TypeFile, TypeMediaGallery:
		c.mediaWire(m, out)
	}
	return out
}

func (c *Component) kids(m *Message) []any {
	out := make([]any, 0, len(c.Components))
	for _, k := range c.Components {
		out = append(out, k.wire(m))
	}
	return out
}

func (c *Component) mediaWire(m *Message, out map[string]any) {
	items := []any{}
	for _, media := range c.Media {
		src := media.resolve(m)
		switch c.Type {
		case TypeThumbnail:
			out["media"], out["description"], out["spoiler"] = src, orNull(media.Description), media.Spoiler
		case TypeFile:
			out["file"], out["name"], out["size"], out["spoiler"] = src, src["name"], src["size"], media.Spoiler
		default:
			items = append(items, map[string]any{"media": src, "description": orNull(media.Description), "spoiler": media.Spoiler})
		}
	}
	if c.Type == TypeMediaGallery {
		out["items"] = items
	}
}

// resolve gives the address under which the client loads the media.
func (media Media) resolve(m *Message) map[string]any {
	for _, a := range m.Attachments {
		if media.URL == "attachment://"+a.Filename {
			w := map[string]any{
				"id": a.ID, "url": a.URL, "proxy_url": a.URL, "attachment_id": a.ID, "content_type": a.ContentType,
				"name": a.Filename, "size": a.Size,
			}
			if a.Width > 0 {
				w["width"], w["height"] = a.Width, a.Height
			}
			return w
		}
	}
	return map[string]any{"id": m.ID, "url": media.URL, "proxy_url": media.URL, "name": nil, "size": nil}
}

func (u User) wire() map[string]any {
	return map[string]any{
		"id": u.ID, "username": u.Username, "global_name": orNull(u.GlobalName), "discriminator": "0", "avatar": nil,
		"bot": u.Bot, "public_flags": 0, "flags": 0, "primary_guild": nil,
	}
}

func (mb *member) wire(full bool) map[string]any {
	out := map[string]any{
		"nick": orNull(mb.nick), "roles": []string{}, "joined_at": stamp(mb.joined), "avatar": nil, "banner": nil,
		"premium_since": nil, "pending": false, "flags": 0, "communication_disabled_until": nil,
	}
	if full {
		out["user"], out["deaf"], out["mute"] = mb.person.user.wire(), false, false
	}
	return out
}

func (c *Channel) wire() map[string]any {
	out := map[string]any{"id": c.id, "type": c.kind, "flags": 0, "last_message_id": orNull(c.last)}
	if c.guild != nil {
		out["guild_id"], out["name"], out["position"], out["nsfw"] = c.guild.id, c.name, 0, false
		out["parent_id"], out["topic"], out["rate_limit_per_user"], out["permission_overwrites"] = nil, nil, 0, []any{}
		if c.parent != nil {
			c.thread(out)
		}
		return out
	}
	people := []any{}
	for _, p := range c.recipients {
		people = append(people, p.user.wire())
	}
	out["recipients"] = people
	if c.kind == ChannelGroup {
		out["name"], out["icon"], out["owner_id"] = nil, nil, c.installedBy
	}
	return out
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// encodeAround is encode for an object with a large member that is JSON already, which it copies as it is.
func encodeAround(object map[string]any, key string) json.RawMessage {
	large, ok := object[key].(json.RawMessage)
	if !ok || len(object) < 2 {
		return encode(object)
	}
	delete(object, key)
	rest := encode(object)
	out := make([]byte, 0, len(rest)+len(large)+len(key)+4)
	out = append(out, `{"`...)
	out = append(out, key...)
	out = append(out, `":`...)
	out = append(out, large...)
	out = append(out, ',')
	return append(out, rest[1:]...)
}

// encode marshals what the sandbox itself put together, which cannot fail; what a Tweak made of a payload can, and
// then the other side gets null.
func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return b
}
