package compare

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
)

// Methods are compared over the data of an experiment, without the truth that nobody knows.
func TestExperimentCompared(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3})
	require.NoError(t, err)
	truth := *s.State().Problem
	s.State().Problem.Truth = nil
	for _, x := range []float64{0.1, 0.4, 0.9} {
		it, err := s.AskPoint([]float64{x})
		require.NoError(t, err)
		_, err = s.Tell(it.ID, functions.Outcome{Values: truth.Truth.Value([]float64{x})})
		require.NoError(t, err)
	}
	m, err := NewWithSession(s, "")
	require.NoError(t, err)
	d := begin(t, m, 120, 36, trueColor)
	for _, k := range []string{"y", "y", "v", "v"} {
		if strings.Contains(strings.Join(strings.Split(ansi.Strip(d.screen()), "\n")[:34], "\n"), "truth") {
			t.Errorf("before %s it shows a truth:\n%s", k, d.screen())
		}
		d.press(k)
	}
	d.press("t")
	d.Shows("only evaluations of the problem are known")
	d.press("R")
	d.Shows("an experiment cannot be raced")
}
