package nn

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
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

// both trains as new sessions do and as those from before do.
func both(t *testing.T, tr *training) (now, before Report) {
	t.Helper()
	var err error
	if _, now, err = tr.gaussNewton(context.Background()); err == nil {
		former := *tr
		former.firstTraining = true
		_, before, err = former.gaussNewton(context.Background())
	}
	if err != nil {
		t.Fatal(err)
	}
	return now, before
}

// Data without noise in the model are fitted at least as closely as in the former training, or to nearRMSE; where that
// made all its iterations on rough or noisy data, half of them are enough. Elsewhere there are hardly more.
func TestNoiselessTrainingLoss(t *testing.T) {
	slow := 0
	for name, c := range map[string]struct {
		f     func(x []float64) float64
		n     int
		arch  Arch
		noise float64
	}{
		"rough":             {ackley, 80, gammaArch(2, 1200, 2), 0},
		"many variables":    {ackley, 60, gammaArch(10, 600, 1.5), 0},
		"smooth":            {hills, 40, gammaArch(6, 600, 1.8), 0},
		"noise":             {hills, 50, gammaArch(2, 1200, 2), 0.1},
		"erf, more of it":   {hills, 40, Arch{Inputs: 2, Hidden: []int{800}, Activation: Erf, SigmaW: 2, SigmaB: 2}, 0.3},
		"two hidden layers": {hills, 30, Arch{Inputs: 2, Hidden: []int{90, 90}, Activation: Tanh, SigmaW: 1.5, SigmaB: 1}, 0.1},
	} {
		for seed := range uint64(3) {
			now, before := both(t, sampled(c.f, c.n, c.arch, 0, c.noise, seed))
			if now.RMSE > max(before.RMSE, nearRMSE) {
				t.Errorf("%s, %d: the RMSE is %g, before %g", name, seed, now.RMSE, before.RMSE)
			}
			if before.Iterations == maxIterations {
				slow++
				if now.Iterations > maxIterations/2+2 {
					t.Errorf("%s, %d: %d iterations", name, seed, now.Iterations)
				}
			} else if now.Iterations > before.Iterations+5 {
				t.Errorf("%s, %d: %d iterations, before %d", name, seed, now.Iterations, before.Iterations)
			}
		}
	}
	if slow < 3 {
		t.Errorf("only %d of the problems are slow", slow)
	}
}

// Regularized objectives of narrow networks end at most 15 % above those of the former training, often far below, and
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
		if next.net == nil {
			t.Fatalf("%s: no step", name)
		}
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

// The last layer fits what is left with a ridge: its residual is parallel to the weights, and the hidden layers stay.
func TestFitLastLayer(t *testing.T) {
	tr := sampled(hills, 20, gammaArch(2, 300, 2), 0, 0.1, 3)
	state := tr.run(tr.start)
	m := tr.newMarquardt(state, kernel(state, state))
	if !m.fitLastLayer() || rmse(m.at.residual) > nearRMSE || m.at.net.layers[0].w != tr.start.layers[0].w {
		t.Fatalf("the RMSE is %g", rmse(m.at.residual))
	}
	down, u := m.at.net.VJP(tr.x, m.at.residual).layers[1].w, m.at.net.minus(tr.start)[1].w
	var cross, left, right mat.Dense
	cross.Mul(down, u.T())
	left.Mul(down, down.T())
	right.Mul(u, u.T())
	if c := cross.At(0, 0) / math.Sqrt(left.At(0, 0)*right.At(0, 0)); c < 1-1e-6 {
		t.Errorf("the cosine of the change and the gradient is %g", c)
	}
	few := sampled(hills, 20, gammaArch(2, 5, 2), 0, 0.1, 3)
	state = few.run(few.start)
	if m := few.newMarquardt(state, kernel(state, state)); m.fitLastLayer() || m.at.net != few.start {
		t.Error("five units fit twenty data")
	}
}

// Sessions from before train as they did, whatever the noise.
func TestFirstTrainingStaysAsItWas(t *testing.T) {
	for _, sigma2 := range []float64{0, 0.01} {
		tr := sampled(hills, 20, gammaArch(2, 100, 2), sigma2, 0.1, 4)
		tr.firstTraining = true
		got, report, err := tr.gaussNewton(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		state := tr.run(tr.start)
		jjt := kernel(state, state)
		if sigma2 == 0 {
			jjt = state.split().with(1)
		}
		want, known, err := tr.levenberg(context.Background(), state, jjt)
		if err != nil || report != known {
			t.Errorf("σ² = %g: %+v, want %+v (%v)", sigma2, report, known, err)
		}
		for k, v := range flat(got) {
			if *v != *flat(want)[k] {
				t.Fatalf("σ² = %g: parameter %d is %g, want %g", sigma2, k, *v, *flat(want)[k])
			}
		}
	}
}
