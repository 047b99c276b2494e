package costaware

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers/acquisition"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/testbed"
)

// The name of an acquisition says where it may be maximized.
func TestCostIDSNamesItsConstraint(t *testing.T) {
	_, data := testbed.Observe(t, "forrester", 5)
	for set, want := range map[string]string{
		"rho=2.5":    "cost × information ratio (log10), lower is better; where R ≤ 2.5 R*",
		"rho_inf=on": "cost × information ratio (log10), lower is better"} {
		in := testbed.InputFor(t, CostIDS, 1, data, set)
		assert.Equal(t, want, testbed.Fit(t, CostIDS, in).Legend().Acquisition, "with %s the acquisition", set)
	}
}

// ratios are the information ratio R at the rows of X.
func ratios(t testing.TB, b costIDSBelief, X *mat.Dense) []float64 {
	t.Helper()
	v, err := b.Target().Values(context.Background(), X)
	require.NoError(t, err)
	for i := range v {
		v[i] = math.Exp(-v[i])
	}
	return v
}

// With a constant cost and ρ = ∞ the cost-aware method is the plain one (algorithms of Paria 2022, thesis, §4.4), which
// chooses where the confidence bound is least.
func TestCostIDSIsIDSWhereAllCostsTheSame(t *testing.T) {
	for _, name := range []string{"forrester", "branin", "branin-fidelity"} {
		for _, n := range []int{4, 15} {
			in := testbed.InputWithCost(t, CostIDS, name, n, "rho_inf=on")
			in.Cost = func([]float64) float64 { return 7 }
			a, b := suggestion(t, CostIDS, in), suggestion(t, IDS, testbed.InputWithCost(t, IDS, name, n))
			ucb := suggestion(t, gaussian.UCB, testbed.InputWithCost(t, gaussian.UCB, name, n))
			for j := range a {
				if math.Abs(a[j]-b[j]) > 1e-6 || math.Abs(b[j]-ucb[j]) > 1e-4 {
					t.Errorf("%s after %d data: cost-ids suggests %v, ids %v, gp-ucb %v", name, n, a, b, ucb)
					break
				}
			}
		}
	}
}

// At the optimizer of the confidence bound the ratio equals β, and nowhere is it less; what cost-ids suggests keeps to
// R ≤ ρR*, and what it shows is λR.
func TestInformationRatio(t *testing.T) {
	ctx := context.Background()
	for _, name := range []string{"forrester-cost", "branin-cost", "branin-fidelity"} {
		in := testbed.InputWithCost(t, CostIDS, name, 12, "rho=1.7")
		beta := acquisition.Beta(in)
		b := testbed.Fit(t, CostIDS, in).(costIDSBelief)
		ucb := suggestion(t, gaussian.UCB, testbed.InputWithCost(t, gaussian.UCB, name, 12))
		if position := ratios(t, b, mat.NewDense(1, len(ucb), ucb)); math.Abs(position[0]/beta-1) > 1e-6 {
			t.Errorf("%s: at the confidence bound the ratio is %v, β is %g", name, position, beta)
		}
		X := testbed.Probes(2000, len(ucb))
		all := ratios(t, b, X)
		if slices.Min(all) < beta*(1-1e-4) {
			t.Errorf("%s: the least ratio is %g, β is %g", name, slices.Min(all), beta)
		}
		shown, err := b.Acquisition(ctx, X)
		require.NoError(t, err)
		for i, v := range shown {
			if want := math.Log10(all[i] * in.CostAt(X.RawRowView(i))); math.Abs(v-want) > 1e-9 {
				t.Fatalf("%s: λR is shown as %g, want %g", name, v, want)
			}
		}
		s, err := b.Suggest(ctx)
		require.NoError(t, err)
		x := mat.Row(nil, 0, s.X)
		chosen := ratios(t, b, s.X)
		if chosen[0] > 1.7*beta*(1+1e-6) || in.CostAt(x)*chosen[0] > in.CostAt(ucb)*beta*(1+1e-6) {
			t.Errorf("%s: the ratio %g of %g costs %g; the bound's optimizer %g", name, chosen[0], beta, in.CostAt(x),
				in.CostAt(ucb))
		}
		allowed, err := b.Feasible(ctx, X)
		for i := range allowed {
			if allowed[i] != (all[i] <= 1.7*beta*(1+1e-9)) && math.Abs(all[i]/beta-1.7) > 1e-6 {
				t.Fatalf("%s: R = %g R*, allowed %v, %v", name, all[i]/beta, allowed[i], err)
			}
		}
	}
}

// Without the constraint cheap points that teach nothing are chosen, and it is said; with it they are not.
func TestDegenerateCase(t *testing.T) {
	steep := func(u []float64) float64 { return math.Exp(30 * u[0]) }
	in := testbed.InputWithCost(t, CostIDS, "forrester", 14, "rho_inf=on")
	in.Cost = steep
	s, err := testbed.Fit(t, CostIDS, in).Suggest(context.Background())
	if err != nil || s.X.At(0, 0) > 0.1 || !strings.Contains(s.Note, "little information") {
		t.Errorf("it suggests %g, and says %q; %v", s.X.At(0, 0), s.Note, err)
	}
	in = testbed.InputWithCost(t, CostIDS, "forrester", 14)
	in.Cost = steep
	if s, err = testbed.Fit(t, CostIDS, in).Suggest(context.Background()); err != nil ||
		strings.Contains(s.Note, "little information") {
		t.Errorf("with the constraint it says %q; %v", s.Note, err)
	}
}
