package sessions

import (
	"fmt"
	"slices"

	"bandscope/functions"
	"bandscope/functions/numfmt"
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
// table has no more rows; empty while it has not.
func (st State) StopReason() string {
	if all, left := st.tableRows(); all > 0 && left == 0 {
		return fmt.Sprintf("all %s of the table are measured", numfmt.Count(all, "row"))
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

// Exhausted reports whether every row of the problem's table, as far as it may be suggested, is measured.
func (st State) Exhausted() bool {
	all, left := st.tableRows()
	return all > 0 && left == 0
}

// tableRows counts the rows of the problem's table that are within the bounds and fulfil the constraints, and those of
// them that are not evaluated; 0 without a table.
func (st State) tableRows() (all, left int) {
	t := st.Problem.Table
	if t == nil {
		return 0, 0
	}
	seen := make([]bool, len(t.X))
	for _, it := range st.Iterations {
		for _, pt := range it.Points {
			if i := t.Row(pt.X); i >= 0 {
				seen[i] = true
			}
		}
	}
	for i, x := range t.X {
		if !st.withinBounds(x) || slices.ContainsFunc(st.Problem.Constraints, func(c functions.Constraint) bool {
			return !c.Holds(x)
		}) {
			continue
		}
		if all++; !seen[i] {
			left++
		}
	}
	return all, left
}

// withinBounds reports whether an input is within the bounds of the next point.
func (st State) withinBounds(x []float64) bool {
	for j, v := range st.Bounds {
		if x[j] < v.Low || x[j] > v.High {
			return false
		}
	}
	return true
}
