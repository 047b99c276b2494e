package sessions

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"bandscope/functions/digits"
)

// Decision is one thing that was decided on the way through a session, as opposed to what came of it.
type Decision struct {
	Step int    // the iteration that it belongs to, from 1
	Text string // what was decided, in the problem's units
	key  string // equal for decisions that are the same
}

// Decisions are what was decided on the branch with an id, from the first on: points, parameters, priors, answers, corrections.
func (s *Session) Decisions(branch string) ([]Decision, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	tip := s.events[branch]
	if tip == nil {
		return nil, fmt.Errorf("there is no branch %q", branch)
	}
	list := []Decision{{Step: 1, Text: "starts with " + s.root.state.Title(), key: s.root.state.Title()}}
	for _, e := range chain(tip)[1:] {
		st, err := s.stateAt(e)
		if err != nil {
			return nil, err
		}
		if text := st.decided(e); text != "" {
			list = append(list, Decision{Step: len(e.parent.state.Iterations) + 1, Text: text, key: e.kind + string(decisionOf(e))})
		}
	}
	return list, nil
}

// decisionOf is the part of an event's data that was decided: of a suggestion its points, whatever was believed of them and however long they took.
func decisionOf(e *event) []byte {
	if e.kind != kindSuggested {
		return e.data
	}
	var d suggestedData
	if json.Unmarshal(e.data, &d) != nil {
		return e.data
	}
	b, err := json.Marshal(d.X)
	if err != nil {
		return e.data
	}
	return b
}

// decided tells what an event decides, after which the state is st; empty if nothing.
func (st State) decided(e *event) string {
	switch e.kind {
	case kindSuggested:
		rows := make([]string, len(st.Pending.X))
		for i, x := range st.Pending.X {
			rows[i] = st.pointText(x)
		}
		return st.Pending.By + " evaluates " + strings.Join(rows, ", ")
	case kindEdited:
		var d editedData
		if json.Unmarshal(e.data, &d) == nil {
			return fmt.Sprintf("%s becomes %v, from %v", d.Key, d.Value, d.Old)
		}
	case kindForked:
		return fmt.Sprintf("branches off as %q, with %s", st.Branch, st.Spec.Name)
	case kindCompared:
		c := st.Compared[len(st.Compared)-1]
		return fmt.Sprintf("of the outcomes of steps %d and %d: %s", c.A[0], c.B[0], c.Answer)
	case kindRetracted:
		return "an answer is taken back"
	case kindCorrected:
		var d correctedData
		if json.Unmarshal(e.data, &d) == nil {
			to := "is withdrawn"
			if d.Y != nil {
				to = "becomes " + numbers(cast[float64](d.Y))
			}
			return fmt.Sprintf("the observation of step %d %s", d.Step, to) + because(d.Reason)
		}
	case kindRejected:
		r := st.Rejected[len(st.Rejected)-1]
		return "the suggestion " + st.pointText(r.X[0]) + " is rejected" + because(r.Reason)
	case kindBounded:
		var d boundedData
		if json.Unmarshal(e.data, &d) == nil {
			return fmt.Sprintf("%s is kept within [%s, %s]", d.Variable, digits.Given(float64(d.Low)), digits.Given(float64(d.High))) + because(d.Reason)
		}
	}
	return ""
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ", because " + reason
}

// pointText writes an input, cut after four values.
func (st State) pointText(x []float64) string {
	parts := make([]string, 0, 5)
	for i, v := range x {
		if i == 4 && len(x) > 5 {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, numbers([]float64{v}))
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// Difference is how two lists of decisions differ.
type Difference struct {
	Shared int        // decisions at the beginning that are the same
	Steps  []StepDiff // what follows, a step at a time
}

// StepDiff are the decisions of one step on either side.
type StepDiff struct {
	Step int
	A, B []string
	Same bool
}

// Diff compares two lists of decisions.
func Diff(a, b []Decision) Difference {
	var d Difference
	for d.Shared < min(len(a), len(b)) && a[d.Shared] == b[d.Shared] {
		d.Shared++
	}
	a, b = a[d.Shared:], b[d.Shared:]
	last := 0
	for _, x := range slices.Concat(a, b) {
		last = max(last, x.Step)
	}
	of := func(list []Decision, step int) (texts, keys []string) {
		for _, x := range list {
			if x.Step == step {
				texts, keys = append(texts, x.Text), append(keys, x.key)
			}
		}
		return texts, keys
	}
	for step := 1; step <= last; step++ {
		textsA, keysA := of(a, step)
		textsB, keysB := of(b, step)
		if len(textsA)+len(textsB) > 0 {
			d.Steps = append(d.Steps, StepDiff{Step: step, A: textsA, B: textsB, Same: slices.Equal(keysA, keysB)})
		}
	}
	return d
}

// Lines tells the difference as text, for a left and a right side with names.
func (d Difference) Lines(left, right string) []string {
	lines := []string{fmt.Sprintf("%d decisions are the same", d.Shared)}
	for _, s := range d.Steps {
		if s.Same {
			lines = append(lines, fmt.Sprintf("step %d: the same", s.Step))
			continue
		}
		for _, text := range s.A {
			lines = append(lines, Sanitize(fmt.Sprintf("step %d: %s: %s", s.Step, left, text)))
		}
		for _, text := range s.B {
			lines = append(lines, Sanitize(fmt.Sprintf("step %d: %s: %s", s.Step, right, text)))
		}
	}
	if len(d.Steps) == 0 {
		lines = append(lines, "nothing differs")
	}
	return lines
}
