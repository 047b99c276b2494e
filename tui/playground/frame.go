package playground

import (
	"fmt"
	"slices"
	"strings"

	"bandscope/optimizers"
	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/modes"
	"bandscope/tui/explore/summary"
	"bandscope/tui/explore/view"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/player"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// headRows and footRows are the lines above and below the panels: the heading; the handles, the status and the keys.
const headRows, footRows = 1, 3

// wide is the width from which the parameters are beside the plot, and narrow that below which words are left out.
const wide, narrow = 100, 60

// Frame is the screen: the heading, the plot with the row of the kernel below it and a panel beside it, the handles, the
// status and the keys.
func (m *Model) Frame() *layout.Box {
	panels, plot, rowHeight := m.heights()
	w := m.mainWidth()
	main := m.cache.Box("plot", m.plotKey(w, plot), func() *layout.Box { return m.plotPanel(w, plot) })
	body := layout.Column(main)
	if rowHeight > 0 {
		key := fmt.Sprintf("%p %g %s %s %d %d %v", m.row.picture, m.row.x, m.row.reason, m.Style.Key(), w, rowHeight,
			m.row.joint)
		draw := m.rowPanel
		if m.row.joint {
			draw = m.jointPanel
			key += fmt.Sprintf(" %p %g", m.row.pair, m.firstValue())
		}
		body.Below(m.cache.Box("row", key, func() *layout.Box { return draw(w, rowHeight) }))
	}
	whole := layout.Row(body)
	if side := m.side(); side > 0 {
		whole.Beside(m.sidePanel(side, panels))
	}
	return layout.Column(m.heading(), whole.Filled(panels), m.handlesLine(), m.statusLine(), m.keysLine())
}

// heights are those of the panels together, of the plot, and of the row of the kernel, which may be 0.
func (m *Model) heights() (panels, plot, rowHeight int) {
	panels = max(m.Height-headRows-footRows, 0)
	switch {
	case m.row.joint:
		rowHeight = max(panels/2, 9)
	case m.row.shown:
		rowHeight = max(panels*3/10, 7)
	}
	return panels, panels - rowHeight, rowHeight
}

// side is the width of the panel beside the plot; 0 if there is none.
func (m *Model) side() int {
	usual := view.SideWidth(m.Width, m.session.Lesson() != nil)
	switch p := m.Panel(); {
	case p != nil:
		return p.Width(m.Width, usual)
	case player.NotesShown(m), m.Width >= wide:
		return usual
	}
	return 0
}

// mainWidth is the width of the plot's panel.
func (m *Model) mainWidth() int { return max(m.Width-m.side(), 0) }

// plotKey identifies everything that the plot depends on.
func (m *Model) plotKey(w, h int) string {
	key := fmt.Sprint(w, h, m.Style.Key(), m.active, m.cursor, m.pointing, m.row.shown, m.rowInput(), m.row.joint, m.row.second, m.row.pair, m.firstValue(), m.samples, m.chosen.kind,
		m.chosen.handle, m.Line.At, len(m.Line.Stops), m.Running, m.state.Head)
	for _, b := range m.beliefs {
		key += fmt.Sprintf(" %p %v %s", b.picture, b.shown(), b.reason)
		if p := b.picture; p != nil {
			for _, h := range p.handles {
				key += fmt.Sprint(h.Value, h.Fitted)
			}
		}
	}
	for _, it := range m.items {
		key += fmt.Sprint(" ", it.x, it.y, m.chosen.item == it)
	}
	return key
}

// plotPanel is the panel of the plot.
func (m *Model) plotPanel(w, h int) *layout.Box {
	inner, rows := layout.Inner(w, h)
	names, title := m.names(), m.title()
	says := fmt.Sprintf("The belief of %s after %s, and handles on its hyperparameters.", names[0],
		widget.Count(len(m.items), "result"))
	if len(names) > 1 {
		says = fmt.Sprintf("The belief of %s over that of %s, after %s. Keys and handles change belief %c.", names[0],
			names[1], widget.Count(len(m.items), "result"), rune('A'+m.active))
	}
	body := m.plotted(inner, rows)
	if why := m.beliefs[m.active].reason; why != "" {
		body = layout.Column(layout.Sentence(m.Style, m.Style.Error, why, inner, 2).
			Prose("why there is no belief", "", "Why there is no belief: "+layout.Excerpt(why, 40)+"."))
		body.Below(m.plotted(inner, max(rows-body.H, 0)))
	}
	panel := layout.Panel(m.Style, title, body, w, h, true).Section(title, "posterior", says)
	panel.Actions = plotActions
	if bar := m.Bar(w).Box(); bar != nil {
		edge := layout.Row(layout.Line(" "), bar, layout.Line(" ")).At(2, panel.H-1)
		edge.Overlaps = true
		panel.Add(edge)
	}
	return panel
}

// names name the beliefs.
func (m *Model) names() []string {
	names := make([]string, len(m.beliefs))
	for i, b := range m.beliefs {
		names[i] = m.beliefTitle(b)
		if len(m.beliefs) > 1 {
			names[i] = m.beliefName(i)
		}
	}
	return names
}

// title is the title of the plot.
func (m *Model) title() string { return "belief: " + strings.Join(m.names(), " over ") }

// plotActions are what can be done with the belief.
var plotActions = []layout.Action{
	{Want: layout.ClickThere{About: "put a result at this place, or select the one that is there"}, Help: "put a result here"},
	{Key: "]"}, {Key: "e"}, {Key: "fit_all"}, {Key: "c"}, {Key: "&"}, {Key: "r"}, {Key: "s"},
	{Key: "v"}, {Key: "f"}}

// Names of the marks in the row of the kernel.
const (
	priorName     = "prior covariance"
	posteriorName = "posterior covariance"
)

// rowPanel is the panel of the row of the kernel.
func (m *Model) rowPanel(w, h int) *layout.Box {
	st := m.Style
	v := m.state.Problem.Domain[0]
	r := m.row
	title := fmt.Sprintf("row of the kernel: k(%s, %s') at %s = %s", v.Name, v.Name, v.Name, widget.Number(r.x))
	subject := fmt.Sprintf("The covariances of the value at %s = %s with the values along %s, before and after the results.",
		v.Name, widget.Number(r.x), v.Name)
	if r.reason != "" || r.picture == nil || r.prior == nil {
		why := r.reason
		if why == "" {
			why = "computing the covariances"
		}
		return layout.EmptyPanel(st, title, why, w, h, "covariance function", subject, why)
	}
	lo, hi := 0.0, 0.0
	for i := range r.prior {
		lo, hi = min(lo, r.prior[i], r.posterior[i]), max(hi, r.prior[i], r.posterior[i])
	}
	lo, hi = chart.Pad(lo, hi)
	grid := r.picture.Grid()
	c := chart.Chart{X: picture.Axis(v), Y: chart.Axis{Label: "covariance", Min: lo, Max: hi}, Gutter: gutter,
		Layers: []chart.Layer{
			chart.Curve{X: grid, Y: r.prior, Color: st.Dim, Line: theme.Dotted, Priority: 2, Name: priorName},
			chart.Curve{X: grid, Y: r.posterior, Color: st.Mean, Priority: 3, Name: posteriorName},
			chart.Rule{At: r.x, Color: st.Cursor}}}
	inner, rows := layout.Inner(w, h)
	marks := func(name string) (string, string) {
		y, when := r.prior, "before the results"
		if name == posteriorName {
			y, when = r.posterior, "after the results"
		}
		return fmt.Sprintf("The covariance %s: %s with itself, which is the variance, and less with values farther away.",
			when, widget.Number(picture.Field{Field: chart.Field{Z: y}, X: grid}.Along(r.x))), "covariance function"
	}
	body := c.WithLegend(inner, rows, 1, st, chart.Description{Marks: marks,
		Y: fmt.Sprintf("Covariances, from %s to %s.", widget.Number(lo), widget.Number(hi)),
		X: "Values of the variable " + v.Name + "."})
	return layout.Panel(st, title, body, w, h, false).Section(title, "covariance function", subject)
}

// sidePanel is the panel beside the plot: that of a mode, the notes, or the parameters with the facts of the fit.
func (m *Model) sidePanel(w, h int) *layout.Box {
	switch p := m.Panel(); {
	case p != nil:
		return p.Panel(m.Scene(), w, h)
	case player.NotesShown(m):
		return m.NotesPanel.Panel(m.Style, m.Notes(), w, h)
	}
	b := modes.Belief{Folded: true}
	if p := m.beliefs[m.active].picture; p != nil {
		b.Facts = slices.DeleteFunc(slices.Clone(p.Legend.Facts), func(f optimizers.Fact) bool { return f.Name == "log evidence" })
		if p.Legend.Kernel != "" {
			b.Choices = []optimizers.Fact{{Name: optimizers.FactKernel, Value: p.Legend.Kernel}}
		}
	}
	return modes.ParameterPanel(m.Scene(), b, w, h)
}

// heading is the top line.
func (m *Model) heading() *layout.Box {
	st := m.Style
	dot := st.Paint(st.Dim, " "+st.Dot()+" ")
	right := layout.Row(summary.SavedMark(st, m.state, m.Width < narrow), layout.Space(1, 1))
	parts := []string{st.PaintBold(st.Accent, " bandscope"), st.PaintBold(st.Text, "playground"),
		st.Paint(st.Text, widget.Count(len(m.items), "result"))}
	if text, ok := m.logEvidence(); ok {
		parts = append(parts, st.Paint(st.Text, "log evidence "+text))
	}
	left := layout.Line(layout.FitEntries(parts, dot, max(m.Width-right.W-1, 0)))
	return layout.New(m.Width, 1, left, right.At(m.Width-right.W, 0)).Number("heading", "evidence",
		fmt.Sprintf("The playground with %s. The evidence says how well the belief explains the results.",
			widget.Count(len(m.items), "result")))
}

// logEvidence is the logarithm of the evidence of the active belief; false if it has none.
func (m *Model) logEvidence() (string, bool) {
	p := m.beliefs[m.active].picture
	if p == nil || len(m.items) == 0 {
		return "", false
	}
	for _, f := range p.Legend.Facts {
		if f.Name == "log evidence" {
			return f.Value, true
		}
	}
	return "", false
}

// handlesLine shows the handles with their values.
func (m *Model) handlesLine() *layout.Box {
	st := m.Style
	line := layout.Row(layout.Space(1, 1))
	if len(m.beliefs) > 1 {
		name := string(rune('A' + m.active))
		line.Beside(layout.Line(st.PaintBold(st.Series[m.active], name)+" ").
			Prose("active belief", "", fmt.Sprintf("Keys and handles change belief %s.", name)))
	}
	var boxes []*layout.Box
	for i, h := range m.handles() {
		boxes = append(boxes, m.handleBox(i, h))
	}
	for _, box := range m.handlesShown(boxes, m.Width-line.W-1) {
		line.Beside(box)
	}
	if len(boxes) == 0 {
		line.Beside(layout.Line(st.Paint(st.Faint, st.Plain("  no handles: e edits the parameters"))).
			Prose("no handles", "", "This belief has no hyperparameters with handles; e edits its parameters."))
	}
	return line.Sized(m.Width, 1)
}

// handleBox is a handle with its value.
func (m *Model) handleBox(i int, h optimizers.Handle) *layout.Box {
	st := m.Style
	text := h.Symbol + " " + h.Name + " " + m.handleValue(h)
	color, mark := st.Text, "  "
	if h.Fitted {
		text, color = text+" fitted", st.Dim
	}
	if m.isChosen(i) {
		color, mark = st.Accent, st.Pointer()+" "
	}
	box := layout.Line(st.PaintBold(color, mark) + st.Paint(color, st.Plain(text)))
	box.Describe(layout.Number, handleName(h), "", func() string { says, _ := m.describeHandle(i, h); return says })
	box.TermOf = func() string { _, term := m.describeHandle(i, h); return term }
	return box
}

// handlesShown are the handles that fit into w columns, the selected one among them.
func (m *Model) handlesShown(boxes []*layout.Box, w int) []*layout.Box {
	used, from := 0, 0
	for i, box := range boxes {
		used += box.W
		for used > w && from < i && m.chosen.kind == handle && i <= m.chosen.handle {
			used -= boxes[from].W
			from++
		}
		if used > w {
			return boxes[from:i]
		}
	}
	return boxes[from:]
}

// isChosen reports whether a handle is selected.
func (m *Model) isChosen(i int) bool { return m.chosen.kind == handle && m.chosen.handle == i }

// statusLine is the line above the keys.
func (m *Model) statusLine() *layout.Box {
	st := m.Style
	message, _ := m.Status.Message()
	if t, ok := m.Modes.Active.(mode.StatusDrawer); ok && !m.Status.Open() && message == "" {
		return t.Status(m.Scene(), m.Width)
	}
	computed := m.Jobs.Status(st.ASCII)
	if computed == "" {
		computed = m.row.jobs.Status(st.ASCII)
	}
	advice := m.advice()
	line := m.Status.Box(st, m.Width, computed, st.Paint(st.Dim, layout.ShortenIn(st, st.Plain(advice), m.Width-2)))
	switch {
	case m.Status.Open():
		line.Prose("status", "", "Type your answer here; enter confirms it and esc cancels.")
	case message != "":
		line.Prose("status", "", "The answer to the last key: "+layout.Excerpt(message, 50)+".")
	case computed != "":
		line.Prose("status", "", "The running computation. Keys and the mouse still work; esc stops it.")
	case advice != "":
		line.Prose("status", "", "What you can do next: "+layout.Excerpt(advice, 40)+".")
	}
	return line
}

// advice says what to do next, in one line.
func (m *Model) advice() string {
	if a, ok := m.Modes.Active.(mode.Adviser); ok {
		return a.Advice()
	}
	switch p := m.beliefs[m.active].picture; {
	case m.Modes.Active != nil:
		return ""
	case m.ReadingPosition.Advice() != "":
		return m.ReadingPosition.Advice()
	case m.Asks():
		return m.Reader.How(m.Page())
	case m.chosen.kind == result:
		return m.place(m.chosen.item.x, m.chosen.item.y) + ": arrows move it, space leaves it there, delete removes it"
	case m.chosen.kind == handle:
		return "left and right change it, enter fits it to the results or fixes it"
	case m.chosen.kind == secondInput:
		return "left and right move the second input"
	case m.row.joint && m.row.pair != nil:
		return m.conditional() + ": arrows move the cursor, drag below; tab selects the second input"
	case m.pointing:
		return m.place(m.cursor[0], m.cursor[1]) + ": space puts a result, arrows move the cursor, tab selects"
	case len(m.items) == 0:
		return "click to put a result, drag it, right click removes it; or arrows and space"
	case p != nil && len(p.Legend.Warnings) > 0:
		return sanitize.Text(p.Legend.Warnings[0])
	}
	return "drag results and brackets; right click removes; tab selects one for arrows"
}

// place is a place of the plot in words.
func (m *Model) place(x, y float64) string {
	v, o := m.state.Problem.Domain[0], m.state.Problem.Objectives[0]
	return fmt.Sprintf("%s = %s, %s = %s", v.Name, widget.Number(x), o.Name, widget.Number(y))
}

// keysLine is the bottom line: as many keys as fit.
func (m *Model) keysLine() *layout.Box {
	switch {
	case m.Status.Open():
		return m.Status.ExplainBox(m.Style, m.Width)
	case m.Modes.Active != nil:
		return widget.KeysBox(m.Style, m.Modes.Hints(m.Scene), m.Width)
	}
	shown := widget.BindingsFor(commands(), footer)
	for i, b := range shown {
		switch name := b.Help().Key; {
		case name == player.RunKey.Help().Key && m.samples.moving:
			shown[i].SetHelp(name, "stop samples")
		case name != "space":
		case m.turnsPages():
			shown[i].SetHelp(name, "next page")
		case m.chosen.kind == result:
			shown[i].SetHelp(name, "leave it")
		case m.chosen.kind == handle:
			shown[i].SetHelp(name, "fit or fix")
		}
	}
	return widget.KeysBox(m.Style, shown, m.Width)
}
