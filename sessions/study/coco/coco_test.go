package coco

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions/bbob"
	"bandscope/sessions/study"
)

// real is the study whose runs coco-experiment logged in testdata/real.
func real(t *testing.T) *study.Table {
	t.Helper()
	text, err := os.ReadFile("testdata/real/runs.txt")
	require.NoError(t, err)
	table := &study.Table{Declaration: &study.Declaration{Name: "real"}}
	for l := range strings.Lines(string(text)) {
		var f, d, instance int
		var y float64
		_, err = fmt.Sscan(l, &f, &d, &instance, &y)
		require.NoError(t, err)
		name := fmt.Sprintf("bbob-f%d:%d", f, d)
		if instance > 1 {
			name += fmt.Sprintf(":i%d", instance)
		}
		if n := len(table.Rows); n == 0 || table.Rows[n-1].Problem != name {
			table.Rows = append(table.Rows, study.Row{Cell: study.Cell{Problem: name, Method: "shrinking", Seed: 1},
				Dim: d, Status: study.Done, Program: "v1"})
		}
		problem, err := bbob.New(f, d, instance)
		require.NoError(t, err)
		trace := &table.Rows[len(table.Rows)-1].Trace
		if n := len(trace.Best); n > 0 {
			y = min(y, trace.Best[n-1])
		}
		trace.Evaluations = append(trace.Evaluations, len(trace.Evaluations)+1)
		trace.Best, trace.SimpleRegret = append(trace.Best, y), append(trace.SimpleRegret, y-problem.Best)
	}
	return table
}

// files are the names and texts below a folder.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	paths, _ := filepath.Glob(filepath.Join(dir, "*"))
	below, _ := filepath.Glob(filepath.Join(dir, "*", "*"))
	for _, p := range append(paths, below...) {
		if info, err := os.Stat(p); err != nil || info.IsDir() {
			continue
		}
		text, err := os.ReadFile(p)
		require.NoError(t, err)
		name, _ := filepath.Rel(dir, p)
		found[name] = string(text)
	}
	return found
}

// places are the x at the ends of lines, measured the evaluation's own value, told what of an index is not the runs'.
var (
	places   = regexp.MustCompile(`(?m)( [+-]\d\.\d{4}e[+-]\d\d)+$`)
	measured = regexp.MustCompile(`(?m)^(\d+ 0 \S+) \S+`)
	version  = regexp.MustCompile(`coco_version = '[^']*'|, settings = ''|(?m)^%.*$`)
)

// TestAsCOCOWrites compares with the files that COCO's own logger wrote of the same runs, but for what Write leaves
// out.
func TestAsCOCOWrites(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	a, err := Write(t.Context(), dir, real(t))
	if err != nil || a.Trials != 8 || !slices.Equal(a.Folders, []string{filepath.Join(dir, "shrinking")}) ||
		a.Skipped != nil {
		t.Fatalf("%+v, %v", a, err)
	}
	got := files(t, a.Folders[0])
	want := files(t, "testdata/real")
	delete(want, "runs.txt")
	if len(want) != 10 || len(got) != 18 {
		t.Fatalf("%d files of %d", len(got), len(want))
	}
	for name, text := range want {
		ours := name
		if f, _, ok := strings.Cut(strings.TrimPrefix(name, "bbobexp_"), "_"); ok {
			ours = "data_" + f + "/" + name
		}
		text = strings.ReplaceAll(places.ReplaceAllString(text, ""), " | x1 | x2...", "")
		mine := got[ours]
		switch filepath.Ext(name) {
		case ".info":
			text, mine = version.ReplaceAllString(text, ""), version.ReplaceAllString(mine, "")
		case ".tdat":
			text, mine = measured.ReplaceAllString(text, "$1"), measured.ReplaceAllString(mine, "$1")
		}
		assert.Equal(t, strings.TrimSpace(text), strings.TrimSpace(mine), "%s:\n%s\nCOCO has\n%s", ours, mine, text)
	}
	if s := got["bbobexp_f8.info"]; !strings.Contains(s, "\n% shrinking in the study real of bandscope v1\n") {
		t.Error(s)
	}
}

// TestCounts has the evaluations at which coco-experiment 2.8.2 wrote lines for a function of 3 variables.
func TestCounts(t *testing.T) {
	want := []int{1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 14, 15, 17, 19, 22, 25, 28, 30, 31, 35, 39, 44, 50, 56, 60, 63,
		70, 79, 89, 100, 112, 125, 141, 150, 158, 177, 199, 223, 251, 281, 300, 316,
		354, 398, 446, 501, 562, 600, 630, 707, 794, 891, 1000, 1122, 1258, 1412, 1500}
	got := []int{1}
	for got[len(got)-1] < 1500 {
		got = append(got, countAfter(got[len(got)-1], 3))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, not\n%v", got, want)
	}
}

