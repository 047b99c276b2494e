package sessions

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"bandscope/functions"
	"bandscope/functions/rng"
	"bandscope/optimizers/search"
	"bandscope/optimizers/space"
)

// domainFor is the problem's domain as the optimizers see it, in the unit cube; nil where it is a box of real numbers
// without constraints. A table is a pool.
func domainFor(p *functions.Problem) *space.Domain {
	if p.Constraints == nil && p.Table == nil && !slices.ContainsFunc(p.Domain, func(v functions.Variable) bool {
		return v.Kind != functions.Real || v.Steps() > 0
	}) {
		return nil
	}
	d := &space.Domain{Inputs: make([]space.Input, p.Dim())}
	for j, v := range p.Domain {
		in := &d.Inputs[j]
		if v.Kind == functions.Real {
			in.Grid = v.Steps() > 0
			for _, x := range v.GridValues() {
				in.Levels = append(in.Levels, v.ToUnit(x))
			}
			continue
		}
		in.Choice = v.Kind == functions.Choice
		for i := range v.Levels() {
			in.Levels = append(in.Levels, v.ToUnit(v.Level(i)))
			if v.Descriptors != nil {
				in.Descriptors = append(in.Descriptors, choiceFeatures(v, i))
			}
		}
	}
	if p.Table != nil {
		rows := make([][]float64, len(p.Table.X))
		for i, x := range p.Table.X {
			rows[i] = p.Domain.ToUnit(x)
		}
		d.Pool = space.NewPool(rows)
	}
	for _, m := range p.Mixtures {
		d.Mixtures = append(d.Mixtures, mixture(p.Domain, m))
	}
	for _, c := range p.Constraints {
		if c.Linear != nil {
			d.Linear = append(d.Linear, linear(p.Domain, c))
			continue
		}
		d.Nonlinear = append(d.Nonlinear, space.Constraint{Text: c.Text, Func: func(u []float64) float64 {
			return c.Excess(p.Domain.FromUnit(u))
		}})
	}
	return d
}

// mixture is a mixture of variables as one of inputs of the unit cube.
func mixture(d functions.Domain, m functions.Mixture) *space.Mixture {
	indices := m.Indices(d)
	slices.Sort(indices)
	var parts functions.Domain
	for _, j := range indices {
		parts = append(parts, d[j])
	}
	weights, size := make([]float64, len(indices)), m.Size(parts)
	for i, v := range parts {
		weights[i] = v.Width() / size
	}
	return space.NewMixture(indices, weights)
}

// linear is a sum of variables as one of unit points, where the greatest weight is 1 or −1.
func linear(d functions.Domain, c functions.Constraint) space.Linear {
	s := c.Linear
	l := space.Linear{Text: c.Text, A: make([]float64, len(d)), B: s.Bound, Equal: s.Equal}
	size := 0.0
	for j, a := range s.Weights {
		l.A[j] = a * d[j].Width()
		l.B -= a * d[j].Low
		size = max(size, math.Abs(l.A[j]))
	}
	floats.Scale(1/size, l.A)
	l.B /= size
	return l
}

// checkFeasible returns an error that says which constraints hold nowhere within bounds, nil for those of the problem,
// as far as a search finds.
func checkFeasible(ctx context.Context, p *functions.Problem, bounds functions.Domain) error {
	if p.Constraints == nil && p.Table == nil {
		return nil
	}
	space := search.Space{Dim: p.Dim(), Domain: domainFor(p)}
	if bounds != nil {
		space.Low, space.High = unitBounds(p.Domain, bounds)
	}
	if _, err := space.Feasible(ctx, 1, rng.New(0, 0, "fulfillable")); ctx.Err() != nil {
		return ctx.Err()
	} else if err != nil {
		return functions.AsInfeasible(err)
	}
	return nil
}

// choiceFeatures are the properties of a choice, each in [0, 1] over all choices.
func choiceFeatures(v functions.Variable, i int) (list []float64) {
	for _, descriptor := range v.Descriptors {
		low := slices.Min(descriptor.Values)
		list = append(list, (descriptor.Values[i]-low)/(slices.Max(descriptor.Values)-low))
	}
	return list
}
