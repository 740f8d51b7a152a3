package match_test

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"rowbot/match"
	"rowbot/match/rating"
)

var errBroken = errors.New("the disk is gone")

// memory is the least that a store can be: two maps, copied for every
// transaction and put back when it has worked. Each transaction runs twice and the
// first run is thrown away, as a database may ask for at any time.
type memory struct {
	mu     sync.Mutex
	state  state
	other  *state                              // what the first runs see, where it is not the same
	broken func(call string, id match.ID) bool // calls that fail
}

type state struct {
	matches map[match.ID]match.Match
	unshown map[match.ID]bool
	notices map[noticeKey]match.Notice
	records map[match.RecordKey]match.Record
	ratings map[rated]rating.Rating
	people  map[string]match.Preferences
}

type noticeKey struct {
	id   match.ID
	turn match.Version
	kind match.NoticeKind
}

type rated struct {
	user string
	game match.Game
}

func (s state) clone() state {
	out := state{
		maps.Clone(s.matches), maps.Clone(s.unshown), maps.Clone(s.notices), maps.Clone(s.records), maps.Clone(s.ratings),
		maps.Clone(s.people),
	}
	for id, m := range out.matches {
		m.Moves = slices.Clone(m.Moves)
		out.matches[id] = m
	}
	return out
}

func newMemory() *memory {
	return &memory{
		state: state{
			map[match.ID]match.Match{},
			map[match.ID]bool{},
			map[noticeKey]match.Notice{},
			map[match.RecordKey]match.Record{},
			map[rated]rating.Rating{},
			map[string]match.Preferences{},
		},
	}
}

func (s *memory) View(_ context.Context, f func(match.Tx) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = f(s.first())
	return f(&memoryTx{store: s, state: s.state.clone()})
}

// first is the transaction of a first run.
func (s *memory) first() *memoryTx {
	seen := &s.state
	if s.other != nil {
		seen = s.other
	}
	return &memoryTx{store: s, state: seen.clone()}
}

func (s *memory) Update(_ context.Context, f func(match.Tx) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = f(s.first())
	tx := &memoryTx{store: s, state: s.state.clone()}
	if err := f(tx); err != nil {
		return err
	}
	s.state = tx.state
	return nil
}

// memoryTx leaves out what the service has no use for: those calls would panic.
type memoryTx struct {
	match.Tx

	store *memory
	state state
}

func (tx *memoryTx) fails(call string, id match.ID) error {
	if tx.store.broken != nil && tx.store.broken(call, id) {
		return errBroken
	}
	return nil
}

func (tx *memoryTx) Match(_ context.Context, id match.ID) (match.Match, error) {
	if err := tx.fails("Match", id); err != nil {
		return match.Match{}, err
	}
	m, ok := tx.state.matches[id]
	if !ok {
		return match.Match{}, match.ErrNotFound
	}
	m.Moves = slices.Clone(m.Moves)
	return m, nil
}

func (tx *memoryTx) Insert(_ context.Context, m match.Match) error {
	if err := tx.fails("Insert", m.ID); err != nil {
		return err
	}
	for id, old := range tx.state.matches {
		if id == m.ID || m.RematchOf != "" && old.RematchOf == m.RematchOf {
			return match.ErrExists
		}
	}
	tx.state.matches[m.ID] = m
	return nil
}

func (tx *memoryTx) Replace(_ context.Context, was match.Version, m match.Match) error {
	if err := tx.fails("Replace", m.ID); err != nil {
		return err
	}
	old, ok := tx.state.matches[m.ID]
	if !ok || old.Version != was {
		return match.ErrConflict
	}
	m.Where, m.Told = old.Where, old.Told
	tx.state.matches[m.ID] = m
	return nil
}

func (tx *memoryTx) SetWhere(_ context.Context, id match.ID, w match.Where) error {
	m, ok := tx.state.matches[id]
	if !ok {
		return match.ErrNotFound
	}
	m.Where = w
	tx.state.matches[id] = m
	return nil
}

