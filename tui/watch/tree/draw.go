package tree

import (
	"strings"

	"bandscope/sessions/lab"
	"bandscope/tui/explain"
	"bandscope/tui/layout"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
	"bandscope/tui/watch/picture"
)

// drawing is what panels are drawn from: a value, made for each frame.
type drawing struct {
	choice
	style  theme.Style
	state  lab.State
	asking bool
	book   *explain.Book // where charts are kept; nil while nothing is told
	*known
}

// Draw draws the view.
func (t *tree) Draw(p picture.Place) []string {
	t.cells, t.rows = p.W, p.H
	d, ok := t.drawing(p)
	if !ok {
		return screen.Panel(p.Style, viewNames[t.shows()], []string{"", " " + p.Style.Paint(p.Style.Dim, p.Style.Plain("looking inside…"))}, p.W, p.H, false)
	}
	lines := d.view(t.shows(), p.W, p.H)
	lines = lines[:min(len(lines), p.H)]
	for i := range lines {
		lines[i] = layout.Fit(lines[i], p.W)
	}
	for len(lines) < p.H { // a window too low for all panels of a view
		lines = append(lines, layout.Fit("", p.W))
	}
	return lines
}

// drawing is what panels are drawn from; false while nothing is known.
func (t *tree) drawing(p picture.Place) (d drawing, ok bool) {
	k, ok := p.Known.(*known)
	if !ok || len(k.runs) == 0 {
		return d, false
	}
	d = drawing{choice: t.choice, style: p.Style, state: p.State, asking: p.Asking, known: k}
	if runs := min(len(k.runs), len(p.State.Runs)); runs < max(len(k.runs), len(p.State.Runs)) { // a run was laid or lifted, and is not looked at yet
		d.state.Runs, d.known = p.State.Runs[:runs], &known{runs: k.runs[:runs], simulated: k.simulated}
	}
	return d, true
}

// view is a view at a size.
func (d drawing) view(v view, w, h int) []string {
	switch v {
	case overview:
		return d.overview(w, h)
	case children:
		return d.childrenPanel(w, h)
	case errors:
		return d.errorsView(w, h)
	case inside:
		if w < 100 && h >= 18 {
			return rows(d.attentionPanel(w, h/2), d.basisPanel(w, h-h/2))
		}
		return screen.Beside(d.attentionPanel(w*9/20, h), d.basisPanel(w-w*9/20, h))
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
func (d drawing) overview(w, h int) []string {
	lower := min(max(h/4, 8), 11)
	middle := max(h/3, 10)
	upper := h - middle - lower
	first, second := w*3/5, w/3
	return rows(
		screen.Beside(d.forecastsPanel(first, upper), d.errorsPanel(w-first, upper)),
		screen.Beside(d.attentionPanel(second, middle), d.basisPanel(second, middle), d.embeddingsPanel(w-2*second, middle)),
		screen.Beside(d.childrenPanel(second, lower), d.gapsPanel(second, lower), d.minibatchPanel(w-2*second, lower)),
	)
}

// rows are blocks below each other.
func rows(blocks ...[]string) (lines []string) {
	for _, b := range blocks {
		lines = append(lines, b...)
	}
	return lines
}

// framed is a panel around what is drawn into its inside. What is drawn of one run alone is of the first: its title says so where there are two.
func (d drawing) framed(title string, w, h int, draw func(w, h int) []string) []string {
	return screen.Panel(d.style, d.style.Plain(title), draw(max(w-2, 0), max(h-2, 0)), w, h, false)
}

// charted is a chart below its legend, which has at most so many rows where shorter names do it.
func (d drawing) charted(c plot.Chart, w, h, most int) []string {
	var lines []string
	if most > 0 {
		for _, l := range screen.Legend(d.style, c.Legend(d.style), w-2, most) {
			lines = append(lines, " "+l)
		}
	}
	return append(lines, d.book.Draw(c, w, h-len(lines), d.style)...)
}

// saying is a sentence in the place of a drawing.
func (d drawing) saying(text string, w int) []string {
	return append([]string{""}, layout.Paragraph(d.style, d.style.Dim, text, w-2)...)
}

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
	return picture.Name(d.state, run)
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

// of says of which run a panel is that draws the first alone, in a narrow one by its mark; empty where there is no other.
func (d drawing) of(w int) string {
	switch name := d.runName(0); {
	case name == "":
		return ""
	case w < 48:
		return " " + d.style.Glyph(picture.Glyph(0))
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

// bar is a bar over a part of so many cells, with a mark where something was expected; a negative mark is none. That of a second run is thinner.
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
	return st.Paint(color, string(runes[:at])) + st.PaintBold(st.Text, st.Glyph(theme.GlyphDiamond)) + st.Paint(color, string(runes[at+1:]))
}
