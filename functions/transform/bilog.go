package transform

import "math"

// Bilog maps values to a scale that is logarithmic on both sides of a bound, as Eriksson & Poloczek 2021, §3. Here
// distances that are small against the width stay as they are: bound + sign(d) width log(1 + |d|/width) with d = value −
// bound. With two bounds, values between them stay as they are, and d is the distance to the nearer one. The slope at a
// bound is 1, and the map is increasing.
type Bilog struct {
	Low, High float64 // the bounds; −∞ and +∞ where there is none
	Width     float64 // +∞ for the identity
}

// Anchor returns the bound from which the distance of a value counts; NaN between two bounds.
func (b Bilog) Anchor(v float64) float64 {
	switch {
	case math.IsInf(b.Low, -1):
		return b.High
	case math.IsInf(b.High, 1):
		return b.Low
	case v > b.High:
		return b.High
	case v < b.Low:
		return b.Low
	}
	return math.NaN()
}

// Apply returns the value on the scale.
func (b Bilog) Apply(v float64) float64 {
	position := b.Anchor(v)
	if math.IsInf(b.Width, 1) || math.IsNaN(position) {
		return v
	}
	return position + math.Copysign(b.Width*math.Log1p(math.Abs(v-position)/b.Width), v-position)
}

// maxBilogDistance is the largest distance on the scale that Invert maps back, in widths, so that all values are finite.
const maxBilogDistance = 200

// Invert returns the value that Apply maps to u.
func (b Bilog) Invert(u float64) float64 {
	position := b.Anchor(u)
	if math.IsInf(b.Width, 1) || math.IsNaN(position) {
		return u
	}
	return position + math.Copysign(b.Width*math.Expm1(min(math.Abs(u-position)/b.Width, maxBilogDistance)), u-position)
}

// Slope returns the derivative of Apply.
func (b Bilog) Slope(v float64) float64 {
	position := b.Anchor(v)
	if math.IsInf(b.Width, 1) || math.IsNaN(position) {
		return 1
	}
	return 1 / (1 + math.Abs(v-position)/b.Width)
}
