package lessonpage

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/internal/modetest"
)

// The goals of a task are measured where a session stands: what has no value yet is not known, what is never drawn
// there is an error.
func TestMeasure(t *testing.T) {
	task := &sessions.Task{Text: "Find it.", Goals: []string{"points > 3", "regret < 0.5", "steps = 0"}}
	s := modetest.Session(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, 0)
	measured := func(want string, reached bool) {
		t.Helper()
		goals, err := Measure(t.Context(), s.Snapshot(), task)
		require.NoError(t, err)
		var texts []string
		for _, g := range goals {
			texts = append(texts, g.ProgressText())
		}
		if got := strings.Join(texts, ", "); got != want || AllReached(goals) != reached {
			t.Errorf("%s, reached %v; want %s", got, AllReached(goals), want)
		}
	}
	measured("now 0, not known yet, holds (0)", false)
	for range 4 {
		if _, err := s.Step(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Query(t.Context(), []float64{0.757}); err != nil {
		t.Fatal(err)
	}
	// f(0.757249) = -6.020740 is the minimum; f(0.757) by another program is 3.302e-05 more
	measured("holds (5), holds (3.302e-05), now 5", false)
	task.Goals = task.Goals[:2]
	measured("holds (5), holds (3.302e-05)", true)
	if goals, err := Goals(task); err != nil || goals[1].Words != "the simple regret < 0.5" || AllReached(goals) ||
		AllReached(nil) {
		t.Errorf("%+v, %v", goals, err)
	}
	goals, err := Goals(&sessions.Task{Goals: []string{"points < 9", "points > 3", "points < 5", "regret < 1"}})
	require.NoError(t, err)
	for i, want := range []string{"results on the plot between 3 and 9", "results on the plot between 3 and 5", ""} {
		if both, ok := goals[i].Merge(goals[i+1]); ok != (want != "") || ok && both.Words != want {
			t.Errorf("goals %d and %d as one: %q, %v", i, i+1, both.Words, ok)
		}
	}
	for goal, want := range map[string]string{
		"regrets < 1": "regret", "box-probability > 1": "not on this page", "regret < much": "not a number",
		"regret =< 1": "must be one of"} {
		_, err = Measure(t.Context(), s.Snapshot(), &sessions.Task{Goals: []string{goal}})
		assert.ErrorContains(t, err, want, "%s: %v, want %q", goal, err, want)
	}
}
