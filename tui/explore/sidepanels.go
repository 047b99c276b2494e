package explore

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/tui/belief"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
)

// paramPanel shows the parameters with their values, what the fit found, and in the editor the help of the selected one.
func (m *Model) paramPanel(l layout) []string {
	width := l.side - 4
	rows := l.params - 2
	var help []string
	if m.mode == editing {
		help = m.paramHelp(width)
		help = help[:min(len(help), max(rows-2, 0))]
	}
	list := m.paramLines(width)
	var facts []string
	room := rows - len(help)
	if m.mode != editing {
		facts = m.factLines(width)
		facts = facts[:min(len(facts), room/3)]
	}
	space := room - len(facts)
	if len(facts) > 0 {
		space--
	}
	body := window(list, m.editor.selected, space, m.mode == editing)
	if len(body) < len(list) && m.mode != editing && len(body) > 0 {
		body = append(body[:len(body)-1:len(body)-1], m.style.Paint(m.style.Faint, m.style.Plain(fmt.Sprintf("  … %d more: e", len(list)-len(body)+1))))
	}
	if len(facts) > 0 {
		body = append(append(body, ""), facts...)
	}
	for len(body) < room {
		body = append(body, "")
	}
	body = append(body, help...)
	for i := range body {
		body[i] = " " + body[i]
	}
	return screen.Panel(m.style, m.state.Spec.Name, body, l.side, l.params, m.mode == editing)
}

// window cuts the lines to those around the selected one.
func window(lines []string, selected, room int, follow bool) []string {
	if len(lines) <= room || room <= 0 {
		return lines[:min(len(lines), max(room, 0))]
	}
	top := 0
	if follow {
		top = min(max(selected-room/2, 0), len(lines)-room)
	}
	return lines[top : top+room]
}

// paramLines is one line a parameter.
func (m *Model) paramLines(w int) []string {
	st := m.style
	lines := make([]string, 0, len(m.state.Params.Decls()))
	for i, d := range m.state.Params.Decls() {
		v := m.state.Params.Value(d.Key)
		text := d.Format(v)
		color := st.Text
		if v != d.Default {
			color = st.Accent
		}
		mark := "  "
		if m.mode == editing && i == m.editor.selected {
			mark = st.PaintBold(st.Accent, st.Pointer()+" ")
			if m.editor.typing {
				m.editor.input.SetWidth(max(w*2/3, 8))
				text = m.editor.input.View()
			}
		}
		if most := max(w-8, 8); ansi.StringWidth(text) > most && !(m.mode == editing && m.editor.typing && i == m.editor.selected) {
			text = screen.ShortenIn(st, text, most)
		}
		value := st.Paint(color, text)
		label := st.Paint(st.Dim, screen.ShortenIn(st, st.Plain(d.Label), max(w-3-ansi.StringWidth(text), 4)))
		lines = append(lines, screen.Fit(mark+label, w-ansi.StringWidth(value))+value)
	}
	return lines
}

// paramHelp explains the selected parameter.
func (m *Model) paramHelp(w int) []string {
	st := m.style
	d := m.current()
	lines := []string{""}
	add := func(paint func(string) string, text string) {
		for _, l := range screen.Wrap(text, w) {
			lines = append(lines, paint(l))
		}
	}
	if m.editor.reason != "" {
		add(func(s string) string { return st.PaintBold(st.Error, s) }, m.editor.reason)
	}
	add(func(s string) string { return st.Paint(st.Text, s) }, d.Help)
	add(func(s string) string { return st.Paint(st.Dim, s) }, fmt.Sprintf("%s; default %s", d.Range(), d.Format(d.Default)))
	if scaled := m.scaledFacts(); scaled != "" { // before the source, which small windows have no room for
		add(func(s string) string { return st.Paint(st.Text, s) }, scaled)
	}
	if d.Source != "" {
		add(func(s string) string { return st.Paint(st.Dim, s) }, d.Source)
	}
	return lines
}

// scaledFacts tells what the fit found in the model's own units, inputs scaled to the unit cube and values to a standard deviation of 1, in which
// parameters are given; elsewhere it stands in those of the problem.
func (m *Model) scaledFacts() string {
	if m.known == nil {
		return ""
	}
	var parts []string
	for _, f := range m.known.legend.Scaled {
		parts = append(parts, f.Name+" "+f.Value)
	}
	if parts == nil {
		return ""
	}
	return "scaled: " + strings.Join(parts, ", ")
}

// factLines is what the fit found, one line a fact.
func (m *Model) factLines(w int) []string {
	if m.known == nil {
		return nil
	}
	st := m.style
	var lines []string
	facts := m.known.legend.Facts
	if m.state.Problem.Cost != nil && len(m.known.next) > 0 && !m.asking() {
		sum := 0.0
		for _, x := range m.known.next {
			sum += m.state.CostAt(x)
		}
		facts = append([]optimizers.Fact{{Name: "cost of the next", Value: screen.Number(sum)}}, facts...)
	}
	for _, f := range facts {
		if m.several() && strings.HasPrefix(f.Name, "λ") { // weights carry the names of their objectives
			names := make([]string, 0, len(m.state.Problem.Objectives))
			for _, o := range m.state.Problem.Objectives {
				names = append(names, o.Name)
			}
			f.Name = "λ of " + strings.Join(names, ", ")
		}
		value := screen.ShortenIn(st, st.Plain(f.Value), max(w-12, 0))
		label := screen.ShortenIn(st, st.Plain(f.Name), max(w-3-ansi.StringWidth(value), 4))
		lines = append(lines, screen.Fit("  "+st.Paint(st.Faint, label), w-ansi.StringWidth(value))+st.Paint(st.Dim, value))
	}
	return lines
}

