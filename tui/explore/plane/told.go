package plane

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/sessions/safe"
	"bandscope/tui/belief"
	"bandscope/tui/belief/told"
	"bandscope/tui/explain"
	"bandscope/tui/explore/picture"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
)

// Elements tells what is seen of the panel, whose corner stands in a column and row of the window: the large field with its colours and marks, the small ones, and
// the slices.
func (p *Picture) Elements(s picture.Scene, left, top int) []explain.Element {
	if p.plane == nil || p.plane.Head != s.State.Head && s.Late {
		return []explain.Element{{Kind: explain.Panel, Name: "the fields", Term: "surrogate", Where: explain.Rect(left, top, s.W, s.H),
			Says: "Fields over two variables will stand here: the model is being fitted to the data, and nothing is drawn before that."}}
	}
	l, d, big := p.layout(s), p.drawing(s), p.large()
	f := told.OfPlane(d, big, s.Strange)
	legend, chart := p.legend(s), p.Chart(s)
	place := explain.Placed{Style: s.Style, Left: left + 1, Top: top + 1 + len(legend), W: l.plotW, H: l.plotH, Legend: legend}
	list := []explain.Element{{Kind: explain.Panel, Name: "the fields", Term: "surrogate", Where: explain.Rect(left, top, s.W, 2+len(legend)+l.h), Says: p.about(s)}}
	frame := chart.Frame(l.plotW, l.plotH)
	says, term := f.Field(big)
	list = append(list, explain.Element{Name: p.plane.Name(big), Term: term, Says: says, Where: explain.Rect(place.Left+frame.Left, place.Top+frame.Top, frame.Cols, frame.Rows)})
	marks := explain.Layers(chart, place, func(name string) (sentence, term string) {
		if sentence := p.answered(s, name); sentence != "" {
			return sentence, "acquisition"
		}
		return f.Says(name)
	})
	if p.seen(s, big) {
		list = append(list, explain.Element{Name: "colour bar", Says: f.Bar(big, d.Scale(big)), Where: explain.Rect(place.Left+l.plotW+1, place.Top, l.bar-1, l.plotH-1)})
		list = append(append(list, marks...), place.Axes(chart, f.Axis(1), f.Axis(0))...)
	} else { // they are drawn on the small fields, in whose place they are not looked for
		for _, e := range chart.Legend(s.Style) {
			if i := slices.IndexFunc(marks, func(m explain.Element) bool { return m.Name == e.Name }); i >= 0 {
				marks[i].Where = func() []plot.Span {
					return explain.Moved(place.Left, place.Top-len(legend), explain.InLegend(s.Style, legend, e))
				}
			}
		}
		list = append(list, marks...)
	}
	if l.small > 0 {
		list = append(list, p.small(s, f, l, place)...)
	}
	if l.slices > 0 {
		list = append(list, p.crossed(s, left, top+1+len(legend)+l.h, l.slices)...)
	}
	return list
}

// seen reports whether a field is drawn.
func (p *Picture) seen(s picture.Scene, k belief.FieldKind) bool {
	return (k != belief.TrueField || s.Reveal) && len(p.Drawn(s).Fields[k].Z) > 0
}

// answered tells the reader's point in a lesson, which the explorer marks under a name of its own.
func (p *Picture) answered(s picture.Scene, name string) string {
	domain := s.State.Problem.Domain
	for _, l := range s.Marks {
		if m, ok := l.(plot.Points); ok && m.Name == name && len(m.X) > 0 {
			x, y := domain[p.view.X], domain[p.view.Y]
			return fmt.Sprintf("The point that you chose, %s = %s, %s = %s. The page says what could be expected of it before, and what it would have given.",
				x.Name, x.Text(m.X[0]), y.Name, y.Text(m.Y[0]))
		}
	}
	return ""
}

// about tells the panel.
func (p *Picture) about(s picture.Scene) string {
	view, domain := p.plane.View, s.State.Problem.Domain
	whose := "What " + s.State.Spec.Title + " believes of " + s.State.Problem.Objectives[0].Name
	if p.plane.Known[belief.MeanField] && len(p.plane.Fields[belief.MeanField].Z) == 0 {
		whose = "What is known of " + s.State.Problem.Objectives[0].Name + " (" + s.State.Spec.Title + " has no model)"
	}
	text := fmt.Sprintf("%s over %s and %s after %s: keys 1 to 7 choose the large field, this is %d.", whose,
		domain[view.X].Name, domain[view.Y].Name, screen.Counted(len(s.State.Iterations), "step"), p.large()+1)
	if n := len(domain) - 2; n > 0 {
		var held []string
		for j, v := range domain {
			if j != view.X && j != view.Y && len(held) < 2 {
				held = append(held, v.Name+" = "+v.Text(p.plane.Anchor[j]))
			}
		}
		if n > len(held) {
			held = append(held, "…")
		}
		text += fmt.Sprintf(" %s held where %s: %s.", isOrAre(n, "other variable"), map[bool]string{true: "the cursor is", false: "the best point is"}[s.Overlay.Cursor != nil], strings.Join(held, ", "))
	}
	if n := len(p.zooms); n > 0 {
		text += fmt.Sprintf(" Each side shows 1/%d of the domain (z, Z).", 1<<n)
	}
	return safe.Text(text)
}

