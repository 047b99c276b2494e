package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions"
	"bandscope/sessions/report"
	"bandscope/tui/belief"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// headRows are the lines above the panes.
const headRows = 1

// footRows are the lines below the panes: what to look for, which a tall window has two lines for, the status and the hints.
func (m *Model) footRows() int {
	if m.height >= 36 {
		return 4
	}
	return 3
}

// letter names a pane.
func letter(i int) string { return string(rune('A' + i)) }

// lines tell the means of laid-over beliefs apart where there is no colour.
var lines = [maxPanes]theme.Line{theme.Solid, theme.Dashed, theme.Dotted, theme.Fine}

// Render draws the screen: as many lines as the window is high.
func (m *Model) Render() []string {
	out := []string{m.header()}
	room := m.height - headRows - m.footRows()
	lower := 0
	if m.arranged == racing || m.shown.view.Theory {
		lower = max(room*2/5, 9)
	}
	switch {
	case m.several() && m.arranged != sideBySide:
		out = append(out, m.frontsPanel(m.width, room-lower)...)
	case m.arranged == overlaid:
		out = append(out, m.overlay(m.width, room-lower)...)
	default:
		out = append(out, m.grid(m.width, room-lower)...)
	}
	switch {
	case lower == 0:
	case m.shown.view.Theory:
		out = append(out, m.theoryPanel(m.width, lower)...)
	default:
		out = append(out, m.racePanel(m.width, lower)...)
	}
	return append(append(out, m.aboutLines()...), m.statusLine(), m.hints())
}

// header says what is compared.
func (m *Model) header() string {
	st := m.style
	state := m.base.State()
	dot := st.Paint(st.Dim, " "+st.Dot()+" ")
	name := state.Problem.Name
	if !strings.Contains(name, ":") {
		name = fmt.Sprintf("%s %d-D", name, state.Problem.Dim())
	}
	steps := len(state.Iterations)
	if m.arranged == racing {
		steps = len(m.panes[m.selected].racer.State().Iterations)
	}
	parts := []string{st.PaintBold(st.Accent, " bandscope"), st.PaintBold(st.Text, "compare"), st.Paint(st.Text, m.comparison.Title),
		st.Paint(st.Text, name), st.Paint(st.Text, fmt.Sprintf("step %d", steps))}
	right := st.Paint(st.Dim, arrangementNames[m.arranged]) + " "
	for drop := 2; drop >= 0; drop-- {
		left := strings.Join(parts, dot)
		if gap := m.width - ansi.StringWidth(left) - ansi.StringWidth(right); gap > 0 {
			return left + strings.Repeat(" ", gap) + right
		}
		parts = append(parts[:drop:drop], parts[drop+1:]...)
	}
	return strings.Join(parts, dot)
}

// grid is the panes side by side, in two rows where that leaves more room for each.
func (m *Model) grid(w, h int) []string {
	n := len(m.panes)
	rows := 1
	if n == 4 && h >= 16 || n > 1 && w/n < 44 && h/2 >= 8 {
		rows = 2
	}
	perRow := (n + rows - 1) / rows
	panel := m.panel()
	var out []string
	for r := range rows {
		top := h * r / rows
		height := h*(r+1)/rows - top
		var blocks [][]string
		from, to := r*perRow, min((r+1)*perRow, n)
		for i := from; i < to; i++ {
			left := w * (i - from) / (to - from)
			blocks = append(blocks, panel(i, w*(i-from+1)/(to-from)-left, height))
		}
		out = append(out, screen.Beside(blocks...)...)
	}
	return out
}

// panel is how a pane is drawn.
func (m *Model) panel() func(i, w, h int) []string {
	if m.several() {
		x, y := m.sharedAxes()
		return func(i, w, h int) []string { return m.outcomesPanel(i, w, h, x, y) }
	}
	span := m.sharedRange()
	return func(i, w, h int) []string { return m.panePanel(i, w, h, span) }
}

// drawing declares the charts of a pane.
func (m *Model) drawing(p *pane) belief.Drawing {
	state := p.state
	if state.Problem == nil {
		state = m.base.State()
	}
	return belief.Drawing{Style: m.style, State: state, Picture: p.picture, Truth: m.shown.truth, Variable: m.shown.view.Variable, Reveal: m.shown.reveal, NoBand: m.comparison.NoBand}
}

// sharedRange is the range of the y axis that all beliefs have.
func (m *Model) sharedRange() []float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, p := range m.panes {
		l, h := m.drawing(p).Range()
		lo, hi = min(lo, l), max(hi, h)
	}
	return []float64{lo, hi}
}

