package modes

import (
	"context"
	"fmt"

	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/sessions/report"
)

// Answer records which of a pair of outcomes is preferred, as an event of the session.
type Answer struct {
	Pair   report.Pair
	Answer string // sessions.PreferA, PreferB, Tie or Unsure
}

// WithdrawAnswer retracts an answer of the session, by its number from 1.
type WithdrawAnswer struct{ Number int }

// Doing names the change.
func (a Answer) Doing() string { return "updating the weights" }

// Do records the answer, and says whether it contradicts the previous ones.
func (a Answer) Do(_ context.Context, s *sessions.Session, _ sessions.Progress) (string, error) {
	conflict, err := acts.RecordAnswer(s, a.Pair, a.Answer)
	if err != nil {
		return "", err
	}
	if conflict > 0 {
		return fmt.Sprintf(
			"answer recorded; it contradicts earlier answers (probability %.0f %%); b withdraws it",
			100*conflict), nil
	}
	return "answer recorded; the dashed line is the previous prior", nil
}

// Doing names the change.
func (b WithdrawAnswer) Doing() string { return "withdrawing an answer" }

// Do retracts the answer.
func (b WithdrawAnswer) Do(_ context.Context, s *sessions.Session, _ sessions.Progress) (string, error) {
	if err := s.Retract(b.Number); err != nil {
		return "", err
	}
	return fmt.Sprintf("answer %d is withdrawn; it stays in the record", b.Number), nil
}
