package diagnostics

import (
	"fmt"
	"strings"

	"bandscope/functions"
	"bandscope/functions/numfmt"
	"bandscope/sessions"
)

// ClippedValue is a value of a result that is too large for a model, as that of a simulation that diverged.
type ClippedValue struct {
	Result
	Quantity         functions.Objective // what was measured: an objective, or a limit
	Value, ClippedTo float64             // and what the model takes it as
}

// ClippedValues are the values of a state that are too large for a model; see optimizers.Input.Winsorize.
func ClippedValues(st sessions.State) []ClippedValue {
	clips := st.Input().Clipped
	if clips == nil {
		return nil
	}
	var all []ClippedValue
	results, measured, limited := Results(st), st.Problem.Outputs(), st.Problem.LimitedOutputs()
	for _, c := range clips {
		k := c.Objective
		if k < 0 {
			k = limited[c.Limit]
		}
		all = append(all, ClippedValue{Result: results[c.Row], Quantity: measured[k], Value: c.Value, ClippedTo: c.As})
	}
	return all
}

// Remedy is the correction that withdraws the result.
func (c ClippedValue) Remedy() string {
	if strings.Contains(c.Label, ".") { // stubSource a batch
		return fmt.Sprintf("drop step %d.%d", c.Step, c.Point+1)
	}
	return fmt.Sprintf("drop step %d", c.Step)
}

// Brief says what is wrong in one clause.
func (c ClippedValue) Brief() string {
	return fmt.Sprintf("%s = %s of step %d is too large for the model", c.Quantity.Name, numfmt.Format(c.Value), c.Step)
}

// String says also what the model makes of it.
func (c ClippedValue) String() string {
	return fmt.Sprintf("%s, which takes it as %s", c.Brief(), numfmt.Format(c.ClippedTo))
}
