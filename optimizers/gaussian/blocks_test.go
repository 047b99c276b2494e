package gaussian

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/optimizers"
	"bandscope/optimizers/testbed"
)

// plates are observations of Branin's function on plates: with a shift of each plate, whose standard deviation is a
// share of that of the function, and noise.
func plates(t *testing.T, count, each int, share, noise float64, rng *rand.Rand) (data optimizers.Data, shifts []float64) {
	t.Helper()
	p := problem(t, "branin", 1)
	n := count * each
	x, y := mat.NewDense(n, 2, nil), make([]float64, n)
	for i := range n {
		x.SetRow(i, []float64{rng.Float64(), rng.Float64()})
		y[i] = truth(t, p, x.RawRowView(i))
	}
	_, sd := stat.MeanStdDev(y, nil)
	for range count {
		shifts = append(shifts, share*sd*rng.NormFloat64())
	}
	for i := range y {
		data.Blocks = append(data.Blocks, i/each)
		y[i] += shifts[i/each] + noise*sd*rng.NormFloat64()
	}
	data.X, data.Y = x, mat.NewDense(n, 1, y)
	return data, shifts
}

// effectsOf are the shifts that a method finds.
func effectsOf(t *testing.T, data optimizers.Data, names ...string) (optimizers.Input, optimizers.BlockEffects) {
	t.Helper()
	in := testbed.InputFor(t, EI, 2, data, "restarts=1")
	in.Data.BlockNames = names
	b := testbed.Fit(t, EI, in)
	all, err := b.(optimizers.BlockEstimator).BlockEffects(t.Context())
	require.NoError(t, err)
	return in, all[0]
}

// The shifts of plates lie in their 95 % intervals at that rate, over 40 seeds with 4 plates each, with small and
// with large shifts.
func TestPlatesAreRecovered(t *testing.T) {
	const seeds, count, each = 40, 4, 8
	inside, all := 0, 0
	var ratios []float64
	for seed := range uint64(2 * seeds) {
		rng := rand.New(rand.NewPCG(seed/2, 77))
		data, shifts := plates(t, count, each, []float64{0.15, 0.6}[seed%2], 0.1, rng)
		_, effects := effectsOf(t, data, "a", "b", "c", "d")
		require.True(t, effects.Relative, "the shifts are not relative to their mean")
		mean := stat.Mean(shifts, nil)
		for b, shift := range shifts {
			all++
			z := (effects.Mean[b] - (shift - mean)) / effects.SE[b]
			if ratios = append(ratios, z); math.Abs(z) < 1.96 {
				inside++
			}
		}
	}
	rate := float64(inside) / float64(all)
	t.Logf("%d of %d shifts (%.3f) are in their 95 %% interval; the sd of their z-scores is %.2f", inside, all, rate,
		stat.StdDev(ratios, nil))
	// 0.95 ± 3 standard errors of 240 independent contrasts
	if rate < 0.91 || rate > 0.99 {
		t.Errorf("%.3f of the shifts are in their 95 %% interval", rate)
	}
}

// Shifts are relative to the results without a block, if there are any, and a model without blocks has none.
func TestPlatesBesideOthers(t *testing.T) {
	data, _ := plates(t, 2, 10, 0, 0.05, rand.New(rand.NewPCG(5, 5)))
	for i := range data.Blocks {
		if data.Blocks[i]--; data.Blocks[i] == 0 {
			data.Y.Set(i, 0, data.Y.At(i, 0)+100)
		}
	}
	_, effects := effectsOf(t, data, "later")
	if effects.Relative || math.Abs(effects.Mean[0]-100) > 3*effects.SE[0] || effects.SE[0] > 30 {
		t.Errorf("%+v, want 100", effects)
	}
	data.Blocks = nil
	in := testbed.InputFor(t, EI, 2, data)
	if _, err := testbed.Fit(t, EI, in).(optimizers.BlockEstimator).BlockEffects(t.Context()); err == nil {
		t.Error("a model without blocks has shifts")
	}
}

// The order of observations does not matter, and a prediction has no shift: it lies between two plates that differ.
func TestPredictionsAreWithoutShift(t *testing.T) {
	n := 16
	x, y := mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	var blocks []int
	for i := range n {
		x.Set(i, 0, float64(i)/float64(n-1))
		y.Set(i, 0, 10*float64(i%2))
		blocks = append(blocks, i%2)
	}
	in := testbed.InputFor(t, EI, 1, optimizers.Data{X: x, Y: y, Blocks: blocks}, "restarts=1")
	in.Data.BlockNames = []string{"low", "high"}
	bands, err := testbed.Fit(t, EI, in).Predict(t.Context(), x)
	require.NoError(t, err)
	for i, v := range bands[0].Mean {
		if math.Abs(v-5) > 1 {
			t.Errorf("the prediction at %v is %v, want 5", x.At(i, 0), v)
		}
	}
	in.Data.Blocks, in.Data.BlockNames = nil, nil
	plain, err := testbed.Fit(t, EI, in).Predict(t.Context(), x)
	require.NoError(t, err)
	if math.Abs(plain[0].Mean[3]-5) < 2 {
		t.Error("a model without blocks does not follow the results either")
	}
}
