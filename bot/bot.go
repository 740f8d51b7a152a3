package bot

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"rowbot/bot/locale"
	"rowbot/match"
)

// REST makes one call of Discord's API: no retries behind the back, the context
// respected. The path is relative to the versioned base. The body is encoded as
// JSON, a gateway.Form as multipart. An answer other than 2xx is a
// *gateway.APIError.
type REST interface {
	Call(ctx context.Context, method, path string, body any) (json.RawMessage, error)
}

// Options is what a Bot is made of. All fields but UserID, Pace, TurnNotice and Observe are needed.
type Options struct {
	Matches *match.Service
	REST    REST
	Log     *slog.Logger
	AppID   string        // the application's ID
	UserID  string        // the bot user's own ID; empty: the same as AppID
	Pace    time.Duration // time that a move may take where nobody chose; 0: three days
	// TurnNotice is how long nothing happens in a match between people before
	// whoever is to move is told so; 0: nobody is.
	TurnNotice time.Duration
	// Observe is told of every interaction that was answered; nil: nobody is. It
	// must not take long.
	Observe func(Answered)
}

// Bot answers interactions. It is safe for concurrent use; nothing that
// matters lives in it, so that it can be stopped and started at any moment.
type Bot struct {
	matches  *match.Service
	store    match.Store
	rest     REST
	log      *slog.Logger
	texts    *locale.Bundle
	appID    string
	userID   string
	pace     time.Duration
	observe  func(Answered)
	boards   *boards
	thinking *thinkers
	notices  *notices
	films    films
	houses   *lru.Cache[string, house] // what was chosen for servers, by their IDs
	chosen   atomic.Int64              // how often that was changed here
	reach    *lru.Cache[string, reach] // how messages can be edited, by their IDs

	seen  *lru.Cache[string, struct{}] // interactions taken already
	names *lru.Cache[string, string]   // users' names, for lists that cannot hold mentions

	sights *lru.Cache[sight, time.Time] // when people were last seen at their matches

	following chan struct{} // places for work behind answers, see behind
	drawing   chan struct{} // places for boards drawn unasked, see showAll

	stop context.CancelFunc
	work sync.WaitGroup // the goroutines that Close waits for
}

const (
	defaultPace = 72 * time.Hour
	// maxKept is the size of each of a Bot's caches of interactions, people and
	// messages: more than one process has at play at a time, and few enough that memory
	// stays level after the first minutes of a high load. What has been forgotten is
	// asked for again, or done without.
	maxKept   = 8_000
	maxHouses = 10_000
)

// New makes a Bot. Close ends it.
func New(o Options) (*Bot, error) {
	if o.Matches == nil || o.REST == nil || o.Log == nil || o.AppID == "" {
		return nil, errors.New("bot: an option is missing")
	}
	texts, err := locale.Load()
	if err != nil {
		return nil, err
	}
	if o.UserID == "" {
		o.UserID = o.AppID
	}
	if o.Pace == 0 {
		o.Pace = defaultPace
	}
	b := &Bot{
		matches: o.Matches, store: o.Matches.Store, rest: o.REST, log: o.Log, texts: texts,
		appID: o.AppID, userID: o.UserID, pace: o.Pace, observe: o.Observe,
		seen: kept[string, struct{}](maxKept), names: kept[string, string](maxKept), sights: kept[sight, time.Time](maxKept),
		reach: kept[string, reach](maxKept), houses: kept[string, house](maxHouses),
		following: make(chan struct{}, behindAtOnce),
		drawing:   make(chan struct{}, showAtOnce),
		films:     newFilms(),
	}
	ctx, stop := context.WithCancel(context.Background())
	b.stop = stop
	b.boards = newBoards(ctx, b)
	b.thinking = newThinkers(ctx, b)
	b.notices = &notices{bot: b, quiet: o.TurnNotice, busy: map[match.ID]bool{}, offers: kept[match.ID, offer](maxKept)}
	return b, nil
}

// kept remembers the last so many things.
func kept[K comparable, V any](most int) *lru.Cache[K, V] {
	cache, _ := lru.New[K, V](max(most, 1)) // fails only where that is 0 or less
	return cache
}

// Close gives the work behind the last answers some time to finish, then stops what
// still runs in the background, such as boards waiting to be redrawn, and waits for
// it. Nothing that is stored depends on it.
func (b *Bot) Close() {
	b.awaitBehind()
	b.stop()
	b.work.Wait()
}
