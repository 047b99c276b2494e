// Package parallel distributes work over the cores. The workers end before a call returns. The caller gets their
// failures: an error is returned, and a panic is raised again in the caller's goroutine. It is not defined which worker
// does which part, so work must not depend on it: each part writes only its own results.
//
// Calls may be nested. The outermost call then uses the cores, and a nested one runs in its own goroutine: ten runs on
// two cores are two at a time, with one thread each, and the last of them uses both cores when the other is idle.
package parallel

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
)

// Panic is the value with which a worker's panic is raised again in the caller's goroutine. It is an error, so that its
// text shows the original panic and its stack.
type Panic struct {
	Value any    // value of the worker's panic
	Stack []byte // stack of the worker
}

// Error is the value and the stack of the panic.
func (p *Panic) Error() string { return fmt.Sprintf("%v\n\nin a goroutine:\n%s", p.Value, p.Stack) }

// Unwrap returns the worker's value if that is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Try calls f for 0 to n−1, in the caller's goroutine and on all idle cores. It returns the error of the smallest i
// that failed among the started ones; after the first failure no more are started.
func Try(n int, f func(i int) error) error {
	cores := runtime.GOMAXPROCS(0)
	if min(cores, n) <= 1 {
		for i := range n {
			if err := f(i); err != nil {
				return err
			}
		}
		return nil
	}
	c := &call{f: f, n: n, cores: cores, last: make(chan struct{}, 1)}
	c.workers.Store(1)
	c.work()
	<-c.last
	if c.panicked.what != nil {
		panic(c.panicked.what)
	}
	return c.failed.what
}

// TryCounting is Try, and calls report before each part with how many parts are done. report may be nil.
func TryCounting(n int, report func(done int), f func(i int) error) error {
	var done atomic.Int64
	return Try(n, func(i int) error {
		if report != nil {
			report(int(done.Load()))
		}
		err := f(i)
		done.Add(1)
		return err
	})
}

// callRecovered calls f, and converts a panic into an error.
func callRecovered(i int, f func(i int) error) (err error) {
	if p := Catch(func() { err = f(i) }); p != nil {
		return p
	}
	return err
}

// PanicToError calls f, and converts a panic into an error, for callers that can do without the result of f.
func PanicToError(f func() error) (err error) {
	if p := Catch(func() { err = f() }); p != nil {
		return fmt.Errorf("internal error: %v", p.Value)
	}
	return err
}

// Catch calls f and returns its panic, nil if there was none: for functions that a library calls in goroutines of its
// own, and whose panics must be raised again in the caller of the library.
func Catch(f func()) (p *Panic) {
	defer func() {
		if v := recover(); v != nil {
			var ok bool
			p, ok = v.(*Panic)
			if !ok { // otherwise of its own workers
				p = &Panic{v, debug.Stack()}
			}
		}
	}()
	f()
	return nil
}

// Do calls f for 0 to n−1 as Try does.
func Do(n int, f func(i int)) {
	Try(n, func(i int) error { f(i); return nil })
}

// SplitHalves calls f for both halves of 0 to n concurrently if worthwhile, otherwise once for all.
func SplitHalves(n int, worthwhile bool, f func(from, end int)) {
	if !worthwhile {
		f(0, n)
		return
	}
	Do(2, func(i int) { f(i*n/2, (i+1)*n/2) })
}
