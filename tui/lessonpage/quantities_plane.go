package lessonpage

import (
	"math"

	"bandscope/tui/chart"
	"bandscope/tui/picture"
)

// planeQuantities are the quantities of the belief planeQuantities two variables.
var planeQuantities = map[string]quantity{
	"deviation": {"the greatest standard deviation", onPlane, func(p *claimPage) float64 {
		_, hi := p.range2(picture.SDField)
		return hi
	}},
	"deviation-at-data": {"the greatest standard deviation at a result", onPlane, (*claimPage).deviationAtData},
	"mean-span": {"the range of the posterior mean", onPlane, func(p *claimPage) float64 {
		lo, hi := p.range2(picture.MeanField)
		return hi - lo
	}},
	"error": {"the greatest error of the mean, as a share of the range of the true function",
		onPlane, (*claimPage).wrong},
}

// marks are the observations inside of the window.
func (p *claimPage) marks() (n int) {
	for _, x := range p.observed() {
		if u, v := p.visible.Place(x); u >= 0 && u <= 1 && v >= 0 && v <= 1 {
			n++
		}
	}
	return n
}

// range2 is the least and the greatest value of a field.
func (p *claimPage) range2(kind picture.FieldKind) (lo, hi float64) {
	z := p.visible.Fields[kind].Z
	if len(z) == 0 {
		return math.NaN(), math.NaN()
	}
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range z {
		lo, hi = min(lo, v), max(hi, v)
	}
	return lo, hi
}

func (p *claimPage) deviationAtData() float64 {
	most := math.NaN()
	for _, x := range p.observed() {
		if v := p.visible.At(picture.SDField, x); !(v <= most) {
			most = v
		}
	}
	return most
}

func (p *claimPage) wrong() float64 {
	mean, truth := p.visible.Fields[picture.MeanField], p.visible.Fields[picture.TrueField]
	lo, hi := p.range2(picture.TrueField)
	if len(mean.Z) == 0 || len(truth.Z) == 0 {
		return math.NaN()
	}
	most := 0.0
	for i, v := range truth.Z {
		u, w := place(truth.Field, i)
		most = max(most, math.Abs(mean.At(u, w)-v))
	}
	return most / (hi - lo)
}

// place is where the value of a field with a number is, as shares of the window.
func place(f chart.Field, i int) (u, v float64) {
	return float64(i%f.Cols) / float64(max(f.Cols-1, 1)), float64(i/f.Cols) / float64(max(f.Rows-1, 1))
}

// awayOn is the distance of the next point from where a field is best.
func (p *claimPage) awayOn(kind picture.FieldKind) float64 {
	f, sign := p.visible.Fields[kind], p.state.Problem.Objectives[0].Transform().Sign
	if len(f.Z) == 0 || p.chosen() == nil {
		return math.NaN()
	}
	best := 0
	for i, v := range f.Z {
		if sign*v < sign*f.Z[best] {
			best = i
		}
	}
	u, v := place(f.Field, best)
	x, y := p.visible.Place(p.chosen())
	return math.Hypot(x-u, y-v)
}
