package modelcheck

import (
	"fmt"
	"math"
	"strings"

	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// alternatives lists how well other values of the parameters explain the results.
func (m *CheckPage) alternatives(w, h int) *layout.Box {
	st := m.Style
	r := m.report
	title := "alternatives"
	missing := func(text, why string) *layout.Box {
		return layout.EmptyPanel(m.Style, title, text, w, h, "log predictive density",
			"Whether other values of the method's parameters explain the results better.", why)
	}
	switch {
	case r == nil:
		return missing("", noPredictions)
	case r.Unavailable != "":
		return missing("alternatives are compared by leave-one-out predictions, and there are none yet", noPredictions)
	case !r.Compared:
		key := keyFor(checkCommands(), tryAlternatives)
		return missing(key+" tries other values of the method's parameters. Now the "+m.scores(),
			key+" tries the alternatives. Now the "+m.scores())
	case len(r.Alternatives) == 0:
		return missing("no other value of a parameter changes the predictions of these results",
			"no alternative changes the predictions of these results")
	}
	body := layout.Column(layout.Text(w-2,
		" "+st.Paint(st.Dim, st.Plain(layout.ShortenIn(st, "gain in log density ± standard error", w-4)))).
		Prose("gain in log density", "log predictive density",
			"How much higher the log predictive density of the leave-one-out predictions is with an alternative, ± the standard error of the gain. A gain of less than twice its standard error can be chance."))
	from, end := m.listed(h)
	for i := from; i < end; i++ {
		a := r.Alternatives[i]
		line := layout.Text(w-2, m.alternative(i, a, w-2)).
			Describe(layout.Number, a.Label+" "+a.Value, "evidence", func() string { return describeAlternative(a) })
		line.Focus = func() { m.chosen = i }
		line.Actions = []layout.Action{{Key: "enter"}}
		body.Below(line)
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
			fmt.Sprintf("%s of the method's parameters, compared by leave-one-out predictions: %s. Now the %s.",
				widget.Count(len(r.Alternatives), "other value"), betterText(better), m.scores()))
}

// noPredictions is why there is no list while no result was left out.
const noPredictions = "alternatives are compared by leave-one-out predictions, and there are none yet"

// betterText says how many alternatives are better.
func betterText(n int) string {
	switch n {
	case 0:
		return "none is clearly better"
	case 1:
		return "1 is clearly better"
	}
	return fmt.Sprintf("%d are clearly better", n)
}

// describeAlternative describes a line of the list.
func describeAlternative(a diagnostics.Alternative) string {
	verdict := "not clearly better"
	switch {
	case a.Better:
		verdict = "clearly better; enter takes this value"
	case a.Gain < 0:
		verdict = "not better"
	}
	text := fmt.Sprintf("With %s %s the log predictive density changes by %s ± %s: %s.", a.Label, a.Value,
		diagnostics.FormatGain(a.Gain), strings.TrimPrefix(diagnostics.FormatGain(a.SE), "+"), verdict)
	if !math.IsNaN(a.Evidence) {
		text += " The log evidence changes by " + diagnostics.FormatGain(a.Evidence) + "."
	}
	return text
}

// listed is the range of alternatives that a panel of h rows shows: one in each row below the heading.
func (m *CheckPage) listed(h int) (from, end int) {
	n, room := len(m.report.Alternatives), max(h-3, 0)
	from = widget.Top(m.chosen, n, room)
	return from, min(from+room, n)
}

// alternative is one line of the list.
func (m *CheckPage) alternative(i int, a diagnostics.Alternative, w int) string {
	st := m.Style
	pointer, color := "  ", st.Text
	if i == m.chosen {
		pointer, color = layout.Fit(st.Pointer(), 2), st.Accent
	}
	label := a.Label + " " + a.Value
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
		st.Paint(color, layout.Fit(layout.ShortenIn(st, st.Plain(sanitize.Text(label)), wide), wide))+
		st.Paint(shade, st.Plain(gain)), w)
}

// scores are the current sums, with which those of the alternatives are compared.
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
