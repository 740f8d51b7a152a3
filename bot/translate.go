package bot

import (
	"github.com/bwmarrin/discordgo"

	"rowbot/bot/locale"
)

// translate adds to commands what a language calls them: said are the same
// commands, made by its printer. What it says as English does is left out, since
// Discord shows the default there anyway. Names of options are translated where
// the language has a word for them, under "option_" and the name. Those of slash
// commands and their subcommands stay as they are, since texts mention them.
//
// In interactions all names are the English ones, whatever the reader sees.
func translate(all, said []*discordgo.ApplicationCommand, p locale.Printer) {
	tag := discordgo.Locale(p.Tag())
	for i, c := range all {
		s := said[i]
		if c.Name != s.Name { // of an entry in a menu
			c.NameLocalizations = localized(c.NameLocalizations, tag, s.Name)
		}
		if c.Description != s.Description {
			c.DescriptionLocalizations = localized(c.DescriptionLocalizations, tag, s.Description)
		}
		translateOptions(c.Options, s.Options, p)
	}
}

func localized(texts *map[discordgo.Locale]string, tag discordgo.Locale, s string) *map[discordgo.Locale]string {
	if texts == nil {
		texts = &map[discordgo.Locale]string{}
	}
	(*texts)[tag] = s
	return texts
}

func translateOptions(all, said []*commandOption, p locale.Printer) {
	tag := discordgo.Locale(p.Tag())
	for i, o := range all {
		s := said[i]
		if o.Type != discordgo.ApplicationCommandOptionSubCommand && o.Type != discordgo.ApplicationCommandOptionSubCommandGroup {
			if name := p.T("option_" + o.Name); name != o.Name && name != "option_"+o.Name {
				o.NameLocalizations = added(o.NameLocalizations, tag, name)
			}
		}
		if o.Description != s.Description {
			o.DescriptionLocalizations = added(o.DescriptionLocalizations, tag, s.Description)
		}
		for j, c := range o.Choices {
			if name := s.Choices[j].Name; name != c.Name {
				c.NameLocalizations = added(c.NameLocalizations, tag, name)
			}
		}
		translateOptions(o.Options, s.Options, p)
	}
}

func added(texts map[discordgo.Locale]string, tag discordgo.Locale, s string) map[discordgo.Locale]string {
	if texts == nil {
		texts = map[discordgo.Locale]string{}
	}
	texts[tag] = s
	return texts
}
