package bot

import (
	"cmp"

	"github.com/bwmarrin/discordgo"

	"rowbot/bot/locale"
	"rowbot/match"
)

type (
	commandOption = discordgo.ApplicationCommandOption
	optionChoice  = discordgo.ApplicationCommandOptionChoice
)

// Commands are the definitions of all commands, to be registered in one
// overwrite, with their texts in all languages. In a single guild's scope
// contexts and installation are not allowed, so they are left out.
func Commands(oneGuild bool) ([]*discordgo.ApplicationCommand, error) {
	texts, err := locale.Load()
	if err != nil {
		return nil, err
	}
	all := definitions(texts.For(locale.English), oneGuild)
	for _, tag := range texts.Tags() {
		p := texts.For(tag)
		translate(all, definitions(p, oneGuild), p)
	}
	return all, nil
}

// definitions are the commands in one language. Only their texts may depend on it.
func definitions(p locale.Printer, oneGuild bool) []*discordgo.ApplicationCommand {
	all := []*discordgo.ApplicationCommand{
		gameCommand(p, match.TicTacToe), gameCommand(p, match.Gomoku),
		{Name: "leaderboard", Description: p.T("cmd_leaderboard"), Options: []*commandOption{
			choiceOption(p, "game", "opt_game",
				named(p, "game_ttt", string(match.TicTacToe)), named(p, "game_gomoku", string(match.Gomoku))),
			choiceOption(p, "scope", "opt_scope",
				named(p, "scope_server", "server"), named(p, "scope_everywhere", "everywhere")),
			choiceOption(p, "by", "opt_by",
				named(p, "by_rating", string(match.ByRating)), named(p, "by_wins", string(match.ByWins))),
		}},
		{Name: "stats", Description: p.T("cmd_stats"), Options: []*commandOption{
			{Type: discordgo.ApplicationCommandOptionUser, Name: "player", Description: p.T("opt_player")},
			{Type: discordgo.ApplicationCommandOptionUser, Name: "opponent", Description: p.T("opt_versus")},
		}},
		{Name: "matches", Description: p.T("cmd_matches")},
		{Name: "replay", Description: p.T("cmd_replay"), Options: []*commandOption{matchOption(p.T("opt_ended"))}},
		{Name: "help", Description: p.T("cmd_help")},
		{Name: "preferences", Description: p.T("cmd_preferences")},
		privacyCommand(p),
		settingsCommand(p),
		{Type: discordgo.UserApplicationCommand, Name: p.T("menu_ttt")},
		{Type: discordgo.UserApplicationCommand, Name: p.T("menu_gomoku")},
	}
	for _, c := range all {
		c.Type = cmp.Or(c.Type, discordgo.ChatApplicationCommand)
		switch {
		case oneGuild:
		case c.DefaultMemberPermissions != nil: // about a server, and so only in one
			c.Contexts = &[]discordgo.InteractionContextType{discordgo.InteractionContextGuild}
			c.IntegrationTypes = &[]discordgo.ApplicationIntegrationType{discordgo.ApplicationIntegrationGuildInstall}
		default:
			c.Contexts = &[]discordgo.InteractionContextType{
				discordgo.InteractionContextGuild, discordgo.InteractionContextBotDM, discordgo.InteractionContextPrivateChannel,
			}
			c.IntegrationTypes = &[]discordgo.ApplicationIntegrationType{
				discordgo.ApplicationIntegrationGuildInstall, discordgo.ApplicationIntegrationUserInstall,
			}
		}
	}
	return all
}

