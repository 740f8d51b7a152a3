package bot_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"

	"rowbot/match"
)

// between is an interaction of somebody with a language in a server with one.
func between(i *discordgo.Interaction, mine, ours discordgo.Locale) *discordgo.Interaction {
	i.Locale = mine
	if i.GuildLocale != nil {
		i.GuildLocale = &ours
	}
	return i
}

// alone changes an interaction to one in a conversation without a server.
func (w *world) alone(user string, kind int, data fields) *discordgo.Interaction {
	w.Helper()
	return w.event(kind, user, data, fields{
		"guild_id": nil, "guild": nil, "guild_locale": nil, "member": nil, "user": person(user), "context": 2,
		"message": message(board, 1<<15),
	})
}

// What all see is in the server's language, what one sees in that one's own.
func TestWhoIsSpokenToHow(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.serve(between(w.command(alice, "ttt", "challenge", option("opponent", bob), option("side", "first")), "de", "ru"))
		c := w.expect(withMessage)[0]
		checkCall(t, c, 4, components, "**Крестики-нолики** · 3×3 · первый ход: <@"+alice+">", "<@"+alice+"> бросает вызов. Отвечает <@"+bob+">.", "Принять")
		m := w.only(alice)
		on := m.Where.Message
		if m.Where.Locale != "ru" {
			t.Errorf("the board is noted in %q", m.Where.Locale)
		}
		w.serve(between(w.click(carol, pressID(m.ID, 1, "accept"), on), "fr", "ru"))
		checkCall(t, w.expect(firstAnswer)[0], 4, private, "Ce défi s’adresse à <@"+bob+">.")
		w.serve(between(w.click(bob, pressID(m.ID, 1, "accept"), on), "ja", "ru"))
		checkCall(t, w.expect(askAlice, firstAnswer)[1], 7, components, "Ходит ❌ <@"+alice+"> · ход 1")
		w.serve(between(w.click(alice, pressID(m.ID, 2, "cell:b2"), on), "de", "ru"))
		checkCall(t, w.expect(firstAnswer)[0], 7, components, "Ходит ⭕ <@"+bob+"> · ход 2 · последний ❌ b2", "Предложить ничью", "Сдаться")
		w.serve(between(w.click(alice, pressID(m.ID, 3, "cell:a1"), on), "de", "ru"))
		checkCall(t, w.expect(firstAnswer)[0], 4, private, "<@"+bob+"> ist am Zug.")
		w.serve(between(w.click(bob, pressID(m.ID, 3, "cell:b2"), on), "zh-TW", "ru"))
		checkCall(t, w.expect(firstAnswer)[0], 4, private, "b2 已經有子了。")
		// A command is answered in private, and the board follows in its own language.
		w.serve(between(w.command(bob, "ttt", "move", option("cell", "a1")), "ko", "ru"))
		calls := w.expect("PATCH channels/"+channel+"/messages/"+on, firstAnswer)
		if !strings.Contains(calls[0].words(), "последний ⭕ a1") {
			t.Errorf("the board became %v", calls[0])
		}
		checkCall(t, calls[1], 4, private, "a1에 뒀어요.")
		w.serve(between(w.command(alice, "ttt", "draw"), "pt-BR", "ru"))
		calls = w.expect("POST interactions/…", "PATCH channels/"+channel+"/messages/"+on)
		checkCall(t, calls[0], 4, components, "<@"+alice+"> предлагает ничью. Отвечает <@"+bob+">.", "Принять", "Отклонить")
		w.serve(between(w.command(alice, "stats", ""), "es-419", "ru"))
		checkCall(t, w.expect(firstAnswer)[0], 4, components, "**Статистика**", "Пока ни одной законченной партии.")
		w.serve(between(w.command(alice, "matches", ""), "es-419", "ru"))
		checkCall(t, w.expect(firstAnswer)[0], 4, components+private, "**Tus partidas**", "contra <@"+bob+"> · te toca · jugada 3")
	})
}

