package summary

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/report"
	"bandscope/tui/chart"
	"bandscope/tui/explore/view"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// Summary is which part of the outlook is shown.
type Summary struct {
	kind  summaryKind
	last  *diagnostics.Summary // shown while the next one is made
	cache view.Cache
}

// summaryKind is a part of the outlook, in the order of the key that goes through them.
type summaryKind int

const (
	fullSummary summaryKind = iota
	bestSoFar
	inputDependence
	summaryKindCount
)

// ComputedMsg says that the model was asked, or why not.
type ComputedMsg struct{ Err error }

// CanSummarize reports whether there is anything to ask the model where a session stands.
func CanSummarize(st sessions.State) bool {
	// the traces of several are others
	return diagnostics.CachedSummary(st) == nil || len(st.Problem.Objectives) == 1 && !diagnostics.HasTrace(st)
}

// Compute asks the model where a session stands: for its appraisal first, and once that is there for what it expected
// before. What it says is kept with the session.
func Compute(ctx context.Context, s *sessions.Session, at sessions.Snapshot, progress sessions.Progress) tea.Msg {
	st := at.State()
	if diagnostics.CachedSummary(st) == nil {
		_, err := diagnostics.Summarize(ctx, at, progress)
		return ComputedMsg{err}
	}
	suggestions, err := s.Suggestions()
	if err == nil {
		err = diagnostics.FitTrace(ctx, st, suggestions, progress)
	}
	return ComputedMsg{err}
}

// Next shows the next part; true if that is the first again.
func (p *Summary) Next(st sessions.State) bool {
	p.kind = (p.kind + 1) % summaryKindCount
	if p.kind == bestSoFar && len(st.Problem.Objectives) > 1 { // their traces are others'
		p.kind++
	}
	if p.kind == inputDependence && st.Problem.Dim() < 2 {
		p.kind = fullSummary
	}
	return p.kind == fullSummary
}

// current is the appraisal to be drawn, and whether it is of where the session stands.
func (p *Summary) current(st sessions.State) (a *diagnostics.Summary, now bool) {
	if a = diagnostics.CachedSummary(st); a != nil {
		p.last = a
		return a, true
	}
	if p.last != nil && len(p.last.Objectives) != len(st.Problem.Objectives) {
		p.last = nil
	}
	return p.last, false
}

// minTraceRows is in how many lines the traces are drawn below what is said.
const minTraceRows = 5

// Box is the panel in the size of the scene.
func (p *Summary) Box(s view.Scene) *layout.Box {
	a, now := p.current(s.State)
	title, says := "outlook", fmt.Sprintf(
		"What the model makes of %s, where no truth is known: what is best, what may be hoped for, and whether the "+
			"model is to be believed.", widget.Count(len(s.State.Iterations), "step"))
	if !now && a != nil {
		title, says = title+", of before", "What the model made of the results one step before; it is being asked "+
			"again at the moment."
	}
	one, w, h := len(s.State.Problem.Objectives) == 1, s.W-2, s.H-2
	whole := func(title string, body *layout.Box, term, says string) *layout.Box {
		return layout.Panel(s.Style, s.Style.Plain(title), body, s.W, s.H, false).Section(title, term, says)
	}
	switch {
	case len(s.State.Iterations) == 0:
		return whole(title, view.SentenceBox(s.Style,
			"what the model makes of the results stands here as soon as there are any", w, h), "surrogate",
			"What the model makes of the results, where no truth is known: it stands here as soon as there is a "+
				"result.")
	case p.kind == bestSoFar && one:
		return whole(p.bestTitle(s, s.W), p.bestTraces(s, w, h), "incumbent", p.describeBest(s))
	case a == nil:
		return whole(title, layout.Text(w, "", " "+s.Style.Paint(s.Style.Dim, s.Style.Plain("asking the model…"))),
			"surrogate",
			"What the model makes of the results, where no truth is known: it is being asked at the moment.")
	}
	t := describer{a: a, state: s.State, style: s.Style, w: w - 2}
	if p.kind == inputDependence {
		return whole("what it depends on", t.column([]block{{about: dependenceBars, lines: t.dependence(h)}}),
			"surrogate",
			"How much of what the model's mean varies over the domain each variable makes by itself, the others left "+
				"to chance.")
	}
	body := t.column(t.fitted(h))
	rest := h - body.H - 1
	if !one || rest < minTraceRows {
		return whole(title, body, "surrogate", says)
	}
	upper, lower := &layout.Part{Title: title, Body: body},
		&layout.Part{Title: s.Style.Plain(p.bestTitle(s, s.W)), Body: p.bestTraces(s, w, rest)}
	b := layout.SplitPanel(s.Style, s.W, s.H, false, upper, lower)
	upper.Box.Section(title, "surrogate", says)
	lower.Box.Section(lower.Title, "incumbent", p.describeBest(s))
	return b
}