func gameCommand(p locale.Printer, g match.Game) *discordgo.ApplicationCommand {
	c := &discordgo.ApplicationCommand{Name: string(g), Description: p.T("cmd_" + string(g))}
	sub := func(name string, options ...*commandOption) {
		c.Options = append(c.Options, &commandOption{
			Type: discordgo.ApplicationCommandOptionSubCommand, Name: name,
			Description: p.T("cmd_" + name), Options: options,
		})
	}
	board := boardOptions(p, g)
	challenge := append([]*commandOption{
		{Type: discordgo.ApplicationCommandOptionUser, Name: "opponent", Description: p.T("opt_opponent")},
		sideOption(p),
	}, board...)
	if g == match.Gomoku {
		challenge = append(challenge, choiceOption(p, "opening", "opt_opening",
			named(p, "opening_free_long", match.FreeOpening.String()), named(p, "opening_swap2_long", match.Swap2.String())))
	}
	sub("challenge", append(challenge, paceOption(p))...)
	sub("bot", append([]*commandOption{
		levelOption(p, g),
		sideOption(p),
	}, board...)...)
	sub("move", cellOption(p, g), matchOption(p.T("opt_match")))
	if g == match.Gomoku {
		sub("pass", matchOption(p.T("opt_match")))
	}
	sub("resign", matchOption(p.T("opt_match")))
	sub("draw", matchOption(p.T("opt_match")))
	sub("board", matchOption(p.T("opt_match")))
	return c
}

// cellOption is the cell of a move, with one as an example that every board of the game has.
func cellOption(p locale.Printer, g match.Game) *commandOption {
	rules := match.TicTacToeRules()
	if g == match.Gomoku {
		rules = match.GomokuRules(usualSide, match.Freestyle)
	}
	centre := rules.Centre()
	return &commandOption{
		Type: discordgo.ApplicationCommandOptionString, Name: "cell", Required: true, Autocomplete: true,
		Description: p.T("opt_cell", "Example", centre.String(), "Number", int(centre.Row)+1),
	}
}

func boardOptions(p locale.Printer, g match.Game) []*commandOption {
	if g != match.Gomoku {
		return nil
	}
	return []*commandOption{
		{
			Type: discordgo.ApplicationCommandOptionInteger, Name: "size", Description: p.T("opt_size"),
			Choices: []*optionChoice{{Name: "15×15", Value: 15}, {Name: "19×19", Value: 19}},
		},
		choiceOption(p, "rules", "opt_rules",
			named(p, "rules_freestyle_long", match.Freestyle.String()), named(p, "rules_standard_long", match.Standard.String()),
			named(p, "rules_renju_long", match.Renju.String())),
	}
}

func levelOption(p locale.Printer, g match.Game) *commandOption {
	var list []*optionChoice
	for _, l := range levels[g] {
		name := p.T("level_" + l.String())
		if l == match.Perfect {
			name = p.T("level_perfect_long")
		}
		list = append(list, &optionChoice{Name: name, Value: l.String()})
	}
	return choiceOption(p, "level", "opt_level", list...)
}

func sideOption(p locale.Printer) *commandOption {
	return choiceOption(p, "side", "opt_side",
		named(p, "choose_first", "first"), named(p, "choose_second", "second"), named(p, "choose_random", "random"))
}

func paceOption(p locale.Printer) *commandOption {
	var list []*optionChoice
	for _, x := range paces {
		list = append(list, &optionChoice{Name: paceText(p, x.pace), Value: x.value})
	}
	return choiceOption(p, "pace", "opt_pace", list...)
}

func matchOption(description string) *commandOption {
	return &commandOption{
		Type: discordgo.ApplicationCommandOptionString, Name: "match",
		Description: description, Autocomplete: true,
	}
}

func choiceOption(p locale.Printer, name, key string, list ...*optionChoice) *commandOption {
	return &commandOption{
		Type: discordgo.ApplicationCommandOptionString, Name: name, Description: p.T(key), Choices: list,
	}
}

func named(p locale.Printer, key, value string) *optionChoice {
	return &optionChoice{Name: p.T(key), Value: value}
}

// answersInPublic reports whether the answer to a command is normally for
// everybody to see, for the case that it has to be put off.
func answersInPublic(i *discordgo.Interaction) bool {
	d, ok := i.Data.(discordgo.ApplicationCommandInteractionData)
	if !ok {
		return false
	}
	if d.CommandType == discordgo.UserApplicationCommand {
		return true
	}
	name, _ := command(d)
	switch _, sub, _ := splitCommand(name); sub {
	case "challenge", "bot", "draw", "board":
		return true
	}
	return name == "leaderboard" || name == "stats" || name == "replay"
}
