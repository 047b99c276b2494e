package param

import (
	"math"
	"slices"

	"bandscope/functions/numfmt"
)

// Nudge is the value one step away: the other state of a switch, the next choice, and for numbers a step of about a
// twentieth of the range, or the next of 1, 2, 5, 10, … on a logarithmic scale.
func (d Decl) Nudge(v any, delta int) any {
	switch x := v.(type) {
	case bool:
		return !x
	case string:
		n, index := len(d.Choices), slices.Index(d.Choices, x)
		if index < 0 && delta < 0 { // a text that is not one of the suggestions
			index = n
		}
		return d.Choices[(index+delta+n)%n]
	case int:
		return int(math.Round(d.nudgeNumber(float64(x), delta)))
	default:
		return d.nudgeNumber(v.(float64), delta)
	}
}

func (d Decl) nudgeNumber(v float64, delta int) float64 {
	next := v
	switch {
	case d.Zero && v == 0 && delta > 0:
		return d.Min
	case d.Zero && v <= d.Min && delta < 0:
		return 0
	case d.Log && v > 0:
		next = nextRound(v, delta)
	case d.Kind == Integer:
		next = v + float64(delta)*max(1, math.Floor((d.Max-d.Min)/1000))
	default:
		step := math.Pow(10, math.Floor(math.Log10((d.Max-d.Min)/20)))
		next = numfmt.Round(math.Round(v/step)*step + float64(delta)*step)
	}
	return min(max(next, d.Min), d.Max)
}

// nextRound is the next number of the series 1, 1.5, 2, 3, 5, 7, 10, … above or below v.
func nextRound(v float64, delta int) float64 {
	series := []float64{1, 1.5, 2, 3, 5, 7, 10}
	decade := math.Pow(10, math.Floor(math.Log10(v)+1e-9))
	if delta > 0 {
		for _, s := range series {
			if s*decade > v*(1+1e-9) {
				return numfmt.Round(s * decade)
			}
		}
		return numfmt.Round(15 * decade)
	}
	for _, s := range slices.Backward(series) {
		if s*decade < v*(1-1e-9) {
			return numfmt.Round(s * decade)
		}
	}
	return numfmt.Round(0.7 * decade)
}
