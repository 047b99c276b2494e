package asktell

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
	AddObjective     = "add"    // add one; earlier results have no value of it
	DropObjective    = "drop"   // remove one; its values stay on record
	ReverseObjective = "turn"   // reverse its direction
	ExpectObjective  = "expect" // change its expected range, its scale, its noise or its smallest worthwhile improvement
	LimitObjective   = "limit"  // change its limits, or add a limit on another measured quantity
)

// Verbs are all of these.
var Verbs = []string{AddObjective, DropObjective, ReverseObjective, ExpectObjective, LimitObjective}

// The scales as text.
const (
	Linear = "linear"
	Log    = string(functions.Log)
)

// None removes a range, a noise or a limit.
const None = "none"

// Objective is a change of one objective of an experiment as a person writes it. Empty fields of a new objective are
// unknown; those of an existing one do not change.
type Objective struct {
	Verb      string // one of Verbs
	Name      string
	Direction string // minimize or maximize
	Unit      string
	Range     string // expected range, such as 0,10, or None
	Scale     string // Linear or Log
	Noise     string // the standard deviation of a measurement, or None
	AtMost    string // a limit, or None
	AtLeast   string // a limit, or None
	Method    string // to continue with, if the current one cannot handle the objectives; empty keeps it

	Worthwhile string // the smallest improvement that is worth an evaluation, on a log scale a factor; or None
}

// Apply changes the objective, and returns a sentence about the change. The error says which word is wrong, or why the
// objectives cannot change and what to do.
func (o Objective) Apply(s *sessions.Session) (string, error) {
	if o.Verb == LimitObjective {
		return o.limit(s)
	}
	if o.AtMost != "" || o.AtLeast != "" {
		return "", fmt.Errorf("%s takes no limits; limit changes them", o.Verb)
	}
	ob, err := o.Declaration(s.State())
	if err != nil {
		return "", err
	}
	switch o.Verb {
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
	switch o.Verb {
	case AddObjective:
		return o.Name + " is an objective from now on" + incompleteText(st, o.Name), nil
	case DropObjective:
		return o.Name + " is no longer an objective; its values stay on record", nil
	}
	k := slices.IndexFunc(st.Problem.Objectives, func(ob functions.Objective) bool { return ob.Name == o.Name })
	return "from now on: " + DescribeObjective(st.Problem.Objectives[k]), nil
}

// incompleteText says how many results have no value of a new quantity; empty for none.
func incompleteText(st sessions.State, name string) string {
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
func (o Objective) Declaration(st sessions.State) (functions.Objective, error) {
	ob, err := o.written(st.Problem.Objectives)
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

// written is the objective with the change.
func (o Objective) written(list []functions.Objective) (functions.Objective, error) {
	var names []string
	for _, ob := range list {
		names = append(names, ob.Name)
	}
	ob := functions.Objective{Name: o.Name, Unit: o.Unit, Direction: functions.Direction(o.Direction)}
	k := slices.Index(names, o.Name)
	switch {
	case !slices.Contains(Verbs, o.Verb):
		return ob, didyoumean.NewUnknownError("change of an objective", o.Verb, Verbs)
	case o.Name == "":
		return ob, fmt.Errorf("which objective? %s needs a name", o.Verb)
	case o.Verb != AddObjective && k < 0:
		return ob, didyoumean.NewUnknownError("objective", o.Name, names)
	case o.Verb == AddObjective && k >= 0:
		return ob, fmt.Errorf("there is already an objective %s", o.Name)
	case o.Verb == AddObjective && o.Direction == "":
		return ob, errors.New("the new objective needs a direction: minimize or maximize")
	case o.Verb == AddObjective:
	case o.Direction != "" || o.Unit != "":
		return ob, errors.New("direction and unit are for a new objective only: turn reverses a direction, and a new unit needs a new objective")
	case o.Verb == ExpectObjective && !o.expects():
		return ob, errors.New("what do you expect? Give a range, a scale, a noise, a worthwhile improvement, or several of them")
	case o.Verb != ExpectObjective && o.expects():
		return ob, fmt.Errorf("%s takes no range, scale, noise or worthwhile improvement; expect changes them", o.Verb)
	default:
		ob = list[k]
	}
	if ob.Direction != functions.Minimize && ob.Direction != functions.Maximize {
		return ob, fmt.Errorf("the direction must be minimize or maximize, got %q", o.Direction)
	}
	return ob, o.expected(&ob)
}

// expects reports whether the change is about expectations.
func (o Objective) expects() bool {
	return o.Range != "" || o.Scale != "" || o.Noise != "" || o.Worthwhile != ""
}

// positive reads a number above 0; 0 for None. Empty text leaves it as it is.
func positive(subject, text string, v *float64) error {
	switch text {
	case "":
		return nil
	case None:
		*v = 0
		return nil
	}
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !(x > 0) || !functions.Finite([]float64{x}) {
		return fmt.Errorf("the %s must be a positive number, or %s; got %q", subject, None, text)
	}
	*v = x
	return nil
}

// expected reads the range, the scale, the noise and the worthwhile improvement.
func (o Objective) expected(ob *functions.Objective) error {
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
		ends, err := wholeNumbers(strings.Split(strings.ReplaceAll(o.Range, " ", ""), ","), "")
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
