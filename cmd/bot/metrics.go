package main

import (
	"context"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"rowbot/bot"
	"rowbot/bot/gateway"
	"rowbot/match"
)

// figures are what /metrics shows. They have a registry of their own; the packages
// that are counted know nothing of them and only call the functions that they got.
type figures struct {
	registry     *prometheus.Registry
	interactions *prometheus.CounterVec
	undelivered  prometheus.Counter
	answers      *prometheus.HistogramVec
	store        *prometheus.HistogramVec
	requests     *prometheus.CounterVec
	requestTimes *prometheus.HistogramVec
	refusals     *prometheus.CounterVec
	foldings     *prometheus.CounterVec
	backups      *prometheus.CounterVec
	lastBackup   prometheus.Gauge
}

// The upper ends of the classes of times, in seconds: those of answers are close to
// each other where Discord's three seconds come near, those of the store begin
// where SQLite works.
var (
	answerTimes = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 1.5, 2, 2.5, 3, 5}
	storeTimes  = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5}
)

func newFigures() *figures {
	f := &figures{registry: prometheus.NewRegistry()}
	counters := func(name, help string, labels ...string) *prometheus.CounterVec {
		v := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
		f.registry.MustRegister(v)
		return v
	}
	times := func(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
		v := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels)
		f.registry.MustRegister(v)
		return v
	}
	f.interactions = counters("rowbot_interactions_total", "Interactions answered, by what was asked for and what came of it.", "asked", "outcome")
	f.answers = times("rowbot_answer_seconds", "Time until the first answer to an interaction was handed over.", answerTimes, "deferred")
	f.store = times("rowbot_store_seconds", "Time of a transaction on the store, with the wait for its turn.", storeTimes, "kind", "result")
	f.requests = counters("rowbot_discord_requests_total", "Requests to Discord, by what they are about and the status of the answer; 0: none came.", "about", "status")
	f.requestTimes = times("rowbot_discord_request_seconds", "Time of a request to Discord.", answerTimes, "about")
	f.refusals = counters("rowbot_webhook_refused_total", "Requests to /interactions that were refused, by status.", "status")
	f.foldings = counters("rowbot_store_foldings_total", "Foldings of the leaderboards' changes, by result.", "result")
	f.foldings.WithLabelValues("failed") // see backups
	f.backups = counters("rowbot_backups_total", "Backups on the timer, by result.", "result")
	f.backups.WithLabelValues("failed") // an alert sees the first one only where there was a 0 before
	f.undelivered = prometheus.NewCounter(prometheus.CounterOpts{Name: "rowbot_answers_undelivered_total", Help: "Answers that did not reach Discord."})
	f.lastBackup = prometheus.NewGauge(prometheus.GaugeOpts{Name: "rowbot_backup_last_success_timestamp_seconds", Help: "When the newest good backup was made; 0: there is none."})
	f.registry.MustRegister(f.undelivered, f.lastBackup, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return f
}

// handler serves the figures.
func (f *figures) handler(log *slog.Logger) http.Handler {
	return promhttp.HandlerFor(f.registry, promhttp.HandlerOpts{ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn)})
}

// answered counts an interaction.
func (f *figures) answered(a bot.Answered) {
	f.interactions.WithLabelValues(a.Asked, a.Outcome).Inc()
	f.answers.WithLabelValues(strconv.FormatBool(a.Deferred)).Observe(a.Took.Seconds())
	if !a.Delivered {
		f.undelivered.Inc()
	}
}

// called counts a request to Discord.
func (f *figures) called(c gateway.Called) {
	f.requests.WithLabelValues(c.About, strconv.Itoa(c.Status)).Inc()
	f.requestTimes.WithLabelValues(c.About).Observe(c.Took.Seconds())
}

// refused counts a request to /interactions that was not taken.
func (f *figures) refused(status int) { f.refusals.WithLabelValues(strconv.Itoa(status)).Inc() }

// folded counts foldings of the store's leaderboards, and logs those that failed.
func (f *figures) folded(ctx context.Context, log *slog.Logger) func(error) {
	return func(err error) {
		result := "done"
		if err != nil {
			result = "failed"
			log.WarnContext(ctx, "leaderboards not brought up to date; trying again", "error", err)
		}
		f.foldings.WithLabelValues(result).Inc()
	}
}

// gauge shows what is asked for at each scrape.
func (f *figures) gauge(name, help string, value func() float64) {
	f.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
}

