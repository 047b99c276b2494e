package kernel

import (
	"math"
	"testing"
)

// The mixture equals tanh, and its derivatives equal those of tanh.
func TestMixtureIsTanh(t *testing.T) {
	for x := 0.0; x < 40; x += 0.037 {
		value, slope := 0.0, 0.0
		for _, k := range scales {
			value += k.w * math.Erf(k.s*x)
			slope += k.w * 2 / math.SqrtPi * k.s * math.Exp(-k.s*k.s*x*x)
		}
		want := math.Tanh(x)
		if math.Abs(value-want) > 1e-14 || math.Abs(slope-1/math.Pow(math.Cosh(x), 2)) > 1e-14 {
			t.Errorf("at %g: %.16g with the slope %.16g, want %.16g and %.16g", x, value, slope, want,
				1/math.Pow(math.Cosh(x), 2))
		}
	}
}

// The tables agree with the sums over the mixture at any variances, however large, and on both sides of the ends of
// ranges and panels.
func TestTablesAreTheMixture(t *testing.T) {
	for _, v := range [][2]float64{
		{0, 0.5}, {1e-300, 1e-300}, {1.0 / 32 * (1 - 1e-15), 1.0 / 32}, {0.7, 1e6}, {90, 50}, {50, 90}, {200, 200},
		{4096, 8191}, {1e7, 1.5e7}} {
		for _, u := range []float64{1, 0.75 * (1 - 1e-15), 0.75, 0.5, 0.26, 1e-3, 1e-5, 1e-9, 0} {
			want := tanhSlopes(v[0], v[1], []float64{1 - u})[0]
			x, y := newPlace(v[0]), newPlace(v[1])
			if _, slope := tableFor(x.of, y.of).row(&x, nil).at(&y, 1-u); math.Abs(slope-want) > tableError {
				t.Errorf("variances %v, correlation 1 − %g: %.14g by table, %.14g by the mixture", v, u, slope, want)
			}
		}
	}
}
