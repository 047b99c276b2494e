package experiment

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mixed is a right declaration of a mixture of three components.
const mixed = `name = "m"
[[variable]]
name = "a"
low = 0.2
high = 0.8
step = 0.05
[[variable]]
name = "b"
low = 0
high = 0.7
step = 0.05
[[variable]]
name = "c"
low = 0.1
high = 0.5
step = 0.1
[[mixture]]
components = ["a", "b", "c"]
[[objective]]
name = "y"
direction = "minimize"
`

// A mixture constrains the problem by its sum, whose default is 1.
func TestMixture(t *testing.T) {
	d, err := Parse("m.toml", []byte(mixed))
	require.NoError(t, err)
	p := d.Problem()
	if len(p.Mixtures) != 1 || len(p.Constraints) != 1 || p.Constraints[0].Text != "a + b + c == 1" {
		t.Errorf("the constraints are %+v, of %+v", p.Constraints, p.Mixtures)
	}
	if p.CheckConstraints([]float64{0.35, 0.55, 0.1}) != nil || p.CheckConstraints([]float64{0.35, 0.6, 0.1}) == nil {
		t.Error("the sum is not 1")
	}
	if got := d.Differences(&Declaration{Name: "m", Variables: d.Variables, Objectives: d.Objectives}); len(got) != 1 ||
		got[0] != "mixtures is now empty; it was a + b + c == 1" {
		t.Errorf("without the mixture: %v", got)
	}
}

// A fault of steps and mixtures is reported at its line, with the numbers in conflict.
func TestFaultsOfMixtures(t *testing.T) {
	for _, c := range []struct{ old, with, want string }{
		{"low = 0.1", "low = 0.9\n", "line 16: low must be less than high"},
		{"low = 0.2", "low = 0.0", ""},
		{"low = 0.1\nhigh = 0.5", "low = 0.9\nhigh = 1.0",
			"line 18: the lower bounds of the components sum to 1.1, more than the total 1: a 0.2, b 0, c 0.9; lower one of"},
		{"high = 0.7", "high = 0.05", ""},
		{`"c"]`, "\"c\"]\ntotal = 100", "the upper bounds of the components sum to 2, less than the total 100: a 0.8, b 0.7"},
		{`"c"]`, "\"c\"]\ntotal = 0.3",
			"the bounds of the components leave one mixture only: a 0.2, b 0, c 0.1; widen them"},
		{`"c"]`, "\"c\"]\ntotal = 0.97", "no values on the grids of the steps sum to 0.97: all sums are 0.3 plus a multiple of 0.05 (the steps are a 0.05, b 0.05, c 0.1); change a step or a lower bound"},
		{`"c"]`, "\"c\"]\ntotal = 0", "line 19: total must be above 0, got 0"},
		{`["a", "b", "c"]`, `["a", "b", "d"]`, `line 18: the component "d" is no variable; did you mean a?`},
		{`["a", "b", "c"]`, `["a", "b", "b"]`, "components contains b twice"},
		{`["a", "b", "c"]`, `["a"]`, "a mixture needs 2 or more components"},
		{`["a", "b", "c"]`, `"a, b"`, "components must be a list of texts in quotes"},
		{`components = ["a", "b", "c"]`, "", `this mixture has no components; add one: components = ["water", "oil"`},
		{`["a", "b", "c"]`, "[\"a\", \"b\"]\n[[mixture]]\ncomponents = [\"b\", \"c\"]",
			"line 20: b is a component of mixture 1 already"},
		{"step = 0.1", "step = 0.1\nscale = \"log\"", "the component c has a logarithmic scale"},
		{"step = 0.1", "step = 0.3", "high must be low plus a multiple of the step 0.3: 0.4 or 0.7, got 0.5"},
		{"step = 0.1", "step = -1", "line 16: step must be above 0, got -1"},
		{"step = 0.1", "step = 1", "the step 1 is greater than the interval from 0.1 to 0.5"},
		{"step = 0.1", "step = 1e-9", "the maximum is 100001, so use a step of 4e-6 or more, or none"},
		{"low = 0.1\nhigh = 0.5\nstep = 0.1", "kind = \"integer\"\nlow = 0\nhigh = 1\nstep = 1",
			`step does not apply to kind = "integer", only to kind = "real"`},
	} {
		_, err := Parse("m.toml", []byte(strings.Replace(mixed, c.old, c.with, 1)))
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%q: %v", c.with, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%q: %v\nwant %q", c.with, err, c.want)
		}
	}
}
