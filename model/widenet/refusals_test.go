package widenet

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/kernel"
)

// The mean alone is that of the whole prediction, of every law.
func TestMeanAlone(t *testing.T) {
	ctx := context.Background()
	inputs := mat.NewDense(3, 1, []float64{-0.8, 0.15, 0.9})
	X := mat.NewDense(4, 1, []float64{-0.9, -0.3, 0.2, 0.7})
	values := []float64{0.5, -1, 0.3, 1.2}
	for _, kind := range []Kind{Trained, Posterior, NoPerturbation, NoDistance, WarmStart, FiniteTime, NNGP} {
		for _, list := range []bool{true, false} {
			x, v := X, values
			if !list {
				x, v = nil, nil
			}
			l, err := New(ctx, network(kernel.Erf), Setup{Kind: kind, Sigma2: 0.1, Time: 2}, x, v)
			require.NoError(t, err)
			mean, err := l.Mean(ctx, inputs)
			require.NoError(t, err)
			want, _, err := l.Predict(ctx, inputs)
			require.NoError(t, err)
			for i := range want {
				if math.Abs(mean[i]-want[i]) > 1e-12 || list && mean[i] == 0 {
					t.Errorf("%s: the mean is %g, with its deviation %g", kind, mean[i], want[i])
				}
			}
		}
	}
}

func TestSetupsAreChecked(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		s  Setup
		ok bool
	}{
		{Setup{Kind: Trained}, true}, {Setup{Kind: FiniteTime, Sigma2: 1, Nu: 2, Time: 3}, true},
		{Setup{Kind: NNGP}, true}, {Setup{Kind: "bayes"}, false}, {Setup{}, false},
		{Setup{Kind: Trained, Sigma2: -1}, false}, {Setup{Kind: Trained, Nu: -1}, false},
		{Setup{Kind: Trained, Time: -1}, false},
		{Setup{Kind: Trained, Sigma2: nan}, false}, {Setup{Kind: Trained, Nu: nan}, false},
		{Setup{Kind: Trained, Time: nan}, false},
	} {
		if err := c.s.Check(); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.s, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	inputs := mat.NewDense(1, 1, []float64{0.3})
	l, err := New(context.Background(), network(kernel.Erf), Setup{Kind: Trained, Sigma2: 0.1}, inputs, []float64{1})
	require.NoError(t, err)
	for name, f := range map[string]func() error{
		"new": func() error {
			_, err := New(ctx, network(kernel.Erf), Setup{Kind: Trained}, inputs, []float64{1})
			return err
		},
		"predict":    func() error { _, _, err := l.Predict(ctx, inputs); return err },
		"mean":       func() error { _, err := l.Mean(ctx, inputs); return err },
		"covariance": func() error { _, err := l.Covariance(ctx, inputs); return err },
		"sample":     func() error { _, err := l.Sample(ctx, inputs, 1, nil); return err },
		"evidence": func() error {
			_, err := LogEvidence(ctx, network(kernel.Erf), Setup{Sigma2: 0.1, Nu: 1}, inputs, []float64{1})
			return err
		},
		"fit": func() error {
			_, err := FitGamma(ctx, network(kernel.Erf), Setup{Sigma2: 0.1, Nu: 1}, inputs, []float64{1})
			return err
		},
	} {
		assert.Error(t, f(), "%s: it goes on after it was stopped", name)
	}
}

// The curve of γ goes over [0.2, 10], both ends included, in steps of a constant ratio; data of nothing but a constant
// want the ends.
func TestGammasRange(t *testing.T) {
	X := mat.NewDense(3, 1, []float64{-0.5, 0, 0.5})
	for _, c := range []struct {
		size, want float64
	}{{0, 0.2}, {1e3, 10}} {
		e, err := GammaCurve(context.Background(), network(kernel.Erf), Setup{Sigma2: 0.01, Nu: 1}, X,
			[]float64{c.size, c.size, c.size})
		require.NoError(t, err)
		last := len(e.Gamma) - 1
		if math.Abs(e.Gamma[0]-0.2) > 1e-12 || math.Abs(e.Gamma[last]-10) > 1e-12 || last < 20 ||
			len(e.Log) != len(e.Gamma) || math.Abs(e.Best-c.want) > 1e-3*c.want {
			t.Errorf("γ = %g of %d in [%g, %g], want %g", e.Best, last+1, e.Gamma[0], e.Gamma[last], c.want)
		}
		for i := range last {
			if r := e.Gamma[i+1] / e.Gamma[i]; math.Abs(r-math.Pow(50, 1/float64(last))) > 1e-9 {
				t.Errorf("after γ = %g comes %g", e.Gamma[i], e.Gamma[i+1])
			}
		}
	}
	if _, _, err := Spectrum(mat.NewSymDense(1, []float64{1}), 0); err == nil {
		t.Error("a gain without noise is finite")
	}
	if _, _, err := Spectrum(mat.NewSymDense(1, []float64{-5}), 1); err == nil {
		t.Error("what is no kernel has a gain")
	}
}
