package picture

import (
	"math"

	"bandscope/functions"
	"bandscope/sessions"
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

// addConstraints fills where constraints do not hold over the window.
func (p *Plane) addConstraints(st sessions.State, g grid) {
	if st.Problem.Constraints == nil {
		return
	}
	n, _ := g.x.Dims()
	inputs := make([][]float64, n)
	for i := range inputs {
		inputs[i] = st.Problem.Domain.FromUnit(g.x.RawRowView(i))
	}
	p.ConstraintHatch = NewConstraintHatch(st.Problem, inputs, g.field)
}

// addConstraints fills where constraints do not hold along the variable.
func (p *Picture) addConstraints(st sessions.State) {
	if st.Problem.Constraints == nil {
		return
	}
	v := st.Problem.Domain[p.View.Variable]
	values := Grid(v, 0, 1, gridPoints)
	inputs := make([][]float64, len(values))
	for i, value := range values {
		inputs[i] = st.Problem.WithValue(p.Anchor, p.View.Variable, value)
	}
	p.ConstraintHatch = NewConstraintHatch(st.Problem, inputs, func(z []float64) chart.Field {
		return chart.Field{Cols: len(z), Rows: 1, Z: z, Cuts: [2][]float64{Cuts(v, values), nil}}
	})
	p.ConstraintHatch.Strip = true
}
