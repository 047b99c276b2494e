package registry

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/rng"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
)

// fact reads the numbers of a fact.
func fact(t *testing.T, facts []optimizers.Fact, name string) []float64 {
	t.Helper()
	for _, f := range facts {
		if f.Name != name {
			continue
		}
		var v []float64
		for _, text := range strings.Fields(f.Value) {
			x, err := strconv.ParseFloat(text, 64)
			require.NoError(t, err)
			v = append(v, x)
		}
		return v
	}
	t.Fatalf("there is no %s among %v", name, facts)
	return nil
}

// estimates are the numbers of a fact in the units of the model.
func estimates(t *testing.T, facts []optimizers.Fact, name string) (values []float64) {
	t.Helper()
	i := slices.IndexFunc(facts, func(f optimizers.Fact) bool { return f.Name == name })
	require.GreaterOrEqual(t, i, 0, "there is no %s among %v", name, facts)
	for _, e := range facts[i].Estimates {
		values = append(values, e.Value)
	}
	return values
}

// The same data in other units: what is told in the problem's units changes with them, what is scaled does not.
func TestFactsAreInTheProblemsUnits(t *testing.T) {
	spec, err := Find("gp-ei")
	require.NoError(t, err)
	params, err := param.Defaults(spec.Params).WithAll(map[string]any{"kernel": "se", "hyperparameters": "fitted"})
	require.NoError(t, err)
	fit := func(width, height float64) (optimizers.Legend, optimizers.Theory) {
		rng := rng.New(1, 0, "data")
		in := optimizers.Input{Dim: 2, Objectives: 1, Step: 12, Budget: 50, Seed: 3,
			Params: params, Widths: []float64{width, 10 * width}}
		in.Data.X, in.Data.Y = mat.NewDense(12, 2, nil), mat.NewDense(12, 1, nil)
		for i := range 12 {
			a, b := rng.Float64(), rng.Float64()
			in.Data.X.SetRow(i, []float64{a, b})
			in.Data.Y.Set(i, 0, height*(math.Sin(4*a)+b+0.1*rng.NormFloat64()))
		}
		b, err := spec.Fit(context.Background(), in)
		require.NoError(t, err)
		theory, err := b.(optimizers.Spectrum).Theory(context.Background())
		require.NoError(t, err)
		return b.Legend(), theory
	}
	unit, theory := fit(1, 1)
	scaled := estimates(t, unit.Facts, "lengthscale")
	near := func(subject string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 2e-3*math.Abs(want) { // both have four digits
			t.Errorf("%s is %g, want %g", subject, got, want)
		}
	}
	near("the first lengthscale in the unit cube", fact(t, unit.Facts, "lengthscale")[0], scaled[0])
	near("the second lengthscale", fact(t, unit.Facts, "lengthscale")[1], 10*scaled[1])
	other, same := fit(1000, 0.01)
	for j := range 2 {
		near("a lengthscale in millimetres", fact(t, other.Facts, "lengthscale")[j],
			1000*fact(t, unit.Facts, "lengthscale")[j])
		near("a scaled lengthscale", estimates(t, other.Facts, "lengthscale")[j], scaled[j])
	}
	for _, name := range []string{"signal sd", "noise sd"} {
		near(name, fact(t, other.Facts, name)[0], 0.01*fact(t, unit.Facts, name)[0])
		near("the scaled "+name, estimates(t, other.Facts, name)[0], estimates(t, unit.Facts, name)[0])
	}
	// The gain of the first datum is ½ log(1 + s²/σ²), of whose standard deviations both are told, in any units.
	for _, c := range []struct {
		facts  []optimizers.Fact
		theory optimizers.Theory
	}{{unit.Facts, theory}, {other.Facts, same}} {
		ratio := fact(t, c.facts, "signal sd")[0] / fact(t, c.facts, "noise sd")[0]
		near("the first gain", c.theory.Gain[0], 0.5*math.Log1p(ratio*ratio))
		noise, err := strconv.ParseFloat(strings.TrimPrefix(c.theory.Noise, "σ = "), 64)
		require.NoError(t, err)
		near("the noise that the gain names", noise, fact(t, c.facts, "noise sd")[0])
	}
}

// Networks without noise say what stands for it.
func TestTheoryNamesItsNoise(t *testing.T) {
	spec, err := Find("neural-greedy")
	require.NoError(t, err)
	for text, want := range map[string]string{"0": "σ² = 0, taken as 1e-6", "0.25": "σ² = 0.25"} {
		params, err := param.Defaults(spec.Params).WithText("sigma2", text)
		if err == nil {
			params, err = params.WithText("width", "50")
		}
		require.NoError(t, err)
		in := optimizers.Input{Dim: 1, Objectives: 1, Step: 2, Budget: 50, Seed: 3, Params: params}
		in.Data.X, in.Data.Y = mat.NewDense(2, 1, []float64{0.2, 0.7}), mat.NewDense(2, 1, []float64{1, 2})
		b, err := spec.Fit(context.Background(), in)
		require.NoError(t, err)
		theory, err := b.(optimizers.Spectrum).Theory(context.Background())
		if err != nil || theory.Noise != want {
			t.Errorf("σ² = %s: got %q, %v; want %q", text, theory.Noise, err, want)
		}
	}
}
