package page_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"rowbot/sandbox"
)

func TestFiles(t *testing.T) {
	t.Parallel()
	srv := sandbox.New(sandbox.Options{})
	base := serve(t, srv)
	for path, want := range map[string]string{
		"/":                 "text/html; charset=utf-8",
		"/static/app.js":    "text/javascript; charset=utf-8",
		"/static/style.css": "text/css; charset=utf-8",
		"/static/icons.svg": "image/svg+xml",
		"/static/icon.svg":  "image/svg+xml",
	} {
		got := fetch(t, base+path)
		if got.status != http.StatusOK || got.header.Get("Content-Type") != want || got.body == "" {
			t.Errorf("%s: %d, %s, %d bytes", path, got.status, got.header.Get("Content-Type"), len(got.body))
		}
		if csp := got.header.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'self'") || strings.Contains(csp, "unsafe") {
			t.Errorf("%s: policy %q", path, csp)
		}
	}
	for _, path := range []string{"/static/", "/static/none.js", "/static/..%2Fpage.go", "/favicon.ico", "/page.go"} {
		if got := fetch(t, base+path); got.status != http.StatusNotFound {
			t.Errorf("%s: %d", path, got.status)
		}
	}
	if got := fetch(t, base+"/api/v10/gateway"); !strings.Contains(got.body, "DiscordBot") { // who it wants to be asked by
		t.Errorf("the stand-in beside the page: %d %s", got.status, got.body)
	}
	if got := fetch(t, base+"/attachments/1/2/3/x.html"); !strings.Contains(got.header.Get("Content-Security-Policy"), "sandbox") {
		t.Error("uploaded files may act as the page")
	}
}

// The page asks for nothing that is not its own, and all that it asks for is there.
func TestFilesAreComplete(t *testing.T) {
	t.Parallel()
	base := serve(t, sandbox.New(sandbox.Options{}))
	seen := map[string]bool{}
	var walk func(name string)
	walk = func(name string) {
		if seen[name] {
			return
		}
		seen[name] = true
		got := fetch(t, base+"/static/"+name)
		if got.status != http.StatusOK {
			t.Errorf("%s: %d", name, got.status)
		}
		for line := range strings.Lines(got.body) {
			if _, from, ok := strings.Cut(line, `from "./`); ok {
				walk(strings.TrimSuffix(strings.TrimSpace(from), `";`))
			}
			if strings.Contains(line, "innerHTML") || strings.Contains(line, "eval(") {
				t.Errorf("%s parses text as code: %s", name, line)
			}
		}
	}
	walk("app.js")
	if len(seen) < 20 {
		t.Errorf("found %d modules only: %v", len(seen), seen)
	}
	// What the page asks for, and what its style sheets and modules ask for.
	page := fetch(t, base+"/").body
	wanted := append(after(page, `href="`), after(page, `src="`)...)
	for _, address := range slices.Clone(wanted) {
		if strings.HasSuffix(address, ".css") {
			wanted = append(wanted, after(fetch(t, base+address).body, `url("`)...)
		}
	}
	for name := range seen {
		wanted = append(wanted, after(fetch(t, base+"/static/"+name).body, `src: "`)...)
	}
	for _, address := range wanted {
		if got := fetch(t, base+address); got.status != http.StatusOK || !strings.HasPrefix(address, "/static/") {
			t.Errorf("asked for, and not there: %s, %d", address, got.status)
		}
	}
	if len(wanted) < 12 {
		t.Errorf("found %d addresses only: %v", len(wanted), wanted)
	}
	icons := fetch(t, base+"/static/icons.svg").body
	for name := range seen {
		for _, sign := range after(fetch(t, base+"/static/"+name).body, `icon("`) {
			if !strings.Contains(icons, `id="`+sign+`"`) {
				t.Errorf("%s draws %q, which is not among the icons", name, sign)
			}
		}
	}
}

// after lists what stands in a text between mark and the next quotation mark.
func after(text, mark string) []string {
	var out []string
	for _, part := range strings.Split(text, mark)[1:] {
		word, _, _ := strings.Cut(part, `"`)
		out = append(out, word)
	}
	return out
}

// answer is what a request for a file got.
type answer struct {
	status int
	header http.Header
	body   string
}

func fetch(t *testing.T, url string) answer {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(fmt.Errorf("read %s: %w", url, err))
	}
	return answer{res.StatusCode, res.Header, string(body)}
}
