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
	CursorLabel string // what stands where the cursor is drawn; empty for the cursor
}

// DescribeLine is what is seen of a drawing, with the results that the model does not understand.
func DescribeLine(d Drawing, strange []diagnostics.Outlier) LineDescription {
	a := LineDescription{Description: Description{State: d.State, Reveal: d.Reveal, Outliers: strange,
		Cursor: d.Cursor}, Drawing: d}
	if p := d.Picture; p != nil {
		a.Legend, a.Aim = p.Legend, p.NextPoints
		a.BandText = func(x []float64) string {
			lo, hi := p.At(p.Lower, x[d.Variable]), p.At(p.Upper, x[d.Variable])
			if math.IsNaN(lo) || a.SliceDistance != nil && a.SliceDistance(x) > 1e-9 {
				// the band that is drawn is of another place
				return ""
			}
			return widget.Number(lo) + " to " + a.Value(hi)
		}
		if d.State.Problem.Dim() > 1 {
			a.SliceDistance = func(x []float64) float64 {
				return unitDistance(d.State.Problem.Domain, x, p.Anchor, d.Variable)
			}
		}
	}
	return a
}

// unitDistance is how far two inputs are from each other in the unit cube, but for some variables.
func unitDistance(domain functions.Domain, x, y []float64, but ...int) float64 {
	u, v, sum := domain.ToUnit(x), domain.ToUnit(y), 0.0
	for j := range u {
		if !slices.Contains(but, j) {
			sum += (u[j] - v[j]) * (u[j] - v[j])
		}
	}
	return math.Sqrt(sum)
}

