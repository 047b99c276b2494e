package explore

import (
	"context"

	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/tui/explore/mode"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// The changes of a session.
type (
	// Step does an iteration.
	Step struct{}
	// Ask asks the method for one more point, which becomes pending.
	Ask struct{}
	// Correct corrects the record by a sentence, such as step 7 = 1.25.
	Correct struct{ Text string }
)

var (
	_ mode.Change = Step{}
	_ mode.Change = Ask{}
	_ mode.Change = Correct{}
)

// Doing names the change.
func (Step) Doing() string    { return "stepping" }
func (Ask) Doing() string     { return "suggesting the next point" }
func (Correct) Doing() string { return "correcting" }

// Do does the iteration. If the evaluation fails, it describes the pending point and returns the error.
func (Step) Do(ctx context.Context, s *sessions.Session, progress sessions.Progress) (string, error) {
	it, err := s.Step(ctx, progress)
	switch {
	case err == nil:
		return widget.DescribeIteration(s.State().Problem, it), nil
	case it.ID != "" && ctx.Err() == nil:
		return widget.DescribePending(s.State().Problem, it), err
	}
	return "", err
}

// Do suggests the point.
func (Ask) Do(ctx context.Context, s *sessions.Session, progress sessions.Progress) (string, error) {
	it, err := s.Ask(ctx, progress)
	if err != nil {
		return "", err
	}
	return widget.DescribeNewPoints(s.State().Problem, it), nil
}

// Do corrects the record.
func (c Correct) Do(ctx context.Context, s *sessions.Session, progress sessions.Progress) (string, error) {
	return player.ActReply(acts.Sentence(ctx, s, c.Text, progress))
}
