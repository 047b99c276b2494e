package external

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode"

	"golang.org/x/sync/semaphore"

	"bandscope/functions"
)

// Default timeouts of a dialogue: of the first answer, which may take the time to load libraries, and of the others.
const (
	HelloTimeout   = time.Minute
	DefaultTimeout = 10 * time.Minute
)

// NotAllowedError is returned for a program that the command line of this process does not name.
type NotAllowedError struct{ Command string }

// Error names the program.
func (e *NotAllowedError) Error() string {
	return "the program " + printable(e.Command) + " is not started, because the command line does not name it"
}

// allowed are the commands that the command line of this process names, each with the timeout of an answer.
var allowed = struct {
	sync.RWMutex
	timeouts map[string]time.Duration
}{timeouts: map[string]time.Duration{}}

// Allow lets hosts start a command, in the form of Canonical. Only a flag of the command line calls it: never what a
// file says. A timeout of 0 is the default.
func Allow(command string, timeout time.Duration) {
	allowed.Lock()
	defer allowed.Unlock()
	if timeout <= 0 {
		timeout = DefaultTimeout
	}
	allowed.timeouts[command] = timeout
}

// Allowed reports whether hosts may start a command, and the timeout of its answers.
func Allowed(command string) (time.Duration, bool) {
	allowed.RLock()
	defer allowed.RUnlock()
	t, ok := allowed.timeouts[command]
	return t, ok
}

// maxCommand bounds a command, in bytes.
const maxCommand = 4096

// Canonical is the command with its words apart by single blanks, each in quotes if a shell needs them, so that equal
// commands are equal texts. It starts nothing, and does not look whether the program exists. The error reports a text
// that cannot be split into words, or that has characters which cannot be shown.
func Canonical(command string) (string, error) {
	if len(command) > maxCommand {
		return "", fmt.Errorf("a command must have at most %d bytes, this one has %d", maxCommand, len(command))
	}
	if printable(command) != command {
		return "", fmt.Errorf("the command %q has characters that cannot be shown", command)
	}
	words, err := splitWords(command)
	if err != nil {
		return "", err
	}
	for i, w := range words {
		words[i] = functions.ShellWord(w)
	}
	return strings.Join(words, " "), nil
}

// Words are the words of a command; nothing is started.
func Words(command string) ([]string, error) { return splitWords(command) }

// printable replaces what cannot be shown.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// Host talks to the programs of one session: one process at a time, which goes on between requests and starts again
// where it has ended. The zero value is ready. It may be used from several goroutines; requests wait for each other. It
// starts a command only if Allow names it.
type Host struct {
	once sync.Once
	turn *semaphore.Weighted

	current *meeting // nil: none; changed with the turn and the lock

	mu     sync.Mutex
	closed bool
	ctx    context.Context // until it is closed
	cancel context.CancelFunc
}

// init makes the parts of the zero value.
func (h *Host) init() {
	h.once.Do(func() {
		h.turn = semaphore.NewWeighted(1)
		h.ctx, h.cancel = context.WithCancel(context.Background())
	})
}

// Exchange sends a line to a command, whose dialogue began with the line hello, and returns the answers to both. It
// starts the process if there is none, and starts another one if the present one was greeted otherwise. Without a line
// it only greets. The error is a *NotAllowedError, a *DialogueError, ErrClosed, that of the context, or says that the
// command cannot be started.
func (h *Host) Exchange(ctx context.Context, command string, hello, line []byte) (greeting, answer []byte, err error) {
	timeout, ok := Allowed(command)
	if !ok {
		return nil, nil, &NotAllowedError{command}
	}
	h.init()
	caller := ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(h.ctx, cancel)()
	if err := h.turn.Acquire(ctx, 1); err != nil {
		return nil, nil, h.closedError(caller, err)
	}
	defer h.turn.Release(1)
	greeting, answer, err = h.exchange(ctx, command, hello, line, timeout)
	// A process that ended after it had answered may have ended between two requests: a new one gets the request once.
	if e := (*DialogueError)(nil); errors.As(err, &e) && e.ended && !e.fresh {
		greeting, answer, err = h.exchange(ctx, command, hello, line, timeout)
	}
	return greeting, answer, h.closedError(caller, err)
}

// closedError is ErrClosed for what ended because the host was closed.
func (h *Host) closedError(caller context.Context, err error) error {
	if err != nil && caller.Err() == nil && h.ctx.Err() != nil {
		return ErrClosed
	}
	return err
}

// Restart ends the present process; the next request starts another one.
func (h *Host) Restart() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.current != nil {
		h.current.end()
	}
}

// meeting is a dialogue from its first line on.
type meeting struct {
	*dialogue
	spoken   string        // the command and the first line
	ready    chan struct{} // closed when the program has answered the first line, or failed to
	greeting []byte        // its answer; to be read when ready is closed, like err
	err      error
}

// exchange is Exchange for a caller with the turn.
func (h *Host) exchange(ctx context.Context, command string, hello, line []byte,
	timeout time.Duration) (greeting, answer []byte, err error) {
	m := h.current
	if spoken := command + "\n" + string(hello); m == nil || m.ended() || m.spoken != spoken {
		m, err = h.meet(ctx, command, hello)
		if err != nil {
			return nil, nil, err
		}
		m.spoken = spoken
	}
	select {
	case <-m.ready:
	case <-ctx.Done(): // the program goes on loading what it needs
		return nil, nil, ctx.Err()
	}
	if m.err != nil {
		m.end()
		return nil, nil, m.err
	}
	if line != nil {
		answer, err = m.ask(ctx, line, timeout)
	}
	return m.greeting, answer, err
}

// meet ends the present process, starts one, and greets it.
func (h *Host) meet(ctx context.Context, command string, hello []byte) (*meeting, error) {
	if m := h.current; m != nil {
		m.end()
		select {
		case <-m.process.over:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	words, err := commandWords(Options{Command: command})
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, ErrClosed
	}
	d, err := startDialogue(words)
	if err != nil {
		return nil, fmt.Errorf("the command %q cannot be started: %w", command, err)
	}
	m := &meeting{dialogue: d, ready: make(chan struct{})}
	h.current = m
	go func() {
		defer close(m.ready)
		m.greeting, m.err = d.ask(h.ctx, hello, HelloTimeout)
		if e := (*DialogueError)(nil); errors.As(m.err, &e) {
			e.fresh = true
		}
	}()
	return m, nil
}

// Close ends the process with its group, and waits until it has ended. Nothing is started afterwards.
func (h *Host) Close() error {
	h.init()
	h.mu.Lock()
	h.closed = true
	m := h.current
	h.mu.Unlock()
	h.cancel()
	if m != nil {
		m.close()
	}
	return nil
}
