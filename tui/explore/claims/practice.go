package claims

import (
	"math"
	"slices"
)

// practice are the quantities of pages about costs, and about experiments of one's own.
var practice = map[string]quantity{
	"next-cost":  {"what an evaluation of the next point costs, shown or hidden", onLine | onPlane, (*page).nextCost},
	"allowed":    {"the share of the inputs along the picture among which the method may choose", onLine, (*page).allowed},
	"out":        {"points that are out", onAny, func(p *page) float64 { return float64(len(p.state.Out)) }},
	"failed":     {"evaluations that failed", onAny, (*page).failed},
	"corrected":  {"results that were corrected", onAny, (*page).corrected},
	"replicates": {"results at one and the same input", onAny, (*page).replicates},
	"strange":    {"results that the model does not understand, where the outlook is shown", onAny, (*page).strange},
	"model-best": {"the best mean of the first objective, where the outlook is shown", onAny, (*page).modelBest},
}

func (p *page) nextCost() float64 {
	if x := p.chosen(); x != nil && p.state.Problem.Cost != nil {
		return p.state.Problem.Cost.Func(x)
	}
	return math.NaN()
}

func (p *page) allowed() float64 {
	if p.d.Picture == nil || len(p.d.Picture.Allowed) == 0 {
		return math.NaN()
	}
	in := 0.0
	for _, ok := range p.d.Picture.Allowed {
		in += one(ok)
	}
	return in / float64(len(p.d.Picture.Allowed))
}

func (p *page) failed() (n float64) {
	for _, it := range p.state.Iterations {
		for _, failed := range it.Failed {
			n += one(failed)
		}
	}
	return n
}

func (p *page) corrected() (n float64) {
	for _, it := range p.state.Iterations {
		n += one(len(it.Corrections) > 0)
	}
	return n
}

func (p *page) replicates() float64 {
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

func (p *page) strange() float64 {
	a := p.appraised()
	if a == nil || !a.Validated {
		return math.NaN()
	}
	return float64(len(a.Outliers))
}

func (p *page) modelBest() float64 {
	a := p.appraised()
	if a == nil || a.Objectives[0].ModelBest == nil {
		return math.NaN()
	}
	return a.Objectives[0].ModelBest.Normals[0].Mean
}
