package functions

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bench is a domain of all kinds.
var bench = Domain{{Name: "a", High: 1}, {Name: "b", High: 1}, {Name: "t", Low: 20, High: 120},
	{Name: "k", Low: 0.1, High: 10, Scale: Log},
	{Name: "n", Low: 1, High: 6, Kind: Integer}, {Name: "m", Low: 1, High: 6, Kind: Integer},
	NewChoice("solvent", "water", "none at all"), {Name: "p", High: 3, Step: 0.25}, {Name: "q", High: 3, Step: 0.25}}

// A constraint holds where it says so, to rounding, and what is linear is known as a sum.
func TestParseConstraint(t *testing.T) {
	valueAt := func(change map[int]float64) []float64 {
		x := []float64{0.25, 0.75, 100, 1, 2, 3, 0, 1.25, 1.5}
		for j, v := range change {
			x[j] = v
		}
		return x
	}
	for _, c := range []struct {
		text string
		x    map[int]float64
		told string // empty where it holds
		sum  []float64
	}{
		{"a + b == 1", nil, "", []float64{1, 1, 0, 0, 0, 0, 0, 0, 0}},
		{"a + b == 1", map[int]float64{0: 0.25 + 1e-12}, "", []float64{1, 1, 0, 0, 0, 0, 0, 0, 0}},
		{"a + b == 1", map[int]float64{0: 0.2500001}, "a + b == 1: the left side is 1.0000001 at a = 0.25, b = 0.75",
			[]float64{1, 1, 0, 0, 0, 0, 0, 0, 0}},
		{"t >= 40 + 20*n", map[int]float64{4: 3}, "", []float64{0, 0, -1, 0, 20, 0, 0, 0, 0}},
		{"t >= 40 + 20*n", map[int]float64{4: 4}, "t >= 40 + 20*n: the left side is 100 and the right side is 120 at t = 100, n = 4",
			[]float64{0, 0, -1, 0, 20, 0, 0, 0, 0}},
		{"a * t <= 40", map[int]float64{0: 0.44}, "a * t <= 40: the left side is 44 at a = 0.44, t = 100", nil},
		{"0.1 * 3 * n <= 0.3 * m", map[int]float64{4: 3}, "", []float64{0, 0, 0, 0, 0.30000000000000004, -0.3, 0, 0, 0}},
		{"k + a <= 1", nil, "k + a <= 1: the left side is 1.25 at a = 0.25, k = 1", nil},
		{"n < m", nil, "", []float64{0, 0, 0, 0, 1, -1, 0, 0, 0}},
		{"n < m", map[int]float64{4: 3}, "n < m: the left side is 3 and the right side is 3 at n = 3, m = 3",
			[]float64{0, 0, 0, 0, 1, -1, 0, 0, 0}},
		{"q > p", nil, "", []float64{0, 0, 0, 0, 0, 0, 0, 1, -1}},
		{"q > p", map[int]float64{7: 1.5}, "q > p: the left side is 1.5 and the right side is 1.5 at p = 1.50, q = 1.50",
			[]float64{0, 0, 0, 0, 0, 0, 0, 1, -1}},
		{"q > p", map[int]float64{7: 1.499999999}, "", []float64{0, 0, 0, 0, 0, 0, 0, 1, -1}}, // beside the grid
		{"0.2 * p > 0.3", map[int]float64{7: 1.5},
			"0.2 * p > 0.3: the left side is 0.3 at p = 1.50", []float64{0, 0, 0, 0, 0, 0, 0, -0.2, 0}},
		{"p * n < 3", nil, "", nil},
		{"p * n < 3", map[int]float64{7: 1.5}, "p * n < 3: the left side is 3 at n = 2, p = 1.50", nil},
		{"n * m < 6", map[int]float64{4: 1}, "", nil},
		{"n * m < 6", nil, "n * m < 6: the left side is 6 at n = 2, m = 3", nil},
		{"n * m == 6", nil, "", nil},
		{"n * m == 6", map[int]float64{4: 3}, "n * m == 6: the left side is 9 at n = 3, m = 3", nil},
		{"n + m == 5", nil, "", []float64{0, 0, 0, 0, 1, 1, 0, 0, 0}},
		{`solvent != "water" or t <= 90`, nil,
			`solvent != "water" or t <= 90: it is false at t = 100, solvent = water`, nil},
		{`solvent != "water" or t <= 90`, map[int]float64{6: 1}, "", nil},
		{"log(a - 0.3) <= 9", nil, "log(a - 0.3) <= 9: the left side is NaN at a = 0.25", nil},
	} {
		made, err := ParseConstraint(c.text, bench)
		if err != nil {
			t.Error(err)
			continue
		}
		var weights []float64
		if made.Linear != nil {
			weights = made.Linear.Weights
		}
		if !slices.Equal(weights, c.sum) {
			t.Errorf("%s: the weights are %v, want %v", c.text, weights, c.sum)
		}
		x := valueAt(c.x)
		p := &Problem{Domain: bench, Constraints: []Constraint{made}}
		report := ""
		if err := p.CheckConstraints(x); err != nil {
			report = err.Error()
		}
		if report != c.told || made.Holds(x) != (report == "") {
			t.Errorf("%s at %v: %q, want %q", c.text, x, report, c.told)
		}
		assert.NoError(t, made.Check(bench), c.text)
	}
}

