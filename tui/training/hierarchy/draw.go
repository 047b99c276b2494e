package hierarchy

import (
	"strings"

	"bandscope/sessions"
	"bandscope/sessions/training"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/training/panel"
)

// drawing is what panels are drawn from: a value, made for each frame.
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
		return d.missing(viewNames[t.shows()], "looking inside…", p.W, p.H)
	}
	return d.view(t.shows(), p.W, p.H).Sized(p.W, p.H) // a window may be too low for all panels of a view
}

// drawing is what panels are drawn from; false while nothing is known.
func (t *tree) drawing(p panel.Scene) (d drawing, ok bool) {
	d = drawing{choice: t.choice, style: p.Style, state: p.State, asking: p.Asking, axes: p.Axes}
	k, ok := p.Computed.(*computed)
	if !ok || len(k.runs) == 0 {
		return d, false
	}
	d.computed = k
	if runs := min(len(k.runs), len(p.State.Runs)); runs < max(len(k.runs), len(p.State.Runs)) {
		// a run was laid or lifted, and is not looked at yet
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

// framed is a panel around what is drawn into its inside. What is drawn of one run alone is of the first: its title
// says so where there are two.
func (d drawing) framed(title string, w, h int, term, says string, draw func(w, h int) *layout.Box) *layout.Box {
	title = d.style.Plain(title)
	return layout.Panel(d.style, title, draw(layout.Inner(w, h)), w, h, false).Section(title, term, says)
}

// missing is a panel in which nothing is drawn, and why.
func (d drawing) missing(title, text string, w, h int) *layout.Box {
	return layout.EmptyPanel(d.style, d.style.Plain(title), text, w, h, "",
		"Nothing is drawn here as the training stands.", strings.TrimSuffix(text, "…"))
}

// together lets charts share what has one name in them: it is told once, and lit in all of them and in their legend. So
// are their axes where one sentence tells them all.
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

// levels tells something of each level of the tree.
func (d drawing) levels(to int, say func(level int) string) string {
	var parts []string
	for level := range min(to, d.runs[0].panel.Tree.Levels()) {
		parts = append(parts, d.levelName(level)+" "+say(level))
	}
	return strings.Join(parts, ", ")
}

// allLevels is more than the levels of a tree.
const allLevels = 9

// legendRows is how many rows a legend has in a panel of a height.
func legendRows(h int) int { return 1 + min(max(h-8, 0)/8, 2) }

// runLine is how the curves of a run are drawn.
func runLine(run int) theme.Line {
	if run == 0 {
		return theme.Solid
	}
	return theme.Dashed
}

// runName tells a run where there are two.
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

// of says of which run a panel is that draws the first alone, in a narrow one by its mark; empty where there is no
// other.
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

// projected says of what follows from the embeddings that they are not those of the training.
func (d drawing) projected() string {
	if d.runs[0].trained != nil {
		return " · projected"
	}
	return ""
}

// bar is a bar over a part of so many cells, with a mark where something was expected; a negative mark is none. That of
// a second run is thinner.
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
	at := min(int(min(mark, 1)*float64(cells)), cells-1)
	return st.Paint(color, string(runes[:at])) + st.PaintBold(st.Text, st.Glyph(theme.GlyphDiamond)) +
		st.Paint(color, string(runes[at+1:]))
}
