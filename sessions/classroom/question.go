package classroom

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"bandscope/functions"
	"bandscope/functions/numfmt"
)

// Kind is what a question asks for.
type Kind string

// The kinds of question.
const (
	Point  Kind = "point"  // where would you evaluate next?
	Pair   Kind = "pair"   // which of these two outcomes?
	Choice Kind = "choice" // which of these options?
)

// The answers about a pair.
const (
	First = 1 + iota
	Second
	Equal
	CannotTell
)

// PairOptions are the answers about a pair in words.
var PairOptions = []string{"the first", "the second", "equally good", "cannot tell"}

// Prompt is a question without its answers.
type Prompt struct {
	Kind Kind   `json:"kind"`
	Text string `json:"text"`

	// of a point: the inputs, with their names, bounds and kinds
	Variables functions.Domain `json:"variables,omitempty"`
	// of a pair
	Pair *OutcomePair `json:"pair,omitempty"`
	// of a choice
	Options []string `json:"options,omitempty"`
	Correct int      `json:"correct,omitempty"` // the number of the option that is right, from 1; 0 if none is
	// of a lesson's question: the name of the lesson and the page, from 1; empty for others
	Lesson string `json:"lesson,omitempty"`
	Page   int    `json:"page,omitempty"`
}

// OutcomePair is two outcomes of a session, with the objectives that they have values of.
type OutcomePair struct {
	Objectives []functions.Objective `json:"objectives"`
	First      Outcome               `json:"first"`
	Second     Outcome               `json:"second"`
}

// Outcome is a result of a session.
type Outcome struct {
	Step   int       `json:"step"`            // the iteration, from 1
	Point  int       `json:"point,omitempty"` // of its batch, from 0
	Values []float64 `json:"values"`          // of every objective, in its unit
}

// Value is an answer: a point, or the number of an option from 1.
type Value struct {
	Point  []float64 `json:"point,omitempty"`
	Choice int       `json:"choice,omitempty"`
}

// Question is a question with its answers. Nobody reads the answers of others before it is revealed.
type Question struct {
	Number int // from 1
	Prompt
	Revealed bool // its answers are shown, and it takes no more
	Closed   bool // it is over

	answers []answer // in the order in which they came
	used    *int
}

// answer is an answer of a person, by the place in the list of people.
type answer struct {
	person int
	value  Value
}

// Choices are the answers among which a person chooses; nil of a point.
func (p Prompt) Choices() []string {
	switch p.Kind {
	case Pair:
		return PairOptions
	case Choice:
		return p.Options
	}
	return nil
}

// Check reports the first fault of a question.
func (p Prompt) Check() error {
	if err := checkText("the question", p.Text, maxText); err != nil {
		return err
	}
	if p.Lesson != "" {
		if err := checkText("the name of the lesson", p.Lesson, maxName); err != nil {
			return err
		}
	}
	if p.Kind != Choice && (len(p.Options) > 0 || p.Correct != 0) || p.Kind != Pair && p.Pair != nil ||
		p.Kind != Point && len(p.Variables) > 0 || p.Page < 0 {
		return fmt.Errorf("a question of the kind %q has parts of another kind", p.Kind)
	}
	switch p.Kind {
	case Point:
		return checkVariables(p.Variables)
	case Pair:
		return p.Pair.check()
	case Choice:
		return p.checkOptions()
	}
	return fmt.Errorf("the kind of a question must be %s, %s or %s, got %q", Point, Pair, Choice, p.Kind)
}

func (p Prompt) checkOptions() error {
	if n := len(p.Options); n < minOptions || n > maxOptions {
		return fmt.Errorf("a question has %d to %d options, got %d", minOptions, maxOptions, n)
	}
	for i, o := range p.Options {
		if err := checkText(fmt.Sprintf("option %d", i+1), o, maxOption); err != nil {
			return err
		}
		if slices.Contains(p.Options[:i], o) {
			return fmt.Errorf("option %d is the same as another one", i+1)
		}
	}
	if p.Correct < 0 || p.Correct > len(p.Options) {
		return fmt.Errorf("the right option must be from 0 to %d, got %d", len(p.Options), p.Correct)
	}
	return nil
}

func (p *OutcomePair) check() error {
	if p == nil {
		return errors.New("a question about a pair needs two outcomes")
	}
	if n := len(p.Objectives); n < 2 || n > maxVariables {
		return fmt.Errorf("outcomes have values of 2 to %d objectives, got %d", maxVariables, n)
	}
	for _, o := range p.Objectives {
		if err := checkNames("an objective", o.Name, o.Unit); err != nil {
			return err
		}
	}
	for _, o := range []Outcome{p.First, p.Second} {
		if len(o.Values) != len(p.Objectives) || o.Step < 1 || o.Point < 0 {
			return fmt.Errorf("an outcome has a step and %d values", len(p.Objectives))
		}
	}
	if p.First.Step == p.Second.Step && p.First.Point == p.Second.Point {
		return errors.New("the two outcomes are the same")
	}
	return nil
}

