package summary

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/sessions/report"
	"bandscope/tui/chart"
	"bandscope/tui/explore/view"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// Summary is the panel of the outlook.
type Summary struct {
	kind  summaryKind
	last  *diagnostics.Summary // shown while the next one is computed
	cache view.Cache

	lastForecast *diagnostics.Forecast // shown while the next one is computed
}

// summaryKind is a part of the outlook, in the order in which a key shows them.
type summaryKind int

const (
	fullSummary summaryKind = iota
	bestSoFar
	inputDependence
	summaryKindCount
)

// ComputedMsg says that a part of the outlook is computed, or why not.
type ComputedMsg struct{ Err error }

// CanSummarize reports whether a part of the outlook of a state is still to be computed.
func CanSummarize(st sessions.State) bool {
	// several objectives have other traces
	return diagnostics.CachedSummary(st) == nil || canForecast(st) || len(st.Problem.Objectives) == 1 && !diagnostics.HasTrace(st)
}

// canForecast reports whether the forecast of a state is still to be computed.
func canForecast(st sessions.State) bool {
	return !st.Spec.NoBand && diagnostics.CachedForecast(st) == nil
}

// Compute computes a part of the outlook: first the summary, then the forecast of further runs, then the trace of the
// best mean. The session caches all of them.
func Compute(ctx context.Context, s *sessions.Session, snapshot sessions.Snapshot, progress sessions.Progress) tea.Msg {
	st := snapshot.State()
	if diagnostics.CachedSummary(st) == nil {
		_, err := diagnostics.Summarize(ctx, snapshot, progress)
		return ComputedMsg{err}
	}
	if canForecast(st) {
		_, err := diagnostics.ForecastRuns(ctx, snapshot, progress)
		return ComputedMsg{err}
	}
	suggestions, err := s.Suggestions()
	if err == nil {
		err = diagnostics.FitTrace(ctx, st, suggestions, progress)
	}
	return ComputedMsg{err}
}

// Next shows the next part, and returns true if that is the first one.
func (p *Summary) Next(st sessions.State) bool {
	p.kind = (p.kind + 1) % summaryKindCount
	if p.kind == bestSoFar && len(st.Problem.Objectives) > 1 { // several objectives have other traces
		p.kind++
	}
	if p.kind == inputDependence && st.Problem.Dim() < 2 {
		p.kind = fullSummary
	}
	return p.kind == fullSummary
}

// current is the summary to draw, and whether it is of the current step.
func (p *Summary) current(st sessions.State) (a *diagnostics.Summary, now bool) {
	a = diagnostics.CachedSummary(st)
	if a != nil {
		p.last = a
		return a, true
	}
	if p.last != nil && len(p.last.Objectives) != len(st.Problem.Objectives) {
		p.last = nil
	}
	return p.last, false
}

// forecast is the forecast to draw: an earlier one while that of the state is computed; nil for none.
func (p *Summary) forecast(st sessions.State) *diagnostics.Forecast {
	if f := diagnostics.CachedForecast(st); f != nil {
		p.lastForecast = f
	}
	if p.lastForecast != nil && len(p.lastForecast.Worthwhile) != len(st.Problem.Objectives) {
		p.lastForecast = nil
	}
	return p.lastForecast
}

// minTraceRows is the minimum height of the traces below the summary.
const minTraceRows = 5

