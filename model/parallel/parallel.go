// Package parallel shares work between the cores, for everything that computes. The workers end before a call returns,
// and what goes wrong in one of them reaches whoever asked for the work: an error is returned, a panic goes on in the
// caller's goroutine, where the program says it and goes on. Which worker does what is left open, so work must not
// depend on it: each part writes what is its own.
//
// Calls may be nested. The outermost then has the cores, and one within it runs where it was called: ten runs on two
// cores are two at a time, one thread each, and the last of them, once a core has nothing else to do, has both.
package parallel

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// Panic is what a panic in a worker is raised again as in the caller's goroutine. It is an error, so that it tells
// where it began however it is shown.
type Panic struct {
	Value any    // what the worker panicked with
	Stack []byte // of the worker
}

// Error tells what happened and where.
func (p *Panic) Error() string { return fmt.Sprintf("%v\n\nin a goroutine:\n%s", p.Value, p.Stack) }

// Unwrap returns the worker's value if that is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Try calls f for 0 to n−1, in the caller's goroutine and on all cores that are idle. It returns the error of the least
// i that failed among those that were begun; after the first failure no more are.
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

// callRecovered calls f, and makes an error of a panic.
func callRecovered(i int, f func(i int) error) (err error) {
	if p := Catch(func() { err = f(i) }); p != nil {
		return p
	}
	return err
}

// PanicToError calls f, and makes an error of a panic, for callers that can do without what f computes.
func PanicToError(f func() error) (err error) {
	if p := Catch(func() { err = f() }); p != nil {
		return fmt.Errorf("internal error: %v", p.Value)
	}
	return err
}

// Catch calls f and returns its panic, nil if there was none: for what a library calls in goroutines of its own, and
// whose panic is to be raised again where the library was called.
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

// Do calls f for 0 to n−1 as Try does.
func Do(n int, f func(i int)) {
	Try(n, func(i int) error { f(i); return nil })
}

// SplitHalves calls f for both halves of 0 to n at once where that is worthwhile, otherwise once for the whole.
func SplitHalves(n int, worthwhile bool, f func(from, to int)) {
	if !worthwhile {
		f(0, n)
		return
	}
	Do(2, func(i int) { f(i*n/2, (i+1)*n/2) })
}
