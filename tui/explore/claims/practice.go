package claims

import "math"

// practice are the quantities of pages about costs, and about experiments of one's own.
var practice = map[string]quantity{
	"next-x":    {"the value of the first variable at the next point, shown or hidden", onLine | onPlane, (*page).nextAt},
	"next-cost": {"what an evaluation of the next point costs, shown or hidden", onLine | onPlane, (*page).nextCost},
	"allowed":   {"the share of the inputs along the picture among which the method may choose", onLine, (*page).allowed},
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