// bestTitle names the traces by their marks.
func (p *Summary) bestTitle(s view.Scene, w int) string {
	best := report.TracesFor(s.State).Best
	if n := len(best); n > 0 && !math.IsNaN(best[n-1]) {
		title := "* best value " + widget.Number(best[n-1])
		if all := title + "  m by the model"; len([]rune(all)) <= w-layout.TitleRoom {
			return all
		}
		return title + "  m model"
	}
	return "best value"
}

// bestTraces is the best value so far and what the model expected at its best.
func (p *Summary) bestTraces(s view.Scene, w, h int) *layout.Box {
	o := s.State.Problem.Objectives[0]
	observed, expected := report.TracesFor(s.State).Best, diagnostics.BestMeanTrace(s.State, 0)
	return p.cache.Box("course", fmt.Sprint(s.State.Head, w, h, expected, s.Style.Key()), func() *layout.Box {
		g := o.Transform()
		return chart.Trace{X: "iteration", Log: g.IsLog(), Series: []chart.Series{
			{Values: g.ClampAll(expected), Color: s.Style.Mean, Mark: "m"},
			{Values: g.ClampAll(observed), Color: s.Style.Used, Mark: "*"},
		}}.Box(w, h, s.Style,
			chart.TraceDescription{Y: "Values of " + o.Name + ", of both lines.",
				X: fmt.Sprintf("The steps, 1 to %d.", len(observed)),
				Mark: func(mark string) (name, sentence, term string) {
					if mark == "*" {
						return "observed so far", fmt.Sprintf(
							"The line that ends at *: the best result so far, %s now.",
							widget.Number(last(observed))), "incumbent"
					}
					return "by the model", fmt.Sprintf(
							"The line that ends at m: the best of the model's mean over the domain, %s now. Where "+
								"noise "+
								"made a result look good, it lies on its worse side.", widget.Number(last(expected))),
						"posterior"
				}})
	})
}

// last is the last value of a trace that is there.
func last(values []float64) float64 {
	for _, v := range slices.Backward(values) {
		if !math.IsNaN(v) {
			return v
		}
	}
	return math.NaN()
}

// describeBest describes the traces of the best value.
func (p *Summary) describeBest(s view.Scene) string {
	observed := report.TracesFor(s.State).Best
	if n := len(observed); n == 0 || math.IsNaN(observed[n-1]) {
		return "How the best value went, by steps: it stands here as soon as there is a result."
	}
	return fmt.Sprintf("How the best value of %s went over %s: what was observed, and what the model held for the "+
		"best it could have. Where both are flat, little happens any more.", s.State.Problem.Objectives[0].Name,
		widget.Count(len(observed), "step"))
}

// join joins what is not empty.
func join(between string, parts ...string) string {
	var said []string
	for _, p := range parts {
		if p != "" {
			said = append(said, p)
		}
	}
	return strings.Join(said, between)
}
