//go:build study && unix

package guide_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var runSeeds = flag.Int("seeds", 10, "over how many seeds TestBesideBoTorch runs both methods")

// wholeRuns are the runs that TestBesideBoTorch compares.
var wholeRuns = []struct {
	function string
	steps    int
}{{"branin", 50}, {"hartmann:6", 100}, {"ackley:5", 60}, {"levy:5", 60}}

// TestBesideBoTorch compares whole runs of gp-ei with those of the program for BoTorch in the guide, on one core each
// and one after the other for every seed: the processor time of all processes of a run, less that of a run of one
// evaluation, which is the time to start, and the simple regret. BoTorch takes at least fifteen times as long, and its
// median regret is not lower. It needs a python3 with botorch on the PATH.
func TestBesideBoTorch(t *testing.T) {
	s := wholeRunShell(t)
	for _, c := range wholeRuns {
		t.Run(c.function, func(t *testing.T) { s.compareRuns(t, c.function, c.steps) })
	}
}

// compareRuns compares the runs on one function.
func (s shell) compareRuns(t *testing.T, function string, steps int) {
	t.Helper()
	var time, regret [2][]float64
	for seed := 1; seed <= *runSeeds; seed++ {
		for i, method := range []string{"gp-ei", "exec:python3 botorch_ei.py"} {
			start, _ := s.wholeRun(t, function, method, 1, seed)
			all, r := s.wholeRun(t, function, method, steps, seed)
			time[i], regret[i] = append(time[i], all-start), append(regret[i], r)
			t.Logf("%s, %s, seed %d: %.2f s after %.2f s to start, regret %.3g", function, method, seed, all-start, start, r)
		}
	}
	ratio := middle(time[1]) / middle(time[0])
	t.Logf("| %s, %d evaluations | %.2f s | %.1f s | %.0f× | %.2g | %.2g |", function, steps, middle(time[0]),
		middle(time[1]), ratio, middle(regret[0]), middle(regret[1]))
	if ratio < 15 || middle(regret[0]) > middle(regret[1]) {
		t.Errorf("BoTorch takes %.1f times as long; the median regrets are %.3g and %.3g", ratio, middle(regret[0]),
			middle(regret[1]))
	}
}

// wholeRunShell returns a shell with this program and the ready-made programs of the guide.
func wholeRunShell(t *testing.T) shell {
	t.Helper()
	if err := exec.Command("python3", "-c", "import botorch").Run(); err != nil {
		t.Skip("python3 cannot import botorch")
	}
	s := shell{dir: t.TempDir(), bin: t.TempDir()}
	self, err := os.Executable()
	if err = cmp.Or(err, os.Symlink(self, filepath.Join(s.bin, "bandscope"))); err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks(documents(t)["own-optimizer.md"]) {
		if b.file != "" {
			require.NoError(t, os.WriteFile(filepath.Join(s.dir, b.file), []byte(b.text), 0o600))
		}
	}
	return s
}

// wholeRun runs a method on one core, and returns the processor time in seconds and the simple regret.
func (s shell) wholeRun(t *testing.T, function, method string, steps, seed int) (time, regret float64) {
	t.Helper()
	c := exec.CommandContext(t.Context(), filepath.Join(s.bin, "bandscope"), "run", "-f", function, "-o", method, "-n",
		strconv.Itoa(steps), "--seed", strconv.Itoa(seed), "--json")
	c.Dir = s.dir
	c.Env = append(os.Environ(), "XDG_DATA_HOME="+filepath.Join(s.dir, ".data"), "GOMAXPROCS=1", "OMP_NUM_THREADS=1",
		"MKL_NUM_THREADS=1")
	out, err := c.Output()
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	var last struct {
		Regret *float64 `json:"simple_regret"`
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || last.Regret == nil {
		t.Fatal(fmt.Errorf("%q: %w", lines[len(lines)-1], cmp.Or(err, os.ErrInvalid)))
	}
	return (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(), *last.Regret
}

// middle returns the median.
func middle(v []float64) float64 {
	sorted := slices.Sorted(slices.Values(v))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}
