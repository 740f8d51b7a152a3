package sandbox

import "math"

// Shapes of messages, interactions and events.

var emojiShape = object(fields{"id?": snowflake, "name": anyText, "animated?": boolean})

var mediaShape = object(fields{
	"id": snowflake, "url": name, "proxy_url": name, "attachment_id?": snowflake, "content_type?": anyText, "name?": null(name),
	"size?": null(count), "width?": count, "height?": count,
})

// kids are the components inside another one.
func kids(limit int) shape { return listOf(later(&componentShape), limit) }

var componentShape shape

// componentFields are what components have beside type and id.
var componentFields map[int]shape

func init() {
	options := listOf(object(fields{
		"label": text(1, 100), "value": text(1, 100), "description?": text(1, 100), "emoji?": emojiShape, "default?": boolean,
	}), 25)
	menu := fields{
		"custom_id": text(1, 100), "placeholder?": text(1, 150), "min_values": numbers(0, 25), "max_values": numbers(1, 25),
		"disabled?": boolean, "options?": options, "channel_types?": listOf(count, 0),
		"default_values?": listOf(object(fields{"id": snowflake, "type": name}), 25),
	}
	part := func(f fields) shape { return object(with(fields{"type": count, "id": count}, f)) }
	about := fields{"description": null(text(1, 1024)), "spoiler": boolean}
	componentFields = map[int]shape{
		TypeActionRow: part(fields{"components": kids(5)}),
		TypeButton: part(fields{
			"style": numbers(1, 6), "custom_id?": text(1, 100), "label?": text(1, 80), "emoji?": emojiShape, "url?": text(1, 512),
			"sku_id?": snowflake, "disabled?": boolean,
		}),
		TypeStringSelect: part(menu), TypeUserSelect: part(menu), TypeRoleSelect: part(menu), TypeMentionableSelect: part(menu),
		TypeChannelSelect: part(menu),
		TypeSection:       part(fields{"components": kids(3), "accessory": later(&componentShape)}),
		TypeTextDisplay:   part(fields{"content": text(1, maxV2Text)}),
		TypeThumbnail:     part(with(about, fields{"media": mediaShape})),
		TypeMediaGallery:  part(fields{"items": listOf(object(with(about, fields{"media": mediaShape})), 10)}),
		TypeFile:          part(fields{"file": mediaShape, "name": null(name), "size": null(count), "spoiler": boolean}),
		TypeSeparator:     part(fields{"divider": boolean, "spacing": among(1, 2)}),
		TypeContainer: part(fields{
			"components": kids(maxComponents), "accent_color": null(numbers(0, 0xFFFFFF)), "spoiler": boolean,
		}),
	}
	componentShape = func(a *audit, at string, v any) {
		m, _ := v.(map[string]any)
		t, _ := m["type"].(float64)
		check := componentFields[int(t)]
		if check == nil {
			a.fail(at, "no component of a message: type %v", m["type"])
			return
		}
		check(a, at, v)
	}
}

var embedShape = object(fields{
	"type": name, "title?": text(1, 256), "description?": text(1, 4096), "url?": name, "color?": numbers(0, 0xFFFFFF),
	"timestamp?": instant, "fields?": listOf(object(fields{"name": text(1, 256), "value": text(1, 1024), "inline": boolean}), 25),
	"footer?": object(fields{"text": text(0, 2048), "icon_url?": name}), "image?": object(fields{"url": name}),
	"author?":    object(fields{"name": text(0, 256), "url?": name, "icon_url?": name}),
	"thumbnail?": object(fields{"url": name}),
})

var attachmentShape = object(fields{
	"id": snowflake, "filename": name, "size": count, "url": name, "proxy_url": name, "content_type?": name,
	"description?": text(1, 1024), "ephemeral?": boolean, "width?": count, "height?": count,
})

// ownersShape is authorizing_integration_owners: of a server, or "0" in the bot's own direct messages; of a user.
var ownersShape = mapped(among01, func(a *audit, at string, v any) {
	if v != "0" {
		snowflake(a, at, v)
	}
})

var metadataShape shape

func init() {
	metadataShape = object(fields{
		"id": snowflake, "type": among(kindCommand, kindComponent, kindModal), "user": userShape,
		"authorizing_integration_owners": ownersShape, "original_response_message_id?": snowflake,
		"interacted_message_id?": snowflake, "triggering_interaction_metadata?": later(&metadataShape),
		"target_user?": userShape, "target_message_id?": snowflake,
	})
}

