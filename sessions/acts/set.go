package acts

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"bandscope/functions/numfmt"
	"bandscope/optimizers"
	"bandscope/sessions"
)

// SetArgs are the arguments of set: changes of one kind.
type SetArgs struct {
	Parameters map[string]Setting `json:"parameters,omitempty" items:"200" arg:"KEY=VALUE" words:"parameters" jsonschema:"values of parameters of the method"`
	Method     string             `json:"method,omitempty" short:"o" length:"200" words:"methods" jsonschema:"the method that goes on, on a branch of its own; with an objective, the one to continue with if the present one cannot handle the change"`
	Narrow     map[string]Bounds  `json:"narrow,omitempty" items:"1..1000" words:"bounds" jsonschema:"bounds by variable: low..high, with a step as in 10..60,2.5, a value to pin it, or free to restore its domain"`
	Duration   string             `json:"duration,omitempty" length:"100" jsonschema:"how long a result usually takes, such as 90min or 2d, or none; pending points are due by it"`
	Reason     string             `json:"reason,omitempty" length:"10000" jsonschema:"why bounds, a variable or the duration change, for the record"`
	Variable   *VariableArgs      `json:"variable,omitempty" jsonschema:"more values of a variable of your own experiment, or a further variable; all results are kept"`
	Objective  *ObjectiveArgs     `json:"objective,omitempty" jsonschema:"a change of an objective or a limit"`
}

// ParameterChange is a parameter that has another value.
type ParameterChange struct {
	Name string `json:"name"`
	From any    `json:"from,omitempty" jsonschema:"the value before; absent if the method before does not have it"`
	To   any    `json:"to"`
}

// SetAnswer is what changed, and what that does to the next point.
type SetAnswer struct {
	Done
	Method  string            `json:"method"`
	Changes []ParameterChange `json:"changes,omitempty"`
	Before  []Input           `json:"next_before,omitempty" jsonschema:"the next point before the change"`
	After   []Input           `json:"next,omitempty" jsonschema:"the next point now"`
	Moved   *Number           `json:"moved,omitempty" jsonschema:"the distance between the two in the unit cube"`
	Next    string            `json:"next_note,omitempty" jsonschema:"why the next point is not known"`

	Duration string                    `json:"duration,omitempty" jsonschema:"how long a result usually takes"`
	Domain   map[string]VariableDomain `json:"domain" jsonschema:"by variable"`
	Outputs  []Quantity                `json:"objectives" jsonschema:"the objectives and, without a direction, the limits"`

	lines []string // of settings that are listed
}

// Text says what changed, and how far the next point moves; without a change it lists the settings.
func (a SetAnswer) Text() string {
	text := a.Done.Text()
	switch {
	case a.lines != nil:
		return textOf(append([]string{text}, a.lines...)...)
	case a.Next != "":
		return text + " " + capitalized(a.Next) + "."
	case a.Moved != nil && *a.Moved == 0:
		return text + " The next point stays."
	case a.Moved != nil && len(a.After) > 0:
		return text + fmt.Sprintf(" The next point moves by %s in the unit cube, to %s.", numfmt.Format(float64(*a.Moved)),
			describeInput(a.After[0]))
	}
	return text
}

// Set is the act of changing the method, its parameters and declarations of the problem.
var Set = declare(Act{Name: "set", Title: "Change the method, its parameters, bounds or objectives",
	Changes: true, Destructive: true,
	About: "Change the method or its parameters from now on, and see what that does to the next point; or the bounds of variables, the domain, an objective or a limit, or how long a result usually takes. All results are kept. Without arguments, list the settings."},
	func(ctx context.Context, t Turn, a SetArgs) (SetAnswer, error) {
		before := t.Session.State()
		if a.isEmpty() {
			return listSettings(before), nil
		}
		next := t.Session.Snapshot()
		text, err := a.Apply(ctx, t.Session)
		if err != nil {
			return SetAnswer{}, asWrong(err)
		}
		switch {
		case a.Narrow != nil:
			text = "bounds: " + text
		case a.Variable != nil:
			text = "variables: " + text
		case a.Objective != nil:
			text = "objectives: " + strings.TrimPrefix(text, "from now on: ")
		}
		answer := newSetAnswer(t.Session.State(), text)
		if a.changesMethod() {
			answer.compare(ctx, t, before, next)
		}
		return answer, nil
	})

func (a SetArgs) isEmpty() bool {
	return !a.changesMethod() && a.Duration == "" && a.Narrow == nil && a.Variable == nil && a.Objective == nil
}

// changesMethod reports whether the method or its parameters change.
func (a SetArgs) changesMethod() bool {
	return a.Objective == nil && a.Method != "" || len(a.Parameters) > 0
}

