package line

import (
	"fmt"
	"math"

	"bandscope/tui/explain"
	"bandscope/tui/explore/picture"
	"bandscope/tui/screen"
)

// Elements tells what is seen of the panel, whose corner stands in a column and row of the window.
func (p *Picture) Elements(s picture.Scene, left, top int) []explain.Element {
	l, b := p.layout(s), p.shown(s)
	list := []explain.Element{{Kind: explain.Panel, Name: "belief", Term: "posterior", Where: explain.Rect(left, top, s.W, 2+len(l.legend)+l.belief),
		Says: fmt.Sprintf("What the model believes of %s after %s, along %s.", s.State.Problem.Objectives[0].Name, screen.Counted(len(s.State.Iterations), "step"), s.State.Problem.Domain[s.View.Variable].Name)}}
	chart := p.Chart(s)
	place := explain.Placed{Style: s.Style, Left: left + 1, Top: top + 1 + len(l.legend), W: s.W - 2, H: l.belief, Legend: l.legend}
	list = append(list, explain.Layers(chart, place, p.says(s))...)
	list = append(list, place.Axes(chart, fmt.Sprintf("Values of %s, from %s to %s.", s.State.Problem.Objectives[0].Name, screen.Number(chart.Y.Min), screen.Number(chart.Y.Max)),
		fmt.Sprintf("Values of %s.", s.State.Problem.Domain[s.View.Variable].Name))...)
	if l.acq > 0 && b != nil {
		at := explain.Placed{Style: s.Style, Left: left + 1, Top: top + 2 + len(l.legend) + l.belief, W: s.W - 2, H: l.acq}
		acquisition := p.Drawing(s).AcquisitionChart()
		list = append(list, explain.Element{Kind: explain.Panel, Name: "acquisition", Term: "acquisition", Where: explain.Rect(left, at.Top-1, s.W, l.acq+1),
			Says: fmt.Sprintf("What the method asks of every %s: the next point is where this is best.", s.State.Problem.Domain[s.View.Variable].Name)})
		list = append(list, at.Axes(acquisition, "Values of the acquisition.", "")...)
	}
	return list
}

// says tells an entry of the legend.
func (p *Picture) says(s picture.Scene) func(name string) (sentence, term string) {
	b, st := p.shown(s), s.State
	return func(name string) (string, string) {
		switch {
		case name == "truth":
			return "The function itself, which the method does not see.", ""
		case b != nil && name == b.Legend.Band:
			return p.band(s), "posterior"
		case b != nil && name == b.Legend.Mean:
			return "The curve that is expected, value by value.", "posterior"
		case name == "data":
			return fmt.Sprintf("What was evaluated: %s.", screen.Counted(len(st.Iterations), "step")), ""
		}
		return "", ""
	}
}

// band tells the band where it is widest.
func (p *Picture) band(s picture.Scene) string {
	b := p.shown(s)
	at, widest := 0, 0.0
	for i := range b.Lower {
		if w := b.Upper[i] - b.Lower[i]; w > widest && !math.IsNaN(w) {
			at, widest = i, w
		}
	}
	return fmt.Sprintf("The band is %s; it is widest at %s, where it goes from %s to %s.", b.Legend.Band, screen.Number(b.Grid[at]), screen.Number(b.Lower[at]), screen.Number(b.Upper[at]))
}
