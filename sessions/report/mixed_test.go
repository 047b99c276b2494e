package report

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/sessions"
)

// A session on variables of all kinds repeats itself, over what was run elsewhere, narrowed and forked, and after it
// was closed; what was decided tells names.
func TestMixedSessionRepeats(t *testing.T) {
	cfg, err := sessions.Config{Optimizer: "gp-ei", Seed: 3,
		Params: map[string]any{"initial": 3}}.WithExperiment("../../functions/experiment/testdata/coupling.toml")
	require.NoError(t, err)
	s := start(t, cfg)
	report := func(n int) {
		t.Helper()
		for range n {
			it, err := s.Ask(t.Context(), nil)
			require.NoError(t, err)
			x := slices.Clone(it.Points[0].X)
			x[3] = float64(it.Number % 4) // the solvent that was at hand
			_, err = s.Tell(it.ID, functions.Outcome{Values: []float64{x[0] / 2 / (1 + x[3])}, At: x})
			require.NoError(t, err)
		}
	}
	report(6)
	if err := s.Narrow(t.Context(), "it is cheap", sessions.Bounds{Variable: "solvent", Low: 3, High: 3},
		sessions.Bounds{Variable: "portions", Low: 2, High: 4}); err != nil {
		t.Fatal(err)
	}
	report(1)
	require.NoError(t, s.Fork("other", "random"))
	report(2)
	for _, it := range s.State().Iterations[6:] {
		if it.Points[0].Suggested == nil {
			continue
		}
		if x := it.Points[0].Suggested; x[3] != 3 || x[2] < 2 || x[2] > 4 {
			t.Errorf("step %d is suggested at %v", it.Step, x)
		}
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, s.SaveAs(path))
	for _, s := range []*sessions.Session{s, reopen(t, path)} {
		if v, err := Verify(t.Context(), s, nil); err != nil || v.FirstDivergence != nil || v.Checked != 9 ||
			v.Largest != 0 {
			t.Errorf("%+v, %v", v, err)
		}
		var text strings.Builder
		decided, err := s.Decisions(s.State().Head)
		require.NoError(t, err)
		for _, d := range decided {
			text.WriteString(d.Text + "\n")
		}
		for _, want := range []string{
			"solvent is kept at water, because it is cheap", "portions is kept within [2, 4]", ", water, "} {
			if !strings.Contains(text.String(), want) {
				t.Errorf("the decisions do not tell %q:\n%s", want, text.String())
			}
		}
	}
}

// A grid over what takes levels is the levels.
func TestGridOfLevels(t *testing.T) {
	d, err := experiment.Parse("two.toml",
		[]byte("name = \"two\"\n[[variable]]\nname = \"a\"\nkind = \"choice\"\nchoices = [\"x\", \"y\", \"z\"]\n"+
			"[[variable]]\nname = \"b\"\nlow = 0\nhigh = 1\n[[objective]]\nname = \"f\"\ndirection = \"minimize\"\n"))
	require.NoError(t, err)
	s := start(t, sessions.Config{Problem: d.Name, Experiment: d, Optimizer: "random"})
	grid, err := Grid(s.State(), 2)
	if want := [][]float64{
		{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}}; err != nil || !slices.EqualFunc(grid, want, slices.Equal) {
		t.Errorf("%v, %v", grid, err)
	}
	r, err := Inspect(t.Context(), s, InspectOptions{Inputs: grid}, nil)
	if err != nil || r.Inputs[4][0].String() != "z" {
		t.Errorf("%v, %v", r.Inputs, err)
	}
}
