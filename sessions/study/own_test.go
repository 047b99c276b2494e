package study_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions/study"
)

var ownFiles = map[string]string{
	"gbm.toml": "name = \"gbm\"\nbudget = 7\n[[variable]]\nname = \"rate\"\nlow = 0.001\nhigh = 1\nscale = \"log\"\n" +
		"[[objective]]\nname = \"loss\"\ndirection = \"minimize\"\n",
	"sub/screen.toml": "name = \"screen\"\n[table]\nfile = \"screen.csv\"\n[[objective]]\nname = \"yield\"\n" +
		"direction = \"maximize\"\n",
	"sub/screen.csv": "x,yield\n1,2\n2,5\n3,4\n",
	"ladder.toml": "name = \"ladder\"\ncommand = \"sh ladder.sh\"\ntimeout = \"9s\"\n[[parameter]]\nkey = \"up\"\nkind = \"integer\"\n" +
		"default = 2\nmin = 0\nmax = 9\n",
	"sub/ladder.toml": "name = \"ladder\"\ncommand = \"sh other.sh\"\n",
	"none.toml":       "name = \"none\"\nprogram = \"sh\"\n",
	"pair.csv":        "x,y,a:min,b:max\n1,1,1,2\n2,1,3,4\n2,2,3,5\n",
	"bad.toml":        "name = \"bad\"\n[[objective]]\nname = \"yield\"\n",
	"other.toml":      "name = \"gbm\"\n[[variable]]\nname = \"x\"\nlow = 0\nhigh = 1\n[[objective]]\nname = \"y\"\ndirection = \"minimize\"\n",
}

func openOwn(path string, most int) ([]byte, error) {
	text, ok := ownFiles[path]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return []byte(text), nil
}

func parseOwn(t *testing.T, text string) (*study.Declaration, error) {
	t.Helper()
	return study.ParseWithFiles(t.Context(), "s.toml", []byte(text), openOwn)
}

const ownStudy = `name = "own"
problems = ["gbm.toml", "sub/screen.toml", "pair.csv budget=2", "forrester"]
methods = ["random", "uncertainty"]
seeds = 2
`

// A study stores the declarations and tables of your own problems, so that a worker elsewhere runs the same cells; their
// content is part of the study's identity, and measures follow from what is known.
func TestOwnProblems(t *testing.T) {
	d, err := parseOwn(t, strings.Replace(ownStudy, `, "uncertainty"`, "", 1))
	require.NoError(t, err)
	text, err := json.Marshal(d)
	var back study.Declaration
	if err == nil {
		err = errors.Join(json.Unmarshal(text, &back), back.CheckShape())
	}
	if err != nil || !reflect.DeepEqual(&back, d) {
		t.Fatalf("%v: %s", err, text)
	}
	cells, err := back.Cells()
	if err != nil || len(cells) != 8 {
		t.Fatal(cells, err)
	}
	for i, want := range []struct {
		problem string
		budget  int
		measure study.Measure
		up      bool
		manual  bool
	}{{"gbm", 7, study.BestValue, false, true}, {"screen", 3, study.SimpleRegret, false, false},
		{"pair", 2, study.Hypervolume, true, false}, {"forrester", 50, study.SimpleRegret, false, false}} {
		c := cells[2*i]
		m := study.MeasureFor(&back, c.Problem)
		if c.Problem != want.problem || c.Budget != want.budget || m != want.measure ||
			m.GreaterIsBetter(&back, c.Problem) != want.up {
			t.Errorf("%+v by %s, want %+v", c, m, want)
		}
		s, err := c.Session(t.Context(), back.Own...)
		require.NoError(t, err)
		assert.Equal(t, want.manual, s.ManualEvaluation(), "%s is evaluated by hand", c.Problem)
		if want.problem == "gbm" {
			continue
		}
		for s.State().StopReason() == "" && len(s.State().Iterations) < 5 {
			_, err = s.Step(t.Context(), nil)
			require.NoError(t, err)
		}
		if trace := study.TraceFor(s.State()); want.problem == "screen" && trace.SimpleRegret[2] != 0 {
			t.Errorf("the regret of a table is %v", trace.SimpleRegret)
		}
	}
	first, err := d.ID()
	require.NoError(t, err)
	d.Own[0].Experiment.About = "another one"
	if second, err := d.ID(); err != nil || second == first {
		t.Errorf("a study of another problem has the same id, %v", err)
	}
}

// A log of a run on another experiment of the same name is not resumed.
func TestOwnProblemThatChanged(t *testing.T) {
	d, err := parseOwn(t, strings.Replace(ownStudy, `, "uncertainty"`, "", 1))
	require.NoError(t, err)
	cells, err := d.Cells()
	require.NoError(t, err)
	c := cells[2]
	s, err := c.Session(t.Context(), d.Own...)
	require.NoError(t, err)
	_, err = s.Step(t.Context(), nil)
	require.NoError(t, err)
	log, _ := s.Lines(0)
	if again, err := c.Resume(t.Context(), log, d.Own...); err != nil || len(again.State().Iterations) != 1 {
		t.Fatal(err)
	}
	d.Own[1].Experiment.Table.Rows[0][1] = 3
	var mismatch *study.LogMismatchError
	if _, err := c.Resume(t.Context(), log, d.Own...); !errors.As(err, &mismatch) {
		t.Errorf("%v", err)
	}
}

