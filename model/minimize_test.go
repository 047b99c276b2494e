package model

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/optimize"

	"bandscope/model/parallel"
)

// A function, or a gradient, that panics ends the search, however far it has come, and the panic reaches the caller; an
// ended context ends it too.
func TestMinimizeHandsOverPanics(t *testing.T) {
	bowl := func(x []float64) float64 { return (x[0]-1)*(x[0]-1) + 10*x[1]*x[1]*x[1]*x[1] }
	slope := func(g, x []float64) { g[0], g[1] = 2*(x[0]-1), 40*x[1]*x[1]*x[1] }
	start, settings := []float64{3, 2}, &optimize.Settings{FuncEvaluations: 2000}
	for name, method := range map[string]optimize.Method{
		"L-BFGS": &optimize.LBFGS{}, "simplex": &optimize.NelderMead{}} {
		r, err := Minimize(context.Background(), optimize.Problem{Func: bowl, Grad: slope}, start, settings, method)
		if err != nil || math.Abs(r.X[0]-1) > 1e-3 {
			t.Errorf("%s: %v, %v", name, r, err)
		}
		for _, values := range []int{1, 2, 5} {
			calls := 0
			count := func() {
				if calls++; calls == values {
					panic("beyond the end")
				}
			}
			for label, p := range map[string]optimize.Problem{
				"function": {Func: func(x []float64) float64 { count(); return bowl(x) }, Grad: slope},
				"gradient": {Func: bowl, Grad: func(g, x []float64) { count(); slope(g, x) }},
			} {
				if label == "gradient" && name == "simplex" {
					continue
				}
				calls = 0
				got := parallel.Catch(func() { Minimize(context.Background(), p, start, settings, method) })
				if got == nil || got.Value != "beyond the end" || calls != values {
					t.Errorf("%s: a %s that panics in its call %d: %v, after %d calls", name, label, values, got, calls)
				}
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, err = Minimize(ctx, optimize.Problem{Func: bowl, Grad: slope}, start, settings, method)
		assert.ErrorIs(t, err, context.Canceled, "%s, cancelled: %v", name, err)
	}
}