// isOrAre counts things of which something is told.
func isOrAre(n int, what string) string {
	if n == 1 {
		return "The " + what + " is"
	}
	return "The " + screen.Counted(n, what) + " are"
}

// small tells the small fields.
func (p *Picture) small(s picture.Scene, f told.Fields, l places, place explain.Placed) (list []explain.Element) {
	kinds := p.others(s)
	for i, k := range kinds {
		from, to := l.plotH*i/len(kinds), l.plotH*(i+1)/len(kinds)
		says, term := f.Field(k)
		list = append(list, explain.Element{Name: fmt.Sprintf("%d %s", k+1, smallNames[k]), Term: term, Says: says,
			Where: explain.Rect(place.Left+l.plotW+l.bar, place.Top+from, l.small, to-from)})
	}
	return list
}

// crossed tells the slices below the fields, whose dividing line stands in a row.
func (p *Picture) crossed(s picture.Scene, left, row, h int) []explain.Element {
	domain, at := s.State.Problem.Domain, anchor(s.Overlay.Cursor, s.State)
	where := map[bool]string{true: "the cursor", false: "the best point"}[s.Overlay.Cursor != nil]
	list := []explain.Element{{Kind: explain.Panel, Name: "along " + where, Term: "posterior", Where: explain.Rect(left, row, s.W, h+1),
		Says: safe.Text(fmt.Sprintf("The belief along each of the two variables through %s, %s, where all others are held: lines through the fields above, with the band that colours cannot show.",
			where, screen.Point(domain, at)))}}
	w := s.W - 2
	for k, j := range [2]int{p.view.X, p.view.Y} {
		name, from, width := "along "+domain[j].Name, left+1+k*(w/2), w/2+k*(w-2*(w/2))
		e := explain.Element{Name: name, Term: "posterior", Says: "A slice along " + safe.Text(domain[j].Name) + ", which is being computed.", Where: explain.Rect(from, row+1, width, h-1)}
		line := p.slices.lines[k]
		if line == nil {
			if p.slices.err != nil {
				e.Says = "There is no slice along " + safe.Text(domain[j].Name+": "+p.slices.err.Error()) + "."
			}
			list = append(list, e)
			continue
		}
		d := p.slice(s, k)
		a := told.OfDrawing(d, nil)
		a.Spot = where
		e.Says = p.along(d, a)
		list = append(list, e)
		if says, term := a.Says(line.Legend.Band); line.Lower != nil && says != "" {
			chart := d.Chart()
			gap := p.gap(s, k)
			cells := explain.Placed{Style: s.Style, Left: from + gap, Top: row + 1, W: width - gap, H: h - 1}.Cells(chart, line.Legend.Band)
			if len(cells()) > 0 { // one far beyond the axis is not drawn
				list = append(list, explain.Element{Name: "band along " + domain[j].Name, Term: term, Says: says, Where: cells})
			}
		}
	}
	return list
}

// along tells the lines of a slice.
func (p *Picture) along(d belief.Drawing, a told.Along) string {
	line, v, g := d.Picture, d.State.Problem.Domain[d.Variable], d.Objective().Gauge()
	best := func(x, y []float64) (at, value float64) {
		at, value = math.NaN(), math.NaN()
		for i := range y {
			if !math.IsNaN(y[i]) && (math.IsNaN(value) || g.Counted(y[i]) < g.Counted(value)) {
				at, value = x[i], y[i]
			}
		}
		return at, value
	}
	text := fmt.Sprintf("Along %s, %s to %s", v.Name, v.Text(v.Low), v.Text(v.High))
	if at, value := best(line.Grid, line.Mean); !math.IsNaN(value) {
		text += fmt.Sprintf(": the mean is best, %s, at %s", a.Value(value), v.Text(at))
	}
	if at, value := best(d.Truth.X, d.Truth.Y); d.Reveal && !math.IsNaN(value) {
		text += fmt.Sprintf("; the truth is best, %s, at %s", a.Value(value), v.Text(at))
	}
	return safe.Text(text + ". The upright line is where the other slice crosses.")
}
