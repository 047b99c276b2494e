package lessonpage

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"bandscope/tui/picture"
)

// networkQuantities are quantities of what networkQuantities believe.
var networkQuantities = map[string]quantity{
	"parameters": {"parameters of the network", onLine | onPlane,
		(*claimPage).parameters},
	"wider":     {"the mean height of the band, as a multiple of that on the previous page", onLine, (*claimPage).wider},
	"open-ends": {"the height of the band at the ends, as a multiple of that in the middle", onLine, (*claimPage).openEnds},
	"off-zero":  {"the greatest distance of the mean from 0, in rows", onLine, (*claimPage).offZero},
	"used-misses": {"the greatest distance of a result from the curve that chooses the next point, in rows", onLine,
		func(p *claimPage) float64 { return p.cells(p.missed(picture.UsedField)) }},
	"mean-moved": {"the greatest change of the mean since the previous page, in rows", onLine,
		(*claimPage).meanMoved},
	"recent-spread": {"the spread of the last four points, as a share of the domain", onLine | onPlane, (*claimPage).settled},
	"eigen-spread": {"powers of ten between the largest and the smallest eigenvalue of the kernel matrix",
		onLine | onPlane, (*claimPage).eigenSpread},
}

func (p *claimPage) parameters() float64 {
	for _, f := range p.report.Legend.Facts {
		if n := 0.0; f.Name == "p parameters" {
			if _, err := fmt.Sscan(f.Value, &n); err == nil {
				return n
			}
		}
	}
	return math.NaN()
}

// height is that of the band of a picture on the average over its grid, in the objective's units.
func height(b *picture.Posterior) float64 {
	lower, upper := b.Fields[picture.LowerField], b.Fields[picture.UpperField]
	return (floats.Sum(upper.Values()) - floats.Sum(lower.Values())) / float64(len(lower.Z))
}

func (p *claimPage) wider() float64 {
	if !p.comparable() {
		return math.NaN()
	}
	return height(p.posterior) / height(p.previous.posterior)
}

func (p *claimPage) openEnds() float64 {
	lower := p.visible.Fields[picture.LowerField].Values()
	upper := p.visible.Fields[picture.UpperField].Values()
	n := len(lower)
	if n == 0 {
		return math.NaN()
	}
	width := func(i int) float64 { return upper[i] - lower[i] }
	return (width(0) + width(n-1)) / 2 / width(n/2)
}

func (p *claimPage) offZero() float64 {
	most := 0.0
	for _, y := range p.mean() {
		most = max(most, math.Abs(y))
	}
	return p.cells(most)
}

func (p *claimPage) meanMoved() float64 {
	if !p.comparable() {
		return math.NaN()
	}
	most := 0.0
	a, b := p.previous.posterior.Fields[picture.MeanField], p.posterior.Fields[picture.MeanField]
	for _, x := range p.posterior.Grid() {
		most = max(most, math.Abs(p.shown(a.Along(x))-p.shown(b.Along(x))))
	}
	return p.cells(most)
}

// settled is measured of the last four iterations, or of all where there are fewer.
func (p *claimPage) settled() float64 {
	var last [][]float64
	for _, it := range p.state.Iterations[max(len(p.state.Iterations)-4, 0):] {
		last = append(last, it.Inputs()...)
	}
	if len(last) == 0 {
		return math.NaN()
	}
	return p.span(last)
}

func (p *claimPage) eigenSpread() float64 {
	if p.report.Theory == nil || len(p.report.Theory.Eigenvalues) == 0 {
		return math.NaN()
	}
	v := p.report.Theory.Eigenvalues
	return math.Log10(floats.Max(v) / floats.Min(v))
}
