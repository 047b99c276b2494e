package nn

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/mat"
)

// Many inputs at once are evaluated as each alone: those of deep networks in blocks, those of wide ones on two cores.
func TestManyInputs(t *testing.T) {
	for name, a := range map[string]Arch{
		"deep":          {Inputs: 2, Hidden: []int{9, 7}, Activation: ReLU, SigmaW: 1.4, SigmaB: 0.5},
		"wide":          {Inputs: 2, Hidden: []int{301}, Activation: Erf, SigmaW: 1.5, SigmaB: 0.7},
		"deep and wide": {Inputs: 2, Hidden: []int{3, 301}, Activation: Tanh, SigmaW: 1.5, SigmaB: 0.7},
	} {
		n := New(a, newRand(1))
		u := a.NewTangent(newRand(2))
		X := inputs(2*evalRows+5, 2, 3)
		f, along, state := n.Eval(X), n.JVP(X, u), n.run(X)
		hidden := n.HiddenFeatures(X)
		for _, i := range []int{
			0, 1, evalRows - 1, evalRows, evalRows + 3, 2*evalRows - 1, 2 * evalRows, 2*evalRows + 4} {
			row := X.Slice(i, i+1, 0, 2).(*mat.Dense)
			if want := n.Eval(row)[0]; !scalar.EqualWithinAbs(f[i], want, 1e-12) ||
				!scalar.EqualWithinAbs(state.f[i], want, 1e-12) {
				t.Errorf("%s: input %d gives %g, with derivatives %g, alone %g", name, i, f[i], state.f[i], want)
			}
			if want := n.JVP(row, u)[0]; !scalar.EqualWithinAbs(along[i], want, 1e-11) {
				t.Errorf("%s: Ju is %g at input %d, alone %g", name, along[i], i, want)
			}
			if !mat.EqualApprox(hidden.Slice(i, i+1, 0, a.Hidden[len(a.Hidden)-1]+1), n.HiddenFeatures(row), 1e-12) {
				t.Errorf("%s: the features of input %d are others than alone", name, i)
			}
			if want := state.forward(u.layers)[i]; !scalar.EqualWithinAbs(along[i], want, 1e-11) {
				t.Errorf("%s: Ju is %g at input %d, by the pass %g", name, along[i], i, want)
			}
		}
	}
}

// The features are those of the last layer: with its weights as a head they give the network, and the head has the
// slopes of the differences.
func TestHeadOnFeatures(t *testing.T) {
	for name, a := range architectures() {
		n := New(a, newRand(4))
		X := inputs(6, 2, 5)
		last := n.layers[len(n.layers)-1]
		w := make([]float64, 0, len(last.w.RawRowView(0))+1)
		for _, v := range last.w.RawRowView(0) {
			w = append(w, a.SigmaW*v)
		}
		w = append(w, a.SigmaB*last.b[0])
		var product mat.VecDense
		product.MulVec(n.HiddenFeatures(X), mat.NewVecDense(len(w), w))
		head := n.WithHead(w)
		grad, want := make([]float64, 2), make([]float64, 2)
		for i, f := range n.Eval(X) {
			if !scalar.EqualWithinAbs(product.AtVec(i), f, 1e-12) || !scalar.EqualWithinAbs(head.Eval(X)[i], f, 1e-12) {
				t.Errorf("%s: %g by features, %g by the head, want %g", name, product.AtVec(i), head.Eval(X)[i], f)
			}
			n.Gradient(X.RawRowView(i), want)
			if v := head.Gradient(X.RawRowView(i), grad); !scalar.EqualWithinAbs(v, f, 1e-12) ||
				!scalar.EqualWithinAbs(grad[0], want[0], 1e-12) || !scalar.EqualWithinAbs(grad[1], want[1], 1e-12) {
				t.Errorf("%s: the head is %g with slopes %v, want %g and %v", name, v, grad, f, want)
			}
		}
	}
}

// The derivative of Ju by the input against differences, for every activation; ReLU's away from its kinks.
func TestTangentsHaveSlopes(t *testing.T) {
	for name, a := range architectures() {
		n, u := New(a, newRand(6)), a.NewTangent(newRand(7))
		const h = 1e-6
		x, grad := []float64{0.3, -0.2}, make([]float64, 2)
		value := n.JVPGradient(x, u, grad)
		inputs := mat.NewDense(5, 2, []float64{x[0], x[1], x[0] + h, x[1], x[0] - h, x[1], x[0], x[1] + h, x[0], x[1] - h})
		v := n.JVP(inputs, u)
		if !scalar.EqualWithinAbs(value, v[0], 1e-11) {
			t.Errorf("%s: Ju is %g beside its slopes, %g alone", name, value, v[0])
		}
		for j := range 2 {
			if want := (v[1+2*j] - v[2+2*j]) / (2 * h); !scalar.EqualWithinAbsOrRel(grad[j], want, 1e-6, 1e-6) {
				t.Errorf("%s: slope %d is %g, by differences %g", name, j, grad[j], want)
			}
		}
	}
}

