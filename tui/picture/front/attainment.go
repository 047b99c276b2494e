package front

import (
	"math"
	"slices"

	"bandscope/functions"
)

// Attainment is the empirical attainment of some fronts in two objectives (Grunert da Fonseca, Fonseca & Hall 2001,
// "Inferential performance assessment of stochastic optimisers and the attainment function"): for values of the one,
// the best value of the other that a quarter, a half and three quarters of the fronts attain together with it or with a
// better one. All in the objectives' own units; NaN where so many fronts do not.
type Attainment struct{ X, Quarter, Half, ThreeQuarters []float64 }

// attainmentNodes is at how many values the attainment is found.
const attainmentNodes = 240

// NewAttainment finds the attainment of fronts in objectives i and j, for values of i from lo to hi.
func NewAttainment(fronts [][][]float64, objectives []functions.Objective, i, j int, lo, hi float64) Attainment {
	var a Attainment
	if len(fronts) == 0 {
		return a
	}
	gi, gj := objectives[i].Transform(), objectives[j].Transform()
	from, end := gi.ToScale(lo), gi.ToScale(hi)
	best := make([]float64, len(fronts))
	quantile := func(part float64) float64 {
		v := best[int(math.Ceil(part*float64(len(best))))-1]
		if math.IsInf(v, 1) {
			return math.NaN()
		}
		return gj.Invert(v)
	}
	for n := range attainmentNodes {
		x := gi.FromScale(from + (end-from)*float64(n)/(attainmentNodes-1))
		for f, front := range fronts {
			best[f] = math.Inf(1)
			for _, y := range front {
				if gi.Apply(y[i]) <= gi.Apply(x) && gj.Apply(y[j]) < best[f] {
					best[f] = gj.Apply(y[j])
				}
			}
		}
		slices.Sort(best)
		a.X = append(a.X, x)
		a.Quarter = append(a.Quarter, quantile(0.25))
		a.Half = append(a.Half, quantile(0.5))
		a.ThreeQuarters = append(a.ThreeQuarters, quantile(0.75))
	}
	return a
}

// Fronts are the fronts of the model: the drawn ones or, without these, that of the means.
func (o *Outcomes) Fronts() [][][]float64 {
	switch {
	case len(o.FrontSamples) > 0:
		return o.FrontSamples
	case len(o.Front) > 0 && !o.Known:
		return [][][]float64{o.Front}
	}
	return nil
}
