package foreign

import (
	"database/sql"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/sessions"
)

// Everything that Optuna says its storage contains is in the run: bounds, scales, steps, choices, directions, values and
// states; optuna.json has it, made by Optuna (testdata/make_optuna.py names the version).
func TestOptunaStorage(t *testing.T) {
	text, err := os.ReadFile("testdata/optuna.json")
	require.NoError(t, err)
	var want struct {
		Studies map[string][]struct {
			State  string
			Params map[string]any
			Values []float64
		}
	}
	require.NoError(t, json.Unmarshal(text, &want))
	r, err := Read(t.Context(), "testdata/optuna.db", Options{Study: "gbm tuning"})
	require.NoError(t, err)
	d := functions.Domain{{Name: "big", Kind: functions.Choice, Choices: []string{"true", "false"}, High: 1},
		{Name: "depth", Kind: functions.Integer, Low: 1, High: 8},
		{Name: "kind", Kind: functions.Choice, Choices: []string{"a", "b,c", "null"}, High: 2},
		{Name: "learning_rate", Header: "learning rate", Low: 0.001, High: 1, Scale: functions.Log},
		{Name: "share", Kind: functions.Ordered, Low: 0.5, High: 1, Values: []float64{0.5, 0.6, 0.7, 0.8, 0.9, 1}}}
	if !reflect.DeepEqual(r.Experiment.Variables, d) || r.Program != "Optuna 5.0.0" || r.Experiment.Name != "gbm_tuning" ||
		len(r.Experiment.Objectives) != 1 || r.Experiment.Objectives[0].Direction != functions.Maximize {
		t.Errorf("%+v", r.Experiment)
	}
	if len(r.Notices) != 4 || r.Notices[0] != "1 trial without a result left out" ||
		!strings.Contains(r.Notices[1], "constant, which never changes") || !strings.Contains(r.Notices[2], "leaves") {
		t.Errorf("%q", r.Notices)
	}
	n := 0
	for _, trial := range want.Studies["gbm tuning"] {
		if trial.State == "RUNNING" {
			continue
		}
		got := r.Trials[n]
		n++
		kinds := map[any]float64{"a": 0, "b,c": 1, nil: 2}
		big := map[any]float64{true: 0, false: 1}
		x := []float64{big[trial.Params["big"]], trial.Params["depth"].(float64), kinds[trial.Params["kind"]],
			trial.Params["learning rate"].(float64), trial.Params["share"].(float64)}
		for j := range x {
			assert.InDelta(t, x[j], got.X[j], 1e-9, "trial %d: %v, want %v", n, got.X, x)
		}
		reason := map[string]string{"COMPLETE": "", "PRUNED": "pruned", "FAIL": "failed"}[trial.State]
		if got.Reason != reason || reason == "" && got.Values[0] != trial.Values[0] ||
			reason != "" && !math.IsNaN(got.Values[0]) {
			t.Errorf("trial %d: %+v, want %+v", n, got, trial)
		}
	}
	if n != len(r.Trials) || n < 10 {
		t.Errorf("%d trials", len(r.Trials))
	}
	two, err := Read(t.Context(), "testdata/optuna.db", Options{Study: "two"})
	if err != nil || len(two.Experiment.Objectives) != 2 || two.Experiment.Objectives[1].Direction != functions.Maximize ||
		two.Trials[1].Values[1] != want.Studies["two"][1].Values[1] {
		t.Errorf("%+v, %v", two, err)
	}
}

// A run becomes a session: imports in their order, failures with their reasons, and a method that goes on. The source is
// not changed.
func TestSessionOfARun(t *testing.T) {
	before, err := os.ReadFile("testdata/optuna.db")
	require.NoError(t, err)
	r, err := Read(t.Context(), "testdata/optuna.db", Options{Study: "gbm tuning"})
	require.NoError(t, err)
	s, err := r.Session(t.Context(), sessions.Config{Optimizer: "gp-ei", Seed: 1})
	require.NoError(t, err)
	st := s.State()
	require.Equal(t, len(r.Trials), len(st.Iterations), "%d results of %d", len(st.Iterations), len(r.Trials))
	for i, it := range st.Iterations {
		pt := it.Points[0]
		if it.By != sessions.ByImport || !reflect.DeepEqual(pt.X, r.Trials[i].X) || pt.Reason != r.Trials[i].Reason ||
			pt.Failed != (pt.Reason != "") {
			t.Errorf("%+v of %+v", it, r.Trials[i])
		}
	}
	assert.Equal(t, "ignored", st.Config.Failures, "pruned trials teach where evaluations fail")
	_, err = s.Ask(t.Context(), nil)
	assert.NoError(t, err)
	after, err := os.ReadFile("testdata/optuna.db")
	beside, _ := filepath.Glob("testdata/optuna.db-*")
	if err != nil || string(after) != string(before) || beside != nil {
		t.Errorf("the storage has changed, %v", beside)
	}
}

