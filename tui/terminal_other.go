//go:build !unix

package tui

import (
	"context"
	"errors"
	"os"
)

var errNoStop = errors.New("this system cannot suspend programs")

// stoppable says that programs are not suspended here.
func stoppable() error { return errNoStop }

// stopUntilForeground is never called.
func stopUntilForeground(context.Context, uintptr) error { return errNoStop }

// watch, unwatch, isStop and stopOnce have nothing to do here.
func (t *terminal) watch()           {}
func (t *terminal) unwatch()         {}
func isStop(os.Signal) bool          { return false }
func stopOnce(context.Context) error { return errNoStop }
