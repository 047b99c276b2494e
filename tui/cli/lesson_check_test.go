package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/lesson"
)

const lessonScript = `> lesson forrester gp-ei 3 initial=3
# A lesson
About a belief.
> begin
# One
Before any data.
> claim points = 0
> step 4
# Two
Four of them.
> claim points = 4
> exercise forrester gp-ei 9 initial=3
Find the minimum in at most nine evaluations.
> goal regret < 0.1
> goal points < 10
> solve step 3, query 0.757`

// checkScript checks a script with a change.
func checkScript(t *testing.T, o lessonCheck, old, changed string) (string, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lesson.md")
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(lessonScript, old, changed, 1)), 0o600))
	var out bytes.Buffer
	err := o.check(t.Context(), &out, &out, []string{path})
	return out.String(), err
}

// A script is performed, its pages are checked, and the way to the goals of its exercise is gone; what does not hold is
// told, and an error in the end.
func TestScriptsAreChecked(t *testing.T) {
	for _, c := range []struct{ old, changed, says, wrong string }{
		{"", "", "2 claims on 2 pages are true, and the solution in the script reaches the goals of the exercise\n" +
			"", ""},
		{"points = 4", "points = 5", `page 2, "Two": points = 5: points is 4`, "1 of 2 claims are not true"},
		{"query 0.757", "query 0.3", "the exercise: regret < 0.1 after the solution: now ", "1 of 2 claims"},
		{"points < 10", "points < 4", "the exercise: points < 4 after the solution: now 4", "1 of 2 claims"},
		{"> goal regret < 0.1\n", "", "the exercise: its goals do not hold at the start: all of them hold",
			"1 of 2 claims"},
		{"> goal regret < 0.1", "> goal front > 2",
			"the exercise: its goals can be measured: the goal front > 2: front is not on this page", "1 of 2 claims"},
		{"solve step 3", "solve stepp 3", "", "solving the exercise: stepp 3"},
		{"> step 4", "> stepp 4", "", "line 8: > stepp 4"},
	} {
		out, err := checkScript(t, lessonCheck{}, c.old, c.changed)
		if !strings.Contains(out, c.says) || (err == nil) != (c.wrong == "") || err != nil &&
			!strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%q: %v\n%s", c.changed, err, out)
		}
	}
	out, err := checkScript(t, lessonCheck{json: true}, "points = 4", "points = 5")
	var v lessonCheckResult
	if json.Unmarshal([]byte(out), &v) != nil || err == nil || v.Pages != 2 || v.Claims != 2 || len(v.Broken) != 1 ||
		v.Broken[0].Page != 2 || !v.Solved {
		t.Errorf("as JSON: %v\n%s", err, out)
	}
}

// The session of an exercise tells which of its goals hold; that one does not is an error.
func TestExercisesAreChecked(t *testing.T) {
	_, e, err := lesson.CutExercise(lessonScript, nil)
	require.NoError(t, err)
	s, err := sessions.New(t.Context(), e.Config, sessions.WithTask(&e.Task))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "exercise.jsonl")
	require.NoError(t, s.SaveAs(path))
	check := func(want, wrong string) {
		t.Helper()
		var out bytes.Buffer
		err := (lessonCheck{}).check(t.Context(), &out, &out, []string{path})
		if out.String() != want || (err == nil) != (wrong == "") || err != nil && err.Error() != wrong {
			t.Errorf("%v\n%s", err, out.String())
		}
	}
	check("regret < 0.1: not known yet\npoints < 10: holds (0)\n", "1 of 2 goals hold")
	for _, act := range e.Solve {
		require.NoError(t, lesson.Do(t.Context(), s, act, nil))
	}
	require.NoError(t, s.Close())
	check("regret < 0.1: holds (3.302e-05)\npoints < 10: holds (4)\n", "")
	var marks bytes.Buffer
	require.NoError(t, lessonCheck{}.mark(t.Context(), &marks, []string{path, path + "x"}))
	assert.Equal(t, []string{"file,lesson,steps,done,goals,goals_reached,open_goals,error", "exercise.jsonl,.,4,yes,2,2,,"},
		strings.Split(marks.String(), "\n")[:2])
	assert.Contains(t, strings.Split(marks.String(), "\n")[2], ",no,,,,", "a file that cannot be read")
}

// The exercises of the course can be done, and are not done when they are begun: those of its first part, which need no
// networks. The script of every lesson is gone through by bandscope lesson check sessions/library/lessons/*.md, which
// the checks of a change run.
func TestExercisesOfTheCourseCanBeDone(t *testing.T) {
	paths, err := filepath.Glob("../../sessions/library/lessons/*.md")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		_, e, err := lesson.CutExercise(string(text), os.DirFS(filepath.Dir(path)))
		assert.NoError(t, err, path)
		if e == nil || !strings.Contains(string(text), "\n> part foundations\n") {
			continue
		}
		var v lessonCheckResult
		if err := v.checkSolution(t.Context(), e, nil); err != nil || len(v.Broken) > 0 {
			t.Errorf("%s: %v, %v", path, err, v.Broken)
		}
	}
}
