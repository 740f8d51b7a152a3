// Package page is the window onto the stand-in: a page in the browser on which a person reads the channels of a
// [sandbox.Server], clicks buttons and types commands, as somebody would in a Discord client. It also shows the
// traffic between the bot and the stand-in, and switches faults on. It serves the files below static and one websocket
// per open page; all that it knows it has from package sandbox.
//
// It may be imported by cmd/bot and by tests; of this module it imports package sandbox only.
package page

import (
	"context"
	"embed"
	"log/slog"
	"net/http"
	"path"
	"sync"

	"rowbot/sandbox"
)

//go:embed static
var static embed.FS

// policy lets the page load nothing but itself, so that no text of a message can bring anything in.
const policy = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"

// types are spelled out because the tables of some systems call scripts something that browsers refuse.
var types = map[string]string{
	".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8",
	".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
}

// eventBuffer is how far an open page may fall behind before it starts over with the present state.
const eventBuffer = 512

// Page serves the page and its connections. It is an http.Handler, safe for concurrent use.
type Page struct {
	srv     *sandbox.Server
	log     *slog.Logger
	mux     *http.ServeMux
	buffer  int
	drawn   drawings
	traffic recorder
	faults  board

	mu      sync.Mutex // guards open and closed
	open    map[*connection]context.CancelFunc
	closed  bool
	stop    chan struct{} // closed with the page
	running sync.WaitGroup
}

// New makes the page of a stand-in: the page itself at /, its files below /static/, its connection at /page/ws. A
// nil log discards.
func New(srv *sandbox.Server, log *slog.Logger) *Page {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	p := &Page{
		srv: srv, log: log, mux: http.NewServeMux(), buffer: eventBuffer, open: map[*connection]context.CancelFunc{},
		stop: make(chan struct{}), faults: board{srv: srv, allowed: map[string]uint64{}},
	}
	p.mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { serveFile(w, r, "index.html") })
	p.mux.HandleFunc("GET /static/{name}", func(w http.ResponseWriter, r *http.Request) { serveFile(w, r, r.PathValue("name")) })
	p.mux.HandleFunc("GET /page/ws", p.connect)
	tap := p.tap() // of the first bot that comes, too
	p.running.Go(func() { p.record(tap) })
	return p
}

// Handler is New with the stand-in itself mounted beside the page, so that one listener serves both: REST below
// /api/, the gateway at /gateway, uploaded files below /attachments/.
func Handler(srv *sandbox.Server, log *slog.Logger) *Page {
	p := New(srv, log)
	p.mux.Handle("/api/", srv)
	p.mux.Handle("/gateway", srv)
	p.mux.Handle("/gateway/", srv)
	p.mux.HandleFunc("/attachments/", func(w http.ResponseWriter, r *http.Request) {
		// Whatever the bot uploads, opened in the browser it may not act as the page.
		w.Header().Set("Content-Security-Policy", "default-src 'none'; sandbox")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		srv.ServeHTTP(w, r)
	})
	return p
}

// ServeHTTP serves what New and Handler list.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) { p.mux.ServeHTTP(w, r) }

// each visits the open connections.
func (p *Page) each(visit func(*connection)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.open {
		visit(c)
	}
}

// Close ends all connections and the recording of traffic, and waits for them. A connection also ends by itself with its browser, with the context
// of its request and when the stand-in closes.
func (p *Page) Close() {
	p.mu.Lock()
	if !p.closed {
		close(p.stop)
	}
	p.closed = true
	for _, cancel := range p.open {
		cancel()
	}
	p.mu.Unlock()
	p.running.Wait()
}

// serveFile gives out a file of the page.
func serveFile(w http.ResponseWriter, r *http.Request, name string) {
	content, err := static.ReadFile(path.Join("static", path.Base(name)))
	kind := types[path.Ext(name)]
	if err != nil || kind == "" {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-cache")
	_, _ = w.Write(content) // the browser may be gone
}
