package bot

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"rowbot/match"
)

// splitCommand takes "gomoku move" apart.
func splitCommand(name string) (game match.Game, sub string, ok bool) {
	first, sub, ok := strings.Cut(name, " ")
	game = match.Game(first)
	return game, sub, ok && (game == match.TicTacToe || game == match.Gomoku)
}

// proposal reads what the options of challenge and bot have in common. It is
// false where an option has a value that was never offered.
// What was left out is as the server has it.
func (b *Bot) proposal(r *request, house match.Guild, g match.Game, args arguments, side match.Side) (match.Proposal, bool) {
	rules, ok1 := rulesOf(house, g, args)
	side, ok2 := sideOf(args.text("side"), side)
	pace, ok3 := paceOf(args.text("pace"), cmp.Or(house.Pace, b.pace))
	return match.Proposal{
		ID: r.start, Rules: rules, Challenger: r.me(), Side: side, Pace: pace,
		Where: r.here(),
	}, ok1 && ok2 && ok3
}

func rulesOf(house match.Guild, g match.Game, args arguments) (match.Rules, bool) {
	if g == match.TicTacToe {
		return match.TicTacToeRules(), true
	}
	side, ok1 := boardSide(args.text("size"), cmp.Or(house.Side, usualSide))
	variant, ok2 := variantOf(args.text("rules"), house.Variant)
	return match.GomokuRules(side, variant), ok1 && ok2
}

// usualSide is the size of a gomoku board where nobody chose.
const usualSide = 15

func boardSide(text string, otherwise int8) (int8, bool) {
	switch text {
	case "":
		return otherwise, true
	case "15":
		return 15, true
	case "19":
		return 19, true
	}
	return otherwise, false
}

// variants are the rules of gomoku, as offered.
var variants = []match.Variant{match.Freestyle, match.Standard, match.Renju}

func variantOf(text string, otherwise match.Variant) (match.Variant, bool) {
	if text == "" {
		return otherwise, true
	}
	for _, v := range variants {
		if v.String() == text {
			return v, true
		}
	}
	return otherwise, false
}

func sideOf(text string, otherwise match.Side) (match.Side, bool) {
	switch text {
	case "":
		return otherwise, true
	case "first":
		return match.SideFirst, true
	case "second":
		return match.SideSecond, true
	case "random":
		return match.SideRandom, true
	}
	return 0, false
}

// paces are the times a move may take, as offered.
var paces = []struct {
	value string
	pace  time.Duration
}{
	{"5m", 5 * time.Minute},
	{"15m", 15 * time.Minute},
	{"1h", time.Hour},
	{"6h", 6 * time.Hour},
	{"1d", 24 * time.Hour},
	{"3d", 72 * time.Hour},
	{"7d", 168 * time.Hour},
}

func paceOf(text string, otherwise time.Duration) (time.Duration, bool) {
	if text == "" {
		return otherwise, true
	}
	for _, p := range paces {
		if p.value == text {
			return p.pace, true
		}
	}
	return 0, false
}

// againstRowbot starts a match against Rowbot.
func (b *Bot) againstRowbot(ctx context.Context, r *request, g match.Game, args arguments) (answer, error) {
	house, no, err := b.startingHere(ctx, r)
	if err != nil || no != "" {
		return say(no), err
	}
	p, ok := b.proposal(r, house, g, args, match.SideFirst)
	level, known := levelOf(g, args.text("level"))
	if !ok || !known {
		return say(r.mine.T("bad_option")), nil
	}
	p.Opponent = match.Engine(level)
	return b.propose(ctx, r, p)
}

// levels are those at which Rowbot plays a game, the weakest first.
var levels = map[match.Game][]match.Level{
	match.TicTacToe: {match.Random, match.Easy, match.Medium, match.Perfect},
	match.Gomoku:    {match.Random, match.Easy, match.Medium, match.Hard, match.Master},
}

func levelOf(g match.Game, text string) (match.Level, bool) {
	if text == "" {
		return match.Random, true
	}
	for _, l := range levels[g] {
		if l.String() == text {
			return l, true
		}
	}
	return match.NoLevel, false
}

