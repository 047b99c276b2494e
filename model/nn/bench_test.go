package nn

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// branin50 is fifty points of the Branin–Hoo function, inputs in [−1, 1]², targets standardized.
func branin50() (*mat.Dense, []float64) {
	X := inputs(50, 2, 50)
	y := make([]float64, 50)
	for i := range y {
		u, v := 7.5*X.At(i, 0)+2.5, 7.5*X.At(i, 1)+7.5
		a := v - 5.1/(4*math.Pi*math.Pi)*u*u + 5/math.Pi*u - 6
		y[i] = a*a + 10*(1-1/(8*math.Pi))*math.Cos(u) + 10
	}
	mean, sd := stat.PopMeanStdDev(y, nil)
	for i := range y {
		y[i] = (y[i] - mean) / sd
	}
	return X, y
}

var wide = Arch{Inputs: 2, Hidden: []int{5000}, Activation: Tanh, SigmaW: 2, SigmaB: 2}

// adamLoss is the mean squared error after 5,000 epochs of Adam at rate 0.001 in TestAdamBaseline's setting, as that
// study test (go test -tags study -run AdamBaseline ./model/nn) measures it.
const adamLoss = 1.6e-4

// BenchmarkFit measures Gauss–Newton to at most Adam's loss, beside Adam's time for 5,000 epochs, scaled up from 20.
func BenchmarkFit(b *testing.B) {
	X, y := branin50()
	run := func(opt Options) Report {
		f, err := SimpleSMB(context.Background(), wide, X, y, opt, newRand(51))
		require.NoError(b, err)
		return f.Report
	}
	const epochs = 20
	start := time.Now()
	run(Options{Trainer: Adam, Epochs: epochs, Rate: 0.001})
	baseline := time.Since(start).Seconds() * 5000 / epochs
	var report Report
	for b.Loop() {
		report = run(Options{Trainer: GaussNewton})
	}
	mse := report.RMSE * report.RMSE
	if mse > adamLoss {
		b.Errorf("the loss is %g, Adam's %g", mse, adamLoss)
	}
	each := b.Elapsed().Seconds() / float64(b.N)
	b.ReportMetric(baseline, "adam-s")
	b.ReportMetric(baseline/each, "times-faster")
	b.ReportMetric(mse, "mse")
	b.ReportMetric(float64(report.Iterations), "iterations")
}

// BenchmarkSmooth measures fits of a smooth and of a rough network to the same 100 data, beside the smooth one's from
// linearization to linearization.
func BenchmarkSmooth(b *testing.B) {
	var slow time.Duration
	for _, gamma := range []float64{0.5, 2} {
		tr := smooth(100, 5000, gamma)
		if gamma == 0.5 {
			state, parts, _ := tr.problem()
			start := time.Now()
			if _, _, err := tr.levenberg(context.Background(), state, parts.with(1)); err != nil {
				b.Fatal(err)
			}
			slow = time.Since(start)
		}
		b.Run(fmt.Sprintf("γ=%g", gamma), func(b *testing.B) {
			var report Report
			for b.Loop() {
				var err error
				if _, report, err = tr.gaussNewton(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(report.Iterations), "iterations")
			b.ReportMetric(report.RMSE, "rmse")
			if gamma == 0.5 {
				b.ReportMetric(slow.Seconds()/(b.Elapsed().Seconds()/float64(b.N)), "times-faster")
			}
		})
	}
}

func BenchmarkEval1000(b *testing.B) {
	net := New(wide, newRand(52))
	X := inputs(1000, 2, 53)
	for b.Loop() {
		net.Eval(X)
	}
}

func BenchmarkGradient(b *testing.B) {
	net := New(wide, newRand(54))
	grad := make([]float64, 2)
	for b.Loop() {
		net.Gradient([]float64{0.1, 0.2}, grad)
	}
}
