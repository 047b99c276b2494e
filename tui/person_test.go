//go:build unix

package tui_test

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
)

// headless runs a command of the program and returns what it prints.
func headless(t *testing.T, args ...string) string {
	t.Helper()
	path, err := buildOnce()
	require.NoError(t, err)
	out, err := exec.Command(path, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v: %s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// typed presses keys one after the other; one that begins with a ~ is a text to wait for.
func (t *terminal) typed(keys ...string) {
	t.t.Helper()
	for _, k := range keys {
		if text, ok := strings.CutPrefix(k, "~"); ok {
			t.wait(text)
		} else {
			t.press(k)
		}
	}
}

// TestPseudoTerminalOfAPerson goes through an experiment that a person does, over four starts: points are asked for,
// told in part, in another order than they were asked, run elsewhere than suggested, failed, and found by the person;
// the program is closed, and killed while it computes. Each start knows what is out, and the commands without a screen
// agree with all that was typed to the last digit.
func TestPseudoTerminalOfAPerson(t *testing.T) {
	const (
		enter, tab, down, esc, tell = "\r", "\t", "\x1b[B", "\x1b", "\x13"
		// what is typed soon after a field is no command; behind another key it is
		up    = "\x1b[A"
		asked = "is pending: ("
	)
	dir := t.TempDir()
	experiment := filepath.Join(dir, "espresso.toml")
	text, err := os.ReadFile("../functions/experiment/testdata/espresso.toml")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(experiment, text, 0o600))
	began := time.Now()
	quit := func(term *terminal) {
		t.Helper()
		term.press("q")
		assert.Equal(t, 0, term.end(), "it ends with status")
	}

	first := start(t, 120, 36, dir, "--problem", experiment, "-o", "mobo-rs-ts", "--seed", "7")
	first.typed("~prior over λ", " ", "~point 1 "+asked, " ", "~point 2 "+asked, "~2 pending points")
	first.typed(enter, "~results of point 1", "18.2", tell, "~point 1 still needs bitterness", esc, "~space next point",
		up)
	quit(first)
	files, _ := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	require.Equal(t, 1, len(files), "%d session files", len(files))
	file := files[0]
	suggested := statusOf(t, file)
	require.Equal(t, 2, len(suggested.Pending), "pending are %+v", suggested.Pending)

	second := start(t, 120, 36, dir)
	second.typed("~ctrl+l resume espresso", "\x0c"+enter, "~recorded: extraction 18.2 %", down, "~results of point 2")
	second.typed("19.1", tab, "0.3", tab, "3", tab, tab, "18.5", tell, "~step 1: ", "~results of point 1", esc,
		"~space next point", up)
	second.typed(" ", "~point 3 "+asked, enter, "~results of point 1", down, "~results of point 3")
	second.typed(tab+tab+tab+tab+tab+tab+tab, "the machine leaked", tell, "~step 2: ", esc, "~space next point", up)
	second.press(" q") // in the middle of the fit that finds the next point
	assert.Equal(t, 0, second.end(), "it ends with status")
	waiting := statusOf(t, file)

	third := start(t, 80, 24, dir, file)
	third.typed("~step 2/24", "d", "x", "~query at", tab, "15,25", enter, enter, "~in a copy?", enter, "~your own point", "17", tab, tab,
		"2", tell, "~step 3: ", esc, "~space next point", up+" ", "~"+asked)
	third.cmd.Process.Kill() // while it looks what is believed now
	<-third.ended

	fourth := start(t, 200, 60, dir)
	fourth.typed("~ctrl+l resume espresso", "\x0c", "~step 3/24", enter, "~recorded: extraction 18.2 %", "2.5", tell,
		"~step 4: ", esc, "~space next point", up)
	quit(fourth)

	s, err := sessions.Open(t.Context(), file)
	require.NoError(t, err)
	defer s.Close()
	st := s.State()
	x1, x2 := []float64{suggested.Pending[0].X["dose"], suggested.Pending[0].X["time"]},
		[]float64{18.5, suggested.Pending[1].X["time"]}
	for i, want := range []struct {
		number int
		x, y   []float64 // no y: failed
		se     float64
	}{{2, x2, []float64{19.1, 3}, 0.3}, {3, nil, nil, 0},
		{len(waiting.Pending) + 3, []float64{15, 25}, []float64{17, 2}, 0}, {1, x1, []float64{18.2, 2.5}, 0}} {
		it := st.Iterations[i]
		if it.Number != want.number || want.x != nil && !reflect.DeepEqual(it.Points[0].X, want.x) ||
			it.Points[0].Failed != (want.y == nil) || want.y != nil && !reflect.DeepEqual(it.Points[0].Y, want.y) {
			t.Errorf("step %d is %+v, want %+v", i+1, it, want)
		}
		if want.se > 0 && it.Points[0].SE[0] != want.se {
			t.Errorf("step %d has the error %v", i+1, it.Points[0].SE)
		}
	}
	if it := st.Iterations[1]; it.Points[0].Reason != "the machine leaked" {
		t.Errorf("it failed for %q", it.Points[0].Reason)
	}

	now := statusOf(t, file)
	if now.Steps != 4 || len(now.Pending) != len(st.Pending) || len(now.Pending) == 0 {
		t.Errorf("the status is %+v, out are %+v", now, st.Pending)
	}
	for i, p := range now.Pending {
		if got := []float64{
			p.X["dose"], p.X["time"]}; p.Point != st.Pending[i].Number ||
			!reflect.DeepEqual(got, st.Pending[i].Points[0].X) {
			t.Errorf("out is %+v, the record has %+v", p, st.Pending[i])
		}
	}
	rows, err := csv.NewReader(strings.NewReader(headless(t, "export", file, "--format", "csv"))).ReadAll()
	if err != nil || len(rows) != 5 {
		t.Fatalf("%v: %v", err, rows)
	}
	column := map[string]int{}
	for j, name := range rows[0] {
		column[name] = j
	}
	for i, it := range st.Iterations {
		for name, want := range map[string]float64{
			"dose": it.Points[0].X[0], "time": it.Points[0].X[1], "extraction": it.Points[0].Y[0],
			"bitterness": it.Points[0].Y[1]} {
			got, err := strconv.ParseFloat(rows[i+1][column[name]], 64)
			if err != nil || math.Float64bits(got) != math.Float64bits(want) && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("step %d has %s = %s in the table, %v on record", i+1, name, rows[i+1][column[name]], want)
			}
		}
	}
	if message := headless(t, "replay", file, "--verify"); !strings.Contains(message,
		"the largest difference is 0 of the domain") {
		t.Errorf("verified: %s", message)
	}
	t.Logf("the whole took %v", time.Since(began))
}

// status is what status says of a session to programs.
type status struct {
	Steps   int
	Pending []struct {
		Point int
		X     map[string]float64
	}
}

func statusOf(t *testing.T, file string) (st status) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(headless(t, "show", file, "--json")), &st))
	return st
}