// checkVariables reports a variable that no answer can be given for.
func checkVariables(d functions.Domain) error {
	if n := len(d); n < 1 || n > maxVariables {
		return fmt.Errorf("a point has 1 to %d variables, got %d", maxVariables, n)
	}
	for _, v := range d {
		if err := checkVariable(v); err != nil {
			return err
		}
	}
	return nil
}

// checkNames reports a name, or one of further texts that may be empty, that cannot be shown.
func checkNames(subject, name string, texts ...string) error {
	err := checkText("the name of "+subject, name, maxName)
	for _, text := range texts {
		if err == nil && text != "" {
			err = checkText(fmt.Sprintf("a text of %s %s", subject, name), text, maxName)
		}
	}
	return err
}

func checkVariable(v functions.Variable) error {
	if err := checkNames("a variable", v.Name, append([]string{v.Unit}, v.Choices...)...); err != nil {
		return err
	}
	wrong := fmt.Errorf("the bounds or values of the variable %q are not valid", v.Name)
	if !isFinite(v.Low) || !isFinite(v.High) || math.IsInf(v.High-v.Low, 0) || v.Step < 0 ||
		v.Step > 0 && (v.Kind != functions.Real || v.Step > v.High-v.Low || (v.High-v.Low)/v.Step > maxInteger) ||
		v.Scale == functions.Log && v.Low <= 0 || len(v.Values) > maxLevels || len(v.Choices) > maxLevels {
		return wrong
	}
	switch v.Kind {
	case functions.Real:
		if v.Low >= v.High {
			return wrong
		}
	case functions.Integer:
		if v.Low > v.High || v.Low != math.Trunc(v.Low) || v.High != math.Trunc(v.High) ||
			max(math.Abs(v.Low), math.Abs(v.High)) > maxInteger {
			return wrong
		}
	case functions.Ordered:
		if len(v.Values) < 2 || !slices.IsSorted(v.Values) || v.Values[0] != v.Low ||
			v.Values[len(v.Values)-1] != v.High {
			return wrong
		}
	case functions.Choice:
		if len(v.Choices) < 2 || v.Low != 0 || v.High != float64(len(v.Choices)-1) {
			return wrong
		}
	default:
		return wrong
	}
	return nil
}

// maxLevels is the number of levels of a variable, maxInteger the bound of a whole number, at most.
const (
	maxLevels  = 1000
	maxInteger = 1 << 40
)

// CheckValue reports an answer that the question does not allow.
func (p Prompt) CheckValue(v Value) error {
	if p.Kind == Point {
		if v.Choice != 0 || len(v.Point) != len(p.Variables) {
			return fmt.Errorf("the answer is a point with %s", numfmt.Count(len(p.Variables), "value"))
		}
		return p.Variables.Check(v.Point)
	}
	if n := len(p.Choices()); v.Point != nil || v.Choice < 1 || v.Choice > n {
		return fmt.Errorf("the answer must be from 1 to %d, got %d", n, v.Choice)
	}
	return nil
}

// latest are the answers that count, the last of each person, in the order of the list of people.
func (q Question) latest() []answer {
	last := map[int]Value{}
	for _, a := range q.answers {
		last[a.person] = a.value
	}
	list := make([]answer, 0, len(last))
	for person, v := range last {
		list = append(list, answer{person, v})
	}
	slices.SortFunc(list, func(a, b answer) int { return a.person - b.person })
	return list
}

// Own is the answer of a person to a question; false if the person has not answered.
func (st State) Own(question int, person string) (v Value, ok bool) {
	q, err := st.Question(question)
	position := st.index(person)
	if err != nil || position < 0 {
		return v, false
	}
	for _, a := range q.answers {
		if a.person == position {
			v, ok = a.value, true
		}
	}
	return v, ok
}

// Answered are the IDs of the people who have answered a question.
func (st State) Answered(question int) map[string]bool {
	have := map[string]bool{}
	if q, err := st.Question(question); err == nil {
		for _, a := range q.answers {
			have[st.People[a.person].ID] = true
		}
	}
	return have
}

// Ask asks the class a question, and returns its number. The question before must be revealed or closed.
func (c *Class) Ask(p Prompt) (number int, err error) {
	err = c.record(func(st State) (change, error) {
		number = len(st.Questions) + 1
		return &askedData{p}, nil
	})
	return number, err
}

// Answer records the answer of a person. A later one replaces it until the question is revealed or closed; after that
// the error wraps ErrTooLate.
func (c *Class) Answer(question int, person string, v Value) error {
	return c.record(func(State) (change, error) { return &answeredData{question, person, v}, nil })
}

// Reveal shows the answers to a question, and ends its time.
func (c *Class) Reveal(question int) error {
	return c.record(func(State) (change, error) { return &revealedData{question}, nil })
}

// CloseQuestion ends a question.
func (c *Class) CloseQuestion(question int) error {
	return c.record(func(State) (change, error) { return &closedData{question}, nil })
}
