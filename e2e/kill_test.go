package e2e_test

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"rowbot/match"
	"rowbot/persistence"
	"rowbot/persistence/pgtest"
	"rowbot/sandbox"
)

// builtIn is the folder of the program once it is built; it goes at the end.
var builtIn string

// built is the program, built once for all tests of this package.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "rowbot-e2e-")
	if err != nil {
		return "", err
	}
	builtIn = dir
	path := filepath.Join(dir, "rowbot")
	out, err := exec.Command("go", "build", "-o", path, "rowbot/cmd/bot").CombinedOutput()
	if err != nil {
		return "", errors.New(string(out))
	}
	return path, nil
})

// program is Rowbot as a process of its own, which can be killed.
type program struct {
	*party
	binary string
	cmd    *exec.Cmd
	store  string   // its store.url
	env    []string // more of its environment
	listen string   // where it takes interactions; empty: over the gateway
}

func newProgram(t *testing.T, env ...string) *program {
	t.Helper()
	return newProgramAt(t, "", "", env...)
}

// newProgramAt is newProgram that takes interactions at an address where one is
// given, with a store of its own choice where that is given.
func newProgramAt(t *testing.T, listen, store string, env ...string) *program {
	t.Helper()
	binary, err := built()
	if err != nil {
		t.Fatalf("build the program: %v", err)
	}
	w := standIn(t)
	w.lossy = true
	k := &program{binary: binary, store: cmp.Or(store, "sqlite:"+w.file), env: env, listen: listen, party: &party{
		world: w, alice: w.Alice.In(w.Games), bob: w.Bob.In(w.Games), chen: w.Chen.In(w.Games),
	}}
	k.launch()
	t.Cleanup(func() {
		if k.cmd != nil {
			k.kill()
		}
	})
	return k
}

// launch starts the process and does not wait for it to connect.
func (k *program) launch() {
	k.t.Helper()
	k.cmd = exec.Command(k.binary, "run")
	k.cmd.Dir = filepath.Dir(k.file)
	own := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "ROWBOT_") })
	k.cmd.Env = slices.Concat(own, []string{
		"ROWBOT_DISCORD_TOKEN=" + sandbox.Token, "ROWBOT_DISCORD_API_URL=" + k.APIURL(),
		"ROWBOT_STORE_URL=" + k.store, "ROWBOT_LOG_LEVEL=error",
	}, k.env)
	if k.listen != "" {
		k.cmd.Env = append(k.cmd.Env, "ROWBOT_DISCORD_MODE=webhook", "ROWBOT_HTTP_LISTEN="+k.listen)
	}
	k.cmd.Stderr = k.t.Output()
	if err := k.cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
}

// run starts the process where none runs, and returns when it is connected.
func (k *program) run() {
	k.t.Helper()
	if k.cmd == nil {
		k.launch()
	}
	if k.listen != "" {
		k.poll("the program to take interactions", func() bool {
			return k.SetEndpoint(k.t.Context(), "http://"+k.listen+"/interactions") == nil
		})
		return
	}
	ctx, cancel := k.limit()
	defer cancel()
	if err := k.WaitForBot(ctx, 1); err != nil {
		k.t.Fatalf("the program did not connect: %v", err)
	}
}

// kill ends the process with SIGKILL and waits until Discord has noticed.
func (k *program) kill() {
	k.t.Helper()
	if err := k.cmd.Process.Kill(); err != nil {
		k.t.Error(err)
	}
	k.cmd.Wait() // killed: its error says just that
	k.cmd = nil
	k.poll("the session of the dead process to end", func() bool { return k.Stats().Sessions == 0 })
}

// terminate ends the process with SIGTERM, which it has to take well.
func (k *program) terminate() {
	k.t.Helper()
	if err := k.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		k.t.Fatal(err)
	}
	if err := k.cmd.Wait(); err != nil {
		k.t.Errorf("after SIGTERM: %v", err)
	}
	k.cmd = nil
}

// inStore looks into the store of a process that is dead.
func (k *program) inStore(look func(ctx context.Context, tx match.Tx) error) {
	k.t.Helper()
	ctx := context.Background()
	db, err := persistence.Open(ctx, k.store)
	if err != nil {
		k.t.Fatal(err)
	}
	defer db.Close()
	if err := db.View(ctx, func(tx match.Tx) error { return look(ctx, tx) }); err != nil {
		k.t.Fatal(err)
	}
}