func (tx *memoryTx) Rematch(_ context.Context, of match.ID) (match.Match, error) {
	if err := tx.fails("Rematch", of); err != nil {
		return match.Match{}, err
	}
	for _, m := range tx.state.matches {
		if m.RematchOf == of {
			return m, nil
		}
	}
	return match.Match{}, match.ErrNotFound
}

// newest returns the match that fits and was changed last.
func (tx *memoryTx) newest(fits func(m *match.Match) bool) (match.Match, error) {
	var found match.Match
	for _, m := range tx.state.matches {
		if fits(&m) && (found.ID == "" || m.Changed.After(found.Changed)) {
			found = m
		}
	}
	if found.ID == "" {
		return found, match.ErrNotFound
	}
	return found, nil
}

func (tx *memoryTx) Pending(_ context.Context, q match.PendingQuery) (match.Match, error) {
	if err := tx.fails("Pending", ""); err != nil {
		return match.Match{}, err
	}
	return tx.newest(func(m *match.Match) bool {
		return m.Status == match.Challenged && m.Challenger.User == q.Challenger && m.Invited == match.Person(q.Invited) &&
			(q.Invited != "" || m.Where.Channel == q.Channel) && q.Now.Before(m.Deadline)
	})
}

func (tx *memoryTx) Rebuffed(_ context.Context, challenger, invited string, nth int) (match.Match, error) {
	if err := tx.fails("Rebuffed", ""); err != nil {
		return match.Match{}, err
	}
	var found []match.Match
	for _, m := range tx.state.matches {
		if (m.Status == match.Declined || m.Status == match.Withdrawn) && m.Challenger.User == challenger && m.Invited.User == invited {
			found = append(found, m)
		}
	}
	slices.SortFunc(found, func(a, b match.Match) int { return b.Changed.Compare(a.Changed) })
	if len(found) < nth {
		return match.Match{}, match.ErrNotFound
	}
	return found[nth-1], nil
}

func (tx *memoryTx) Standing(_ context.Context, user string, now time.Time) (s match.Standing, err error) {
	for _, m := range tx.state.matches {
		switch {
		case m.Status == match.Challenged && m.Challenger.User == user && now.Before(m.Deadline):
			s.Pending++
		case m.Status == match.Active && (m.Seats[0].User == user || m.Seats[1].User == user):
			s.Running++
		}
	}
	return s, tx.fails("Standing", "")
}

func (tx *memoryTx) RatedBetween(_ context.Context, one, other string, after time.Time) (n int, err error) {
	pair := map[match.Player]bool{match.Person(one): true, match.Person(other): true}
	for _, m := range tx.state.matches {
		if m.Status.Counts() && m.Unrated == match.Rated && pair[m.Seats[0]] && pair[m.Seats[1]] && m.Changed.After(after) {
			n++
		}
	}
	return n, tx.fails("RatedBetween", "")
}

func (tx *memoryTx) Preferences(_ context.Context, user string) (match.Preferences, error) {
	p := tx.state.people[user]
	p.User = user
	return p, tx.fails("Preferences", "")
}

func (tx *memoryTx) Due(_ context.Context, now time.Time, after match.Alarm, limit int) ([]match.Alarm, error) {
	if err := tx.fails("Due", ""); err != nil {
		return nil, err
	}
	earlier := func(a, b match.Alarm) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Match, b.Match))
	}
	var due []match.Alarm
	for id, m := range tx.state.matches {
		at := match.Alarm{Match: id, At: m.Deadline}
		if !m.Status.Over() && !m.Deadline.IsZero() && !now.Before(m.Deadline) && earlier(after, at) < 0 {
			due = append(due, at)
		}
	}
	slices.SortFunc(due, earlier)
	return due[:min(limit, len(due))], nil
}

func (tx *memoryTx) Ended(_ context.Context, q match.EndedQuery) ([]match.Summary, error) {
	var ended []match.Summary
	for _, m := range tx.state.matches {
		here := m.Where.Guild == q.Guild
		if q.Guild == "" {
			here = m.StoneOf(match.Person(q.User)) != match.Empty
		}
		if m.Status.Counts() && here {
			ended = append(ended, m.Summary())
		}
	}
	slices.SortFunc(ended, func(a, b match.Summary) int { return cmp.Or(b.Changed.Compare(a.Changed), cmp.Compare(b.ID, a.ID)) })
	return ended[:min(q.Limit, len(ended))], nil
}

