package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adrg/xdg"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions/numfmt"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/theme"
)

// The table of a benchmark has the values of the curve after a quarter, a half, three quarters and all of the budget,
// and the quartiles at its end.
func TestBenchTable(t *testing.T) {
	ctx := context.Background()
	for _, budget := range []int{1, 3, 10} {
		o := shortStudy{settings: settings{Function: "forrester", Optimizer: "random", Budget: budget}, Seeds: 3}
		var table bytes.Buffer
		results, _, err := runShortStudy(ctx, &table, io.Discard, o)
		if err != nil || len(results) != 1 || len(results[0].Median) != budget {
			t.Fatalf("%d results, %v", len(results), err)
		}
		lines := strings.Split(strings.TrimSpace(table.String()), "\n")
		got := strings.Fields(lines[len(lines)-1])
		r := results[0]
		want := []string{"random"}
		for _, part := range []float64{0.25, 0.5, 0.75, 1} { // after at least one step
			want = append(want, numfmt.Format(r.Median[max(int(part*float64(budget)), 1)-1]))
		}
		want = append(want, numfmt.Format(r.Low[budget-1]), "to", numfmt.Format(r.High[budget-1]))
		if strings.Join(got, " ") != strings.Join(want, " ") ||
			!strings.Contains(lines[0], "median simple regret over 3 seeds") {
			t.Errorf("a budget of %d: %v, want %v\n%s", budget, got, want, table.String())
		}
		var row struct {
			Median                  float64
			Final, Curve, Quartiles []float64
		}
		o.JSON = true
		table.Reset()
		if _, _, err := runShortStudy(ctx, &table, io.Discard, o); err != nil || json.Unmarshal(table.Bytes(), &row) != nil {
			t.Fatal(err)
		}
		if len(row.Final) != 3 || len(row.Curve) != budget || row.Median != r.Median[budget-1] ||
			row.Curve[budget-1] != row.Median || row.Quartiles[0] != r.Low[budget-1] ||
			row.Quartiles[1] != r.High[budget-1] {
			t.Errorf("a budget of %d in JSON: %s", budget, table.String())
		}
	}
	var b bytes.Buffer
	if _, _, err := runShortStudy(ctx, &b, io.Discard,
		shortStudy{settings: settings{Function: "schaffer", Optimizer: "random", Budget: 3}, Seeds: 2}); err !=
		nil || !strings.Contains(b.String(), "median hypervolume over 2 seeds") {
		t.Errorf("of several objectives:\n%s %v", b.String(), err)
	}
}

