package gaussian

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers/search"
	"bandscope/optimizers/testbed"
)

// The closed form of max-value entropy search equals the definition H(f) − E H(f | f ≥ y*), computed with samples of
// truncated normal distributions.
func TestMESIsItsDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	best := []float64{-1.2, -0.7, -2}
	owner := logMaxValueEntropy(best)
	for _, c := range [][2]float64{{0, 1}, {-0.5, 0.8}, {-1, 0.3}, {1.5, 0.6}, {-1.1, 1.4}} {
		mean, sd := c[0], c[1]
		density := func(f float64) float64 {
			return -(f-mean)*(f-mean)/(2*sd*sd) - math.Log(sd) - 0.5*math.Log(2*math.Pi)
		}
		const draws = 400_000
		want, variance := 0.0, 0.0
		for _, y := range best {
			inside := math.Erfc((y-mean)/sd/math.Sqrt2) / 2 // Pr[f ≥ y]
			var sum, squares float64
			n := 0
			for range draws {
				if f := mean + sd*rng.NormFloat64(); f >= y {
					v := density(f) - math.Log(inside) // −entropy of the truncated distribution
					sum, squares, n = sum+v, squares+v*v, n+1
				}
			}
			m := sum / float64(n)
			want += (0.5*math.Log(2*math.Pi*math.E*sd*sd) + m) / float64(len(best))
			variance += (squares/float64(n) - m*m) / float64(n) / float64(len(best)*len(best))
		}
		got, byMean, bySD := owner(mean, sd)
		if got = math.Exp(got); math.Abs(got-want) > 4*math.Sqrt(variance) {
			t.Errorf("at μ = %g, σ = %g the information is %g, by draws %g ± %g", mean, sd, got, want,
				math.Sqrt(variance))
		}
		dm := fd.Derivative(func(m float64) float64 {
			v, _, _ := owner(m, sd)
			return v
		}, mean, &fd.Settings{Formula: fd.Central})
		ds := fd.Derivative(func(s float64) float64 {
			v, _, _ := owner(mean, s)
			return v
		}, sd, &fd.Settings{Formula: fd.Central})
		if math.Abs(dm-byMean) > 1e-6 || math.Abs(ds-bySD) > 1e-6 {
			t.Errorf("derivatives %g and %g, by differences %g and %g", byMean, bySD, dm, ds)
		}
	}
}

// Paths have the minima of exact joint samples on a grid. The Gumbel distribution has the minima of independent values,
// which is its assumption.
func TestBestValues(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine computes for long; TestMESIsItsDefinition shares the same search")
	}
	ctx := context.Background()
	for _, values := range []string{"gumbel", "sampled"} {
		in := testbed.InputWithCost(t, MES, "forrester", 5, "maxima="+values)
		g, err := Fit(ctx, in, 0)
		require.NoError(t, err)
		grid := mat.NewDense(201, 1, nil)
		for i := range 201 {
			grid.Set(i, 0, float64(i)/200)
		}
		z, err := g.GP.Sample(ctx, grid, 300, in.Stream("exact"))
		require.NoError(t, err)
		exact := make([]float64, 300)
		for i := range exact {
			exact[i] = slices.Min(z.RawRowView(i))
		}
		places, err := search.Candidates(t.Context(), search.NewSpace(in), in.Stream("places"), nil)
		require.NoError(t, err)
		if values == "gumbel" {
			mean, sd, err := g.GP.Predict(ctx, places)
			require.NoError(t, err)
			rng := in.Stream("independent")
			for i := range exact {
				exact[i] = math.Inf(1)
				for k := range mean {
					exact[i] = min(exact[i], mean[k]+sd[k]*rng.NormFloat64())
				}
			}
		}
		draw := g.gumbelMinima
		if values == "sampled" {
			draw = g.sampledMinima
		}
		got, err := draw(ctx, places, 150)
		require.NoError(t, err)
		slices.Sort(exact)
		slices.Sort(got)
		spread := exact[270] - exact[30]
		if math.Abs(got[75]-exact[150]) > 0.15*spread {
			t.Errorf("%s: the median best value is %g, exactly %g (spread %g)", values, got[75], exact[150], spread)
		}
	}
}
