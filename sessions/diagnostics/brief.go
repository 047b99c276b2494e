package diagnostics

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/numfmt"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
	"bandscope/sessions"
)

// BriefReason is why the next point, x in the unit cube, was chosen, in a few words: "to explore: 21 ± 44, best 2.9". It
// is empty if the method has no acquisition function, and costs a few predictions.
func BriefReason(ctx context.Context, st sessions.State, b optimizers.Belief, x []float64) (string, error) {
	t := explainer{ctx: ctx, state: st, in: st.Input(), belief: b, x: x, r: &Explanation{}}
	author, step := t.chooser()
	switch {
	case author == sessions.ByPerson:
		return "chosen by a person", nil
	case author == sessions.ByImport:
		return "", nil
	case !st.Spec.NoBand && search.HasDesign(t.in) && step <= search.InitialCount(t.in):
		return fmt.Sprintf("%d of %d, chosen to cover the space", step, search.InitialCount(t.in)), nil
	}
	point := mat.NewDense(1, t.in.Dim, x)
	_, err := b.Acquisition(ctx, point)
	switch {
	case errors.Is(err, optimizers.ErrUnsupported) && st.Spec.NoBand:
		return "drawn at random", nil
	case err != nil:
		return "", optimizers.IgnoreUnsupported(err)
	}
	_, feasible, err := t.feasibility()
	if err != nil || !feasible {
		return "to find a feasible point", err
	}
	return t.briefMotive(point)
}

// briefMotive is the motive of a method in a few words.
func (t *explainer) briefMotive(point *mat.Dense) (string, error) {
	l, several := t.belief.Legend(), len(t.state.Problem.Objectives) > 1
	switch owner, _ := t.belief.(optimizers.Scalarizer); {
	case l.Used != "" && l.Samples != "" && !several:
		return "the function that picks the point is best here", nil
	case several && owner != nil && len(owner.Weights()) > 0:
		return "best for the weights " + t.weightsText(owner.Weights(), numfmt.Brief), nil
	case l.Learns:
		return "to learn most", nil
	case several:
		return "to extend the Pareto front", nil
	}
	bands, err := t.belief.Predict(t.ctx, point)
	if err != nil {
		return "", optimizers.IgnoreUnsupported(err)
	}
	if t.in.Data.Len() == 0 {
		return "the acquisition is best here", nil
	}
	t.unit.Mean, t.unit.SD = []float64{bands[0].Mean[0]}, []float64{bands[0].SD[0]}
	d, err := t.decide(numfmt.Brief)
	if err == nil && strings.HasPrefix(d.predicted, d.best+" ") { // equal in so few digits
		d, err = t.decide(numfmt.Format)
	}
	if err != nil {
		return "", err
	}
	lead, _, _ := strings.Cut(leads[d.kind], ",")
	return fmt.Sprintf("%s: %s, best %s", strings.ToLower(lead), d.predicted, d.best), nil
}
