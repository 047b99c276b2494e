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
type Attainment struct{ X, Quarter, Half, Most []float64 }

// attainmentNodes is at how many values the attainment is found.
const attainmentNodes = 240

// Attain finds the attainment of fronts in objectives i and j, for values of i from lo to hi.
func Attain(fronts [][][]float64, objectives []functions.Objective, i, j int, lo, hi float64) Attainment {
	var a Attainment
	if len(fronts) == 0 {
		return a
	}
	gi, gj := objectives[i].Gauge(), objectives[j].Gauge()
	from, to := gi.Along(lo), gi.Along(hi)
	best := make([]float64, len(fronts))
	at := func(part float64) float64 {
		v := best[int(math.Ceil(part*float64(len(best))))-1]
		if math.IsInf(v, 1) {
			return math.NaN()
		}
		return gj.Value(v)
	}
	for n := range attainmentNodes {
		x := gi.At(from + (to-from)*float64(n)/(attainmentNodes-1))
		for f, front := range fronts {
			best[f] = math.Inf(1)
			for _, y := range front {
				if gi.Counted(y[i]) <= gi.Counted(x) && gj.Counted(y[j]) < best[f] {
					best[f] = gj.Counted(y[j])
				}
			}
		}
		slices.Sort(best)
		a.X = append(a.X, x)
		a.Quarter, a.Half, a.Most = append(a.Quarter, at(0.25)), append(a.Half, at(0.5)), append(a.Most, at(0.75))
	}
	return a
}

// Fronts are those that a picture believes in: the drawn ones, or where there are none that of the means.
func (o *Outcomes) Fronts() [][][]float64 {
	switch {
	case len(o.Drawn) > 0:
		return o.Drawn
	case len(o.Front) > 0 && !o.Known:
		return [][][]float64{o.Front}
	}
	return nil
}
