package bot

import (
	"context"
	"slices"
	"strconv"

	"github.com/bwmarrin/discordgo"

	"rowbot/bot/locale"
	"rowbot/match"
)

// The settings of a server, as the custom IDs of the panel's selects name them.
const (
	setStyle    = "style"
	setLanguage = "language"
	setChannels = "channels"
	setPace     = "pace"
	setRules    = "rules"
	setThreads  = "threads"
)

// asUsual is the value of an option that leaves a setting to the program.
const asUsual = "default"

// styles are how boards can be drawn; the first is the usual one.
var styles = []string{styleText, styleColour, styleEmoji, stylePicture}

// languages are those that boards can be in: Discord's tag, and how the language
// calls itself.
var languages = []struct{ tag, name string }{
	{"en-US", "English"},
	{"ru", "Русский"},
	{"zh-CN", "简体中文"},
	{"zh-TW", "繁體中文"},
	{"ja", "日本語"},
	{"ko", "한국어"},
	{"es-ES", "Español"},
	{"pt-BR", "Português (Brasil)"},
	{"de", "Deutsch"},
	{"fr", "Français"},
}

// placeTypes are the types of channels that matches can be played in: text,
// voice, announcement, stage and forum.
var placeTypes = []int{0, 2, 5, 13, 15}

// settings carries out a subcommand. Discord offers the command to those who
// may manage the server; it is checked all the same.
func (b *Bot) settings(ctx context.Context, r *request, sub string, args arguments) (answer, error) {
	if no := managersOnly(r); no != "" {
		return say(r.mine.T(no)), nil
	}
	values := []string{args.text(sub)}
	switch sub {
	case "show", setChannels:
		g, err := b.guild(ctx, r.GuildID)
		return b.settingsPanel(r, g, sub), err
	case "end":
		return b.endNamed(ctx, r, args.text("match"))
	case setRules:
		g, err := b.guild(ctx, r.GuildID)
		if err != nil {
			return answer{}, err
		}
		side, ok1 := boardSide(args.text("size"), usualOr(g.Side))
		variant, ok2 := variantOf(args.text("rules"), g.Variant)
		if !ok1 || !ok2 {
			return say(r.mine.T("bad_option")), nil
		}
		values[0] = rulesValue(side, variant)
	}
	return b.set(ctx, r, sub, values)
}

func usualOr(side int8) int8 {
	if side == 0 {
		return usualSide
	}
	return side
}

// managersOnly is the key of why somebody may not change a server's settings.
func managersOnly(r *request) string {
	switch {
	case r.GuildID == "":
		return "only_in_server"
	case !r.may(mayManageServer):
		return "managers_only"
	}
	return ""
}

// settingChosen takes what was chosen in a select of the panel.
func (b *Bot) settingChosen(ctx context.Context, r *request, field string, values []string) (answer, error) {
	if no := managersOnly(r); no != "" {
		return say(r.mine.T(no)), nil
	}
	return b.set(ctx, r, field, values)
}

// set changes one setting and shows the panel as it then is.
func (b *Bot) set(ctx context.Context, r *request, field string, values []string) (answer, error) {
	known := true
	var g match.Guild
	err := b.store.Update(ctx, func(tx match.Tx) (err error) {
		if g, err = tx.Guild(ctx, r.GuildID); err != nil {
			return err
		}
		if known = change(&g, field, values); !known {
			return nil
		}
		return tx.PutGuild(ctx, g)
	})
	switch {
	case err != nil:
		return answer{}, err
	case !known:
		return say(r.mine.T("bad_option")), nil
	}
	b.chosen.Add(1)
	b.houses.Remove(r.GuildID)
	return b.settingsPanel(r, g, "show"), nil
}

// change puts a value into a setting; false where it was never offered.
func change(g *match.Guild, field string, values []string) bool {
	if field == setChannels {
		g.Channels = values
		return !slices.ContainsFunc(values, func(id string) bool { return !isSnowflake(id) })
	}
	if len(values) != 1 {
		return false
	}
	v := values[0]
	switch field {
	case setStyle:
		g.Style = v
		return slices.Contains(styles, v)
	case setLanguage:
		known := v == asUsual || slices.ContainsFunc(languages, func(l struct{ tag, name string }) bool { return l.tag == v })
		if g.Language = v; v == asUsual {
			g.Language = ""
		}
		return known
	case setPace:
		pace, known := paceOf(v, 0)
		if v == asUsual {
			pace, known = 0, true
		}
		g.Pace = pace
		return known && v != ""
	case setRules:
		return changeRules(g, v)
	case setThreads:
		on, err := strconv.ParseBool(v)
		g.Threads = on
		return err == nil
	}
	return false
}

func changeRules(g *match.Guild, value string) bool {
	for _, side := range []int8{15, 19} {
		for _, v := range variants {
			if rulesValue(side, v) == value {
				g.Side, g.Variant = side, v
				return true
			}
		}
	}
	return false
}

func rulesValue(side int8, v match.Variant) string {
	return strconv.Itoa(int(side)) + " " + v.String()
}

// isSnowflake reports whether a text has the form of Discord's IDs.
func isSnowflake(s string) bool {
	n, err := strconv.ParseUint(s, 10, 64)
	return err == nil && strconv.FormatUint(n, 10) == s
}

