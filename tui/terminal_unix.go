//go:build unix

package tui

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// stopDelay is how long a stop may take to come, and settleDelay how long what else a shell does to a job it continues.
const (
	stopDelay   = time.Second
	settleDelay = 100 * time.Millisecond
)

// errNoShell is why the program is not stopped: a process group without a shell above it is never continued, and so not
// stopped at all (POSIX calls it orphaned).
var errNoShell = errors.New("cannot suspend: no shell could resume the program")

// stoppable says why the program cannot be stopped. Only a shell with job control gives a program a process group that
// is not the session's first one.
func stoppable() error {
	parent, err := unix.Getsid(os.Getppid())
	if session, e := unix.Getsid(0); err != nil || e != nil || parent != session || session == syscall.Getpgrp() {
		return errNoShell
	}
	return nil
}

// watch has the signals that stop the program and let it go on sent to stops; one that the program was started to
// ignore is ignored.
func (t *terminal) watch() {
	for _, sig := range []os.Signal{syscall.SIGTSTP, syscall.SIGCONT} {
		if !signal.Ignored(sig) {
			signal.Notify(t.stops, sig)
		}
	}
}

// unwatch has nothing sent any more. SIGTSTP does nothing then: Go's runtime never gives it back its meaning
// (go.dev/issue/41996).
func (t *terminal) unwatch() { signal.Stop(t.stops) }

// isStop reports whether a signal asks the program to stop.
func isStop(sig os.Signal) bool { return sig == syscall.SIGTSTP }

// stopUntilForeground stops the process group, as ctrl+z does, until it is continued in the foreground of the terminal,
// or the context ends.
func stopUntilForeground(ctx context.Context, tty uintptr) error {
	for {
		if err := stopOthers(ctx); err != nil {
			return err
		}
		if err := stopOnce(ctx); err != nil || ctx.Err() != nil || foreground(tty) {
			return err
		}
		select { // a shell that ends a job continues it too
		case <-ctx.Done():
			return nil
		case <-time.After(settleDelay):
		}
	}
}

// stopOthers stops the others of a pipeline or a script. Its signal also comes to this process, and has come when
// stopOthers returns: later it would be taken for another program's wish.
func stopOthers(ctx context.Context) error {
	came := make(chan os.Signal, 1)
	if !signal.Ignored(syscall.SIGTSTP) {
		signal.Notify(came, syscall.SIGTSTP)
		defer signal.Stop(came)
	}
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return err
	}
	select {
	case <-came:
	case <-ctx.Done():
	case <-time.After(settleDelay):
	}
	return nil
}

// stopOnce stops this process until it is continued, or the context ends.
func stopOnce(ctx context.Context) error {
	if err := stoppable(); err != nil {
		return err
	}
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	if err := syscall.Kill(os.Getpid(), syscall.SIGSTOP); err != nil {
		return err
	}
	for range 2 { // the second time when it was stopped: the clock went on meanwhile
		select {
		case <-continued:
			return nil
		case <-ctx.Done():
			return nil
		case <-time.After(stopDelay):
		}
	}
	return errNoShell
}

// foreground reports whether the terminal is this process group's; one that went away is nobody else's.
func foreground(tty uintptr) bool {
	group, err := unix.IoctlGetInt(int(tty), unix.TIOCGPGRP)
	return err != nil || group == syscall.Getpgrp()
}
