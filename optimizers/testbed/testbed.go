// Package testbed contains what the tests of the methods' packages share: data of test functions, inputs with some
// parameters changed, fitted beliefs. Only tests import it.
package testbed

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/search"
)

// latinHypercube returns n points of the unit cube, n×d, one in each of n equal slices of every axis: always the same
// points.
func latinHypercube(n, d int) *mat.Dense {
	x, rng := mat.NewDense(n, d, nil), rand.New(rand.NewPCG(5, 6))
	for j := range d {
		for i, slice := range rng.Perm(n) {
			x.Set(i, j, (float64(slice)+rng.Float64())/float64(n))
		}
	}
	return x
}

// Observe evaluates a problem at n points of a Latin hypercube, in the unit cube and minimized.
func Observe(t testing.TB, name string, n int) (*functions.Problem, optimizers.Data) {
	t.Helper()
	p, err := functions.Find(name, 1)
	require.NoError(t, err)
	x := latinHypercube(n, p.Dim())
	y := mat.NewDense(n, 1, nil)
	for i := range n {
		v, err := p.TrueValues(p.Domain.FromUnit(x.RawRowView(i)))
		require.NoError(t, err)
		y.Set(i, 0, p.Objectives[0].Transform().Apply(v[0]))
	}
	return p, optimizers.Data{X: x, Y: y}
}

// InputFor is the input of a method, with some parameters changed.
func InputFor(t testing.TB, spec optimizers.Spec, dim int, data optimizers.Data, set ...string) optimizers.Input {
	t.Helper()
	params := param.Defaults(param.ForInputs(spec.Params, dim))
	for _, s := range set {
		key, value, _ := strings.Cut(s, "=")
		if _, err := params.Decl(key); err != nil {
			continue // not every method has it
		}
		var err error
		params, err = params.WithText(key, value)
		require.NoError(t, err)
	}
	return optimizers.Input{Dim: dim, Objectives: 1, Data: data, Step: data.Len(), Budget: 50, Seed: 3, Params: params}
}

// WithErrors are the data with the same standard error for all but one observation, and another for that.
func WithErrors(data optimizers.Data, all float64, index int, se float64) optimizers.Data {
	data.SE = mat.NewDense(data.Len(), 1, nil)
	for i := range data.Len() {
		data.SE.Set(i, 0, all)
	}
	data.SE.Set(index, 0, se)
	return data
}

// Fit is the belief of a method.
func Fit(t testing.TB, spec optimizers.Spec, in optimizers.Input) optimizers.Belief {
	t.Helper()
	b, err := spec.Fit(context.Background(), in)
	require.NoError(t, err, spec.Name)
	return b
}

// Probes are random points of the cube.
func Probes(n, d int) *mat.Dense {
	x, rng := mat.NewDense(n, d, nil), rand.New(rand.NewPCG(7, 8))
	x.Apply(func(int, int, float64) float64 { return rng.Float64() }, x)
	return x
}

// ObserveAll is Observe for problems of several objectives.
func ObserveAll(t testing.TB, name string, n int) optimizers.Data {
	t.Helper()
	p, err := functions.Find(name, 1)
	require.NoError(t, err)
	x := latinHypercube(n, p.Dim())
	y := mat.NewDense(n, len(p.Objectives), nil)
	for i := range n {
		v, err := p.TrueValues(p.Domain.FromUnit(x.RawRowView(i)))
		require.NoError(t, err)
		for k, o := range p.Objectives {
			y.Set(i, k, o.Transform().Apply(v[k]))
		}
	}
	return optimizers.Data{X: x, Y: y}
}

// Initial is the point of the initial design, without replacement by another; false if the design is over.
func Initial(t testing.TB, in optimizers.Input) ([]float64, bool) {
	t.Helper()
	if !search.InDesign(in) {
		return nil, false
	}
	s, err := search.InitialPoint(t.Context(), in)
	if err != nil || s.Note != "" && in.Avoid == nil {
		t.Fatalf("%q, %v", s.Note, err)
	}
	return mat.Row(nil, 0, s.X), true
}

// WithFidelity is the input of a method for a problem with a fidelity.
func WithFidelity(t testing.TB, spec optimizers.Spec, n int, set ...string) optimizers.Input {
	in := InputWithCost(t, spec, "branin-fidelity", n, set...)
	in.Fidelity = &optimizers.Fidelity{Index: 2, Full: 1, Text: "l = 5"}
	return in
}

// InputWithCost is the input of a method for a problem with a cost, after n observations.
func InputWithCost(t testing.TB, spec optimizers.Spec, name string, n int, set ...string) optimizers.Input {
	t.Helper()
	p, data := Observe(t, name, n)
	in := InputFor(t, spec, p.Dim(), data, set...)
	if p.Cost != nil {
		in.Cost = func(u []float64) float64 { return p.Cost.Func(p.Domain.FromUnit(u)) }
	}
	return in
}
