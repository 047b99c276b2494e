package picture

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/tui/chart"
	"bandscope/tui/widget"
)

// unitDistance is how far two inputs are from each other in the unit cube, but for some variables.
func unitDistance(domain functions.Domain, x, y []float64, but ...int) float64 {
	u := domain.ToUnit(x)
	v := domain.ToUnit(y)
	sum := 0.0
	for j := range u {
		if !slices.Contains(but, j) {
			sum += (u[j] - v[j]) * (u[j] - v[j])
		}
	}
	return math.Sqrt(sum)
}

// describeCurve describes an entry of the legend along one variable that other drawings do not have.
func (s Description) describeCurve(name string) (sentence, term string) {
	p := s.Posterior
	switch {
	case name == "truth":
		return s.truth(), "coverage"
	case !p.Fitted:
	case s.Earlier != nil && name == s.earlierBandName():
		return fmt.Sprintf("The band after %s. It stays until the band after the newest result is computed.",
			widget.Count(s.Earlier.Step, "step")), "confidence band"
	case s.Before != nil && name == s.beforeName():
		return fmt.Sprintf("The edges of the band after %s, where the newest result narrowed it.",
			widget.Count(s.Before.Step, "step")), "confidence band"
	case name == p.Legend.Band:
		if p.Legend.Draws > 0 {
			return s.band(), "ensemble of networks"
		}
		return s.band(), "confidence band"
	case name == p.Legend.Mean:
		return s.mean(), "posterior"
	case name == p.Legend.Used && name != "":
		return s.used(), "acquisition"
	case len(p.Samples) > 0 && strings.HasPrefix(name, p.Legend.Samples+" ("):
		return s.describeSamples()
	case name == halfName:
		return s.describeLimitCurve(), "limit"
	}
	return "", ""
}

// valueAt is a value of the variable.
func (s Description) valueAt(x float64) string {
	return s.placeText(s.State.Problem.WithValue(s.Posterior.Anchor, s.Posterior.View.X, x))
}

// place is where values are given: at the cursor, else at the next point, else where the band is widest.
func (s Description) place() (x float64, named string) {
	p, v := s.Posterior, s.Posterior.View.X
	switch {
	case s.Cursor != nil:
		return s.Cursor[v], "at " + cmp.Or(s.CursorLabel, "the cursor") + ", " + s.valueAt(s.Cursor[v])
	case len(p.Next) > 0 && s.sliced():
		return p.Next[0][v], "at " + s.valueAt(p.Next[0][v]) + " on this slice"
	case len(p.Next) > 0 && s.Posterior.Pending:
		return p.Next[0][v], "at the pending point, " + s.valueAt(p.Next[0][v])
	case len(p.Next) > 0:
		return p.Next[0][v], "at the next point, " + s.valueAt(p.Next[0][v])
	}
	grid := p.Grid()
	node := grid[len(grid)/2]
	if w, _ := s.widest(); !math.IsNaN(w) && !s.Asking {
		node = w
	}
	return node, "at " + s.valueAt(node)
}

// widest is where the band is widest, and how wide along the objective's scale; NaN where there is none.
func (s Description) widest() (x, wide float64) {
	_, i, ok := s.Posterior.Extremes(SDField)
	if !ok {
		return math.NaN(), math.NaN()
	}
	f := s.Posterior.Fields[SDField]
	return f.X[i], 4 * f.Z[i]
}

// band describes the band at the place, why it is as wide there, and where it is widest.
func (s Description) band() string {
	p, g := s.Posterior, s.gauge()
	x, named := s.place()
	lo, hi := p.Fields[LowerField].Along(x), p.Fields[UpperField].Along(x)
	wide := g.FormatDifference(g.ToScale(hi)-g.ToScale(lo), widget.Number)
	text := fmt.Sprintf("The band (%s) goes from %s to %s %s. Its width there is %s", p.Legend.Band, widget.Number(lo),
		s.Value(hi), named, wide)
	if near := s.describeNearest(s.State.Problem.WithValue(p.Anchor, p.View.X, x)); near != "" {
		text += ": " + near
	}
	if input, widest := s.widest(); !s.Asking && input != x && g.FormatDifference(widest, widget.Number) != wide {
		text += fmt.Sprintf(". It is widest at %s: %s", s.valueAt(input), g.FormatDifference(widest, widget.Number))
	}
	text += "."
	if p.Legend.Meaning != "" {
		text += " " + p.Legend.Meaning
	} else if n := p.Legend.Draws; n > 0 {
		text += fmt.Sprintf(" It is estimated from %d draws.", n)
	}
	return text
}

// describeNearest says how far a place of the drawing is from the nearest result: in lengthscales where the belief
// reports them, else in the variable's unit or in the unit cube.
func (s Description) describeNearest(coordinates []float64) string {
	domain := s.State.Problem.Domain
	lengths := s.lengths()
	best := math.Inf(1)
	for _, p := range s.points(func(p point, _ bool) bool { return !p.it.Points[p.i].Failed }) {
		sum := 0.0
		u, v := domain.ToUnit(coordinates), domain.ToUnit(p.x())
		for j := range u {
			d := u[j] - v[j]
			if lengths != nil {
				d *= domain[j].Width() / lengths[j]
			}
			sum += d * d
		}
		best = min(best, math.Sqrt(sum))
	}
	switch {
	case math.IsInf(best, 1):
		return "there is no result yet, so it is that of the prior"
	case best < 1e-9:
		return "a result is here, so only noise is left"
	case len(lengths) == 1:
		return fmt.Sprintf("the nearest result is %.2g lengthscales away", best)
	case lengths != nil:
		return fmt.Sprintf("the nearest result is %.2g lengthscales away over all variables", best)
	case len(coordinates) == 1 && s.variable(0).Levels() == 0 && s.variable(0).Scale != functions.Log:
		return "the nearest result is " + widget.Number(best*domain[0].Width()) + " away"
	case s.variable(0).Kind == functions.Choice && len(coordinates) == 1:
		return ""
	}
	return fmt.Sprintf("the nearest result is %.2g away in the unit cube", best)
}

