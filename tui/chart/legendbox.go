package chart

import (
	"cmp"
	"slices"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// Caption are the layers that a legend names.
type Caption []Layer

// WithLegend is the chart below its legend, in w×h cells: of at most so many rows, or, of a chart with labels, of one
// row with the layers that are not labelled, and of none if all are. An entry of the legend is highlighted together
// with its marks.
func (c Chart) WithLegend(w, h, most int, st theme.Style, d Description) *layout.Box {
	c = c.TitleInLegend(h)
	if c.Labels {
		chart, legend := c.Labelled(w, h, w-2, st, d)
		return layout.Column(legend, chart)
	}
	title := c.titleBox(st)
	legend := LegendBox(st, c.Legend(st), w-2-title.W, most)
	if title.W > 0 && legend.H > 1 { // it takes no column from them
		c.Y.Label = c.title
		title = layout.New(0, 0)
		legend = LegendBox(st, c.Legend(st), w-2, most)
	}
	rows := max(legend.H, title.H)
	chart := c.Box(w, h-rows, st, d)
	Link(chart, legend)
	linkTitle(chart, title)
	return layout.Column(layout.Row(layout.Space(1, rows), title, legend), chart)
}

// TitleInLegend is the chart with the title of its vertical axis in the row of the legend, in front of it, if both have
// so many rows that there is a title.
func (c Chart) TitleInLegend(h int) Chart {
	if c.titleRows(h) > 0 {
		c.title = c.Y.Label
		c.Y.Label = ""
	}
	return c
}

// titleBox is the title that is in the row of the legend, with the blanks behind; empty without one.
func (c Chart) titleBox(st theme.Style) *layout.Box {
	if c.title == "" {
		return layout.New(0, 0)
	}
	text := st.Plain(c.title)
	return layout.Text(ansi.StringWidth(text)+entryGap, st.Paint(st.Dim, text))
}

// linkTitle highlights a title in the legend together with its axis.
func linkTitle(chart, title *layout.Box) {
	for _, a := range chart.Children {
		if a.Kind == layout.Axis && a.Name == leftAxis {
			a.Linked = append(a.Linked, title)
		}
	}
}

// Labelled is a chart with labels below the line of at most so many columns that names the layers that are not
// labelled in it, and further entries, in w×h cells together. The line begins with a title that is in the legend, where
// all entries fit beside it. It is nil if there is nothing to name. Points are labelled in the plot too, as far as the
// line needs it.
func (c Chart) Labelled(w, h, columns int, st theme.Style, d Description, entries ...Entry) (chart, legend *layout.Box) {
	title := c.titleBox(st)
	if title.W == 0 && len(entries) == 0 &&
		!slices.ContainsFunc(c.Legend(st), func(e Entry) bool { return c.isMark(st, e.Name) }) {
		if chart, rest := c.BoxWithEntries(w, h, st, d); len(rest) == 0 {
			return chart, nil
		}
	}
	chart, list := c.fitLegend(w, h-1, columns-title.W, st, d, entries)
	if title.W > 0 && lineWidth(st, list) > columns-title.W {
		title = layout.New(0, 0)
		chart, list = c.fitLegend(w, h-1, columns, st, d, entries)
	}
	line := c.legendLine(w, h-1, st, list, columns-title.W)
	Link(chart, line)
	linkTitle(chart, title)
	return chart, layout.New(columns+2, 1, line.At(1+title.W, 0), title.At(1, 0))
}

// fitLegend is the chart in w×h cells with the entries of its legend, and further ones, which fit into so many columns
// if they can: points are labelled in the plot too, as far as the line needs it.
func (c Chart) fitLegend(w, h, columns int, st theme.Style, d Description, entries []Entry) (*layout.Box, []Entry) {
	chart, rest := c.BoxWithEntries(w, h, st, d)
	list := Merge(rest, entries)
	for attempt := 0; attempt < 3 && lineWidth(st, list) > columns; attempt++ {
		over := overflow(st, list, columns, c.isMark)
		c.Beside = slices.Clip(c.Beside)
		for _, e := range rest { // first lines, then as many marks as necessary, and at last all of them
			if attempt == 2 || !c.isMark(st, e.Name) || attempt == 1 && slices.Contains(over, e.Name) {
				c.Beside = append(c.Beside, e.Name)
			}
		}
		chart, rest = c.BoxWithEntries(w, h, st, d)
		list = Merge(rest, entries)
	}
	return chart, list
}

// legendLine are entries of the chart in w×h cells in a line; where they do not all fit, the most important ones, and those that are behind others everywhere last.
func (c Chart) legendLine(w, h int, st theme.Style, list []Entry, columns int) *layout.Box {
	if lineWidth(st, list) > columns {
		visible := c.Draw(w, h, st).visible(c.PaintOrder())
		rank := func(e Entry) int {
			if !visible[e.Name] {
				return 3
			}
			return c.rank(st, e.Name)
		}
		slices.SortStableFunc(list, func(a, b Entry) int { return cmp.Compare(rank(a), rank(b)) })
	}
	return LegendLine(st, list, columns)
}

// rank orders entries of a legend that is too long: lines first, then marks, which are easier to guess, then boxes,
// bands and regions.
func (c Chart) rank(st theme.Style, name string) int {
	for _, l := range c.Layers {
		_, box := l.(Box)
		switch {
		case l.key(st).Name != name:
		case isLine(l):
			return 0
		case isFill(l), box:
			return 2
		}
	}
	return 1
}

// Merge are entries with those of others that have other names.
func Merge(entries, others []Entry) []Entry {
	all := slices.Clone(entries)
	for _, e := range others {
		if !slices.ContainsFunc(all, func(a Entry) bool { return a.Name == e.Name }) {
			all = append(all, e)
		}
	}
	return all
}

// isMark reports whether a name is labelled in the plot only if the legend is full: one of marks, neither lines
// nor filled regions; of a chart without labels any.
func (c Chart) isMark(st theme.Style, name string) (found bool) {
	for _, l := range c.Layers {
		if l.key(st).Name == name {
			found = true
			if c.Labels && (isLine(l) || isFill(l)) {
				return false
			}
		}
	}
	return found
}

// overflow are the names of the entries, of those that may go the last ones first, without which the others fit into a
// line of w columns.
func overflow(st theme.Style, entries []Entry, w int, may func(st theme.Style, name string) bool) (names []string) {
	used := lineWidth(st, entries)
	for _, e := range slices.Backward(entries) {
		if used > w && may(st, e.Name) {
			names = append(names, e.Name)
			used -= lineWidth(st, []Entry{e}) + entryGap
		}
	}
	return names
}

// lineWidth is the width of entries in a line, with their short names.
func lineWidth(st theme.Style, entries []Entry) (w int) {
	for _, e := range entries {
		w += ansi.StringWidth(e.Mark) + 1 + ansi.StringWidth(e.text(st, true)) + entryGap
	}
	return w - entryGap
}

// entryGap is how many columns are between two entries.
const entryGap = 2

// text is the name of an entry, or its short one.
func (e Entry) text(st theme.Style, short bool) string {
	if short && e.Short != "" {
		return st.Plain(e.Short)
	}
	return st.Plain(e.Name)
}

// box is an entry with a name in w columns.
func (e Entry) box(st theme.Style, text string) *layout.Box {
	b := layout.Line(e.Mark + " " + st.Paint(st.Dim, text))
	b.Name = e.Name
	return b
}

// Link highlights the entries of a legend together with their marks in a chart, wherever in the frame it is.
func Link(chart, legend *layout.Box) {
	for _, m := range chart.Children {
		for _, e := range legend.Children {
			if m.Name == e.Name && m.Kind != layout.Axis && m.Cells != nil {
				m.Linked = append(m.Linked, e)
			}
		}
	}
}

// LegendBox sets entries in as few rows of at most w columns as they need. Where that would be more than most, the
// names that save most become short; if that is not enough, there are more rows: no entry is lost, and no word is cut
// that fits into a row.
func LegendBox(st theme.Style, entries []Entry, w, most int) *layout.Box {
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.text(st, false)
	}
	for rows(entries, names, w) > max(most, 1) && shortenOne(st, entries, names) {
	}
	list := make([]*layout.Box, len(entries))
	for i, e := range entries {
		list[i] = e.box(st, layout.ShortenIn(st, names[i], max(w-1-ansi.StringWidth(e.Mark), 1)))
	}
	b := layout.FlowBoxes(w, entryGap, list...)
	b.Name = layout.LegendName
	return b
}

