package functions

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What came of an evaluation counts as it is told, but for what nobody said; what cannot be an outcome is refused with
// a reason.
func TestSettledOutcomes(t *testing.T) {
	dear := &Cost{Text: "2 x1", Func: func(x []float64) float64 { return 2 * x[0] }}
	two := &Problem{Name: "espresso", Domain: Box(2, 0, 4), Objectives: make([]Objective, 2)}
	costly := *two
	costly.Cost = dear
	nan := math.NaN()
	for name, c := range map[string]struct {
		p     *Problem
		o     Outcome
		want  Outcome
		wrong string
	}{
		"values": {two, Outcome{Values: []float64{1, 2}}, Outcome{Values: []float64{1, 2}, Cost: 1}, ""},
		"declared cost": {&costly, Outcome{Values: []float64{1, 2}}, Outcome{Values: []float64{1, 2}, Cost: 6},
			""},
		"measured cost": {&costly, Outcome{Values: []float64{1, 2}, Cost: 5},
			Outcome{Values: []float64{1, 2}, Cost: 5}, ""},
		"a reason": {two, Outcome{Reason: "spilt"},
			Outcome{Values: []float64{nan, nan}, Cost: 1, Reason: "spilt"}, ""},
		"a part and a reason": {two, Outcome{Values: []float64{1, nan}, Reason: "spilt"},
			Outcome{Values: []float64{1, nan}, Cost: 1, Reason: "spilt"}, ""},
		"values that fail": {two, Outcome{Values: []float64{math.Inf(1), 1}},
			Outcome{Values: []float64{math.Inf(1), 1}, Cost: 1}, ""},
		"nothing": {two, Outcome{}, Outcome{},
			"espresso: the evaluation returned 0 values, but espresso has 2 objectives"},
		"too few": {two, Outcome{Values: []float64{1}}, Outcome{}, "returned 1 value,"},
		"too few of the truth": {two, Outcome{Values: []float64{1, 2}, Truth: []float64{1}}, Outcome{},
			"2 values, but 1 value without noise"},
		"values and a reason": {two, Outcome{Values: []float64{1, 2}, Reason: "spilt"}, Outcome{},
			"a failure (spilt)"},
		"a negative cost":       {two, Outcome{Values: []float64{1, 2}, Cost: -1}, Outcome{}, "got -1"},
		"an infinite cost":      {two, Outcome{Values: []float64{1, 2}, Cost: math.Inf(1)}, Outcome{}, "got +Inf"},
		"a cost that is no one": {two, Outcome{Values: []float64{1, 2}, Cost: nan}, Outcome{}, "got NaN"},
	} {
		got, err := c.p.NormalizeOutcome([]float64{3, 1}, c.o)
		same := slices.EqualFunc(got.Values, c.want.Values, func(a, b float64) bool {
			return a == b || math.IsNaN(a) && math.IsNaN(b)
		})
		switch {
		case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
			t.Errorf("%s: got %v, want a mention of %q", name, err, c.wrong)
		case c.wrong == "" && (err != nil || !same || got.Cost != c.want.Cost || got.Reason != c.want.Reason):
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
	if _, err := costly.NormalizeOutcome([]float64{0, 1}, Outcome{Values: []float64{1, 2}}); err == nil ||
		!strings.Contains(err.Error(), `"2 x1" is 0 at x1 = 0, x2 = 1`) {
		t.Errorf("a declared cost that is not positive: %v", err)
	}
}

// A truth evaluates itself, without noise; an experiment needs somebody else.
func TestOwnEvaluator(t *testing.T) {
	p := find(t, "forrester", 0)
	o, err := p.Evaluator().Evaluate(t.Context(), []float64{0.5})
	want, _ := p.TrueValues([]float64{0.5})
	if err != nil || !slices.Equal(o.Values, want) || !slices.Equal(o.Truth, want) || o.Cost != 0 || o.Reason != "" {
		t.Errorf("got %+v, %v", o, err)
	}
	_, err = p.Evaluator().Evaluate(t.Context(), []float64{2})
	assert.Error(t, err, "a point outside of the domain is evaluated")
	p.Truth = nil
	assert.Nil(t, p.Evaluator(), "an experiment evaluates itself")
}
