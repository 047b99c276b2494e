package acts

import (
	"errors"
	"fmt"
	"slices"

	"bandscope/sessions"
)

// alreadyToldError is sessions.ErrAlreadyTold with the place of the recorded result: a step, or a pending point of
// which a part was reported.
type alreadyToldError struct {
	Point string // "9", or "9.2" of a batch, as the point is named
	Step  string // "7", or "7.2" of a batch; empty while the point is pending
	Rest  bool   // only other points of the batch have no result yet
	Err   error
}

func (e alreadyToldError) Error() string { return e.Err.Error() }

func (e alreadyToldError) Unwrap() error { return e.Err }

// known adds to sessions.ErrAlreadyTold where the result of a point is recorded.
func (b snapshot) known(n Name, err error) error {
	var known alreadyToldError
	if !errors.Is(err, sessions.ErrAlreadyTold) || errors.As(err, &known) || n.Suggestion < 1 ||
		n.Suggestion > b.state.SuggestionCount() {
		return err
	}
	known.Err, known.Point = err, n.String()
	if it, pending, err := b.state.IterationByNumber(n.Suggestion); err == nil && !pending {
		known.Step = fmt.Sprint(it.Step)
		if n.Point > 0 {
			known.Step += fmt.Sprintf(".%d", n.Point)
		}
		return known
	}
	known.Rest = !slices.ContainsFunc(b.pending, func(p Point) bool { return p.Name == n })
	return known
}
