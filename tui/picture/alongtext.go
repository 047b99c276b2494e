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
	"bandscope/sessions/diagnostics"
	"bandscope/tui/chart"
	"bandscope/tui/widget"
)

// LineDescription is what a drawing of the belief along one variable shows.
type LineDescription struct {
	Description
	Drawing     Drawing
	CursorLabel string // names the place of the cursor; empty for "the cursor"
}

// DescribeLine describes a drawing, with the outliers among the results.
func DescribeLine(d Drawing, strange []diagnostics.Outlier) LineDescription {
	a := LineDescription{Description: Description{State: d.State, Reveal: d.Reveal, Outliers: strange,
		Cursor: d.Cursor}, Drawing: d}
	p := d.Posterior
	a.Legend, a.Aim, a.Regions = p.Legend, p.NextPoints, p.Regions
	a.BandText = func(x []float64) string {
		lo, hi := p.At(LowerField, x), p.At(UpperField, x)
		if math.IsNaN(lo) || a.SliceDistance != nil && a.SliceDistance(x) > 1e-9 {
			// the band that is drawn is of another place
			return ""
		}
		return widget.Number(lo) + " to " + a.Value(hi)
	}
	if p.Fitted && d.State.Problem.Dim() > 1 {
		a.SliceDistance = func(x []float64) float64 {
			return unitDistance(d.State.Problem.Domain, x, p.Anchor, p.View.X)
		}
	}
	return a
}

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

// Describe describes an entry of the legend, and returns the term of the glossary for it.
func (a LineDescription) Describe(name string) (sentence, term string) {
	p := a.Drawing.Posterior
	switch {
	case name == "truth":
		return a.truth(), "coverage"
	case !p.Fitted:
	case a.Drawing.Earlier != nil && name == a.Drawing.earlierBandName():
		return fmt.Sprintf("The band after %s. It stays until the band after the newest result is computed.",
			widget.Count(a.Drawing.Earlier.Step, "step")), "confidence band"
	case name == p.Legend.Band:
		if p.Legend.Draws > 0 {
			return a.band(), "ensemble of networks"
		}
		return a.band(), "confidence band"
	case name == p.Legend.Mean:
		return a.mean(), "posterior"
	case name == p.Legend.Used && name != "":
		return a.used(), "acquisition"
	case len(p.Samples) > 0 && strings.HasPrefix(name, p.Legend.Samples+" ("):
		return a.samples()
	case name == "limit, p < ½":
		return a.describeLimitCurve(), "limit"
	}
	return a.Description.Describe(name)
}

// variable is the one along the axis.
func (a LineDescription) variable() functions.Variable {
	return a.State.Problem.Domain[a.Drawing.Posterior.View.X]
}

// inputText is a value of the variable.
func (a LineDescription) inputText(x float64) string {
	v := a.variable()
	return strings.TrimSpace(v.Name + " = " + v.Text(x) + " " + v.Unit)
}

// place is where values are given: at the cursor, else at the next point, else where the band is widest.
func (a LineDescription) place() (x float64, named string) {
	p, v := a.Drawing.Posterior, a.Drawing.Posterior.View.X
	switch {
	case a.Cursor != nil:
		return a.Cursor[v], "at " + cmp.Or(a.CursorLabel, "the cursor") + ", " + a.inputText(a.Cursor[v])
	case len(p.Next) > 0 && a.SliceDistance != nil:
		return p.Next[0][v], "at " + a.inputText(p.Next[0][v]) + " on this slice"
	case len(p.Next) > 0 && a.Aim.Pending:
		return p.Next[0][v], "at the pending point, " + a.inputText(p.Next[0][v])
	case len(p.Next) > 0:
		return p.Next[0][v], "at the next point, " + a.inputText(p.Next[0][v])
	}
	grid := p.Grid()
	node := grid[len(grid)/2]
	if w, _ := a.widest(); !math.IsNaN(w) && !a.Asking {
		node = w
	}
	return node, "at " + a.inputText(node)
}

// widest is where the band is widest, and how wide along the objective's scale; NaN where there is none.
func (a LineDescription) widest() (x, wide float64) {
	p := a.Drawing.Posterior
	x, wide = math.NaN(), math.NaN()
	f := p.Fields[SDField]
	for i, sd := range f.Z {
		if w := 4 * sd; !(w <= wide) && !math.IsNaN(w) {
			x, wide = f.X[i], w
		}
	}
	return x, wide
}

