package diagnostics

import (
	"fmt"
	"math"
	"strings"

	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// alternatives lists what other values of the parameters explain.
func (m *CheckPage) alternatives(w, h int) *layout.Box {
	st, r, title := m.Style, m.report, "other assumptions"
	missing := func(text, why string) *layout.Box {
		return layout.EmptyPanel(m.Style, title, text, w, h, "log predictive density",
			"Whether other values of the method's parameters explain the results better.", why)
	}
	switch {
	case r == nil:
		return missing("", "they are held against results that were left out, and none was yet")
	case r.Unavailable != "":
		return missing("what other values of the method's parameters explain is told when results were left out",
			"they are held against results that were left out, and none was yet")
	case !r.Compared:
		return missing("H tries other values of the method's parameters. The "+m.scores(),
			"H tries them. Now the "+m.scores())
	case len(r.Alternatives) == 0:
		return missing("no other value of a parameter says anything else of these results",
			"none says anything else of these results")
	}
	body := layout.Column(layout.Text(w-2,
		" "+st.Paint(st.Dim, st.Plain(layout.ShortenIn(st, "gain in log density ± its standard error", w-4)))).
		Prose("gain in log density", "log predictive density",
			"By how much the log predictive density of all results, left out, is greater with an assumption; after ± "+
				"the standard error of that. A gain of less than twice its error can be chance."))
	from, to := m.listed(h)
	for i := from; i < to; i++ {
		a := r.Alternatives[i]
		body.Below(layout.Text(w-2, m.alternative(i, a, w-2)).
			Describe(layout.Number, a.Label+" "+a.Value, "evidence", func() string { return describeAlternative(a) }))
	}
	if s := r.Recommendation(); s != nil {
		title = "better: " + sanitize.Text(s.Label+" "+s.Value)
	} else {
		title += ": none is better"
	}
	better := 0
	for _, a := range r.Alternatives {
		if a.Better {
			better++
		}
	}
	return layout.Panel(st, st.Plain(title), body, w, h, true).
		Section(title, "log predictive density",
			fmt.Sprintf("%s of the method, each held against the results that were left out; %d of them explain the "+
				"results better by more than their uncertainty. Now the %s.",
				widget.Count(len(r.Alternatives), "other assumption"), better, m.scores()))
}

// describeAlternative describes a line of the list.
func describeAlternative(a diagnostics.Alternative) string {
	verdict := "which can be chance"
	switch {
	case a.Better:
		verdict = "more than chance would make: enter takes it"
	case a.Gain < 0:
		verdict = "so it explains the results less well"
	}
	text := fmt.Sprintf("With %s %s the results are %s in log density, ± %s: %s.", a.Label, a.Value,
		diagnostics.FormatGain(a.Gain), strings.TrimPrefix(diagnostics.FormatGain(a.SE), "+"), verdict)
	if !math.IsNaN(a.Evidence) {
		text += " The evidence of all results together gains " + diagnostics.FormatGain(a.Evidence) + "."
	}
	return text
}

// listed is the range of alternatives that a panel of h rows has room for: one in each row below the heading.
func (m *CheckPage) listed(h int) (from, to int) {
	n, room := len(m.report.Alternatives), max(h-3, 0)
	from = min(max(m.chosen-room/2, 0), max(n-room, 0))
	return from, min(from+room, n)
}

// alternative is one line of the list.
func (m *CheckPage) alternative(i int, a diagnostics.Alternative, w int) string {
	st := m.Style
	pointer, color := "  ", st.Text
	if i == m.chosen {
		pointer, color = layout.Fit(st.Pointer(), 2), st.Accent
	}
	what := a.Label + " " + a.Value
	gain, shade := fmt.Sprintf("%8s ± %-6s", diagnostics.FormatGain(a.Gain),
		strings.TrimPrefix(diagnostics.FormatGain(a.SE), "+")), st.Dim
	if a.Better {
		gain, shade = gain+" better", st.Good
	}
	wide := min(max(w-46, 16), 34)
	if !math.IsNaN(a.Evidence) && w-wide > 45 {
		gain = layout.Fit(gain, 26) + "  evidence " + diagnostics.FormatGain(a.Evidence)
	}
	return layout.Fit(st.PaintBold(st.Accent, pointer)+
		st.Paint(color, layout.Fit(layout.ShortenIn(st, st.Plain(sanitize.Text(what)), wide), wide))+
		st.Paint(shade, st.Plain(gain)), w)
}

// scores are the sums that others are compared with.
func (m *CheckPage) scores() string {
	sum, evidence := 0.0, 0.0
	for _, o := range m.report.Objectives {
		sum, evidence = sum+o.LogScore, evidence+o.LogEvidence
	}
	text := "log predictive density of these results is " + widget.Number(sum)
	if !math.IsNaN(evidence) {
		text += ", the log evidence " + widget.Number(evidence)
	}
	return text
}
