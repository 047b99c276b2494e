package views

import (
	"fmt"

	"bandscope/sessions/sanitize"
	"bandscope/tui/explore/view"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
)

// along is one of the slices through the cursor, or a sentence why there is none.
func (p *Plane) along(s view.Scene, k, h int) *layout.Box {
	w := s.W - 2
	n := len(p.view.Variables())
	width, gap := w*(k+1)/n-w*k/n, p.gap(s, k)
	var line *picture.Posterior
	if k < len(p.slices.lines) && len(p.slices.lines) == n {
		line = p.slices.lines[k]
	}
	v := s.State.Problem.Domain[p.view.Variables()[k]]
	name := "along " + v.Name
	switch {
	case line == nil && p.slices.err != nil:
		return view.SentenceBox(s.Style, sanitize.Text("no slice: "+p.slices.err.Error()), width, h).
			Describe(layout.Mark, name, "posterior",
				layout.Static("There is no slice along "+sanitize.Text(v.Name+": "+p.slices.err.Error())+"."))
	case line == nil:
		return view.SentenceBox(s.Style, "computing…", width, h).
			Describe(layout.Mark, name, "posterior",
				layout.Static("The slice along "+sanitize.Text(v.Name)+" is being computed."))
	}
	return p.cache.Box(fmt.Sprint("slice", k), s.Key(line, width, h), func() *layout.Box {
		d := p.slice(s, k)
		a, c := picture.Describe(d, picture.MeanField, nil), d.Chart(picture.MeanField)
		if p.view.Axes == picture.Ternary { // in a third of the width the name of the component matters more
			c.X.Label, c.Y.Label = "", c.X.Label
		}
		a.CursorLabel = place(s)
		drawn := c.Draw(width-gap, h, s.Style).Box()
		if says, term := a.Describe(line.Legend.Band); !line.Fields[picture.LowerField].Empty() && says != "" {
			band := layout.New(drawn.W, drawn.H).Describe(layout.Mark, "band along "+v.Name, term, layout.Static(says))
			band.Cells = func() []layout.Span { return c.Cells(drawn.W, drawn.H, s.Style, line.Legend.Band) }
			if len(band.Cells()) > 0 { // one far beyond the axis is not drawn
				drawn.Add(band)
			}
		}
		return layout.Row(layout.Space(gap, h), drawn).
			Describe(layout.Mark, name, "posterior", func() string { return describeSlice(a) })
	})
}

// slice declares one of the slices. It must be computed.
func (p *Plane) slice(s view.Scene, k int) picture.Drawing {
	line := p.slices.lines[k]
	return picture.Drawing{Style: s.Style, State: s.State, Posterior: line, Reveal: s.Reveal,
		Cursor: anchor(s.Overlay.Cursor, s.State)}
}

// gap is the number of columns before a slice, between the names of the two axes.
func (p *Plane) gap(s view.Scene, k int) int {
	if k == 1 && p.stepped(s) {
		return 1
	}
	return 0
}

// describeSlice describes a slice.
func describeSlice(a picture.Description) string {
	line, v := a.Posterior, a.Posterior.Variable()
	best := func(kind picture.FieldKind, format string) string {
		i, ok := line.Best(kind)
		if !ok {
			return ""
		}
		f := line.Fields[kind]
		return fmt.Sprintf(format, a.Value(f.Values()[i]), v.Text(f.X[i]))
	}
	text := fmt.Sprintf("The slice along %s, %s to %s", v.Name, v.Text(v.Low), v.Text(v.High))
	if a.State.Problem.MixtureOf(line.View.X) != nil {
		text += ", while the other components of the mixture keep their ratio"
	}
	text += best(picture.MeanField, ": the best mean is %s at %s")
	if a.Reveal {
		text += best(picture.TrueField, "; the best true value is %s at %s")
	}
	return sanitize.Text(text + ". The vertical line marks the point of the other slices.")
}