// row is a run that is done, one evaluation after another.
func row(problem, method string, seed uint64, simple ...float64) study.Row {
	r := study.Row{Cell: study.Cell{Problem: problem, Method: method, Seed: seed}, Dim: 2, Status: study.Done}
	for i, v := range simple {
		r.Trace.Evaluations, r.Trace.SimpleRegret, r.Trace.Best = append(r.Trace.Evaluations, i+1),
			append(r.Trace.SimpleRegret, v), append(r.Trace.Best, v)
	}
	return r
}

// TestWhatIsLeftOut: what is not of the suite is told, seeds are repeated runs of an instance, failures at the start
// and batches are read.
func TestWhatIsLeftOut(t *testing.T) {
	nan := math.NaN()
	late := row("bbob-f1:2:i3", "a x='1, 2'", 1, nan, 5, 0)
	late.Trace.Evaluations = []int{4, 8, 12}
	waiting := row("bbob-f1:2", "a", 9, 1)
	waiting.Status = study.Running
	table := &study.Table{Declaration: &study.Declaration{Name: "s"}, Rows: []study.Row{
		row("bbob-f1:2", "a", 2, 3, 1e-9), row("bbob-f1:2", "a", 1, 4), row("bbob-f1:2:i2 noise=0", "a", 1, 2), late,
		waiting, row("branin", "a", 1, 1),
		row("bbob-f1:2 noise=0.1", "a", 1, 1), row("bbob-f2:2", "a", 1, nan), row("bbob-f2:2", "A", 1, 1),
		row("bbob-f2:4", "a", 1, 1),
	}}
	a, err := Write(t.Context(), t.TempDir(), table)
	if err != nil || a.Trials != 5 {
		t.Fatal(a, err)
	}
	want := []string{"branin is not a BBOB function",
		"bbob-f1:2 noise=0.1 has noise, which the suite bbob does not have",
		"no evaluation succeeded in the run of bbob-f2:2 by a with seed 1",
		"bbob-f2:4 has 4 dimensions, which the suite bbob does not have",
		"runs on BBOB functions that are not finished: 1"}
	if !slices.Equal(a.Skipped, want) {
		t.Errorf("%q", a.Skipped)
	}
	var names []string
	for _, f := range a.Folders {
		names = append(names, filepath.Base(f))
	}
	if want := []string{"a", "a_x=_1__2_", "A_2"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	first, second := files(t, a.Folders[0]), files(t, a.Folders[1])
	if s := first["bbobexp_f1.info"]; !strings.HasSuffix(s,
		"data_f1/bbobexp_f1_DIM2.dat, 1:1|4.0e+00, 1:2|1.0e-09, 2:1|2.0e+00\n") {
		t.Error(s)
	}
	if s := second["bbobexp_f1.info"]; !strings.Contains(s, "algId = 'a x=1, 2'") ||
		!strings.HasSuffix(s, ", 3:12|0.0e+00\n") {
		t.Error(s)
	}
	if s := second["data_f1/bbobexp_f1_DIM2.tdat"]; !strings.HasSuffix(s,
		"\n8 0 +5.000000000e+00 +5.000000000e+00 +5.000000000e+00\n"+
			"12 0 +0.000000000e+00 +0.000000000e+00 +0.000000000e+00\n") {
		t.Error(s)
	}
}

// TestRefuses: nothing is written over, and nothing is left where writing ends early.
func TestRefuses(t *testing.T) {
	dir := t.TempDir()
	table := real(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Write(ctx, dir, table); err == nil {
		t.Error("written at its end")
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Error(left)
	}
	if _, err := Write(t.Context(), dir, table); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(t.Context(), dir, table); err == nil ||
		!strings.Contains(err.Error(), "shrinking already exists") {
		t.Error(err)
	}
	table.Rows = []study.Row{row("branin", "a", 1, 1)}
	if _, err := Write(t.Context(), dir, table); err == nil ||
		!strings.HasSuffix(err.Error(), "without noise; branin is not a BBOB function") {
		t.Error(err)
	}
	table.Rows = []study.Row{row("bbob-f1:2:i5000", "b", 1, 1)}
	if _, err := Write(t.Context(), dir, table); err == nil || !strings.Contains(err.Error(), "instance must be in") {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) != 0 {
		t.Error(left)
	}
}

// Names of folders keep letters, digits, dots, dashes and equal signs; what is the same but for what they cannot tell
// gets a number.
func TestFolders(t *testing.T) {
	got := folders([]string{"gp-ei", "neural-greedy width=1090 gamma=0.5", "a/b", "..\\hidden", "a b", "A_B", "ünter",
		"zZ"})
	if want := []string{
		"gp-ei", "neural-greedy_width=1090_gamma=0.5", "a_b", "_hidden", "a_b_2", "A_B_3", "_nter",
		"zZ"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
