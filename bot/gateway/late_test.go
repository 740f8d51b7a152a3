package gateway

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// TestLateBody: a body that shows how something stands is made when the wait for a
// limit is over, and where it cannot be made nothing is sent.
func TestLateBody(t *testing.T) {
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = append(got, string(body))
	}))
	defer server.Close()
	c, err := New(Options{Token: "t", APIURL: server.URL, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	over := time.Now().Add(100 * time.Millisecond)
	c.limit.block(100 * time.Millisecond)
	_, err = c.Call(t.Context(), http.MethodPatch, "channels/1/messages/2", Late(func() (any, error) {
		if now := time.Now(); now.Before(over) {
			t.Errorf("made %v before the limit was over", over.Sub(now))
		}
		return map[string]int{"flags": 4}, nil
	}))
	if err != nil {
		t.Error(err)
	}
	gone := errors.New("gone")
	if _, err := c.Call(t.Context(), http.MethodPatch, "channels/1/messages/2", Late(func() (any, error) { return nil, gone })); !errors.Is(err, gone) {
		t.Errorf("error %v, want %v", err, gone)
	}
	var sent map[string]int
	if len(got) != 1 || json.Unmarshal([]byte(got[0]), &sent) != nil || sent["flags"] != 4 {
		t.Errorf("sent %q", got)
	}
}
