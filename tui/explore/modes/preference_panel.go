package modes

import (
	"fmt"
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/functions"
	"bandscope/sessions/sanitize"
	"bandscope/tui/explore/mode"
	"bandscope/tui/layout"
	"bandscope/tui/picture/front"
	"bandscope/tui/widget"
)

// Below shows the two outcomes in the objectives' units, with a bar of how good each is, and their difference. The
// description of the box says why the question is asked.
func (q *PreferenceMode) Below(s mode.Scene, w, h int) *layout.Box {
	st, body := s.Style, layout.New(w, h)
	asked, o := q.Overlay(s).Question, s.Outcomes.Displayed
	if len(asked) < 2 || o == nil {
		return body.Section("which do you prefer?", "question",
			"The question appears here when its outcomes are computed.")
	}
	d := front.Drawing{Style: st, State: s.State, Outcomes: o}
	width := max((w-44)/2, 6)
	line := func(row int, text string) *layout.Box {
		return layout.Text(w, " "+text).At(0, row)
	}
	head := layout.Fit("", 10) + layout.Fit(st.PaintBold(st.Accent, "A")+fmt.Sprintf(" step %d", q.pair.A[0]),
		width+12) + st.PaintBold(st.Accent, "B") + fmt.Sprintf(" step %d", q.pair.B[0])
	if h > 0 {
		body.Add(line(0, head).Number("A and B", "question",
			fmt.Sprintf(
				"A is the result of step %d, B the result of step %d; both are marked in the plot above. The bars show how good each value is: empty is the worst of the range, full the best.",
				q.pair.A[0], q.pair.B[0])))
	}
	for k, objective := range s.State.Problem.Objectives[:min(max(h-1, 0), len(s.State.Problem.Objectives))] {
		a := asked[0][k]
		b := asked[1][k]
		better := "higher is better"
		if objective.Transform().Sign > 0 {
			better = "lower is better"
		}
		row := layout.Fit(st.Paint(st.Text, objective.Name), 10) + q.bar(s, d.Outcome(k, a), width) + " " +
			layout.Fit(widget.Number(a), 11) +
			q.bar(s, d.Outcome(k, b), width) + " " + layout.Fit(widget.Number(b), 10)
		for _, remark := range []string{
			st.Paint(st.Dim, " B "+st.Plain(objective.Transform().FormatChange(a, b, widget.Number))),
			st.Paint(st.Faint, "  "+better)} {
			if ansi.StringWidth(row+remark) >= w {
				break
			}
			row += remark
		}
		body.Add(line(1+k, row).Describe(layout.Number, sanitize.Text(objective.Name), "objective", func() string {
			return compared(objective, a, b, d.Outcome(k, a), d.Outcome(k, b))
		}))
	}
	return body.Section("which do you prefer?", "question", q.why(o))
}

// why says why the question is asked, and how many effective samples of the weights the answers left.
func (q *PreferenceMode) why(o *front.Outcomes) string {
	little, left := "", ""
	if q.pair.Gain < minInformation {
		little = ", which is very little"
	}
	if o.Particles > 0 {
		left = fmt.Sprintf(" After your answers, %d sampled weights are worth %.0f (N_eff).", o.Particles, o.Effective)
	}
	return fmt.Sprintf(
		"This pair is expected to tell most about your weights: %.2g nats of information%s. Press 1 if you prefer A, 2 for B, 3 if both are equally good.%s",
		q.pair.Gain, little, left)
}

// bar is how good an outcome is, from empty at the worst of the range to full at the best.
func (q *PreferenceMode) bar(s mode.Scene, outcome float64, width int) string {
	st := s.Style
	full := "█"
	empty := "░"
	if st.ASCII {
		full, empty = "#", "."
	}
	n := int(math.Round(min(max(outcome, 0), 1) * float64(width)))
	return st.Paint(st.Acquisition, strings.Repeat(full, n)) + st.Paint(st.Faint, strings.Repeat(empty, width-n))
}

// compared describes two values of an objective; goodA and goodB are their outcomes.
func compared(objective functions.Objective, a, b, goodA, goodB float64) string {
	name, g := sanitize.Text(objective.Name), objective.Transform()
	value := func(v float64) string {
		return strings.TrimSpace(widget.Number(v) + " " + sanitize.Text(objective.Unit))
	}
	verdict := "Both are equal"
	switch {
	case g.Apply(a) < g.Apply(b):
		verdict = "A is better"
	case g.Apply(b) < g.Apply(a):
		verdict = "B is better"
	}
	return fmt.Sprintf(
		"The values of %s; %s is better. A has %s, %.0f %% of the way from the worst to the best of the range; B has %s, %.0f %%. %s: the change from A to B is %s.",
		name, map[bool]string{true: "lower", false: "higher"}[g.Sign > 0], value(a), 100*goodA, value(b), 100*goodB,
		verdict, g.FormatChange(a, b, widget.Number))
}
