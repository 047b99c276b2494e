package foreign

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/sheet"
	"bandscope/sessions"
	"bandscope/sessions/acts"
)

// A journal of Optuna (testdata/make_journal.py) is imported with the names of its metrics and choices and with wide
// integers; a trial out of range is left out with its name, and tables with the names of Optuna are read afterwards.
func TestOptunaJournal(t *testing.T) {
	r, err := Read(t.Context(), "testdata/optuna-journal.log", Options{Study: "amide coupling"})
	require.NoError(t, err)
	d := functions.Domain(r.Experiment.Variables)
	if len(d) != 4 || d[0].Name != "seed" || d[0].Kind != functions.Integer || d[0].High != 3e9 ||
		!slices.Equal(d[1].Choices, []string{"1,4-dioxane", "C=O", "null"}) || d[2].Header != "x y z" || d[3].Header != "x.y/z" {
		t.Errorf("%+v", d)
	}
	if o := r.Experiment.Objectives; len(o) != 2 || o[0].Name != "yield" || o[0].Direction != functions.Maximize ||
		o[1].Name != "cost" || o[1].Direction != functions.Minimize {
		t.Errorf("%+v", o)
	}
	if len(r.Trials) != 6 || r.Trials[3].Reason != "failed" || r.Trials[4].Reason != "pruned" {
		t.Errorf("%+v", r.Trials)
	}
	notices := strings.Join(r.Notices, "\n")
	for _, want := range []string{"1 trial without a result", `"x.y/z" is named x_y_z_2 here`, `"x y z" is named x_y_z here`,
		"trial 6 left out: x_y_z must be in [0, 1], got 2.5"} {
		assert.Contains(t, notices, want, "%s\nlacks %s", notices, want)
	}
	s, err := r.Session(t.Context(), sessions.Config{Optimizer: "random", Seed: 4})
	require.NoError(t, err)
	defer s.Close()
	table := "x.y/z,x y z,seed,solvent,yield,cost,evaluation_cost\n0.25,0.5,2000000001,\"1,4-dioxane\",0.7,3,8\n"
	_, err = acts.TellTable(t.Context(), s, strings.NewReader(table), sheet.Options{}, false, nil)
	require.NoError(t, err)
	pt := s.State().Iterations[6].Points[0]
	if !slices.Equal(pt.X, []float64{2000000001, 0, 0.5, 0.25}) || !slices.Equal(pt.Y, []float64{0.7, 3}) || pt.Cost != 8 {
		t.Errorf("%+v", pt)
	}
	_, err = Read(t.Context(), "testdata/optuna-journal.log", Options{})
	assert.ErrorContains(t, err, "it has 2 studies; name one: amide coupling, other")
}

// Whatever a journal contains, it is refused or makes a run that can be a session.
func FuzzJournal(f *testing.F) {
	text, err := os.ReadFile("testdata/optuna-journal.log")
	require.NoError(f, err)
	f.Add(text)
	for _, line := range []string{`{"op_code":1,"study_id":0}`, `{"op_code":5,"trial_id":9}`, `{"op_code":-1}`, `{}`,
		`{"op_code":4,"study_id":1,"state":1,"value":2,"params":{"n":77},"distributions":{"n":"{}"}}`} {
		f.Add(append(slices.Clone(text), line...))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !isJournal(text) {
			return
		}
		path := filepath.Join(t.TempDir(), "j")
		require.NoError(t, os.WriteFile(path, text, 0o600))
		for _, study := range []string{"", "amide coupling", "other"} {
			r, err := Read(t.Context(), path, Options{Study: study})
			checkRun(t, r, err)
		}
	})
}

// The thresholds of Ax are limits of its objectives.
func TestAxThresholds(t *testing.T) {
	text, err := os.ReadFile("testdata/ax-client.json")
	require.NoError(t, err)
	threshold := `"objective_thresholds": [{"metric": {"name": "loss"}, "op": {"name": "LEQ"}, "bound": 2.25, "relative": false}],
		"outcome_constraints"`
	r, err := readAx([]byte(strings.Replace(string(text), `"outcome_constraints"`, threshold, 1)))
	require.NoError(t, err)
	if o := r.Experiment.Objectives[0]; o.AtMost == nil || *o.AtMost != 2.25 || o.AtLeast != nil || len(r.Notices) == 0 {
		t.Errorf("%+v, %q", o, r.Notices)
	}
}
