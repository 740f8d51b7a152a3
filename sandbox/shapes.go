package sandbox

import "math"

// Shapes of accounts, places and answers in general.

var userFields = fields{
	"id": snowflake, "username": name, "global_name": null(name), "discriminator": name, "avatar": null(name), "bot": boolean,
	"public_flags": count, "flags": count, "primary_guild": null(anything),
}

var userShape = object(userFields)

var meShape = object(with(userFields, fields{
	"mfa_enabled": boolean, "locale?": name, "verified": boolean, "email": null(name),
}))

var memberFields = fields{
	"nick": null(name), "roles": listOf(snowflake, 250), "joined_at": instant, "avatar": null(name), "banner": null(name),
	"premium_since": null(instant), "pending": boolean, "flags": count, "communication_disabled_until": null(instant),
}

var fullMember = fields{"user": userShape, "deaf": boolean, "mute": boolean}

// Members as such, of interactions, and next to the user in resolved.
var (
	memberShape    = object(with(memberFields, fullMember))
	actingMember   = object(with(memberFields, fullMember, fields{"permissions": bitset}))
	resolvedMember = object(with(memberFields, fields{"permissions": bitset}))
)

var channelFields = fields{
	"id": snowflake, "type": among(ChannelText, ChannelDM, ChannelGroup, ChannelThread), "flags": count, "last_message_id": null(snowflake),
	"guild_id?": snowflake, "name?": null(name), "position?": count, "nsfw?": boolean, "parent_id?": null(snowflake),
	"topic?": null(name), "rate_limit_per_user?": count, "permission_overwrites?": listOf(anything, 0),
	"recipients?": listOf(userShape, 100), "icon?": null(name), "owner_id?": snowflake,
	"message_count?": count, "member_count?": count, "total_message_sent?": count, "thread_metadata?": anything,
}

// channelPlace holds a channel to what belongs to its kind.
func channelPlace(a *audit, at string, m map[string]any) {
	_, inGuild := m["guild_id"]
	_, people := m["recipients"]
	if guild := m["type"] == float64(ChannelText) || m["type"] == float64(ChannelThread); guild != inGuild || guild == people {
		a.fail(at, "guild_id belongs to channels of guilds, recipients to the others")
	}
}

var (
	channelShape   = object(channelFields, channelPlace)
	partialChannel = object(with(channelFields, fields{"permissions?": bitset}), channelPlace)
)

var roleShape = object(fields{
	"id": snowflake, "name": name, "description": null(name), "permissions": bitset, "position": count, "color": count,
	"colors": anything, "hoist": boolean, "managed": boolean, "mentionable": boolean, "icon": null(name),
	"unicode_emoji": null(name), "flags": count,
})

var guildShape = object(fields{
	"id": snowflake, "name": name, "owner_id": snowflake, "preferred_locale": name, "channels": listOf(channelShape, 500),
	"members": listOf(memberShape, 0), "member_count": count, "joined_at": instant, "large": boolean, "unavailable": boolean,
	"roles": listOf(roleShape, 250), "features": listOf(name, 0), "emojis": listOf(anything, 0), "stickers": listOf(anything, 0),
	"region": name, "afk_timeout": count, "system_channel_flags": count, "widget_enabled": boolean,
	"verification_level": count, "default_message_notifications": count, "mfa_level": count, "explicit_content_filter": count,
	"max_members": count, "max_stage_video_channel_users": count, "max_video_channel_users": count, "premium_tier": count,
	"premium_subscription_count": count, "premium_progress_bar_enabled": boolean, "nsfw": boolean, "nsfw_level": count,
	"max_presences": null(count), "icon": null(name), "description": null(name), "home_header": null(name), "splash": null(name),
	"discovery_splash": null(name), "banner": null(name), "application_id": null(snowflake), "afk_channel_id": null(snowflake),
	"system_channel_id": null(snowflake), "widget_channel_id": null(snowflake), "vanity_url_code": null(name),
	"rules_channel_id": null(snowflake), "safety_alerts_channel_id": null(snowflake),
	"public_updates_channel_id": null(snowflake), "incidents_data": null(anything),
})

var applicationShape = object(fields{
	"id": snowflake, "name": name, "icon": null(name), "description": anyText, "type": null(count), "verify_key": text(64, 64),
	"bot": userShape, "owner": userShape, "bot_public": boolean, "bot_require_code_grant": boolean, "flags": count,
	"flags_new": bitset, "redirect_uris": listOf(name, 0), "interactions_endpoint_url": null(name),
	"role_connections_verification_url": null(name), "approximate_guild_count": count, "approximate_user_install_count": count,
	"approximate_user_authorization_count": count, "explicit_content_filter": count, "team": null(anything),
	"eligible_oauth2_scopes": listOf(name, 0), "integration_types_config": mapped(among01, anything),
})

