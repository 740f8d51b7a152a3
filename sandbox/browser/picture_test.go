package browser_test

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rowbot/sandbox"
)

// largest is how many bytes a picture of the README may have.
const largest = 200_000

// pictures are the README's, by file name below docs, with the size that they have to have.
var pictures = map[string]struct {
	width, height int
	take          func(*testing.T) []byte
}{
	"board.png": {1180, 1365, func(t *testing.T) []byte { return inPlay(t, look{width: 1180, height: 1365}) }},
	"light.png": {1180, 1365, func(t *testing.T) []byte { return inPlay(t, look{width: 1180, height: 1365, light: true}) }},
	// A phone draws each point with two pixels.
	"picture.png": {780, 1864, func(t *testing.T) []byte {
		return inStyle(t, "picture", "de", look{width: 390, height: 932, phone: true})
	}},
	"settings.png": {780, 1864, settings},
	"colour.png":   {900, 1010, func(t *testing.T) []byte { return inStyle(t, "colour", "ru", look{width: 900, height: 1010}) }},
	"phone.png":    {780, 1864, func(t *testing.T) []byte { return inPlay(t, look{width: 390, height: 932, phone: true}) }},
}

func TestBrowserPictures(t *testing.T) {
	t.Parallel()
	for name, want := range pictures {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join("..", "..", "docs", name)
			if *update {
				if err := os.WriteFile(file, want.take(t), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatalf("%v (go test ./sandbox/browser -run Pictures -update takes the pictures)", err)
			}
			got, err := png.DecodeConfig(bytes.NewReader(raw))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if got.Width != want.width || got.Height != want.height {
				t.Errorf("%s is %dx%d, want %dx%d", name, got.Width, got.Height, want.width, want.height)
			}
			if len(raw) > largest {
				t.Errorf("%s has %d bytes, want at most %d", name, len(raw), largest)
			}
		})
	}
}

// inPlay is a picture of two matches in play; a phone shows one at a time.
func inPlay(t *testing.T, how look) []byte {
	w := start(t, unhurried)
	board := w.challenge(w.Games, "gomoku")
	for i, c := range strings.Fields("h8 i9 i8 g8 h9 h7 h10 h11 g9 j8 f10 e11 g7") {
		w.plays([]*sandbox.Person{w.Alice, w.Bob}[i%2], w.windowOn(board, c, i), c)
	}
	alice := w.open(w.Alice, w.Games, how)
	if !how.phone {
		small := w.challenge(w.Games, "ttt")
		for i, c := range strings.Fields("b2 a3 c1") {
			w.plays([]*sandbox.Person{w.Alice, w.Bob}[i%2], small, c)
		}
		alice.sees("[data-message]", "move 4")
	}
	alice.sees("[data-message]", "last ⚫ g7")
	alice.click("#title")
	return alice.picture()
}

// inStyle is a picture of a match on a phone, in a style and a language of the server.
func inStyle(t *testing.T, style, language string, how look) []byte {
	w := start(t, unhurried)
	board := w.challenge(w.Games, "gomoku")
	owner := w.Alice.In(w.General)
	for name, value := range map[string]string{"style": style, "language": language} {
		if _, err := owner.Slash(t.Context(), "settings "+name, sandbox.String(name, value)); err != nil {
			t.Fatal(err)
		}
	}
	for i, c := range strings.Fields("h8 i9 i8 g8 h9 h7 h10 h11 g9 j8 f10 e11 g7") {
		w.plays([]*sandbox.Person{w.Alice, w.Bob}[i%2], w.windowOn(board, c, i), c)
	}
	alice := w.open(w.Alice, w.Games, how)
	alice.sees("[data-message]", "⚫ g7")
	alice.click("#title")
	return alice.picture()
}

// settings is a picture of a server's settings on a phone.
func settings(t *testing.T) []byte {
	w := start(t, unhurried)
	alice := w.open(w.Alice, w.Games, look{width: 390, height: 932, phone: true})
	if _, err := w.Alice.In(w.Games).Slash(t.Context(), "settings show"); err != nil {
		t.Fatal(err)
	}
	alice.sees("[data-message]", "Threads")
	alice.click("#title")
	return alice.picture()
}
