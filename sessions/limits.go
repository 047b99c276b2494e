package sessions

import (
	"math"

	"bandscope/functions"
	"bandscope/optimizers"
)

// limitsOf are the limits of a problem as a method is told of them, in the order of Problem.Limited.
func limitsOf(p *functions.Problem) (list []optimizers.Limit) {
	measured := p.Measured()
	for _, k := range p.Limited() {
		o := measured[k]
		l := optimizers.Limit{Name: o.Name, Least: math.Inf(-1), Most: math.Inf(1), Noise: o.Noise, Objective: -1}
		if o.AtLeast != nil {
			l.Least = *o.AtLeast
		}
		if o.AtMost != nil {
			l.Most = *o.AtMost
		}
		if k < len(p.Objectives) {
			l.Objective = k
		}
		list = append(list, l)
	}
	return list
}
