// Package transform maps values to the scale on which methods count them: methods minimize every objective, and see the
// logarithm of one whose values range over powers of ten. It maps values in their own unit and direction to counted
// values and back, with their standard deviations. Only packages that call methods use it: recorded, typed and imported
// values are in their own unit. Package functions declares the transform of an objective.
package transform

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Transform is how the values of one quantity are counted.
type Transform struct {
	Sign float64 // +1 if lower is better, −1 if higher is better
	// above 0: decimal logarithms count, and values below the floor are clipped to it; 0: values count as they are
	Floor float64
}

// IsLog reports whether logarithms count: differences are factors.
func (g Transform) IsLog() bool { return g.Floor > 0 }

// Apply is what a value counts as, to be minimized.
func (g Transform) Apply(v float64) float64 { return g.Sign * g.ToScale(v) }

// Invert is what counts as c, in the quantity's own unit: the inverse of Counted from the floor on.
func (g Transform) Invert(c float64) float64 { return g.FromScale(g.Sign * c) }

// ToScale is where a value lies along its scale, whichever way it is better: the value itself, or its logarithm.
func (g Transform) ToScale(v float64) float64 {
	if g.IsLog() {
		return math.Log10(math.Max(v, g.Floor))
	}
	return v
}

// FromScale is the value at a place along the scale: the inverse of Along from the floor on.
func (g Transform) FromScale(place float64) float64 {
	if g.IsLog() {
		return math.Pow(10, place)
	}
	return place
}

// Clamp is the value to draw: the floor for values below it, which do not exist on a logarithmic axis.
func (g Transform) Clamp(v float64) float64 {
	if g.IsLog() {
		return math.Max(v, g.Floor)
	}
	return v
}

// ApplySE is the standard deviation of what a value counts as, of which the value has one: of a logarithm to the first
// order, se/(v ln 10) (the delta method; Casella & Berger 2002, "Statistical Inference", theorem 5.5.24).
func (g Transform) ApplySE(v, se float64) float64 {
	if g.IsLog() {
		return se / (math.Max(v, g.Floor) * math.Ln10)
	}
	return se
}

// InvertAll are those of Value, of all of a list.
func (g Transform) InvertAll(counted []float64) []float64 {
	values := make([]float64, len(counted))
	for i, c := range counted {
		values[i] = g.Invert(c)
	}
	return values
}

// Interpolate is the value at a part of the way from one value to another: halfway is their mean, or where logarithms
// count their geometric mean.
func (g Transform) Interpolate(from, end, part float64) float64 {
	a := g.ToScale(from)
	return g.FromScale(a + part*(g.ToScale(end)-a))
}

// ClampAll are the values that are drawn for some.
func (g Transform) ClampAll(values []float64) []float64 {
	if !g.IsLog() {
		return values
	}
	shown := make([]float64, len(values))
	for i, v := range values {
		shown[i] = g.Clamp(v)
	}
	return shown
}

// FormatSD formats the standard deviation of a prediction, to be written behind its mean: " ± 0.3", or on a logarithmic
// scale the interval of one deviation on either side, " (0.17 to 0.56)", or the factor. The deviation is on the counted
// scale; number formats a number.
func (g Transform) FormatSD(v, sd float64, number func(float64) string) string {
	if g.IsLog() {
		factor := math.Pow(10, sd)
		from, end := number(v/factor), number(v*factor)
		if from == end { // equal in the shown digits
			return " (within " + g.FormatDifference(sd, number) + ")"
		}
		return " (" + from + " to " + end + ")"
	}
	return " ± " + number(sd)
}

// FormatDifference formats a difference of counted values: "0.3", or on a logarithmic scale as a factor, "×1.3".
func (g Transform) FormatDifference(d float64, number func(float64) string) string {
	if !g.IsLog() {
		return number(d)
	}
	factor := math.Pow(10, d)
	if extra := factor - 1; extra > 1e-9 && extra < 0.1 { // of which the digits behind the 1 tell
		if few, err := strconv.ParseFloat(strconv.FormatFloat(extra, 'e', 1, 64), 64); err == nil {
			return "×" + strconv.FormatFloat(1+few, 'g', 10, 64)
		}
	}
	return "×" + number(factor)
}

// FormatChange formats the change from one value to another: "+0.3" or "-0.3", or on a logarithmic scale "×1.3" or
// "/1.3".
func (g Transform) FormatChange(from, end float64, number func(float64) string) string {
	d := g.ToScale(end) - g.ToScale(from)
	switch {
	case !g.IsLog():
		return fmt.Sprintf("%+.4g", d)
	case d < 0:
		return "/" + strings.TrimPrefix(g.FormatDifference(-d, number), "×")
	}
	return g.FormatDifference(d, number)
}
