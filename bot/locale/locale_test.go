package locale_test

import (
	"strconv"
	"sync"
	"testing"

	"rowbot/bot/locale"
)

func load(t *testing.T) *locale.Bundle {
	t.Helper()
	b, err := locale.Load()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestPlurals(t *testing.T) {
	p := load(t).For("en-US")
	for _, c := range []struct {
		key  string
		n    int
		want string
	}{
		{"days", 0, "0 days"},
		{"days", 1, "1 day"},
		{"days", 2, "2 days"},
		{"days", 5, "5 days"},
		{"days", 21, "21 days"},
		{"hours", 0, "0 hours"},
		{"hours", 1, "1 hour"},
		{"hours", 21, "21 hours"},
		{"minutes", 1, "1 minute"},
		{"minutes", 5, "5 minutes"},
		{"moves", 0, "0 moves"},
		{"moves", 1, "1 move"},
		{"moves", 27, "27 moves"},
		{"wins", 0, "0 wins"},
		{"wins", 1, "1 win"},
		{"wins", 21, "21 wins"},
		{"draws", 0, "0 draws"},
		{"draws", 1, "1 draw"},
		{"draws", 2, "2 draws"},
		{"losses", 0, "0 losses"},
		{"losses", 1, "1 loss"},
		{"losses", 5, "5 losses"},
	} {
		if got := p.N(c.key, c.n); got != c.want {
			t.Errorf("%d %s: %q, want %q", c.n, c.key, got, c.want)
		}
	}
}

func TestPlaceholders(t *testing.T) {
	p := load(t).For("en-GB")
	if got, want := p.T("challenges", "Player", "<@1>", "Opponent", "<@2>"), "<@1> challenges <@2>."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	// What is filled in is text, whatever it looks like.
	if got, want := p.T("summary", "Match", "{{.Player}}", "Player", "<b>&"), "{{.Player}} against <b>&"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	// Numbers as they are, without separators.
	if got, want := p.T("move_number", "N", 1234), "move 1234"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestOtherLocalesGetEnglish(t *testing.T) {
	b := load(t)
	want := b.For("en-US").T("looking", "Player", "<@1>")
	for _, tag := range []string{"", "en", "en-GB", "tlh", "xx-YY", "not a locale", "\x00", "::::", "id", "ar"} {
		if got := b.For(tag).T("looking", "Player", "<@1>"); got != want {
			t.Errorf("%q: %q, want %q", tag, got, want)
		}
		if got := b.For(tag).N("days", 1); got != "1 day" {
			t.Errorf("%q: %q", tag, got)
		}
	}
}

func TestMissingKeyComesBack(t *testing.T) {
	p := load(t).For("en-US")
	if got := p.T("no_such_key"); got != "no_such_key" {
		t.Errorf("T gave %q", got)
	}
	if got := p.T("no_such_key", "Player", "x"); got != "no_such_key" {
		t.Errorf("T gave %q", got)
	}
	if got := p.N("no_such_key", 5); got != "no_such_key" {
		t.Errorf("N gave %q", got)
	}
	if got := p.T(""); got != "" {
		t.Errorf("the empty key gave %q", got)
	}
}

// Readers of all kinds ask at the same time, and more of them than Discord has
// locales.
func TestAtTheSameTime(t *testing.T) {
	b := load(t)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range 150 {
				p := b.For("x-" + strconv.Itoa(n*(i+1)))
				if got := p.N("moves", n); got == "moves" {
					t.Errorf("no message for %d", n)
				}
			}
		})
	}
	all.Wait()
}