func TestFaultsOfOwnProblems(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"gbm.toml"`, `"gmb.toml"`, "s.toml: line 2: open gmb.toml: file does not exist"},
		{`"gbm.toml"`, `"../gbm.toml"`, "s.toml: line 2: ../gbm.toml must be in the folder of the study or below it"},
		{`"gbm.toml"`, `"gbm.toml noise=1"`, "noise is only added to test functions; declare the noise of gbm in its objectives"},
		{`"gbm.toml"`, `"gbm.toml", "other.toml"`, "gbm.toml and other.toml both declare gbm"},
		{`"gbm.toml"`, `"gbm.toml", "gbm.toml"`, "is the same problem as"},
		{`"gbm.toml"`, `"bad.toml"`, "s.toml: line 2: bad.toml: line 1: there are no variables"},
		{`"forrester"`, `"forester"`, `did you mean forrester? (your own problems are gbm, screen, pair)`},
		{`"uncertainty"`, `"gp-ei"`, "gp-ei optimizes one objective"},
	} {
		if _, err := parseOwn(t, strings.Replace(ownStudy, c.old, c.new, 1)); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.new, err, c.want)
		}
	}
	if _, err := study.Parse(t.Context(), "s.toml", []byte(ownStudy)); err == nil ||
		!strings.Contains(err.Error(), "gbm.toml cannot be read here") {
		t.Error(err)
	}
}

// What a database has of your own problems is data: it is checked before anything runs.
func TestOwnProblemsOfABadDatabase(t *testing.T) {
	good, err := parseOwn(t, strings.Replace(ownStudy, `, "uncertainty"`, "", 1))
	require.NoError(t, err)
	for want, change := range map[string]func(*study.Declaration){
		"no experiment or no file":  func(d *study.Declaration) { d.Own[0].Experiment = nil },
		"files declare gbm":         func(d *study.Declaration) { d.Own[1] = d.Own[0] },
		"the name of a test":        func(d *study.Declaration) { d.Own[0].Experiment.Name = "branin" },
		"low must be less than":     func(d *study.Declaration) { d.Own[0].Experiment.Variables[0].Low = 7 },
		"must have 2 to 10000 rows": func(d *study.Declaration) { d.Own[1].Experiment.Table.Rows = nil },
	} {
		text, err := json.Marshal(good)
		var d study.Declaration
		if err == nil {
			err = json.Unmarshal(text, &d)
		}
		require.NoError(t, err)
		if change(&d); d.CheckShape() == nil || !strings.Contains(d.CheckShape().Error(), want) {
			t.Errorf("%s: %v", want, d.CheckShape())
		}
	}
}

// A study stores the declarations of methods that are programs: a worker elsewhere has their parameters and commands.
func TestOwnMethods(t *testing.T) {
	const text = `name = "own"
problems = ["branin", "pair.csv budget=2"]
methods = ["random", "ladder.toml up=3", "ladder.toml up=2"]
seeds = 1
`
	d, err := parseOwn(t, text)
	require.NoError(t, err)
	stored, err := json.Marshal(d)
	var back study.Declaration
	if err == nil {
		err = errors.Join(json.Unmarshal(stored, &back), back.CheckShape())
	}
	if err != nil || !reflect.DeepEqual(&back, d) {
		t.Fatalf("%v: %s", err, stored)
	}
	cells, err := back.Cells()
	if err != nil || len(cells) != 6 || cells[1].Method != "exec:ladder up=3" || cells[2].Method != "exec:ladder" {
		t.Fatalf("got %v, %v", cells, err)
	}
	cfg, err := cells[1].Config(back.Own...)
	if err != nil || cfg.Program == nil || cfg.Program.Command != "sh ladder.sh" || fmt.Sprint(cfg.Params["up"]) != "3" {
		t.Errorf("got %+v, %v", cfg, err)
	}
	assert.Equal(t, "--allow-exec 'exec:sh ladder.sh'", cells[1].NeedsFlag(back.Own...))
	id, err := d.ID()
	back.Own[1].Program.Command = "sh another.sh"
	if other, err2 := back.ID(); err != nil || err2 != nil || other == id {
		t.Errorf("another command gives the same study: %s, %v, %v", other, err, err2)
	}
	s, err := cells[1].Session(t.Context(), d.Own...)
	require.NoError(t, err)
	defer s.Close()
	log, _ := s.Lines(0)
	if _, err := cells[1].Resume(t.Context(), log, back.Own...); !errors.As(err, new(*study.LogMismatchError)) {
		t.Errorf("the session of another program goes on: %v", err)
	}
	for entry, want := range map[string]string{
		"none.toml":                `none.toml: line 2, column 1: unknown key "program"`,
		"ladder.toml down=3":       "down",
		"ladder.toml up=10":        "up must be an integer in [0, 9]",
		"sub/ladder.toml":          "ladder.toml and sub/ladder.toml both declare exec:ladder",
		"missing.toml":             "missing.toml",
		"../ladder.toml":           "must be in the folder of the study",
		"exec:ladder up=3":         "is the same method as",
		`"exec:sh ladder.sh" up=3`: "up",
	} {
		line := strings.Replace(text, "ladder.toml up=2", strings.ReplaceAll(entry, `"`, `\"`), 1)
		_, err = parseOwn(t, line)
		assert.ErrorContains(t, err, want, "%s: got %v, want %s", entry, err, want)
	}
}
