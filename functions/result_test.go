package functions

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/functions/didyoumean"
)

// brew is an experiment with two objectives.
func brew() *Problem {
	return &Problem{Name: "brew", Domain: Domain{{Name: "dose", Low: 14, High: 20, Unit: "g"},
		{Name: "time", Low: 20, High: 40}}, Objectives: []Objective{
		{Name: "extraction", Unit: "%", Direction: Maximize, Range: &[2]float64{14, 24}},
		{Name: "bitterness", Direction: Minimize, Range: &[2]float64{0, 10}}}}
}

// A result is read by its names, and what is wrong with it is told by them.
func TestResult(t *testing.T) {
	type values = map[string]float64
	nan := math.NaN()
	x := []float64{17, 30}
	for name, c := range map[string]struct {
		Result
		want Outcome
		err  error
		says string
	}{
		"all": {Result{Values: values{"extraction": 18.2, "bitterness": 3}},
			Outcome{Values: []float64{18.2, 3}}, nil, ""},
		"with more": {Result{Values: values{"extraction": 18.2, "bitterness": 3}, SE: values{"bitterness": 0.5},
			At: values{"dose": 16.9}, Cost: 2, Note: "slow"},
			Outcome{Values: []float64{18.2, 3}, SE: []float64{nan, 0.5}, At: []float64{16.9, 30}, Cost: 2,
				Note: "slow"}, nil, ""},
		"at the point": {Result{Values: values{"extraction": 18.2, "bitterness": 3}, At: values{"dose": 17}},
			Outcome{Values: []float64{18.2, 3}}, nil, ""},
		"some": {Result{Values: values{"bitterness": 3}},
			Outcome{Values: []float64{nan, 3}, Partial: true}, nil, ""},
		"failed": {Result{Failed: "burnt"}, Outcome{Values: []float64{nan, nan}, Reason: "burnt"}, nil, ""},
		"failed with some": {Result{Failed: "burnt", Values: values{"extraction": 18}},
			Outcome{Values: []float64{18, nan}, Reason: "burnt"}, nil, ""},
		"failed with all": {Result{Failed: "burnt", Values: values{"extraction": 18, "bitterness": 3}}, Outcome{},
			nil, "both values [18 3] and a failure (burnt)"},
		"nothing": {Result{Note: "hm"}, Outcome{}, ErrMissing, "report a value or a failure"},
		"a misspelt name": {Result{Values: values{"extracton": 18}}, Outcome{}, didyoumean.ErrUnknown,
			`no objective "extracton"; did you mean extraction?`},
		"a wrong variable": {Result{Failed: "x", At: values{"dos": 18}}, Outcome{}, didyoumean.ErrUnknown,
			`no variable "dos"; did you mean dose?`},
		"not a number": {Result{Values: values{"extraction": nan}}, Outcome{}, ErrNotFinite,
			"extraction = NaN: the value is not finite; report a failure"},
		"infinite": {Result{Values: values{"extraction": math.Inf(1)}}, Outcome{}, ErrNotFinite,
			"extraction = +Inf"},
		"an error alone": {Result{Values: values{"extraction": 18}, SE: values{"bitterness": 1}}, Outcome{},
			ErrMissing, "bitterness has a standard error but no value"},
		"a negative error": {Result{Values: values{"extraction": 18}, SE: values{"extraction": -1}}, Outcome{}, nil,
			"standard error of extraction must be positive and finite, got -1"},
		"outside": {Result{Values: values{"extraction": 18}, At: values{"dose": 25}}, Outcome{}, nil,
			"dose must be in [14, 20], got 25"},
		"a cost below 0": {Result{Values: values{"extraction": 18}, Cost: -1}, Outcome{}, nil, "must be positive and finite, got -1"},
	} {
		got, err := brew().Outcome(x, c.Result)
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) || c.err != nil && !errors.Is(err, c.err) {
				t.Errorf("%s: got %v", name, err)
			}
			continue
		}
		same := func(a, b []float64) bool {
			return slices.EqualFunc(a, b, func(v, w float64) bool { return v == w || math.IsNaN(v) && math.IsNaN(w) })
		}
		if err != nil || !same(got.Values, c.want.Values) || !same(got.SE, c.want.SE) || !same(got.At, c.want.At) ||
			got.Cost != c.want.Cost ||
			got.Reason != c.want.Reason || got.Note != c.want.Note || got.Partial != c.want.Partial {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
}

// What lies outside of what is expected is asked back, and taken all the same.
func TestDoubts(t *testing.T) {
	p := brew()
	for _, c := range []struct {
		o    Outcome
		want []string
	}{
		{Outcome{Values: []float64{14, 10}, SE: []float64{10, math.NaN()}}, nil},
		{Outcome{Values: []float64{42, -1}}, []string{"extraction: 42 % is outside the expected range 14 to 24",
			"bitterness: -1 is outside the expected range 0 to 10"}},
		{Outcome{Values: []float64{math.NaN(), 3}, SE: []float64{math.NaN(), 11}},
			[]string{"bitterness: the standard error 11 is larger than the expected range 0 to 10"}},
		{Outcome{Reason: "burnt"}, nil},
	} {
		assert.Equal(t, c.want, p.Warnings(c.o), "%+v", c.o)
		if _, err := p.NormalizeOutcome([]float64{17, 30}, c.o); err != nil {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
	p = &Problem{Objectives: []Objective{{Name: "rate", Scale: Log, Range: &[2]float64{0.01, 100}}}}
	for value, want := range map[float64]bool{0.05: true, 50: false} {
		// an error of 2 is forty times the one, and a part of the other
		if got := p.Warnings(Outcome{Values: []float64{value}, SE: []float64{2}}) != nil; got != want {
			t.Errorf("%g ± 2 of what factors count of is doubted: %v", value, got)
		}
	}
}
