package sandbox

import (
	"regexp"
	"slices"
	"strconv"
)

// allowedMentions says who may be addressed by the mentions of a text.
type allowedMentions struct {
	users, roles, everyone bool     // parse: whatever the text mentions
	userIDs, roleIDs       []string // only these
	replied                bool     // the author of the message that is answered
}

// What holds when a body says nothing: in channels everything, in answers to interactions users only.
var (
	channelMentions     = &allowedMentions{users: true, roles: true, everyone: true, replied: true}
	interactionMentions = &allowedMentions{users: true}
)

var (
	codeText     = regexp.MustCompile("(?s)```.*?```|`[^`\n]+`")
	userMention  = regexp.MustCompile(`<@!?(\d{1,20})>`)
	roleMention  = regexp.MustCompile(`<@&(\d{1,20})>`)
	everyoneText = regexp.MustCompile(`@(everyone|here)\b`)
)

// readAllowedMentions reads allowed_mentions; nil when the body does not name it.
func readAllowedMentions(n node) *allowedMentions {
	am, ok := n.object("allowed_mentions")
	if !ok {
		return nil
	}
	a := &allowedMentions{replied: am.flag("replied_user")}
	for i, v := range am.values("parse", 3) {
		switch v {
		case "users":
			a.users = true
		case "roles":
			a.roles = true
		case "everyone":
			a.everyone = true
		case nil:
		default:
			am.form.add(am.at("parse", strconv.Itoa(i)), "BASE_TYPE_CHOICES", "Value must be one of ('everyone', 'roles', 'users').")
		}
	}
	a.userIDs, a.roleIDs = ids(am, "users"), ids(am, "roles")
	if a.users && len(a.userIDs) > 0 {
		am.fail("", "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", `parse:["users"] and users: [ids...] are mutually exclusive.`)
	}
	if a.roles && len(a.roleIDs) > 0 {
		am.fail("", "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", `parse:["roles"] and roles: [ids...] are mutually exclusive.`)
	}
	return a
}

func ids(n node, key string) []string {
	var out []string
	for i, v := range n.values(key, 100) {
		id, ok := v.(string)
		if !ok || !isSnowflake(id) {
			n.form.add(n.at(key, strconv.Itoa(i)), "NUMBER_TYPE_COERCE", "Value is not snowflake.")
			continue
		}
		out = append(out, id)
	}
	return out
}

// ping works out whom the message addresses. Only content and text displays count, code does not. An ephemeral
// message reaches its viewer alone, so it addresses nobody.
func (m *Message) ping(a, defaults *allowedMentions) {
	m.Pings, m.PingsRoles, m.PingsEveryone = nil, nil, false
	if m.Ephemeral() {
		return
	}
	if a == nil {
		a = defaults
	}
	text := codeText.ReplaceAllString(m.Text(), "")
	m.Pings = addressed(userMention, text, a.users, a.userIDs)
	m.PingsRoles = addressed(roleMention, text, a.roles, a.roleIDs)
	m.PingsEveryone = a.everyone && everyoneText.MatchString(text)
}

func addressed(re *regexp.Regexp, text string, all bool, some []string) []string {
	var out []string
	for _, hit := range re.FindAllStringSubmatch(text, -1) {
		id := hit[1]
		if (all || slices.Contains(some, id)) && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}
