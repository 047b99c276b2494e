package acts

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions"
	"bandscope/functions/didyoumean"
	"bandscope/functions/numfmt"
	"bandscope/sessions"
)

// The changes of an objective during an experiment.
const (
	AddObjective     = "add"     // add one; earlier results have no value of it
	DropObjective    = "drop"    // remove one; its values stay on record
	ReverseObjective = "reverse" // reverse its direction
	ExpectObjective  = "expect"  // change its expected range, its scale, its noise or its smallest worthwhile improvement
	LimitObjective   = "limit"   // change its limits, or add a limit on another measured quantity
)

var objectiveChanges = []string{AddObjective, DropObjective, ReverseObjective, ExpectObjective, LimitObjective}

// The scales as text.
const (
	Linear = "linear"
	Log    = string(functions.Log)
)

// None removes a range, a noise or a limit.
const None = "none"

// ObjectiveArgs are a change of one objective or limit. Empty fields of a new objective are unknown; those of an
// existing one do not change.
type ObjectiveArgs struct {
	Name       string `json:"name" flag:"objective" length:"1000" words:"objective names" jsonschema:"the objective that changes, a new one, or a measured quantity with a limit"`
	Change     string `json:"change,omitempty" enum:"add|drop|reverse|expect|limit" jsonschema:"what changes, if that is not evident: add it, drop it, reverse its direction, or change the expectations or its limits"`
	Direction  string `json:"direction,omitempty" enum:"minimize|maximize" jsonschema:"direction of a new objective"`
	Unit       string `json:"unit,omitempty" length:"1000" jsonschema:"unit of a new objective or limit"`
	Range      Range  `json:"range,omitempty" jsonschema:"expected range, or none"`
	Scale      string `json:"scale,omitempty" enum:"linear|log" jsonschema:"scale of the values: linear (differences count) or log (factors count)"`
	Noise      Bound  `json:"noise,omitempty" jsonschema:"standard deviation of a measurement, or none"`
	Worthwhile Bound  `json:"worthwhile,omitempty" jsonschema:"smallest improvement that is worth an evaluation (on a log scale a factor), or none"`
	AtMost     Bound  `json:"at_most,omitempty" jsonschema:"upper limit, or none"`
	AtLeast    Bound  `json:"at_least,omitempty" jsonschema:"lower limit, or none"`
	Method     string `json:"-"` // to continue with, if the present one cannot handle the objectives; empty keeps it
}

// change is what the arguments change, also where they do not say it.
func (o ObjectiveArgs) change() string {
	switch {
	case o.Change != "":
		return o.Change
	case o.AtMost != "" || o.AtLeast != "":
		return LimitObjective
	case o.Direction != "":
		return AddObjective
	}
	return ExpectObjective
}

// Apply changes the objective, and returns a sentence about the change. The error says which word is wrong, or why the
// objectives cannot change and what to do.
func (o ObjectiveArgs) Apply(s *sessions.Session) (string, error) {
	change := o.change()
	if change == LimitObjective {
		return o.limit(s)
	}
	if o.AtMost != "" || o.AtLeast != "" {
		return "", fmt.Errorf("%s takes no limits; limit changes them", change)
	}
	ob, err := o.Declaration(s.State())
	if err != nil {
		return "", err
	}
	switch change {
	case AddObjective:
		err = s.AddObjective(ob, o.Method)
	case DropObjective:
		err = s.DropObjective(o.Name, o.Method)
	case ReverseObjective:
		err = s.ReverseObjective(o.Name)
	default:
		err = s.SetExpectation(ob)
	}
	if err != nil {
		return "", err
	}
	st := s.State()
	switch change {
	case AddObjective:
		return o.Name + " is an objective from now on" + incompleteText(st), nil
	case DropObjective:
		return o.Name + " is no longer an objective; its values stay on record", nil
	}
	k := slices.IndexFunc(st.Problem.Objectives, func(ob functions.Objective) bool { return ob.Name == o.Name })
	return "from now on: " + DescribeObjective(st.Problem.Objectives[k]), nil
}

