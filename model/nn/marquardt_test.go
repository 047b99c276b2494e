package nn

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"
)

// sampled is the training of a network on n values of a function in [−1, 1]^d, standardized, with noise. With σ² it is
// one of PosteriorSMB.
func sampled(f func(x []float64) float64, n int, a Arch, sigma2, noise float64, seed uint64) *training {
	X, y, rng := inputs(n, a.Inputs, 100+seed), make([]float64, n), newRand(200+seed)
	for i := range y {
		y[i] = f(X.RawRowView(i))
	}
	mean, sd := stat.PopMeanStdDev(y, nil)
	for i := range y {
		y[i] = (y[i]-mean)/sd + noise*rng.NormFloat64()
	}
	t := &training{start: New(a, rng), x: X, target: y, sigma2: sigma2}
	if sigma2 > 0 {
		for i, v := range t.start.JVP(X, a.NewTangent(rng).WithoutLast()) {
			y[i] += math.Sqrt(sigma2)*rng.NormFloat64() - v
		}
	}
	return t
}

// ackley is Ackley's function on its usual domain: 32 ripples on each side of the minimum.
func ackley(x []float64) float64 {
	squares, ripples := 0.0, 0.0
	for _, v := range x {
		squares += 32.768 * v * 32.768 * v
		ripples += math.Cos(2 * math.Pi * 32.768 * v)
	}
	d := float64(len(x))
	return -20*math.Exp(-0.2*math.Sqrt(squares/d)) - math.Exp(ripples/d)
}

// hills is a sum of four Gaussian hills in any number of variables, in the manner of Hartmann's functions.
func hills(x []float64) float64 {
	sum := 0.0
	for k := range 4 {
		e := 0.0
		for j, v := range x {
			c := math.Sin(float64(3*k + 5*j))
			e += (1 + float64((j+k)%3)) * (v - c) * (v - c)
		}
		sum -= (1 + 0.7*float64(k)) * math.Exp(-e)
	}
	return sum
}

func gammaArch(d, width int, gamma float64) Arch {
	return Arch{Inputs: d, Hidden: []int{width}, Activation: Tanh, SigmaW: gamma, SigmaB: gamma}
}

// both trains by the steps of Marquardt, and by those of Levenberg.
func both(t *testing.T, tr *training) (marquardt, levenberg Report) {
	t.Helper()
	_, marquardt, err := tr.gaussNewton(context.Background())
	require.NoError(t, err)
	state := tr.run(tr.start)
	_, levenberg, err = tr.levenberg(context.Background(), state, kernel(state, state))
	require.NoError(t, err)
	return marquardt, levenberg
}

// Regularized objectives of narrow networks end at most 15 % above those of the steps of Levenberg, often far below, and
// in the geometric mean below, after at most 0.7 of the iterations.
func TestRegularizedTrainingLoss(t *testing.T) {
	deep := func(d int) Arch {
		return Arch{Inputs: d, Hidden: []int{64, 64}, Activation: Erf, SigmaW: 1.5, SigmaB: 1}
	}
	var logs []float64
	var now, before int
	for name, c := range map[string]struct {
		f     func(x []float64) float64
		n     int
		arch  Arch
		noise float64
	}{
		"rough":         {ackley, 30, deep(2), 0},
		"smooth":        {hills, 30, deep(2), 0},
		"six variables": {hills, 40, deep(6), 0},
		"noise":         {hills, 30, deep(2), 0.2},
		"one layer":     {hills, 30, gammaArch(2, 200, 2), 0.1},
	} {
		for seed := range uint64(3) {
			a, b := both(t, sampled(c.f, c.n, c.arch, 1e-3, c.noise, seed))
			logs = append(logs, math.Log(a.Objective/b.Objective))
			if a.Objective > 1.15*b.Objective {
				t.Errorf("%s, %d: the objective is %g, before %g", name, seed, a.Objective, b.Objective)
			}
			now, before = now+a.Iterations, before+b.Iterations
		}
	}
	if mean := math.Exp(stat.Mean(logs, nil)); mean > 1 {
		t.Errorf("objectives are %g of the former ones in the geometric mean", mean)
	}
	if 10*now > 7*before {
		t.Errorf("%d iterations, before %d", now, before)
	}
}

// An accelerated step is δ + ½a with δ and a as the former training computes them, at a point far from the start.
func TestAcceleratedStep(t *testing.T) {
	for name, a := range map[string]Arch{"erf": {Inputs: 2, Hidden: []int{12, 9}, Activation: Erf, SigmaW: 1.5, SigmaB: 1},
		"tanh": gammaArch(2, 15, 1.5)} {
		tr := sampled(hills, 8, a, 0.01, 0, 1)
		tr.root = []float64{1, 0.5, 1, 0.8, 1, 0.3, 1, 1}
		applyWeights(tr.target, tr.root)
		first := tr.run(tr.start)
		m := tr.newMarquardt(first, kernel(first, first))
		m.at.net = New(a, newRand(7))
		m.at.moved = m.at.net.minus(tr.start)
		m.state = tr.activate(nil, m.at.net)
		m.at.value, m.at.residual = tr.objective(m.state.f, m.at.moved)
		m.linearize()
		m.damping = 30 // so that the path is hardly curved
		s := &step{t: tr, net: m.at.net, state: m.state, moved: m.at.moved, residual: m.at.residual, kernel: m.kernel}
		delta, chol := s.solve(m.damping)
		want := m.at.net.plus(delta).plus(times(0.5, s.acceleration(delta, chol)))
		next, state, _ := m.try()
		require.NotNil(t, next.net, "%s: no step", name)
		for k, v := range flat(next.net) {
			if w := *flat(want)[k]; math.Abs(*v-w) > 1e-9*(1+math.Abs(w)) {
				t.Fatalf("%s: parameter %d is %g, want %g", name, k, *v, w)
			}
		}
		if value, _ := tr.objective(tr.eval(next.net), next.moved); math.Abs(next.value-value) > 1e-9*value ||
			state.net != next.net {
			t.Errorf("%s: the objective is %g, want %g", name, next.value, value)
		}
	}
}