// matchOf is the match that a message's buttons belong to.
func matchOf(m *sandbox.Message) match.ID {
	return match.ID(strings.Split(m.Buttons()[0].CustomID, ":")[1])
}

// duet is one match of two people, or of one against Rowbot, who go on
// clicking while Rowbot is killed again and again.
type duet struct {
	seats   [2]sandbox.Seat
	alone   bool
	game    string
	luck    *rand.Rand
	board   *sandbox.Message // as last answered; nil: a new match is to be started
	pending string           // the cell of a click that was not answered
	version match.Version    // the last one found in the store
	played  []match.ID
	answers int
}

// TestKilledAtAnyMoment kills Rowbot at random moments of play.
// ROWBOT_KILLS sets how often.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	killed(t, newProgram(t), 20)
}

// TestKilledOnPostgres: the same, with the matches on a server. What is due is
// seen to again when the dead process's turn at it has run out. Interactions come by
// webhook: over the gateway the turn to connect would have to run out as well, which
// takes six seconds each time.
func TestKilledOnPostgres(t *testing.T) {
	t.Parallel()
	killed(t, newProgramAt(t, freeAddress(t), pgtest.Database(t), "ROWBOT_PLAY_SWEEP=1s"), 10)
}

func killed(t *testing.T, k *program, rounds int) {
	t.Helper()
	if n, err := strconv.Atoi(os.Getenv("ROWBOT_KILLS")); err == nil {
		rounds = n
	}
	luck := rand.New(rand.NewPCG(uint64(rounds), 17))
	var duets []*duet
	for i, game := range []string{"gomoku", "ttt", "gomoku", "ttt"} {
		g := k.crowd(i, nil)
		duets = append(duets, &duet{seats: g.seats, alone: i%2 == 0, game: game, luck: g.luck})
	}
	duets[1].alone, duets[2].alone = true, false
	// On a slow machine there are more and longer rounds, until they show something.
	for round := 0; round < rounds || answered(duets) < rounds/2 && round < 10*rounds; round++ {
		if round%5 == 4 { // in the middle of its start
			k.launch()
			time.Sleep(time.Duration(luck.IntN(150)) * time.Millisecond)
			k.kill()
		}
		k.run()
		k.playAndKill(duets, time.Duration(luck.IntN(250_000*(1+round/rounds)))*time.Microsecond)
		for _, d := range duets {
			d.inspect(k)
		}
	}
	k.run()
	k.playAndKill(duets, 0)
	for _, d := range duets {
		d.settle(k)
	}
	k.run()
	k.terminate()
	t.Logf("%d answers in %d rounds", answered(duets), rounds)
	if answered(duets) < rounds/2 {
		t.Errorf("only %d answers in %d rounds", answered(duets), rounds)
	}
}

// answered counts the answers that all have got.
func answered(duets []*duet) (n int) {
	for _, d := range duets {
		n += d.answers
	}
	return n
}

// playAndKill lets all play until the process is killed, after the delay, in
// the middle of it.
func (k *program) playAndKill(duets []*duet, delay time.Duration) {
	k.t.Helper()
	ctx, cancel := context.WithCancel(k.t.Context())
	var all sync.WaitGroup
	for _, d := range duets {
		all.Go(func() {
			for ctx.Err() == nil && !k.t.Failed() {
				d.step(ctx, k.t)
			}
		})
	}
	time.Sleep(delay)
	k.kill()
	cancel()
	all.Wait()
}

// step does the next thing: the click that was not answered once more, a new
// one, or a new match.
func (d *duet) step(ctx context.Context, t testing.TB) {
	if d.board == nil || d.board.Button("Rematch") != nil {
		d.start(ctx)
		return
	}
	before := stonesIn(d.board)
	side := len(before) % 2
	by := d.seats[side]
	if d.alone {
		by = d.seats[0]
	}
	if d.pending == "" {
		free := freeCells(d.board)
		d.pending = free[d.luck.IntN(len(free))]
	}
	r, err := by.Click(ctx, d.board, d.pending)
	if err == nil && r.Deferred && r.Updated != nil { // on a busy machine
		wait, cancel := context.WithTimeout(ctx, stuck)
		defer cancel()
		r.Updated, err = r.Resolve(wait)
	}
	if err != nil {
		return
	}
	if r.Updated == nil {
		t.Errorf("a click on %s was answered with %q", d.pending, r.Text())
		return
	}
	after := stonesIn(r.Updated)
	if after[d.pending] != "XO"[side] || !holds(after, before) || len(after) != len(before)+d.plies(len(after), r.Updated) {
		t.Errorf("after a click on %s:\n%s\nbecame\n%s", d.pending, d.board.Text(), r.Updated.Text())
	}
	d.board, d.pending = r.Updated, ""
	d.answers++
}

