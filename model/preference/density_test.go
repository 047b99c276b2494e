package preference

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"
)

// The density of a prior is that of its draws: over the cells of a grid it integrates to the part of them that falls
// there, within their standard error, and over the whole simplex to 1.
func TestDensityIsThatOfTheDraws(t *testing.T) {
	valueAt := func(_ int, b Bound) float64 { return b.Value }
	const draws, cells, fine = 60000, 8, 12
	for _, text := range []string{
		"flat", "half-normal", "dirichlet(2.5)", "dirichlet(1, 3)", "box(0.2..0.9, 0.4..0.8)",
		"box(-0.3..0.5, 0.1..1.2)", "0.3 box(0.5..0.6, 0.6..0.9) + 0.7 flat"} {
		prior, err := ParsePrior(text, nil)
		require.NoError(t, err)
		for _, reciprocal := range []bool{false, true} {
			for _, objectives := range []int{2, 3} {
				if prior.Check(objectives) != nil {
					continue
				}
				rng := rand.New(rand.NewPCG(7, 8))
				seen := map[[2]int]float64{}
				for range draws {
					w := prior.Draw(objectives, reciprocal, valueAt, rng).Weights
					cell := [2]int{int(w[0] * cells), 0}
					if objectives == 3 {
						cell[1] = int(w[1] * cells)
					}
					seen[cell] += 1.0 / draws
				}
				expected := map[[2]int]float64{}
				whole := 0.0
				step := 1.0 / (cells * fine)
				for i := range cells * fine {
					a := (float64(i) + 0.5) * step
					if objectives == 2 {
						v := prior.Density([]float64{a, 1 - a}, reciprocal, valueAt) * step
						expected[[2]int{i / fine, 0}] += v
						whole += v
						continue
					}
					for j := range cells * fine {
						b := (float64(j) + 0.5) * step
						if c := 1 - a - b; c > 1e-9 {
							v := prior.Density([]float64{a, b, c}, reciprocal, valueAt) * step * step
							expected[[2]int{i / fine, j / fine}] += v
							whole += v
						} else if c > -1e-9 { // half of the cell lies inside
							third := step / 3
							v := prior.Density([]float64{a - third/2, b - third/2, third}, reciprocal, valueAt) * step *
								step / 2
							expected[[2]int{i / fine, j / fine}] += v
							whole += v
						}
					}
				}
				if math.Abs(whole-1) > 0.01 {
					t.Errorf("%s over %d objectives (reciprocal %v) integrates to %.4f", text, objectives, reciprocal,
						whole)
				}
				for cell, want := range expected {
					se := math.Sqrt(want*(1-want)/draws) + 1e-4
					if got := seen[cell]; math.Abs(got-want) > 5*se+0.004 {
						t.Errorf("%s over %d objectives (reciprocal %v): %.4f of the draws fall into cell %v, the density has %.4f", text, objectives, reciprocal, got, cell, want)
					}
				}
			}
		}
	}
}

// Of two objectives a Dirichlet law is the beta law of another library.
func TestDirichletIsBeta(t *testing.T) {
	p, err := ParsePrior("dirichlet(2, 5)", nil)
	require.NoError(t, err)
	beta := distuv.Beta{Alpha: 2, Beta: 5}
	for _, x := range []float64{0.01, 0.2, 0.5, 0.93} {
		if got, want := p.Density([]float64{x, 1 - x}, false, nil), beta.Prob(x); math.Abs(got-want) > 1e-12*want {
			t.Errorf("at %g the density is %g, want %g", x, got, want)
		}
	}
}