func TestArchitecturesAreChecked(t *testing.T) {
	good := func() Arch { return Arch{Inputs: 1, Hidden: []int{1}, Activation: Tanh, SigmaW: 0.1} }
	assert.NoError(t, good().Check())
	for name, spoil := range map[string]func(*Arch){
		"no inputs":         func(a *Arch) { a.Inputs = 0 },
		"no layer":          func(a *Arch) { a.Hidden = nil },
		"an empty layer":    func(a *Arch) { a.Hidden = []int{3, 0} },
		"no weights":        func(a *Arch) { a.SigmaW = 0 },
		"σ_W of no number":  func(a *Arch) { a.SigmaW = math.NaN() },
		"negative biases":   func(a *Arch) { a.SigmaB = -0.1 },
		"σ_b of no number":  func(a *Arch) { a.SigmaB = math.NaN() },
		"no activation":     func(a *Arch) { a.Activation = "" },
		"a wrong one":       func(a *Arch) { a.Activation = "gelu" },
		"negative σ_W":      func(a *Arch) { a.SigmaW = -1 },
		"a negative layer":  func(a *Arch) { a.Hidden = []int{-1} },
		"a negative number": func(a *Arch) { a.Inputs = -1 },
	} {
		a := good()
		spoil(&a)
		assert.Error(t, a.Check(), "%s: it is accepted", name)
		for builder, build := range builders() {
			if _, err := build(context.Background(), a, nil, nil, Options{}, newRand(1)); err == nil {
				t.Errorf("%s: %s builds it", name, builder)
			}
		}
	}
}

// Targets that no network can come near end in an error that says so, of every trainer, and not in numbers that are
// none.
func TestDivergenceIsSaid(t *testing.T) {
	a := Arch{Inputs: 1, Hidden: []int{10}, Activation: Tanh, SigmaW: 1, SigmaB: 1}
	X := mat.NewDense(2, 1, []float64{-0.5, 0.5})
	for _, y := range [][]float64{{math.NaN(), 1}, {1e200, 1}} {
		for name, opt := range map[string]Options{
			"Gauss–Newton":             {},
			"Adam":                     {Trainer: Adam, Epochs: 2, Rate: 0.01},
			"gradient descent":         {Trainer: GradientDescent, Epochs: 2, Rate: 0.01},
			"linearized descent":       {Trainer: GradientDescent, Epochs: 2, Rate: 0.01, Linear: true},
			"linearized, closed form":  {Linear: true, Sigma2: 1},
			"gradient descent, slowly": {Trainer: GradientDescent, Epochs: 2, Rate: 1e-6},
		} {
			if _, err := SimpleSMB(context.Background(), a, X, y, opt, newRand(1)); !errors.Is(err, ErrDiverged) {
				t.Errorf("%s to %v: %v", name, y, err)
			}
		}
		if _, err := SGD(context.Background(), New(a, newRand(1)), X, y, SGDOptions{Batch: 1, Epochs: 2, Rate: 0.01},
			newRand(1)); !errors.Is(err, ErrDiverged) {
			t.Errorf("stochastic descent to %v: %v", y, err)
		}
	}
}

// Progress goes from 0 upwards, of the total that there is, and is told more than once where training is long.
func TestProgressIsTold(t *testing.T) {
	a := Arch{Inputs: 1, Hidden: []int{20}, Activation: Tanh, SigmaW: 1, SigmaB: 1}
	X, y := mat.NewDense(3, 1, []float64{-0.5, 0.1, 0.5}), []float64{1, -1, 0}
	for name, c := range map[string]struct {
		total, least int
		train        func(progress func(done, total int)) error
	}{
		"Gauss–Newton": {maxIterations, 2, func(p func(done, total int)) error {
			_, err := SimpleSMB(context.Background(), a, X, y, Options{Sigma2: 0.1, Progress: p}, newRand(1))
			return err
		}},
		"Adam": {120, 3, func(p func(done, total int)) error {
			_, err := SimpleSMB(context.Background(), a, X, y,
				Options{Trainer: Adam, Epochs: 120, Rate: 0.01, Progress: p}, newRand(1))
			return err
		}},
		"gradient descent": {120, 3, func(p func(done, total int)) error {
			_, err := SimpleSMB(context.Background(), a, X, y,
				Options{Trainer: GradientDescent, Epochs: 120, Rate: 0.01, Progress: p}, newRand(1))
			return err
		}},
		"stochastic descent": {7, 7, func(p func(done, total int)) error {
			_, err := SGD(context.Background(), New(a, newRand(1)), X, y,
				SGDOptions{Batch: 2, Epochs: 7, Rate: 0.01, Progress: p}, newRand(1))
			return err
		}},
	} {
		var values []int
		if err := c.train(func(done, total int) {
			assert.Equal(t, c.total, total, "%s: of", name)
			values = append(values, done)
		}); err != nil {
			t.Fatal(err)
		}
		if len(values) < c.least || values[0] != 0 {
			t.Errorf("%s: progress is %v", name, values)
		}
		for i := 1; i < len(values); i++ {
			if values[i] <= values[i-1] || values[i] > c.total {
				t.Errorf("%s: progress is %v", name, values)
			}
		}
	}
}

