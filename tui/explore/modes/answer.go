package modes

import (
	"context"
	"fmt"

	"bandscope/sessions"
	"bandscope/sessions/report"
)

// Answer records which of a pair of outcomes is preferred, as an event of the session.
type Answer struct {
	Pair   report.Pair
	Answer string // sessions.PreferA and the like
}

// WithdrawAnswer retracts an answer of the session, by its number from 1.
type WithdrawAnswer struct{ Number int }

// contradiction is the probability of an answer below which it is pointed out.
const contradiction = 0.15

// Doing says what is done.
func (a Answer) Doing() string { return "learning from the answer" }

// Do records the answer, and says how it fits the ones before.
func (a Answer) Do(_ context.Context, s *sessions.Session, _ sessions.Progress) (string, error) {
	likely := 1.0
	if st := s.State(); len(st.Input().Answers) > 0 {
		likely = report.AnswerProbability(st, a.Pair, a.Answer)
	}
	if err := s.Answer(a.Pair.A, a.Pair.B, a.Answer); err != nil {
		return "", err
	}
	if likely < contradiction {
		return fmt.Sprintf("taken, though it contradicts earlier answers (it had %.0f %%): a mistake, or changed "+
			"your mind? a, u takes it back", 100*likely), nil
	}
	return "taken: the dashed line is the prior before; a asks on", nil
}

// Doing says what is done.
func (b WithdrawAnswer) Doing() string { return "taking back an answer" }

// Do retracts the answer.
func (b WithdrawAnswer) Do(_ context.Context, s *sessions.Session, _ sessions.Progress) (string, error) {
	if err := s.Retract(b.Number); err != nil {
		return "", err
	}
	return fmt.Sprintf("answer %d is taken back; it stays on record", b.Number), nil
}
