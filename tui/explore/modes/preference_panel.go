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

// Below are the two outcomes in the objectives' own units, with bars of how good each is and their difference. The box
// describeParameters why the question is asked.
func (q *PreferenceMode) Below(s mode.Scene, w, h int) *layout.Box {
	st, body := s.Style, layout.New(w, h)
	asked, o := q.Overlay(s).Question, s.Outcomes.Displayed
	if len(asked) < 2 || o == nil {
		return body.Section("which do you prefer?", "question",
			"The question stands here as soon as the outcomes that it is about are computed.")
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
			fmt.Sprintf("A is what step %d gave, B what step %d gave; both are marked on the picture above. The bars "+
				"below say how good each is: empty at the worst of the range, full at the best.", q.pair.A[0],
				q.pair.B[0])))
	}
	for k, of := range s.State.Problem.Objectives[:min(max(h-1, 0), len(s.State.Problem.Objectives))] {
		a, b, better := asked[0][k], asked[1][k], "higher is better"
		if of.Transform().Sign > 0 {
			better = "lower is better"
		}
		row := layout.Fit(st.Paint(st.Text, of.Name), 10) + q.bar(s, d.Outcome(k, a), width) + " " +
			layout.Fit(widget.Number(a), 11) +
			q.bar(s, d.Outcome(k, b), width) + " " + layout.Fit(widget.Number(b), 10)
		for _, more := range []string{
			st.Paint(st.Dim, " B "+st.Plain(of.Transform().FormatChange(a, b, widget.Number))),
			st.Paint(st.Faint, "  "+better)} {
			if ansi.StringWidth(row+more) >= w {
				break
			}
			row += more
		}
		body.Add(line(1+k, row).Describe(layout.Number, sanitize.Text(of.Name), "objective", func() string {
			return compared(of, a, b, d.Outcome(k, a), d.Outcome(k, b))
		}))
	}
	return body.Section("which do you prefer?", "question", q.why(o))
}

// why says why the question is asked, and what the answers left of what the weights may be.
func (q *PreferenceMode) why(o *front.Outcomes) string {
	little, left := "", ""
	if q.pair.Gain < minInformation {
		little = ", which is hardly anything"
	}
	if o.Particles > 0 {
		left = fmt.Sprintf(" Your answers left of %d drawn weights as if %.0f (N_eff).", o.Particles, o.Effective)
	}
	return fmt.Sprintf("Of the pairs that you were not asked about, the one whose answer is expected to tell most of "+
		"your weights: %.2g nats of information%s. Press 1 for A, 2 for B, 3 if they are alike to you.%s", q.pair.Gain,
		little, left)
}

// bar is how good an outcome is, from empty at the worst of the range to full at the best.
func (q *PreferenceMode) bar(s mode.Scene, outcome float64, width int) string {
	st, full, empty := s.Style, "█", "░"
	if st.ASCII {
		full, empty = "#", "."
	}
	n := int(math.Round(min(max(outcome, 0), 1) * float64(width)))
	return st.Paint(st.Acquisition, strings.Repeat(full, n)) + st.Paint(st.Faint, strings.Repeat(empty, width-n))
}

// compared describes two values of an objective, and how good they are as outcomes.
func compared(of functions.Objective, a, b, goodA, goodB float64) string {
	name, g := sanitize.Text(of.Name), of.Transform()
	value := func(v float64) string { return strings.TrimSpace(widget.Number(v) + " " + sanitize.Text(of.Unit)) }
	verdict := "the two are alike in it"
	switch {
	case g.Apply(a) < g.Apply(b):
		verdict = "A is the better one in it"
	case g.Apply(b) < g.Apply(a):
		verdict = "B is the better one in it"
	}
	return fmt.Sprintf("%s, of which %s is better: A has %s, %.0f %% of the way from the worst to the best of the "+
		"range, B %s, %.0f %%; from A to B it changes by %s, and %s.", name,
		map[bool]string{true: "less", false: "more"}[g.Sign > 0], value(a), 100*goodA, value(b), 100*goodB,
		g.FormatChange(a, b, widget.Number), verdict)
}
