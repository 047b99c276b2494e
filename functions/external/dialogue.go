package external

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"
)

// MaxDialogueLine bounds a line that a program prints in a dialogue, in bytes.
const MaxDialogueLine = 4 << 20

// answerGrace is how long a program has for an answer that nobody waits for any more, before it is ended.
var answerGrace = 2 * time.Second

// DialogueError is a fault of the program of a dialogue.
type DialogueError struct {
	Reason string   // such as "the program ended with exit status 1"
	Tail   []string // its last lines on the standard error
	fresh  bool     // it had answered nothing before
	ended  bool     // it ended on its own
}

// Error is the reason with the last line of the standard error.
func (e *DialogueError) Error() string { return failed(e.Reason, e.Tail).Reason }

// dialogue is an exchange with one process that answers every line with a line, one at a time. After a fault it is of no
// more use, and its process is ended with its group.
type dialogue struct {
	process *process
	lines   chan []byte // what it printed; closed at the end
	long    bool        // it printed a line that is too long; to be read when lines is closed
	turn    chan struct{}
	answers int

	mu   sync.Mutex
	over bool // it is of no more use
}

// startDialogue starts the process of a dialogue. The words are those of a command.
func startDialogue(words []string) (*dialogue, error) {
	pr, err := startProcess(exec.Command(words[0], words[1:]...), true, func(string) {})
	if err != nil {
		return nil, err
	}
	d := &dialogue{process: pr, lines: make(chan []byte), turn: make(chan struct{}, 1)}
	pr.read(d.listen)
	return d, nil
}

// listen passes the lines of the program on until it ends.
func (d *dialogue) listen(stdout *os.File) {
	defer close(d.lines)
	in := bufio.NewScanner(stdout)
	in.Buffer(nil, MaxDialogueLine)
	for in.Scan() {
		if len(bytes.TrimSpace(in.Bytes())) == 0 {
			continue
		}
		select {
		case d.lines <- bytes.Clone(in.Bytes()):
		case <-d.process.gone: // nobody may ask any more
			select {
			case d.lines <- bytes.Clone(in.Bytes()):
			case <-time.After(linger):
				return
			}
		}
	}
	d.long = errors.Is(in.Err(), bufio.ErrTooLong)
}

// ask writes a line and returns the line that answers it. An error that wraps a *DialogueError is a fault of the
// program; the other errors are those of the context. If the context ends first, the program has a short time to finish
// its answer, which is dropped, so that it need not start again.
func (d *dialogue) ask(ctx context.Context, line []byte, timeout time.Duration) ([]byte, error) {
	select {
	case d.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	done := func() { <-d.turn }
	if d.ended() {
		done()
		return nil, d.fault("the program was ended")
	}
	select {
	case text, ok := <-d.lines:
		defer done()
		if !ok {
			return nil, d.fault("")
		}
		return nil, d.fault("the program printed " + excerpt(text) + " without being asked; its standard output is for answers only, and everything else belongs on its standard error")
	default:
	}
	d.process.write(append(line, '\n'), false)
	late := time.NewTimer(timeout)
	select {
	case text, ok := <-d.lines:
		defer done()
		defer late.Stop()
		if !ok {
			return nil, d.fault("")
		}
		d.answers++
		return text, nil
	case <-late.C:
		defer done()
		return nil, d.fault(fmt.Sprintf("the program did not answer within %v", timeout))
	case <-ctx.Done():
		patience := time.After(answerGrace)
		go func() {
			defer done()
			defer late.Stop()
			select {
			case _, ok := <-d.lines:
				if ok {
					d.answers++
					return
				}
			case <-late.C:
			case <-patience:
			}
			d.end()
		}()
		return nil, ctx.Err()
	}
}

// fault ends the dialogue and says why; without a reason, the program ended.
func (d *dialogue) fault(reason string) error {
	e := &DialogueError{Reason: reason, fresh: d.answers == 0}
	if reason == "" {
		switch {
		case d.long:
			e.Reason = fmt.Sprintf("the program printed a line of more than %d MiB", MaxDialogueLine>>20)
		default:
			select {
			case <-d.process.gone:
				<-d.process.over // with all that it said
				e.ended = true
				e.Reason = cmp.Or(d.process.status(), "the program ended without an answer")
			case <-time.After(grace):
				e.Reason = "the program closed its standard output"
			}
		}
	}
	d.end()
	for _, line := range d.process.tail() {
		e.Tail = append(e.Tail, printable(line))
	}
	return e
}

// ended says whether the dialogue is of no more use.
func (d *dialogue) ended() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.over || d.process.exited()
}

// end ends the process with its group, in the background.
func (d *dialogue) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.over {
		d.over = true
		go d.process.end()
	}
}

// close closes the standard input, so that the program ends on its own, and ends it after a short time; it returns when
// it has ended.
func (d *dialogue) close() {
	d.process.shut.Do(func() { d.process.stdin.Close() })
	select {
	case <-d.process.gone:
	case <-time.After(grace):
	}
	d.mu.Lock()
	d.over = true
	d.mu.Unlock()
	d.process.end()
}
