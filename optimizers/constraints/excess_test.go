package constraints

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/testbed"
)

func excessAt(t *testing.T, excess optimizers.Excess, X *mat.Dense) []float64 {
	t.Helper()
	v, err := excess(t.Context(), X)
	require.NoError(t, err)
	return v
}

// After one datum y₀ the mean is y₀ everywhere and the variance 1 − k² (see TestOneDatum): the excess of the optimistic
// bound is what y₀, moved by the deviations that are granted, is beyond the limit.
func TestExcessAfterOneDatum(t *testing.T) {
	y0 := math.Exp(0.6)
	for name, c := range map[string]struct{ least, most float64 }{
		"at most":  {math.Inf(-1), y0 - 0.5},
		"at least": {y0 + 0.5, math.Inf(1)},
		"both":     {y0 + 0.2, y0 + 0.4},
		"met":      {y0 - 0.4, y0 + 0.4},
	} {
		in := observed(t, gaussian.UCB, "forrester-hot", mat.NewDense(1, 1, []float64{0.3}),
			optimizers.Limit{Name: "heat", Min: c.least, Max: c.most, Objective: -1})
		b := fit(t, in, optimizers.LimitsByProbability)
		for _, x := range []float64{0.32, 0.38, 0.9} {
			r := (x - 0.3) / 0.2
			sd := math.Sqrt(1 - math.Exp(-r*r))
			for _, deviations := range []float64{0, 0.3, 2} {
				want := max(c.least-y0, y0-c.most, 0)
				if want > 0 {
					want = max(want-deviations*(sd-1e-3), 0)
				}
				if got := excessAt(t, b.OptimisticExcess(deviations),
					mat.NewDense(1, 1, []float64{x}))[0]; math.Abs(got-want) >
					1e-4 {
					t.Errorf("%s, at %g with %g deviations: %.5f, want %.5f", name, x, deviations, got, want)
				}
			}
		}
	}
}

// A limit tells how many data meet it, whatever the others do, and all together which data meet all.
func TestDataWithinLimits(t *testing.T) {
	in := observed(t, gaussian.EI, "forrester-hot", mat.NewDense(5, 1, []float64{0, 0.2, 0.4, 0.6, 0.9}),
		optimizers.Limit{Name: "cool", Min: math.Inf(-1), Max: math.Exp(1), Objective: -1},
		optimizers.Limit{Name: "warm", Min: math.Exp(0.2), Max: math.Inf(1), Objective: -1})
	in.Data.Limits = mat.NewDense(5, 2, nil)
	for i := range 5 {
		in.Data.Limits.Set(i, 0, math.Exp(2*in.Data.X.At(i, 0))) // 1, 1.49, 2.23, 3.32, 6.05
		in.Data.Limits.Set(i, 1, math.Exp(2*in.Data.X.At(i, 0)))
	}
	type report struct {
		what        string
		done, total int
	}
	var reports []report
	in.Progress = func(subject string, done, total int) { reports = append(reports, report{subject, done, total}) }
	b := fit(t, in, optimizers.LimitsByProbability)
	for i, want := range []bool{false, true, true, false, false} {
		assert.Equal(t, want, b.FeasibleData()[i], "datum %d meets both", i)
	}
	facts := b.Facts()
	if len(facts) != 2 || facts[0].Value != "met by 3 of 5" || facts[1].Value != "met by 4 of 5" {
		t.Errorf("facts: %+v", facts)
	}
	if len(reports) == 0 || reports[0] != (report{"fitting the limits", 0, 2}) {
		t.Errorf("progress: %+v", reports)
	}
	parts, err := b.LimitProbabilities(t.Context(), in.Data.X)
	if err != nil || !(parts[0][0] > 0.9 && parts[1][0] < 0.1 && parts[0][4] < 0.1 && parts[1][4] > 0.9) {
		t.Errorf("probabilities of each limit at the data: %v, %v", parts, err)
	}
}

// The gradient of a probability does not depend on what was in its place.
func TestSlopeOverwritesItsGradient(t *testing.T) {
	in := observed(t, gaussian.EI, "gramacy-toy", testbed.Probes(8, 2))
	b := fit(t, in, optimizers.LimitsByProbability)
	clean, used := make([]float64, 2), []float64{7, -3}
	b.LogProbabilityGradient([]float64{0.4, 0.3}, clean)
	b.LogProbabilityGradient([]float64{0.4, 0.3}, used)
	if clean[0] != used[0] || clean[1] != used[1] {
		t.Errorf("%v in a slice of zeros, %v in one that was used", clean, used)
	}
}

