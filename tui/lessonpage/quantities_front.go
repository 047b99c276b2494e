package lessonpage

import "bandscope/optimizers/weights"

// frontQuantities are the first quantities of the space of objectives.
var frontQuantities = map[string]quantity{
	"front": {"points of the Pareto front", onOutcomes, func(p *claimPage) float64 {
		return float64(len(p.outcomes.Front))
	}},
	"box-probability": {"the probability that the best outcome for the prior's weights is in a box", onOutcomes,
		(*claimPage).aim},
	"in-boxes": {"the share of the last four outcomes in the boxes", onOutcomes, (*claimPage).inside},
	"outcomes": {"outcomes on the plot", onOutcomes, func(p *claimPage) float64 {
		return float64(len(p.state.Iterations))
	}},
}

// boxed reports whether an outcome, in the problem's units, lies in one of the prior's boxes.
func (p *claimPage) boxed(y []float64) bool {
	o, in := p.outcomes, p.state.Input()
	return o.Prior.Inside(p.state.Outcome(y, o.Lo, o.Hi), weights.OutcomesFor(in))
}

func (p *claimPage) aim() (chance float64) {
	o := p.outcomes
	for i, y := range o.Front {
		if o.Chance != nil && p.boxed(y) {
			chance += o.Chance[i]
		}
	}
	return chance
}

func (p *claimPage) inside() float64 {
	last := p.state.Iterations[max(len(p.state.Iterations)-4, 0):]
	in, count := 0.0, 0.0
	for _, it := range last {
		for _, pt := range it.Points {
			in, count = in+one(p.boxed(pt.Judged())), count+1
		}
	}
	return in / count
}
