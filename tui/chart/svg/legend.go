package svg

import (
	"slices"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/chart"
	"bandscope/tui/chart/vector"
)

// The sizes of a legend, in pixels: a row, a letter of the monospaced type, and the space between entries.
const (
	legendRow   = 15
	letterWidth = 7.3
	legendGap   = 18
)

// Legend names layers, those in front first, each after the mark or the piece of line with which it is
// drawn. It begins at (x, y) and goes on below where a row is full; layers of one name have one entry, and what draws
// nothing has none.
func (v *Picture) Legend(layers []chart.Layer, x, y, w float64) (last float64) {
	var named []string
	left := x
	for _, l := range slices.Backward(layers) {
		name, wide, piece := legendSample(l)
		if name == "" || piece == nil || slices.Contains(named, name) {
			continue
		}
		named = append(named, name)
		whole := wide + 5 + letterWidth*float64(ansi.StringWidth(name))
		if left > x && left+whole > x+w {
			left, y = x, y+legendRow
		}
		vector.Layer(v, piece, vector.Region{X: left, Y: y - 9, W: wide, H: 10, Across: chart.Scale{To: 1},
			Down: chart.Scale{From: 1}})
		v.write(left+wide+5, y, vector.Start, name, v.st.Dim)
		left += whole + legendGap
	}
	return y
}

// legendSample is a small piece of what a layer draws, in a region from 0 to 1 both ways of the given width; nil for
// layers without a mark.
func legendSample(l chart.Layer) (name string, wide float64, piece chart.Layer) {
	ends, middle := []float64{0, 1}, []float64{0.5}
	switch l := l.(type) {
	case chart.Points:
		if len(l.X) > 0 {
			return l.Name, 12, chart.Points{X: middle, Y: middle, Shape: l.Shape, Color: l.Color, Ink: l.Ink}
		}
	case chart.Curve:
		if slices.ContainsFunc(l.Y, chart.Finite) {
			return l.Name, 26, chart.Curve{X: ends, Y: []float64{0.5, 0.5}, Color: l.Color, Line: l.Line}
		}
	case chart.Band:
		if len(l.X) > 0 {
			return l.Name, 22, chart.Band{X: ends, Lo: []float64{0, 0}, Hi: []float64{1, 1}, Color: l.Color, Edge: l.Edge,
				Outline: l.Outline}
		}
	case chart.Region:
		if len(l.X) > 0 {
			return l.Name, 22, chart.Area{X: ends, Y: []float64{1, 1}, Color: l.Color}
		}
	case chart.Dots:
		if len(l.X) > 0 {
			return l.Name, 14, chart.Dots{X: []float64{0.1, 0.4, 0.8}, Y: []float64{0.7, 0.3, 0.6}, Color: l.Color}
		}
	case chart.Hatch:
		if !l.Empty() {
			return l.Name, 22, chart.Hatch{Over: chart.Field{Cols: 1, Rows: 1, Z: []float64{1}}, Color: l.Color}
		}
	case chart.Rule:
		return l.Name, 8, chart.Rule{At: 0.5, Color: l.Color, Solid: l.Solid, Dash: l.Dash}
	case chart.Errors:
		if len(l.At) > 0 {
			return l.Name, 14, chart.Errors{At: []float64{0.5}, Lo: []float64{0}, Hi: []float64{1}, Across: l.Across,
				Color: l.Color}
		}
	case chart.Bracket:
		return l.Name, 14, chart.Bracket{To: 1, At: 0.5, Vertical: l.Vertical, Color: l.Color}
	case chart.Box:
		return l.Name, 22, chart.Box{X1: 1, Y1: 1, Color: l.Color, Dash: l.Dash}
	}
	return "", 0, nil
}
