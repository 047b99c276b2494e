package outcomes

import (
	"fmt"

	"bandscope/sessions/safe"
	"bandscope/tui/belief/told"
	"bandscope/tui/belief/told/fronts"
	"bandscope/tui/explain"
	"bandscope/tui/explore/picture"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
)

// part is one of the plots of the panel, where it stands.
type part struct {
	plot.Chart
	at          explain.Placed
	name        string
	left, under string // what its axes are told by
}

// Elements tells what is seen of the panel, whose corner stands in a column and row of the window: the marks of all plots, each once, then the plots with their axes.
func (p *Picture) Elements(s picture.Scene, left, top int) []explain.Element {
	l, legend := p.layout(s), p.legend(s)
	list := []explain.Element{{Kind: explain.Panel, Name: "the outcomes", Term: "objective", Where: explain.Rect(left, top, s.W, 2+len(legend)+max(l.upper, 0)), Says: p.about(s)}}
	if o := p.shown; o == nil || o.Head != s.State.Head && s.Late {
		return list
	}
	t := fronts.Of(p.Drawing(s), s.Strange)
	parts := p.parts(s, t, left, top)
	for _, e := range plot.LegendOf(s.Style, p.Layers(s)) {
		sentence, term := t.Says(e.Name)
		if sentence == "" {
			continue
		}
		list = append(list, explain.Element{Name: e.Name, Term: term, Says: sentence, Where: func() []plot.Span {
			spans := explain.Moved(left+1, top+1, explain.InLegend(s.Style, legend, e))
			for _, q := range parts {
				spans = append(spans, q.at.Cells(q.Chart, e.Name)()...)
			}
			return spans
		}})
	}
	list = append(list, parts[0].axes()...)
	if l.inputs > 0 {
		list = append(list, explain.Element{Name: "the inputs", Says: t.TellInputs(), Where: parts[1].region()})
		list = append(list, parts[1].axes()...)
	}
	if bare(s) {
		return list
	}
	row := top + 1 + len(legend) + l.upper // of the dividing line
	if s.Below != nil {
		return append(list, s.Below.Elements(left+1, row+1, s.W-2, l.lower)...)
	}
	list = append(list, explain.Element{Kind: explain.Panel, Name: "the prior over λ", Term: "prior over weights", Where: explain.Rect(left, row, s.W, l.lower+2), Says: t.TellDensity()})
	if p.shown.Scalarizations == nil {
		return list
	}
	lower := parts[len(parts)-1:]
	if l.along > 0 {
		lower = parts[len(parts)-2:]
	}
	for i, q := range lower {
		if i == 1 {
			list = append(list, explain.Element{Name: q.name, Term: "Pareto front", Says: t.TellAlong(), Where: q.region()})
		}
		list = append(list, q.axes()...)
	}
	return list
}

// parts are the plots that are drawn: the outcomes, the inputs, the prior, and where it aims, as far as there are.
func (p *Picture) parts(s picture.Scene, t fronts.Told, left, top int) []part {
	l, rows := p.layout(s), len(p.legend(s))
	at := func(x, y, w, h int) explain.Placed {
		return explain.Placed{Style: s.Style, Left: left + 1 + x, Top: top + 1 + rows + y, W: w, H: h}
	}
	axis := func(c plot.Chart) (string, string) {
		return t.Axis(t.J, c.Y.Min, c.Y.Max, true), t.Axis(t.I, c.X.Min, c.X.Max, false)
	}
	outcomes := part{Chart: t.Chart(), at: at(0, 0, l.outcomes, l.upper), name: "the outcomes"}
	outcomes.left, outcomes.under = axis(outcomes.Chart)
	list := []part{outcomes}
	if l.inputs > 0 {
		domain := s.State.Problem.Domain
		q := part{Chart: t.Drawing.Inputs(), at: at(l.outcomes, 0, l.inputs, l.upper), name: "the inputs", under: told.Variable(domain[0]),
			left: "Every objective as a part of its range: 1 is the best of it, 0 the worst."}
		if len(domain) > 1 {
			q.left = told.Variable(domain[1])
		}
		list = append(list, q)
	}
	if s.Below != nil || bare(s) || p.shown.Scalarizations == nil {
		return list
	}
	objectives := s.State.Problem.Objectives
	q := part{Chart: t.Drawing.Density(), at: at(0, l.upper+1, l.density, l.lower), name: "the prior over λ", left: "The density: twice as high is twice as probable, and the area under it is 1.",
		under: fmt.Sprintf("Weights of %s, from 0, where it does not count, to 1, where nothing else does.", safe.Text(objectives[0].Name))}
	if len(objectives) > 2 {
		q.under = "Weights, from 0, where an objective does not count, to 1, where nothing else does."
	}
	if len(objectives) == 3 {
		q.left = fmt.Sprintf("Weights of %s, from 0 at the bottom to 1 at the top.", safe.Text(objectives[2].Name))
		q.under = fmt.Sprintf("The lower corners: only %s counts at the left one, only %s at the right one.", safe.Text(objectives[0].Name), safe.Text(objectives[1].Name))
	}
	list = append(list, q)
	if l.along > 0 {
		q := part{Chart: t.Drawing.Along(), at: at(l.density, l.upper+1, l.along, l.lower), name: "where on the front it aims", left: "Probabilities: how many of the drawn weights are for that part of the front."}
		_, q.under = axis(q.Chart)
		list = append(list, q)
	}
	return list
}

// axes tells the axes of a part; their names say whose they are.
func (q part) axes() []explain.Element {
	list := q.at.Axes(q.Chart, q.left, q.under)
	for i := range list {
		list[i].Name += " of " + q.name
	}
	return list
}

// region are the cells in which the part's chart draws, without its axes.
func (q part) region() func() []plot.Span {
	f := q.Frame(q.at.W, q.at.H)
	return explain.Rect(q.at.Left+f.Left, q.at.Top+f.Top, f.Cols, f.Rows)
}

// about tells the panel.
func (p *Picture) about(s picture.Scene) string {
	if p.shown == nil {
		return "The outcomes will stand here, an objective along each axis: they are being computed."
	}
	i, j := p.Pair(s)
	objectives := s.State.Problem.Objectives
	text := fmt.Sprintf("Outcomes after %s with %s, an objective along each axis: %s and %s.", screen.Counted(len(s.State.Iterations), "step"), s.State.Spec.Title, objectives[i].Name, objectives[j].Name)
	if n := len(objectives) - 2; n > 0 {
		text += fmt.Sprintf(" Of %d objectives these are two: [ and ] turn to other pairs.", n+2)
	} else {
		text += " What cannot be made better in one without loss in the other is the front."
	}
	return safe.Text(text)
}
