//go:build !unix

package tui

import (
	"context"
	"errors"
)

var errNoStop = errors.New("programs are not suspended on this system")

// stoppable says that programs are not suspended here.
func stoppable() error { return errNoStop }

// stopUntilForeground is never called.
func stopUntilForeground(context.Context, uintptr) error { return errNoStop }
