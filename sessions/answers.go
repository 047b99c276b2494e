package sessions

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"bandscope/model/preference"
	"bandscope/optimizers"
	"bandscope/optimizers/registry"
	"bandscope/optimizers/weights"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// The answers to "which of these two do you prefer?".
const (
	PreferA = "a"
	PreferB = "b"
	Tie     = "tie"
	Unsure  = "unsure"
)

var answers = []string{PreferA, PreferB, Tie, Unsure}

// Answer is a person's answer about two outcomes.
type Answer struct {
	A, B      [2]int // iteration, from 1, and point of its batch, from 0
	Choice    string // one of the four
	Retracted bool
}

// The kinds of event of answers.
const (
	kindCompared  = "compared"  // a person said which of two outcomes is preferred
	kindRetracted = "retracted" // and takes it back
)

var (
	_ = register(kindCompared, kind{fold: recorder.FoldData((*State).compare), text: describeData(comparedText),
		changesBelief: true})
	_ = register(kindRetracted, kind{fold: recorder.FoldData((*State).retract), text: describeData(retractedText),
		changesBelief: true})
)

type comparedData struct {
	A      [2]int `json:"a"` // iteration, from 1, and point of its batch, from 0
	B      [2]int `json:"b"`
	Answer string `json:"answer"` // a, b, tie, or unsure, which says nothing of the weights
}

type retractedData struct {
	Answer int `json:"answer"` // the number of the comparison, from 1
}

// retract folds the retraction of an answer.
func (st *State) retract(d retractedData) error {
	if d.Answer < 1 || d.Answer > len(st.Answers) {
		return fmt.Errorf("the event retracts answer %d of %d", d.Answer, len(st.Answers))
	}
	st.Answers = slices.Clone(st.Answers) // earlier snapshots keep theirs
	st.Answers[d.Answer-1].Retracted = true
	return nil
}

// comparedText describes an answer.
func comparedText(_ State, d comparedData) string {
	return fmt.Sprintf("the answer for steps %d and %d is %s", d.A[0], d.B[0], d.Answer)
}

// retractedText describes a retraction.
func retractedText(State, retractedData) string { return "an answer is taken back" }

// compare folds an answer.
func (st *State) compare(d comparedData) error {
	for _, values := range [][2]int{d.A, d.B} {
		if _, err := st.ObservedValues(values); err != nil {
			return err
		}
	}
	if !slices.Contains(answers, d.Answer) {
		return fmt.Errorf("the answer must be a, b, tie or unsure, got %q", d.Answer)
	}
	st.Answers = append(slices.Clip(st.Answers), Answer{A: d.A, B: d.B, Choice: d.Answer})
	return nil
}

// ObservedValues are the values of an outcome, by its iteration from 1 and a point of its batch from 0.
func (st State) ObservedValues(cell [2]int) ([]float64, error) {
	if cell[0] < 1 || cell[0] > len(st.Iterations) || cell[1] < 0 || cell[1] >= len(st.Iterations[cell[0]-1].Points) ||
		st.Iterations[cell[0]-1].Points[cell[1]].Failed {
		return nil, fmt.Errorf("there is no outcome at step %d, point %d", cell[0], cell[1]+1)
	}
	return st.Iterations[cell[0]-1].Points[cell[1]].Y, nil
}

// priorText is the prior over weights, with the number of answers: "flat, 2 answers"; empty without one.
func (st State) priorText() string {
	prior, ok := st.Params.ValueByRole(optimizers.RolePrior).(string)
	if !ok || len(st.Problem.Objectives) < 2 {
		return ""
	}
	switch n := st.standingAnswers(); n {
	case 0:
		return prior
	case 1:
		return prior + ", 1 answer"
	default:
		return fmt.Sprintf("%s, %d answers", prior, n)
	}
}

// standingAnswers is the number of answers that say something about the weights.
func (st State) standingAnswers() (n int) {
	for _, a := range st.Answers {
		if _, ok := ParseChoice(a.Choice); ok && !a.Retracted {
			n++
		}
	}
	return n
}

// steers reports whether an event changes the prior over weights, or the posterior of the weights.
func steers(e *eventlog.Event) bool {
	switch e.Kind {
	case kindCompared, kindRetracted:
		return true
	case kindEdited:
		var d editedData
		return json.Unmarshal(e.Data, &d) == nil && d.Key == registry.KeyFor(optimizers.RolePrior)
	}
	return false
}

// ParseChoice is what an answer says of the two; false if it says nothing.
func ParseChoice(answer string) (preference.Choice, bool) {
	c, ok := map[string]preference.Choice{PreferA: preference.A, PreferB: preference.B, Tie: preference.Tie}[answer]
	return c, ok
}

// answers are the standing answers as outcomes.
func (st State) answers(in optimizers.Input) []preference.Answer {
	if len(st.Answers) == 0 {
		return nil
	}
	lo, hi := weights.ObjectiveRange(in)
	var out []preference.Answer
	for _, c := range st.Answers {
		choice, known := ParseChoice(c.Choice)
		a, errA := st.ObservedValues(c.A)
		b, errB := st.ObservedValues(c.B)
		if c.Retracted || !known || errA != nil || errB != nil {
			continue
		}
		out = append(out, preference.Answer{A: st.Outcome(a, lo, hi), B: st.Outcome(b, lo, hi), Choice: choice})
	}
	return out
}

// Answer records which of two observed outcomes a person prefers: a, b, tie or unsure.
func (s *Session) Answer(a, b [2]int, answer string) error { return s.AnswerBy(Author{}, a, b, answer) }

// AnswerBy is Answer for another author than that of the session, such as a member of a class.
func (s *Session) AnswerBy(author Author, a, b [2]int, answer string) error {
	if !slices.Contains(answers, answer) {
		return fmt.Errorf("the answer must be one of %s, got %q", strings.Join(answers, ", "), answer)
	}
	_, err := s.rec.Act(func() ([]recorder.Entry, error) {
		for _, values := range [][2]int{a, b} {
			if _, err := s.rec.State().ObservedValues(values); err != nil {
				return nil, err
			}
		}
		return []recorder.Entry{{Kind: kindCompared, Data: comparedData{A: a, B: b, Answer: answer},
			By: author.Clean()}}, nil
	})
	return err
}

// Retract takes back an answer, by its number from 1; it stays on record.
func (s *Session) Retract(number int) error {
	_, err := s.rec.Act(func() ([]recorder.Entry, error) {
		if number < 1 || number > len(s.rec.State().Answers) || s.rec.State().Answers[number-1].Retracted {
			return nil, fmt.Errorf("there is no answer %d to take back", number)
		}
		return []recorder.Entry{{Kind: kindRetracted, Data: retractedData{Answer: number}}}, nil
	})
	return err
}
