package model

import (
	"context"
	"math"
	"sync/atomic"

	"gonum.org/v1/gonum/optimize"

	"bandscope/model/parallel"
)

// Minimize is gonum's optimize.Minimize with a context. It stops soon after the context ends, with the context's error.
// The library calls the function and its gradient in goroutines of its own, where a panic would end the program:
// Minimize ends the search instead, and panics in the caller's goroutine.
//
// A reason why the library stopped is not an error, such as a line search that finds no smaller value because the
// minimum is reached to full precision: the result is the best point found, nil if there is none.
func Minimize(ctx context.Context, p optimize.Problem, start []float64, settings *optimize.Settings,
	method optimize.Method) (*optimize.Result, error) {
	var fault atomic.Pointer[parallel.Panic]
	guarded := func(f func()) {
		if fault.Load() == nil {
			fault.CompareAndSwap(nil, parallel.Catch(f))
		}
	}
	f, grad := p.Func, p.Grad
	p.Func = func(x []float64) float64 {
		v := math.NaN()
		guarded(func() { v = f(x) })
		return v
	}
	if grad != nil {
		p.Grad = func(slope, x []float64) { guarded(func() { grad(slope, x) }) }
	}
	p.Status = func() (optimize.Status, error) {
		if p := fault.Load(); p != nil {
			return optimize.Failure, p
		}
		return optimize.NotTerminated, ctx.Err()
	}
	result, _ := optimize.Minimize(p, start, settings, method)
	if p := fault.Load(); p != nil {
		panic(p)
	}
	return result, ctx.Err()
}
