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

// What can be done with an objective midway.
const (
	AddObjective     = "add"    // one more, of which nothing is known of what was observed before
	DropObjective    = "drop"   // one less; what was observed of it stays on record
	ReverseObjective = "turn"   // in the other direction
	ExpectObjective  = "expect" // another range or noise of it is expected
	LimitObjective   = "limit"  // it has other limits, or a further quantity that is measured and not optimized
)

// Verbs are all of these.
var Verbs = []string{AddObjective, DropObjective, ReverseObjective, ExpectObjective, LimitObjective}

// The scales as they are written.
const (
	Linear = "linear"
	Log    = string(functions.Log)
)

// None stands for a range or a noise of which nobody knows any more.
const None = "none"

// Objective is a change of one objective of an experiment as a person writes it. What is empty is not said: of a new
// objective not known, of another one as it is.
type Objective struct {
	Verb      string // one of Verbs
	Name      string
	Direction string // minimize or maximize
	Unit      string
	Range     string // the least and the greatest value that are expected, as 0,10, or None
	Scale     string // Linear or Log
	Noise     string // the standard deviation of a measurement, or None
	AtMost    string // a limit, or None
	AtLeast   string // a limit, or None
	Method    string // that goes on; empty for the one that does, which may not take so many objectives
}

// Apply changes the objective, and returns what was done in a sentence. The error says which word is wrong, or why the
// objectives have to stay and what to do.
func (o Objective) Apply(s *sessions.Session) (string, error) {
	if o.Verb == LimitObjective {
		return o.limit(s)
	}
	if o.AtMost != "" || o.AtLeast != "" {
		return "", fmt.Errorf("%s goes without limits; limit changes these", o.Verb)
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
		err = s.SetExpectation(o.Name, ob.Range, ob.Scale, ob.Noise)
	}
	if err != nil {
		return "", err
	}
	st := s.State()
	switch o.Verb {
	case AddObjective:
		said := o.Name + " is an objective from here on"
		if n := countIncomplete(st); n > 0 {
			said += fmt.Sprintf("; %s %s it until it is told", numfmt.Count(n, "earlier result"),
				map[bool]string{true: "lacks", false: "lack"}[n == 1])
		}
		return said, nil
	case DropObjective:
		return o.Name + " is no objective any more; what was observed of it stays on record", nil
	}
	k := slices.IndexFunc(st.Problem.Objectives, func(ob functions.Objective) bool { return ob.Name == o.Name })
	return DescribeObjective(st.Problem.Objectives[k]) + " from here on", nil
}

// countIncomplete counts the iterations that lack something.
func countIncomplete(st sessions.State) (n int) {
	for _, it := range st.Iterations {
		if it.Incomplete() {
			n++
		}
	}
	return n
}

// Declaration is the objective as it would be declared; the error says what is wrong with what is written, by the
// checks of an experiment's file.
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

// written is the objective as it is written.
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
		return ob, fmt.Errorf("there is an objective %s already", o.Name)
	case o.Verb == AddObjective && o.Direction == "":
		return ob, errors.New("the direction of the new objective is needed: minimize or maximize")
	case o.Verb == AddObjective:
	case o.Direction != "" || o.Unit != "":
		return ob, errors.New("direction and unit are said of a new objective; turn changes a direction, another " +
			"unit is another objective")
	case o.Verb == ExpectObjective && o.Range == "" && o.Scale == "" && o.Noise == "":
		return ob, errors.New("what is expected of it? a range, a scale, a noise, or several of them")
	case o.Verb != ExpectObjective && (o.Range != "" || o.Scale != "" || o.Noise != ""):
		return ob, fmt.Errorf("%s goes without a range, a scale and a noise; expect changes these", o.Verb)
	default:
		ob = list[k]
	}
	if ob.Direction != functions.Minimize && ob.Direction != functions.Maximize {
		return ob, fmt.Errorf("the direction is minimize or maximize, got %q", o.Direction)
	}
	return ob, o.expected(&ob)
}

// expected reads the range, the scale and the noise.
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
			return fmt.Errorf("a range is two numbers, the lower one first, as 0,10; got %s", o.Range)
		}
		ob.Range = &[2]float64{ends[0], ends[1]}
	}
	switch o.Noise {
	case "":
	case None:
		ob.Noise = 0
	default:
		v, err := strconv.ParseFloat(strings.TrimSpace(o.Noise), 64)
		if err != nil || !(v > 0) || !functions.Finite([]float64{v}) {
			return fmt.Errorf("a noise is a positive number, or %s; got %q", None, o.Noise)
		}
		ob.Noise = v
	}
	return nil
}

// DescribeObjective tells an objective with all that is expected of it.
func DescribeObjective(o functions.Objective) string {
	text := strings.TrimSpace(string(o.Direction) + " " + o.Name)
	if o.Unit != "" {
		text += " (" + o.Unit + ")"
	}
	if o.Range != nil {
		text += fmt.Sprintf(", expected from %s to %s", numfmt.Exact(o.Range[0]), numfmt.Exact(o.Range[1]))
	}
	if o.Scale == functions.Log {
		text += ", by factors"
	}
	if o.Noise > 0 {
		text += ", noise " + numfmt.Exact(o.Noise)
	}
	if o.HasLimits() {
		text += ", limit " + o.LimitText()
	}
	return text
}
