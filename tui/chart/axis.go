package chart

import (
	"math"
	"strings"
)

// Axis is one axis of a chart, in the data's units.
type Axis struct {
	Label     string
	Min, Max  float64
	Integer   bool      // ticks at whole numbers only
	HideTicks bool      // no tick labels, such as above another chart with the same axis
	Ends      [2]string // of a horizontal axis: names of its ends, in place of the tick labels there
	Flip      bool      // of a vertical axis: the least value is at the top
	Log       bool      // logarithmic; the values are above 0
	Align     bool      // of a vertical axis: it may be a little longer so that its ticks are in the middle of rows

	// of a vertical axis: labels at its upper and lower end that say how far the curves go beyond it; empty for none
	Above, Below string
	step         float64 // of an aligned axis, from tick to tick; else 0

	Marks []Tick // labelled instead of round values: the levels of a variable, in order
	Names bool   // these labels are names, each of which is cut to the available width
}

// Ticks are the values that are labelled on the axis: its marks as far as they lie on it, or about count round values.
func (a Axis) Ticks(count int) []Tick {
	if a.Marks == nil {
		return a.ticks(count)
	}
	s := a.Scale()
	var list []Tick
	for _, t := range a.Marks {
		if s.Contains(t.Value) {
			list = append(list, t)
		}
	}
	return list
}

// ticks are about count round values of the axis, or those of them that are whole numbers, as such.
func (a Axis) ticks(count int) []Tick {
	if a.step > 0 {
		return stepTicks(a.Min, a.Max, a.step, math.MaxInt)
	}
	all := a.Scale().Ticks(count)
	if !a.Integer {
		return all
	}
	var list []Tick
	for _, t := range all {
		if t.Value == math.Round(t.Value) {
			list = append(list, Tick{Value: t.Value, Label: strings.TrimSuffix(t.Label, ".0")})
		}
	}
	return list
}

// Scale is the axis as a scale from one end to the other, with finite ends that differ.
func (a Axis) Scale() Scale {
	a = a.sane()
	return Scale{From: a.Min, To: a.Max, Log: a.Log}
}

// sane returns the axis with finite bounds that differ.
func (a Axis) sane() Axis {
	if !Finite(a.Min) || !Finite(a.Max) || a.Min > a.Max {
		a.Min, a.Max = 0, 1
	}
	a.Log = a.Log && a.Min > 0
	if a.Max-a.Min <= 1e-12*math.Max(math.Abs(a.Min), math.Abs(a.Max)) || a.Max == a.Min {
		a.Min, a.Max = Pad(a.Min, a.Max)
	}
	return a
}
