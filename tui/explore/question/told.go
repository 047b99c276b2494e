package question

import (
	"fmt"
	"strings"

	"bandscope/sessions/safe"
	"bandscope/tui/belief/several"
	"bandscope/tui/explain"
	"bandscope/tui/explore/mode"
	"bandscope/tui/screen"
)

// BelowElements tells the question: why it is asked, what the answers left of what the weights may be, and the pair, an objective a row.
func (q *Question) BelowElements(s mode.Scene, left, top, w, h int) []explain.Element {
	asked, o := q.Overlay(s).Asked, s.Outcomes.Shown
	if len(asked) < 2 || o == nil {
		return nil
	}
	list := []explain.Element{{Kind: explain.Panel, Name: "which do you prefer?", Term: "question", Where: explain.Rect(left-1, top-1, w+2, h+1),
		Says: fmt.Sprintf("Of the pairs that you were not asked about, the one whose answer is expected to tell most of your weights: %.2g nats of information%s. Press 1 for A, 2 for B, 3 if they are alike to you.",
			q.pair.Gain, map[bool]string{true: ", which is hardly anything"}[q.pair.Gain < enough])}}
	if o.Particles > 0 {
		list = append(list, explain.Element{Kind: explain.Number, Name: "N_eff", Term: "question", Where: explain.Rect(left, top-1, w, 1),
			Says: fmt.Sprintf("%d drawn weights stand for what you may want, by your answers some likelier than others: as if %.0f that count alike were left (N_eff). Where that falls below half of them, they are drawn anew.", o.Particles, o.Effective)})
	}
	list = append(list, explain.Element{Kind: explain.Number, Name: "A and B", Term: "question", Where: explain.Rect(left, top, w, min(h, 1)),
		Says: fmt.Sprintf("A is what step %d gave, B what step %d gave; both are marked on the picture above. The bars below say how good each is: empty at the worst of the range, full at the best.", q.pair.A[0], q.pair.B[0])})
	d := several.Drawing{Style: s.Style, State: s.State, Outcomes: o}
	for k, objective := range s.State.Problem.Objectives {
		if k+1 >= h {
			break
		}
		name, g, a, b := safe.Text(objective.Name), objective.Gauge(), asked[0][k], asked[1][k]
		value := func(v float64) string { return strings.TrimSpace(screen.Number(v) + " " + safe.Text(objective.Unit)) }
		verdict := "the two are alike in it"
		switch {
		case g.Counted(a) < g.Counted(b):
			verdict = "A is the better one in it"
		case g.Counted(b) < g.Counted(a):
			verdict = "B is the better one in it"
		}
		list = append(list, explain.Element{Kind: explain.Number, Name: name, Term: "objective", Where: explain.Rect(left, top+1+k, w, 1),
			Says: fmt.Sprintf("%s, of which %s is better: A has %s, %.0f %% of the way from the worst to the best of the range, B %s, %.0f %%; from A to B it changes by %s, and %s.", name,
				map[bool]string{true: "less", false: "more"}[g.Sign > 0], value(a), 100*d.Outcome(k, a), value(b), 100*d.Outcome(k, b), g.Change(a, b, screen.Number), verdict)})
	}
	return list
}
