package nn

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// closeBy are n data in 15 variables, as a search leaves them: a third everywhere, the others round the best of those.
// The function is Levy's, its targets are standardized.
func closeBy(n int) (*mat.Dense, []float64) {
	const d = 15
	rng := newRand(77)
	X, y := mat.NewDense(n, d, nil), make([]float64, n)
	best := 0
	for i := range n {
		w := make([]float64, d)
		for j := range w {
			v := 2*rng.Float64() - 1
			if i > n/3 {
				v = min(1, max(-1, X.At(best, j)+0.3*rng.NormFloat64()))
			}
			X.Set(i, j, v)
			w[j] = 1 + (10*v-1)/4
		}
		y[i] = math.Pow(math.Sin(math.Pi*w[0]), 2) + math.Pow((w[d-1]-1)*math.Sin(2*math.Pi*w[d-1]), 2) +
			math.Pow(w[d-1]-1, 2)
		for _, v := range w[:d-1] {
			y[i] += math.Pow(v-1, 2) * (1 + 10*math.Pow(math.Sin(math.Pi*v+1), 2))
		}
		if y[i] < y[best] {
			best = i
		}
	}
	mean, sd := stat.PopMeanStdDev(y, nil)
	for i := range y {
		y[i] = (y[i] - mean) / sd
	}
	return X, y
}

// smooth is the training of a network of some γ on such data.
func smooth(n, width int, gamma float64) *training {
	X, y := closeBy(n)
	a := Arch{Inputs: 15, Hidden: []int{width}, Activation: Tanh, SigmaW: gamma, SigmaB: gamma}
	return &training{start: New(a, newRand(51)), x: X, target: y}
}

// problem is the linearization at the start of a training, and its residuals.
func (t *training) problem() (*pass, split, []float64) {
	state := t.run(t.start)
	_, residual := t.objective(state.f, nil)
	return state, state.split(), residual
}

// The steps that a smooth network takes are at most 1.3 times those of a rough one, where steps from linearization to
// linearization are many times as many; and it meets the data no worse than those do, or to what counts as met.
func TestSmoothNetworksTakeFewSteps(t *testing.T) {
	rough := 0
	for _, gamma := range []float64{2, 4, 1, 0.5, 0.25} {
		tr := smooth(25, 800, gamma)
		net, report, err := tr.gaussNewton(context.Background())
		require.NoError(t, err)
		state, parts, _ := tr.problem()
		_, before, err := tr.levenberg(context.Background(), state, parts.with(1))
		require.NoError(t, err)
		if gamma == 2 {
			rough = report.Iterations
		}
		if float64(report.Iterations) > 1.3*float64(rough) {
			t.Errorf("γ = %g takes %d steps, γ = 2 %d", gamma, report.Iterations, rough)
		}
		if report.RMSE > max(before.RMSE, nearRMSE) {
			t.Errorf("γ = %g: the RMSE is %g, from linearization to linearization %g", gamma, report.RMSE, before.RMSE)
		}
		if gamma <= 0.5 && before.Iterations < 4*rough {
			t.Errorf("γ = %g is no test: linearizations take %d steps", gamma, before.Iterations)
		}
		if value, left := tr.objective(net.Eval(tr.x), nil); math.Abs(value-report.Objective) > 1e-5*value+1e-10 ||
			math.Abs(rmse(left)-report.RMSE) > 1e-6 {
			t.Errorf("γ = %g: the RMSE is %g and the objective %g, reported %+v", gamma, rmse(left), value, report)
		}
	}
}

// The last layer is at the minimum of what is minimized: λu = Φᵀ(target − f), Φ being the derivative of the outputs by
// the last layer.
func TestLastLayerIsAtItsMinimum(t *testing.T) {
	tr := smooth(20, 300, 0.5)
	state, parts, residual := tr.problem()
	s := tr.newStiffSolver(context.Background(), parts, residual)
	require.NotNil(t, s, "the problem is not stiff")
	net, _, ok := s.train(state, parts, residual)
	require.True(t, ok, "the data are not met")
	_, residual = tr.objective(net.Eval(tr.x), nil)
	down, u := net.VJP(tr.x, residual).layers[1], net.minus(tr.start)[1]
	for k, v := range append(down.w.RawRowView(0), down.b...) {
		moved := append(u.w.RawRowView(0), u.b...)[k]
		if math.Abs(s.lambda*moved-v) > 1e-6*math.Abs(s.lambda*moved)+1e-9 {
			t.Fatalf("λu is %g in weight %d, Φᵀr %g", s.lambda*moved, k, v)
		}
	}
}

// Networks that few steps do not suit are trained as ever: those with too few units for their last layer to meet the
// data, and data that only ever longer steps meet, as those with noise.
func TestOthersAreTrainedFromLinearizationToLinearization(t *testing.T) {
	few, noisy, rough := smooth(30, 20, 0.5), smooth(30, 800, 0.5), smooth(30, 800, 4)
	rng := newRand(8)
	for i := range 10 {
		noisy.x.SetRow(3*i+1, noisy.x.RawRowView(3*i))
		noisy.x.Set(3*i+1, 0, noisy.x.At(3*i, 0)+1e-3)
		noisy.target[3*i+1] = noisy.target[3*i] + 0.1*rng.NormFloat64()
	}
	for name, tr := range map[string]*training{"few units": few, "noise": noisy, "rough": rough} {
		if _, parts, residual := tr.problem(); tr.newStiffSolver(context.Background(), parts, residual) != nil {
			t.Errorf("%s: the problem counts as stiff", name)
		}
	}
}

// The parts of JJᵀ are those of the Jacobian's columns.
func TestKernelInParts(t *testing.T) {
	for name, a := range architectures() {
		net, X := New(a, newRand(1)), inputs(5, 2, 2)
		j, parts := net.Jacobian(X), net.run(X).split()
		last := a.Hidden[len(a.Hidden)-1] + 1
		hidden := j.Slice(0, 5, 0, a.Params()-last)
		var want, whole mat.Dense
		want.Mul(hidden, hidden.T())
		whole.Mul(j, j.T())
		if !mat.EqualApprox(parts.hidden, &want, 1e-10) || !mat.EqualApprox(parts.with(1), &whole, 1e-10) {
			t.Errorf("%s: the parts are others than those of the Jacobian", name)
		}
	}
}

// Many data of one variable are ill-conditioned at any γ: they take two steps, though the first one leads hardly away
// from the start.
func TestOneVariableTakesFewSteps(t *testing.T) {
	const n = 40
	X, y := mat.NewDense(n, 1, nil), make([]float64, n)
	for i := range n {
		x := (float64(i) + 0.5) / n
		X.Set(i, 0, 2*x-1)
		y[i] = (6*x - 2) * (6*x - 2) * math.Sin(12*x-4) / 4
	}
	a := Arch{Inputs: 1, Hidden: []int{1500}, Activation: Tanh, SigmaW: 2, SigmaB: 2}
	tr := &training{start: New(a, newRand(51)), x: X, target: y}
	_, report, err := tr.gaussNewton(context.Background())
	require.NoError(t, err)
	state, parts, residual := tr.problem()
	_, before, err := tr.levenberg(context.Background(), state, parts.with(1))
	require.NoError(t, err)
	if moved := parts.fit(context.Background(), residual, 1, firstDamping, 1500).moved; moved > 0.3 ||
		report.Iterations > 2 || before.Iterations < 8 || report.RMSE > nearRMSE {
		t.Errorf("the first step is %g, %+v, by linearizations %+v", moved, report, before)
	}
}
