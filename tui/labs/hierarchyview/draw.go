package hierarchyview

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions"
	"bandscope/sessions/training"
	"bandscope/tui/chart"
	"bandscope/tui/labs/panel"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// drawing is the data of the panels: a value, made for each frame.
type drawing struct {
	choice
	style  theme.Style
	state  training.State
	asking bool
	axes   sessions.Axes // that the pages of a lesson share
	*computed
}

// Draw draws the view.
func (t *tree) Draw(p panel.Scene) *layout.Box {
	t.cells, t.rows = p.W, p.H
	d, ok := t.drawing(p)
	if !ok {
		return d.missing(viewNames[t.shows()], "computing…", p.W, p.H)
	}
	return d.view(t.shows(), p.W, p.H).Sized(p.W, p.H) // a low window may cut panels of a view
}

// drawing is the data of the panels; ok is false while nothing is computed.
func (t *tree) drawing(p panel.Scene) (d drawing, ok bool) {
	d = drawing{choice: t.choice, style: p.Style, state: p.State, asking: p.Asking, axes: p.Axes}
	k, ok := p.Computed.(*computed)
	if !ok || len(k.runs) == 0 {
		return d, false
	}
	d.computed = k
	if runs := min(len(k.runs), len(p.State.Runs)); runs < max(len(k.runs), len(p.State.Runs)) {
		// a run was added or removed, and the new picture is not computed yet
		d.state.Runs, d.computed = p.State.Runs[:runs], &computed{runs: k.runs[:runs], simulated: k.simulated}
	}
	return d, true
}

// tab is a tab at a size.
func (d drawing) view(v tab, w, h int) *layout.Box {
	switch v {
	case overview:
		return d.overview(w, h)
	case children:
		return d.childrenPanel(w, h)
	case errors:
		return d.errorsView(w, h)
	case inside:
		if w < 100 && h >= 18 {
			return layout.Column(d.attentionPanel(w, h/2), d.basisPanel(w, h-h/2))
		}
		return layout.Row(d.attentionPanel(w*9/20, h), d.basisPanel(w-w*9/20, h))
	case embeddings:
		return d.embeddingsPanel(w, h)
	case balance:
		return d.balanceView(w, h)
	case theories:
		return d.theoryView(w, h)
	}
	return d.forecastsPanel(w, h)
}

// overview is a panel for each thing, in three bands.
func (d drawing) overview(w, h int) *layout.Box {
	lower := min(max(h/4, 8), 11)
	middle := max(h/3, 10)
	upper := h - middle - lower
	first, second := w*3/5, w/3
	return layout.Column(
		layout.Row(d.forecastsPanel(first, upper), d.errorsPanel(w-first, upper)),
		layout.Row(d.attentionPanel(second, middle), d.basisPanel(second, middle),
			d.embeddingsPanel(w-2*second, middle)),
		layout.Row(d.childrenPanel(second, lower), d.gapsPanel(second, lower), d.minibatchPanel(w-2*second, lower)),
	)
}

// framed is a panel with a frame. Panels that draw a single run draw the first one; with two runs, their title says so.
func (d drawing) framed(title string, w, h int, term, says string, draw func(w, h int) *layout.Box) *layout.Box {
	title = d.style.Plain(title)
	return layout.Panel(d.style, title, draw(layout.Inner(w, h)), w, h, false).Section(title, term, says)
}

// titleFor is the first of some titles that fits a panel of w columns with this end, or else the last.
func (d drawing) titleFor(w int, end string, titles ...string) string {
	for _, t := range titles {
		if ansi.StringWidth(d.style.Plain(t+end)) <= w-layout.TitleRoom {
			return t + end
		}
	}
	return titles[len(titles)-1] + end
}

// missing is a panel that says why nothing is drawn.
func (d drawing) missing(title, text string, w, h int) *layout.Box {
	return layout.EmptyPanel(d.style, d.style.Plain(title), text, w, h, "",
		"There is nothing to draw at this update.", strings.TrimSuffix(text, "…"))
}

// together links the marks of the same name in several charts and their legend: they are described once and highlighted
// together. So are the axes, if axes describes all of them.
func together(legend *layout.Box, axes string, charts ...*layout.Box) {
	first := map[string]*layout.Box{}
	for _, plot := range charts {
		chart.Link(plot, legend)
		for _, m := range plot.Children {
			switch {
			case m.Kind == layout.Axis && axes == "":
				continue
			case m.Kind == layout.Axis:
				m.Describe(layout.Axis, "axes", "", layout.Static(axes))
			}
			if f := first[m.Name]; f != nil {
				f.Linked = append(f.Linked, m)
				m.Kind, m.Description = layout.Group, nil
				continue
			}
			first[m.Name] = m
		}
	}
}

// node names a node of the path in a sentence.
func (d drawing) node(level int) string {
	if level == 0 {
		return "the root"
	}
	return "node " + d.name(level)
}

// levels joins a text for each level of the tree.
func (d drawing) levels(count int, say func(level int) string) string {
	var parts []string
	for level := range min(count, d.runs[0].panel.Tree.Levels()) {
		parts = append(parts, d.levelName(level)+" "+say(level))
	}
	return strings.Join(parts, ", ")
}

// allLevels is more than the number of levels of a tree.
const allLevels = 9

// legendRows is the number of rows of a legend in a panel of height h.
func legendRows(h int) int { return 1 + min(max(h-8, 0)/8, 2) }

// runLine is the line style of a run.
func runLine(run int) theme.Line {
	if run == 0 {
		return theme.Solid
	}
	return theme.Dashed
}

// runName names a run; it is empty if there is only one.
func (d drawing) runName(run int) string {
	if len(d.runs) < 2 {
		return ""
	}
	return panel.Name(d.state, run)
}

// levelName names a level of the tree.
func (d drawing) levelName(level int) string {
	switch last := d.runs[0].panel.Tree.Levels() - 1; level {
	case 0:
		return "root"
	case last:
		return "leaves"
	}
	return "level " + string(rune('0'+level))
}

// of is the end of the title of a panel that draws the first run only: the name of the run or, in a narrow panel, its
// mark. It is empty if there is only one run.
func (d drawing) of(w int) string {
	switch name := d.runName(0); {
	case name == "":
		return ""
	case w < 48:
		return " " + d.style.Glyph(panel.Glyph(0))
	default:
		return " · " + name
	}
}

// projected is the end of a title if the embeddings are projected.
func (d drawing) projected() string {
	if d.runs[0].trained != nil {
		return " · projected"
	}
	return ""
}

// bar is a bar over a part of so many cells, with a mark at the expected value; a negative mark is none. That of a
// second run is thinner.
func (d drawing) bar(part, mark float64, cells int, color theme.Color, run int) string {
	st := d.style
	halves := int(min(max(part, 0), 1)*float64(2*cells) + 0.5)
	full, half := "━", "╸"
	switch {
	case st.ASCII && run > 0:
		full, half = "-", "-"
	case st.ASCII:
		full, half = "=", "="
	case run > 0:
		full, half = "─", "╴"
	}
	text := strings.Repeat(full, halves/2)
	if halves%2 == 1 {
		text += half
	}
	runes := []rune(text + strings.Repeat(" ", cells-halves/2-halves%2))
	if mark < 0 {
		return st.Paint(color, string(runes))
	}
	column := min(int(min(mark, 1)*float64(cells)), cells-1)
	return st.Paint(color, string(runes[:column])) + st.PaintBold(st.Text, st.Glyph(theme.GlyphDiamond)) +
		st.Paint(color, string(runes[column+1:]))
}