// challenge posts a challenge, or starts a match where Rowbot is challenged.
func (b *Bot) challenge(ctx context.Context, r *request, g match.Game, args arguments, who people) (answer, error) {
	house, no, err := b.startingHere(ctx, r)
	if err != nil || no != "" {
		return say(no), err
	}
	p, ok := b.proposal(r, house, g, args, match.SideRandom)
	if !ok {
		return say(r.mine.T("bad_option")), nil
	}
	opponent, problem := b.opponent(r, args.text("opponent"), who)
	if problem != "" {
		return say(r.mine.T(problem, "Game", string(g))), nil
	}
	p.Opponent = opponent
	if p.Opening, ok = openingOf(g, args); !ok {
		return say(r.mine.T("bad_option")), nil
	}
	return b.propose(ctx, r, p)
}

func openingOf(g match.Game, args arguments) (match.Opening, bool) {
	switch args.text("opening") {
	case "", match.FreeOpening.String():
		return match.FreeOpening, true
	case match.Swap2.String():
		return match.Swap2, g == match.Gomoku
	}
	return 0, false
}

// opponent finds out who is challenged: nobody for an open challenge, Rowbot, or
// a person; or the key of what is wrong with them.
func (b *Bot) opponent(r *request, id string, who people) (match.Player, string) {
	alone := r.GuildID == "" && r.Context == discordgo.InteractionContextBotDM
	switch {
	case id == b.userID || id == b.appID:
		return match.Engine(match.Random), ""
	case id == "" && alone:
		return match.Player{}, "nobody_here"
	case id == "":
		return match.Player{}, ""
	case id == r.user.ID:
		return match.Player{}, string(match.Yourself)
	}
	if who != nil {
		if u := who.Users[id]; u != nil {
			if u.Bot || u.System {
				return match.Player{}, "another_bot"
			}
			b.learnName(u, who.Members[id])
		}
		if _, here := who.Members[id]; r.GuildID != "" && !here {
			return match.Player{}, "opponent_left"
		}
	}
	if alone {
		return match.Player{}, "nobody_here"
	}
	return match.Person(id), ""
}

// propose stores the match and answers with its message, which pings nobody but
// the person who is invited.
func (b *Bot) propose(ctx context.Context, r *request, p match.Proposal) (answer, error) {
	m, err := b.matches.Challenge(ctx, p)
	if err != nil {
		return b.refuse(r, &m, err, "")
	}
	m = b.replied(ctx, m)
	a := b.post(r, &m)
	if msg, ok := a.data.(message); ok && m.Status == match.Challenged && m.Invited.User != "" {
		msg.Mentions.Users = []string{m.Invited.User}
		a.data = msg
	}
	return a, nil
}

// post answers with a match's board as a new message, which everybody sees and
// the match moves to.
func (b *Bot) post(r *request, m *match.Match) answer {
	m.Where.Locale = r.ours.Tag()
	return answer{
		kind: callbackReply, data: b.board(r.ours, m, nil),
		shows: m, posts: true, outcome: "posted",
		starts: m.ID == r.start && m.Status == match.Active,
	}
}

// update answers with a match's board in place of the message that was used.
func (b *Bot) update(ctx context.Context, m *match.Match) answer {
	return answer{kind: callbackUpdate, data: b.board(b.boardIn(ctx, m), m, nil), shows: m, outcome: "updated"}
}

// rematch starts the match again with sides swapped, or leads to where that was
// done already.
func (b *Bot) rematch(ctx context.Context, r *request, p press) (answer, error) {
	if _, no, err := b.startingHere(ctx, r); err != nil || no != "" {
		return say(no), err
	}
	if b.deserted(ctx, r, p.match) {
		return say(r.mine.T("rematch_left")), nil
	}
	m, err := b.matches.Rematch(ctx, p.match, r.start, r.me(), r.here())
	if err != nil {
		return b.refuse(r, &m, err, "")
	}
	switch fresh := m.ID == r.start; {
	case fresh:
	case m.Where.Message != "":
		return say(r.mine.T("rematch_there", "Link", link(m.Where))), nil
	case b.matches.Now().Sub(m.Created) < justNow:
		return say(r.mine.T("rematch_coming")), nil
	}
	m = b.replied(ctx, m)
	a := b.post(r, &m)
	a.redraw = p.match
	return a, nil
}

// justNow is how long a match without a known message may still be on its way
// to Discord.
const justNow = 15 * time.Second
