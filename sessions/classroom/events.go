package classroom

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// The kinds of event. An event of another kind changes nothing.
const (
	kindJoined     = "joined"
	kindAsked      = "asked"
	kindAnswered   = "answered"
	kindRevealed   = "revealed"
	kindClosed     = "closed"
	kindRaced      = "raced"
	kindEvaluated  = "evaluated"
	kindEnded      = "ended"
	kindProgressed = "progressed"
)

// change is the data of an event.
type change interface {
	kind() string
	check(st State) error // why the event cannot follow the state; nil if it can
	apply(st State) State // the state after it, if check returns nil
}

// folds are the folds of all kinds of event.
var folds = recorder.Folds[State]{
	kindJoined:     foldChange[joinedData](),
	kindRemoved:    foldChange[removedData](),
	kindAsked:      foldChange[askedData](),
	kindAnswered:   foldChange[answeredData](),
	kindRevealed:   foldChange[revealedData](),
	kindClosed:     foldChange[closedData](),
	kindRaced:      foldChange[racedData](),
	kindEvaluated:  foldChange[evaluatedData](),
	kindEnded:      foldChange[endedData](),
	kindProgressed: foldChange[progressedData](),
}

// foldChange is the fold of a change.
func foldChange[D any, C interface {
	*D
	change
}]() func(*State, json.RawMessage) error {
	return recorder.FoldData(func(st *State, d D) error {
		err := C(&d).check(*st)
		if err == nil {
			*st = C(&d).apply(*st)
		}
		return err
	})
}

// fold is the state after an event.
func fold(st State, e *eventlog.Event) (State, error) {
	st.Head = e.ID
	err := folds.Apply(&st, e)
	return st, err
}

// joinedData adds a person, or gives a known one another role.
type joinedData struct {
	Person    string `json:"person"`
	Pseudonym string `json:"pseudonym"`
	Role      Role   `json:"role"`
}

func (*joinedData) kind() string { return kindJoined }

func (d *joinedData) check(st State) error {
	if err := checkID(d.Person); err != nil {
		return err
	}
	if d.Role != Teacher && d.Role != Student {
		return fmt.Errorf("the role must be %s or %s, got %q", Teacher, Student, d.Role)
	}
	if err := checkText("the pseudonym", d.Pseudonym, maxPseudonym); err != nil {
		return err
	}
	for _, p := range st.People {
		if (p.ID == d.Person) != (p.Pseudonym == d.Pseudonym) {
			return fmt.Errorf("the pseudonym %q is that of another person", d.Pseudonym)
		}
	}
	if _, known := st.Person(d.Person); !known && len(st.People) >= maxPeople {
		return fmt.Errorf("a class has at most %d people", maxPeople)
	}
	return nil
}

func (d *joinedData) apply(st State) State {
	p := Person{ID: d.Person, Pseudonym: d.Pseudonym, Role: d.Role}
	if i := st.index(d.Person); i >= 0 {
		st.People = replaced(st.People, i, p)
		st.usedPeople = nil
		return st
	}
	st.People, st.usedPeople = recorder.AppendShared(st.People, st.usedPeople, p)
	return st
}

// replaced is a copy of a list with another element.
func replaced[T any](list []T, i int, v T) []T {
	list = append([]T(nil), list...)
	list[i] = v
	return list
}

// askedData asks a question.
type askedData struct{ Prompt }

func (*askedData) kind() string { return kindAsked }

func (d *askedData) check(st State) error {
	if q, open := st.OpenQuestion(); open {
		return fmt.Errorf("question %d is still open; reveal or close it first", q.Number)
	}
	if len(st.Questions) >= maxQuestions {
		return fmt.Errorf("a class has at most %d questions", maxQuestions)
	}
	return d.Prompt.Check()
}

func (d *askedData) apply(st State) State {
	q := Question{Number: len(st.Questions) + 1, Prompt: d.Prompt}
	st.Questions, st.usedQuestions = recorder.AppendShared(st.Questions, st.usedQuestions, q)
	return st
}

// answeredData answers a question; it replaces an earlier answer of the person.
type answeredData struct {
	Question int    `json:"question"`
	Person   string `json:"person"`
	Value
}

func (*answeredData) kind() string { return kindAnswered }

func (d *answeredData) check(st State) error {
	q, err := st.Question(d.Question)
	if err != nil {
		return err
	}
	switch {
	case q.Revealed:
		return fmt.Errorf("%w: question %d is revealed", ErrTooLate, q.Number)
	case q.Closed:
		return fmt.Errorf("%w: question %d is closed", ErrTooLate, q.Number)
	}
	if _, err := st.student(d.Person); err != nil {
		return err
	}
	return q.CheckValue(d.Value)
}

func (d *answeredData) apply(st State) State {
	i := d.Question - 1
	q := st.Questions[i]
	q.answers, q.used = recorder.AppendShared(q.answers, q.used, answer{st.index(d.Person), d.Value})
	return st.withQuestion(q)
}

// withQuestion is the state with another version of a question.
func (st State) withQuestion(q Question) State {
	st.Questions, st.usedQuestions = replaced(st.Questions, q.Number-1, q), nil
	return st
}