// traceKind is what the regret panel draws.
type traceKind int

const (
	traceSimple traceKind = iota
	traceCumulative
	traceBest
	traceCost
	traceKinds
)

// titles of the traces.
var traceTitles = [traceKinds]string{"simple regret (log)", "cumulative regret", "best value", "simple regret by cost (log)"}

// tallRegret is the height from which the panel has room for two traces.
const tallRegret = 17

// regretPanel draws a trace over the iterations; where there is room, the next kind below it.
func (m *Model) regretPanel(l layout) []string {
	if m.view.Theory {
		return m.theoryPanel(l)
	}
	if m.several() && !m.plane.coordinates {
		return m.steerTracePanel(l)
	}
	if m.several() && m.steering {
		return m.outcomesPanel(l)
	}
	if m.plane.coordinates && m.state.Problem.Dim() > 1 {
		return m.coordinatesPanel(l)
	}
	traces := m.state.Traces()
	known := m.state.Problem.Optimum() != nil && m.reveal
	kind := m.trace
	if !known {
		kind = traceBest
	}
	if l.regret < tallRegret || !known || len(m.state.Iterations) == 0 {
		return screen.Panel(m.style, traceTitle(traces, kind, l.side), m.traceLines(traces, kind, l.side-2, l.regret-2), l.side, l.regret, false)
	}
	second := m.nextTrace(kind)
	if m.state.Costly() && kind == traceSimple {
		second = traceCost
	}
	upper := (l.regret - 3) / 2
	body := append(m.traceLines(traces, kind, l.side-2, upper), "")
	body = append(body, m.traceLines(traces, second, l.side-2, l.regret-3-upper)...)
	lines := screen.Panel(m.style, traceTitle(traces, kind, l.side), body, l.side, l.regret, false)
	lines[1+upper] = screen.Divide(m.style, traceTitle(traces, second, l.side), l.side)
	return lines
}

// nextTrace is the kind behind another, of those that the session has.
func (m *Model) nextTrace(k traceKind) traceKind {
	if k = (k + 1) % traceKinds; k == traceCost && !m.state.Costly() {
		k = 0
	}
	return k
}

// values of a trace. Those by cost are the same as by iteration; where they stand is drawn.
func (k traceKind) values(t sessions.Traces) []float64 {
	return [traceKinds][]float64{t.Simple, t.Cumulative, t.Best, t.Simple}[k]
}

// traceTitle names a trace with its last value, with as many digits as there is room for in a panel of w columns.
func traceTitle(t sessions.Traces, kind traceKind, w int) string {
	v := kind.values(t)
	if n := len(v); n > 0 && !math.IsNaN(v[n-1]) {
		return titled(traceTitles[kind], v[n-1], w)
	}
	return traceTitles[kind]
}

// titled is the title of a panel of w columns with a value behind it.
func titled(title string, v float64, w int) string {
	return title + " " + screen.NumberIn(v, max(w-screen.TitleRoom-ansi.StringWidth(title)-1, 1))
}

// traceLines draws one trace.
func (m *Model) traceLines(t sessions.Traces, kind traceKind, w, h int) []string {
	v := kind.values(t)
	if len(v) == 0 {
		return []string{"", " " + m.style.Paint(m.style.Dim, "no iteration yet")}
	}
	return m.cache.lines("regret "+traceTitles[kind], fmt.Sprint(m.state.Head, w, h, m.style.Key()), func() []string {
		trace := plot.Trace{Log: kind == traceSimple || kind == traceCost, X: "iteration"}
		if kind == traceCost {
			total := t.Spent[len(t.Spent)-1]
			v = sessions.ByCost(v, t.Spent, total, 4*w)
			trace.X, trace.From, trace.To = "cost", "0", screen.Number(total)
		}
		trace.Series = []plot.Series{{Values: v, Color: m.style.Used}}
		return trace.Draw(w, h, m.style)
	})
}

// theoryPanel shows, in place of the regret, what the covariance function says of the data; where there is room, two plots.
func (m *Model) theoryPanel(l layout) []string {
	t := belief.Theories{Style: m.style}
	if m.known != nil && m.known.theory != nil {
		t.Add(m.known.theory, m.style.Used, "", true)
	}
	first := m.theory
	if !t.Has(first) {
		first = belief.Gain
	}
	w := l.side - 2
	if l.regret < tallRegret {
		return screen.Panel(m.style, t.Title(first), t.Lines(first, w, l.regret-2), l.side, l.regret, false)
	}
	second := (first + 1) % belief.TheoryKinds
	if !t.Has(second) {
		second = belief.Gain
	}
	upper := (l.regret - 3) / 2
	body := slices.Grow(t.Lines(first, w, upper), upper)
	for len(body) <= upper {
		body = append(body, "")
	}
	lines := screen.Panel(m.style, t.Title(first), append(body[:upper+1], t.Lines(second, w, l.regret-3-upper)...), l.side, l.regret, false)
	lines[1+upper] = screen.Divide(m.style, t.Title(second), l.side)
	return lines
}
