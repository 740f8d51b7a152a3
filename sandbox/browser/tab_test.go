package browser_test

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"rowbot/sandbox"
)

// patience bounds every wait for something to appear, so that a failure says what was missing.
const patience = 20 * time.Second

//go:embed person.js
var personScript string

// look is how somebody's browser shows things. The zero value is a dark desktop.
type look struct {
	width, height int64
	phone         bool // a touch screen, drawn at twice the size
	light         bool
}

var (
	desktop = look{width: 1280, height: 900}
	phone   = look{width: 390, height: 844, phone: true}
)

// tab is somebody's window: a tab with a browser context of its own, so that windows share nothing.
type tab struct {
	t   testing.TB
	w   *world
	ctx context.Context
	who *sandbox.Person

	mu         sync.Mutex
	complaints []string // errors in the console, requests to other places
}

// open opens the page as somebody, in a channel.
func (w *world) open(who *sandbox.Person, in *sandbox.Channel, how look) *tab {
	w.t.Helper()
	p := &tab{t: w.t, w: w, who: who}
	ctx, cancel := chromedp.NewContext(browser(w.t), chromedp.WithNewBrowserContext(), chromedp.WithListener(p.watch))
	p.ctx = ctx
	w.t.Cleanup(func() {
		p.audit()
		cancel()
	})
	p.do(chromedp.Do(ctx), "open a tab")
	p.dress(how)
	_, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: personScript})
	p.do(err, "add a script")
	p.visit(in)
	return p
}

// dress makes the window look as told.
func (p *tab) dress(how look) {
	p.t.Helper()
	options := []chromedp.EmulateViewportOption{}
	if how.phone {
		options = append(options, chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulatePortrait, chromedp.EmulateScale(2))
	}
	p.do(chromedp.Do(p.ctx, chromedp.EmulateViewport(how.width, how.height, options...)), "set the size")
	scheme := "dark"
	if how.light {
		scheme = "light"
	}
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}})
	p.do(err, "set the colours")
}

// visit loads the page and waits until it shows the channel.
func (p *tab) visit(in *sandbox.Channel) {
	p.t.Helper()
	f := url.Values{"you": {p.who.User().Username}, "channel": {in.ID()}}
	p.do(chromedp.Do(p.ctx, chromedp.Navigate(p.w.base+"/#"+f.Encode())), "load the page")
	p.until("the channel", `document.querySelector("[data-channel='`+in.ID()+`'][aria-current]") && person.all("#bot.online").length`)
}

