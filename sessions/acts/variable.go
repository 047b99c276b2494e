package acts

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/sessions"
)

// VariableArgs give an experiment a wider domain: more values of a variable, or a further variable.
type VariableArgs struct {
	Name        string             `json:"name" flag:"variable" length:"1000" words:"bounds" jsonschema:"the variable that takes more values, or a new one"`
	Low         *float64           `json:"low,omitempty" jsonschema:"lowest value"`
	High        *float64           `json:"high,omitempty" jsonschema:"highest value"`
	Step        *float64           `json:"step,omitempty" jsonschema:"distance between suggested values; 0 for none"`
	Choices     []string           `json:"choices,omitempty" items:"1000" jsonschema:"names to add to a choice; on a command line a name with a comma is in double quotes"`
	Values      []float64          `json:"values,omitempty" items:"1000" jsonschema:"numbers to add to a list"`
	Descriptors map[string]float64 `json:"descriptors,omitempty" items:"100" jsonschema:"properties of a name that is added, if the others have some"`
	Kind        string             `json:"kind,omitempty" enum:"real|integer" jsonschema:"kind of a new variable without choices or values"`
	Unit        string             `json:"unit,omitempty" flag:"variable-unit" length:"100" jsonschema:"unit of a new variable"`
	Scale       string             `json:"scale,omitempty" flag:"variable-scale" enum:"linear|log" jsonschema:"scale of a new variable"`
	Earlier     *encoding.Value    `json:"earlier,omitempty" jsonschema:"value of a new variable in all earlier points"`
}

// Apply widens the domain, and returns a sentence about the change.
func (a VariableArgs) Apply(s *sessions.Session, reason string) (string, error) {
	st := s.State()
	if st.Config.Experiment == nil {
		return "", fmt.Errorf("%s: %w", st.Problem.Name, sessions.ErrFixedVariables)
	}
	w, err := a.widening(st)
	if err != nil {
		return "", err
	}
	if err := s.Widen(w, reason); err != nil {
		return "", err
	}
	return describeWidening(st, w), nil
}

// widening is the change of the domain that the arguments ask for.
func (a VariableArgs) widening(st sessions.State) (w sessions.Widening, err error) {
	w.Earlier = math.NaN()
	j := slices.IndexFunc(st.Problem.Domain, func(v functions.Variable) bool { return v.Name == a.Name })
	if j < 0 {
		w.Variable, err = a.declaration(st)
		if err != nil {
			return w, err
		}
	} else {
		if a.Kind != "" || a.Unit != "" || a.Scale != "" || a.Earlier != nil {
			return w, fmt.Errorf("%s exists: its kind, unit and scale stay, and earlier is for a new variable", a.Name)
		}
		w.Variable = st.Problem.Domain[j]
	}
	before := w.Variable
	if err := a.extend(&w.Variable); err != nil {
		return w, err
	}
	switch {
	case j >= 0 && sameVariable(before, w.Variable):
		return w, fmt.Errorf("%s takes these values already: give low, high, step, choices or values", a.Name)
	case j >= 0:
		return w, nil
	case a.Earlier == nil:
		return w, fmt.Errorf("which value did %s have so far? Give earlier", a.Name)
	}
	values, err := encoding.DecodeMap(functions.Domain{w.Variable}, Input{a.Name: *a.Earlier})
	w.Earlier = values[a.Name]
	return w, err
}

func sameVariable(a, b functions.Variable) bool {
	return a.Low == b.Low && a.High == b.High && a.Step == b.Step && len(a.Choices) == len(b.Choices) &&
		len(a.Values) == len(b.Values)
}

// declaration is a new variable without its values. An unknown name with values of a single existing kind is new too.
func (a VariableArgs) declaration(st sessions.State) (functions.Variable, error) {
	v := functions.Variable{Name: a.Name, Unit: a.Unit}
	switch {
	case len(a.Choices) > 0:
		v.Kind = functions.Choice
	case len(a.Values) > 0:
		v.Kind = functions.Ordered
	case a.Low == nil || a.High == nil:
		_, err := st.Variable(a.Name)
		return v, fmt.Errorf("%w; a new variable needs low and high, choices or values", err)
	case a.Kind == string(functions.Integer):
		v.Kind = functions.Integer
	}
	if a.Scale == Log {
		v.Scale = functions.Log
	}
	return v, nil
}

// extend adds values to a variable.
func (a VariableArgs) extend(v *functions.Variable) error {
	switch v.Kind {
	case functions.Choice:
		if a.Low != nil || a.High != nil || a.Step != nil || a.Values != nil {
			return fmt.Errorf("%s is a choice; name what it takes too with choices", v.Name)
		}
		return a.addChoices(v)
	case functions.Ordered:
		if a.Low != nil || a.High != nil || a.Step != nil || a.Choices != nil {
			return fmt.Errorf("%s takes listed numbers; add some with values", v.Name)
		}
		v.Values = slices.Compact(slices.Sorted(slices.Values(slices.Concat(v.Values, a.Values))))
		v.Low, v.High = v.Values[0], v.Values[len(v.Values)-1]
		return nil
	}
	if a.Choices != nil || a.Values != nil {
		return fmt.Errorf("%s is a number; change low, high or step", v.Name)
	}
	if a.Low != nil {
		v.Low = *a.Low
	}
	if a.High != nil {
		v.High = *a.High
	}
	if a.Step != nil {
		v.Step = *a.Step
	}
	return v.CheckStep(v.High)
}

// addChoices adds names to a choice, and the descriptors of one that is added.
func (a VariableArgs) addChoices(v *functions.Variable) error {
	v.Choices = slices.Concat(v.Choices, a.Choices)
	v.High = float64(len(v.Choices) - 1)
	if v.Descriptors == nil && a.Descriptors == nil {
		return nil
	}
	if len(a.Choices) != 1 {
		return errors.New("add one name at a time, with its descriptors")
	}
	var names []string
	v.Descriptors = slices.Clone(v.Descriptors)
	for i, d := range v.Descriptors {
		x, ok := a.Descriptors[d.Name]
		if !ok {
			return fmt.Errorf("the other names have the descriptor %s; give that of %s with descriptors", d.Name, a.Choices[0])
		}
		v.Descriptors[i].Values = slices.Concat(d.Values, []float64{x})
		names = append(names, d.Name)
	}
	for name := range a.Descriptors {
		if !slices.Contains(names, name) {
			return fmt.Errorf("the other names have no descriptor %s", name)
		}
	}
	return nil
}

// describeWidening describes a change of the domain in a state.
func describeWidening(before sessions.State, w sessions.Widening) string {
	v := w.Variable
	text := v.Name + " lies " + strings.TrimSpace(encoding.FormatBounds(v)+" "+v.Unit)
	switch {
	case v.Kind == functions.Choice || v.Kind == functions.Ordered:
		text = v.Name + strings.TrimRight(" takes "+strings.TrimPrefix(encoding.FormatRange(v), "one of ")+" "+v.Unit, " ")
	case v.Step > 0:
		text += " in steps of " + numfmt.Exact(v.Step)
	}
	text += " from now on"
	if n := len(before.Iterations); !math.IsNaN(w.Earlier) && n > 0 {
		text += fmt.Sprintf("; it was %s in %s", encoding.FormatExact(v, w.Earlier), numfmt.Count(n, "earlier result"))
	}
	return text
}
