package classroom

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"bandscope/sessions/recorder"
	"bandscope/sessions/sanitize"
)

// Bounds of what a class holds, so that no file and no client can fill the memory.
const (
	maxPeople    = 500
	maxQuestions = 1000
	maxRaces     = 100
	maxVariables = 20
	maxBudget    = 200
	maxMethods   = 8
	minOptions   = 2
	maxOptions   = 6

	maxTitle     = 120 // runes, as all texts
	maxPseudonym = 40
	maxName      = 80 // of a variable, an objective, a lesson or a function
	maxText      = 500
	maxOption    = 120
	maxID        = 64
)

// ErrTooLate is wrapped by the error of an answer to a question, or of an evaluation in a race, that is over.
var ErrTooLate = errors.New("too late")

// Role is what a person does in the class.
type Role string

// The roles.
const (
	Teacher Role = "teacher"
	Student Role = "student"
)

// Person is somebody in the class.
type Person struct {
	ID        string // given by the server; it tells nothing of the name, see Names
	Pseudonym string
	Role      Role
}

// State is what a class amounts to. It is a snapshot: nothing in it may be changed.
type State struct {
	recorder.Place
	Title     string
	People    []Person // in the order in which they joined
	Questions []Question
	Races     []Race

	id                                              string // of the header, from which the pseudonyms follow
	steps                                           []lessonStep
	usedPeople, usedQuestions, usedRaces, usedSteps *int // see recorder.AppendShared
}

// index is where a person is in the list; −1 if the person has not joined.
func (st State) index(id string) int {
	for i, p := range st.People {
		if p.ID == id {
			return i
		}
	}
	return -1
}

// Person finds a person.
func (st State) Person(id string) (Person, bool) {
	if i := st.index(id); i >= 0 {
		return st.People[i], true
	}
	return Person{}, false
}

// member is Person with an error.
func (st State) member(id string) (Person, error) {
	p, ok := st.Person(id)
	if !ok {
		return p, errors.New("the person has not joined the class")
	}
	return p, nil
}

// student is member for a student.
func (st State) student(id string) (Person, error) {
	p, err := st.member(id)
	if err == nil && p.Role != Student {
		err = errors.New("only students answer and race")
	}
	return p, err
}

// Students is the number of students.
func (st State) Students() (n int) {
	for _, p := range st.People {
		if p.Role == Student {
			n++
		}
	}
	return n
}

// Question is a question by its number.
func (st State) Question(number int) (Question, error) {
	if number < 1 || number > len(st.Questions) {
		return Question{}, fmt.Errorf("there is no question %d", number)
	}
	return st.Questions[number-1], nil
}

// OpenQuestion is the question that can be answered; false if there is none.
func (st State) OpenQuestion() (Question, bool) {
	if q, ok := st.CurrentQuestion(); ok && !q.Revealed {
		return q, true
	}
	return Question{}, false
}

// CurrentQuestion is the last question unless it is closed: it is open, or its answers are shown.
func (st State) CurrentQuestion() (Question, bool) {
	n := len(st.Questions)
	if n == 0 || st.Questions[n-1].Closed {
		return Question{}, false
	}
	return st.Questions[n-1], true
}

// Race is a race by its number.
func (st State) Race(number int) (Race, error) {
	if number < 1 || number > len(st.Races) {
		return Race{}, fmt.Errorf("there is no race %d", number)
	}
	return st.Races[number-1], nil
}

// RunningRace is the race that has not ended; false if there is none.
func (st State) RunningRace() (Race, bool) {
	if n := len(st.Races); n > 0 && !st.Races[n-1].Ended {
		return st.Races[n-1], true
	}
	return Race{}, false
}

// checkText reports a text that is empty, longer than so many runes, or not safe to show as it is.
func checkText(subject, text string, most int) error {
	switch n := utf8.RuneCountInString(text); {
	case strings.TrimSpace(text) == "":
		return fmt.Errorf("%s is empty", subject)
	case !utf8.ValidString(text):
		return fmt.Errorf("%s must be UTF-8", subject)
	case n > most:
		return fmt.Errorf("%s must have at most %d characters, got %d", subject, most, n)
	case sanitize.Text(text) != text:
		return fmt.Errorf("%s has characters that cannot be shown", subject)
	}
	return nil
}

// checkID reports an ID of a person that is not 1 to maxID letters, digits, - and _.
func checkID(id string) error {
	odd := strings.ContainsFunc(id, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '-' && r != '_'
	})
	if id == "" || len(id) > maxID || odd {
		return fmt.Errorf("the id of a person must be 1 to %d letters, digits, - and _", maxID)
	}
	return nil
}

// isFinite reports whether a value is a number.
func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
