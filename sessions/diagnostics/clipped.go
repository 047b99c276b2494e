package diagnostics

import (
	"fmt"
	"strings"

	"bandscope/functions"
	"bandscope/functions/numfmt"
	"bandscope/sessions"
)

// ClippedValue is a value that is too large for a model, for example of a simulation that diverged.
type ClippedValue struct {
	Result
	Quantity         functions.Objective // an objective or a limit
	Value, ClippedTo float64             // the value, and the one that the model uses instead
}

// ClippedValues are the values of a state that are too large for a model; see optimizers.Input.Winsorize.
func ClippedValues(st sessions.State) []ClippedValue {
	clips := st.Input().Clipped
	if clips == nil {
		return nil
	}
	var all []ClippedValue
	results := Results(st)
	measured := st.Problem.Outputs()
	limited := st.Problem.LimitedOutputs()
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
	if strings.Contains(c.Label, ".") { // of a batch
		return fmt.Sprintf("drop step %d.%d", c.Step, c.Point+1)
	}
	return fmt.Sprintf("drop step %d", c.Step)
}

// Brief describes the problem in one clause.
func (c ClippedValue) Brief() string {
	return fmt.Sprintf("%s = %s of step %d is too large for the model", c.Quantity.Name, numfmt.Format(c.Value), c.Step)
}

// String also gives the value that the model uses.
func (c ClippedValue) String() string {
	return fmt.Sprintf("%s, which uses %s instead", c.Brief(), numfmt.Format(c.ClippedTo))
}