var messageFields = fields{
	"id": snowflake, "channel_id": snowflake, "type": among(0, 19, 20, 23), "author": userShape, "content": text(0, 4000),
	"embeds": listOf(embedShape, 10), "components": kids(maxComponents), "attachments": listOf(attachmentShape, maxAttachments),
	"flags": count, "timestamp": instant, "edited_timestamp": null(instant), "pinned": boolean, "tts": boolean,
	"mention_everyone": boolean, "mention_roles": listOf(snowflake, 0), "mentions": listOf(userShape, 0), "nonce?": text(1, 25),
	"application_id?": snowflake, "webhook_id?": snowflake, "interaction_metadata?": later(&metadataShape),
	"message_reference?": object(fields{
		"type": among(0), "channel_id": snowflake, "message_id": snowflake, "guild_id?": snowflake,
	}),
}

// messageRules hold between the fields of a message.
func messageRules(a *audit, at string, m map[string]any) {
	flags, _ := m["flags"].(float64)
	components, _ := m["components"].([]any)
	embeds, _ := m["embeds"].([]any)
	v2 := int(flags)&FlagComponentsV2 != 0
	if v2 && (m["content"] != "" || len(embeds) > 0) {
		a.fail(at, "components v2 together with content or embeds")
	}
	ids := map[float64]bool{}
	for _, c := range components {
		countComponents(a, at, c, ids)
		part, _ := c.(map[string]any)
		if !v2 && part["type"] != float64(TypeActionRow) {
			a.fail(at, "a component of type %v without the flag", part["type"])
		}
	}
	if len(ids) > maxComponents {
		a.fail(at, "%d components", len(ids))
	}
	if int(flags)&FlagEphemeral != 0 && m["interaction_metadata"] == nil {
		a.fail(at, "ephemeral, but of no interaction")
	}
}

// countComponents gathers the ids of a component and those inside; each may occur once.
func countComponents(a *audit, at string, v any, ids map[float64]bool) {
	m, _ := v.(map[string]any)
	id, _ := m["id"].(float64)
	if ids[id] {
		a.fail(at, "component id %v twice", id)
	}
	ids[id] = true
	inner, _ := m["components"].([]any)
	if m["accessory"] != nil {
		inner = append(inner, m["accessory"])
	}
	for _, c := range inner {
		countComponents(a, at, c, ids)
	}
}

var (
	messageShape = object(messageFields, messageRules)
	messageEvent = object(with(messageFields, fields{"guild_id?": snowflake}), messageRules)
)

var callbackShape = object(fields{
	"interaction": object(fields{
		"id": snowflake, "type": numbers(2, 5), "channel_id?": snowflake, "guild_id?": snowflake, "response_message_id?": snowflake,
		"response_message_loading?": boolean, "response_message_ephemeral?": boolean,
	}),
	"resource?": object(fields{"type": numbers(4, 9), "message?": messageShape}),
})

// eventShapes are the events of the gateway; interactions have rules of their own.
var eventShapes = map[string]shape{
	"READY": object(fields{
		"v": among(9, 10), "user": meShape, "session_id": name, "session_type": name, "resume_gateway_url": name,
		"guilds": listOf(object(fields{"id": snowflake, "unavailable": boolean}), maxPerShard), "shard": listOf(count, 2),
		"application": object(fields{"id": snowflake, "flags": count}), "private_channels": listOf(anything, 0),
		"relationships": listOf(anything, 0),
	}),
	"RESUMED":        object(fields{}),
	"GUILD_CREATE":   guildShape,
	"GUILD_DELETE":   object(fields{"id": snowflake, "unavailable?": boolean}),
	"MESSAGE_CREATE": messageEvent,
	"MESSAGE_UPDATE": messageEvent,
	"MESSAGE_DELETE": object(fields{"id": snowflake, "channel_id": snowflake, "guild_id?": snowflake}),
	"MESSAGE_DELETE_BULK": object(fields{
		"ids": listOf(snowflake, 100), "channel_id": snowflake, "guild_id?": snowflake,
	}),
}

// bytesSize bounds attachment_size_limit.
var bytesSize = numbers(1, math.MaxInt32)
