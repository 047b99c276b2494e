package front

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/chart"
	"bandscope/tui/theme"
)

// Results have the colour, or without colours the number, of the prior that was in force when they were chosen; a
// result that is reported after a change keeps the one of its suggestion, and the timeline has a mark at the change.
func TestEras(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "thesis-xy", Optimizer: "random", Seed: 3})
	require.NoError(t, err)
	defer s.Close()
	step := func(n int) {
		for range n {
			_, err := s.Step(t.Context(), nil)
			require.NoError(t, err)
		}
	}
	step(3)
	if list, _ := erasOf(s.State()); list != nil {
		t.Errorf("without a change there are eras %+v", list)
	}
	require.NoError(t, s.Edit("prior", "dirichlet(16, 8)"))
	step(2)
	require.NoError(t, s.Answer([2]int{1, 0}, [2]int{2, 0}, sessions.PreferA))
	step(2)
	list, index := erasOf(s.State())
	assert.Equal(t, []int{0, 0, 0, 1, 1, 2, 2}, index)
	for i, want := range []string{"1 flat", "2 dirichlet(16, 8)", "3 dirichlet(16, 8), 1 answer"} {
		assert.Equal(t, want, list[i].name)
	}
	var steered []int
	for _, p := range s.Timeline().Stops {
		if p.Steered {
			steered = append(steered, p.Step)
		}
	}
	assert.Equal(t, []int{3, 5}, steered, "the marks of the timeline")

	st := theme.New(true, theme.TrueColor, false)
	d := Drawing{Style: st, State: s.State(), Outcomes: &Outcomes{}, J: 1}
	count := map[string]int{}
	for _, l := range d.Observed() {
		if p, ok := l.(chart.Points); ok {
			count[fmt.Sprintf("%s %v %v %v", p.Name, p.Color == st.Series[0], p.Color == st.Series[1], p.Color == st.Series[2])] += len(p.X)
		}
	}
	for name, want := range map[string]int{"1 flat true false false": 3, "2 dirichlet(16, 8) false true false": 2,
		"3 dirichlet(16, 8), 1 answer false false true": 1, "newest false false false": 1} {
		assert.Equal(t, want, count[name], "%s of %v", name, count)
	}
	d.Style = theme.New(true, theme.NoColor, false)
	numbers := ""
	for _, l := range d.Observed() {
		if label, ok := l.(chart.Label); ok {
			numbers += label.Text
		}
	}
	assert.Equal(t, "111223", numbers)
	if says, _ := (Description{Drawing: d}).Describe("2 dirichlet(16, 8)"); !strings.Contains(says, "2 steps from step 4 on") {
		t.Errorf("the era is described as %q", says)
	}
}
