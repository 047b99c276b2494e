package picture

import (
	"math"

	"bandscope/functions"
	"bandscope/tui/chart"
)

// constraintName names the region that known constraints rule out.
const constraintName = "violates a constraint"

// NewConstraintHatch is where known constraints do not hold at inputs, in the problem's units, as fields over a window;
// empty for a problem without constraints.
func NewConstraintHatch(p *functions.Problem, inputs [][]float64, field func(z []float64) chart.Field) (h chart.Hatch) {
	over := make([]float64, 0, len(inputs))
	var lines [][]float64
	for i, x := range inputs {
		worst, line := math.Inf(-1), 0
		if p.Mixtures != nil { // whose components change together
			worst = boundsExcess(p.Domain, x)
			if worst <= 1e-9 {
				worst = min(worst, -1e-9)
			}
		}
		for _, c := range p.Constraints {
			if c.Linear != nil && c.Linear.Equal {
				if i == 0 {
					lines = append(lines, nil)
				}
				off := c.Linear.Residual(x)
				if c.Holds(x) {
					off = 0
				}
				lines[line] = append(lines[line], off)
				line++
				continue
			}
			worst = max(worst, violation(c, x))
		}
		if !math.IsInf(worst, -1) {
			over = append(over, worst)
		}
	}
	if len(over) > 0 {
		h.Over = field(over)
	}
	for _, z := range lines {
		h.Lines = append(h.Lines, field(z))
	}
	h.Name, h.Short = constraintName, "constraint"
	return h
}

// violation is above 0 where a constraint rules an input out, and below 0 elsewhere.
func violation(c functions.Constraint, x []float64) float64 {
	v := c.Excess(x)
	switch {
	case math.IsNaN(v):
		return 1
	case !c.Holds(x):
		return min(v, 1)
	case v >= 0: // of a condition
		return -1
	}
	return max(v, -1)
}

// addConstraints fills where constraints do not hold at the nodes of a grid.
func (p *Posterior) addConstraints(g grid) {
	if p.problem.Constraints == nil {
		return
	}
	p.ConstraintHatch = NewConstraintHatch(p.problem, g.points(p), g.field)
	p.ConstraintHatch.Strip = p.View.Axes == OneVariable
}
