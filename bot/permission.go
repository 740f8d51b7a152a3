package bot

import (
	"strings"

	"github.com/bwmarrin/discordgo"

	"rowbot/match"
)

// permission is one of Discord's, with the key of the name under which
// moderators find it.
type permission struct {
	bit int64
	key string
}

const mayCreateThreads = 1 << 35

// needs are the permissions that Rowbot has use for in a channel of a server.
// Answers to interactions need none: without these, only what comes by itself is missing.
func needs(g match.Guild) []permission {
	list := []permission{
		{discordgo.PermissionViewChannel, "perm_view"},
		{discordgo.PermissionSendMessages, "perm_send"},
		{discordgo.PermissionReadMessageHistory, "perm_history"},
	}
	if g.Style == stylePicture {
		list = append(list, permission{discordgo.PermissionAttachFiles, "perm_attach"})
	}
	if g.Threads {
		list = append(list, permission{mayCreateThreads, "perm_threads"})
	}
	return list
}

// lacks says which permissions Rowbot would need in the channel of an
// interaction and has not; "" where it has them all.
func lacks(r *request, g match.Guild) string {
	if r.GuildID == "" || r.AppPermissions&mayEverything != 0 {
		return ""
	}
	var names []string
	for _, p := range needs(g) {
		if r.AppPermissions&p.bit == 0 {
			names = append(names, "**"+r.mine.T(p.key)+"**")
		}
	}
	if len(names) == 0 {
		return ""
	}
	return r.mine.T("lacks", "Permissions", strings.Join(names, ", "))
}
