package report

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
)

// The command repeats a session of which every point is a step of one method; of any other it opens the file, and
// without one there is none.
func TestRepeatCommand(t *testing.T) {
	ctx := context.Background()
	step := func(s *sessions.Session) error { _, err := s.Step(ctx, nil); return err }
	for _, c := range []struct {
		name string
		do   func(s *sessions.Session) error
		runs bool
	}{
		{"steps", step, true},
		{"a note", func(s *sessions.Session) error { return s.Note("# seen") }, true},
		{"back", func(s *sessions.Session) error { s.GoTo(2); return nil }, true},
		{"a pending suggestion", func(s *sessions.Session) error { _, err := s.Ask(ctx, nil); return err }, true},
		{"an edit", func(s *sessions.Session) error { return s.Edit("kernel", "se") }, false},
		{"an edit and a step", func(s *sessions.Session) error {
			if err := s.Edit("kernel", "se"); err != nil {
				return err
			}
			return step(s)
		}, false},
		{"a point of a person", func(s *sessions.Session) error { _, err := s.Query(ctx, []float64{0.3}); return err },
			false},
		{"bounds", func(s *sessions.Session) error { return s.Bound(ctx, "x", 0, 0.5, "") }, false},
		{"a correction", func(s *sessions.Session) error { return s.Correct(2, 0, []float64{1}, "") }, false},
		{"another method", func(s *sessions.Session) error { return s.Fork("b", "gp-ucb") }, false},
		{"several points at once", func(s *sessions.Session) error {
			asked, err := s.AskBatch(ctx, sessions.Batch{Points: 2}, nil)
			if err != nil {
				return err
			}
			for range asked {
				if err := step(s); err != nil {
					return err
				}
			}
			return nil
		}, false},
		{"a result that a person reports", func(s *sessions.Session) error {
			it, err := s.Ask(ctx, nil)
			if err == nil {
				_, err = s.Tell(it.ID, functions.Outcome{Values: []float64{3}})
			}
			return err
		}, false},
	} {
		s := start(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 2, Noise: 0.1})
		for range 3 {
			require.NoError(t, step(s))
		}
		require.NoError(t, c.do(s), c.name)
		line, err := RepeatCommand(ctx, s)
		if c.runs != (err == nil) || c.runs && !strings.HasPrefix(line,
			"bandscope run -f forrester -o gp-ei --seed 2 --noise 0.1 --set design_size=budget -n ") {
			t.Errorf("%s: the command is %q, %v", c.name, line, err)
		}
		path := filepath.Join(t.TempDir(), "it's a session.jsonl")
		require.NoError(t, s.SaveAs(path))
		if line, err := RepeatCommand(ctx, s); err != nil || !c.runs &&
			line != "bandscope '"+strings.ReplaceAll(path, "'", `'\''`)+"'" {
			t.Errorf("%s: the command is %q, %v", c.name, line, err)
		}
		s.Close()
	}
}

// A word that a shell could take for more than a word is quoted, and one with control characters is refused.
func TestShellWord(t *testing.T) {
	for word, want := range map[string]string{"gp-ei": "gp-ei", "": "''", "a b": "'a b'", "$(rm x)": "'$(rm x)'",
		"it's": `'it'\''s'`, "~": "'~'", "box(-80..-70, any)": "'box(-80..-70, any)'", "é": "'é'"} {
		assert.Equal(t, want, functions.ShellWord(word), "%q", word)
	}
	s := start(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 2})
	defer s.Close()
	if err := s.SaveAs(filepath.Join(t.TempDir(), "a\x1b]0;b.jsonl")); err != nil {
		t.Skip("the file system has no such names")
	}
	if line, err := RepeatCommand(t.Context(), s); err == nil {
		t.Errorf("the command is %q", line)
	}
}

// The table has a row per point, units in the first row, and no cell that a spreadsheet would compute or part.
func TestTableText(t *testing.T) {
	cfg, err := sessions.Config{Optimizer: "random",
		Seed: 3}.WithExperiment("../../functions/experiment/testdata/espresso.toml")
	require.NoError(t, err)
	s := start(t, cfg)
	defer s.Close()
	p := s.State().Problem
	o, err := p.Outcome([]float64{15.25, 25}, functions.Result{Values: map[string]float64{"extraction": 18.125,
		"bitterness": 3}, Note: "=1+1\tand\nmore"})
	if err == nil {
		_, err = s.Record(sessions.ByPerson, [][]float64{{15.25, 25}}, o)
	}
	require.NoError(t, err)
	const want = "step\tsource\tdose (g)\ttime (s)\textraction (%)\textraction_true (%)\tbitterness\tbitterness_true\tfailed\tseconds\tnotes\n1\tperson\t15.25\t25\t18.125\t\t3\t\tfalse\t0\t'=1+1 and more\n"
	if got := TableText(s.State()); got != want {
		t.Errorf("the table is\n%q, want\n%q", got, want)
	}
	assert.Equal(t, "dose=15.25, time=25", PointText(p.Domain, []float64{15.25, 25}), "the point")
	mixed, err := sessions.Config{Problem: "solvents", Optimizer: "random", Seed: 1}.FindProblem()
	require.NoError(t, err)
	u := make([]float64, mixed.Dim())
	if got := PointText(mixed.Domain, mixed.Domain.FromUnit(u)); strings.Count(got, "=") != len(u) ||
		!strings.Contains(got, "solvent="+mixed.Domain[0].Choices[0]) && !strings.Contains(got, "=") {
		t.Errorf("the point is %q", got)
	}
}