// plies is how many stones one click brings: Rowbot answers at once, unless
// the click, an odd stone, ended the match.
func (d *duet) plies(stones int, m *sandbox.Message) int {
	if d.alone && (m == nil || m.Button("Rematch") == nil || stones%2 == 0) {
		return 2
	}
	return 1
}

func (d *duet) start(ctx context.Context) {
	d.board, d.pending, d.version = nil, "", 0
	if d.alone {
		if r, err := d.seats[0].Slash(ctx, d.game+" bot"); err == nil {
			d.board = r.Message
		}
	} else {
		r, err := d.seats[0].Slash(ctx, d.game+" challenge",
			sandbox.UserOption("opponent", d.seats[1].Person()), sandbox.String("side", "first"))
		if err != nil {
			return
		}
		if r, err = d.seats[1].Click(ctx, r.Message, "Accept"); err == nil {
			d.board = r.Updated
		}
	}
	if d.board != nil {
		d.played = append(d.played, matchOf(d.board))
	}
}

// holds reports whether a board has all stones of another.
func holds(board, stones map[string]byte) bool {
	for cell, sign := range stones {
		if board[cell] != sign {
			return false
		}
	}
	return true
}

// inspect compares what people have seen with what is in the store.
func (d *duet) inspect(k *program) {
	k.t.Helper()
	if d.board == nil {
		return
	}
	var m match.Match
	k.inStore(func(ctx context.Context, tx match.Tx) (err error) {
		m, err = tx.Match(ctx, matchOf(d.board))
		return err
	})
	stored := map[string]byte{}
	for i, at := range m.Moves {
		stored[at.String()] = "XO"[i%2]
	}
	answered, shown := stonesIn(d.board), stonesIn(k.now(d.board))
	more := len(m.Moves) - len(answered)
	switch {
	case len(stored) != len(m.Moves):
		k.t.Errorf("a move is in the store twice: %v", m.Moves)
	case !holds(stored, answered) || !holds(stored, shown):
		k.t.Errorf("the store has %v, but people saw\n%s\nand\n%s", stored, d.board.Text(), k.now(d.board).Text())
	case more == 0:
	case d.pending == "" || stored[d.pending] == 0:
		k.t.Errorf("moves nobody made are in the store: %v after\n%s", m.Moves, d.board.Text())
	case more != 1 && !d.alone || d.alone && !m.Status.Over() && more != 2 || more > 2:
		k.t.Errorf("a click that was not answered left %d moves", more)
	}
	if m.Version < d.version {
		k.t.Errorf("the version went back from %d to %d", d.version, m.Version)
	}
	if !m.Status.Over() && m.ToMove().IsEngine() {
		k.t.Errorf("Rowbot owes a move in match %s", m.ID)
	}
	d.version = m.Version
}

// settle checks that the records are those of the matches that were ended.
func (d *duet) settle(k *program) {
	k.t.Helper()
	k.inStore(func(ctx context.Context, tx match.Tx) error {
		want, got := [3]int{}, [3]int{}
		for _, id := range d.played {
			m, err := tx.Match(ctx, id)
			switch {
			case err != nil:
				return err
			case !m.Status.Over():
			case m.Winner == match.Empty:
				want[1]++
			case m.Seat(m.Winner).User == d.seats[0].Person().ID():
				want[0]++
			default:
				want[2]++
			}
		}
		records, err := tx.Records(ctx, d.seats[0].Person().ID())
		for _, r := range records {
			got[0], got[1], got[2] = got[0]+r.Won, got[1]+r.Drawn, got[2]+r.Lost
		}
		if got != want {
			k.t.Errorf("records %v of matches that ended %v (won, drawn, lost)", got, want)
		}
		return err
	})
}
