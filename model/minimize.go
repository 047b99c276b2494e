package model

import (
	"context"
	"math"
	"sync/atomic"

	"gonum.org/v1/gonum/optimize"

	"bandscope/model/parallel"
)

// Minimize is gonum's optimize.Minimize under a context, after whose end it stops soon, with the context's error. The
// library calls the function and its gradient in goroutines of its own, where a panic would end the program: here it
// ends the search and goes on in the caller's goroutine.
//
// Why the library stopped is no error, such as a line search that finds nothing lower where the minimum is reached to
// the last digits: the result is the best that was found, nil where there is none.
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