// What is asked for wrongly is an error of usage, and says what would be right.
func TestStudyUsage(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	study := func(word string, o studyOptions) error {
		return runStudy(t.Context(), io.Discard, io.Discard, word, o, nil)
	}
	shortStudyOf := func(s settings, seeds int) error {
		_, _, err := runShortStudy(t.Context(), io.Discard, io.Discard, shortStudy{settings: s, Seeds: seeds})
		return err
	}
	tiny := file("tiny.toml", "name='tiny'\nproblems=['forrester']\nmethods=['random']\nseeds=1\nbudget=2")
	require.NoError(t, study(tiny, studyOptions{}))
	for _, c := range []struct {
		what string
		err  error
		want string
	}{
		{"no such study", study("dai-2d", studyOptions{}), `no study "dai-2d"; did you mean dai-1d`},
		{"no such study in a database", study("tinny", studyOptions{DB: filepath.Join(dir, "new.db")}),
			`no study "tinny"`},
		{"no such file", study(filepath.Join(dir, "none.toml"), studyOptions{}), "none.toml"},
		{"a file that is wrong", study(file("wrong.toml", "name='a'\nseed=1"), studyOptions{}),
			`wrong.toml: line 2, column 1: unknown key "seed"; did you mean seeds?`},
		{"another of one name", study(file("other.toml",
			"name='tiny'\nproblems=['branin']\nmethods=['random']\nseeds=1\nbudget=2"), studyOptions{}), "tiny"},
		{"a database that is none", study(tiny, studyOptions{DB: tiny}), "is not a file of studies"},
		{"a study that was not begun", study("dai-1d", studyOptions{StatusOnly: true}), "has not started"},
		{"nothing published", study("tiny", studyOptions{Published: true}), `no study "tiny"`},
		{"what is run elsewhere", study("bands", studyOptions{}), "run it with bandscope check method"},
		{"--export", study("tiny", studyOptions{Export: "xml"}),
			`--export must be one of csv, cells, json, html, coco, got "xml"`},
		{"--export coco", study("tiny", studyOptions{Export: "coco"}), "-o"},
		{"-o", study("tiny", studyOptions{Output: "x"}), "--output needs --export"},
		{"--json", study("tiny", studyOptions{Export: "csv", JSON: true}), "--json cannot be used with --export"},
		{"--again --look", study("tiny", studyOptions{Restart: true, StatusOnly: true}), "--again cannot be used with"},
		{"--workers", study("tiny", studyOptions{Workers: -1}), "--workers must be in [0, 1024], got -1"},
		{"--published --db", study("dai-1d", studyOptions{Published: true, DB: "x"}),
			"--db cannot be used with --published"},
		{"--published --look", study("dai-1d", studyOptions{Published: true, StatusOnly: true}),
			"--look cannot be used with --published"},
		{"work on what is not there", workDatabase(t.Context(), io.Discard,
			studyOptions{DB: filepath.Join(dir, "none.db")}), "there is no " + dir},
		{"work", workDatabase(t.Context(), io.Discard, studyOptions{}), "work needs a database"},
		{"bench -o random,gp-ie", shortStudyOf(settings{Function: "forrester", Optimizer: "random,gp-ie"}, 2), "gp-ei"},
		{"bench -f forester", shortStudyOf(settings{Function: "forester"}, 2), "forrester"},
		{"bench --set rho of none", shortStudyOf(settings{Function: "forrester", Optimizer: "random", Set: []string{"rho=2"}},
			2), `no parameter "rho" of random`},
		{"bench --set kernel wrong", shortStudyOf(settings{Function: "forrester", Optimizer: "gp-ei",
			Set: []string{"kernel=none"}}, 2), "kernel: no kernel"},
		{"bench --seeds", shortStudyOf(settings{Function: "forrester", Optimizer: "gp-ei"}, 0),
			"--seeds must be in [1, 1000], got 0"},
		{"bench of one method twice", shortStudyOf(settings{Function: "forrester", Optimizer: "gp-ei,gp-ei"}, 1),
			"is the same method as"},
		{"bench --noise", shortStudyOf(settings{Function: "forrester", Optimizer: "gp-ei", Noise: -1}, 1),
			"noise must be a number of at least 0"},
	} {
		var usage statusError
		if c.err == nil || !errors.As(c.err, &usage) || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.what, c.err, c.want)
		}
	}
}

// A study is run to its end, is there at once when it is asked for again, under its name or its file, and is written
// for other programs.
func TestStudy(t *testing.T) {
	dir := t.TempDir()
	path, db := filepath.Join(dir, "pair.toml"), filepath.Join(dir, "pair.db")
	text := "name = 'pair'\ntitle = 'Which?'\nproblems = ['forrester', 'branin-fidelity cost_budget=40']\n" +
		"methods = ['random', 'random initial=3']\nseeds = 3\nbudget = 8\n"
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	output := func(word string, o studyOptions) string {
		t.Helper()
		var out, errs bytes.Buffer
		o.DB = db
		if err := runStudy(t.Context(), &out, &errs, word, o, nil); err != nil || errs.Len() > 0 {
			t.Fatalf("%s: %v\n%s", word, err, errs.String())
		}
		return out.String()
	}
	first := output(path, studyOptions{Workers: 2})
	for _, want := range []string{
		"pair: Which?\n12 of 12 cells done\n",
		"forrester: median simple regret over 3 runs, by fraction of 8 steps",
		"branin-fidelity cost_budget=40: median simple regret over 3 runs, by fraction of a budget of 40",
		"random initial=3  "} {
		assert.Contains(t, first, want, "%s\nlacks %s", first, want)
	}
	for _, again := range []string{
		output(path, studyOptions{}), output("pair", studyOptions{}), output("pair", studyOptions{StatusOnly: true})} {
		assert.Equal(t, first, again, "the second time it is\n%s\nand was\n%s", again, first)
	}
	var row struct {
		Problem, Method string
		Cells           map[string]int
		Median          float64
		Final, Curve    []float64
	}
	lines := strings.Split(strings.TrimSpace(output("pair", studyOptions{JSON: true})), "\n")
	if err := json.Unmarshal([]byte(lines[1]), &row); err != nil || len(lines) != 4 ||
		row.Method != "random initial=3" || row.Cells["done"] != 3 || len(row.Final) != 3 || len(row.Curve) != 8 ||
		row.Curve[7] != row.Median {
		t.Errorf("%v: %s", err, lines)
	}
	if cells := strings.Split(strings.TrimSpace(output("pair", studyOptions{Export: "cells"})), "\n"); len(cells) != 13 {
		t.Errorf("%d lines of cells", len(cells))
	}
	file := filepath.Join(dir, "pair.json")
	assert.Equal(t, "", output("pair", studyOptions{Export: "json", Output: file}), "beside the file")
	if text, err := os.ReadFile(file); err != nil || string(text) != output("pair", studyOptions{Export: "json"}) {
		t.Errorf("in the file: %s, %v", text, err)
	}
	if err := runStudy(t.Context(), io.Discard, io.Discard, "pair", studyOptions{DB: db, Export: "json", Output: file},
		nil); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("a file is written over: %v", err)
	}
}

