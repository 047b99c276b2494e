package acts

import (
	"context"
	"math"

	"bandscope/model/preference"
	"bandscope/optimizers/weights"
	"bandscope/sessions/diagnostics"
)

// nearestToBox is the outcome nearest to the last box of the prior, in parts of the ranges, among those that the model
// expects on the front; nil if one of them is in the box or better, and without a model.
func nearestToBox(ctx context.Context, t Turn) map[string]Number {
	st := t.Session.State()
	in := st.Input()
	prior, err := weights.PriorFor(in)
	if err != nil || in.Data.Len() == 0 || len(prior.Boxes()) == 0 {
		return nil
	}
	summary, err := diagnostics.Summarize(ctx, t.Session, t.Progress)
	if err != nil || len(summary.MeanFront) == 0 { // the prior is recorded
		return nil
	}
	boxes := prior.Boxes()
	low, _ := preference.Span(boxes[len(boxes)-1], weights.OutcomesFor(in))
	lo, hi := weights.ObjectiveRange(in)
	least, nearest := math.Inf(1), []float64(nil)
	for _, p := range summary.MeanFront {
		y := make([]float64, len(p.Normals))
		for k, n := range p.Normals {
			y[k] = n.Mean
		}
		away := 0.0
		for k, u := range st.Outcome(y, lo, hi) {
			away += math.Pow(max(low[k]-u, 0), 2) // more is better
		}
		if away < least {
			least, nearest = away, y
		}
	}
	if least == 0 || nearest == nil {
		return nil
	}
	outcome := map[string]Number{}
	for k, o := range st.Problem.Objectives {
		outcome[o.Name] = Number(nearest[k])
	}
	return outcome
}