// Describe tells what stands under a name in the legend, and the term of the glossary for it.
func (a LineDescription) Describe(name string) (sentence, term string) {
	p := a.Drawing.Picture
	switch {
	case name == "truth":
		return a.truth(), "coverage"
	case p == nil:
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
	return a.State.Problem.Domain[a.Drawing.Variable]
}

// inputText is a value of the variable.
func (a LineDescription) inputText(x float64) string {
	v := a.variable()
	return strings.TrimSpace(v.Name + " = " + v.Text(x) + " " + v.Unit)
}

// place is where numbers are told of: at the cursor, else at the next point, else where the band is widest.
func (a LineDescription) place() (x float64, named string) {
	p, v := a.Drawing.Picture, a.Drawing.Variable
	switch {
	case a.Cursor != nil:
		return a.Cursor[v], "at " + cmp.Or(a.CursorLabel, "the cursor") + ", " + a.inputText(a.Cursor[v])
	case len(p.Next) > 0 && a.SliceDistance != nil:
		return p.Next[0][v], "at " + a.inputText(p.Next[0][v]) + " on this slice"
	case len(p.Next) > 0 && a.Aim.Pending:
		return p.Next[0][v], "at the point that is out, " + a.inputText(p.Next[0][v])
	case len(p.Next) > 0:
		return p.Next[0][v], "at the next point, " + a.inputText(p.Next[0][v])
	}
	at := p.Grid[len(p.Grid)/2]
	if w, _ := a.widest(); !math.IsNaN(w) && !a.Asking {
		at = w
	}
	return at, "at " + a.inputText(at)
}

// widest is where the band is widest, and how wide along the objective's scale; NaN where there is none.
func (a LineDescription) widest() (x, wide float64) {
	p, g := a.Drawing.Picture, a.gauge()
	x, wide = math.NaN(), math.NaN()
	for i := range p.Lower {
		if w := g.ToScale(p.Upper[i]) - g.ToScale(p.Lower[i]); !(w <= wide) && !math.IsNaN(w) {
			x, wide = p.Grid[i], w
		}
	}
	return x, wide
}

// band tells the band where it is asked about, why it is as wide there, and where it is widest.
func (a LineDescription) band() string {
	p, g := a.Drawing.Picture, a.gauge()
	x, named := a.place()
	lo, hi := p.At(p.Lower, x), p.At(p.Upper, x)
	wide := g.FormatDifference(g.ToScale(hi)-g.ToScale(lo), widget.Number)
	text := fmt.Sprintf("The band, %s: %s to %s %s, %s wide", p.Legend.Band, widget.Number(lo), a.Value(hi), named,
		wide)
	if near := a.describeNearest(x); near != "" {
		text += ", " + near
	}
	if at, widest := a.widest(); !a.Asking && at != x && g.FormatDifference(widest, widget.Number) != wide {
		text += fmt.Sprintf("; widest at %s, %s", a.inputText(at), g.FormatDifference(widest, widget.Number))
	}
	text += "."
	if n := p.Legend.Draws; n > 0 {
		text += fmt.Sprintf(" It is the spread of %d, and so an estimate.", n)
	}
	return text
}

// describeNearest tells how far a place of what is drawn is from the nearest result: in lengthscales where they are
// told, and else in the variable's unit or of the unit cube.
func (a LineDescription) describeNearest(x float64) string {
	at := slices.Clone(a.Drawing.Picture.Anchor)
	at[a.Drawing.Variable] = x
	domain := a.State.Problem.Domain
	lengths := a.lengths()
	best := math.Inf(1)
	for _, p := range a.points(func(p point, _ bool) bool { return !p.it.Points[p.i].Failed }) {
		sum := 0.0
		u, v := domain.ToUnit(at), domain.ToUnit(p.x())
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
		return "as the prior has it: there is no result yet"
	case best < 1e-9:
		return "at a result, where noise alone is left"
	case len(lengths) == 1:
		return fmt.Sprintf("since the nearest result is %.2g lengthscales away", best)
	case lengths != nil:
		return fmt.Sprintf("since the nearest result is %.2g lengthscales away over all variables", best)
	case len(at) == 1 && a.variable().Levels() == 0 && a.variable().Scale != functions.Log:
		return "the nearest result being " + widget.Number(best*domain[0].Width()) + " away"
	case a.variable().Kind == functions.Choice && len(at) == 1:
		return ""
	}
	return fmt.Sprintf("the nearest result being %.2g of the unit cube away", best)
}

// lengths are the lengthscales of all variables in their units, as far as the belief tells them; nil where it does not,
// or distances are not measured by them alone.
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
func (a LineDescription) bestPoint(curve []float64) (x, y float64) {
	p, g := a.Drawing.Picture, a.gauge()
	x, y = math.NaN(), math.NaN()
	for i, v := range curve {
		if !math.IsNaN(v) && (math.IsNaN(y) || g.Apply(v) < g.Apply(y)) {
			x, y = p.Grid[i], v
		}
	}
	return x, y
}

// mean tells what is expected.
func (a LineDescription) mean() string {
	p := a.Drawing.Picture
	x, named := a.place()
	text := fmt.Sprintf("What the belief expects of %s, value by value (%s): %s %s", a.name(), p.Legend.Mean,
		a.Value(p.At(p.Mean, x)), named)
	if a.Asking {
		return text + "."
	}
	at, best := a.bestPoint(p.Mean)
	if lo, hi := chart.Extent(p.Mean); math.IsNaN(best) || widget.Number(lo) == widget.Number(hi) {
		return text + ", as it is everywhere along this axis."
	}
	text += fmt.Sprintf(". It is %s at %s, %s",
		map[string]string{"least": "lowest", "greatest": "highest"}[a.better()], a.inputText(at), a.Value(best))
	if _, y, _, ok := a.State.Best(); ok {
		g := a.gauge()
		d := g.Apply(y) - g.Apply(best)
		if by := g.FormatDifference(math.Abs(d), widget.Number); by == "0" || by == "×1" {
			text += ", as good as the best result"
		} else {
			text += fmt.Sprintf(", %s %s than the best result", by,
				map[bool]string{true: "better", false: "worse"}[d >= 0])
		}
	}
	return text + "."
}

// used tells the function that the next point is chosen with.
func (a LineDescription) used() string {
	p := a.Drawing.Picture
	at, best := a.bestPoint(p.Used)
	if math.IsNaN(best) {
		return ""
	}
	text := fmt.Sprintf("The function that the next point is chosen with, %s: its %s along %s is %s, at %s.",
		p.Legend.Used, a.better(), a.variable().Name, a.Value(best), a.inputText(at))
	if len(p.Next) == 1 {
		text += fmt.Sprintf(" At the next point it is %s.", a.Value(p.At(p.Used, p.Next[0][a.Drawing.Variable])))
	}
	return text
}

// samples tells how far the samples are apart.
func (a LineDescription) samples() (sentence, term string) {
	p := a.Drawing.Picture
	x, named := a.place()
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, s := range p.Samples {
		lo, hi = min(lo, p.At(s, x)), max(hi, p.At(s, x))
	}
	term = "sample"
	if p.Legend.Draws > 0 {
		term = "ensemble of networks"
	}
	text := fmt.Sprintf("%s (%s), each a whole function that the belief holds to be possible: %s to %s %s.",
		widget.Count(len(p.Samples), "curve"), p.Legend.Samples, widget.Number(lo), a.Value(hi), named)
	return text + " Where they part, the belief is unsure; s shows others.", term
}

// truth tells the function itself, and how much of it the band holds along the axis.
func (a LineDescription) truth() string {
	t := a.Drawing.Truth
	lo, hi, inside, all := math.Inf(1), math.Inf(-1), 0, 0
	p := a.Drawing.Picture
	for i, y := range t.Y {
		if math.IsNaN(y) {
			continue
		}
		lo, hi, all = min(lo, y), max(hi, y), all+1
		if p != nil && p.At(p.Lower, t.X[i]) <= y && y <= p.At(p.Upper, t.X[i]) {
			inside++
		}
	}
	if all == 0 {
		return ""
	}
	text := fmt.Sprintf("The function itself, from %s to %s here. It is known since this is a test function, and no "+
		"method sees it.", widget.Number(lo), a.Value(hi))
	if p != nil && len(p.Lower) > 0 && !a.Drawing.NoBand {
		text += fmt.Sprintf(" The band holds %.0f %% of it along this axis; about 95 %% is what two standard "+
			"deviations stand for.", 100*float64(inside)/float64(all))
	}
	return text
}

// describeLimitCurve tells where limits are believed to be exceeded rather than met.
func (a LineDescription) describeLimitCurve() string {
	p := a.Drawing.Picture
	count := 0
	for _, v := range p.Feasible {
		if v < 0.5 {
			count++
		}
	}
	x, named := a.place()
	return fmt.Sprintf("Along the bottom: where a limit is rather exceeded than met, to what the model believes, "+
		"%.0f %% of what is drawn. The probability to be within all limits is %s %s.",
		100*float64(count)/float64(len(p.Feasible)), widget.Number(p.At(p.Feasible, x)), named)
}
