//go:build study

package coco

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/report"
	"bandscope/sessions/study"
)

// reader says what cocopp reads of folders: the runs of every function and the average runtime to targets.
const reader = `
import json, sys, warnings
warnings.simplefilter("ignore")
import cocopp
cocopp.genericsettings.verbose = False
targets = json.loads(sys.argv[1])
out = []
for folder in sys.argv[2:]:
    for d in cocopp.load(folder):
        out.append(dict(algorithm=d.algId, f=d.funcId, dim=d.dim, instances=[int(i) for i in d.instancenumbers], evaluations=[int(e) for e in d.maxevals],
            finals=[float(v) for v in d.finalfunvals], runtimes=[None if v != v or v == float("inf") else float(v) for v in d.detERT(targets)]))
print("READ " + json.dumps(out))
`

// ran is a session in memory that has run to its end.
func ran(t *testing.T, problem, method string, seed uint64, budget int) study.Row {
	t.Helper()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: problem, Optimizer: method, Seed: seed,
		Budget: budget})
	require.NoError(t, err)
	for s.State().StopReason() == "" {
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	traces := report.TracesFor(s.State())
	r := study.Row{Cell: study.Cell{Problem: problem, Method: method, Seed: seed, Budget: budget}, Dim: 2,
		Status: study.Done, Steps: budget}
	r.Trace = study.Trace{Best: traces.Best, SimpleRegret: traces.SimpleRegret, Spent: traces.Cost}
	for i := range traces.Best {
		r.Trace.Evaluations = append(r.Trace.Evaluations, i+1)
	}
	return r
}

// python makes a virtual environment with cocopp.
func python(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "python")
	if out, err := exec.Command("python3", "-m", "venv", dir).CombinedOutput(); err != nil {
		t.Skipf("cocopp is not run: it takes python3 with its module venv: %v\n%s", err, out)
	}
	bin := filepath.Join(dir, "bin", "python3")
	if out, err := exec.Command(bin, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "cocopp==2.9.1",
		"six").CombinedOutput(); err != nil {
		t.Skipf("cocopp is not run: pip does not get it: %v\n%s", err, out)
	}
	return bin
}

// TestCocoppReads runs a small study, reads its archive by the package cocopp of PyPI and compares what that says of
// every run with the traces; then it has cocopp make its pages.
func TestCocoppReads(t *testing.T) {
	bin := python(t)
	table := &study.Table{Declaration: &study.Declaration{Name: "small"}}
	for _, problem := range []string{"bbob-f1:2", "bbob-f1:2:i2", "bbob-f8:2", "bbob-f8:2:i2"} {
		for _, method := range []string{"random", "gp-ei"} {
			for seed := range uint64(2) {
				table.Rows = append(table.Rows, ran(t, problem, method, seed+1, 25))
			}
		}
	}
	dir := t.TempDir()
	a, err := Write(t.Context(), filepath.Join(dir, "archive"), table)
	if err != nil || a.Trials != 16 || len(a.Folders) != 2 {
		t.Fatal(a, err)
	}
	targets := []float64{1000, 100, 10, 1, 0.1, 1e-3}
	message, err := json.Marshal(targets)
	require.NoError(t, err)
	c := exec.Command(bin, append([]string{"-c", reader, string(message)}, a.Folders...)...)
	c.Dir, c.Env = dir, append(os.Environ(), "HOME="+dir)
	text, err := c.CombinedOutput()
	_, after, ok := strings.Cut(string(text), "READ ")
	if err != nil || !ok {
		t.Fatalf("%v\n%s", err, text)
	}
	var read []struct {
		Algorithm   string
		F, Dim      int
		Instances   []int
		Evaluations []int
		Finals      []float64
		Runtimes    []*float64
	}
	require.NoError(t, json.Unmarshal([]byte(after), &read))
	require.Equal(t, 4, len(read), "%d data sets: %s", len(read), after)
	for _, r := range read {
		var trials []study.Trace
		for _, row := range table.Rows {
			if row.Method == r.Algorithm && strings.HasPrefix(row.Problem, fmt.Sprintf("bbob-f%d:", r.F)) {
				trials = append(trials, row.Trace)
			}
		}
		if fmt.Sprint(r.Instances) != "[1 1 2 2]" || fmt.Sprint(r.Evaluations) != "[25 25 25 25]" || len(trials) != 4 {
			t.Errorf("%+v", r)
		}
		for i, tr := range trials {
			if want := tr.SimpleRegret[len(tr.SimpleRegret)-1]; math.Abs(r.Finals[i]-want) > 1e-9*math.Abs(want) {
				t.Errorf("%s on f%d, run %d: ends at %g, not %g", r.Algorithm, r.F, i, r.Finals[i], want)
			}
		}
		for i, target := range targets {
			want := runtime(trials, target)
			got := math.Inf(1)
			if r.Runtimes[i] != nil {
				got = *r.Runtimes[i]
			}
			assert.Equal(t, want, got, "%s on f%d to %g: %g evaluations", r.Algorithm, r.F, target, got)
		}
	}
	c = exec.Command(bin, append([]string{"-m", "cocopp", "-o", filepath.Join(dir, "pages")}, a.Folders...)...)
	c.Dir, c.Env = dir, append(os.Environ(), "HOME="+dir)
	text, err = c.CombinedOutput()
	if err != nil || !strings.Contains(string(text), "ALL done") {
		t.Fatalf("%v\n%s", err, text)
	}
	_, err = os.Stat(filepath.Join(dir, "pages", "index.html"))
	assert.NoError(t, err)
}

// runtime is the average runtime to a target: all evaluations until it is reached or a run ends, over the number of
// runs that reach it.
func runtime(trials []study.Trace, target float64) float64 {
	all, reached := 0, 0
	for _, t := range trials {
		n := len(t.SimpleRegret)
		for i, v := range t.SimpleRegret {
			if v <= target {
				n, reached = i+1, reached+1
				break
			}
		}
		all += n
	}
	return float64(all) / float64(reached)
}
