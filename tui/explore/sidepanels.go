package explore

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/optimizers"
	"bandscope/sessions/report"
	"bandscope/tui/belief"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
)

// factLines is what the fit found, one line a fact.
func (m *Model) factLines(w int) []string {
	if m.told == nil {
		return nil
	}
	st := m.style
	var lines []string
	facts := m.told.Legend.Facts
	if m.state.Problem.Cost != nil && len(m.told.Next) > 0 && !m.asking() {
		sum := 0.0
		for _, x := range m.told.Next {
			sum += m.state.CostAt(x)
		}
		facts = append([]optimizers.Fact{{Name: "cost of the next", Value: screen.Number(sum)}}, facts...)
	}
	for _, f := range facts {
		if m.several() && f.Name == optimizers.FactWeights { // weights carry the names of their objectives
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
	if m.several() && !m.coordinates {
		return m.steerTracePanel(l)
	}
	if m.several() && m.steering() {
		return m.outcomesPanel(l)
	}
	if m.coordinates && m.state.Problem.Dim() > 1 {
		return m.coordinatesPanel(l)
	}
	traces := report.TracesOf(m.state)
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
func (k traceKind) values(t report.Traces) []float64 {
	return [traceKinds][]float64{t.Simple, t.Cumulative, t.Best, t.Simple}[k]
}

// traceTitle names a trace with its last value, with as many digits as there is room for in a panel of w columns.
func traceTitle(t report.Traces, kind traceKind, w int) string {
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
func (m *Model) traceLines(t report.Traces, kind traceKind, w, h int) []string {
	v := kind.values(t)
	if len(v) == 0 {
		return []string{"", " " + m.style.Paint(m.style.Dim, "no iteration yet")}
	}
	return m.cache.Lines("regret "+traceTitles[kind], fmt.Sprint(m.state.Head, w, h, m.style.Key()), func() []string {
		trace := plot.Trace{Log: kind == traceSimple || kind == traceCost, X: "iteration"}
		if kind == traceCost {
			total := t.Spent[len(t.Spent)-1]
			v = report.ByCost(v, t.Spent, total, 4*w)
			trace.X, trace.From, trace.To = "cost", "0", screen.Number(total)
		}
		trace.Series = []plot.Series{{Values: v, Color: m.style.Used}}
		return trace.Draw(w, h, m.style)
	})
}

// theoryPanel shows, in place of the regret, what the covariance function says of the data; where there is room, two plots.
func (m *Model) theoryPanel(l layout) []string {
	t := belief.Theories{Style: m.style}
	if m.told != nil && m.told.Theory != nil {
		t.Add(m.told.Theory, m.style.Used, "", true)
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
