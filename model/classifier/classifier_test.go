package classifier

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/model/kernel"
)

// With one datum everything is an integral over one number, and expectation propagation has nothing to approximate: the
// evidence, and the mean and the standard deviation of the posterior, are those of quadrature.
func TestOneDatumAgainstQuadrature(t *testing.T) {
	for _, scale := range []float64{0.5, 1, 2, 4} {
		for _, happened := range []bool{true, false} {
			k := kernel.Stationary{Form: kernel.Matern52, Scale: scale, Lengths: []float64{0.3}}
			x := mat.NewDense(1, 1, []float64{0.4})
			l, err := propagate(k, x, []bool{happened})
			require.NoError(t, err)
			sign := 1.0
			if !happened {
				sign = -1
			}
			prior := distuv.Normal{Sigma: scale}
			moment := func(power float64) float64 {
				return quad.Fixed(func(f float64) float64 {
					return math.Pow(f, power) * prior.Prob(f) * distuv.UnitNormal.CDF(sign*(l.Mean+f))
				}, -12*scale, 12*scale, 600, nil, 0)
			}
			evidence := moment(0)
			wantMean := moment(1) / evidence
			wantSD := math.Sqrt(moment(2)/evidence - wantMean*wantMean)
			mean, sd, err := l.Predict(t.Context(), x)
			require.NoError(t, err)
			if math.Abs(mean[0]-wantMean) > 1e-8*scale || math.Abs(sd[0]-wantSD) > 1e-8*scale ||
				math.Abs(math.Exp(l.LogEvidence)-evidence) > 1e-8 {
				t.Errorf("scale %g, %v: it is %g ± %g with the evidence %g, by quadrature %g ± %g and %g", scale,
					happened, mean[0], sd[0], math.Exp(l.LogEvidence), wantMean, wantSD, evidence)
			}
		}
	}
}

// Two data at one place are two factors of the same number: the fixed point is that of a computation with two numbers
// instead of matrices (in Python, apart from this code).
func TestTwoDataAtOnePlace(t *testing.T) {
	k := kernel.Stationary{Form: kernel.Matern52, Scale: 2, Lengths: []float64{0.3}}
	x := mat.NewDense(2, 1, []float64{0.4, 0.4})
	l, err := propagate(k, x, []bool{true, true})
	require.NoError(t, err)
	mean, _, err := l.Predict(t.Context(), x)
	require.NoError(t, err)
	if math.Abs(mean[0]-1.007381572579194) > 1e-8 || math.Abs(math.Exp(l.LogEvidence)-0.6596031984354832) > 1e-8 {
		t.Errorf("the mean is %.12g and the evidence %.12g", mean[0], math.Exp(l.LogEvidence))
	}
}

// Events on one side of an input, and none on the other, are believed to go on so: more probable there than here, in
// between halfway, and far out nothing is certain.
func TestSides(t *testing.T) {
	x := mat.NewDense(8, 1, []float64{0, 0.1, 0.2, 0.3, 0.7, 0.8, 0.9, 1})
	happened := []bool{true, true, true, true, false, false, false, false}
	l, err := Fit(t.Context(), x, happened)
	require.NoError(t, err)
	mean, sd, err := l.Predict(t.Context(), mat.NewDense(3, 1, []float64{0.15, 0.5, 0.85}))
	require.NoError(t, err)
	p := make([]float64, 3)
	for i := range p {
		p[i] = distuv.UnitNormal.CDF((l.Mean + mean[i]) / math.Sqrt(1+sd[i]*sd[i]))
	}
	if !(p[0] > 0.8) || math.Abs(p[1]-0.5) > 1e-6 || !(p[2] < 0.2) || math.Abs(p[0]+p[2]-1) > 1e-6 {
		t.Errorf("the probabilities are %v", p)
	}
}

// The logarithm of Φ and its slope hold far out.
func TestLogCDF(t *testing.T) {
	for _, c := range [][2]float64{
		{-37.5, -707.66898931750719}, {-30.0, -454.3212439563432}, {-12, -75.410673001568796}, {0, -math.Ln2},
		{3, -0.0013508099647481938}} {
		v, slope := logCDF(c[0])
		a, _ := logCDF(c[0] + 1e-5)
		b, _ := logCDF(c[0] - 1e-5)
		if math.Abs(v-c[1]) > 1e-5*math.Abs(c[1]) || math.Abs(slope-(a-b)/2e-5) > 1e-3*(1+slope) {
			t.Errorf("log Φ(%g) = %g with the slope %g, want %g", c[0], v, slope, c[1])
		}
	}
}
