package normdist

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// halfLines are γ, log Φ(γ), log of the entropy γφ(γ)/(2Φ(γ)) − log Φ(γ), and the latter's derivative: mpmath 1.4.1
// with 1,000 digits.
var halfLines = [][4]float64{
	{-1000.0, -500007.82669481218, 1.9915246383039088, -0.00013648662721436951},
	{-300.0, -45006.622732118663, 1.8120102361530418, -0.00054439408493507994},
	{-37.5, -707.66898931750719, 1.3974068662479061, -0.0065743393233683292},
	{-30.0, -454.3212439563432, 1.3408651406662893, -0.0086822021940218332},
	{-12.0, -75.410673001568796, 1.0706886782861424, -0.027809618409172848},
	{-10.001, -53.241383739024042, 1.0082918973753886, -0.035121324862074524},
	{-10.0, -53.231285150512471, 1.0082567738045121, -0.035125817059597402},
	{-9.999, -53.221187552555521, 1.0082216457409319, -0.035130310269543757},
	{-5.0001, -15.065517049221958, 0.74134477650302817, -0.083378137218775597},
	{-5.0, -15.064998393988726, 0.74133643859006989, -0.083380121960075714},
	{-4.9999, -15.064479748428529, 0.74132810047863354, -0.083382106780041189},
	{-3.0, -6.6077262215103495, 0.52062440201565978, -0.14698550661153308},
	{-1.0, -1.8410216450092635, 0.075528540530939019, -0.33577368023037183},
	{0.0, -0.69314718055994531, -0.36651292058166433, -0.57555204953608122},
	{1.0, -0.17275377902344989, -1.1502621798086021, -1.0391815845504505},
	{3.0, -0.0013508099647481938, -4.8273681185485898, -2.7747170387812022},
	{4.9999, -2.8680032213181123e-7, -12.427870940162206, -4.8275730650612183},
	{5.0001, -2.8650297813173647e-7, -12.42883647527237, -4.8277780365462467},
	{8.0, -6.2209605742717861e-16, -31.502325473380921, -7.8823574626313521},
	{20.0, -2.7536241186062337e-89, -198.61137824444925, -19.950495058516045},
	{38.0, -2.8854283600687843e-316, -719.97311642663303, -37.973756906181076},
	{60.0, -1.2375730286433985e-784, -1797.5171859043578, -59.983351831302825},
}

// Value and slope are exact on both sides of the switches between formulas, and far out at both ends, where the slope
// is what a search climbs by.
func TestHalfLineLoss(t *testing.T) {
	for _, c := range halfLines {
		gamma := c[0]
		assert.InDelta(t, c[1], LogCDF(gamma), 2e-15*math.Abs(c[1])*(1+math.Min(gamma*gamma, 30)), "log Φ(%g)", gamma)
		v, slope := LogHalfLineLoss(gamma)
		if math.Abs(v-c[2]) > 1e-12*(1+math.Abs(c[2])) || math.Abs(slope-c[3]) > 1e-11*math.Abs(c[3]) {
			t.Errorf("γ = %g: %.17g with the slope %.17g, want %.17g and %.17g", gamma, v, slope, c[2], c[3])
		}
	}
	for _, values := range []float64{tailFrom, -tailFrom, -1, 0} { // no jump where the formula changes
		below, slopeBelow := LogHalfLineLoss(math.Nextafter(values, -9))
		above, slopeAbove := LogHalfLineLoss(math.Nextafter(values, 9))
		if math.Abs(below-above) > 1e-12 || math.Abs(slopeBelow-slopeAbove) > 1e-11 ||
			math.Abs(LogCDF(math.Nextafter(values, -9))-LogCDF(math.Nextafter(values, 9))) > 2e-14 {
			t.Errorf("at %g it jumps from %g to %g, with the slopes %g and %g", values, below, above, slopeBelow,
				slopeAbove)
		}
	}
}

// The probability between two ends is the difference of two tails where these have their digits, and of one tail far
// out in it; its slopes are those of differences.
func TestLogBetween(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range [][2]float64{
		{-inf, 0.3}, {0.3, inf}, {-1, 2}, {1, 2}, {-9, -8}, {8, 9}, {-40, -39}, {39, 40}, {-inf, -30}, {30, inf},
		{-3, inf}, {-1e-3, 1e-3}} {
		a, b := c[0], c[1]
		v, byA, byB := LogBetween(a, b)
		if p := Between(a, b); p > 1e-12 && math.Abs(math.Exp(v)-p) > 1e-12*(1+1/p) {
			t.Errorf("between %g and %g: %g, want %g", a, b, math.Exp(v), p)
		}
		if math.IsInf(v, 0) || math.IsNaN(v) {
			t.Errorf("between %g and %g: %g", a, b, v)
		}
		const h = 1e-6
		valueAt := func(a, b float64) float64 { v, _, _ := LogBetween(a, b); return v }
		for _, d := range []struct{ got, want float64 }{
			{byA, (valueAt(a+h, b) - valueAt(a-h, b)) / (2 * h)}, {byB, (valueAt(a, b+h) - valueAt(a, b-h)) / (2 * h)}} {
			if math.IsNaN(d.want) { // of an end at infinity
				d.want = 0
			}
			if math.Abs(d.got-d.want) > 1e-4*(1+math.Abs(d.want)) {
				t.Errorf("between %g and %g the slope is %g, by differences %g", a, b, d.got, d.want)
			}
		}
	}
}
