package lesson

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const exercise = `> exercise forrester gp-ei 4 initial=3 --noise=0.1
Find the minimum.

Twice.
> goal regret < 0.1
> goal points > 4
> hide acquisition
> solve step 5, query 0.4
> solve prefer 1 > 2, really; step 1`

// An exercise is what stands behind the line that begins it; the lines before are left as they are.
func TestCutExercise(t *testing.T) {
	before, e, err := CutExercise("> lesson x\n# a\n> page\n"+exercise, nil)
	if err != nil || before != "> lesson x\n# a\n> page" {
		t.Fatalf("%q, %v", before, err)
	}
	if e.Config.Problem != "forrester" || e.Config.Seed != 4 || e.Config.Params["initial"] != 3 ||
		e.Config.Noise != 0.1 || e.Text != "Find the minimum.\n\nTwice." {
		t.Errorf("%+v", e)
	}
	if want := []string{"regret < 0.1", "points > 4"}; !slices.Equal(e.Goals, want) {
		t.Errorf("goals %q", e.Goals)
	}
	if !e.Hides("acquisition") || e.Hides("truth") {
		t.Errorf("it hides %q", e.Hide)
	}
	if want := []string{"step 5", "query 0.4", "prefer 1 > 2, really", "step 1"}; !slices.Equal(e.Solve, want) {
		t.Errorf("a way %q", e.Solve)
	}
	if before, e, err := CutExercise("> lesson\n> page", nil); e != nil || err != nil || before != "> lesson\n> page" {
		t.Errorf("without one: %q, %v, %v", before, e, err)
	}
}

// What is wrong with an exercise is said, with its line.
func TestWrongExercises(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"forrester", "forester", "line 3: > exercise forester"},
		{"> hide acquisition", "> hide truth", "can hide only acquisition"},
		{"gp-ei 4", "gp-ei four", `the seed must be a whole number, got "four"`},
		{"gp-ei 4 initial=3 --noise=0.1", "gp-ei", "a function, an optimizer and a seed"},
		{"initial=3", "initial=three", "initial"},
		{"initial=3", "initials=3", "initial"},
		{"initial=3", "initial", "write a parameter as KEY=VALUE"},
		{"--noise", "--nose", "no flag --nose"},
		{"--noise=0.1", "--noise=much", "--noise=much"},
		{"regret < 0.1", "regret <= 0.1", "line 7: > goal regret <= 0.1: a goal is"},
		{"regret < 0.1", "regret < little", "is not a number"},
		{"> solve step 5", "> step 5", "an exercise is at the end"},
		{"> solve step 5, query 0.4", "> ", "the action is missing"},
		{"Find the minimum.\n\nTwice.", "", "no task"},
		{"Twice", strings.Repeat("again ", 60), "64 words"},
		{"> goal regret < 0.1\n> goal points > 4\n", "", "no goal"},
		{"> solve step 5, query 0.4\n> solve prefer 1 > 2, really; step 1", "", "no solution"},
	} {
		_, _, err := CutExercise("> lesson x\n# a\n"+strings.Replace(exercise, c.old, c.new, 1), nil)
		assert.ErrorContains(t, err, c.want, "%q: %v, want %q", c.new, err, c.want)
	}
}
