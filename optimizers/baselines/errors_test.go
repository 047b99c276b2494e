package baselines

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers/testbed"
)

// Replicates are averaged by their errors; errors of which none is known change nothing, to the last bit.
func TestForestAveragesByErrors(t *testing.T) {
	_, data := testbed.Observe(t, "forrester", 6)
	data.X.Set(1, 0, data.X.At(0, 0))
	data.Y.Set(1, 0, data.Y.At(0, 0)+30)
	point := data.X.Slice(0, 1, 0, 1).(*mat.Dense)
	mean := func(all, se float64) float64 {
		v, err := testbed.Fit(t, Forest, testbed.InputFor(t, Forest, 1, testbed.WithErrors(data, all, 1, se))).
			Predict(t.Context(), point)
		require.NoError(t, err)
		return v[0].Mean[0] - data.Y.At(0, 0)
	}
	plain, same := mean(math.NaN(), math.NaN()), mean(0.5, 0.5)
	assert.InDelta(t, same, plain, 1e-9, "%g where all errors are equal, %g where none is known", same, plain)
	if worse, better := mean(0.5, 5), mean(5, 0.5); !(worse < plain-3 && plain+3 < better) {
		t.Errorf("replicates 30 apart: %g where the upper one has the greater error, %g where the lower one has, %g of equal ones", worse, better, plain)
	}
}
