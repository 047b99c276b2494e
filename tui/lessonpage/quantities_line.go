package lessonpage

import (
	"math"
	"slices"
)

// lineQuantities are the quantities of a picture of one variable. Heights are in rows of the plot, within its y axis.
var lineQuantities = map[string]quantity{
	"band": {"the greatest height of the band, in rows", onLine, func(p *claimPage) float64 {
		return maxOrZero(p.heights(p.drawing.Picture.Grid))
	}},
	"band-at-data": {"the greatest height of the band at a result, in rows", onLine,
		func(p *claimPage) float64 { return maxOrZero(p.heights(p.observedAlong())) }},
	"samples": {"the greatest distance of two samples at the same input, in rows", onLine,
		(*claimPage).spread},
	"moved": {"the greatest change of the mean or an edge of the band since the previous page, in rows",
		onLine, (*claimPage).moved},
	"outside": {"the share of the domain where the true function is outside the band", onLine,
		(*claimPage).outside},
	"improvement-probability": {"the probability that the next point is better than the best so far", onLine,
		(*claimPage).sure},
	"lowest-used": {"the distance of the next point from the best of the curve that chooses it",
		onLine, func(p *claimPage) float64 { return p.away(p.image.Used) }},
}

func maxOrZero(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	return slices.Max(v)
}

// cells converts a distance along the y axis to rows.
func (p *claimPage) cells(dy float64) float64 {
	return dy / (p.chart.Y.Max - p.chart.Y.Min) * float64(p.rows)
}

// shown clamps a value to the y axis.
func (p *claimPage) shown(y float64) float64 { return min(max(y, p.chart.Y.Min), p.chart.Y.Max) }

func (p *claimPage) points() (n int) {
	if p.plane != nil {
		return p.marks()
	}
	for _, it := range p.state.Iterations {
		for _, pt := range it.Points {
			if !pt.Failed && p.shown(pt.Y[0]) == pt.Y[0] {
				n++
			}
		}
	}
	return n
}

// observedAlong returns the values of the drawn variable at all results.
func (p *claimPage) observedAlong() (x []float64) {
	for _, point := range p.observed() {
		x = append(x, point[p.view.Variable])
	}
	return x
}

// heights returns the heights of the band at inputs.
func (p *claimPage) heights(inputs []float64) (rows []float64) {
	b := p.drawing.Picture
	if len(b.Lower) == 0 {
		return nil
	}
	for _, x := range inputs {
		rows = append(rows, p.cells(p.shown(b.At(b.Upper, x))-p.shown(b.At(b.Lower, x))))
	}
	return rows
}

func (p *claimPage) spread() float64 {
	most := 0.0
	for i := range p.drawing.Picture.Grid {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, s := range p.drawing.Picture.Samples {
			lo, hi = min(lo, p.shown(s[i])), max(hi, p.shown(s[i]))
		}
		if hi > lo {
			most = max(most, p.cells(hi-lo))
		}
	}
	return most
}

func (p *claimPage) moved() float64 {
	if !p.comparable() {
		return math.NaN()
	}
	most := 0.0
	a := p.previous.image
	b := p.image
	for _, x := range b.Grid {
		for _, c := range [][2][]float64{{a.Mean, b.Mean}, {a.Lower, b.Lower}, {a.Upper, b.Upper}} {
			if d := math.Abs(p.shown(a.At(c[0], x)) - p.shown(b.At(c[1], x))); d > 0 {
				most = max(most, p.cells(d))
			}
		}
	}
	return most
}

func (p *claimPage) outside() float64 {
	out := 0
	for i, x := range p.image.Truth.X {
		if y := p.image.Truth.Y[i]; y < p.image.At(p.image.Lower, x) || y > p.image.At(p.image.Upper, x) {
			out++
		}
	}
	return float64(out) / float64(len(p.image.Truth.X))
}

// away is the distance of the next point from the best point of a curve, as a share of the domain.
func (p *claimPage) away(curve []float64) float64 {
	g, best := p.state.Problem.Objectives[0].Transform(), 0
	if len(curve) == 0 || p.chosen() == nil {
		return math.NaN()
	}
	for i, y := range curve {
		if g.Apply(y) < g.Apply(curve[best]) {
			best = i
		}
	}
	v := p.state.Problem.Domain[p.view.Variable]
	return math.Abs(v.ToUnit(p.chosen()[p.view.Variable]) - v.ToUnit(p.image.Grid[best]))
}

func (p *claimPage) sure() float64 {
	if p.chosen() == nil {
		return math.NaN()
	}
	mean, sd, best, ok := Expected(p.state, p.image.Picture, p.chosen()[p.view.Variable])
	if !ok {
		return math.NaN()
	}
	return math.Erfc((mean-best)/sd/math.Sqrt2) / 2
}
