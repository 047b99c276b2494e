package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// letter names a pane.
func letter(i int) string { return string(rune('A' + i)) }

// lines distinguish the means of overlaid posteriors without colours.
var lines [maxPanes]theme.Line = picture.OverlayLines

// grid is the panes side by side below the legend that they share, in two rows where that leaves more space for each.
func (m *Model) grid(w, h int) *layout.Box {
	n := len(m.panes)
	h-- // of the legend
	rows, least := 1, minLinePane
	if m.shown.planar || m.several() {
		least = minPlanePane
	}
	if n == 4 && h >= 16 || n > 1 && w/n < least && h/2 >= 8 {
		rows = 2
	}
	perRow := (n + rows - 1) / rows
	shared := &sharedLegend{least: h/rows - 2}
	panel, all := m.panel(shared), layout.New(w, 0)
	var panes []*layout.Box
	for r := range rows {
		top := h * r / rows
		height := h*(r+1)/rows - top
		row := layout.New(0, height)
		from, end := r*perRow, min((r+1)*perRow, n)
		for i := from; i < end; i++ {
			left := w * (i - from) / (end - from)
			panes = append(panes, panel(i, w*(i-from+1)/(end-from)-left, height))
			row.Beside(panes[i])
		}
		all.Below(row)
	}
	all.LazyChildren = func() []*layout.Box {
		all.LazyChildren = nil
		merge(panes)
		return nil
	}
	return layout.Column(layout.New(w, 1, shared.line(m.Style, w-2).At(1, 0)), all)
}

// The widths of panes of one variable, and of two or of outcomes, below which panes are in two rows.
const minLinePane, minPlanePane = 44, 36

// sharedLegend is one legend of all panes: it names what no plot labels, once.
type sharedLegend struct {
	entries []chart.Entry
	names   []string // of the marks of each entry, separated by line breaks
	plots   []*layout.Box
	title   string // of the vertical axes
	least   int    // rows of the lowest pane, without its border
}

// draw draws a plot in w×h cells. Marks of the given names are not in the legend.
func (l *sharedLegend) draw(c chart.Chart, w, h int, st theme.Style, d chart.Description, but ...string) *layout.Box {
	if l.title == "" {
		l.title = c.Y.Label
	}
	if c.Y.Label == l.title { // it is in the legend
		c.Y.Label = ""
	}
	plot, rest := c.BoxWithEntries(w, h, st, d)
	l.plots = append(l.plots, plot)
	for _, e := range rest {
		i := slices.IndexFunc(l.entries, func(have chart.Entry) bool {
			return have.Name == e.Name || have.Short != "" && have.Short == e.Short && have.Mark == e.Mark
		})
		switch {
		case slices.Contains(but, e.Name):
		case i < 0:
			l.entries, l.names = append(l.entries, e), append(l.names, e.Name)
		case !slices.Contains(strings.Split(l.names[i], "\n"), e.Name):
			l.entries[i].Name = e.Short // the same mark with a longer name of its own in each pane
			l.names[i] += "\n" + e.Name
		}
	}
	return plot
}

// line is the legend in w columns, whose entries are highlighted with their marks, behind the title of the axes if all
// entries fit beside it.
func (l *sharedLegend) line(st theme.Style, w int) *layout.Box {
	title := layout.New(0, 0)
	line := chart.LegendLine(st, l.entries, w)
	if l.title != "" {
		text := layout.Line(st.Paint(st.Dim, l.title) + "  ")
		beside := chart.LegendLine(st, l.entries, w-text.W)
		if len(beside.Children) == len(line.Children) {
			title = text
			line = beside
		}
	}
	for _, e := range line.Children {
		i := slices.IndexFunc(l.entries, func(have chart.Entry) bool { return have.Name == e.Name })
		names := strings.Split(l.names[i], "\n")
		for _, plot := range l.plots {
			for _, mark := range plot.Children {
				if mark.Cells != nil && mark.Kind != layout.Axis && slices.Contains(names, mark.Name) {
					mark.Linked = append(mark.Linked, e)
				}
			}
		}
	}
	return layout.Row(title, line)
}

// merge describes boxes that are the same in several panes, such as the data, once, highlighted in all of them. If a
// box is not in all panes, its name begins with the letters of its panes.
func merge(panes []*layout.Box) {
	type merged struct {
		*layout.Box
		panes []string
	}
	var list []*merged
	positions := map[string]*merged{}
	var see func(i int, b *layout.Box)
	see = func(i int, b *layout.Box) {
		if b.Description != nil && b.Kind != layout.Section {
			says := b.Description()
			key := b.Name + "\n" + says
			if first := positions[key]; first != nil {
				first.Linked = append(append(first.Linked, b), b.Linked...)
				if first.panes[len(first.panes)-1] != letter(i) {
					first.panes = append(first.panes, letter(i))
				}
				b.Kind, b.Description = layout.Group, nil
			} else {
				positions[key] = &merged{b, []string{letter(i)}}
				list = append(list, positions[key])
				b.Description = layout.Static(says)
			}
		}
		for _, c := range b.Children {
			see(i, c)
		}
	}
	for i, p := range panes {
		see(i, p)
	}
	for _, t := range list {
		if len(t.panes) < len(panes) {
			t.Name = strings.Join(t.panes, ", ") + ": " + t.Name
		}
	}
}

