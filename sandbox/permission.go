package sandbox

import "strconv"

// Permission bits that matter here.
const (
	PermAdministrator     uint64 = 1 << 3
	PermManageGuild       uint64 = 1 << 5
	PermViewChannel       uint64 = 1 << 10
	PermSendMessages      uint64 = 1 << 11
	PermManageMessages    uint64 = 1 << 13
	PermEmbedLinks        uint64 = 1 << 14
	PermAttachFiles       uint64 = 1 << 15
	PermReadHistory       uint64 = 1 << 16
	PermMentionEveryone   uint64 = 1 << 17
	PermUseExternalEmojis uint64 = 1 << 18
	PermUseCommands       uint64 = 1 << 31
	PermCreateThreads     uint64 = 1 << 35
	PermSendInThreads     uint64 = 1 << 38
	PermUseExternalApps   uint64 = 1 << 50

	// PermInvite is what the bot is suggested to be invited with, and has by default: view, send, open threads and send in them,
	// embed links, attach files, read history.
	PermInvite uint64 = 309237763072
)

const (
	permEveryone = PermViewChannel | PermSendMessages | PermEmbedLinks | PermAttachFiles | PermReadHistory |
		PermUseExternalEmojis | PermUseCommands | PermSendInThreads | PermUseExternalApps
	permAll = permEveryone | PermAdministrator | PermManageGuild | PermManageMessages | PermMentionEveryone
	// permPrivate is what an app may do in direct messages; with the bot itself also external emojis.
	permPrivate = PermAttachFiles | PermEmbedLinks | PermMentionEveryone
)

func bits(p uint64) string { return strconv.FormatUint(p, 10) }

// may tells whether have contains want; administrators may all.
func may(have, want uint64) bool { return have&PermAdministrator != 0 || have&want == want }