// openMatches is a store that can count the matches that are not over.
type openMatches interface {
	CountOpen(ctx context.Context) (int, error)
}

const (
	// scrapeLimit bounds what a scrape asks of the store.
	scrapeLimit = time.Second
	// countEvery is how long a count of the open matches is good for.
	countEvery = time.Minute
)

// watchStore shows how many matches are open; NaN where the store does not say.
func (f *figures) watchStore(ctx context.Context, store openMatches, now func() time.Time) {
	var mu sync.Mutex // two may scrape at once
	var until time.Time
	open := math.NaN()
	f.gauge("rowbot_matches_open", "Challenges and matches that are not over, counted once a minute.", func() float64 {
		mu.Lock()
		at, last := now(), open
		due := !at.Before(until)
		if due {
			until = at.Add(countEvery) // other scrapes get the last count meanwhile
		}
		mu.Unlock()
		if !due {
			return last
		}
		n := countOpen(ctx, store)
		mu.Lock()
		defer mu.Unlock()
		open = n
		return n
	})
}

// countOpen counts the open matches; NaN where the store does not say.
func countOpen(ctx context.Context, store openMatches) float64 {
	ctx, cancel := context.WithTimeout(ctx, scrapeLimit)
	defer cancel()
	n, err := store.CountOpen(ctx)
	if err != nil {
		return math.NaN()
	}
	return float64(n)
}

// watchEngine shows how many moves Rowbot is thinking about.
func (f *figures) watchEngine(thinking func() (now, waiting int)) {
	f.gauge("rowbot_engine_searches", "Moves that Rowbot is thinking about at present.", func() float64 {
		now, _ := thinking()
		return float64(now)
	})
	f.gauge("rowbot_engine_waiting", "Moves that wait until Rowbot can think about them.", func() float64 {
		_, waiting := thinking()
		return float64(waiting)
	})
}

// shards shows of each shard of this process whether it is connected, and how often
// connections were begun.
type shards struct{ client *gateway.Client }

var (
	shardState  = prometheus.NewDesc("rowbot_gateway_connected", "1 where the shard has a connection to the gateway, else 0.", []string{"shard"}, nil)
	shardStarts = prometheus.NewDesc("rowbot_gateway_identifies_total", "Sessions asked for with IDENTIFY, of which Discord allows so many a day.", nil, nil)
	shardGoings = prometheus.NewDesc("rowbot_gateway_resumes_total", "Sessions to go on with after a lost connection, or another process, by what came of it.", []string{"result"}, nil)
)

// Describe implements prometheus.Collector.
func (shards) Describe(to chan<- *prometheus.Desc) {
	to <- shardState
	to <- shardStarts
	to <- shardGoings
}

// Collect implements prometheus.Collector.
func (s shards) Collect(to chan<- prometheus.Metric) {
	for id, connected := range s.client.Shards() {
		value := 0.0
		if connected {
			value = 1
		}
		to <- prometheus.MustNewConstMetric(shardState, prometheus.GaugeValue, value, strconv.Itoa(id))
	}
	starts := s.client.Starts()
	to <- prometheus.MustNewConstMetric(shardStarts, prometheus.CounterValue, float64(starts.Identifies))
	to <- prometheus.MustNewConstMetric(shardGoings, prometheus.CounterValue, float64(starts.Resumes), "resumed")
	to <- prometheus.MustNewConstMetric(shardGoings, prometheus.CounterValue, float64(starts.Refused), "lost")
}

// timed is the store with its transactions timed, if anybody can see the times.
func (f *figures) timed(store match.Store, seen bool) match.Store {
	if !seen {
		return store
	}
	return timedStore{store, f.store}
}

// timedStore is a store whose transactions are timed.
type timedStore struct {
	match.Store
	times *prometheus.HistogramVec
}

// View is the store's.
func (s timedStore) View(ctx context.Context, f func(match.Tx) error) error {
	return s.time("view", func() error { return s.Store.View(ctx, f) })
}

// Update is the store's.
func (s timedStore) Update(ctx context.Context, f func(match.Tx) error) error {
	return s.time("update", func() error { return s.Store.Update(ctx, f) })
}

func (s timedStore) time(kind string, do func() error) error {
	began := time.Now()
	err := do()
	result := "done"
	if err != nil {
		result = "undone" // also where nothing was found, or a version had passed
	}
	s.times.WithLabelValues(kind, result).Observe(time.Since(began).Seconds())
	return err
}
