package bot

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/bwmarrin/discordgo"

	"rowbot/bot/locale"
	"rowbot/match"
)

// maxPlain is up to what size an export is handed over as it is. A larger one
// is packed, which takes a twentieth of it: Discord takes 10 MiB.
const maxPlain = 8 << 20

// privacy carries out a subcommand.
func (b *Bot) privacy(ctx context.Context, r *request, sub string) (answer, error) {
	switch sub {
	case "export":
		return b.export(ctx, r)
	case "delete":
		return b.askForget(r), nil
	}
	return say(r.mine.T("unknown_command")), nil
}

// export hands over all that is stored about the caller, as a file.
func (b *Bot) export(ctx context.Context, r *request) (answer, error) {
	var all exported
	err := b.store.View(ctx, func(tx match.Tx) error {
		open, err := tx.Open(ctx, match.OpenQuery{User: r.user.ID, Limit: math.MaxInt32})
		if err != nil {
			return err
		}
		over, err := tx.History(ctx, r.user.ID)
		if err != nil {
			return err
		}
		records, err := tx.AllRecords(ctx, r.user.ID)
		if err != nil {
			return err
		}
		chosen, err := tx.Preferences(ctx, r.user.ID)
		all = exportOf(r.user.ID, append(over, open...), records, chosen)
		return err
	})
	if err != nil {
		return answer{}, err
	}
	all.Name, _ = b.names.Get(r.user.ID)
	all.Exported = b.matches.Now().UTC().Truncate(time.Second)
	f, err := all.file()
	if err != nil {
		return answer{}, fmt.Errorf("write the export: %w", err)
	}
	m := note(r.mine.T("export"))
	m.files = []file{f}
	return answer{kind: callbackReply, data: m, private: true, outcome: "exported"}, nil
}

// file writes the export.
func (x exported) file() (file, error) {
	raw, err := json.MarshalIndent(x, "", "  ")
	if err != nil {
		return file{}, err
	}
	f := file{name: "rowbot-" + x.User + ".json", mime: "application/json", data: raw}
	if len(raw) <= maxPlain {
		return f, nil
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(raw); err != nil {
		return file{}, err
	}
	if err := w.Close(); err != nil {
		return file{}, err
	}
	return file{name: f.name + ".gz", mime: "application/gzip", data: packed.Bytes()}, nil
}

// askForget asks whether the caller means it.
func (b *Bot) askForget(r *request) answer {
	sure := button(styleDanger, r.mine.T("delete_data"), farewellID(r.user.ID, b.matches.Now()))
	return say(r.mine.T("delete_sure"), row(sure))
}

// askedFor is how long the question stands: as long as Discord lets the answer to
// an interaction be changed.
const askedFor = 15 * time.Minute

// forget deletes what is stored about the caller, after the question, which was
// put to a user at a time.
func (b *Bot) forget(ctx context.Context, r *request, user string, asked time.Time) (answer, error) {
	if user != r.user.ID {
		return say(r.mine.T("question_for", "Player", mention(user))), nil
	}
	if age := b.matches.Now().Sub(asked); age < 0 || age > askedFor {
		return b.privately(r, r.mine.T("delete_late")), nil
	}
	done, err := b.matches.Forget(ctx, r.user.ID)
	if err != nil {
		return answer{}, err
	}
	b.names.Remove(r.user.ID)
	for _, id := range done.Closed {
		b.show(id)
	}
	a := b.privately(r, farewellText(r.mine, done))
	a.outcome = "forgotten"
	return a, nil
}

// farewellText says what was deleted, and nothing about what there was none of.
func farewellText(p locale.Printer, done match.Farewell) string {
	s := ""
	if n := len(done.Closed); n > 0 {
		s += "\n• " + p.N("deleted_open", n)
	}
	if n := done.Played; n > 0 {
		s += "\n• " + p.N("deleted_played", n)
	}
	if n := done.Forgotten; n > 0 {
		s += "\n• " + p.N("deleted_records", n)
	}
	if s == "" {
		return p.T("deleted_nothing")
	}
	return p.T("deleted") + s
}

// privacyCommand is the definition of the command.
func privacyCommand(p locale.Printer) *discordgo.ApplicationCommand {
	sub := func(name, description string) *commandOption {
		return &commandOption{Type: discordgo.ApplicationCommandOptionSubCommand, Name: name, Description: description}
	}
	return &discordgo.ApplicationCommand{
		Name: "privacy", Description: p.T("cmd_privacy"),
		Options: []*commandOption{sub("export", p.T("cmd_privacy_export")), sub("delete", p.T("cmd_privacy_delete"))},
	}
}
