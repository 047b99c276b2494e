package lessonpage

import (
	"math"

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
	least, greatest, ok := p.visible.Extremes(kind)
	if !ok {
		return math.NaN(), math.NaN()
	}
	z := p.visible.Fields[kind].Z
	return z[least], z[greatest]
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
	lo, hi := p.range2(picture.TrueField)
	if p.visible.Fields[picture.MeanField].Empty() || math.IsNaN(lo) {
		return math.NaN()
	}
	most := 0.0
	for i, v := range p.visible.Fields[picture.TrueField].Z {
		u, w := p.visible.Place(p.visible.Node(picture.TrueField, i))
		most = max(most, math.Abs(p.visible.Fields[picture.MeanField].At(u, w)-v))
	}
	return most / (hi - lo)
}
