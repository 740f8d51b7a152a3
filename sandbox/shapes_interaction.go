package sandbox

// Shapes of interactions, as the bot receives them.

// interactionShape is an interaction of a person: what every kind has, the data of its kind, and where it happened.
var interactionShape = object(fields{
	"id": snowflake, "application_id": snowflake, "type": among(kindCommand, kindComponent, kindAutocomplete, kindModal),
	"token": text(20, 0), "version": among(1), "data": anything, "channel_id": snowflake, "channel": partialChannel, "locale": name,
	"entitlements": listOf(anything, 0), "attachment_size_limit": bytesSize, "app_permissions": bitset,
	"authorizing_integration_owners": ownersShape, "context": among(0, 1, 2), "user?": userShape, "member?": actingMember,
	"guild_id?": snowflake, "guild_locale?": name, "message?": messageShape,
	"guild?": object(fields{"id": snowflake, "locale": name, "features": listOf(name, 0)}),
}, placeRules, dataRules)

// placeRules: in servers a member, elsewhere a user; the owners fit the context.
func placeRules(a *audit, at string, m map[string]any) {
	owners, _ := m["authorizing_integration_owners"].(map[string]any)
	inGuild := m["context"] == 0.0
	for key, want := range map[string]bool{"member": inGuild, "guild_id": inGuild, "guild": inGuild, "guild_locale": inGuild, "user": !inGuild} {
		if (m[key] != nil) != want {
			a.fail(at, "%s does not fit context %v", key, m["context"])
		}
	}
	switch m["context"] {
	case 0.0:
		if owners["0"] != nil && owners["0"] != m["guild_id"] {
			a.fail(at, "the owner is another server")
		}
	case 1.0:
		if owners["0"] != "0" {
			a.fail(at, `the owner in the bot's direct messages is "0"`)
		}
	case 2.0:
		if owners["0"] != nil {
			a.fail(at, "the bot is in a private channel")
		}
	}
	if len(owners) == 0 {
		a.fail(at, "nobody installed the app")
	}
}

// dataRules: each kind has data of its own; components and the modals from them carry the message.
func dataRules(a *audit, at string, m map[string]any) {
	switch m["type"] {
	case float64(kindCommand), float64(kindAutocomplete):
		commandData(a, at+".data", m["data"])
		focusRules(a, at, m)
	case float64(kindComponent):
		componentData(a, at+".data", m["data"])
	case float64(kindModal):
		modalShape(a, at+".data", m["data"])
	}
	if m["type"] == float64(kindComponent) && m["message"] == nil {
		a.fail(at, "a component without its message")
	}
}

// focusRules: exactly one option is being typed in an autocomplete, none otherwise.
func focusRules(a *audit, at string, m map[string]any) {
	want := 0
	if m["type"] == float64(kindAutocomplete) {
		want = 1
	}
	if got := focused(m["data"]); got != want {
		a.fail(at, "%d options are focused, not %d", got, want)
	}
}

func focused(v any) int {
	m, _ := v.(map[string]any)
	n := 0
	if m["focused"] == true {
		n++
	}
	options, _ := m["options"].([]any)
	for _, o := range options {
		n += focused(o)
	}
	return n
}

var resolvedShape = object(fields{
	"users?": mapped(snowflake, userShape), "members?": mapped(snowflake, resolvedMember),
	"channels?": mapped(snowflake, partialChannel), "roles?": mapped(snowflake, roleShape),
	"messages?": mapped(snowflake, messageShape), "attachments?": mapped(snowflake, attachmentShape),
}, func(a *audit, at string, m map[string]any) {
	users, _ := m["users"].(map[string]any)
	members, _ := m["members"].(map[string]any)
	for id := range members {
		if users[id] == nil {
			a.fail(at, "member %s without the user", id)
		}
	}
})

var givenOption shape

func init() {
	givenOption = object(fields{
		"name": text(1, 32), "type": numbers(1, 11), "value?": value, "options?": listOf(later(&givenOption), 25), "focused?": boolean,
	}, func(a *audit, at string, m map[string]any) {
		group := m["type"] == float64(OptionSubcommand) || m["type"] == float64(OptionGroup)
		if (m["value"] != nil) == group {
			a.fail(at, "a value belongs to options and to no subcommand")
		}
	})
}

var commandData = object(fields{
	"id": snowflake, "name": text(1, 32), "type": among(commandSlash, commandUser, commandMessage), "resolved?": resolvedShape,
	"options?": listOf(later(&givenOption), 25), "guild_id?": snowflake, "target_id?": snowflake,
}, func(a *audit, at string, m map[string]any) {
	if (m["target_id"] != nil) == (m["type"] == float64(commandSlash)) {
		a.fail(at, "a target belongs to the commands of context menus")
	}
	switch m["type"] {
	case float64(commandUser):
		resolvedIn(a, at, m, "users", m["target_id"])
	case float64(commandMessage):
		resolvedIn(a, at, m, "messages", m["target_id"])
	}
	resolvedOptions(a, at, m, m["options"])
})

// resolvedIn holds an id to what is resolved along with it.
func resolvedIn(a *audit, at string, data map[string]any, kind string, id any) {
	resolved, _ := data["resolved"].(map[string]any)
	objects, _ := resolved[kind].(map[string]any)
	if s, _ := id.(string); objects[s] == nil {
		a.fail(at, "%v is not resolved among %s", id, kind)
	}
}

// resolvedOptions does so for the options of a command.
func resolvedOptions(a *audit, at string, data map[string]any, v any) {
	options, _ := v.([]any)
	for _, o := range options {
		m, _ := o.(map[string]any)
		switch m["type"] {
		case float64(OptionUser):
			resolvedIn(a, at, data, "users", m["value"])
		case float64(OptionChannel):
			resolvedIn(a, at, data, "channels", m["value"])
		case float64(OptionAttachment):
			resolvedIn(a, at, data, "attachments", m["value"])
		}
		resolvedOptions(a, at, data, m["options"])
	}
}

var componentData = object(fields{
	"custom_id": text(1, maxCustomID), "component_type": among(
		TypeButton, TypeStringSelect, TypeUserSelect, TypeRoleSelect, TypeMentionableSelect, TypeChannelSelect,
	), "id": count, "values?": listOf(name, 25), "resolved?": resolvedShape,
}, func(a *audit, at string, m map[string]any) {
	if (m["values"] != nil) == (m["component_type"] == float64(TypeButton)) {
		a.fail(at, "values belong to select menus")
	}
})

var fieldShape = object(fields{
	"type": count, "id": count, "custom_id": text(1, maxCustomID), "value?": null(value), "values?": listOf(name, 25),
}, func(a *audit, at string, m map[string]any) {
	t, _ := m["type"].(float64)
	_, single := m["value"]
	_, several := m["values"]
	if want := t == TypeTextInput || t == TypeRadioGroup || t == TypeCheckbox; single != want || several == want {
		a.fail(at, "text inputs, radio groups and checkboxes have a value, the others values")
	}
})

var modalShape = object(fields{
	"custom_id": text(1, maxCustomID), "resolved?": resolvedShape, "components": listOf(object(fields{
		"type": among(TypeLabel, TypeActionRow, TypeTextDisplay), "id": count, "component?": fieldShape, "components?": listOf(fieldShape, 5),
	}), 5),
})