func (tx *memoryTx) SetUnshown(_ context.Context, id match.ID, unshown bool) error {
	if err := tx.fails("SetUnshown", id); err != nil {
		return err
	}
	if _, known := tx.state.matches[id]; !known {
		return match.ErrNotFound
	}
	tx.state.unshown[id] = unshown
	return nil
}

func (tx *memoryTx) Unshown(_ context.Context, after match.ID, limit int) ([]match.ID, error) {
	if err := tx.fails("Unshown", ""); err != nil {
		return nil, err
	}
	var ids []match.ID
	for id, unshown := range tx.state.unshown {
		if unshown && id > after {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids[:min(limit, len(ids))], nil
}

func (tx *memoryTx) Owed(_ context.Context, after match.ID, limit int) ([]match.ID, error) {
	if err := tx.fails("Owed", ""); err != nil {
		return nil, err
	}
	var ids []match.ID
	for id, m := range tx.state.matches {
		if !m.Status.Over() && m.Deadline.IsZero() && id > after {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids[:min(limit, len(ids))], nil
}

func (tx *memoryTx) SetTold(_ context.Context, id match.ID, told match.Told) error {
	m, ok := tx.state.matches[id]
	if !ok {
		return match.ErrNotFound
	}
	m.Told = told
	tx.state.matches[id] = m
	return nil
}

func (tx *memoryTx) PutNotice(_ context.Context, n match.Notice) error {
	if err := tx.fails("PutNotice", n.Match); err != nil {
		return err
	}
	tx.state.notices[noticeKey{n.Match, n.Turn, n.Kind}] = n
	return nil
}

func (tx *memoryTx) DropNotice(_ context.Context, n match.Notice) error {
	delete(tx.state.notices, noticeKey{n.Match, n.Turn, n.Kind})
	return nil
}

func (tx *memoryTx) RetireNotices(_ context.Context, id match.ID) error {
	return tx.retire("RetireNotices", id, false)
}

func (tx *memoryTx) RetireOffers(_ context.Context, id match.ID) error {
	return tx.retire("RetireOffers", id, true)
}

func (tx *memoryTx) retire(call string, id match.ID, offers bool) error {
	if err := tx.fails(call, id); err != nil {
		return err
	}
	for k, n := range tx.state.notices {
		if n.Match == id && n.State == match.Posted && (n.Kind == match.DrawOffer) == offers {
			n.State = match.Retired
			tx.state.notices[k] = n
		}
	}
	return nil
}

func (tx *memoryTx) Notices(_ context.Context, id match.ID) ([]match.Notice, error) {
	var found []match.Notice
	for _, n := range tx.state.notices {
		if n.Match == id {
			found = append(found, n)
		}
	}
	slices.SortFunc(found, func(a, b match.Notice) int { return cmp.Or(cmp.Compare(a.Turn, b.Turn), cmp.Compare(a.Kind, b.Kind)) })
	return found, nil
}

func (tx *memoryTx) Record(_ context.Context, k match.RecordKey) (match.Record, error) {
	if err := tx.fails("Record", ""); err != nil {
		return match.Record{}, err
	}
	r := tx.state.records[k]
	r.RecordKey, r.Rating = k, rating.New()
	if now, ok := tx.state.ratings[rated{k.User, k.Game}]; ok {
		r.Rating = now
	}
	return r, nil
}

func (tx *memoryTx) PutRecord(_ context.Context, r match.Record) error {
	if err := tx.fails("PutRecord", ""); err != nil {
		return err
	}
	r.Rating = rating.Rating{}
	tx.state.records[r.RecordKey] = r
	return nil
}

func (tx *memoryTx) PutRating(_ context.Context, user string, g match.Game, r rating.Rating) error {
	if err := tx.fails("PutRating", ""); err != nil {
		return err
	}
	tx.state.ratings[rated{user, g}] = r
	return nil
}
