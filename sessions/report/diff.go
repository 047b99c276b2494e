package report

import (
	"fmt"
	"slices"

	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/sanitize"
)

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
func Diff(a, b []sessions.Decision) Difference {
	var d Difference
	for d.Shared < min(len(a), len(b)) && a[d.Shared] == b[d.Shared] {
		d.Shared++
	}
	a, b = a[d.Shared:], b[d.Shared:]
	last := 0
	for _, x := range slices.Concat(a, b) {
		last = max(last, x.Step)
	}
	apply := func(list []sessions.Decision, step int) (texts, keys []string) {
		for _, x := range list {
			if x.Step == step {
				texts, keys = append(texts, x.Text), append(keys, x.Key)
			}
		}
		return texts, keys
	}
	for step := 1; step <= last; step++ {
		textsA, keysA := apply(a, step)
		textsB, keysB := apply(b, step)
		if len(textsA)+len(textsB) > 0 {
			d.Steps = append(d.Steps, StepDiff{Step: step, A: textsA, B: textsB, Same: slices.Equal(keysA, keysB)})
		}
	}
	return d
}

// Lines describes the difference, for a left and a right side with names.
func (d Difference) Lines(left, right string) []string {
	lines := []string{numfmt.Count(d.Shared, "decision") + map[bool]string{true: " is", false: " are"}[d.Shared == 1] +
		" the same"}
	for _, s := range d.Steps {
		if s.Same {
			lines = append(lines, fmt.Sprintf("step %d: the same", s.Step))
			continue
		}
		for _, text := range s.A {
			lines = append(lines, sanitize.Text(fmt.Sprintf("step %d: %s: %s", s.Step, left, text)))
		}
		for _, text := range s.B {
			lines = append(lines, sanitize.Text(fmt.Sprintf("step %d: %s: %s", s.Step, right, text)))
		}
	}
	if len(d.Steps) == 0 {
		lines = append(lines, "no differences")
	}
	return lines
}
