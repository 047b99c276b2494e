package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/functions/experiment"
	"bandscope/sessions/study"
)

func TestProgramsOfAStudy(t *testing.T) {
	ownValue := func(names ...string) (list []study.OwnFile) {
		for _, name := range names {
			list = append(list, study.OwnFile{File: name + ".toml", Experiment: &experiment.Declaration{Name: name}})
		}
		return list
	}
	table := study.OwnFile{File: "t.csv", Experiment: &experiment.Declaration{Name: "t", Table: &experiment.Table{}}}
	for _, c := range []struct {
		exec  studyExec
		own   []study.OwnFile
		known bool
		want  []command
		err   string
	}{
		{studyExec{Commands: []string{"a.toml=python a.py x=1"}}, ownValue("a"), true, []command{{"a.toml", "python a.py x=1", false}}, ""},
		{studyExec{Commands: []string{"env x=1 python a.py"}}, append(ownValue("a"), table), true, []command{{"a.toml", "env x=1 python a.py", false}}, ""},
		{studyExec{Commands: []string{"a=p"}, Pipes: []string{"b.toml=q"}}, ownValue("a", "b"), true, []command{{"a", "p", false}, {"b.toml", "q", true}}, ""},
		{studyExec{}, []study.OwnFile{table}, true, nil, ""},
		{studyExec{}, ownValue("a"), true, nil, "a.toml has no evaluator: add --exec 'a.toml=COMMAND'; a study file never starts a program"},
		{studyExec{Commands: []string{"p"}}, ownValue("a", "b"), true, nil, `--exec must be FILE=COMMAND, with one of a.toml, b.toml; got "p"`},
		{studyExec{Commands: []string{"a=p", "a.toml=q"}}, ownValue("a"), true, nil, "a.toml has 2 programs"},
		{studyExec{Commands: []string{"a="}}, ownValue("a"), true, nil, "no command for a"},
		{studyExec{Commands: []string{"p"}}, nil, true, nil, "the study has none"},
		{studyExec{Commands: []string{"c.toml=p x"}}, nil, false, []command{{"c.toml", "p x", false}}, ""},
		{studyExec{Commands: []string{"p x"}}, nil, false, nil, "--exec must be FILE=COMMAND, such as"},
		{studyExec{Shell: true}, nil, false, nil, "--shell and --timeout need a program"},
	} {
		got, err := c.exec.commands(c.own, c.known)
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) ||
			err == nil && !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: %+v, %v", c.exec, got, err)
		}
	}
}

// A study of your own problem asks for a program and is run by it; its results are shown without.
func TestStudyOfYourOwnProblem(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{
		"own.toml": "name = \"own\"\nproblems = [\"gbm.toml\", \"screen.csv\"]\nmethods = [\"random\"]\nseeds = 2\nbudget = 3\n",
		"gbm.toml": "name = \"gbm\"\n[[variable]]\nname = \"x\"\nlow = 0\nhigh = 1\n[[objective]]\nname = \"loss\"\n" +
			"direction = \"minimize\"\n",
		"screen.csv": "x,y:max\n1,2\n2,5\n3,4\n4,3\n", "gbm.sh": "echo 0.25\n",
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	o := studyOptions{DB: filepath.Join(dir, "own.db"), JSON: true}
	var out, errs bytes.Buffer
	require.ErrorContains(t, runStudy(t.Context(), &out, &errs, "own.toml", o, nil), "gbm.toml has no evaluator")
	o.Exec.Commands = []string{"gbm.toml=sh gbm.sh"}
	if err := runStudy(t.Context(), &out, &errs, "own.toml", o, nil); err != nil {
		t.Fatal(err, errs.String())
	}
	o.Exec.Commands = nil
	var again bytes.Buffer
	require.NoError(t, runStudy(t.Context(), &again, &errs, "own.toml", o, nil))
	if out.String() != again.String() || !strings.Contains(out.String(), `"problem":"gbm","method":"random","measure":"best value","cells":{"done":2},"median":0.25`) ||
		!strings.Contains(out.String(), `"problem":"screen","method":"random","measure":"simple regret"`) {
		t.Errorf("%s\n%s", out.String(), again.String())
	}
}

// The run of another program counts in a study under a name that marks it as foreign; submitting the study again keeps it.
func TestImportIntoAStudy(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{
		"s.toml":  "name = \"s\"\nproblems = [\"forrester\", \"branin\"]\nmethods = [\"random\"]\nseeds = 2\nbudget = 3\n",
		"run.csv": "x,f:min\n0.1,9\n0.7572,9\n0.2,9\n", "two.csv": "x,y:min\n0.1,9\n0.2,8\n",
	} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	o := studyOptions{DB: filepath.Join(dir, "s.db"), JSON: true}
	var out, errs bytes.Buffer
	require.NoError(t, runStudy(t.Context(), &out, &errs, "s.toml", o, nil))
	into := studyImportOptions{DB: o.DB, Problem: "forrester", Method: "tpe", Seed: 2}
	for _, c := range []struct {
		change func(*studyImportOptions)
		source string
		want   string
	}{
		{func(o *studyImportOptions) { o.Problem = "" }, "run.csv", "add --problem with one of forrester, branin"},
		{func(o *studyImportOptions) { o.Problem = "hartmann3" }, "run.csv", "the problems are forrester, branin"},
		{func(o *studyImportOptions) { o.Method = "a b" }, "run.csv", "in one word"},
		{func(o *studyImportOptions) {}, "two.csv", "the run has no objective f; it has y"},
		{func(o *studyImportOptions) { o.Problem = "branin" }, "run.csv", "the run has no variable x1"},
		{func(o *studyImportOptions) {}, "run.csv", ""},
		{func(o *studyImportOptions) {}, "run.csv", "s already has a run of forrester, CSV:tpe, seed 2"},
	} {
		o := into
		c.change(&o)
		if err := importToStudy(t.Context(), &out, "s", c.source, o); (err == nil) != (c.want == "") ||
			err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.source, err, c.want)
		}
	}
	if !strings.Contains(out.String(), "CSV:tpe has runs in 1 of 4 blocks; ranks and tests of all methods count only these\n") {
		t.Error(out.String())
	}
	for range 2 {
		var again bytes.Buffer
		require.NoError(t, runStudy(t.Context(), &again, &errs, "s.toml", o, nil))
		if !strings.Contains(again.String(), `"problem":"forrester","method":"CSV:tpe","measure":"simple regret","cells":{"done":1}`) {
			t.Errorf("%s", again.String())
		}
	}
}
