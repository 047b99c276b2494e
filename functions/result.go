package functions

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"bandscope/functions/didyoumean"
)

// Result is the result of one point as people and programs report it: by the names of objectives and variables, in their
// units.
type Result struct {
	Values map[string]float64 // of all outputs, or of some if the rest is reported later
	SE     map[string]float64 // standard errors of reported values
	At     map[string]float64 // of the variables that were set otherwise than suggested
	Cost   float64            // 0 where it was not measured
	Failed string             // why it failed; empty where it did not
	Note   string
	Block  string // the plate, day or batch that it was measured in; empty for none
}

// Outcome reads a result for a suggested point. It is partial if a value is missing and nothing failed. Errors name the
// quantity; they wrap ErrNotFinite, ErrMissing or didyoumean.ErrUnknown.
func (p *Problem) Outcome(x []float64, r Result) (Outcome, error) {
	o := Outcome{Cost: r.Cost, Reason: r.Failed, Note: r.Note, Block: r.Block, Partial: r.Failed == ""}
	subject := "objective"
	if len(p.Limits) > 0 {
		subject += " or limit"
	}
	var objectives, variables []string
	for _, ob := range p.Outputs() {
		objectives = append(objectives, ob.Name)
	}
	for _, v := range p.Domain {
		variables = append(variables, v.Name)
	}
	var err error
	o.Values, err = inOrder(subject, objectives, r.Values, math.NaN())
	if err != nil {
		return Outcome{}, err
	}
	if len(r.SE) > 0 {
		o.SE, err = inOrder(subject, objectives, r.SE, math.NaN())
		if err != nil {
			return Outcome{}, err
		}
	}
	actual, err := inOrder("variable", variables, r.At, math.NaN())
	if err != nil {
		return Outcome{}, err
	}
	for j, v := range actual {
		if math.IsNaN(v) {
			actual[j] = x[j]
		}
	}
	if !slices.Equal(actual, x) {
		o.At = actual
	}
	if len(r.Values) == 0 && r.Failed == "" {
		return Outcome{}, fmt.Errorf("report a value or a failure: %w", ErrMissing)
	}
	settled, err := p.NormalizeOutcome(x, o)
	o.Partial = settled.Partial
	return o, err
}

// inOrder puts values by name in the order of the names; those that are not given are absent.
func inOrder(subject string, names []string, values map[string]float64, absent float64) ([]float64, error) {
	list := slices.Repeat([]float64{absent}, len(names))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		i := slices.Index(names, name)
		if i < 0 {
			return nil, didyoumean.NewUnknownError(subject, name, names)
		}
		if !Finite([]float64{values[name]}) {
			return nil, fmt.Errorf("%s = %g: %w", name, values[name], ErrNotFinite)
		}
		list[i] = values[name]
	}
	return list, nil
}
