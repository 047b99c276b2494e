package lessonpage

import (
	"bandscope/tui/picture"
	"math"
	"slices"
)

// lineQuantities are the quantities of a picture of one variable. Heights are in rows of the plot, within its y axis.
var lineQuantities = map[string]quantity{
	"band": {"the greatest height of the band, in rows", onLine, func(p *claimPage) float64 {
		return maxOrZero(p.heights(p.visible.Grid()))
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
		onLine, func(p *claimPage) float64 { return p.away(picture.UsedField) }},
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
	if p.planeView != nil {
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
	lower, upper := p.visible.Fields[picture.LowerField], p.visible.Fields[picture.UpperField]
	if lower.Empty() {
		return nil
	}
	for _, x := range inputs {
		rows = append(rows, p.cells(p.shown(upper.Along(x))-p.shown(lower.Along(x))))
	}
	return rows
}

func (p *claimPage) spread() float64 {
	most := 0.0
	for _, x := range p.visible.Grid() {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, s := range p.visible.Samples {
			lo, hi = min(lo, p.shown(s.Along(x))), max(hi, p.shown(s.Along(x)))
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
	for _, x := range p.posterior.Grid() {
		for _, k := range []picture.FieldKind{picture.MeanField, picture.LowerField, picture.UpperField} {
			a, b := p.previous.posterior.Fields[k], p.posterior.Fields[k]
			if d := math.Abs(p.shown(a.Along(x)) - p.shown(b.Along(x))); d > 0 {
				most = max(most, p.cells(d))
			}
		}
	}
	return most
}

func (p *claimPage) outside() float64 {
	out := 0
	truth := p.posterior.Fields[picture.TrueField]
	lower, upper := p.posterior.Fields[picture.LowerField], p.posterior.Fields[picture.UpperField]
	for i, y := range truth.Values() {
		if x := truth.X[i]; y < lower.Along(x) || y > upper.Along(x) {
			out++
		}
	}
	return float64(out) / float64(len(truth.X))
}

// away is the distance of the next point from the best point of a field, as a share of the axes.
func (p *claimPage) away(kind picture.FieldKind) float64 {
	best, ok := p.posterior.Best(kind)
	if !ok || p.chosen() == nil {
		return math.NaN()
	}
	node := p.posterior.Node(kind, best)
	if p.planeView == nil {
		v, j := p.state.Problem.Domain[p.view.Variable], p.view.Variable
		return math.Abs(v.ToUnit(p.chosen()[j]) - v.ToUnit(node[j]))
	}
	u, v := p.posterior.Place(node)
	x, y := p.posterior.Place(p.chosen())
	return math.Hypot(x-u, y-v)
}

func (p *claimPage) sure() float64 {
	if p.chosen() == nil {
		return math.NaN()
	}
	z, ok := p.posterior.Improvement(p.chosen())
	if !ok {
		return math.NaN()
	}
	return math.Erfc(-z/math.Sqrt2) / 2
}