// panel returns the function that draws a pane.
func (m *Model) panel(shared *sharedLegend) func(i, w, h int) *layout.Box {
	switch {
	case m.several():
		x, y := m.sharedAxes()
		return func(i, w, h int) *layout.Box { return m.outcomesPane(i, w, h, x, y, shared) }
	case m.shown.planar:
		return func(i, w, h int) *layout.Box { return m.planePane(i, w, h, shared) }
	}
	span := m.sharedRange()
	return func(i, w, h int) *layout.Box { return m.linePane(i, w, h, span, shared) }
}

// maxWords is how many words of a reason are shown.
const maxWords = 50

// framed is a pane with a head and, below it in w×h cells, its drawing, or the reason why there is none, or what it
// waits for.
func (m *Model) framed(i, w, h int, head *layout.Box, waiting string, draw func(w, h int) *layout.Box) *layout.Box {
	p, st := m.panes[i], m.Style
	body := layout.Column(head)
	term := ""
	says := fmt.Sprintf("Pane %s, %s. There is nothing to draw now.", letter(i), m.paneTitle(p))
	color := st.Error
	why := p.reason
	if why == "" && waiting != "" {
		body.Below(layout.Space(0, 1))
		color, why = st.Dim, waiting
	}
	if why != "" {
		body.Below(layout.Sentence(st, color, why, w-2, h-2-body.H).
			Prose("why it is empty", "", "Why nothing is drawn here: "+
				layout.Excerpt(strings.TrimRight(why, ".…"), maxWords)+"."))
	} else {
		term, says = m.describePane(i)
		body.Below(draw(w-2, h-2-body.H))
	}
	title := letter(i) + " " + m.paneTitle(p)
	painted := st.PaintBold(st.Series[i], letter(i))
	if short := layout.FirstFit(st, w-layout.TitleRoom-2, m.paneTitles(p)...); short != "" {
		painted += " " + short
	}
	panel := layout.Panel(st, painted, body, w, h, i == m.selected && len(m.panes) > 1).Section(title, term, says)
	panel.Focus = func() { m.selected = i }
	panel.Actions = paneActions
	return panel
}

// describePane describes a pane as a whole: the posterior of its method, and the next point.
func (m *Model) describePane(i int) (term, says string) {
	p := m.panes[i]
	if m.shown.acquisition && !m.several() && !m.shown.planar {
		part, _ := m.describe(p).Help(picture.AcquisitionField)
		return "acquisition", fmt.Sprintf("Pane %s, %s. %s", letter(i), m.paneTitle(p), part)
	}
	return "posterior", fmt.Sprintf("Pane %s: the posterior of %s after %s. %s", letter(i), p.alt.Spec().Title,
		widget.Count(len(m.data(p).Iterations), "step"), m.describeNext(p))
}

// describeNext describes the next point of a pane's method.
func (m *Model) describeNext(p *pane) string {
	var next [][]float64
	switch {
	case m.fitting(p):
		return "Its model is being fitted."
	case p.posterior != nil && len(p.posterior.Next) > 0:
		next = p.posterior.Next
	case p.outcomes != nil && len(p.outcomes.Next) > 0:
		next = p.outcomes.Next
	default:
		return "Tab selects the next pane."
	}
	return "Its next point is " + widget.Point(m.base.State().Problem.Domain, next[0]) + "."
}

// paneTitle is the title of a pane with the value of the parameter that the arrow keys change.
func (m *Model) paneTitle(p *pane) string {
	title := cmp.Or(p.Title, p.alt.Spec().Title)
	if d, err := p.alt.Params().Decl(m.tuned); err == nil && p.Params[m.tuned] != nil {
		value := d.Format(p.alt.Params().Value(d.Key))
		if x, ok := p.alt.Params().Value(d.Key).(float64); ok {
			value = widget.Number(x)
		}
		title += fmt.Sprintf(" · %s %s", firstWord(d.Label), value)
	}
	return title + m.stale(p)
}

// paneTitles are titles of a pane, the longest first.
func (m *Model) paneTitles(p *pane) []string {
	name := cmp.Or(p.Title, p.alt.Spec().Title)
	short, _, _ := strings.Cut(name, " (")
	short, _, _ = strings.Cut(short, ", ")
	stale := m.stale(p)
	return []string{m.paneTitle(p), name + stale, short + stale, p.alt.Spec().Name + stale, ""}
}

// firstWord is the symbol that a label begins with, or the whole label.
func firstWord(label string) string {
	word, rest, ok := strings.Cut(label, "  ")
	if !ok {
		return label
	}
	if word == "" {
		return rest
	}
	return word
}

// ours removes the keys of the explorer from descriptions.
var ours = strings.NewReplacer(" w explains the choice.", "", " (3)", "",
	" Each field has its own scale, from its minimum to its maximum; press y to give truth, mean and sample the same scale.",
	" All panes share one scale.")

// here adapts the descriptions of a picture to this screen.
func here(says func(string) (string, string)) func(string) (string, string) {
	return func(name string) (string, string) {
		sentence, term := says(name)
		return ours.Replace(sentence), term
	}
}

// paneActions are what can be done with a pane.
var paneActions = []layout.Action{{Key: "another_method"}, {Key: "e"}, {Key: "insert"}, {Key: "delete"}, {Key: "v"},
	{Key: "y"}, {Key: "w"}, {Key: "t"}, {Key: "s"}, {Key: "R"}}
