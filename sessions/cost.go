package sessions

import (
	"fmt"

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
	if t := st.Problem.Table; t != nil && st.rowsMeasured() == len(t.X) {
		return fmt.Sprintf("all %s of the table are measured", numfmt.Count(len(t.X), "row"))
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

// rowsMeasured is how many rows of the problem's table have been evaluated.
func (st State) rowsMeasured() int {
	seen := map[int]bool{}
	for _, it := range st.Iterations {
		for _, pt := range it.Points {
			if i := st.Problem.Table.Row(pt.X); i >= 0 {
				seen[i] = true
			}
		}
	}
	return len(seen)
}
