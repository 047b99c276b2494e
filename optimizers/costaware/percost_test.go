package costaware

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/testbed"
)

func suggestion(t testing.TB, spec optimizers.Spec, in optimizers.Input) []float64 {
	t.Helper()
	s, err := testbed.Fit(t, spec, in).Suggest(context.Background())
	require.NoError(t, err)
	return mat.Row(nil, 0, s.X)
}

// EI per cost is EI divided by the cost, everywhere.
func TestEIPerCost(t *testing.T) {
	ctx := context.Background()
	in := testbed.InputWithCost(t, EIPerCost, "branin-cost", 10)
	X := testbed.Probes(200, 2)
	per, err := testbed.Fit(t, EIPerCost, in).Acquisition(ctx, X)
	require.NoError(t, err)
	plain, err := testbed.Fit(t, gaussian.EI, testbed.InputWithCost(t, gaussian.EI, "branin-cost", 10)).
		Acquisition(ctx, X)
	require.NoError(t, err)
	for i := range per {
		if want := plain[i] / in.CostAt(X.RawRowView(i)); math.Abs(per[i]-want) > 1e-9*math.Abs(want)+1e-300 {
			t.Fatalf("EI per cost is %g, EI divided by the cost %g", per[i], want)
		}
	}
}

// A constant cost changes nothing but the number that is shown.
func TestConstantCostChangesNoChoice(t *testing.T) {
	for _, pair := range [][2]optimizers.Spec{
		{EIPerCost, gaussian.EI}, {MESPerCost, gaussian.MES}, {MFMES, gaussian.MES}} {
		in := testbed.InputWithCost(t, pair[0], "branin", 9)
		in.Cost = func([]float64) float64 { return 3 }
		a, b := suggestion(t, pair[0], in), suggestion(t, pair[1], testbed.InputWithCost(t, pair[1], "branin", 9))
		p, err := functions.Find("branin", 0)
		require.NoError(t, err)
		if math.Abs(a[0]-b[0]) > 1e-3 || math.Abs(a[1]-b[1]) > 1e-3 {
			t.Errorf("%s suggests %v, %s %v", pair[0].Name, p.Domain.FromUnit(a), pair[1].Name, p.Domain.FromUnit(b))
		}
	}
}
