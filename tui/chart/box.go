package chart

import (
	"slices"

	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// Description describes a chart to a reader.
type Description struct {
	// what a name of the legend means, with a term of the glossary; an empty sentence describes nothing
	Marks func(name string) (sentence, term string)
	// the axis at the left, and the one below, in a sentence; empty for nothing
	Y, X string
	// of a triangle in place of these: the corners at the top, the left and the right, in a sentence
	Corners [3]string
}

// leftAxis is the name of the box of the vertical axis.
const leftAxis = "left axis"

// Box is the chart as a part of a frame, in w×h cells: the marks that its legend names and its axes are boxes in it,
// each with the cells that it draws.
func (c Chart) Box(w, h int, st theme.Style, d Description) *layout.Box {
	b, _ := c.BoxWithEntries(w, h, st, d)
	return b
}

// BoxWithEntries is Box, with the entries of the legend that are drawn, and not labelled within the plot.
func (c Chart) BoxWithEntries(w, h int, st theme.Style, d Description) (b *layout.Box, rest []Entry) {
	canvas, labels := c.draw(w, h, st)
	b = canvas.Box()
	f := c.Frame(w, h)
	b.Value = func(col, row float64) []float64 {
		x, okX := f.X(col)
		y, okY := f.Y(row)
		if !okX || !okY || c.Simplex != nil && !inTriangle(x, y) {
			return nil
		}
		return []float64{x, y}
	}
	layers := c.PaintOrder()
	b.Owner = func(col, row int) string {
		if i := canvas.owner(col, row); i > 0 {
			return layers[i-1].key(st).Name
		}
		return ""
	}
	visible := canvas.visible(layers)
	for _, e := range c.Legend(st) {
		if !visible[e.Name] && len(c.Cells(w, h, st, e.Name)) == 0 { // beyond the axes
			continue
		}
		mark := layout.New(w, h)
		mark.Cells = func() []layout.Span { return c.Cells(w, h, st, e.Name) }
		if i := slices.IndexFunc(labels, func(l placedLabel) bool { return l.name == e.Name }); i >= 0 {
			label := layout.New(labels[i].To-labels[i].From, 1).At(labels[i].From, labels[i].Row)
			label.Name = e.Name
			c.Memory.put(e.Name, place{labels[i].From - f.Left, labels[i].Row - f.Top})
			mark.Linked = append(mark.Linked, label)
			b.Add(label)
		} else {
			c.Memory.put(e.Name, noPlace)
			rest = append(rest, e)
		}
		if d.Marks != nil {
			mark.Describe(layout.Mark, e.Name, "", func() string { s, _ := d.Marks(e.Name); return s })
			mark.TermOf = func() string { _, t := d.Marks(e.Name); return t }
		}
		mark.Name = e.Name
		b.Add(mark.Important(c.importance(e.Name)))
	}
	c.Memory.sort(rest)
	axis := func(name, says string, cells func() []layout.Span) {
		if says != "" {
			a := layout.New(w, h).Describe(layout.Axis, name, "", layout.Static(says))
			a.Cells = cells
			b.Add(a)
		}
	}
	if c.Simplex != nil {
		c.Simplex.describeCorners(b, w, h, d.Corners)
		return b, rest
	}
	axis(leftAxis, d.Y, func() []layout.Span { axes, _ := c.Axes(w, h); return axes })
	axis("bottom axis", d.X, func() []layout.Span { _, below := c.Axes(w, h); return below })
	return b, rest
}

// importance is how soon the mark of a name is explained.
func (c Chart) importance(name string) layout.Importance {
	if i, ok := c.Importance[name]; ok {
		return i
	}
	for _, l := range c.Layers {
		if band, ok := l.(Band); ok && band.Name == name {
			return layout.ImportanceMain
		}
	}
	return layout.ImportanceByKind
}
