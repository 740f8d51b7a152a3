package sandbox_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rowbot/sandbox"
)

func messageJSON(t *testing.T, m *sandbox.Message) obj {
	t.Helper()
	return answer{body: m.JSON()}.json()
}

// foreign is a command that is called otherwise in Russian, British English and Spanish.
func foreign() obj {
	return obj{
		"name": "game", "description": "Play", "name_localizations": obj{"ru": "игра", "es-ES": "juego", "en-GB": "match"},
		"description_localizations": obj{"ru": "Сыграть"},
		"options": list{obj{
			"type": 1, "name": "start", "description": "Start", "name_localizations": obj{"ru": "начать"},
			"options": list{obj{
				"type": 3, "name": "side", "description": "Side", "required": true, "name_localizations": obj{"ru": "сторона"},
				"choices": list{obj{"name": "First", "value": "first", "name_localizations": obj{"ru": "Первая"}}},
			}},
		}},
	}
}

func TestCommandsInTheLanguageOfThePerson(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	b.want(201, b.call("POST", globalCommands, foreign()))
	cmd := srv.Commands("")[len(srv.Commands(""))-1]
	for locale, want := range map[string][]string{
		"ru":     {"игра", "Сыграть", "начать", "сторона", "Первая"},
		"es-419": {"juego", "Play", "start", "side", "First"},
		"es-ES":  {"juego", "Play", "start", "side", "First"},
		"en-US":  {"match", "Play", "start", "side", "First"},
		"de":     {"game", "Play", "start", "side", "First"},
	} {
		c := cmd.Localised(locale)
		sub := c.Options[0]
		got := []string{c.Name, c.Description, sub.Name, sub.Options[0].Name, sub.Options[0].Choices[0].Name}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", locale, diff)
		}
	}
	if cmd.Name != "game" || cmd.Options[0].Options[0].Choices[0].Name != "First" {
		t.Error("the registered command itself has changed")
	}
	b.answerWith(obj{"type": 4, "data": obj{"content": "x"}})
	for _, line := range []string{"/игра начать сторона:Первая", "/game start side:first"} {
		must[*sandbox.Reply](t)(srv.Darya.In(srv.Games).Type(t.Context(), line))
		data := b.seenLast()["data"].(obj)
		sub := data["options"].(list)[0].(obj)
		want := list{obj{"name": "side", "type": 3.0, "value": "first"}}
		if data["name"] != "game" || sub["name"] != "start" || cmp.Diff(want, sub["options"]) != "" {
			t.Errorf("%s: the interaction has %v", line, data)
		}
	}
	if _, err := srv.Bob.In(srv.Games).Type(t.Context(), "/игра начать сторона:Первая"); err == nil {
		t.Error("a German client knows the Russian name")
	}
}

// TestLocalizedNamesInLists: lists give the names of the asked language instead of the dictionaries.
func TestLocalizedNamesInLists(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	b.want(200, b.call("PUT", globalCommands, list{foreign()}))
	for header, value := range map[string]string{"X-Discord-Locale": "ru", "Accept-Language": "ru,en;q=0.5"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.APIURL()+"/v10"+globalCommands, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("User-Agent", "DiscordBot (x, 1)")
		req.Header.Set("Authorization", "Bot "+sandbox.Token)
		req.Header.Set(header, value)
		got := must[answer](t)(do(req))
		first := answer{body: got.body[1 : len(got.body)-1]}.json()
		if first["name"] != "game" || first["name_localized"] != "игра" || first["description_localized"] != "Сыграть" || first["name_localizations"] != nil {
			t.Errorf("%s: %s", header, got.body)
		}
	}
}
