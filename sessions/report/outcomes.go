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

// OutcomeDivergence is an outcome that differs from the record when it is recomputed.
type OutcomeDivergence struct {
	Step, Point        int // the point of its batch, from 0
	Batch              bool
	What               string  // an objective or a limit; empty if one of the two evaluations failed
	Recorded, Computed float64 // of it
	Size               float64 // in the unit of OutcomeTolerance
	Reason             string  // how the failures differ
}

// String describes the divergence in a sentence.
func (d OutcomeDivergence) String() string {
	place := fmt.Sprintf("step %d", d.Step)
	if d.Batch {
		place += fmt.Sprintf(", point %d", d.Point+1)
	}
	const why = "it was reported by a person or a program, or the file was changed"
	if d.What == "" {
		return fmt.Sprintf("%s: %s; %s", place, d.Reason, why)
	}
	return fmt.Sprintf("%s: %s = %s recorded, %s recomputed: they differ by %s of its largest value (tolerance %s); %s",
		place, d.What, numfmt.Exact(d.Recorded), numfmt.Exact(d.Computed), numfmt.Format(d.Size),
		numfmt.Exact(OutcomeTolerance), why)
}

// OutcomeVerification is the result of VerifyOutcomes.
type OutcomeVerification struct {
	Checked int // points that were evaluated again
	// points that cannot be evaluated again: imported, evaluated elsewhere than suggested, measured with an error, or
	// corrected
	Skipped         int
	Largest         float64            // the largest difference within the tolerance
	FirstDivergence *OutcomeDivergence // the first beyond it, nil if none
	Unknown         string             // why no point can be evaluated again; empty if points can
}

// String describes the result in a sentence.
func (v OutcomeVerification) String() string {
	passed := ""
	if v.Skipped > 0 {
		passed = fmt.Sprintf("; %d skipped, because they were reported, imported or corrected", v.Skipped)
	}
	switch {
	case v.Unknown != "":
		return "outcomes cannot be recomputed: " + v.Unknown
	case v.FirstDivergence != nil:
		return "an outcome does not repeat: " + v.FirstDivergence.String()
	}
	return fmt.Sprintf("%s recomputed; the largest difference is %s of an objective's largest value (tolerance %s)%s",
		numfmt.Count(v.Checked, "outcome"), numfmt.Format(v.Largest), numfmt.Exact(OutcomeTolerance), passed)
}

// VerifyOutcomes evaluates every point on the current branch of a session again if the problem has an evaluator, adds
// the session's noise, and compares. It stops at the first outcome beyond the tolerance, and soon after the context
// ends.
func VerifyOutcomes(ctx context.Context, s *sessions.Session, progress sessions.Progress) (OutcomeVerification, error) {
	st := s.State()
	var v OutcomeVerification
	if st.Problem.Evaluator() == nil {
		v.Unknown = st.Problem.Name + " has reported results only"
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
			hear := func(subject string, _, _ int) {
				if progress != nil {
					progress(subject, n+1, len(st.Iterations))
				}
			}
			hear("evaluating", 0, 0)
			o, err := made[i].Outcome(ctx, point, hear)
			if err != nil {
				return v, fmt.Errorf("step %d: %w", it.Step, err)
			}
			v.Checked++
			d := OutcomeDivergence{Step: it.Step, Point: point, Batch: len(it.Points) > 1}
			d.compare(st.Problem, it, o, scale)
			if d.Size > OutcomeTolerance {
				v.FirstDivergence = &d
				return v, nil
			}
			v.Largest = max(v.Largest, d.Size)
		}
	}
	return v, nil
}

// isExternal reports whether the recorded result of a point is not from the problem's own evaluator.
func isExternal(it sessions.Iteration, point int) bool {
	return it.By == sessions.ByImport || it.Moved() ||
		slices.ContainsFunc(it.Points[point].SE, func(se float64) bool { return !math.IsNaN(se) }) ||
		slices.ContainsFunc(it.Corrections, func(c sessions.Correction) bool { return c.Point == point })
}

// compare finds the largest difference of an outcome from the record of the point.
func (d *OutcomeDivergence) compare(p *functions.Problem, it sessions.Iteration, o functions.Outcome, scale []float64) {
	failed, recorded := len(o.Values) == 0 || !functions.Finite(o.Values), it.Points[d.Point].Failed
	switch {
	case failed && recorded:
		return
	case failed != recorded:
		d.Size, d.Reason = math.Inf(1), "the record has a failure, but recomputing it gives values"
		if failed {
			d.Reason = "the record has values, but recomputing them fails"
			if o.Reason != "" {
				d.Reason += " (" + o.Reason + ")"
			}
		}
		return
	}
	for k, ob := range p.Outputs() {
		was := it.Points[d.Point].Y[k]
		if size := math.Abs(was-o.Values[k]) / scale[k]; size > d.Size {
			d.What = ob.Name
			d.Recorded = was
			d.Computed = o.Values[k]
			d.Size = size
		}
	}
}

// largest is the largest absolute value of each objective and limit on record; 1 if all are 0.
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