// revealedData reveals the answers to a question.
type revealedData struct {
	Question int `json:"question"`
}

func (*revealedData) kind() string { return kindRevealed }

func (d *revealedData) check(st State) error {
	q, err := st.Question(d.Question)
	switch {
	case err != nil:
		return err
	case q.Revealed:
		return fmt.Errorf("question %d is revealed already", q.Number)
	case q.Closed:
		return fmt.Errorf("question %d is closed", q.Number)
	}
	return nil
}

func (d *revealedData) apply(st State) State {
	q := st.Questions[d.Question-1]
	q.Revealed = true
	return st.withQuestion(q)
}

// closedData ends a question, revealed or not.
type closedData struct {
	Question int `json:"question"`
}

func (*closedData) kind() string { return kindClosed }

func (d *closedData) check(st State) error {
	q, err := st.Question(d.Question)
	if err == nil && q.Closed {
		err = fmt.Errorf("question %d is closed already", q.Number)
	}
	return err
}

func (d *closedData) apply(st State) State {
	q := st.Questions[d.Question-1]
	q.Closed = true
	return st.withQuestion(q)
}

// racedData starts a race.
type racedData struct{ RaceConfig }

func (*racedData) kind() string { return kindRaced }

func (d *racedData) check(st State) error {
	if r, running := st.RunningRace(); running {
		return fmt.Errorf("race %d is still running; end it first", r.Number)
	}
	if len(st.Races) >= maxRaces {
		return fmt.Errorf("a class has at most %d races", maxRaces)
	}
	return d.RaceConfig.Check()
}

func (d *racedData) apply(st State) State {
	if q, ok := st.CurrentQuestion(); ok { // the class goes on to the race
		q.Closed = true
		st = st.withQuestion(q)
	}
	r := Race{Number: len(st.Races) + 1, RaceConfig: d.RaceConfig}
	st.Races, st.usedRaces = recorder.AppendShared(st.Races, st.usedRaces, r)
	return st
}

// evaluatedData is an evaluation of a person, or of a method, in a race.
type evaluatedData struct {
	Race   int       `json:"race"`
	Person string    `json:"person,omitempty"`
	Method string    `json:"method,omitempty"`
	X      []float64 `json:"x"`
	Y      float64   `json:"y"`
}

func (*evaluatedData) kind() string { return kindEvaluated }

func (d *evaluatedData) check(st State) error {
	r, err := st.Race(d.Race)
	if err != nil {
		return err
	}
	if r.Ended {
		return fmt.Errorf("%w: race %d has ended", ErrTooLate, r.Number)
	}
	if d.Person != "" {
		_, err = st.student(d.Person)
	} else if !r.hasMethod(d.Method) {
		err = fmt.Errorf("%q is no method of race %d", d.Method, r.Number)
	}
	if err != nil {
		return err
	}
	if d.Person != "" && d.Method != "" {
		return errors.New("an evaluation is by a person or by a method")
	}
	if r.count(st.index(d.Person), d.Method) >= r.Budget {
		return fmt.Errorf("%w: all %d evaluations are used", ErrTooLate, r.Budget)
	}
	if len(d.X) == 0 || len(d.X) > maxVariables {
		return fmt.Errorf("a point has 1 to %d values, got %d", maxVariables, len(d.X))
	}
	if math.IsNaN(d.Y) || math.IsInf(d.Y, 0) {
		return errors.New("the value of an evaluation must be finite")
	}
	return nil
}

func (d *evaluatedData) apply(st State) State {
	i := d.Race - 1
	r := st.Races[i]
	person := -1
	if d.Person != "" {
		person = st.index(d.Person)
	}
	r.evaluations, r.used = recorder.AppendShared(r.evaluations, r.used,
		evaluation{person, d.Method, Evaluation{X: d.X, Y: d.Y}})
	st.Races, st.usedRaces = replaced(st.Races, i, r), nil
	return st
}

// endedData ends a race.
type endedData struct {
	Race int `json:"race"`
}

func (*endedData) kind() string { return kindEnded }

func (d *endedData) check(st State) error {
	r, err := st.Race(d.Race)
	if err == nil && r.Ended {
		err = fmt.Errorf("race %d has ended already", r.Number)
	}
	return err
}

func (d *endedData) apply(st State) State {
	r := st.Races[d.Race-1]
	r.Ended = true
	st.Races, st.usedRaces = replaced(st.Races, d.Race-1, r), nil
	return st
}

// progressedData is a step of a person in a lesson.
type progressedData struct {
	Person string `json:"person"`
	LessonStep
}

func (*progressedData) kind() string { return kindProgressed }

func (d *progressedData) check(st State) error {
	if _, err := st.member(d.Person); err != nil {
		return err
	}
	return d.LessonStep.Check()
}

func (d *progressedData) apply(st State) State {
	st.steps, st.usedSteps = recorder.AppendShared(st.steps, st.usedSteps, lessonStep{st.index(d.Person), d.LessonStep})
	return st
}
