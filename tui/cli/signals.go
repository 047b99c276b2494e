package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"bandscope/functions/tomlfile"
	"bandscope/sessions/sanitize"
)

// How long a command may run after a signal, and how long if it has to clean up first.
const (
	forceExitAfter = 80 * time.Millisecond
	cleanupTimeout = 5 * time.Second
)

// interrupt is a signal as the cause of a cancelled context.
type interrupt struct{ signal syscall.Signal }

func (i interrupt) Error() string { return "interrupted: " + i.signal.String() }

// status is the exit status of a program that a signal ended, as shells define it.
func (i interrupt) status() int { return 128 + int(i.signal) }

// signals is the state of signal handling in a context.
type signals struct{ exitDeferred atomic.Bool }

type signalsKey struct{}

// Interruptible returns a context that ends at the first SIGINT, SIGTERM or SIGHUP, except those that the program was
// started to ignore, as nohup does. If the command has not ended after forceExitAfter, because it hangs in a write, the
// program exits; after deferExit it exits at the second signal, or after cleanupTimeout.
func Interruptible() context.Context {
	s := &signals{}
	ctx, cancel := context.WithCancelCause(context.WithValue(context.Background(), signalsKey{}, s))
	came := make(chan os.Signal, 2)
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(sig) {
			signal.Notify(came, sig)
		}
	}
	go func() {
		i := interrupt{syscall.SIGTERM}
		if sig, ok := (<-came).(syscall.Signal); ok {
			i.signal = sig
		}
		cancel(i)
		time.Sleep(forceExitAfter)
		if s.exitDeferred.Load() {
			select {
			case <-came:
			case <-time.After(cleanupTimeout):
			}
		}
		go fmt.Fprintln(os.Stderr, "bandscope: "+i.Error()) // that may hang too
		time.Sleep(forceExitAfter / 8)
		os.Exit(i.status())
	}()
	return ctx
}

// deferExit gives the caller cleanupTimeout to clean up after a signal.
func deferExit(ctx context.Context) {
	if s, ok := ctx.Value(signalsKey{}).(*signals); ok {
		s.exitDeferred.Store(true)
	}
}

// Status prints the error of a command and returns the exit status: 0 without an error, 1 for a failure, 2 for a wrong
// command line, 3 if the answer cannot be decided here, and 128 plus the number of a signal.
func Status(ctx context.Context, errs io.Writer, err error) int {
	if err == nil {
		return 0
	}
	var i interrupt
	ended := errors.As(context.Cause(ctx), &i)
	if ended && errors.Is(err, context.Canceled) {
		err = i
	}
	parseError := sanitize.Redact(err.Error()) // a misplaced argument may be a password
	text := sanitize.Text(parseError)
	if faults := (*tomlfile.Faults)(nil); errors.As(err, &faults) { // one a line
		text = sanitize.Lines(parseError)
	}
	fmt.Fprintln(errs, "bandscope: "+text)
	if ended {
		return i.status()
	}
	if local := (statusError{}); errors.As(err, &local) {
		return local.status
	}
	return 1
}

// contextWriter returns the error of its context instead of writing when the context has ended.
type contextWriter struct {
	ctx context.Context
	w   io.Writer
}

func (h contextWriter) Write(p []byte) (int, error) {
	if err := h.ctx.Err(); err != nil {
		return 0, err
	}
	return h.w.Write(p)
}
