package lesson

import (
	"math"
	"slices"
)

// practice are the quantities of pages about costs, and about experiments of one's own.
var practice = map[string]quantity{
	"next-cost": {"what an evaluation of the next point costs, shown or hidden", onLine | onPlane,
		(*claimedPage).nextCost},
	"allowed": {"the share of the inputs along the picture among which the method may choose", onLine,
		(*claimedPage).allowed},
	"out":        {"points that are out", onAny, func(p *claimedPage) float64 { return float64(len(p.state.Out)) }},
	"failed":     {"evaluations that failed", onAny, (*claimedPage).failed},
	"corrected":  {"results that were corrected", onAny, (*claimedPage).corrected},
	"replicates": {"results at one and the same input", onAny, (*claimedPage).replicates},
	"strange": {"results that the model does not understand, where the outlook is shown", onAny,
		(*claimedPage).strange},
	"model-best": {"the best mean of the first objective, where the outlook is shown", onAny, (*claimedPage).modelBest},
}

func (p *claimedPage) nextCost() float64 {
	if x := p.chosen(); x != nil && p.state.Problem.Cost != nil {
		return p.state.Problem.Cost.Func(x)
	}
	return math.NaN()
}

func (p *claimedPage) allowed() float64 {
	if p.d.Picture == nil || len(p.d.Picture.Allowed) == 0 {
		return math.NaN()
	}
	in := 0.0
	for _, ok := range p.d.Picture.Allowed {
		in += one(ok)
	}
	return in / float64(len(p.d.Picture.Allowed))
}

func (p *claimedPage) failed() (n float64) {
	for _, it := range p.state.Iterations {
		for _, pt := range it.Points {
			n += one(pt.Failed)
		}
	}
	return n
}

func (p *claimedPage) corrected() (n float64) {
	for _, it := range p.state.Iterations {
		n += one(len(it.Corrections) > 0)
	}
	return n
}

func (p *claimedPage) replicates() float64 {
	at := p.observed()
	most := 0
	for _, a := range at {
		same := 0
		for _, b := range at {
			if slices.Equal(a, b) {
				same++
			}
		}
		most = max(most, same)
	}
	return float64(most)
}

func (p *claimedPage) strange() float64 {
	a := p.appraised()
	if a == nil || !a.Validated {
		return math.NaN()
	}
	return float64(len(a.Outliers))
}

func (p *claimedPage) modelBest() float64 {
	a := p.appraised()
	if a == nil || a.Objectives[0].ModelBest == nil {
		return math.NaN()
	}
	return a.Objectives[0].ModelBest.Normals[0].Mean
}