// band describes the band at the place, why it is as wide there, and where it is widest.
func (a LineDescription) band() string {
	p, g := a.Drawing.Posterior, a.gauge()
	x, named := a.place()
	lo, hi := p.Fields[LowerField].Along(x), p.Fields[UpperField].Along(x)
	wide := g.FormatDifference(g.ToScale(hi)-g.ToScale(lo), widget.Number)
	text := fmt.Sprintf("The band (%s) goes from %s to %s %s. Its width there is %s", p.Legend.Band, widget.Number(lo),
		a.Value(hi), named, wide)
	if near := a.describeNearest(x); near != "" {
		text += ": " + near
	}
	if input, widest := a.widest(); !a.Asking && input != x && g.FormatDifference(widest, widget.Number) != wide {
		text += fmt.Sprintf(". It is widest at %s: %s", a.inputText(input), g.FormatDifference(widest, widget.Number))
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
func (a LineDescription) describeNearest(x float64) string {
	coordinates := slices.Clone(a.Drawing.Posterior.Anchor)
	coordinates[a.Drawing.Posterior.View.X] = x
	domain := a.State.Problem.Domain
	lengths := a.lengths()
	best := math.Inf(1)
	for _, p := range a.points(func(p point, _ bool) bool { return !p.it.Points[p.i].Failed }) {
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
	case len(coordinates) == 1 && a.variable().Levels() == 0 && a.variable().Scale != functions.Log:
		return "the nearest result is " + widget.Number(best*domain[0].Width()) + " away"
	case a.variable().Kind == functions.Choice && len(coordinates) == 1:
		return ""
	}
	return fmt.Sprintf("the nearest result is %.2g away in the unit cube", best)
}

// lengths are the lengthscales of all variables in their units; nil where the belief does not report them, or distances
// are not measured by them alone.
func (a LineDescription) lengths() []float64 {
	domain := a.State.Problem.Domain
	for _, v := range domain {
		if v.Kind == functions.Choice || v.Scale == functions.Log {
			return nil
		}
	}
	for _, f := range a.Legend.Facts {
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
func (a LineDescription) bestPoint(f Field) (x, y float64) {
	g := a.gauge()
	x, y = math.NaN(), math.NaN()
	for i, v := range f.Values() {
		if !math.IsNaN(v) && (math.IsNaN(y) || g.Apply(v) < g.Apply(y)) {
			x, y = f.X[i], v
		}
	}
	return x, y
}

// mean describes the posterior mean.
func (a LineDescription) mean() string {
	p := a.Drawing.Posterior
	f := p.Fields[MeanField]
	x, named := a.place()
	text := fmt.Sprintf("What the model expects of %s (%s): %s %s", a.name(), p.Legend.Mean,
		a.Value(f.Along(x)), named)
	if a.Asking {
		return text + "."
	}
	position, best := a.bestPoint(f)
	if lo, hi := chart.Extent(f.Values()); math.IsNaN(best) || widget.Number(lo) == widget.Number(hi) {
		return text + ", the same everywhere along this axis."
	}
	text += fmt.Sprintf(". It is %s at %s: %s", a.better(), a.inputText(position), a.Value(best))
	if _, y, _, ok := a.State.Best(); ok {
		g := a.gauge()
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
func (a LineDescription) used() string {
	p := a.Drawing.Posterior
	position, best := a.bestPoint(p.Fields[UsedField])
	if math.IsNaN(best) {
		return ""
	}
	text := fmt.Sprintf("The function that the method chooses the next point with (%s). Along %s it is %s at %s: %s.",
		p.Legend.Used, a.variable().Name, a.better(), a.inputText(position), a.Value(best))
	if len(p.Next) == 1 {
		text += fmt.Sprintf(" At the next point it is %s.", a.Value(p.At(UsedField, p.Next[0])))
	}
	return text
}

// samples describes how far the samples are apart.
func (a LineDescription) samples() (sentence, term string) {
	p := a.Drawing.Posterior
	x, named := a.place()
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, s := range p.Samples {
		lo, hi = min(lo, s.Along(x)), max(hi, s.Along(x))
	}
	term = "sample"
	if p.Legend.Draws > 0 {
		term = "ensemble of networks"
	}
	text := fmt.Sprintf("%s (%s), each a complete function that the model considers possible: %s to %s %s.",
		widget.Count(len(p.Samples), "curve"), p.Legend.Samples, widget.Number(lo), a.Value(hi), named)
	return text + " Where they differ, the model is uncertain; s draws others.", term
}

// truth describes the true function, and how much of it the band contains along the axis.
func (a LineDescription) truth() string {
	p := a.Drawing.Posterior
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
		widget.Number(lo), a.Value(hi))
	if !p.Fields[LowerField].Empty() && !a.Drawing.NoBand {
		text += fmt.Sprintf(
			" The band contains %.0f %% of it along this axis; a well calibrated band of ±2 standard deviations contains about 95 %%.",
			100*float64(inside)/float64(all))
	}
	return text
}

// describeLimitCurve describes where the model believes that a limit is more likely violated than met.
func (a LineDescription) describeLimitCurve() string {
	f := a.Drawing.Posterior.Fields[FeasibleField]
	x, named := a.place()
	return fmt.Sprintf("The dots along the bottom: a limit is probably violated there, according to the model (%s of the axis). The probability that all limits are met is %s %s.",
		share(f.Z, func(p float64) bool { return p < 0.5 }), widget.Number(f.Along(x)), named)
}
