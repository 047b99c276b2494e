package report

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
)

// A diff tells what was decided otherwise, and keeps silent about what only came of it.
func TestDiff(t *testing.T) {
	s := start(t, sessions.Config{Problem: "forrester", Optimizer: "random"})
	steps(t, s, 4)
	s.Seek(2)
	require.NoError(t, s.Fork("other", ""))
	if _, err := s.Query(context.Background(), []float64{0.5}); err != nil {
		t.Fatal(err)
	}
	steps(t, s, 1)
	list, _ := s.Branches()
	a, _ := s.Decisions(list[0].ID)
	b, _ := s.Decisions(list[1].ID)
	lines := strings.Join(Diff(a, b).Lines("main", "other"), "\n")
	for _, want := range []string{
		"3 decisions are the same", "step 3: main: random evaluates (", "step 3: other: begins the branch \"other\"",
		"step 3: other: person evaluates (0.5)", "step 4: the same"} {
		assert.Contains(t, lines, want, "the diff does not say %q:\n%s", want, lines)
	}
	if d := Diff(a, a); d.Shared != len(a) || len(d.Steps) != 0 {
		t.Errorf("a branch differs from itself: %+v", d)
	}
}
