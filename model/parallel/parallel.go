// Package parallel shares work between the cores, for everything that computes. The workers end before a call returns, and what goes wrong in one of
// them reaches whoever asked for the work: an error is returned, a panic goes on in the caller's goroutine, where the program says it and goes on.
// Which worker does what is left open, so work must not depend on it: each part writes what is its own.
package parallel

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Panic is what a panic in a worker is raised again as in the caller's goroutine. It is an error, so that it tells where it began however it is shown.
type Panic struct {
	Value any    // what the worker panicked with
	Stack []byte // of the worker
}

// Error tells what happened and where.
func (p *Panic) Error() string { return fmt.Sprintf("%v\n\nin a worker:\n%s", p.Value, p.Stack) }

// Unwrap returns the worker's value if that is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Try calls f for 0 to n−1 on all cores. It returns the error of the least i that failed among those that were begun; after the first failure no more are.
func Try(n int, f func(i int) error) error {
	workers := min(runtime.GOMAXPROCS(0), n)
	if workers <= 1 {
		for i := range n {
			if err := f(i); err != nil {
				return err
			}
		}
		return nil
	}
	errs := make([]error, n)
	var (
		wait   sync.WaitGroup
		next   atomic.Int64
		failed atomic.Bool
	)
	for range workers {
		wait.Go(func() {
			for !failed.Load() {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if errs[i] = guarded(i, f); errs[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if p := (*Panic)(nil); errors.As(err, &p) {
			panic(p)
		}
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// guarded calls f, and makes an error of a panic.
func guarded(i int, f func(i int) error) (err error) {
	if p := Catch(func() { err = f(i) }); p != nil {
		return p
	}
	return err
}

// Catch calls f and returns its panic, nil if there was none: for what a library calls in goroutines of its own, and whose panic is to be raised again
// where the library was called.
func Catch(f func()) (p *Panic) {
	defer func() {
		if v := recover(); v != nil {
			var ok bool
			if p, ok = v.(*Panic); !ok { // otherwise of workers of its own
				p = &Panic{v, debug.Stack()}
			}
		}
	}()
	f()
	return nil
}

// Do calls f for 0 to n−1 on all cores.
func Do(n int, f func(i int)) {
	Try(n, func(i int) error { f(i); return nil })
}

// Halves calls f for both halves of 0 to n at once where that is worthwhile, otherwise once for the whole.
func Halves(n int, worthwhile bool, f func(from, to int)) {
	if !worthwhile {
		f(0, n)
		return
	}
	Do(2, func(i int) { f(i*n/2, (i+1)*n/2) })
}
