package acts

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/functions/experiment"
	"bandscope/sessions"
)

// A result that nobody suggested is refused where it breaks a constraint, with the numbers, unless it is told by force;
// one of a point that was suggested is taken, and that is said.
func TestResultsThatBreakAConstraint(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Optimizer: "random",
		Experiment: &experiment.Declaration{Name: "p", Constraints: []string{"dose * ratio <= 40"},
			Variables:  functions.Domain{{Name: "dose", High: 30}, {Name: "ratio", High: 3}},
			Objectives: []functions.Objective{{Name: "y", Direction: functions.Minimize}}}})
	require.NoError(t, err)
	const want = "dose * ratio <= 40: the left side is 44 at dose = 20, ratio = 2.2"
	positions := map[string]float64{"dose": 20, "ratio": 2.2}
	input := Input{"dose": encoding.Typed("20"), "ratio": encoding.Typed("2.2")}
	r := functions.Result{Values: map[string]float64{"y": 1}}
	if _, err := add(s, input, r, false); !errors.Is(err, errNeedsForce) || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("told without force: %v", err)
	}
	if result, err := add(s, input, r, true); err != nil || result.Breaks != want {
		t.Errorf("told by force: %v, %+v", err, result)
	}
	it, err := s.Ask(context.Background(), nil)
	require.NoError(t, err)
	r.At = positions
	if result, err := tell(s, Name{Suggestion: it.Number}, r, false); err != nil || result.Breaks != want {
		t.Errorf("run elsewhere than suggested: %v, %+v", err, result)
	}
}