// Interrupted, a benchmark says that it goes on, and does.
func TestInterruptedBench(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	stop(errors.New("ended"))
	o := shortStudy{settings: settings{Function: "forrester", Optimizer: "random", Budget: 4}, Seeds: 2}
	var errs bytes.Buffer
	if _, _, err := runShortStudy(ctx, io.Discard, &errs, o); err == nil {
		t.Error("it was not interrupted")
	}
	if results, known, err := runShortStudy(t.Context(), io.Discard, io.Discard, o); err != nil || !known ||
		len(results) != 1 || results[0].Cells["done"] != 2 {
		t.Errorf("%+v, %v", results, err)
	}
}

// Without a home a benchmark is run all the same, and said to be kept nowhere; a study asks for a place.
func TestWithoutHome(t *testing.T) {
	t.Cleanup(xdg.Reload) // after the variables are back
	t.Setenv("HOME", "")
	t.Setenv("XDG_DATA_HOME", "")
	t.Setenv("TMPDIR", t.TempDir())
	xdg.Reload()
	var errs bytes.Buffer
	o := shortStudy{settings: settings{Function: "forrester", Optimizer: "random", Budget: 3}, Seeds: 2}
	if results, _, err := runShortStudy(t.Context(), io.Discard, &errs, o); err != nil || len(results) != 1 ||
		!strings.Contains(errs.String(), "the runs of this benchmark are not kept") {
		t.Errorf("%+v, %v: %s", results, err, errs.String())
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	if err := runStudy(t.Context(), io.Discard, io.Discard, "dai-1d", studyOptions{}, nil); err == nil ||
		!strings.Contains(err.Error(), "--db FILE sets another place") {
		t.Error(err)
	}
}

// What was meant as a database is never taken for a file, and no message repeats its password.
func TestDatabaseNamesThatAreMistyped(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, db := range []string{
		"Postgres://u:PW@127.0.0.1:1/db", "postgresql:/u:PW@h/db", "POSTGRES://u:PW@127.0.0.1:1/db",
		" postgres://u:PW@127.0.0.1:1/db", "mysql://u:PW@h/db", "pgpassword=PW",
		"host=127.0.0.1 port=1 password=PW", "password='PW x' host=127.0.0.1 port=1", "u:PW@h",
		"postgres://u:PW@127.0.0.1:port/db", "postgres://u:1#PW@h/db", "postgres://u:%ZPW@h/db",
		"postgres://u:PW /db"} {
		for _, o := range []studyOptions{
			{DB: db}, {DB: db, StatusOnly: true}, {DB: db, Export: "json"}, {DB: db, JSON: true}} {
			var out, errs bytes.Buffer
			err := runStudy(t.Context(), &out, &errs, "dai-1d", o, nil)
			status := Status(t.Context(), &errs, err)
			if text := out.String() + errs.String(); err == nil || status == 0 || strings.Contains(text, "PW") {
				t.Errorf("%s: status %d, %s", db, status, text)
			}
		}
		var errs bytes.Buffer
		Status(t.Context(), &errs, workDatabase(t.Context(), &errs, studyOptions{DB: db}))
		// in the place of the study
		Status(t.Context(), &errs, runStudy(t.Context(), io.Discard, &errs, db, studyOptions{}, nil))
		if strings.Contains(errs.String(), "PW") {
			t.Errorf("%s: %s", db, errs.String())
		}
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

// The medians of a benchmark stand over the cost, each with its letter, and begin where the median of the seeds does.
func TestCurves(t *testing.T) {
	nan := math.NaN()
	results := []studyResult{
		{Label: "cost-ids", Median: []float64{nan, 10, 3, 1, 0.1, 0.1, 0.001, 0.001}},
		{Label: "gp-ei", Median: []float64{nan, nan, 10, 5, 5, 2, 1, 1}},
	}
	screentest.Check(t, "curves-80", ansi.Strip(curves(results, 400, true, 80, theme.New(true, theme.NoColor, false))),
		false)
}
