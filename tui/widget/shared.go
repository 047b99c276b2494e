package widget

import (
	"context"
	"errors"
	"sync/atomic"
)

// ErrServed is why nothing outside of a person's folder can be named while the process serves several people: no file by
// its path, no editor, no other program.
var ErrServed = errors.New("not here: on a server, files outside of your folder cannot be named and no programs start")

// places are the computations that may run at once in a process that serves several people; nil for any number. Those
// that wait begin in the order in which they came.
var places atomic.Pointer[chan struct{}]

// Serve says that the process serves several people, for its whole life: at most so many computations of their screens
// run at once, and no screen takes a path or starts a program.
func Serve(computations int) {
	c := make(chan struct{}, computations)
	places.Store(&c)
}

// Served reports whether the process serves several people.
func Served() bool { return places.Load() != nil }

// enter waits for the place of a computation, and returns what gives it back; an error if the context ends before.
func enter(ctx context.Context) (leave func(), err error) {
	at := places.Load()
	if at == nil {
		return func() {}, nil
	}
	select {
	case *at <- struct{}{}:
		return func() { <-*at }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