// LegendLine sets entries in one line of w columns, with short names where that is necessary. Entries that do not
// fit behind the ones before are left out.
func LegendLine(st theme.Style, entries []Entry, w int) *layout.Box {
	var fit []Entry
	for _, e := range entries {
		if lineWidth(st, append(slices.Clip(fit), e)) <= w {
			fit = append(fit, e)
		}
	}
	legend := LegendBox(st, fit, w, 1)
	legend.H = 1
	return legend
}

// shortenOne gives the entry its short name whose name is longer by most; false if there is none.
func shortenOne(st theme.Style, entries []Entry, names []string) bool {
	best, most := 0, 0
	for i, e := range entries {
		if saved := ansi.StringWidth(names[i]) - ansi.StringWidth(e.text(st, true)); saved > most {
			best, most = i, saved
		}
	}
	if most > 0 {
		names[best] = entries[best].text(st, true)
	}
	return most > 0
}

// rows is how many rows of w columns the entries of a legend have with such names.
func rows(entries []Entry, names []string, w int) int {
	count, used := 0, 0
	for i, e := range entries {
		n := ansi.StringWidth(e.Mark) + 1 + ansi.StringWidth(names[i])
		if count == 0 || used+entryGap+n > w {
			count, used = count+1, n
			continue
		}
		used += entryGap + n
	}
	return count
}
