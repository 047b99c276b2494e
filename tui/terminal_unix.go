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

// errNoShell is why the program is not stopped: a process group without a shell above it is never continued, and so not stopped at all (POSIX
// calls it orphaned).
var errNoShell = errors.New("there is no shell that could bring the program back")

// stoppable says why the program cannot be stopped, as far as can be told beforehand.
func stoppable() error {
	parent, err := unix.Getsid(os.Getppid())
	if own, e := unix.Getsid(0); err != nil || e != nil || parent != own {
		return errNoShell
	}
	return nil
}

// stopUntilForeground stops the process group, as ctrl+z does, until it is continued in the foreground of the terminal, or the context ends.
func stopUntilForeground(ctx context.Context, tty uintptr) error {
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	for {
		if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
			return err
		}
		select {
		case <-continued:
		case <-ctx.Done():
			return nil
		case <-time.After(stopDelay): // also when it was stopped: the clock went on meanwhile
			select {
			case <-continued:
			case <-ctx.Done():
				return nil
			case <-time.After(stopDelay):
				return errNoShell
			}
		}
		if foreground(tty) {
			return nil
		}
		select { // a shell that ends a job continues it too
		case <-ctx.Done():
			return nil
		case <-time.After(settleDelay):
		}
	}
}

// foreground reports whether the terminal is this process group's; one that went away is nobody else's.
func foreground(tty uintptr) bool {
	group, err := unix.IoctlGetInt(int(tty), unix.TIOCGPGRP)
	return err != nil || group == syscall.Getpgrp()
}