// Failures are learned from three on. The excess of a latent process is 0 where success is more probable than not,
// however many deviations are granted, and functions drawn of it succeed as often as its mean and its standard
// deviation say: the mean follows from the probability, Φ(mean/√(1 + sd²)). The limits are four standard errors.
func TestExcessOfFailures(t *testing.T) {
	in := failing(t, gaussian.EI, true)
	b := fit(t, in, optimizers.LimitsByProbability)
	in.Data.Failed = in.Data.Failed.Slice(0, MinFailures, 0, 2).(*mat.Dense)
	assert.NotNil(t, fit(t, in, optimizers.LimitsByProbability), "three failures are not learned")
	X := testbed.Probes(40, 2)
	X.Apply(func(_, _ int, u float64) float64 { return 0.5 + u/2 }, X) // towards the corner where evaluations fail
	probability := logProbability(t, b, X)
	_, sd, err := b.models[0].(*failureModel).of.Predict(t.Context(), X)
	require.NoError(t, err)
	likely := 0
	for i, v := range excessAt(t, b.OptimisticExcess(3), X) {
		if v <= 0 {
			likely++
		}
		if (v <= 0) != (probability[i] >= math.Log(0.5)) {
			t.Errorf("at %v: excess %g, success with probability %g", X.RawRowView(i), v, math.Exp(probability[i]))
		}
	}
	if likely < 5 || likely > 35 {
		t.Errorf("%d of 40 probes are likely to succeed: the test says little", likely)
	}
	const draws = 150
	succeeds := make([]float64, 40)
	for s := range uint64(draws) {
		drawn, err := b.SampleExcess(s)
		require.NoError(t, err)
		for i, v := range excessAt(t, drawn, X) {
			if v <= 0 {
				succeeds[i] += 1.0 / draws
			}
		}
	}
	for i, got := range succeeds {
		p := distuv.UnitNormal.CDF(distuv.UnitNormal.Quantile(math.Exp(probability[i])) * math.Sqrt(1+sd[i]*sd[i]) /
			sd[i])
		if se := math.Sqrt(max(p*(1-p), 1.0/draws) / draws); math.Abs(p-got) > 4*se {
			t.Errorf("at %v: %.3f of the draws succeed, expected %.3f (standard error %.3f)", X.RawRowView(i), got, p,
				se)
		}
	}
}

// What cannot be fitted is an error, also where there are limits.
func TestFitsThatFail(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, in := range map[string]optimizers.Input{
		"limits":   observed(t, gaussian.EI, "gramacy-toy", testbed.Probes(8, 2)),
		"failures": failing(t, gaussian.EI, true)} {
		in.Seed = 99 // no fit is kept
		if b, err := Fit(ctx, in, optimizers.LimitsByProbability); b != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, %v", name, b, err)
		}
		quick := optimizers.Spec{Fit: func(context.Context, optimizers.Input) (optimizers.Belief, error) {
			return nil, nil
		}, Limits: optimizers.LimitsByProbability}
		if _, err := WithLimits(quick).Fit(ctx, in); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, of a method: %v", name, err)
		}
	}
	plain := testbed.InputFor(t, gaussian.EI, 2, optimizers.Data{})
	if b, err := Fit(ctx, plain, optimizers.LimitsByProbability); b != nil || err != nil {
		t.Errorf("without data: %v, %v", b, err)
	}
}

// broken is a limit of which nothing is known.
type broken struct{ limitModel }

var errBroken = errors.New("it is not known")

func (broken) probability(context.Context, *mat.Dense) ([]float64, error) { return nil, errBroken }

func (broken) optimisticExcess(context.Context, *mat.Dense, float64) ([]float64, error) {
	return nil, errBroken
}

func (broken) sampleExcess([]uint64) (optimizers.Excess, error) { return nil, errBroken }

// What is not known of one limit is an error of all together.
func TestLimitsThatAreNotKnown(t *testing.T) {
	b := fit(t, observed(t, gaussian.EI, "gramacy-toy", testbed.Probes(8, 2)), optimizers.LimitsByProbability)
	b.models[1] = broken{b.models[1]}
	X := testbed.Probes(2, 2)
	for name, label := range map[string]func() error{
		"probability": func() error { _, err := b.LogProbability(t.Context(), X); return err },
		"parts":       func() error { _, err := b.LimitProbabilities(t.Context(), X); return err },
		"bounds":      func() error { _, err := b.OptimisticExcess(1)(t.Context(), X); return err },
		"draws":       func() error { _, err := b.SampleExcess(1); return err },
	} {
		if err := label(); !errors.Is(err, errBroken) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
