package line

import (
	"fmt"

	"bandscope/tui/belief"
	"bandscope/tui/belief/told"
	"bandscope/tui/explain"
	"bandscope/tui/explore/picture"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
)

// Elements tells what is seen of the panel, whose corner stands in a column and row of the window.
func (p *Picture) Elements(s picture.Scene, left, top int) []explain.Element {
	l, d, chart := p.layout(s), p.Drawing(s), p.Chart(s)
	a := told.OfDrawing(d, s.Strange)
	a.Asking = s.Asking || s.Quiz
	list := []explain.Element{{Kind: explain.Panel, Name: "the belief", Term: "surrogate", Where: explain.Rect(left, top, s.W, 2+len(l.legend)+l.belief), Says: p.about(s)}}
	place := explain.Placed{Style: s.Style, Left: left + 1, Top: top + 1 + len(l.legend), W: s.W - 2, H: l.belief, Legend: l.legend}
	list = append(list, explain.Layers(chart, place, a.Says)...)
	list = append(list, p.answered(s, place)...)
	under := ""
	if !chart.X.HideTicks {
		under = a.Variable()
	}
	list = append(list, place.Axes(chart, a.Axis(chart.Y), under)...)
	return append(list, p.below(s, a, left, top)...)
}

// about tells the panel.
func (p *Picture) about(s picture.Scene) string {
	o, domain := s.State.Problem.Objectives[0], s.State.Problem.Domain
	text := fmt.Sprintf("What %s believes of %s after %s: the curve that it expects, the band, and what chooses the next point.", s.State.Spec.Title, o.Name, screen.Counted(len(s.State.Iterations), "step"))
	if len(s.State.Iterations) == 0 {
		text = fmt.Sprintf("What %s believes of %s before any result: its prior, which the first results will turn into a posterior.", s.State.Spec.Title, o.Name)
	}
	b := p.shown(s)
	switch {
	case b == nil:
		text = fmt.Sprintf("What %s believes of %s after %s is being computed; meanwhile only what is known for certain is drawn.", s.State.Spec.Title, o.Name, screen.Counted(len(s.State.Iterations), "step"))
	case b.Legend.Band == "" && b.Legend.Used == "":
		text = fmt.Sprintf("%s has no model of %s: what is drawn are the %s, and where it goes next.", s.State.Spec.Title, o.Name, screen.Counted(len(s.State.Iterations), "result"))
	}
	if b != nil && len(domain) > 1 {
		at := ""
		for j, v := range domain {
			if j != s.View.Variable && len(domain) <= 4 {
				at += fmt.Sprintf(", %s = %s", v.Name, v.Text(b.Anchor[j]))
			}
		}
		text += fmt.Sprintf(" It is a slice along %s through the best point%s.", domain[s.View.Variable].Name, at)
	}
	return text
}

// answered tells the reader's point in a lesson, which the legend does not name.
func (p *Picture) answered(s picture.Scene, place explain.Placed) (list []explain.Element) {
	for _, m := range s.Marks {
		mark, ok := m.(plot.Points)
		if !ok || len(mark.X) == 0 || mark.Name != "" {
			continue
		}
		mark.Name = "your point"
		c := p.Chart(s)
		c.Layers = []plot.Layer{mark}
		v := s.State.Problem.Domain[s.View.Variable]
		list = append(list, explain.Element{Name: mark.Name, Term: "acquisition", Says: fmt.Sprintf("The point that you chose, %s = %s: it would have given %s = %s. The page says what could be expected of it before.",
			v.Name, v.Text(mark.X[0]), s.State.Problem.Objectives[0].Name, screen.Number(mark.Y[0])),
			Where: func() []plot.Span {
				return explain.Moved(place.Left, place.Top, c.Cells(place.W, place.H, place.Style, mark.Name))
			}})
	}
	return list
}

// below tells the plots under the belief.
func (p *Picture) below(s picture.Scene, a told.Along, left, top int) (list []explain.Element) {
	l := p.layout(s)
	at := top + 1 + len(l.legend) + l.belief // the dividing line
	part := func(h int, name, term, says, axis, under string, c plot.Chart, marks map[string]string) {
		place := explain.Placed{Style: s.Style, Left: left + 1, Top: at + 1, W: s.W - 2, H: h}
		list = append(list, explain.Element{Kind: explain.Panel, Name: "the " + name, Term: term, Says: says, Where: explain.Rect(left, at, s.W, h+1)})
		for _, e := range explain.Layers(c, place, func(name string) (string, string) { return marks[name], term }) {
			if len(e.Where()) > 0 { // what is narrower than a cell is not drawn
				list = append(list, e)
			}
		}
		if c.Y.HideTicks {
			axis = ""
		}
		list = append(list, place.Axes(c, axis, under)...)
		at += h + 1
	}
	if l.acq > 0 {
		says, area := a.Acquisition()
		marks := map[string]string{belief.AcquisitionName(a.Legend): area}
		if b := a.Drawing.Picture; b != nil && b.Allowed != nil {
			marks["where it may lie"] = a.Allowed()
		}
		c := a.Drawing.AcquisitionChart()
		part(l.acq, "acquisition", "acquisition", says, fmt.Sprintf("Values of the acquisition in its own unit, %s to %s here: only where it is best matters, not how much that is.", screen.Number(c.Y.Min), screen.Number(c.Y.Max)), a.Variable(), c, marks)
	}
	if l.cost > 0 {
		part(l.cost, "cost", "cost", a.Cost(), fmt.Sprintf("What an evaluation costs, 0 to %s here.", screen.Number(a.Drawing.CostChart().Y.Max)), a.Variable(), a.Drawing.CostChart(), nil)
	}
	if l.limits > 0 {
		part(l.limits, "probability to be within all limits", "limit", a.Limits(), "Probabilities, from 0 to 1.", a.Variable(), a.Drawing.FeasibleChart(), nil)
	}
	return list
}
