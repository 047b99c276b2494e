package normdist

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
)

// The density is that of gonum's distribution, the conditional has the moments of a slice of it, and the correlation is
// that of draws.
func TestBivariate(t *testing.T) {
	for _, b := range []Bivariate{
		{Mean: [2]float64{0.3, -1}, Var: [2]float64{1, 4}, Covariance: 1.2},
		{Mean: [2]float64{-2, 5}, Var: [2]float64{0.25, 0.5}, Covariance: -0.3},
		{Var: [2]float64{2, 1}},
	} {
		law, ok := distmv.NewNormal(b.Mean[:], mat.NewSymDense(2, []float64{b.Var[0], b.Covariance, b.Covariance, b.Var[1]}),
			rand.NewPCG(1, 2))
		assert.True(t, ok)
		peak := law.LogProb(b.Mean[:])
		first := b.Mean[0] + 0.7*math.Sqrt(b.Var[0])
		var weight, mean, square float64
		for i := range 4001 {
			second := b.Mean[1] + float64(i-2000)/200*math.Sqrt(b.Var[1])
			p := math.Exp(law.LogProb([]float64{first, second}) - peak)
			assert.InDelta(t, p, b.RelativeDensity(first, second), 1e-12)
			weight, mean, square = weight+p, mean+p*second, square+p*second*second
		}
		mean /= weight
		gotMean, gotSD := b.Conditional(first)
		assert.InDelta(t, mean, gotMean, 1e-9)
		assert.InDelta(t, math.Sqrt(square/weight-mean*mean), gotSD, 1e-9)

		const draws = 40000
		var moments [2][2]float64
		for range draws {
			x := law.Rand(nil)
			for i := range moments {
				for j := range moments {
					moments[i][j] += (x[i] - b.Mean[i]) * (x[j] - b.Mean[j]) / draws
				}
			}
		}
		assert.InDelta(t, moments[0][1]/math.Sqrt(moments[0][0]*moments[1][1]), b.Correlation(), 4/math.Sqrt(draws))
	}
	known := Bivariate{Mean: [2]float64{1, 2}, Var: [2]float64{0, 9}}
	mean, sd := known.Conditional(5)
	assert.Equal(t, []float64{2, 3, 0}, []float64{mean, sd, known.Correlation()})
	assert.Equal(t, 0.0, known.RelativeDensity(1.1, 2))
	assert.Equal(t, 1.0, known.RelativeDensity(1, 2))
}
