package chart

import (
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// Description describes a chart to a reader.
type Description struct {
	// what a name of the legend means, with a term of the glossary; an empty sentence describes nothing
	Marks func(name string) (sentence, term string)
	// the axis at the left, and the one below, in a sentence; empty for nothing
	Y, X string
}

// Box is the chart as a part of a frame, in w×h cells: the marks that its legend names and its axes are boxes in it,
// each with the cells that it draws.
func (c Chart) Box(w, h int, st theme.Style, d Description) *layout.Box {
	canvas := c.Draw(w, h, st)
	b := canvas.Box()
	f := c.Frame(w, h)
	b.Value = func(col, row float64) []float64 {
		x, okX := f.X(col)
		y, okY := f.Y(row)
		if !okX || !okY {
			return nil
		}
		return []float64{x, y}
	}
	layers := c.PaintOrder()
	b.Owner = func(col, row int) string {
		if i := canvas.owner(col, row); i > 0 {
			_, name := layers[i-1].key(st)
			return name
		}
		return ""
	}
	for _, e := range c.Legend(st) {
		mark := layout.New(w, h)
		mark.Cells = func() []layout.Span { return c.Cells(w, h, st, e.Name) }
		if d.Marks != nil {
			mark.Describe(layout.Mark, e.Name, "", func() string { s, _ := d.Marks(e.Name); return s })
			mark.TermOf = func() string { _, t := d.Marks(e.Name); return t }
		}
		mark.Name = e.Name
		b.Add(mark.Important(c.importance(e.Name)))
	}
	axis := func(name, says string, cells func() []layout.Span) {
		if says != "" {
			a := layout.New(w, h).Describe(layout.Axis, name, "", layout.Static(says))
			a.Cells = cells
			b.Add(a)
		}
	}
	axis("left axis", d.Y, func() []layout.Span { at, _ := c.Axes(w, h); return at })
	axis("bottom axis", d.X, func() []layout.Span { _, below := c.Axes(w, h); return below })
	return b
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

// Caption are the layers that a legend names.
type Caption []Layer

// WithLegend is the chart below its legend of at most so many rows, in w×h cells. An entry of the legend is highlighted
// together with its marks.
func (c Chart) WithLegend(w, h, most int, st theme.Style, d Description) *layout.Box {
	legend := LegendBox(st, c.Legend(st), w-2, most)
	chart := c.Box(w, h-legend.H, st, d)
	Link(chart, legend)
	return layout.Column(layout.Row(layout.Space(1, legend.H), legend), chart)
}

// Link highlights the entries of a legend together with their marks in a chart, wherever in the frame it is.
func Link(chart, legend *layout.Box) {
	for _, m := range chart.Children {
		for _, e := range legend.Children {
			if m.Name == e.Name && m.Kind != layout.Axis {
				m.Linked = append(m.Linked, e)
			}
		}
	}
}

// minEntry is the least width to which the names of a legend are shortened.
const minEntry = 6

// LegendBox sets entries in as few rows of at most w columns as they need. Where that would be more than most, the
// names are shortened together, as little as must be; if that is not enough, or names would become the same, there are
// more rows: no entry is ever lost.
func LegendBox(st theme.Style, entries []Entry, w, most int) *layout.Box {
	boxes := func(names []string) *layout.Box {
		list := make([]*layout.Box, len(entries))
		for i, e := range entries {
			list[i] = layout.Line(e.Mark + " " + st.Paint(st.Dim, names[i]))
			list[i].Name = e.Name
		}
		return layout.FlowBoxes(w, 2, list...)
	}
	longest := minEntry
	for _, e := range entries {
		longest = max(longest, min(ansi.StringWidth(st.Plain(e.Name)), w-1-ansi.StringWidth(e.Mark)))
	}
	var best []string
	for most, limit := max(most, 1), longest; limit >= minEntry; limit-- {
		names := shortenNames(st, entries, limit)
		if names == nil {
			continue
		}
		best = names
		if rows(entries, names, w) <= most {
			break
		}
	}
	if best == nil { // names that cannot be distinguished when they are short
		best = shortenNames(st, entries, math.MaxInt)
	}
	if best == nil {
		return layout.New(w, 0)
	}
	return boxes(best)
}

// rows is how many rows of w columns the entries of a legend have with such names.
func rows(entries []Entry, names []string, w int) int {
	count, used := 0, 0
	for i, e := range entries {
		n := ansi.StringWidth(e.Mark) + 1 + ansi.StringWidth(names[i])
		if count == 0 || used+2+n > w {
			count, used = count+1, n
			continue
		}
		used += 2 + n
	}
	return count
}

// shortenNames are the names of entries in at most so many columns; nil if two would be the same, or one would
// be empty.
func shortenNames(st theme.Style, entries []Entry, limit int) []string {
	names, seen := make([]string, len(entries)), map[string]bool{}
	for i, e := range entries {
		name := layout.ShortenIn(st, st.Plain(e.Name), limit)
		if seen[name] || strings.Trim(name, ".…") == "" {
			return nil
		}
		names[i], seen[name] = name, true
	}
	return names
}
