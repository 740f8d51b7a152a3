package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestIdentify: the bot's own user is asked for again where Discord does not answer
// the question; where it never does, the bot starts all the same, and says so.
func TestIdentify(t *testing.T) {
	for name, c := range map[string]struct {
		answers []int // statuses; the last one stays
		want    string
		warns   bool
	}{
		"at once":        {[]int{200}, "77", false},
		"away for once":  {[]int{503, 200}, "77", false},
		"nothing there":  {[]int{404}, "", true},
		"token refused":  {[]int{401}, "", false},
		"refused for it": {[]int{403, 200}, "77", false},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/v10/users/@me" {
					t.Errorf("asked for %s", r.URL.Path)
				}
				w.WriteHeader(c.answers[min(asked, len(c.answers)-1)])
				asked++
				io.WriteString(w, `{"id":"77"}`)
			}))
			defer server.Close()
			s := defaults()
			s.Discord.Token, s.Discord.APIURL, s.Discord.ApplicationID = secret, server.URL, "5"
			var said strings.Builder
			log := newLog(&said, s)
			client, err := newClient(s, newLog(io.Discard, s), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			self, err := identify(t.Context(), client, s, log)
			if (err != nil) != (c.answers[0] == 401) || self.application != "5" || self.user != c.want {
				t.Errorf("got %+v, error %v", self, err)
			}
			if warned := strings.Contains(said.String(), "own user is not known"); warned != c.warns {
				t.Errorf("said %q", said.String())
			}
		})
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }))
	defer server.Close()
	s := defaults()
	s.Discord.Token, s.Discord.APIURL = secret, server.URL
	client, err := newClient(s, newLog(io.Discard, s), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if user, err := ownUser(t.Context(), client, 100*time.Millisecond); user != "" || err == nil || !strings.Contains(err.Error(), "500") {
		t.Errorf("user %q, error %v", user, err)
	}
}
