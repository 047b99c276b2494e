package sessions

import (
	"slices"

	"bandscope/functions"
	"bandscope/optimizers/domain"
)

// domainOf is the problem's domain as the optimizers see it, in the unit cube; nil where it is a box of real numbers.
func domainOf(p *functions.Problem) *domain.Domain {
	if !slices.ContainsFunc(p.Domain, func(v functions.Variable) bool { return v.Kind != functions.Real }) {
		return nil
	}
	d := &domain.Domain{Inputs: make([]domain.Input, p.Dim())}
	for j, v := range p.Domain {
		if v.Kind == functions.Real {
			continue
		}
		in := &d.Inputs[j]
		in.Choice = v.Kind == functions.Choice
		for i := range v.Levels() {
			in.Levels = append(in.Levels, v.ToUnit(v.Level(i)))
			if v.Descriptors != nil {
				in.Descriptors = append(in.Descriptors, described(v, i))
			}
		}
	}
	return d
}

// described are the properties of a choice, each in [0, 1] over all choices.
func described(v functions.Variable, i int) (list []float64) {
	for _, of := range v.Descriptors {
		low := slices.Min(of.Values)
		list = append(list, (of.Values[i]-low)/(slices.Max(of.Values)-low))
	}
	return list
}
