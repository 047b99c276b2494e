package explained

import (
	"strings"
	"testing"

	"bandscope/tui/explain"
)

// What no element tells is found: a name of the legend, a part, a number; and what is told badly.
func TestLacks(t *testing.T) {
	lines := strings.Split("╭─ belief ──────╮\n│ 12 ● data     │\n╰───────────────╯", "\n")
	part := explain.Element{Kind: explain.Panel, Name: "belief", Says: "The part with the belief.", Where: explain.Rect(0, 0, 17, 3)}
	data := explain.Element{Name: "data", Term: "posterior", Says: "There are 12 results.", Where: explain.Rect(2, 1, 9, 1)}
	if got := Lacks([]explain.Element{part, data}, lines, []string{"data"}); got != nil {
		t.Errorf("of a screen that is told: %q", got)
	}
	with := func(change func(*explain.Element)) []explain.Element {
		e := data
		change(&e)
		return []explain.Element{part, e}
	}
	for _, c := range []struct {
		elements []explain.Element
		want     string
	}{
		{nil, "nothing is told"},
		{[]explain.Element{part}, `the legend's "data"`},
		{[]explain.Element{part}, "the number 12 in row 1, column 2"},
		{[]explain.Element{data}, `the part "belief" in row 0`},
		{with(func(e *explain.Element) { e.Says = "Twelve" }), "in 1 words"},
		{with(func(e *explain.Element) { e.Says = "There are 12 results" }), "brokenly"},
		{with(func(e *explain.Element) { e.Says = "There are NaN results." }), "brokenly"},
		{with(func(e *explain.Element) { e.Term = "posteriro" }), "posterior"},
		{with(func(e *explain.Element) { e.Where = explain.Rect(2, 1, 90, 1) }), "outside of the window"},
		{with(func(e *explain.Element) { e.Where = explain.Rect(2, 1, 0, 0) }), "is nowhere"},
		{with(func(e *explain.Element) { e.Name = "" }), "has no name"},
	} {
		if got := strings.Join(Lacks(c.elements, lines, []string{"data"}), "\n"); !strings.Contains(got, c.want) {
			t.Errorf("found is %q, want %q", got, c.want)
		}
	}
}
