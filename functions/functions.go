// Package functions has the problems to optimize: declarations of variables, objectives, ranges and costs; the truth,
// which test functions have and experiments do not; evaluators, which take a point and return an outcome or an error;
// and the registry that finds test functions by name. Everything is in the problem's own units and directions; noise,
// directions and scaling to the unit cube belong to the packages above. It imports only packages below it.
package functions

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/functions/numfmt"
	"bandscope/functions/transform"
)

// Direction says whether an objective is to be minimized or maximized.
type Direction string

// The two directions.
const (
	Minimize Direction = "minimize"
	Maximize Direction = "maximize"
)

// Sign is +1 for Minimize and −1 for Maximize: the factor that turns a value into one to be minimized.
func (d Direction) Sign() float64 {
	if d == Maximize {
		return -1
	}
	return 1
}

// Domain is the box of all inputs, one Variable a dimension.
type Domain []Variable

// Box returns the domain [low, high]^d with variables x1…xd (x if d is 1).
func Box(d int, low, high float64) Domain {
	dom := make(Domain, d)
	for i := range dom {
		dom[i] = Variable{Name: fmt.Sprintf("x%d", i+1), Low: low, High: high}
	}
	if d == 1 {
		dom[0].Name = "x"
	}
	return dom
}

// ToUnit maps an input in the domain's units to the unit cube.
func (d Domain) ToUnit(x []float64) []float64 {
	u := make([]float64, len(d))
	for i, v := range d {
		u[i] = v.ToUnit(x[i])
	}
	return u
}

// FromUnit maps a point of the unit cube to the domain's units; it never leaves the bounds by rounding.
func (d Domain) FromUnit(u []float64) []float64 {
	x := make([]float64, len(d))
	for i, v := range d {
		x[i] = v.FromUnit(u[i])
	}
	return x
}

// Check returns an error if x is not an input: about its length, or about the first value that is not finite or outside
// its bounds.
func (d Domain) Check(x []float64) error {
	if len(x) != len(d) {
		return fmt.Errorf("input must have %s (%s), got %d", numfmt.Count(len(d), "value"), d.names(), len(x))
	}
	for i, v := range d {
		if err := v.Check(x[i]); err != nil {
			return err
		}
	}
	return nil
}

// Text formats an input with the names of its variables, cut after four.
func (d Domain) Text(x []float64) string {
	parts := make([]string, 0, 5)
	for j, v := range d {
		if j == 4 && len(d) > 5 {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, v.Name+" = "+v.Text(x[j]))
	}
	return strings.Join(parts, ", ")
}

func (d Domain) names() string {
	switch len(d) {
	case 0:
		return ""
	case 1:
		return d[0].Name
	default:
		return d[0].Name + "…" + d[len(d)-1].Name
	}
}

// Objective names one output of a problem: one that is optimized or, among the limits of a problem, one that is
// measured only and has no direction.
type Objective struct {
	Name      string    `json:"name"`
	Unit      string    `json:"unit,omitempty"`
	Direction Direction `json:"direction,omitempty"`
	Header    string    `json:"header,omitempty"` // as of a variable

	// how values count: with Log, factors count, and values below the least expected value, which is above 0, are
	// clipped to it; see Transform
	Scale Scale `json:"scale,omitempty"`

	// the least and the greatest value that are expected; nil if not declared
	Range *[2]float64 `json:"range,omitempty"`
	Noise float64     `json:"noise,omitempty"` // standard deviation of the observation noise; 0 where it is unknown

	// the smallest improvement that is worth an evaluation, in the unit, or with Log as a factor above 1; 0 if not
	// declared
	Worthwhile float64 `json:"worthwhile,omitempty"`

	// the limits, in the unit: values beyond one are not feasible; nil for none
	AtMost  *float64 `json:"at_most,omitempty"`
	AtLeast *float64 `json:"at_least,omitempty"` //
}

// Transform is how methods count values of the objective, also in trade-offs between objectives; a measured quantity
// that is not optimized counts as minimized.
func (o Objective) Transform() transform.Transform {
	g := transform.Transform{Sign: o.Direction.Sign()}
	if o.Scale == Log {
		g.Floor = math.SmallestNonzeroFloat64
		if o.Range != nil && o.Range[0] > 0 {
			g.Floor = o.Range[0]
		}
	}
	return g
}

// Region is a part of the space of objectives that can be aimed at by its name.
type Region struct {
	Name  string `json:"name"`
	Prior string `json:"prior"` // as preference.ParsePrior reads it, bounds in the objectives' units
}

// Fidelity names a variable at whose full value an evaluation is one of the objective that is sought, and elsewhere one
// of something like it, for less.
type Fidelity struct {
	Variable string  `json:"variable"`
	Full     float64 `json:"full"` // in the variable's unit
}

// Problem declares a black box: everything that a screen or an optimizer may know of it without an evaluation. An
// Evaluator evaluates it.
type Problem struct {
	Name       string // as it is typed: "ackley:20"
	Title      string // as it is shown: "Ackley, 20-D"
	About      string // one sentence: the difficulty of the problem
	Source     string
	Domain     Domain
	Objectives []Objective
	Limits     []Objective // further quantities that are measured with the objectives and have limits

	// where it may be evaluated, the sums of the mixtures first; nil: everywhere
	Constraints []Constraint
	Mixtures    []Mixture // of different variables

	Range    *Range    // the declared ranges of the objectives; nil if unknown
	Regions  []Region  // parts of the space of objectives with a name of their own
	Cost     *Cost     // of an evaluation; nil where all cost 1
	Fidelity *Fidelity // the fidelity variable; nil if every evaluation has full fidelity
	Seeded   bool      // another seed is another function

	Truth *Truth // of a test function or a table; nil if values are only known from evaluations
	Table *Table // the only inputs, with their values; nil if every input of the domain can be evaluated

	// By evaluates a problem of which every evaluation is computed by this program and takes its time, such as the
	// training of a model; nil of others.
	BuiltinEvaluator Evaluator
}

// Dim is the number of inputs.
func (p *Problem) Dim() int { return len(p.Domain) }

// FidelityIndex is the position of the variable that is the problem's fidelity; −1 where there is none.
func (p *Problem) FidelityIndex() int {
	if p.Fidelity == nil {
		return -1
	}
	return slices.IndexFunc(p.Domain, func(v Variable) bool { return v.Name == p.Fidelity.Variable })
}

// Finite reports whether every value is a finite number.
func Finite(y []float64) bool {
	for _, v := range y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}
