package e2e_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/sandbox"
)

// abroad are people in a channel of a server that has a language. Alice speaks
// it too; Bob speaks German and Chen English.
func abroad(t *testing.T, locale string) *party {
	t.Helper()
	w := start(t)
	hall := w.AddGuild("Abroad", sandbox.GuildOptions{
		Owner: w.Darya, Locale: locale, Members: []*sandbox.Person{w.Alice, w.Bob, w.Chen},
	}).AddChannel("hall")
	w.Alice.SetLocale(locale)
	w.Bob.SetLocale("de")
	return &party{world: w, alice: w.Alice.In(hall), bob: w.Bob.In(hall), chen: w.Chen.In(hall)}
}

// first is a challenge of Alice's, who wants to move first, to Bob.
func (p *party) first(game string) *sandbox.Message {
	p.t.Helper()
	return p.slash(p.alice, game+" challenge", sandbox.UserOption("opponent", p.Bob), sandbox.String("side", "first")).Message
}

func TestRussian(t *testing.T) {
	t.Parallel()
	p := abroad(t, "ru")
	a, b := p.Alice.Mention(), p.Bob.Mention()
	offer := p.first("gomoku")
	p.says(offer, "**Гомоку** · 15×15 · фристайл · первый ход: "+a+"\n"+a+" бросает вызов. Отвечает "+b+". Вызов истекает <t:")
	p.buttons(offer, "Принять, Отклонить, Отозвать")
	p.told(p.click(p.alice, offer, "Принять"), "Свой вызов принять нельзя. Подожди, пока ответит "+b+", или отзови вызов.")
	p.told(p.click(p.chen, offer, "Принять"), "This challenge is for "+b+".")
	board := p.update(p.bob, offer, "Принять")
	p.says(board, "**Гомоку** · 15×15 · фристайл · ⚫ "+a+" – ⚪ "+b+"\nХодит ⚫ "+a+" · ход 1\n")
	board = p.play(board, "h8", "h9", "g8", "g9", "i8")
	p.says(board, "Ходит ⚪ "+b+" · ход 6 · последний ⚫ i8")
	p.told(p.click(p.alice, board, "g7"), "Сейчас ходит "+b+".")
	p.told(p.slash(p.bob, "gomoku move", sandbox.String("cell", "H8")), "h8 ist besetzt. Nimm ein freies Feld, zum Beispiel ")
	p.told(p.slash(p.bob, "gomoku move", sandbox.String("cell", "z9")), "Auf einem Brett mit 15×15 gibt es kein z9: Spalten a–o, Zeilen 1–15, wie h8.")
	p.told(p.slash(p.bob, "gomoku pass"), "Du hast gepasst.")
	board = p.await(board, "последний ⚪ пас")
	menu := p.click(p.alice, board, "Ещё")
	p.told(menu, "Что будем делать?")
	p.buttons(menu.Message, "Пас, Предложить ничью, Сдаться")
	form := p.click(p.alice, board, "Ввести ход").Modal
	r, err := p.alice.SubmitModal(t.Context(), form, map[string]string{"cell": "11-й"})
	if err != nil {
		t.Fatal(err)
	}
	p.told(r, "Не вижу клетки в «11\\-й». Напиши, например, h8 или ряд и столбец: 8 8.")
	board = p.play(board, "f8", "f9", "e8")
	p.says(board, "**Победа**: ⚫ "+a+" · пять в ряд, e8–i8 · 9 ходов")
	p.buttons(board, "Реванш, Повтор")
	next := p.click(p.bob, board, "Реванш").Message
	p.says(next, "Ходит ⚫ "+b+" · ход 1")
	p.says(p.await(board, "Реванш здесь"), "Реванш здесь: https://discord.com/channels/")
	p.says(p.slash(p.bob, "stats").Message, "**Статистика** · "+b, "0 побед, 0 ничьих, 1 поражение", "рейтинг ", "серия 0, лучшая 0")
	p.says(p.slash(p.chen, "leaderboard").Message, "**Таблица лидеров** · Гомоку · этот сервер · по рейтингу", "1 В 0 Н 0 П")
	p.told(p.slash(p.bob, "help"), "**So wird gespielt**")
}