// Adam's steps from the means of its gradients (Kingma & Ba 2015): corrected for their start, the means are Σβ^(t−s)
// g_s / Σβ^(t−s). The gradients are taken from the Jacobian.
func TestAdamsSteps(t *testing.T) {
	a := Arch{Inputs: 2, Hidden: []int{3}, Activation: Tanh, SigmaW: 1.5, SigmaB: 0.5}
	X := inputs(4, 2, 8)
	y := targets(X)
	const rate, sigma2, epochs = 0.05, 0.3, 5
	start := New(a, newRand(9))
	net := start.plus(start.zeros())
	params, first := flat(net), flat(start)
	gradients := make([][]float64, 0, epochs)
	for epoch := range epochs {
		jac, f := net.Jacobian(X), net.Eval(X)
		g := make([]float64, len(params))
		for k := range g {
			for i := range y {
				g[k] += 2 * (f[i] - y[i]) * jac.At(i, k)
			}
			g[k] += 2 * sigma2 * (*params[k] - *first[k])
		}
		gradients = append(gradients, g)
		for k, p := range params {
			var mean, square, weight1, weight2 float64
			for s, g := range gradients {
				w1, w2 := math.Pow(0.9, float64(epoch-s)), math.Pow(0.999, float64(epoch-s))
				mean, square, weight1, weight2 = mean+w1*g[k], square+w2*g[k]*g[k], weight1+w1, weight2+w2
			}
			*p -= rate * mean / weight1 / (math.Sqrt(square/weight2) + 1e-8)
		}
	}
	tr := &training{start: start, x: X, target: y, sigma2: sigma2}
	got, report, err := tr.adam(context.Background(), epochs, rate)
	if err != nil || report.Iterations != epochs || !report.Converged {
		t.Fatal(report, err)
	}
	for k, p := range flat(got) {
		if !scalar.EqualWithinAbs(*p, *params[k], 1e-9) {
			t.Fatalf("parameter %d comes to %g, want %g", k, *p, *params[k])
		}
	}
	objective, rest := 0.0, 0.0
	for i, f := range net.Eval(X) {
		rest += (y[i] - f) * (y[i] - f)
	}
	for k, p := range params {
		objective += sigma2 * (*p - *first[k]) * (*p - *first[k])
	}
	if objective += rest; !scalar.EqualWithinRel(report.Objective, objective, 1e-9) ||
		!scalar.EqualWithinRel(report.RMSE, math.Sqrt(rest/4), 1e-9) {
		t.Errorf("the objective is %g and the RMSE %g, want %g and %g", report.Objective, report.RMSE, objective,
			math.Sqrt(rest/4))
	}
}

// With little noise training goes on to the minimum, where data that are nearly met are no reason to stop; without any
// it stops soon after they are met.
func TestGaussNewtonStops(t *testing.T) {
	X := inputs(10, 1, 30)
	y := targets(X)
	a := Arch{Inputs: 1, Hidden: []int{300}, Activation: Tanh, SigmaW: 2, SigmaB: 1}
	for _, sigma2 := range []float64{1e-3, 1e-5} {
		tr := &training{start: New(a, newRand(31)), x: X, target: y, sigma2: sigma2}
		net, report, err := tr.gaussNewton(context.Background())
		require.NoError(t, err)
		if after, before := tr.firstOrder(net), tr.firstOrder(tr.start); after > 1e-6*before {
			t.Errorf("σ² = %g: the gradient is %g of that at the start; %+v", sigma2, after/before, report)
		}
	}
	tr := &training{start: New(a, newRand(31)), x: X, target: y}
	_, report, err := tr.gaussNewton(context.Background())
	if err != nil || report.RMSE > nearRMSE || report.Iterations > 12 || !report.Converged {
		t.Errorf("%+v (%v)", report, err)
	}
}

// Data whose kernel has no factor, as those of inputs that are the same have none, are met all the same, by a little
// jitter.
func TestRepeatedInputsAreMet(t *testing.T) {
	a := Arch{Inputs: 1, Hidden: []int{40}, Activation: Tanh, SigmaW: 1.5, SigmaB: 0.5}
	n := 12
	X, y := mat.NewDense(n, 1, nil), make([]float64, n)
	for i := range n {
		X.Set(i, 0, []float64{-0.5, 0.1, 0.7}[i%3])
		y[i] = []float64{1, -1, 0.4}[i%3]
	}
	for name, build := range builders() {
		f, err := build(context.Background(), a, X, y, Options{Linear: true}, newRand(3))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i, v := range f.Eval(X) {
			assert.InDelta(t, y[i], v, 1e-4, "%s: %g at datum %d", name, v, i)
		}
	}
}
