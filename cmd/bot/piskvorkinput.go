package main

import (
	"bufio"
	"context"
	"io"
	"strings"
	"sync"
	"time"
)

const (
	mostLines = 1 << 16     // bytes of a line
	waiting   = 64          // lines that are read before they are asked for
	lastMove  = time.Second // for a move that END finds being thought about
)

// lineReader reads lines ahead, so that END is seen while a move is thought about.
type lineReader struct {
	lines chan string
	err   error         // once lines is closed
	end   chan struct{} // closed at END
	left  chan struct{} // closed when nobody takes lines any more
}

// readLines begins to read. It stops at END, at the end of the input, or after stop.
func readLines(in io.Reader) *lineReader {
	r := &lineReader{lines: make(chan string, waiting), end: make(chan struct{}), left: make(chan struct{})}
	go func() {
		defer close(r.lines)
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, mostLines)
		for scanner.Scan() {
			line := scanner.Text()
			if isEnd(line) {
				close(r.end)
			}
			select {
			case r.lines <- line:
			case <-r.left:
				return
			}
			if isEnd(line) {
				return
			}
		}
		r.err = scanner.Err()
	}()
	return r
}

func isEnd(line string) bool { return strings.EqualFold(strings.TrimSpace(line), "END") }

// next returns the next line. ok is false when there is none any more.
func (r *lineReader) next(ctx context.Context) (line string, ok bool) {
	select {
	case line, ok = <-r.lines:
		return line, ok
	case <-ctx.Done():
		return "", false
	}
}

// stop waits for the reader and returns what ended it, nil for END and the end of
// the input. A read that hangs when the context ends cannot be waited for; it ends
// with the process.
func (r *lineReader) stop(ctx context.Context) error {
	close(r.left)
	for {
		select {
		case _, ok := <-r.lines:
			if !ok {
				return r.err
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// onEnd cancels a move that is being thought about a second after END has come:
// long enough for whole games that are written into the input at once. What it
// returns must be called when the move is there.
func (r *lineReader) onEnd(cancel context.CancelFunc) (done func()) {
	over := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		select {
		case <-over:
			return
		case <-r.end:
		}
		last := time.NewTimer(lastMove)
		defer last.Stop()
		select {
		case <-over:
		case <-last.C:
			cancel()
		}
	})
	return func() {
		close(over)
		watch.Wait()
	}
}