func TestJapanese(t *testing.T) {
	t.Parallel()
	p := abroad(t, "ja")
	a, b := p.Alice.Mention(), p.Bob.Mention()
	offer := p.slash(p.alice, "ttt challenge", sandbox.String("side", "second")).Message
	p.says(offer, "**三目並べ** · 3×3 · "+a+" さんが後手\n"+a+" さんが対戦相手を募集中です。早い者勝ちですよ。期限は <t:")
	p.buttons(offer, "受ける, 取り下げる")
	board := p.update(p.bob, offer, "受ける")
	p.says(board, "**三目並べ** · 3×3 · ❌ "+b+" – ⭕ "+a+"\n❌ "+b+" の番 · 1手目\n")
	board = p.update(p.bob, board, "b2")
	p.told(p.click(p.bob, board, "a1"), a+" ist am Zug.")
	p.told(p.slash(p.alice, "ttt move", sandbox.String("cell", "b2")), "b2 はもう埋まっています。")
	board = p.update(p.alice, board, "a1")
	p.says(board, "3手目 · 直前 ⭕ a1")
	drawn := p.click(p.bob, board, "引き分けを提案").Message
	p.says(drawn, b+" さんが "+a+" さんに引き分けを提案しています。")
	p.says(p.update(p.alice, drawn, "断る"), a+" さんは引き分けを断りました。対局は続きます。")
	board = p.until(board, func(m *sandbox.Message) bool { return !strings.Contains(m.Text(), "提案しています") })
	sure := p.click(p.alice, board, "投了")
	p.told(sure, b+" との三目並べを投了しますか？")
	p.says(p.update(p.alice, sure.Message, "投了"), "投了しました。それでもいい対局でしたね！")
	p.says(p.await(board, "勝ち"), "❌ "+b+" の**勝ち** · "+a+" の投了 · 全2手")
	p.says(p.slash(p.alice, "stats").Message, "**成績**", "0勝 0分け 1敗")

	alone := p.slash(p.alice, "gomoku bot", sandbox.String("level", "easy"), sandbox.String("rules", "renju")).Message
	p.says(alone, "**五目並べ** · 15×15 · 連珠 · ⚫ "+a+" – ⚪ Rowbot（やさしい）")
	alone = p.update(p.alice, alone, "h8")
	p.says(p.await(alone, "3手目"), "⚫ "+a+" の番 · 3手目 · 直前 ⚪ ")
}

func TestGerman(t *testing.T) {
	t.Parallel()
	p := abroad(t, "de")
	a, b := p.Alice.Mention(), p.Bob.Mention()
	offer := p.first("ttt")
	p.says(offer, "**Tic-Tac-Toe** · 3×3 · "+a+" fängt an\n"+a+" fordert "+b+" heraus. Das Angebot läuft <t:")
	board := p.play(p.update(p.bob, offer, "Annehmen"), "b2", "a1", "c1", "a3", "a2", "c2", "b3", "b1")
	p.says(board, "❌ "+a+" ist am Zug · Zug 9 · zuletzt ⭕ b1")
	p.says(p.update(p.alice, board, "c3"), "Remis · das Brett ist voll · 9 Züge")
	p.says(p.slash(p.chen, "stats", sandbox.UserOption("player", p.Alice)).Message, "0 Siege, 1 Unentschieden, 0 Niederlagen")
	large := p.first("gomoku")
	p.says(p.update(p.bob, large, "Ablehnen"), b+" lehnt ab.")
	p.says(p.click(p.alice, p.until(board, func(m *sandbox.Message) bool { return m.Button("Revanche") != nil }), "Revanche").Message, "❌ "+b+" ist am Zug · Zug 1")
}