// settingsPanel shows a server's settings, each with a select to change it; or,
// for the subcommand of the channels, theirs alone.
func (b *Bot) settingsPanel(r *request, g match.Guild, sub string) answer {
	p := r.mine
	channels := several(typeChannelSelect, fieldID(kindSettings, setChannels), p.T("everywhere_here"), "channel", g.Channels)
	channels.ChannelTypes = placeTypes
	var parts []component
	part := func(title string, c component) {
		parts = append(parts, text(title), row(c))
	}
	if sub != setChannels {
		part(p.T("set_style"), styleMenu(p, g))
		part(p.T("set_language"), languageMenu(p, g))
	}
	part(p.T("set_channels"), channels)
	if sub != setChannels {
		part(p.T("set_pace"), b.paceMenu(p, g))
		part(p.T("set_rules"), rulesMenu(p, g))
		part(p.T("set_threads"), menu(fieldID(kindSettings, setThreads), strconv.FormatBool(g.Threads),
			option{Label: p.T("threads_off"), Value: "false"}, option{Label: p.T("threads_on"), Value: "true"}))
	}
	if s := lacks(r, g); s != "" {
		parts = append(parts, text(s))
	}
	a := answer{kind: callbackReply, data: panel(accentRunning, p.T("settings"), parts...), private: true, outcome: "settings"}
	if r.private() {
		a.kind, a.private = callbackUpdate, false
	}
	return a
}

func styleMenu(p locale.Printer, g match.Guild) component {
	var list []option
	for _, s := range styles {
		list = append(list, option{Label: p.T("style_" + s), Value: s})
	}
	if g.Style == "" {
		g.Style = styles[0]
	}
	return menu(fieldID(kindSettings, setStyle), g.Style, list...)
}

func languageMenu(p locale.Printer, g match.Guild) component {
	list := []option{{Label: p.T("language_auto"), Value: asUsual}}
	for _, l := range languages {
		list = append(list, option{Label: l.name, Value: l.tag})
	}
	if g.Language == "" {
		g.Language = asUsual
	}
	return menu(fieldID(kindSettings, setLanguage), g.Language, list...)
}

func (b *Bot) paceMenu(p locale.Printer, g match.Guild) component {
	list := []option{{Label: p.T("pace_usual", "Pace", paceText(p, b.pace)), Value: asUsual}}
	chosen := asUsual
	for _, x := range paces {
		list = append(list, option{Label: paceText(p, x.pace), Value: x.value})
		if x.pace == g.Pace {
			chosen = x.value
		}
	}
	return menu(fieldID(kindSettings, setPace), chosen, list...)
}

func rulesMenu(p locale.Printer, g match.Guild) component {
	var list []option
	for _, side := range []int8{15, 19} {
		for _, v := range variants {
			size := sizeText(match.GomokuRules(side, v))
			list = append(list, option{Label: size + dot + p.T("rules_"+v.String()), Value: rulesValue(side, v)})
		}
	}
	return menu(fieldID(kindSettings, setRules), rulesValue(usualOr(g.Side), g.Variant), list...)
}

// settingsCommand is the definition of the command.
func settingsCommand(p locale.Printer) *discordgo.ApplicationCommand {
	manage := int64(mayManageServer)
	c := &discordgo.ApplicationCommand{Name: "settings", Description: p.T("cmd_settings"), DefaultMemberPermissions: &manage}
	sub := func(name, description string, options ...*commandOption) {
		c.Options = append(c.Options, &commandOption{
			Type: discordgo.ApplicationCommandOptionSubCommand, Name: name, Description: description, Options: options,
		})
	}
	required := func(o *commandOption) *commandOption {
		o.Required = true
		return o
	}
	var styleChoices []*optionChoice
	for _, s := range styles {
		styleChoices = append(styleChoices, &optionChoice{Name: p.T("style_" + s), Value: s})
	}
	languageChoices := []*optionChoice{named(p, "language_auto", asUsual)}
	for _, l := range languages {
		languageChoices = append(languageChoices, &optionChoice{Name: l.name, Value: l.tag})
	}
	pace := paceOption(p)
	pace.Choices = append([]*optionChoice{named(p, "pace_as_usual", asUsual)}, pace.Choices...)
	sub("show", p.T("cmd_settings_show"))
	sub(setStyle, p.T("cmd_settings_style"), required(choiceOption(p, setStyle, "opt_style", styleChoices...)))
	sub(setLanguage, p.T("cmd_settings_language"), required(choiceOption(p, setLanguage, "opt_language", languageChoices...)))
	sub(setChannels, p.T("cmd_settings_channels"))
	sub(setPace, p.T("cmd_settings_pace"), required(pace))
	sub(setRules, p.T("cmd_settings_rules"), boardOptions(p, match.Gomoku)...)
	sub(setThreads, p.T("cmd_settings_threads"), &commandOption{
		Type: discordgo.ApplicationCommandOptionBoolean, Name: setThreads, Description: p.T("opt_threads"), Required: true,
	})
	sub("end", p.T("cmd_settings_end"), required(matchOption(p.T("opt_match_to_end"))))
	return c
}
