package sandbox

import (
	"net/http"
	"slices"
	"strings"
)

// nearby names the language that a client turns to when a text lacks its own.
var nearby = map[string]string{"en-US": "en-GB", "en-GB": "en-US", "es-419": "es-ES"}

// shownIn is the text that a client of a language shows: its own, a near relative's, or the default.
func shownIn(locale, text string, localized map[string]string) string {
	for _, l := range []string{locale, nearby[locale]} {
		if s := localized[l]; s != "" {
			return s
		}
	}
	return text
}

// Localised is the command as a client of the given language (for example "ru") shows it: a copy in which names and
// descriptions of the command, its options and choices are in that language, with Discord's fallbacks (en-US and
// en-GB for each other, es-ES for es-419, else the default). Interactions carry the default names all the same, and
// [Seat.Slash] takes both.
func (c *Command) Localised(locale string) *Command {
	out := *c
	out.Name = shownIn(locale, c.Name, c.NameLocalizations)
	out.Description = shownIn(locale, c.Description, c.DescriptionLocalizations)
	out.Options = localisedOptions(c.Options, locale)
	return &out
}

func localisedOptions(list []CommandOption, locale string) []CommandOption {
	out := slices.Clone(list)
	for i, o := range list {
		out[i].Name = o.Shown(locale)
		out[i].Description = shownIn(locale, o.Description, o.DescriptionLocalizations)
		out[i].Options = localisedOptions(o.Options, locale)
		out[i].Choices = slices.Clone(o.Choices)
		for j, ch := range o.Choices {
			out[i].Choices[j].Name = ch.Shown(locale)
		}
	}
	return out
}

// Shown is the command's name in a client of the given language.
func (c *Command) Shown(locale string) string { return shownIn(locale, c.Name, c.NameLocalizations) }

// Shown is the option's name in a client of the given language.
func (o CommandOption) Shown(locale string) string {
	return shownIn(locale, o.Name, o.NameLocalizations)
}

// Shown is the choice's name in a client of the given language.
func (c CommandChoice) Shown(locale string) string {
	return shownIn(locale, c.Name, c.NameLocalizations)
}

// called tells whether a person types this word for something: its default name, or what their client shows.
func called(word, name, shown string) bool { return word == name || word == shown }

// wantedLocale is the language in which a list of commands is asked for: X-Discord-Locale, then Accept-Language.
func wantedLocale(h http.Header) string {
	if l := h.Get("X-Discord-Locale"); l != "" {
		return l
	}
	first, _, _ := strings.Cut(h.Get("Accept-Language"), ",")
	first, _, _ = strings.Cut(first, ";")
	return strings.TrimSpace(first)
}

// withoutDictionaries is a command as lists show it when localisations are not asked for: the dictionaries are left
// out, and what they hold for the asked language stands in name_localized and description_localized.
func withoutDictionaries(m map[string]any, locale string) {
	for _, key := range []string{"name", "description"} {
		dict, _ := m[key+"_localizations"].(map[string]any)
		for _, l := range []string{locale, nearby[locale]} {
			if s, ok := dict[l].(string); ok && m[key+"_localized"] == nil {
				m[key+"_localized"] = s
			}
		}
		delete(m, key+"_localizations")
	}
	for _, key := range []string{"options", "choices"} {
		list, _ := m[key].([]any)
		for _, o := range list {
			if om, ok := o.(map[string]any); ok {
				withoutDictionaries(om, locale)
			}
		}
	}
}