// Box is the panel in the size of the scene.
func (p *Summary) Box(s view.Scene) *layout.Box {
	a, now := p.current(s.State)
	title, says := "outlook", fmt.Sprintf(
		"The outlook of the model after %s, without a true function: the best points, the improvement to expect, and results that it does not explain.",
		widget.Count(len(s.State.Iterations), "step"))
	if !now && a != nil {
		title, says = title+" (previous step)", "The outlook of the model at an earlier step. The current one is being computed."
	}
	single := len(s.State.Problem.Objectives) == 1
	w := s.W - 2
	h := s.H - 2
	whole := func(title string, body *layout.Box, term, says string) *layout.Box {
		return layout.Panel(s.Style, s.Style.Plain(title), body, s.W, s.H, false).Section(title, term, says)
	}
	switch {
	case len(s.State.Iterations) == 0 && !s.Lesson:
		return about(s)
	case len(s.State.Iterations) == 0:
		return whole(title, view.SentenceBox(s.Style,
			"the outlook of the model appears here after the first result", w, h), "surrogate",
			"The outlook of the model: the best points and the improvement to expect. It needs a result.")
	case p.kind == bestSoFar && single:
		return whole(p.bestTitle(s, s.W), p.bestTraces(s, w, h), "incumbent", p.describeBest(s))
	case a == nil:
		return whole(title, layout.Text(w, "", " "+s.Style.Paint(s.Style.Dim, s.Style.Plain("computing…"))),
			"surrogate", "The outlook of the model, which is being computed.")
	}
	t := describer{a: a, f: p.forecast(s.State), state: s.State, style: s.Style, w: w - 2}
	if p.kind == inputDependence {
		return whole("outlook: sensitivity", t.column([]block{{about: dependenceBars, lines: t.dependence(h)}}),
			"surrogate", "The sensitivity: the share of the variance of the model's mean that each variable explains alone.")
	}
	body := t.column(t.fitted(h))
	rest := h - body.H - 1
	if !single || rest < minTraceRows {
		return whole(title, body, "surrogate", says)
	}
	upper, lower := &layout.Part{Title: title, Body: body},
		&layout.Part{Title: s.Style.Plain(p.bestTitle(s, s.W)), Body: p.bestTraces(s, w, rest)}
	b := layout.SplitPanel(s.Style, s.W, s.H, false, upper, lower)
	upper.Box.Section(title, "surrogate", says)
	lower.Box.Section(lower.Title, "incumbent", p.describeBest(s))
	return b
}

// bestTitle is the title of the traces with their marks.
func (p *Summary) bestTitle(s view.Scene, w int) string {
	best := report.TracesFor(s.State).Best
	if n := len(best); n > 0 && !math.IsNaN(best[n-1]) {
		title := "* best value " + widget.Number(best[n-1])
		if all := title + "  m best mean"; ansi.StringWidth(all) <= w-layout.TitleRoom {
			return all
		}
		return title + "  m mean"
	}
	return "best value"
}

// bestTraces are the traces of the best value so far and of the best mean.
func (p *Summary) bestTraces(s view.Scene, w, h int) *layout.Box {
	o := s.State.Problem.Objectives[0]
	observed, expected := report.TracesFor(s.State).Best, diagnostics.BestMeanTrace(s.State, 0)
	return p.cache.Box("course", fmt.Sprint(s.State.Head, w, h, expected, s.Style.Key()), func() *layout.Box {
		g := o.Transform()
		return chart.Trace{X: "step", Log: g.IsLog(), Series: []chart.Series{
			{Values: g.ClampAll(expected), Color: s.Style.Mean, Mark: "m"},
			{Values: g.ClampAll(observed), Color: s.Style.Used, Mark: "*"},
		}}.Box(w, h, s.Style,
			chart.TraceDescription{Y: "Vertical axis: the value of " + o.Name + " for both lines.",
				X: fmt.Sprintf("Horizontal axis: steps 1 to %d.", len(observed)),
				Mark: func(mark string) (name, sentence, term string) {
					if mark == "*" {
						return "best observed", fmt.Sprintf(
							"The line that ends at *: the best result so far, now %s.",
							widget.Number(last(observed))), "incumbent"
					}
					return "best mean", fmt.Sprintf("The line that ends at m: the best mean of the model over the domain, now %s. It is worse than the other line if noise made a result look good.",
						widget.Number(last(expected))), "posterior"
				}})
	})
}

// last is the last value of a trace that is not NaN.
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
		return "The best value after each step. It appears after the first result."
	}
	return fmt.Sprintf(
		"The best value of %s over %s: the best observed result and the best mean of the model. If both lines are flat, the search makes little progress.",
		s.State.Problem.Objectives[0].Name, widget.Count(len(observed), "step"))
}

// join joins the parts that are not empty.
func join(between string, parts ...string) string {
	var texts []string
	for _, p := range parts {
		if p != "" {
			texts = append(texts, p)
		}
	}
	return strings.Join(texts, between)
}