// A board is in the server's language whoever has it drawn: after a restart the
// clock as well.
func TestLanguageLasts(t *testing.T) {
	t.Parallel()
	p := abroad(t, "ru")
	board := p.play(p.update(p.bob, p.first("gomoku"), "Принять"), "h8", "h9")
	offer := p.first("ttt")
	p.stop()
	p.clock.forward(100 * time.Hour)
	p.connect()
	p.sweep()
	p.says(p.await(board, "Победа"), "**Победа**: ⚪ "+p.Bob.Mention()+" · по времени · 2 хода")
	p.says(p.await(offer, "вышло"), "Время этого вызова вышло.")

	alone := p.slash(p.bob, "gomoku bot", sandbox.String("level", "master")).Message
	thinks := p.update(p.bob, alone, "h8")
	p.says(thinks, "Ходит ⚪ Rowbot (мастер), думает… · ход 2 · последний ⚫ h8")
	p.says(p.await(alone, "ход 3"), "Ходит ⚫ "+p.Bob.Mention()+" · ход 3 · последний ⚪ ")
	sure := p.slash(p.bob, "gomoku resign")
	p.told(sure, "Gomoku 15×15 gegen Rowbot (Meister) aufgeben?")
	p.click(p.bob, sure.Message, "Aufgeben")
	p.says(p.await(alone, "Победа"), "**Победа**: ⚪ Rowbot (мастер) · "+p.Bob.Mention()+" сдаётся · 2 хода")
}

// What the stand-in's people are offered is in their languages, and can be
// called by those names; nothing is registered again at the next start.
func TestCommandsByLanguage(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	for locale, want := range map[string][]string{
		"ru":     {"Гомоку, пять в ряд", "Вызвать друга или того, кто согласится первым", "соперник сторона размер правила дебют темп", "19×19", "рэндзю: чёрным нельзя длинный ряд и вилки 3×3 и 4×4"},
		"zh-TW":  {"五子棋，五子連線", "挑戰朋友，或第一個接受的人", "對手 先後手 大小 規則 開局 限時", "19×19", "連珠規則：黑方禁長連、三三、四四"},
		"es-419": {"Gomoku, cinco en línea", "Desafía a alguien, o a quien acepte antes", "rival lado tamaño reglas apertura ritmo", "19×19", "renju: las negras no pueden hacer sobrelínea, doble tres ni doble cuatro"},
		"it":     {"Gomoku, five in a row", "Challenge a friend, or whoever accepts first", "opponent side size rules opening pace", "19×19", "renju: black may make no overline, double three or double four"},
	} {
		offered := p.alice.Offered()
		i := slices.IndexFunc(offered, func(c *sandbox.Command) bool { return c.Name == "gomoku" })
		gomoku := offered[i].Localised(locale)
		challenge := gomoku.Options[0]
		var names []string
		for _, o := range challenge.Options {
			names = append(names, o.Name)
		}
		got := []string{
			gomoku.Description, challenge.Description, strings.Join(names, " "),
			challenge.Options[2].Choices[1].Name, challenge.Options[3].Choices[2].Name,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", locale, diff)
		}
	}
	p.Alice.SetLocale("ru")
	r, err := p.alice.Type(t.Context(), "/gomoku challenge соперник:bob сторона:second правила:renju")
	if err != nil {
		t.Fatal(err)
	}
	p.says(r.Message, "**Gomoku** · 15×15 · renju", p.Alice.Mention()+" moves second", p.Bob.Mention())
	first := p.wrote
	p.stop()
	p.connect()
	if !first || p.wrote {
		t.Errorf("registered at the first start: %v, at the second: %v", first, p.wrote)
	}
}

// Who runs a server can choose another language for its boards than Discord
// knows of; a running board follows at the next click.
func TestChosenLanguage(t *testing.T) {
	t.Parallel()
	p := abroad(t, "de")
	all := p.Guilds()
	darya := p.Darya.In(all[len(all)-1].Channels()[0])
	board := p.update(p.bob, p.first("ttt"), "Annehmen")
	p.says(board, "**Tic-Tac-Toe**", p.Alice.Mention()+" ist am Zug")
	p.slash(darya, "settings language", sandbox.String("language", "ja"))
	p.says(p.first("gomoku"), "**五目並べ** · 15×15 · 自由ルール")
	p.says(p.now(board), "**Tic-Tac-Toe**")
	board = p.update(p.alice, board, "b2")
	p.says(board, "**三目並べ**", "⭕ "+p.Bob.Mention()+" の番 · 2手目 · 直前 ❌ b2")
	p.told(p.click(p.alice, board, "a1"), p.Bob.Mention()+" ist am Zug.")
}
