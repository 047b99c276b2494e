package sessions

import (
	"fmt"
	"slices"
	"strings"

	"bandscope/functions/numfmt"
	"bandscope/optimizers/search"
)

// CostAt is what an evaluation at x is declared to cost, in the problem's units of cost; 1 where all cost the same, NaN
// where the cost cannot be read.
func (st State) CostAt(x []float64) float64 {
	c, _ := st.Problem.CostAt(x)
	return c
}

// HasCosts reports whether evaluations do not all cost the same, or are paid from a budget.
func (st State) HasCosts() bool { return st.Problem.Cost != nil || st.Config.CostBudget > 0 }

// TotalCost is what all evaluations together have cost.
func (st State) TotalCost() float64 {
	sum := 0.0
	for _, it := range st.Iterations {
		sum += it.Cost()
	}
	return sum
}

// StopReason says that the search has come to its end, by its number of iterations, by what it has cost or because a
// finite space has no more points; empty while it has not.
func (st State) StopReason() string {
	if st.Exhausted() {
		c, _ := st.PointCount()
		return c.String()
	}
	if st.Config.CostBudget > 0 {
		if spent := st.TotalCost(); spent >= st.Config.CostBudget {
			return fmt.Sprintf("the budget of %s is spent: %s", numfmt.Exact(st.Config.CostBudget),
				numfmt.Format(spent))
		}
		return ""
	}
	if len(st.Iterations) >= st.Config.Budget {
		return fmt.Sprintf("the budget of %s is spent", numfmt.Count(st.Config.Budget, "iteration"))
	}
	return ""
}

// NothingBetter reports whether the optimizer expected no improvement anywhere when it suggested the iteration.
func (it Iteration) NothingBetter() bool { return strings.Contains(it.Note, search.StopNote) }

// NothingBetterSteps are the steps, pending ones too, at which the optimizer expected no improvement anywhere.
func (st State) NothingBetterSteps() []int {
	steps := []int{}
	for _, it := range slices.Concat(st.Iterations, st.Pending) {
		if it.NothingBetter() {
			steps = append(steps, it.Step)
		}
	}
	return steps
}

// Exhausted reports whether every point of a finite space that may be suggested is evaluated. Where repeats are allowed,
// only a table has an end.
func (st State) Exhausted() bool { return search.CheckExhausted(st.Input()) != nil }

// PointCount counts the points of a finite space within the bounds; false if the space is not finite, or too large to
// count.
func (st State) PointCount() (search.PointCount, bool) {
	return search.CountPoints(st.inputWithPending())
}
