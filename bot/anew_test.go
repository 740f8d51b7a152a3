package bot_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/match"
)

// sweepOnce lets one round of a sweep go by, with a while for what comes of it.
func (w *world) sweepOnce(d time.Duration) {
	w.Helper()
	ctx, cancel := context.WithCancel(w.Context())
	var sweeps sync.WaitGroup
	sweeps.Go(func() { w.bot.Sweep(ctx, 24*time.Hour) })
	time.Sleep(d)
	synctest.Wait()
	cancel()
	sweeps.Wait()
}

// stuckEdits refuses every edit with a code, and fails the first posts.
func (w *world) stuckEdits(status, code int, posts ...error) {
	n := 0
	w.rest.answer(func(_ context.Context, c call, _ int) (json.RawMessage, error) {
		switch {
		case c.method == http.MethodPatch:
			return nil, refusal(status, code)
		case c.is("POST", "channels/…") && n < len(posts):
			n++
			return nil, posts[n-1]
		}
		return nil, nil
	})
}

// TestBoardAnew: what Rowbot or the clock has done is shown at a new message where
// the known one cannot be edited, and the match goes on there.
func TestBoardAnew(t *testing.T) {
	old := "DELETE channels/" + channel + "/messages/" + board
	for name, c := range map[string]struct {
		status, code int
		posts        []error
		want         []string
	}{
		"too old":         {http.StatusTooManyRequests, 30046, nil, []string{editBoard, postNotice, editBoard, old}},
		"gone":            {http.StatusNotFound, 10008, nil, []string{editBoard, postNotice, editBoard}},
		"an answer lost":  {http.StatusNotFound, 10008, []error{errNetwork}, []string{editBoard, postNotice, postNotice, editBoard}},
		"may not post":    {http.StatusNotFound, 10008, []error{refusal(http.StatusForbidden, 50013)}, []string{editBoard, postNotice}},
		"no access":       {http.StatusForbidden, 50001, nil, []string{editBoard}},
		"channel is gone": {http.StatusNotFound, 10003, nil, []string{editBoard}},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				m := w.start(small, board, "a1", "b2")
				w.stuckEdits(c.status, c.code, c.posts...)
				time.Sleep(72 * time.Hour)
				w.sweepOnce(time.Minute)
				calls := w.expect(c.want...)
				var posted []call
				for _, x := range calls {
					if x.is("POST", "channels/…") {
						posted = append(posted, x)
					}
				}
				where := m.Where
				if name != "may not post" && len(posted) > 0 {
					where.Message = posted[len(posted)-1].id
				}
				if now := w.stored(m.ID); now.Where != where {
					t.Errorf("the match is at %+v, want %+v", now.Where, where)
				}
				for _, x := range posted {
					checkCall(t, x, 0, 1<<15, "**won** · on time", `"nonce":"b.m1.5"`, `"enforce_nonce":true`, `"allowed_mentions":{"parse":[]}`)
					if diff := cmp.Diff(posted[0].body, x.body); diff != "" {
						t.Errorf("the tries differ:\n%s", diff)
					}
				}
				if left, err := w.games.Unshown(t.Context(), ""); len(left) > 0 || err != nil {
					t.Errorf("not noted as shown: %v, error %v", left, err)
				}
				w.rest.answer(nil)
			})
		})
	}
}

// TestNotPostedAnew: nothing is posted about what nobody misses.
func TestNotPostedAnew(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.start(small, board) // closed: it had hardly begun
		if _, err := w.games.Challenge(t.Context(), match.Proposal{
			ID: "asked", Rules: small, Challenger: match.Person(alice), Pace: time.Hour,
			Where: match.Where{Guild: guild, Channel: channel, Message: board},
		}); err != nil {
			t.Fatal(err)
		}
		w.start(small, "", "a1", "b2") // lost on time, and was never seen
		w.stuckEdits(http.StatusNotFound, 10008)
		time.Sleep(72 * time.Hour)
		w.sweepOnce(time.Minute)
		w.expect(editBoard, editBoard)
		w.rest.answer(nil)
	})
}

// TestReplyBeforeTheBoard: Rowbot is done thinking before its first board is on
// its way. There is one board, and it comes to show the reply.
func TestReplyBeforeTheBoard(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.games.Engine = &brain{}
		w.bot.Serve(w.Context(), w.command(alice, "gomoku", "bot", option("level", "master"), option("side", "second")))
		time.Sleep(time.Minute)
		calls := w.rest.take()
		edit := func(c call) bool { return c.method == http.MethodPatch }
		posts := slices.DeleteFunc(slices.Clone(calls), edit)
		// An edit that overlapped with the answer is made once more.
		if len(calls) > 3 || len(posts) != 1 || !calls[0].is("POST", "interactions/…/callback?with_response=true") ||
			!strings.Contains(calls[len(calls)-1].words(), "last ⚫ o1") {
			t.Errorf("calls\n%s", join(calls))
		}
		if left, err := w.games.Unshown(t.Context(), ""); len(left) > 0 || err != nil {
			t.Errorf("not noted as shown: %v, error %v", left, err)
		}
	})
}

// TestBoardThatNeverCame: a match whose first message was lost with a crash gets
// one when Rowbot has replied.
func TestBoardThatNeverCame(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.games.Engine = &brain{}
		m := w.act(w.against(match.Hard, ""), place("a1"), alice)
		time.Sleep(time.Minute)
		w.sweepOnce(time.Second)
		calls := w.rest.take()
		posted := calls[0]
		for i, c := range calls { // the reply and the sweep may both have it drawn
			if i > 0 && !c.is("PATCH", "channels/"+channel+"/messages/"+posted.id) || i == 0 && !c.is("POST", "channels/"+channel+"/messages") {
				t.Errorf("calls\n%s", join(calls))
			}
		}
		if now := w.stored(m.ID); now.Where.Message != posted.id || !strings.Contains(posted.words(), "last ⚪ o1") {
			t.Errorf("the match is at %+v, shown by %v", now.Where, posted)
		}
	})
}
