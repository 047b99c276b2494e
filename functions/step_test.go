package functions

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The values of a step are the numbers that a person types, whatever sums of floating point say; they come back from
// the unit interval, and other values stay as they are.
func TestSteps(t *testing.T) {
	for name, c := range map[string]struct {
		v     Variable
		count int
		texts []string // of the first values
	}{
		"tenths":      {Variable{Low: 0, High: 1, Step: 0.1}, 11, []string{"0.0", "0.1", "0.2", "0.3"}},
		"below 0":     {Variable{Low: -0.3, High: 0.3, Step: 0.1}, 7, []string{"-0.3", "-0.2", "-0.1", "0.0", "0.1"}},
		"from 25":     {Variable{Low: 25, High: 95, Step: 10}, 8, []string{"25", "35", "45"}},
		"large":       {Variable{Low: 10000, High: 20000, Step: 2500}, 5, []string{"10000", "12500"}},
		"logarithmic": {Variable{Low: 0.1, High: 10, Step: 0.05, Scale: Log}, 199, []string{"0.10", "0.15", "0.20"}},
		"fine":        {Variable{Low: 0, High: 1000, Step: 0.001}, 1000001, []string{"0.000", "0.001", "0.002"}},
	} {
		if c.v.Steps() != c.count || c.v.Levels() != 0 {
			t.Fatalf("%s has %d steps and %d levels", name, c.v.Steps(), c.v.Levels())
		}
		rng := rand.New(rand.NewPCG(1, 2))
		for i, text := range c.texts {
			assert.Equal(t, text, c.v.Text(c.v.Level(i)), "%s: value %d", name, i)
		}
		for range 300 {
			i := rng.IntN(c.count)
			x := c.v.Level(i)
			typed, _ := strconv.ParseFloat(c.v.Text(x), 64)
			if x != typed || c.v.FromUnit(c.v.ToUnit(x)) != x || c.v.Nearest(x) != i || c.v.CheckStep(x) != nil {
				t.Fatalf("%s: value %d is %v, typed %v, back from the unit interval %v, nearest %d, %v", name, i, x,
					typed, c.v.FromUnit(c.v.ToUnit(x)), c.v.Nearest(x), c.v.CheckStep(x))
			}
			off := x + (0.1+0.8*rng.Float64())*c.v.Step
			if off >= c.v.High {
				continue
			}
			if back := c.v.FromUnit(c.v.ToUnit(off)); math.Abs(back-off) > 1e-9*c.v.High || c.v.CheckStep(off) == nil ||
				c.v.Check(off) != nil {
				t.Errorf("%s: %v between two steps becomes %v (%v, %v)", name, off, back, c.v.CheckStep(off), c.v.Check(off))
			}
			if snapped := c.v.Snap(off); c.v.CheckStep(snapped) != nil || math.Abs(snapped-off) > c.v.Step*(1+1e-9) {
				t.Errorf("%s: %v snaps to %v", name, off, snapped)
			}
		}
	}
}

// A value beside the grid is refused with its neighbours, and shown with four digits.
func TestBesideSteps(t *testing.T) {
	v := Variable{Name: "dose", Low: 14, High: 20, Step: 0.5}
	want := "dose must be 14 plus a multiple of its step 0.5, such as 17.0 or 17.5, got 17.23456"
	if err := v.CheckStep(17.23456); err == nil || err.Error() != want {
		t.Errorf("%v, want %q", err, want)
	}
	assert.Equal(t, "17.23", v.Text(17.23456), "shown as")
	assert.NoError(t, (Domain{v, {Name: "x", High: 1}}).CheckSteps([]float64{14.5, 0.123}))
}

// A grid through 0 has no -0.
func TestStepsThroughZero(t *testing.T) {
	v := Variable{Low: -0.9, High: 0.9, Step: 0.3}
	for _, x := range append(v.GridValues(), v.FromUnit(0.5), v.Snap(-1e-17)) {
		if x == 0 && math.Signbit(x) {
			t.Errorf("a value is -0")
		}
	}
	assert.Equal(t, "0.0", v.Text(v.FromUnit(0.5)), "the middle")
}