// An equality that cannot be kept to is refused with what to do, and what can hold nowhere, or says nothing.
func TestConstraintsThatAreWrong(t *testing.T) {
	for text, want := range map[string]string{
		"a * b == 1":                         "remove the variable b, which follows from the others, or allow a tolerance: abs(a * b - (1)) <= 0.01",
		"a * a == 1":                         "the equality fixes a; remove this variable, or allow a tolerance: abs(a * a - (1)) <= 0.01",
		"k + a == 1":                         "remove the logarithmic variable, or allow a tolerance: abs(k + a - (1)) <= 0.01",
		"a + b >= 3":                         "holds nowhere between the bounds of its variables; at best, the left side is 2 at a = 1, b = 1",
		"a + b == 3":                         "the left side is 2 at a = 1, b = 1",
		"a - b == -3":                        "the left side is -1 at a = 0, b = 1",
		"a + b <= 3":                         "holds everywhere between the bounds of its variables; check its numbers",
		"a * b >= 3":                         "does not hold at any of 8192 inputs that were tried; at best, the left side is 1 at",
		"t <= 10 and a <= 1":                 "combines two conditions",
		`solvent == "water" and n > 6`:       "combines two conditions",
		`not (solvent == "water" or n <= 6)`: "does not hold at any of 8192 inputs",
		"a < b": `the constraint "a < b": < needs variables with levels or a step, but a and b can be any real number; ` +
			"write a gap, such as a + 0.01 <= b, or allow equality: a <= b",
		"t / n > 30 * p":    "but t can be any real number; write a gap, such as t / n - 1 >= 30 * p,",
		"p + q < 0":         "holds nowhere between the bounds of its variables; at best, the left side is 0",
		"p + q < 6.5":       "holds everywhere between the bounds",
		"a - a <= 1":        "the variables cancel out",
		"sqrt(-1 - a) <= 1": "does not hold at any of",
	} {
		c, err := ParseConstraint(text, bench)
		if err == nil {
			err = c.Check(bench)
		}
		assert.ErrorContains(t, err, want, "%q: %v, want %q", text, err, want)
	}
	if c := InvalidConstraint("x\x1b"); c.Text != `"x\x1b"` || !math.IsNaN(c.Excess(nil)) || c.Holds(nil) ||
		c.Check(bench) == nil {
		t.Errorf("a constraint that cannot be read is %s", c.Text)
	}
}

// The suggested sums of levels, for which Excess decides, keep a strict comparison exactly: none is equal, none is lost.
func TestStrictSumsOfLevels(t *testing.T) {
	for _, text := range []string{"p < q", "3*p + 5*q < 10.25", "n + p > m", "p * q < 2.25"} {
		c, err := ParseConstraint(text, bench)
		require.NoError(t, err)
		x := []float64{0, 0, 20, 1, 1, 1, 0, 0, 0}
		count := 0
		for n := range 6 * 13 * 13 {
			x[4], x[5], x[7], x[8] = float64(1+n%6), 3, float64(n/6%13)/4, float64(n/78)/4
			want := map[string]bool{"p < q": x[7] < x[8], "3*p + 5*q < 10.25": 3*x[7]+5*x[8] < 10.25,
				"n + p > m": x[4]+x[7] > 3, "p * q < 2.25": x[7]*x[8] < 2.25}[text]
			if feasible := c.Excess(x) <= slack; feasible != want || c.Holds(x) != want {
				t.Fatalf("%s at %v: it holds: %v, want %v", text, x, feasible, want)
			}
			if want {
				count++
			}
		}
		if count == 0 || count == 6*13*13 {
			t.Errorf("%s: %d hold", text, count)
		}
	}
}

// A small place in which a constraint holds is found.
func TestConstraintsThatHoldInASmallPlace(t *testing.T) {
	c, err := ParseConstraint("(a - 0.3)^2 + (b - 0.7)^2 + (t/100 - 0.5)^2 <= 1e-6", bench)
	if err == nil {
		err = c.Check(bench)
	}
	assert.NoError(t, err)
}

// A constraint that is a function of the program has no expression, and is told with all variables.
func TestConstraintsOfAFunction(t *testing.T) {
	p := &Problem{Domain: bench[:2], Constraints: []Constraint{
		{Text: "the beam holds", Excess: func(x []float64) float64 { return x[0] - 0.5 }}}}
	if err := p.CheckConstraints([]float64{0.75, 0.25}); err == nil ||
		err.Error() != "the beam holds: it is false at a = 0.75, b = 0.25" {
		t.Errorf("%v", err)
	}
	assert.NoError(t, p.CheckConstraints([]float64{0.25, 0.25}))
}
