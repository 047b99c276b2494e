// Package traces is the explorer's panel of how the search goes: the regret or the best value over the iterations or the cost, of several objectives the
// hypervolume and what the prior makes of it, or in their place the theory of the model, or all values of the data. What is computed is
// sessions/report's and tui/belief's; here is which of it is drawn.
package traces

import (
	"fmt"
	"math"
	"slices"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/report"
	"bandscope/tui/belief"
	"bandscope/tui/belief/several"
	"bandscope/tui/explore/lesson"
	"bandscope/tui/explore/picture"
	"bandscope/tui/plot/trace"
	"bandscope/tui/screen"
)

// Panel is which of the traces are shown.
type Panel struct {
	Coordinates bool // all values of the data are shown in their place

	kind       kind
	objectives objectiveKind
	theory     belief.TheoryKind
	cache      picture.Cache
}

// Scene is what the panel sees of the explorer.
type Scene struct {
	picture.Scene                   // of this panel's size
	Outcomes      *several.Outcomes // nil while there are none
	Objectives    bool              // the space of objectives is shown
}

func (s Scene) several() bool { return len(s.State.Problem.Objectives) > 1 }

// kind is a trace of one objective.
type kind int

const (
	simple kind = iota
	cumulative
	best
	byCost
	kinds
)

var kindTitles = [kinds]string{"simple regret (log)", "cumulative regret", "best value", "simple regret by cost (log)"}

// tall is the height from which the panel has room for two traces.
const tall = 17

// Next shows the next trace; true if that is the first of several objectives again.
func (p *Panel) Next(s Scene) (around bool) {
	switch {
	case s.View.Theory:
		p.theory = (p.theory + 1) % belief.TheoryKinds
	case s.several():
		p.objectives = (p.objectives + 1) % objectiveKinds
		return p.objectives == 0
	default:
		p.kind = next(s, p.kind)
	}
	return false
}

// Show shows the part of the theory, or the trace, that a page of a lesson names.
func (p *Panel) Show(word string) {
	if k := slices.Index(lesson.TheoryParts, word); k >= 0 {
		p.theory = belief.TheoryKind(k)
	}
	switch k := slices.Index(lesson.TraceNames, word); {
	case k >= int(byCost):
		p.objectives = objectiveKind(k - int(byCost))
	case k >= 0:
		p.kind = kind(k)
	}
}

// next is the kind behind another, of those that the session has.
func next(s Scene, k kind) kind {
	if k = (k + 1) % kinds; k == byCost && !s.State.Costly() {
		k = 0
	}
	return k
}

// Lines draws the panel.
func (p *Panel) Lines(s Scene) []string {
	switch {
	case s.View.Theory:
		return p.drawTheory(s)
	case s.several() && !p.Coordinates:
		return p.drawObjectives(s)
	case s.several() && s.Objectives:
		return drawOutcomes(s)
	case p.Coordinates && s.State.Problem.Dim() > 1:
		return drawInputs(s)
	}
	return p.drawRegret(s)
}

// drawRegret draws a trace over the iterations; where there is room, the next kind below it.
func (p *Panel) drawRegret(s Scene) []string {
	t := report.TracesOf(s.State)
	known := s.State.Problem.Optimum() != nil && s.Reveal
	first := p.kind
	if !known {
		first = best
	}
	if s.H < tall || !known || len(s.State.Iterations) == 0 {
		return screen.Panel(s.Style, first.title(t, s.W), p.lines(s, t, first, s.H-2), s.W, s.H, false)
	}
	second := next(s, first)
	if s.State.Costly() && first == simple {
		second = byCost
	}
	upper := (s.H - 3) / 2
	return two(s, first.title(t, s.W), p.lines(s, t, first, upper), second.title(t, s.W), p.lines(s, t, second, s.H-3-upper))
}

// two draws two plots with their titles, one below the other.
func two(s Scene, title string, above []string, between string, below []string) []string {
	upper := (s.H - 3) / 2
	body := append([]string(nil), above...)
	for len(body) <= upper {
		body = append(body, "")
	}
	lines := screen.Panel(s.Style, title, append(body[:upper+1], below...), s.W, s.H, false)
	lines[1+upper] = screen.Divide(s.Style, between, s.W)
	return lines
}

// values of a trace. Those by cost are the same as by iteration; where they stand is drawn.
func (k kind) values(t report.Traces) []float64 {
	return [kinds][]float64{t.Simple, t.Cumulative, t.Best, t.Simple}[k]
}

// title names a trace with its last value, with as many digits as there is room for in a panel of w columns.
func (k kind) title(t report.Traces, w int) string {
	v := k.values(t)
	if n := len(v); n > 0 && !math.IsNaN(v[n-1]) {
		return Titled(kindTitles[k], v[n-1], w)
	}
	return kindTitles[k]
}

// Titled is the title of a panel of w columns with a value behind it.
func Titled(title string, v float64, w int) string {
	return title + " " + screen.NumberIn(v, max(w-screen.TitleRoom-ansi.StringWidth(title)-1, 1))
}

// lines draws one trace.
func (p *Panel) lines(s Scene, t report.Traces, k kind, h int) []string {
	v, w := k.values(t), s.W-2
	if len(v) == 0 {
		return []string{"", " " + s.Style.Paint(s.Style.Dim, "no iteration yet")}
	}
	return p.cache.Lines(kindTitles[k], fmt.Sprint(s.State.Head, w, h, s.Style.Key()), func() []string {
		drawn, g := trace.Trace{Log: k == simple || k == byCost, X: "iteration"}, s.State.Problem.Objectives[0].Gauge()
		if k == best && g.Log() {
			drawn.Log, v = true, g.AllShown(v)
		}
		if k == byCost {
			total := t.Spent[len(t.Spent)-1]
			v = report.ByCost(v, t.Spent, total, 4*w)
			drawn.X, drawn.From, drawn.To = "cost", "0", screen.Number(total)
		}
		drawn.Series = []trace.Series{{Values: v, Color: s.Style.Used}}
		return drawn.Draw(w, h, s.Style)
	})
}

// drawTheory draws what the covariance function says of the data; where there is room, two plots.
func (p *Panel) drawTheory(s Scene) []string {
	t := belief.Theories{Style: s.Style}
	if s.Told != nil && s.Told.Theory != nil {
		t.Add(s.Told.Theory, s.Style.Used, "", true)
	}
	first := p.theory
	if !t.Has(first) {
		first = belief.Gain
	}
	w := s.W - 2
	if s.H < tall {
		return screen.Panel(s.Style, t.Title(first), t.Lines(first, w, s.H-2), s.W, s.H, false)
	}
	second := (first + 1) % belief.TheoryKinds
	if !t.Has(second) {
		second = belief.Gain
	}
	upper := (s.H - 3) / 2
	return two(s, t.Title(first), t.Lines(first, w, upper), t.Title(second), t.Lines(second, w, s.H-3-upper))
}