// incompleteText says how many results have no value of a new quantity; empty for none.
func incompleteText(st sessions.State) string {
	n := 0
	for _, it := range st.Iterations {
		if it.Incomplete() {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; report it for %s", numfmt.Count(n, "earlier result"))
}

// Declaration is the objective as it would be declared; the error is that of the checks of an experiment's file.
func (o ObjectiveArgs) Declaration(st sessions.State) (functions.Objective, error) {
	ob, err := o.changed(st.Problem.Objectives)
	if err != nil || st.Config.Experiment == nil {
		return ob, err
	}
	d := *st.Config.Experiment
	d.Objectives = slices.DeleteFunc(slices.Clone(d.Objectives), func(was functions.Objective) bool {
		return was.Name == ob.Name
	})
	d.Objectives = append(d.Objectives, ob)
	return ob, d.Check()
}

// changed is the objective with the change.
func (o ObjectiveArgs) changed(list []functions.Objective) (functions.Objective, error) {
	var names []string
	for _, ob := range list {
		names = append(names, ob.Name)
	}
	ob := functions.Objective{Name: o.Name, Unit: o.Unit, Direction: functions.Direction(o.Direction)}
	k := slices.Index(names, o.Name)
	change := o.change()
	switch {
	case !slices.Contains(objectiveChanges, change):
		return ob, didyoumean.NewUnknownError("change of an objective", change, objectiveChanges)
	case o.Name == "":
		return ob, fmt.Errorf("which objective? %s needs a name", change)
	case change != AddObjective && k < 0:
		return ob, didyoumean.NewUnknownError("objective", o.Name, names)
	case change == AddObjective && k >= 0:
		return ob, fmt.Errorf("there is already an objective %s", o.Name)
	case change == AddObjective && o.Direction == "":
		return ob, errors.New("the new objective needs a direction: minimize or maximize")
	case change == AddObjective:
	case o.Direction != "" || o.Unit != "":
		return ob, errors.New("direction and unit are for a new objective only: reverse changes a direction, and a new unit needs a new objective")
	case change == ExpectObjective && !o.expects():
		return ob, errors.New("what do you expect? Give a range, a scale, a noise, a worthwhile improvement, or several of them")
	case change != ExpectObjective && o.expects():
		return ob, fmt.Errorf("%s takes no range, scale, noise or worthwhile improvement; expect changes them", change)
	default:
		ob = list[k]
	}
	if ob.Direction != functions.Minimize && ob.Direction != functions.Maximize {
		return ob, fmt.Errorf("the direction must be minimize or maximize, got %q", o.Direction)
	}
	return ob, o.expected(&ob)
}

// expects reports whether the change is about expectations.
func (o ObjectiveArgs) expects() bool {
	return o.Range != "" || o.Scale != "" || o.Noise != "" || o.Worthwhile != ""
}

// positive reads a number above 0; 0 for None. Empty text leaves it as it is.
func positive(subject string, text Bound, v *float64) error {
	switch text {
	case "":
		return nil
	case None:
		*v = 0
		return nil
	}
	x, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
	if err != nil || !(x > 0) || !functions.Finite([]float64{x}) {
		return fmt.Errorf("the %s must be a positive number, or %s; got %q", subject, None, text)
	}
	*v = x
	return nil
}

// expected reads the range, the scale, the noise and the worthwhile improvement.
func (o ObjectiveArgs) expected(ob *functions.Objective) error {
	switch o.Scale {
	case "":
	case Linear:
		ob.Scale = functions.Linear
	case Log:
		ob.Scale = functions.Log
	default:
		return didyoumean.NewUnknownError("scale", o.Scale, []string{Linear, Log})
	}
	switch o.Range {
	case "":
	case None:
		ob.Range = nil
	default:
		ends, err := parseNumbers(strings.Split(string(o.Range), ","), "")
		if err != nil {
			return fmt.Errorf("the range: %w", err)
		}
		if len(ends) != 2 {
			return fmt.Errorf("a range is two numbers, the lower one first, as in 0,10; got %s", o.Range)
		}
		ob.Range = &[2]float64{ends[0], ends[1]}
	}
	if err := positive("noise", o.Noise, &ob.Noise); err != nil {
		return err
	}
	return positive("worthwhile improvement", o.Worthwhile, &ob.Worthwhile)
}

// limit changes the limits of a measured quantity.
func (o ObjectiveArgs) limit(s *sessions.Session) (string, error) {
	measured := s.State().Problem.Outputs()
	k := slices.IndexFunc(measured, func(ob functions.Objective) bool { return ob.Name == o.Name })
	ob := functions.Objective{Name: o.Name, Unit: o.Unit}
	switch {
	case o.Name == "":
		return "", errors.New("which quantity? limit needs a name")
	case o.AtMost == "" && o.AtLeast == "":
		return "", errors.New("which limit? Give at most, at least, or both; none removes one")
	case o.Direction != "" || o.expects():
		return "", errors.New("limit takes no direction, range, scale, noise or worthwhile improvement")
	case k >= 0 && o.Unit != "":
		return "", fmt.Errorf("the unit of %s cannot change: add a new quantity instead", o.Name)
	case k >= 0:
		ob = measured[k]
	}
	if err := parseLimit(o.AtMost, &ob.AtMost); err != nil {
		return "", err
	}
	if err := parseLimit(o.AtLeast, &ob.AtLeast); err != nil {
		return "", err
	}
	if err := s.Limit(ob, o.Method); err != nil {
		return "", err
	}
	switch {
	case k < 0:
		return fmt.Sprintf("%s %s is a limit from now on", o.Name, ob.LimitText()) + incompleteText(s.State()), nil
	case !ob.HasLimits():
		return o.Name + " has no limit from now on", nil
	}
	return fmt.Sprintf("%s %s from now on", o.Name, ob.LimitText()), nil
}

// parseLimit reads a limit; nil for None. Empty text leaves it as it is.
func parseLimit(text Bound, limit **float64) error {
	switch text {
	case "":
		return nil
	case None:
		*limit = nil
		return nil
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
	if err != nil || !functions.Finite([]float64{v}) {
		return fmt.Errorf("a limit is a number, or %s; got %q", None, text)
	}
	*limit = &v
	return nil
}

// DescribeObjective describes an objective with its range, scale, noise, worthwhile improvement and limits.
func DescribeObjective(o functions.Objective) string {
	text := strings.TrimSpace(string(o.Direction) + " " + o.Name)
	if o.Unit != "" {
		text += " (" + o.Unit + ")"
	}
	if o.Range != nil {
		text += fmt.Sprintf(", expected from %s to %s", numfmt.Exact(o.Range[0]), numfmt.Exact(o.Range[1]))
	}
	if o.Scale == functions.Log {
		text += ", log scale"
	}
	if o.Noise > 0 {
		text += ", noise " + numfmt.Exact(o.Noise)
	}
	if o.Worthwhile > 0 {
		text += ", worthwhile improvement " + o.WorthwhileText()
	}
	if o.HasLimits() {
		text += ", limit " + o.LimitText()
	}
	return text
}

// Quantity is an objective or a limit.
type Quantity struct {
	Name       string   `json:"name"`
	Direction  string   `json:"direction,omitempty" jsonschema:"of an objective"`
	Unit       string   `json:"unit,omitempty"`
	Range      *Range   `json:"range,omitempty"`
	Scale      string   `json:"scale,omitempty"`
	Noise      float64  `json:"noise,omitempty"`
	Worthwhile float64  `json:"worthwhile,omitempty"`
	AtMost     *float64 `json:"at_most,omitempty"`
	AtLeast    *float64 `json:"at_least,omitempty"`
}

// quantities are the objectives of a state and, behind them, the limits.
func quantities(st sessions.State) (list []Quantity) {
	for _, o := range st.Problem.Outputs() {
		q := Quantity{Name: o.Name, Direction: string(o.Direction), Unit: o.Unit, Scale: string(o.Scale),
			Noise: o.Noise, Worthwhile: o.Worthwhile, AtMost: o.AtMost, AtLeast: o.AtLeast}
		if o.Range != nil {
			r := Range(fmt.Sprintf("%s,%s", numfmt.Exact(o.Range[0]), numfmt.Exact(o.Range[1])))
			q.Range = &r
		}
		list = append(list, q)
	}
	return list
}