// lengths are the lengthscales of all variables in their units; nil where the belief does not report them, or distances
// are not measured by them alone.
func (s Description) lengths() []float64 {
	domain := s.State.Problem.Domain
	for _, v := range domain {
		if v.Kind == functions.Choice || v.Scale == functions.Log {
			return nil
		}
	}
	for _, f := range s.Posterior.Legend.Facts {
		if f.Name != optimizers.FactLengthscale {
			continue
		}
		var lengths []float64
		for _, word := range strings.Fields(f.Value) {
			if v, err := strconv.ParseFloat(word, 64); err == nil && v > 0 {
				lengths = append(lengths, v)
			}
		}
		if len(lengths) == len(domain) {
			return lengths
		}
	}
	return nil
}

// bestPoint is where a curve is best.
func (s Description) bestPoint(kind FieldKind) (x, y float64) {
	i, ok := s.Posterior.Best(kind)
	if !ok {
		return math.NaN(), math.NaN()
	}
	f := s.Posterior.Fields[kind]
	return f.X[i], f.Values()[i]
}

// mean describes the posterior mean.
func (s Description) mean() string {
	p := s.Posterior
	f := p.Fields[MeanField]
	x, named := s.place()
	text := fmt.Sprintf("What the model expects of %s (%s): %s %s", s.name(), p.Legend.Mean,
		s.Value(f.Along(x)), named)
	if s.Asking {
		return text + "."
	}
	position, best := s.bestPoint(MeanField)
	if lo, hi := chart.Extent(f.Values()); math.IsNaN(best) || widget.Number(lo) == widget.Number(hi) {
		return text + ", the same everywhere along this axis."
	}
	text += fmt.Sprintf(". It is %s at %s: %s", s.better(), s.valueAt(position), s.Value(best))
	if _, y, _, ok := s.State.Best(); ok {
		g := s.gauge()
		d := g.Apply(y) - g.Apply(best)
		if difference := g.FormatDifference(math.Abs(d), widget.Number); difference == "0" || difference == "×1" {
			text += ", as good as the best result"
		} else {
			text += fmt.Sprintf(", %s %s than the best result", difference,
				map[bool]string{true: "better", false: "worse"}[d >= 0])
		}
	}
	return text + "."
}

// used describes the function that the method chooses the next point with.
func (s Description) used() string {
	p := s.Posterior
	position, best := s.bestPoint(UsedField)
	if math.IsNaN(best) {
		return ""
	}
	text := fmt.Sprintf("The function that the method chooses the next point with (%s). Along %s it is %s at %s: %s.",
		p.Legend.Used, s.variable(0).Name, s.better(), s.valueAt(position), s.Value(best))
	if len(p.Next) == 1 {
		text += fmt.Sprintf(" At the next point it is %s.", s.Value(p.At(UsedField, p.Next[0])))
	}
	return text
}

// describeSamples describes how far the samples are apart.
func (s Description) describeSamples() (sentence, term string) {
	p := s.Posterior
	x, named := s.place()
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, f := range p.Samples {
		lo, hi = min(lo, f.Along(x)), max(hi, f.Along(x))
	}
	term = "sample"
	if p.Legend.Draws > 0 {
		term = "ensemble of networks"
	}
	text := fmt.Sprintf("%s (%s), each a complete function that the model considers possible: %s to %s %s.",
		widget.Count(len(p.Samples), "curve"), p.Legend.Samples, widget.Number(lo), s.Value(hi), named)
	return text + " Where they differ, the model is uncertain; s draws others.", term
}

// truth describes the true function, and how much of it the band contains along the axis.
func (s Description) truth() string {
	p := s.Posterior
	f := p.Fields[TrueField]
	lo := math.Inf(1)
	hi := math.Inf(-1)
	inside := 0
	all := 0
	for i, y := range f.Values() {
		if math.IsNaN(y) {
			continue
		}
		lo = min(lo, y)
		hi = max(hi, y)
		all = all + 1
		if p.Fields[LowerField].Along(f.X[i]) <= y && y <= p.Fields[UpperField].Along(f.X[i]) {
			inside++
		}
	}
	if all == 0 {
		return ""
	}
	text := fmt.Sprintf(
		"The true function, from %s to %s here. It is known because this is a test function; no method sees it.",
		widget.Number(lo), s.Value(hi))
	if !p.Fields[LowerField].Empty() && !s.NoBand {
		text += fmt.Sprintf(
			" The band contains %.0f %% of it along this axis; a well calibrated band of ±2 standard deviations contains about 95 %%.",
			100*float64(inside)/float64(all))
	}
	return text
}

// describeLimitCurve describes where the model believes that a limit is more likely violated than met.
func (s Description) describeLimitCurve() string {
	f := s.Posterior.Fields[FeasibleField]
	x, named := s.place()
	return fmt.Sprintf("The dots along the bottom: a limit is probably violated there, according to the model (%s of the axis). The probability that all limits are met is %s %s.",
		share(f.Z, func(p float64) bool { return p < 0.5 }), widget.Number(f.Along(x)), named)
}