// panePanel is one belief with its legend.
func (m *Model) panePanel(i, w, h int, span []float64) []string {
	p := m.panes[i]
	st := m.style
	if m.shown.planar {
		return m.planePanel(i, w, h)
	}
	d := m.drawing(p)
	d.Y = span
	var body []string
	draw := func(c plot.Chart) {
		body = m.legend(c.Layers, w-2)
		body = append(body, c.Draw(w-2, h-2-len(body), st).Lines()...)
	}
	switch {
	case p.reason != "":
		for _, l := range screen.Wrap(p.reason, w-4) {
			body = append(body, " "+st.Paint(st.Error, l))
		}
	case p.picture == nil:
		body = append(body, "", " "+st.Paint(st.Dim, st.Plain("fitting…")))
	case m.shown.acquisition && len(p.picture.Acquisition) == 0:
		body = append(body, "", " "+st.Paint(st.Dim, "this method has no acquisition function"))
	case m.shown.acquisition:
		draw(d.AcquisitionChart())
	default:
		draw(d.Chart())
	}
	return screen.Panel(st, st.PaintBold(st.Series[i], letter(i))+" "+st.Plain(m.paneTitle(p)), body, w, h, i == m.selected && len(m.panes) > 1)
}

// paneTitle is the title of a pane with the value of the parameter that the arrow keys change.
func (m *Model) paneTitle(p *pane) string {
	title := p.Title
	if title == "" {
		title = p.alt.Spec().Title
	}
	if d, err := p.alt.Params().Decl(m.knob); err == nil && p.Params[m.knob] != nil {
		value := d.Format(p.alt.Params().Value(d.Key))
		if x, ok := p.alt.Params().Value(d.Key).(float64); ok {
			value = screen.Number(x)
		}
		title += fmt.Sprintf(" · %s %s", firstWord(d.Label), value)
	}
	return title
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

// paneRows is how many rows the legend of a pane has at most where shorter names do it.
const paneRows = 2

// legend names what a chart draws, in rows that fit into w columns.
func (m *Model) legend(layers []plot.Layer, w int) []string {
	rows := screen.Legend(m.style, plot.LegendOf(m.style, layers), w-2, paneRows)
	for i := range rows {
		rows[i] = " " + rows[i]
	}
	return rows
}

// overlay lays all beliefs over each other: bands blended, means told apart by colour, line and letter.
func (m *Model) overlay(w, h int) []string {
	st := m.style
	span := m.sharedRange()
	state := m.base.State()
	v := state.Problem.Domain[m.shown.view.Variable]
	c := plot.Chart{X: plot.Axis{Label: belief.VariableName(v), Min: v.Low, Max: v.High}, Y: plot.Axis{Label: belief.AxisName(state.Problem.Objectives[0]), Min: span[0], Max: span[1]},
		Gutter: belief.Gutter}
	if m.shown.reveal && !m.shown.acquisition {
		c.Layers = append(c.Layers, plot.Curve{X: m.shown.truth.X, Y: m.shown.truth.Y, Color: st.Truth, Line: theme.Marked, Priority: 2, Name: "truth"})
	}
	for i, p := range slices.Backward(m.panes) { // the legend has them the other way round
		c.Layers = append(c.Layers, m.overlayLayers(i, p)...)
	}
	data := m.drawing(&pane{state: state})
	c.Layers = append(c.Layers, data.Data(c)...)
	body := m.legend(c.Layers, w-2)
	body = append(body, c.Draw(w-2, h-2-len(body), st).Lines()...)
	return screen.Panel(st, "beliefs", body, w, h, false)
}

// overlayLayers are the layers of one belief among others.
func (m *Model) overlayLayers(i int, p *pane) []plot.Layer {
	st := m.style
	pic := p.picture
	if pic == nil || len(pic.Lower) == 0 {
		return nil
	}
	name := letter(i) + " " + m.paneTitle(p)
	layers := []plot.Layer{plot.Band{X: pic.Grid, Lo: pic.Lower, Hi: pic.Upper, Color: st.SeriesBand[i], Second: i > 0, Name: name}}
	layers = append(layers, plot.Curve{X: pic.Grid, Y: pic.Mean, Color: st.Series[i], Line: lines[i], Priority: 4 + i, Name: name})
	at := pic.Grid[(len(pic.Grid)-1)*(2*i+3)/12] // letters stand apart from each other
	return append(layers, plot.Label{X: at, Y: pic.At(pic.Mean, at), Text: letter(i), Color: st.Series[i]})
}

// racePanel is the regret of every racer in one plot.
func (m *Model) racePanel(w, h int) []string {
	if m.several() {
		return m.severalRace(w, h)
	}
	st := m.style
	trace := plot.Trace{X: "iteration", Log: true}
	title := "simple regret (log)"
	var entries []string
	for i, p := range m.panes {
		traces := report.TracesOf(p.racer.State())
		values := traces.Simple
		if values == nil || !m.shown.reveal {
			values, trace.Log, title = traces.Best, false, "best value"
		}
		last := ""
		if n := len(values); n > 0 {
			last = " " + screen.Number(values[n-1])
		}
		trace.Series = append(trace.Series, plot.Series{Values: values, Color: st.Series[i], Mark: letter(i)})
		entries = append(entries, st.PaintBold(st.Series[i], letter(i))+" "+st.Paint(st.Dim, st.Plain(m.paneTitle(p)))+st.Paint(st.Text, last))
	}
	var body []string
	for _, row := range screen.Rows(entries, "  ", w-4) {
		body = append(body, " "+row)
	}
	room := h - 2 - len(body)
	if !m.base.State().Costly() || w < 80 {
		return screen.Panel(st, title, append(body, trace.Draw(w-2, room, st)...), w, h, false)
	}
	half := (w - 2) / 2
	left := trace.Draw(half, room, st)
	for i := range left {
		left[i] = screen.Fit(left[i], half)
	}
	body = append(body, screen.Beside(left, m.byCost(trace).Draw(w-2-half, room, st))...)
	return screen.Panel(st, title+", by iteration and by cost", body, w, h, false)
}

// byCost is a race over what the evaluations have cost, as far as the one that has spent most.
func (m *Model) byCost(t plot.Trace) plot.Trace {
	most := 0.0
	for _, p := range m.panes {
		most = max(most, p.racer.State().Spent())
	}
	t.X, t.From, t.To = "cost", "0", screen.Number(most)
	t.Series = slices.Clone(t.Series)
	for i, p := range m.panes {
		t.Series[i].Values = report.ByCost(t.Series[i].Values, report.TracesOf(p.racer.State()).Spent, most, 400)
	}
	return t
}

// theoryPanel shows what the covariance functions say: information gain, eigenvalues, and the evidence where there is one.
func (m *Model) theoryPanel(w, h int) []string {
	t := belief.Theories{Style: m.style}
	for i, p := range m.panes {
		if p.picture != nil && p.picture.Theory != nil {
			t.Add(p.picture.Theory, m.style.Series[i], letter(i), i == m.selected)
		}
	}
	parts := 2
	if t.Has(belief.Evidence) && w >= 100 {
		parts = 3
	}
	var blocks [][]string
	for i, kind := range []belief.TheoryKind{belief.Gain, belief.Eigenvalues, belief.Evidence}[:parts] {
		width := w*(i+1)/parts - w*i/parts
		blocks = append(blocks, screen.Panel(m.style, t.Title(kind), t.Lines(kind, width-2, h-2), width, h, false))
	}
	return screen.Beside(blocks...)
}

// aboutLines tell what to look for, and the distance of the first two beliefs where that is the point.
func (m *Model) aboutLines() []string {
	st := m.style
	rows := m.footRows() - 2
	var out []string
	if m.comparison.Distance && m.arranged != racing && len(m.panes) > 1 {
		if text, ok := m.distance(); ok {
			out = append(out, " "+st.PaintBold(st.Text, ansi.Truncate(st.Plain(text), m.width-2, "")))
		}
	}
	about := screen.Wrap(st.Plain(m.comparison.About), m.width-2)
	for i := 0; len(out) < rows; i++ {
		line := ""
		if i < len(about) {
			line = about[i]
		}
		if len(out) == rows-1 && i < len(about)-1 {
			line = ansi.Truncate(line, m.width-3, "") + st.Plain("…")
		}
		out = append(out, " "+st.Paint(st.Text, line))
	}
	return out
}

// distance tells how far the first two bands are apart.
func (m *Model) distance() (string, bool) {
	a, b := m.panes[0].picture, m.panes[1].picture
	if a == nil || b == nil || len(a.Mean) == 0 || len(b.Mean) == 0 {
		return "", false
	}
	apart, spread := belief.Distance(a, b)
	text := fmt.Sprintf("distance of A from B %s, %.0f %% of B's spread", screen.Number(apart), 100*apart/spread)
	if count := a.Legend.Draws; count > 0 {
		text += fmt.Sprintf(" (%d draws alone leave about %.0f %%)", count, 100*math.Sqrt(1.5/float64(count)))
	}
	return text, true
}

func (m *Model) statusLine() string {
	st := m.style
	text := fmt.Sprintf("pane %s: %s", letter(m.selected), m.panes[m.selected].alt.Spec().Name)
	if changed := m.panes[m.selected].Params; len(changed) > 0 {
		text += " " + sessions.Assignments(changed)
	}
	if m.comparison.Source != "" {
		text += "   after " + m.comparison.Source
	}
	return m.status.Line(st, m.work.jobs.Status(st.ASCII), st.Paint(st.Dim, ansi.Truncate(st.Plain(text), m.width-2, st.Plain("…"))))
}

// hints is the bottom line: as many keys as fit.
func (m *Model) hints() string {
	if m.status.Open() {
		return m.status.Explain(m.style)
	}
	bindings := screen.Named(commands(), footer)
	for i, b := range bindings {
		switch shown := b.Help().Key; {
		case shown == "left/right" && m.knob != "":
			bindings[i].SetHelp(shown, m.knob)
		case shown == "D" && m.arranged == racing:
			bindings[i].SetHelp(shown, "end the race")
		}
	}
	return " " + screen.Footer(m.style, bindings, m.width-2)
}
