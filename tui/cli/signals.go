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

	"bandscope/functions/experiment"
	"bandscope/sessions/sanitize"
)

// How long a command has to come to its end after a signal, and how long one that has something to put in order before.
const (
	forceExitAfter = 80 * time.Millisecond
	cleanupTimeout = 5 * time.Second
)

// interrupt is a signal as the cause for which a context ended.
type interrupt struct{ signal syscall.Signal }

func (i interrupt) Error() string { return "interrupted: " + i.signal.String() }

// status is the exit status of a program that a signal ended, as shells count it.
func (i interrupt) status() int { return 128 + int(i.signal) }

// signals is what a context knows of the signals that end it.
type signals struct{ exitDeferred atomic.Bool }

type signalsKey struct{}

// Interruptible returns a context that ends at the first SIGINT, SIGTERM or SIGHUP; those that the program was started
// to ignore, as nohup does, are ignored. A command that has not ended soon after, because it hangs in a write that
// nobody reads or on a disk that does not answer, is ended then; one that is Patient later, or at the second signal.
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
		if time.Sleep(forceExitAfter); s.exitDeferred.Load() {
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

// deferExit says that who calls it ends by itself when the context of Interruptible ends, and has something to put in
// order before, which is soon done unless it hangs.
func deferExit(ctx context.Context) {
	if s, ok := ctx.Value(signalsKey{}).(*signals); ok {
		s.exitDeferred.Store(true)
	}
}

// Status reports the error of a command and turns it into the exit status: 0 without one, 1 if what was asked failed, 2
// if it was asked wrongly, 3 if it cannot be decided here, and 128 and the number of the signal if one ended it.
func Status(ctx context.Context, errs io.Writer, err error) int {
	if err == nil {
		return 0
	}
	var i interrupt
	ended := errors.As(context.Cause(ctx), &i)
	if ended && errors.Is(err, context.Canceled) {
		err = i
	}
	said := sanitize.Redact(err.Error()) // what was typed in the wrong place may be a password
	text := sanitize.Text(said)
	if faults := (*experiment.Faults)(nil); errors.As(err, &faults) { // one a line
		text = sanitize.Lines(said)
	}
	fmt.Fprintln(errs, "bandscope: "+text)
	if ended {
		return i.status()
	}
	if own := (statusError{}); errors.As(err, &own) {
		return own.status
	}
	return 1
}

// contextWriter refuses to write when its context has ended, whose error it gives then.
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