// watch notes what must not happen in any test.
func (p *tab) watch(event any) {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		p.complain("an exception: " + e.ExceptionDetails.Text + " " + description(e.ExceptionDetails.Exception))
	case *runtime.EventConsoleAPICalled:
		if e.Type == "error" || e.Type == "warning" || e.Type == "assert" {
			p.complain(fmt.Sprintf("console %s: %s", e.Type, descriptions(e.Args)))
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == "error" || e.Entry.Level == "warning" {
			p.complain(fmt.Sprintf("log %s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL))
		}
	case *network.EventRequestWillBeSent:
		p.foreign(e.Request.URL)
	case *network.EventWebSocketCreated:
		p.foreign(e.URL)
	}
}

// foreign complains about a request to any other place than the sandbox.
func (p *tab) foreign(address string) {
	u, err := url.Parse(address)
	if err != nil || "http://"+u.Host != p.w.base {
		p.complain("a request to " + address)
	}
}

func (p *tab) complain(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.complaints = append(p.complaints, text)
}

// audit reports what the browser complained about, and keeps a picture of a failure.
func (p *tab) audit() {
	if p.t.Failed() {
		p.keepPicture()
	}
	// What was sent before this answer has been noted when it arrives.
	if _, err := chromedp.Run(p.ctx, chromedp.Evaluate[int]("1")); err != nil {
		p.t.Errorf("the window of %s: %v", p.who.Name(), err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.complaints {
		p.t.Errorf("the window of %s: %s", p.who.Name(), c)
	}
}

// keepPicture saves what the window shows, to be found with go test -artifacts.
func (p *tab) keepPicture() {
	ctx, cancel := context.WithTimeout(p.ctx, 5*time.Second)
	defer cancel()
	if shot, err := chromedp.Run(ctx, chromedp.CaptureScreenshot()); err == nil {
		name := filepath.Join(p.t.ArtifactDir(), p.who.User().Username+".png")
		p.t.Logf("picture of %s's window: %s (%v)", p.who.Name(), name, os.WriteFile(name, shot, 0o600))
	}
}

func description(o *runtime.RemoteObject) string {
	if o == nil {
		return ""
	}
	return o.Description + string(o.Value)
}

func descriptions(list []*runtime.RemoteObject) string {
	var out []string
	for _, o := range list {
		out = append(out, description(o))
	}
	return strings.Join(out, " ")
}

func (p *tab) do(err error, what string) {
	p.t.Helper()
	if err != nil {
		p.t.Fatalf("the window of %s: %s: %v", p.who.Name(), what, err)
	}
}

// ask evaluates an expression in the page. No promises: one that waits while the page changes its address is never
// answered.
func ask[T any](p *tab, expression string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	p.do(err, expression)
	return v
}

// between is the pause between two looks at the page.
const between = 20 * time.Millisecond

// holds waits until an expression is true in the page; one that throws counts as not yet.
func (p *tab) holds(expression string) bool {
	p.t.Helper()
	for range patience / between {
		if ask[bool](p, "person.holds(() => ("+expression+"))") {
			return true
		}
		time.Sleep(between)
	}
	return false
}

// until is holds for what the test cannot do without.
func (p *tab) until(what, expression string) {
	p.t.Helper()
	if !p.holds(expression) {
		p.t.Fatalf("%s does not see %s (%s); the page says\n%s", p.who.Name(), what, expression, ask[string](p, "document.body.innerText"))
	}
}

// sees waits until something visible of a selector holds some words.
func (p *tab) sees(selector, words string) {
	p.t.Helper()
	p.until(selector+" with "+words, fmt.Sprintf("person.all(%s, %s).length > 0", quoted(selector), quoted(words)))
}

// seesNo waits until nothing visible of a selector holds some words.
func (p *tab) seesNo(selector, words string) {
	p.t.Helper()
	p.until("no "+selector+" with "+words, fmt.Sprintf("person.all(%s, %s).length === 0", quoted(selector), quoted(words)))
}

// text is what everything visible of a selector says.
func (p *tab) text(selector string) string {
	p.t.Helper()
	return ask[string](p, "person.text("+quoted(selector)+")")
}

// quoted writes a text for JavaScript.
func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// spot is where something can be hit, or why it cannot.
type spot struct {
	X, Y float64
	Why  string
}

// reach finds where the last visible match of a selector can be hit, with these words in it if some are given: it waits
// until that is at rest, switched on and on top.
func (p *tab) reach(selector string, words ...string) spot {
	p.t.Helper()
	look := fmt.Sprintf("person.spot(%s, %s)", quoted(selector), quoted(strings.Join(words, " ")))
	last := spot{Why: "it never comes to rest"}
	for range patience / between {
		now := ask[spot](p, look)
		if now.Why == "" && now == last {
			return now
		}
		last = now
		time.Sleep(between)
	}
	p.t.Fatalf("%s cannot reach %s %v: %s; the page says\n%s", p.who.Name(), selector, words, last.Why, ask[string](p, "document.body.innerText"))
	return spot{}
}

// click clicks with the mouse.
func (p *tab) click(selector string, words ...string) {
	p.t.Helper()
	at := p.reach(selector, words...)
	p.do(chromedp.Do(p.ctx, chromedp.MouseEvent(chromedp.MouseMoved, at.X, at.Y), chromedp.MouseClickXY(at.X, at.Y)), "click "+selector)
}

// rightClick clicks with the other button of the mouse.
func (p *tab) rightClick(selector string, words ...string) {
	p.t.Helper()
	at := p.reach(selector, words...)
	p.do(chromedp.Do(p.ctx, chromedp.MouseEvent(chromedp.MouseMoved, at.X, at.Y),
		chromedp.MouseClickXY(at.X, at.Y, chromedp.ButtonType(input.MouseButtonRight))), "right-click "+selector)
}

// tap touches the screen.
func (p *tab) tap(selector string, words ...string) {
	p.t.Helper()
	at := p.reach(selector, words...)
	p.do(chromedp.Do(p.ctx, chromedp.TapXY(at.X, at.Y)), "tap "+selector)
}

// press presses keys, one after the other; a text is typed letter by letter.
func (p *tab) press(keys ...string) {
	p.t.Helper()
	for _, k := range keys {
		p.do(chromedp.Do(p.ctx, chromedp.KeyEvent(k)), "press a key")
	}
}

// picture is what the window shows, as a PNG.
func (p *tab) picture() []byte {
	p.t.Helper()
	shot, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	p.do(err, "take a picture")
	return shot
}
