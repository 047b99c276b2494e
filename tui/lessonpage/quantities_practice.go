package lessonpage

import (
	"math"
	"slices"

	"bandscope/sessions"
	"bandscope/tui/picture"

	"gonum.org/v1/gonum/floats"
)

// practiceQuantities are the quantities of pages about costs, and about your own experiments.
var practiceQuantities = map[string]quantity{
	"next-cost": {"the cost of the next point", onLine | onPlane,
		(*claimPage).nextCost},
	"allowed": {"the share of the axis that the method may choose from", onLine,
		(*claimPage).allowed},
	"pending":    {"pending points", onAny, func(p *claimPage) float64 { return float64(len(p.state.Pending)) }},
	"failed":     {"failed evaluations", onAny, (*claimPage).failed},
	"corrected":  {"corrected results", onAny, (*claimPage).corrected},
	"replicates": {"results at the same input", onAny, (*claimPage).replicates},
	"branches": {"branches of the session", onAny,
		func(p *claimPage) float64 { return float64(len(p.branches())) }},
	"other-best":   {"the best value of the first objective on the other branches", onAny, (*claimPage).elsewhere},
	"other-cost":   {"the highest cost of all evaluations of another branch", onAny, (*claimPage).costElsewhere},
	"beyond-limit": {"results beyond a limit", onAny, (*claimPage).beyondLimit},
	"outliers": {"outliers, if the outlook is shown", onAny,
		(*claimPage).strange},
	"model-best": {"the best posterior mean, if the outlook is shown", onAny, (*claimPage).modelBest},
}

func (p *claimPage) nextCost() float64 {
	if x := p.chosen(); x != nil && p.state.Problem.Cost != nil {
		return p.state.Problem.Cost.Func(x)
	}
	return math.NaN()
}

func (p *claimPage) allowed() float64 {
	if p.visible == nil || p.visible.Fields[picture.AllowedField].Empty() {
		return math.NaN()
	}
	z := p.visible.Fields[picture.AllowedField].Z
	return floats.Sum(z) / float64(len(z))
}

func (p *claimPage) failed() (n float64) {
	for _, it := range p.state.Iterations {
		for _, pt := range it.Points {
			n += one(pt.Failed)
		}
	}
	return n
}

func (p *claimPage) corrected() (n float64) {
	for _, it := range p.state.Iterations {
		n += one(len(it.Corrections) > 0)
	}
	return n
}

func (p *claimPage) replicates() float64 {
	points := p.observed()
	most := 0
	for _, a := range points {
		same := 0
		for _, b := range points {
			if slices.Equal(a, b) {
				same++
			}
		}
		most = max(most, same)
	}
	return float64(most)
}

func (p *claimPage) strange() float64 {
	a := p.summary()
	if a == nil || !a.Validated {
		return math.NaN()
	}
	return float64(len(a.Outliers))
}

func (p *claimPage) modelBest() float64 {
	a := p.summary()
	if a == nil || a.Objectives[0].ModelBest == nil {
		return math.NaN()
	}
	return a.Objectives[0].ModelBest.Normals[0].Mean
}

// branches are the branches of the session; nil if they cannot be read.
func (p *claimPage) branches() []sessions.Branch {
	list, err := p.at.Branches()
	if err != nil {
		return nil
	}
	return list
}

// elsewhere is the best value of the first objective on the other branches; NaN if there are none.
func (p *claimPage) elsewhere() float64 {
	if len(p.state.Problem.Objectives) > 1 {
		return math.NaN()
	}
	transform, best := p.state.Problem.Objectives[0].Transform(), math.NaN()
	for _, b := range p.branches() {
		if _, y, _, ok := b.State.Best(); ok && !b.Current &&
			(math.IsNaN(best) || transform.Apply(y) < transform.Apply(best)) {
			best = y
		}
	}
	return best
}

// costElsewhere is the highest cost of another branch; NaN if there is none.
func (p *claimPage) costElsewhere() float64 {
	cost := math.NaN()
	for _, b := range p.branches() {
		if c := b.State.TotalCost(); !b.Current && !(c < cost) {
			cost = c
		}
	}
	return cost
}

// beyondLimit counts the results that are beyond a limit.
func (p *claimPage) beyondLimit() (n float64) {
	for _, it := range p.state.Iterations {
		for i, pt := range it.Points {
			n += one(!pt.Failed && !p.state.Feasible(it, i))
		}
	}
	return n
}
