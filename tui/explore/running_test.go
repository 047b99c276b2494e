package explore

import (
	"context"
	"testing"

	"bandscope/functions"
	"bandscope/tui/internal/screentest"
)

// brewer evaluates when it is let.
type brewer struct{ begun, free chan struct{} }

func (s brewer) Evaluate(ctx context.Context, _ []float64) (functions.Outcome, error) {
	functions.LogLine(ctx, "pulling the shot")
	close(s.begun)
	select {
	case <-s.free:
	case <-ctx.Done():
	}
	return functions.Outcome{Values: []float64{18, 3}}, ctx.Err()
}

// While a program evaluates, the point stands in the list of what is out with the last line that it wrote; then it
// stands there no more.
func TestWhatRunsIsListed(t *testing.T) {
	s := espressoBy(t, "random")
	amount := brewer{make(chan struct{}), make(chan struct{})}
	s.SetEvaluator(amount)
	d := driveSession(t, s, 120, 36, trueColor)
	d.Run(d.M.Update(screentest.Key("space")))
	for begun := false; !begun; {
		select {
		case <-amount.begun:
			begun = true
		case msg := <-d.Msgs:
			d.Take(msg)
		}
	}
	d.M.watch()
	d.Shows("1 pending point")
	d.Shows("running, just now")
	d.Shows("pulling the shot")
	close(amount.free)
	d.Settle()
	if lines := d.M.layout(); lines.pending != 0 || len(s.State().Iterations) != 1 {
		t.Errorf("%+v, %d steps", lines, len(s.State().Iterations))
	}
}
