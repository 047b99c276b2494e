package picture

import (
	"math"

	"bandscope/functions"
	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
)

// gap is the part of its slot that the bar of a choice leaves free on each side. It grows with the number of choices,
// or it would vanish in few cells.
func gap(choices int) float64 { return min(max(0.1, 0.012*float64(choices)), 0.2) }

// Axis is the whole axis of a variable, with its name and, where it has levels, their labels.
func Axis(v functions.Variable) chart.Axis {
	a := chart.Axis{Label: name(v), Names: v.Kind == functions.Choice}
	s := whole(v)
	a.Min = s.From
	a.Max = s.To
	a.Log = s.Log
	for i := range v.Levels() {
		if v.Kind == functions.Integer && v.Levels() > maxMarks {
			a.Integer = true
			return a
		}
		x := v.Level(i)
		a.Marks = append(a.Marks, chart.Tick{Value: x, Label: sanitize.Text(v.Text(x))})
	}
	return a
}

// maxMarks is up to how many whole numbers each is labelled; of more, round ones are.
const maxMarks = 15

func name(v functions.Variable) string {
	if v.Unit == "" {
		return v.Name
	}
	return v.Name + " (" + v.Unit + ")"
}

// whole is the axis as a scale: of a variable with levels from the outer edge of the first slot to that of the last.
func whole(v functions.Variable) chart.Scale {
	s := chart.Scale{From: v.Low, To: v.High, Log: v.Scale == functions.Log}
	n := v.Levels()
	if n < 2 {
		return s
	}
	part := func(i int) float64 { return s.Fraction(v.Level(i)) }
	return chart.Scale{From: s.Value(-(part(1) - part(0)) / 2), To: s.Value(1 + (part(n-1)-part(n-2))/2), Log: s.Log}
}

// AxisFraction is where a value lies on the axis: 0 at its one end, 1 at the other.
func AxisFraction(v functions.Variable, x float64) float64 {
	if v.Levels() == 0 {
		return v.ToUnit(x)
	}
	return whole(v).Fraction(x)
}

// AxisValue is the value at a part of the axis, which is not one of the levels there.
func AxisValue(v functions.Variable, part float64) float64 {
	if v.Levels() == 0 {
		return v.FromUnit(part)
	}
	return whole(v).Value(part)
}

// NearestAxisValue is the value of the variable at a part of the axis: of one with levels that in whose slot it lies.
func NearestAxisValue(v functions.Variable, part float64) float64 { return v.Snap(AxisValue(v, part)) }

// Grid are rising values between two parts of the axis: so many evenly spaced ones, or the levels whose slots are
// shown, all of them where they are not more.
func Grid(v functions.Variable, from, end float64, nodes int) []float64 {
	grid := make([]float64, 0, nodes)
	if n := v.Levels(); n > 0 {
		first, last := v.Nearest(AxisValue(v, from+1e-9)), v.Nearest(AxisValue(v, end-1e-9))
		if last-first < nodes {
			for i := first; i <= last; i++ {
				grid = append(grid, v.Level(i))
			}
			return grid
		}
		for i := range nodes {
			grid = append(grid, v.Level(first+int(math.Round(float64((last-first)*i)/float64(nodes-1)))))
		}
		return grid
	}
	for i := range nodes {
		grid = append(grid, v.FromUnit(from+(end-from)*float64(i)/float64(nodes-1)))
	}
	return grid
}

// Cuts are the parts of the axis at which the step of a value of a grid of levels gives way to the next one's; nil of a
// real variable, empty of one level.
func Cuts(v functions.Variable, grid []float64) []float64 {
	if v.Levels() == 0 {
		return nil
	}
	cuts := make([]float64, 0, len(grid))
	for i := 1; i < len(grid); i++ {
		cuts = append(cuts, (AxisFraction(v, grid[i-1])+AxisFraction(v, grid[i]))/2)
	}
	return cuts
}

// Steps are the points through which curves over a grid are drawn.
type Steps struct {
	X    []float64 // rising
	from []int     // the value of the grid that each point has; −1 in a gap
}

// NewSteps are the steps of a variable over a grid: along real ones the grid itself, along the others two points a
// level, and between choices a gap.
func NewSteps(v functions.Variable, grid []float64) Steps {
	if v.Levels() == 0 {
		return Steps{X: grid}
	}
	var s Steps
	add := func(part float64, from int) {
		s.X, s.from = append(s.X, AxisValue(v, part)), append(s.from, from)
	}
	cuts := Cuts(v, grid)
	for i := range grid {
		lo, hi := 0.0, 1.0
		if i > 0 {
			lo = cuts[i-1]
		}
		if i < len(cuts) {
			hi = cuts[i]
		}
		if v.Kind == functions.Choice {
			free := gap(len(grid)) * (hi - lo)
			lo, hi = lo+free, hi-free
			add(lo-free, -1)
		}
		add(lo, i)
		add(hi, i)
	}
	if v.Kind == functions.Choice {
		add(1, -1)
	}
	return s
}

// Y is a curve over the grid at the points of the steps; NaN in a gap.
func (s Steps) Y(curve []float64) []float64 {
	if s.from == nil || curve == nil {
		return curve
	}
	y := make([]float64, len(s.from))
	for k, i := range s.from {
		y[k] = math.NaN()
		if i >= 0 {
			y[k] = curve[i]
		}
	}
	return y
}

// Spread is where mark k of n with the same value is drawn: side by side within its slot, or at the value of a real
// variable.
func Spread(v functions.Variable, x float64, k, n int) float64 {
	levels := v.Levels()
	if levels < 2 || n < 2 {
		return x
	}
	i, center := v.Nearest(x), AxisFraction(v, x)
	width := math.Inf(1) // of the narrower half of the slot
	if i > 0 {
		width = center - AxisFraction(v, v.Level(i-1))
	}
	if i+1 < levels {
		width = min(width, AxisFraction(v, v.Level(i+1))-center)
	}
	const used = 0.6
	return AxisValue(v, center+used*width*((float64(k)+0.5)/float64(n)-0.5))
}
