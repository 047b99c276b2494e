package acts

import (
	"context"
	"fmt"

	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/sessions"
)

// ResultsArgs are the arguments of results.
type ResultsArgs struct {
	From int `json:"from,omitempty" bounds:"0..10000000" default:"1" jsonschema:"number of the first one"`
}

// Recorded is the result of a point.
type Recorded struct {
	Step   Name              `json:"step" jsonschema:"in a batch with the number of the point, as in 7.2"`
	Inputs Input             `json:"inputs" jsonschema:"where it was measured"`
	Values map[string]Number `json:"values,omitempty" jsonschema:"by objective or limit, in its unit; absent if the evaluation failed"`
	SD     map[string]Number `json:"sd,omitempty" jsonschema:"standard errors that were reported"`
	Failed string            `json:"failed,omitempty" jsonschema:"why the evaluation failed"`
	Note   string            `json:"note,omitempty"`
	Block  string            `json:"block,omitempty" jsonschema:"the plate, day or batch of the measurement"`
	Method string            `json:"method" jsonschema:"what suggested the point; person if nobody did"`
}

// ResultsAnswer are results, with the names of variables and quantities.
type ResultsAnswer struct {
	Variables  []string   `json:"variables" jsonschema:"their names, in the order of the declaration"`
	Quantities []string   `json:"quantities" jsonschema:"the names of the objectives and, after them, of the limits"`
	Results    []Recorded `json:"results"`
}

// Text counts the results.
func (a ResultsAnswer) Text() string {
	return fmt.Sprintf("%s of %s.", numfmt.Count(len(a.Results), "result"), numfmt.Count(len(a.Quantities), "quantity"))
}

// Results is the act of listing all results.
var Results = declare(Act{Name: "results", Title: "List all results", Idempotent: true,
	About: "List the results of the branch, with the names of the variables and of the measured quantities."},
	func(_ context.Context, t Turn, a ResultsArgs) (ResultsAnswer, error) {
		return results(t.Session.State(), a), nil
	})

// results lists the results of a state.
func results(st sessions.State, a ResultsArgs) ResultsAnswer {
	answer := ResultsAnswer{Variables: []string{}, Quantities: []string{}, Results: []Recorded{}}
	for _, v := range st.Problem.Domain {
		answer.Variables = append(answer.Variables, v.Name)
	}
	for _, o := range st.Problem.Outputs() {
		answer.Quantities = append(answer.Quantities, o.Name)
	}
	for _, it := range st.Iterations[min(max(a.From-1, 0), len(st.Iterations)):] {
		for i, pt := range it.Points {
			r := Recorded{Step: Name{Suggestion: it.Step}, Inputs: encoding.EncodeMap(st.Problem.Domain, pt.X),
				Values: knownValues(answer.Quantities, pt.Y), SD: knownValues(answer.Quantities, pt.SE), Failed: pt.Reason,
				Note: pt.Note, Block: pt.Block, Method: it.By}
			if len(it.Points) > 1 {
				r.Step.Point = i + 1
			}
			if r.Values == nil && r.Failed == "" {
				r.Failed = "no reason given"
			}
			answer.Results = append(answer.Results, r)
		}
	}
	return answer
}

// knownValues are those of the values that are known, by name; nil if none is.
func knownValues(names []string, values []float64) (known map[string]Number) {
	for i, v := range values {
		if n := number(v); n != nil && i < len(names) {
			if known == nil {
				known = map[string]Number{}
			}
			known[names[i]] = *n
		}
	}
	return known
}