func among01(a *audit, at string, v any) {
	if v != "0" && v != "1" {
		a.fail(at, "%v is no installation context", v)
	}
}

// errorShape is a refusal; a form error tells where, another one need not.
var errorShape = object(fields{"message": name, "code": count, "errors?": anything}, func(a *audit, at string, m map[string]any) {
	if m["code"] == float64(codeForm) && m["errors"] == nil {
		a.fail(at, "a form error names no field")
	}
})

var limitedShape = object(fields{"message": name, "code": count, "retry_after": seconds0, "global": boolean})

func seconds0(a *audit, at string, v any) {
	if n, ok := v.(float64); !ok || n < 0 {
		a.fail(at, "not a number of seconds")
	}
}

var gatewayShape = object(fields{"url": name})

var gatewayBotShape = object(fields{"url": name, "shards": numbers(1, math.MaxInt32), "session_start_limit": object(fields{
	"total": count, "remaining": count, "reset_after": count, "max_concurrency": numbers(1, 1000),
})})

var myGuildShape = object(fields{
	"id": snowflake, "name": name, "icon": null(name), "banner": null(name), "owner": boolean, "permissions": bitset,
	"features": listOf(name, 0),
})

var commandShape = object(with(commandText, fields{
	"id": snowflake, "application_id": snowflake, "guild_id?": snowflake, "version": snowflake,
	"type": among(commandSlash, commandUser, commandMessage, commandEntry), "default_member_permissions": null(bitset),
	"contexts": null(listOf(among(0, 1, 2), 3)), "integration_types?": listOf(among(0, 1), 2), "nsfw": boolean,
	"options?": listOf(later(&optionShape), 25),
}), func(a *audit, at string, m map[string]any) {
	if (m["description"] == "") != (m["type"] == 2.0 || m["type"] == 3.0) {
		a.fail(at, "a description belongs to slash commands and to no others")
	}
})

var localised = mapped(name, name)

var commandText = fields{
	"name": text(1, 32), "name_localizations?": null(localised), "name_localized?": name,
	"description": text(0, 100), "description_localizations?": null(localised), "description_localized?": name,
}

var optionShape shape

func init() {
	optionShape = object(with(commandText, fields{
		"type": among(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), "required?": boolean, "autocomplete?": boolean,
		"choices?": listOf(object(fields{
			"name": text(1, 100), "name_localizations?": null(localised), "name_localized?": name, "value": value,
		}), 25), "options?": listOf(later(&optionShape), 25), "min_length?": count, "max_length?": count,
		"min_value?": anything, "max_value?": anything, "channel_types?": listOf(count, 0), "file_types?": listOf(name, 10),
	}))
}

// answerShapes are what successful requests are answered with.
var answerShapes = map[string]shape{
	"GET " + RouteGateway:        gatewayShape,
	"GET " + RouteGatewayBot:     gatewayBotShape,
	"GET " + RouteApplication:    applicationShape,
	"PATCH " + RouteApplication:  applicationShape,
	"GET " + RouteOAuth:          applicationShape,
	"GET " + RouteMe:             meShape,
	"GET " + RouteMyGuilds:       listOf(myGuildShape, maxGuilds),
	"GET " + RouteUser:           userShape,
	"POST " + RouteDMs:           channelShape,
	"GET " + RouteGuild:          guildShape,
	"GET " + RouteMember:         memberShape,
	"GET " + RouteCommands:       listOf(commandShape, 131),
	"PUT " + RouteCommands:       listOf(commandShape, 131),
	"POST " + RouteCommands:      commandShape,
	"GET " + RouteGuildCommands:  listOf(commandShape, 130),
	"PUT " + RouteGuildCommands:  listOf(commandShape, 130),
	"POST " + RouteGuildCommands: commandShape,
	"GET " + RouteCommand:        commandShape,
	"PATCH " + RouteCommand:      commandShape,
	"GET " + RouteGuildCommand:   commandShape,
	"PATCH " + RouteGuildCommand: commandShape,
	"POST " + RouteCallback:      callbackShape,
	"POST " + RouteFollowUp:      messageShape,
	"GET " + RouteOriginal:       messageShape,
	"PATCH " + RouteOriginal:     messageShape,
	"GET " + RouteChannel:        channelShape,
	"GET " + RouteMessages:       listOf(messageShape, 100),
	"POST " + RouteMessages:      messageShape,
	"GET " + RouteMessage:        messageShape,
	"PATCH " + RouteMessage:      messageShape,
	"POST " + RouteThread:        channelShape,
}