// A board that nobody's click draws again stays in its language: after a
// resignation in private, by the clock, and where another message replaces it.
func TestBoardKeepsItsLanguage(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		post := func(game, sub string, options ...fields) match.Match {
			w.serve(between(w.command(alice, game, sub, options...), "de", "ru"))
			w.expect(withMessage)
			return w.only(alice)
		}
		m := post("gomoku", "bot")
		on := m.Where.Message
		w.serve(between(w.click(alice, pressID(m.ID, m.Version, "cell:h8"), on), "de", "ru"))
		w.expect(firstAnswer)
		m = w.only(alice)

		w.bot.Redraw(m.ID)
		synctest.Wait()
		if words := lastOn(w.rest.take(), on); !strings.Contains(words, "**Гомоку** · 15×15 · фристайл") {
			t.Errorf("drawn again: %s", words)
		}
		// Posted again where the server's language has changed since.
		w.serve(between(w.command(alice, "gomoku", "board"), "de", "ja"))
		calls := w.rest.take()
		checkCall(t, calls[0], 4, components, "**五目並べ** · 15×15 · 自由", "⚫ <@"+alice+"> の番 · 3手目")
		if words := lastOn(calls, on); !strings.Contains(words, "**Гомоку**") || !strings.Contains(words, "Доска теперь здесь: https://") {
			t.Errorf("the old message: %s", words)
		}
		m = w.only(alice)
		if on = m.Where.Message; m.Where.Locale != "ja" {
			t.Errorf("the board is noted in %q", m.Where.Locale)
		}

		time.Sleep(73 * time.Hour)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			w.bot.Sweep(ctx, time.Hour)
		}()
		synctest.Wait()
		stop()
		<-done
		if words := lastOn(w.rest.take(), on); !strings.Contains(words, "⚪ Rowbot（ランダム） の**勝ち** · 時間切れ") {
			t.Errorf("after the sweep: %s", words)
		}
	})
}

// Between two people without a server the board is in the language of the one
// who posted it, whoever clicks.
func TestLanguageWithoutAServer(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.serve(between(w.alone(alice, 2, slash("ttt", "challenge", option("opponent", bob), option("side", "first"))), "fr", ""))
		checkCall(t, w.expect(withMessage)[0], 4, components, "**Morpion** · 3×3", "<@"+alice+"> défie <@"+bob+">.")
		m := w.only(alice)
		for _, c := range []struct {
			by, verb, words string
			locale          discordgo.Locale
		}{
			{bob, "accept", "À ❌ <@" + alice + "> de jouer · coup 1", "ko"},
			{alice, "cell:b2", "À ⭕ <@" + bob + "> de jouer · coup 2 · dernier\u202f: ❌ b2", "fr"},
			{bob, "cell:a1", "À ❌ <@" + alice + "> de jouer · coup 3 · dernier\u202f: ⭕ a1", "ko"},
		} {
			i := w.alone(c.by, 3, fields{"custom_id": pressID(m.ID, m.Version, c.verb), "component_type": 2, "id": 3})
			i.Message.ID = m.Where.Message
			w.serve(between(i, c.locale, ""))
			checkCall(t, w.expect(firstAnswer)[0], 7, components, c.words)
			m = w.stored(m.ID)
		}
	})
}

// In a server the board follows the server's language at the next click.
func TestServerChangesItsLanguage(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(large, board, "h8")
		w.serve(between(w.click(bob, pressID(m.ID, m.Version, "cell:h9"), board), "en-US", "zh-CN"))
		checkCall(t, w.expect(firstAnswer)[0], 7, components, "轮到 ⚫ <@"+alice+"> · 第 3 手 · 上一手 ⚪ h9")
		if got := w.stored(m.ID).Where; got != (match.Where{Guild: guild, Channel: channel, Message: board, Locale: "zh-CN"}) {
			t.Errorf("the board is noted as %+v", got)
		}
	})
}