func TestAxExperiment(t *testing.T) {
	r, err := Read(t.Context(), "testdata/ax.json", Options{})
	require.NoError(t, err)
	bound := 80.0
	if want := (functions.Domain{{Name: "rate", Low: 0.01, High: 1, Scale: functions.Log},
		{Name: "size", Kind: functions.Integer, Low: 1, High: 9},
		{Name: "base", Kind: functions.Choice, Choices: []string{"K2CO3", "NaOH"}, High: 1},
		{Name: "kind", Kind: functions.Choice, Choices: []string{"x", "y"}, High: 1}}); !reflect.DeepEqual(r.Experiment.Variables, want) ||
		!reflect.DeepEqual(r.Experiment.Objectives, []functions.Objective{{Name: "loss", Direction: functions.Minimize}}) ||
		!reflect.DeepEqual(r.Experiment.Limits, []functions.Objective{{Name: "heat", AtMost: &bound}}) {
		t.Errorf("%+v", r.Experiment)
	}
	nan := math.NaN()
	same := func(a, b []float64) bool {
		for i := range a {
			if i >= len(b) || a[i] != b[i] && !(math.IsNaN(a[i]) && math.IsNaN(b[i])) {
				return false
			}
		}
		return len(a) == len(b)
	}
	for i, want := range []Trial{{"", []float64{0.1, 3, 1, 0}, []float64{1.5, 60}, []float64{0.1, nan}, ""},
		{"", []float64{0.2, 4, 0, 0}, []float64{nan, nan}, nil, "failed"},
		{"", []float64{0.5, 5, 0, 1}, []float64{0.5, 70}, []float64{nan, 2}, ""},
		{"", []float64{1, 9, 1, 0}, []float64{2.5, 90}, []float64{0.2, 1}, ""},
		{"", []float64{0.02, 1, 1, 0}, []float64{nan, nan}, nil, "pruned"}} {
		if got := r.Trials[i]; !same(got.X, want.X) || !same(got.Values, want.Values) || !same(got.SE, want.SE) ||
			got.Reason != want.Reason {
			t.Errorf("trial %d: %+v, want %+v", i, got, want)
		}
	}
	client, err := Read(t.Context(), "testdata/ax-client.json", Options{})
	if err != nil || len(client.Experiment.Objectives) != 2 || client.Experiment.Objectives[0].Direction != functions.Minimize ||
		client.Experiment.Objectives[1].Direction != functions.Maximize {
		t.Errorf("%+v, %v", client, err)
	}
}

// Results of a CSV may repeat inputs; other files and other tables are refused with what is wrong.
func TestOtherFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	r, err := Read(t.Context(), write("r.csv", "x,k,y:max\n1,a,2\n1,a,3\n4,b,\n"), Options{})
	if err != nil || len(r.Trials) != 3 || r.Trials[2].Reason == "" || r.Experiment.Variables[0].High != 4 ||
		r.Experiment.Variables[0].Kind != functions.Real {
		t.Errorf("%+v, %v", r, err)
	}
	// names of molecules stay themselves
	r, err = Read(t.Context(), write("names.csv", "smiles,x,y:max\n\"C=O, N\",1,2\n\"C=O, N\",2,3\n\"C=O= N\",2,1\nC=O,1,4\n"), Options{})
	if err != nil || !slices.Equal(r.Experiment.Variables[0].Choices, []string{"C=O, N", "C=O= N", "C=O"}) ||
		r.Trials[1].X[0] != 0 || r.Trials[3].X[0] != 2 {
		t.Fatalf("%+v, %v", r, err)
	}
	if s, err := r.Session(t.Context(), sessions.Config{Optimizer: "gp-ei", Seed: 1}); err != nil {
		t.Error(err)
	} else if err := s.Close(); err != nil {
		t.Error(err)
	}
	table, err := experiment.ParseTable("t.csv", []byte("smiles,x,y:max\nN,1,2\nC=O,1,4\n"))
	require.NoError(t, err)
	trials, notices, err := r.trialsOf(table.Problem())
	if err != nil || len(trials) != 1 || trials[0].X[0] != 1 || len(notices) != 1 {
		t.Errorf("%+v, %v, %v", trials, notices, err)
	}
	db := filepath.Join(dir, "other.db")
	open, err := sql.Open("sqlite", db)
	if err == nil {
		_, err = open.Exec("CREATE TABLE studies (study_id INTEGER); CREATE VIEW trials AS SELECT 1")
		open.Close()
	}
	require.NoError(t, err)
	for _, c := range []struct{ path, study, want string }{
		{"testdata/optuna.db", "", "it has 2 studies; name one: gbm tuning, two"},
		{"testdata/optuna.db", "tow", `no study "tow"; did you mean two?`},
		{db, "", "it has 1 of the tables"},
		{write("a.json", `{"a": 1}`), "", "has no search space or no trials"},
		{write("b.json", `{"a": `), "", "cannot be read as an experiment of Ax"},
		{write("c.csv", "x,y\n1,2\n"), "", "the table has 1 row"},
		{write("d.csv", "x,y\n1,2\n2,3\n"), "two", "only a storage of Optuna has several studies"},
		{write("e.db", "SQLite format 3\x00 and nothing else"), "", "the storage of Optuna"},
		{write("f", ""), "", "the file is empty"},
		{dir, "", "it is a folder"},
	} {
		_, err = Read(t.Context(), c.path, Options{Study: c.study})
		assert.ErrorContains(t, err, c.want, "%s: %v, want %s", c.path, err, c.want)
	}
}
