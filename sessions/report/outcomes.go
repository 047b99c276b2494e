package report

import (
	"context"
	"fmt"
	"math"
	"slices"

	"bandscope/functions"
	"bandscope/functions/numfmt"
	"bandscope/sessions"
)

// OutcomeTolerance is how far a recomputed value may lie from the recorded one, as a share of the largest value of the
// objective on record: floating point differs in the last bits between processors.
const OutcomeTolerance = 1e-9

// OutcomeDivergence is an outcome that comes out otherwise than it was recorded.
type OutcomeDivergence struct {
	Step, Point        int // the point of its batch, from 0
	Batch              bool
	What               string  // an objective or a limit; empty where one of the two failed
	Recorded, Computed float64 // of it
	Size               float64 // as OutcomeTolerance counts
	Reason             string  // why it failed, now or on record
}

// String tells the divergence in a sentence.
func (d OutcomeDivergence) String() string {
	at := fmt.Sprintf("step %d", d.Step)
	if d.Batch {
		at += fmt.Sprintf(", point %d", d.Point+1)
	}
	const why = "it was told by hand or by a program, or changed in the file"
	if d.What == "" {
		return fmt.Sprintf("%s: %s; %s", at, d.Reason, why)
	}
	return fmt.Sprintf("%s: %s = %s on record, %s recomputed: they differ by %s of its largest value (tolerance %s); "+
		"%s",
		at, d.What, numfmt.Exact(d.Recorded), numfmt.Exact(d.Computed), numfmt.Format(d.Size),
		numfmt.Exact(OutcomeTolerance), why)
}

// OutcomeVerification is what came of VerifyOutcomes.
type OutcomeVerification struct {
	Checked int // points that were evaluated anew
	// points of which nothing is known but what was told: imported, evaluated elsewhere than suggested, measured with
	// an error, or corrected
	Skipped         int
	Largest         float64            // the greatest difference within the tolerance
	FirstDivergence *OutcomeDivergence // the first beyond it, nil if none
	Unknown         string             // why nothing can be evaluated anew; empty where it can
}

// String tells it in a sentence.
func (v OutcomeVerification) String() string {
	passed := ""
	if v.Skipped > 0 {
		passed = fmt.Sprintf("; %d passed over that were told by hand or by a program, imported, or corrected",
			v.Skipped)
	}
	switch {
	case v.Unknown != "":
		return "no outcome is recomputed: " + v.Unknown
	case v.FirstDivergence != nil:
		return "an outcome does not repeat itself: " + v.FirstDivergence.String()
	}
	return fmt.Sprintf("%s recomputed, the largest difference %s of an objective's largest value (tolerance %s)%s",
		numfmt.Count(v.Checked, "outcome"), numfmt.Format(v.Largest), numfmt.Exact(OutcomeTolerance), passed)
}

// VerifyOutcomes evaluates anew every point on the current branch of a session whose problem evaluates itself, adds the
// session's noise, and compares. It stops at the first outcome that lies beyond the tolerance, and soon after the
// context ends.
func VerifyOutcomes(ctx context.Context, s *sessions.Session, progress sessions.Progress) (OutcomeVerification, error) {
	st := s.State()
	var v OutcomeVerification
	if st.Problem.Evaluator() == nil {
		v.Unknown = st.Problem.Name + " is known by what was told of it alone"
		return v, nil
	}
	made, err := s.Suggestions()
	if err != nil {
		return v, err
	}
	scale := largest(st)
	for n, it := range st.Iterations {
		i := slices.IndexFunc(made, func(m sessions.Suggestion) bool { return m.Iteration.ID == it.ID })
		for point := range it.Points {
			if i < 0 || isExternal(it, point) {
				v.Skipped++
				continue
			}
			hear := func(what string, _, _ int) {
				if progress != nil {
					progress(what, n+1, len(st.Iterations))
				}
			}
			hear("evaluating", 0, 0)
			o, err := made[i].Outcome(ctx, point, hear)
			if err != nil {
				return v, fmt.Errorf("step %d: %w", it.Step, err)
			}
			v.Checked++
			d := OutcomeDivergence{Step: it.Step, Point: point, Batch: len(it.Points) > 1}
			if d.compare(st.Problem, it, o, scale); d.Size > OutcomeTolerance {
				v.FirstDivergence = &d
				return v, nil
			}
			v.Largest = max(v.Largest, d.Size)
		}
	}
	return v, nil
}

// isExternal reports whether the problem's own evaluator did not give what is on record of a point.
func isExternal(it sessions.Iteration, point int) bool {
	return it.By == sessions.ByImport || it.Moved() ||
		slices.ContainsFunc(it.Points[point].SE, func(se float64) bool { return !math.IsNaN(se) }) ||
		slices.ContainsFunc(it.Corrections, func(c sessions.Correction) bool { return c.Point == point })
}

// compare finds the greatest difference of an outcome from what is on record of the point.
func (d *OutcomeDivergence) compare(p *functions.Problem, it sessions.Iteration, o functions.Outcome, scale []float64) {
	failed, recorded := len(o.Values) == 0 || !functions.Finite(o.Values), it.Points[d.Point].Failed
	switch {
	case failed && recorded:
		return
	case failed != recorded:
		d.Size, d.Reason = math.Inf(1), "it failed on record, and has values when it is recomputed"
		if failed {
			d.Reason = "it has values on record, and fails when it is recomputed"
			if o.Reason != "" {
				d.Reason += " (" + o.Reason + ")"
			}
		}
		return
	}
	for k, ob := range p.Outputs() {
		was := it.Points[d.Point].Y[k]
		if size := math.Abs(was-o.Values[k]) / scale[k]; size > d.Size {
			d.What, d.Recorded, d.Computed, d.Size = ob.Name, was, o.Values[k], size
		}
	}
}

// largest is the greatest size of the values of each objective and limit on record; 1 where all are 0.
func largest(st sessions.State) []float64 {
	scale := make([]float64, len(st.Problem.Outputs()))
	for _, it := range st.Iterations {
		for _, pt := range it.Points {
			for k, v := range pt.Y {
				if !math.IsInf(v, 0) && math.Abs(v) > scale[k] {
					scale[k] = math.Abs(v)
				}
			}
		}
	}
	for k, v := range scale {
		if v == 0 {
			scale[k] = 1
		}
	}
	return scale
}
