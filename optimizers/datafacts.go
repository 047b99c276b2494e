package optimizers

import (
	"fmt"
	"slices"

	"bandscope/functions/numfmt"
)

// minEqualResults is the number of equal results from which on a fact says so, if they are at least half of all.
const minEqualResults = 4

// DataFacts are facts about the data that models do not expect: clipped values, equal results, and results at one point
// that differ; and the model of limits. They are nil if there are none.
func (in Input) DataFacts() []Fact {
	var facts []Fact
	if n := len(in.Clipped); n > 0 {
		c := in.Clipped[0]
		value := fmt.Sprintf("%s as %s", numfmt.Format(c.Value), numfmt.Format(c.As))
		if n > 1 {
			value = fmt.Sprintf("%d, %s", n, value)
		}
		facts = []Fact{{Name: "clipped", Value: value}}
	}
	if in.Warp != nil {
		facts = append(facts, Fact{Name: FactOutcomes, Value: in.Warp.Describe()})
	}
	for k := range in.Objectives {
		facts = append(facts, in.equalResults(k)...)
	}
	facts = append(facts, in.differingRepeats()...)
	if in.Feasible != nil {
		facts = append(facts, in.Feasible.Facts()...)
	}
	return facts
}

// equalResults is the fact that at least half of the values of an objective are equal, as of a constant objective, or of
// a measurement that saturates.
func (in Input) equalResults(objective int) []Fact {
	counts := map[float64]int{}
	values := in.Data.Column(objective)
	for _, v := range values {
		counts[v]++
	}
	for v, count := range counts {
		if count < minEqualResults || 2*count <= len(values) {
			continue
		}
		v = in.Warp.Invert(v)
		if in.Transforms != nil {
			v = in.Transforms[objective].Invert(v)
		}
		return []Fact{{Name: "equal results", Value: fmt.Sprintf("%d of %d are %s", count, len(values), numfmt.Format(v))}}
	}
	return nil
}

// differingRepeats is the fact that evaluations at one point differ though no noise is known, with the largest
// difference of the first objective that has one.
func (in Input) differingRepeats() []Fact {
	if in.Noisy {
		return nil
	}
	groups := in.repeatedRows()
	for k := range in.Objectives {
		if in.Errors(k) != nil {
			continue
		}
		values := in.Data.Column(k)
		points, largest := 0, 0.0
		for _, rows := range groups {
			var repeats []float64
			for _, i := range rows {
				repeats = append(repeats, in.Warp.Invert(values[i]))
			}
			if d := slices.Max(repeats) - slices.Min(repeats); d > 0 {
				points, largest = points+1, max(largest, d)
			}
		}
		if points > 0 {
			return []Fact{{Name: "repeats differ", Value: fmt.Sprintf("at %s, by up to %s", numfmt.Count(points, "point"),
				in.Deviation(k, largest, numfmt.Format))}}
		}
	}
	return nil
}

// repeatedRows are the evaluations at each point that was evaluated more than once.
func (in Input) repeatedRows() (groups [][]int) {
	order := make([]int, in.Data.Len())
	for i := range order {
		order[i] = i
	}
	compare := func(a, b int) int { return slices.Compare(in.Data.X.RawRowView(a), in.Data.X.RawRowView(b)) }
	slices.SortStableFunc(order, compare)
	for len(order) > 0 {
		n := 1
		for n < len(order) && compare(order[0], order[n]) == 0 {
			n++
		}
		if n > 1 {
			groups = append(groups, order[:n])
		}
		order = order[n:]
	}
	return groups
}
