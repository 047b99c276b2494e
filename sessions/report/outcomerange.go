package report

import (
	"fmt"
	"strings"

	"bandscope/functions/numfmt"
	"bandscope/optimizers/weights"
	"bandscope/sessions"
	"bandscope/sessions/eventlog"
)

// OutcomeRange is the range by which hypervolume, Bayes regret and the share in the boxes are measured, in the
// objectives' own units, for other programs.
type OutcomeRange struct {
	Range     string   `json:"range"`            // its source: front, computed front, or first points
	Points    int      `json:"points,omitempty"` // the number of first points
	Best      []Number `json:"best"`             // mapped to 1
	Worst     []Number `json:"worst"`            // mapped to 0
	Reference []Number `json:"reference"`        // the reference point of the hypervolume
}

// OutcomeRangeFor is the range by which the values of several objectives are measured; nil for one objective, and until
// the range is frozen.
func OutcomeRangeFor(st sessions.State) *OutcomeRange {
	if len(st.Problem.Objectives) < 2 {
		return nil
	}
	r, frozen := st.OutcomeRange()
	if !frozen {
		return nil
	}
	return &OutcomeRange{r.From, r.Points, eventlog.Cast[Number](r.Best), eventlog.Cast[Number](r.Worst),
		eventlog.Cast[Number](referencePoint(st))}
}

// referencePoint is that of the hypervolume, in the objectives' own units.
func referencePoint(st sessions.State) []float64 {
	r, _ := st.OutcomeRange()
	referenceWithinLimits := weights.ReferenceWithinLimits(st.Input())
	for k, u := range referenceWithinLimits {
		referenceWithinLimits[k] = st.Problem.Objectives[k].Transform().Interpolate(r.Worst[k], r.Best[k], u)
	}
	return referenceWithinLimits
}

// DescribeOutcomeRange describes OutcomeRangeFor; empty if it is nil.
func DescribeOutcomeRange(st sessions.State) string {
	m := OutcomeRangeFor(st)
	if m == nil {
		return ""
	}
	r, _ := st.OutcomeRange()
	parts := make([]string, len(m.Best))
	for k, o := range st.Problem.Objectives {
		parts[k] = fmt.Sprintf("%s %s (best) to %s", o.Name, numfmt.Format(float64(m.Best[k])),
			numfmt.Format(float64(m.Worst[k])))
		if o.Unit != "" {
			parts[k] += " " + o.Unit
		}
	}
	reference := make([]string, len(m.Reference))
	for k, o := range st.Problem.Objectives {
		reference[k] = numfmt.Exact(float64(m.Reference[k]))
		if o.Transform().IsLog() { // computed
			reference[k] = numfmt.Format(float64(m.Reference[k]))
		}
	}
	return fmt.Sprintf("measured by the %s: %s; hypervolume above the reference point %s", r.Label(),
		strings.Join(parts, ", "), strings.Join(reference, ", "))
}
