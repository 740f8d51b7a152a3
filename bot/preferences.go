package bot

import (
	"context"
	"slices"
	"strconv"

	"rowbot/match"
)

// What a person can choose for themselves, as the custom IDs of the panel's
// selects name it.
const (
	prefAudience = "audience"
	prefNotices  = "notices"
	prefBlocked  = "blocked"
)

// The values of who may challenge a person. The server that was chosen somewhere
// else is kept by a value of its own.
const (
	fromEveryone = "everyone"
	fromServer   = "server"
	fromKept     = "kept"
	fromNobody   = "nobody"
)

// preferences shows what the caller has chosen for themselves.
func (b *Bot) preferences(ctx context.Context, r *request) (answer, error) {
	var chosen match.Preferences
	err := b.store.View(ctx, func(tx match.Tx) (err error) {
		chosen, err = tx.Preferences(ctx, r.user.ID)
		return err
	})
	return b.preferencesPanel(r, chosen), err
}

// preferenceChosen takes what was chosen in a select of the panel.
func (b *Bot) preferenceChosen(ctx context.Context, r *request, field string, values []string) (answer, error) {
	known := true
	var now match.Preferences
	err := b.store.Update(ctx, func(tx match.Tx) (err error) {
		if now, err = tx.Preferences(ctx, r.user.ID); err != nil {
			return err
		}
		if known = b.prefer(r, &now, field, values); !known {
			return nil
		}
		return tx.PutPreferences(ctx, now)
	})
	switch {
	case err != nil:
		return answer{}, err
	case !known:
		return say(r.mine.T("bad_preference")), nil
	}
	return b.preferencesPanel(r, now), nil
}

// prefer puts a value into a preference; false where it was never offered.
func (b *Bot) prefer(r *request, p *match.Preferences, field string, values []string) bool {
	if field == prefBlocked {
		nobody := func(id string) bool { return id == r.user.ID || id == b.userID || id == b.appID }
		p.Blocked = slices.DeleteFunc(slices.Clone(values), nobody)
		return len(values) <= match.MaxBlocked && !slices.ContainsFunc(values, func(id string) bool { return !isSnowflake(id) })
	}
	if len(values) != 1 {
		return false
	}
	switch v := values[0]; {
	case field == prefNotices:
		told, err := strconv.ParseBool(v)
		p.Quiet = !told
		return err == nil
	case field != prefAudience:
		return false
	case v == fromEveryone:
		p.From, p.Server = match.FromEveryone, ""
	case v == fromNobody:
		p.From, p.Server = match.FromNobody, ""
	case v == fromServer && r.GuildID != "":
		p.From, p.Server = match.FromServer, r.GuildID
	case v == fromKept && p.From == match.FromServer:
	default:
		return false
	}
	return true
}

func (b *Bot) preferencesPanel(r *request, chosen match.Preferences) answer {
	p := r.mine
	audience, now := []option{{Label: p.T("from_everyone"), Value: fromEveryone}}, fromEveryone
	if r.GuildID != "" {
		audience = append(audience, option{Label: p.T("from_server"), Value: fromServer})
	}
	switch {
	case chosen.From == match.FromNobody:
		now = fromNobody
	case chosen.From == match.FromServer && chosen.Server == r.GuildID:
		now = fromServer
	case chosen.From == match.FromServer:
		now = fromKept
		audience = append(audience, option{Label: p.T("from_kept"), Value: fromKept})
	}
	audience = append(audience, option{Label: p.T("from_nobody"), Value: fromNobody})
	told := p.T("notices_on")
	if b.notices.quiet == 0 { // nobody is told but of time that runs out
		told = p.T("notices_late")
	}
	a := answer{kind: callbackReply, private: true, outcome: "preferences", data: panel(
		accentRunning, p.T("preferences"),
		text(p.T("pref_audience")), row(menu(fieldID(kindPreferences, prefAudience), now, audience...)),
		text(p.T("pref_notices")), row(menu(fieldID(kindPreferences, prefNotices), strconv.FormatBool(!chosen.Quiet),
			option{Label: told, Value: "true"}, option{Label: p.T("notices_off"), Value: "false"})),
		text(p.T("pref_blocked")),
		row(several(typeUserSelect, fieldID(kindPreferences, prefBlocked), p.T("nobody_blocked"), "user", chosen.Blocked)),
	)}
	if r.private() {
		a.kind, a.private = callbackUpdate, false
	}
	return a
}
