package functions

import (
	"slices"

	"bandscope/functions/numfmt"
)

// Outputs are all quantities that an evaluation measures, in the order of an Outcome's values: the objectives, then the
// limits, which are not optimized.
func (p *Problem) Outputs() []Objective {
	if len(p.Limits) == 0 {
		return p.Objectives
	}
	return slices.Concat(p.Objectives, p.Limits)
}

// LimitedOutputs are the indices, among the outputs, of the quantities that have a limit; nil if none has.
func (p *Problem) LimitedOutputs() (places []int) {
	for i, o := range p.Outputs() {
		if o.HasLimits() {
			places = append(places, i)
		}
	}
	return places
}

// Feasible reports whether the values of all that is measured are within their limits.
func (p *Problem) Feasible(values []float64) bool {
	for i, o := range p.Objectives {
		if !o.Holds(values[i]) {
			return false
		}
	}
	for i, o := range p.Limits {
		if !o.Holds(values[len(p.Objectives)+i]) {
			return false
		}
	}
	return true
}

// HasLimits reports whether the quantity has a limit.
func (o Objective) HasLimits() bool { return o.AtMost != nil || o.AtLeast != nil }

// Holds reports whether a value is within the limits of the quantity, if it has any.
func (o Objective) Holds(v float64) bool {
	return (o.AtMost == nil || v <= *o.AtMost) && (o.AtLeast == nil || v >= *o.AtLeast)
}

// LimitText formats the limits of the quantity in its unit, as "≤ 80 °C"; empty if it has none.
func (o Objective) LimitText() string {
	text := ""
	switch {
	case o.AtMost != nil && o.AtLeast != nil:
		text = numfmt.Exact(*o.AtLeast) + " to " + numfmt.Exact(*o.AtMost)
	case o.AtMost != nil:
		text = "≤ " + numfmt.Exact(*o.AtMost)
	case o.AtLeast != nil:
		text = "≥ " + numfmt.Exact(*o.AtLeast)
	default:
		return ""
	}
	if o.Unit != "" {
		text += " " + o.Unit
	}
	return text
}

// WorthwhileText formats the smallest worthwhile improvement: "0.5 %", on a logarithmic scale "a factor of 1.1".
func (o Objective) WorthwhileText() string {
	if o.Scale == Log {
		return "a factor of " + numfmt.Exact(o.Worthwhile)
	}
	text := numfmt.Exact(o.Worthwhile)
	if o.Unit != "" {
		text += " " + o.Unit
	}
	return text
}

// OutputSummary counts the outputs: "2 objectives", "1 objective and 1 limit".
func (p *Problem) OutputSummary() string {
	text := numfmt.Count(len(p.Objectives), "objective")
	if len(p.Limits) > 0 {
		text += " and " + numfmt.Count(len(p.Limits), "limit")
	}
	return text
}
