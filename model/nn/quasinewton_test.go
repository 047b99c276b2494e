package nn

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// adamObjectives are what 4,000 epochs of Adam at rate 0.003 reach on kinked of seeds 0 to 4; TestAdamOverTheKinks
// makes them anew.
var adamObjectives = []float64{0.31177, 0.48737, 0.76265, 0.56331, 1.35160}

// kinked is a problem of PosteriorSMB with the network of Dai et al. 2022 and noise: ten data of Forrester's function,
// standardized.
func kinked(seed uint64) *training {
	const n = 10
	a := Arch{Inputs: 1, Hidden: []int{256, 256}, Activation: ReLU, SigmaW: 1.5, SigmaB: 1}
	X, y := mat.NewDense(n, 1, nil), make([]float64, n)
	for i := range n {
		x := (float64(i) + 0.5) / n
		X.Set(i, 0, 2*x-1)
		y[i] = (6*x - 2) * (6*x - 2) * math.Sin(12*x-4)
	}
	mean, sd := stat.MeanStdDev(y, nil)
	rng := newRand(seed)
	tr := &training{start: New(a, rng), x: X, target: y, sigma2: 0.01}
	fixed := tr.start.JVP(X, a.NewTangent(rng).WithoutLast())
	for i := range y {
		y[i] = (y[i]-mean)/sd + 0.1*rng.NormFloat64() - fixed[i]
	}
	return tr
}

// Over the kinks of ReLU units the regularized objective ends where a long Adam ends: local minima differ, so that one
// start may end above it and another below, but not on the average; and its gradient is small everywhere.
func TestReLUReachesAdamsObjective(t *testing.T) {
	var logs []float64
	for seed, want := range adamObjectives {
		tr := kinked(uint64(seed))
		net, report, err := tr.gaussNewton(context.Background())
		require.NoError(t, err)
		logs = append(logs, math.Log(report.Objective/want))
		if report.Objective > 1.25*want {
			t.Errorf("seed %d: the objective is %g, Adam's %g", seed, report.Objective, want)
		}
		if position, first := tr.firstOrder(net), tr.firstOrder(tr.start); position > 0.015*first {
			t.Errorf("seed %d: the gradient's norm is %g, %g at the start", seed, position, first)
		}
		if value, _ := tr.objective(net.Eval(tr.x), net.minus(tr.start)); math.Abs(value-report.Objective) > 1e-9*
			value {
			t.Errorf("seed %d: the objective is %g, reported %g", seed, value, report.Objective)
		}
	}
	if mean := math.Exp(stat.Mean(logs, nil)); mean > 1.01 {
		t.Errorf("objectives are %g of Adam's in the geometric mean", mean)
	}
}