// Apply makes the change, and returns a sentence about it.
func (a SetArgs) Apply(ctx context.Context, s *sessions.Session) (string, error) {
	kinds := 0
	for _, present := range []bool{a.changesMethod(), a.Duration != "", a.Narrow != nil, a.Variable != nil, a.Objective != nil} {
		if present {
			kinds++
		}
	}
	switch {
	case kinds > 1:
		return "", errors.New("change one thing at a time: the method with its parameters, bounds, a variable, an objective, or the duration")
	case a.Reason != "" && a.Narrow == nil && a.Variable == nil && a.Duration == "":
		return "", errors.New("a reason goes with narrow, variable or duration; note writes a note")
	case a.Narrow != nil:
		return narrow(ctx, s, a.Reason, a.Narrow)
	case a.Variable != nil:
		return a.Variable.Apply(s, a.Reason)
	case a.Objective != nil:
		o := *a.Objective
		o.Method = a.Method
		return o.Apply(s)
	case a.Duration != "":
		return expectDuration(s, a.Duration, a.Reason)
	}
	return a.changeMethod(s)
}

// expectDuration changes how long a result usually takes, such as 2d, or None, and returns a sentence about the change.
func expectDuration(s *sessions.Session, text, reason string) (string, error) {
	if text == None {
		return "no duration is expected from now on", s.ExpectDuration("", reason)
	}
	if err := s.ExpectDuration(text, reason); err != nil {
		return "", err
	}
	sentence := "a result usually takes " + text + " from now on"
	if n := len(s.State().Pending); n > 0 {
		sentence += "; the pending points are due by it"
	}
	return sentence, nil
}

// changeMethod changes the method and its parameters, and returns a sentence about the change.
func (a SetArgs) changeMethod(s *sessions.Session) (string, error) {
	values, before := map[string]string{}, s.State()
	for key, v := range a.Parameters {
		values[key] = string(v)
	}
	if err := s.Set(a.Method, values); err != nil {
		return "", err
	}
	var texts []string
	if now := s.State().Spec; now != before.Spec {
		texts = append(texts, "the method is "+now.Name)
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		texts = append(texts, key+" is "+values[key])
	}
	if texts == nil {
		return "the method is " + before.Spec.Name + " already", nil
	}
	return "from now on, " + strings.Join(texts, ", "), nil
}

// newSetAnswer are the settings of a state after a change.
func newSetAnswer(st sessions.State, text string) SetAnswer {
	a := SetAnswer{Done: Done{text}, Method: st.Spec.Name, Domain: domainOf(st), Outputs: quantities(st)}
	if d := st.ExpectedDuration(); d > 0 {
		a.Duration = d.String()
	}
	return a
}

// listSettings are the settings of a state.
func listSettings(st sessions.State) SetAnswer {
	a := newSetAnswer(st, "the method is "+st.Spec.Name)
	for _, d := range st.Params.Decls() {
		a.lines = append(a.lines, d.Key+" = "+d.Format(st.Params.Value(d.Key)))
	}
	a.lines = append(a.lines, domainLines(st)...)
	for _, o := range st.Problem.Outputs() {
		a.lines = append(a.lines, DescribeObjective(o))
	}
	if a.Duration != "" {
		a.lines = append(a.lines, "a result usually takes "+a.Duration)
	}
	return a
}

// maxCompare bounds how long set computes the next points before and after a change: a method that is too slow must not
// keep a person from changing it.
const maxCompare = 10 * time.Second

// compare adds what changed, and where the next point goes.
func (a *SetAnswer) compare(ctx context.Context, t Turn, before sessions.State, then sessions.Snapshot) {
	now := t.Session.State()
	for _, d := range now.Params.Decls() {
		c := ParameterChange{Name: d.Key, To: now.Params.Value(d.Key)}
		if before.Params.Has(d.Key) {
			c.From = before.Params.Value(d.Key)
		}
		if c.From != c.To && (c.From != nil || c.To != d.Default) {
			a.Changes = append(a.Changes, c)
		}
	}
	if len(now.Pending) > 0 {
		a.Next = fmt.Sprintf("%s chosen before; the change counts for the next suggestion",
			map[bool]string{true: "the pending point was", false: "the pending points were"}[len(now.Pending) == 1])
		return
	}
	ctx, cancel := context.WithTimeout(ctx, maxCompare)
	defer cancel()
	was, err := then.Next(ctx, t.Progress)
	if err == nil {
		var suggestion optimizers.Suggestion
		suggestion, err = t.Session.Next(ctx, t.Progress)
		if err == nil {
			a.Before = inputsOf(now, was)
			a.After = inputsOf(now, suggestion)
			a.Moved = apart(was, suggestion)
		}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("it takes longer than %v", maxCompare)
	}
	if err != nil { // the change is recorded
		a.Next = "the next point is not known: " + err.Error()
	}
}
