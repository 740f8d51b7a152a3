package load

import (
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// stopIn is how long a copy may take to end when it is told to.
const stopIn = 20 * time.Second

// shared is a writer that several processes write to.
type shared struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *shared) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(b)
}

// process is one copy of the bot, which may be another process after a while.
type process struct {
	number int
	listen string // where it takes interactions; empty over the gateway

	mu      sync.Mutex
	cmd     *exec.Cmd
	done    chan struct{} // closed when the process has ended
	meant   bool          // it was ended from here
	base    time.Duration // what the process had taken when the measuring began
	before  time.Duration // what processes before it took since then
	peak    int64
	last    int64
	running bool
}

func (p *process) address() string { return "http://" + p.listen + "/interactions" }

func (p *process) launch(program string, args, environ []string, dir string, stderr io.Writer) error {
	cmd := exec.Command(program, args...) //nolint:noctx // it is ended by stop, and not killed with a context
	cmd.Env, cmd.Dir, cmd.Stderr, cmd.SysProcAttr = environ, dir, stderr, mortal()
	started := make(chan error)
	go p.follow(cmd, started) // it ends with the process, which stop ends
	if err := <-started; err != nil {
		return fmt.Errorf("start the bot: %w", err)
	}
	return nil
}

// follow starts a process and returns when it has ended. The system ends the process
// together with the thread that started it, so that thread is kept until then.
func (p *process) follow(cmd *exec.Cmd, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		started <- err
		return
	}
	done := make(chan struct{})
	defer close(done)
	p.mu.Lock()
	p.cmd, p.done, p.meant, p.base, p.running = cmd, done, false, 0, true
	p.mu.Unlock()
	started <- nil
	_ = cmd.Wait() // how it ended does not matter here
	p.mu.Lock()
	defer p.mu.Unlock()
	p.running = false
	p.before += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime() - p.base
}

// ended is closed when the present process has ended.
func (p *process) ended() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.done
}

func (p *process) diedByItself() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.running && !p.meant
}

// measure counts what the process takes from now on.
func (p *process) measure() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.before = 0
	p.base = processorTime(p.cmd.Process.Pid)
}

// taken is the processor time since measure, of all processes that were this copy.
func (p *process) taken() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.running {
		return p.before
	}
	return p.before + processorTime(p.cmd.Process.Pid) - p.base
}

// sample looks at the memory of the process.
func (p *process) sample() (now int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.running {
		return 0
	}
	now, peak := memory(p.cmd.Process.Pid)
	if now > 0 {
		p.last, p.peak = now, max(p.peak, peak)
	}
	return now
}

// kill ends the process without a warning.
func (p *process) kill() error {
	return p.end(syscall.SIGKILL)
}

// stop ends the process in peace, or by force when it takes too long.
func (p *process) stop() {
	p.mu.Lock()
	started := p.cmd != nil
	p.mu.Unlock()
	if !started {
		return
	}
	timer := time.AfterFunc(stopIn, func() { _ = p.end(syscall.SIGKILL) }) // it is ending already, or is gone
	defer timer.Stop()
	_ = p.end(syscall.SIGTERM) // it may have ended by itself
}

func (p *process) end(signal syscall.Signal) error {
	p.mu.Lock()
	p.meant = true
	cmd, done, running := p.cmd, p.done, p.running
	p.mu.Unlock()
	if !running {
		return nil
	}
	if err := cmd.Process.Signal(signal); err != nil {
		return fmt.Errorf("end copy %d of the bot: %w", p.number+1, err)
	}
	<-done
	return nil
}
