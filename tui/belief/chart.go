package belief

import (
	"fmt"
	"math"
	"slices"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// Drawing declares how a picture is drawn.
type Drawing struct {
	Style    theme.Style
	State    sessions.State
	Picture  *Picture  // nil while there is none
	Truth    Truth     // along the variable
	Variable int       // the input along the x axis
	Reveal   bool      // the true function is shown
	Cursor   []float64 // of a query, in the problem's units; nil if there is none
	Above    bool      // another chart below shares the x axis and has its ticks
	NoBand   bool      // the band and the mean are left out
	Y        []float64 // least and greatest value of the y axis; nil takes Range
}

// Objective is the problem's first objective.
func (d Drawing) Objective() functions.Objective { return d.State.Problem.Objectives[0] }

// LegendLine names what is drawn, each with the glyph or line that it is drawn with; the first entries stay in a narrow window.
func (d Drawing) LegendLine(w int) string {
	st := d.Style
	var entries []string
	add := func(color theme.Color, mark, name string) {
		entries = append(entries, st.PaintBold(color, mark)+" "+st.Paint(st.Dim, name))
	}
	p := d.Picture
	if p != nil && len(p.Lower) > 0 && !d.NoBand {
		entries = append(entries, st.Swatch(st.Band)+" "+st.Paint(st.Dim, st.Plain(p.Legend.Band)))
	}
	if p != nil && p.Legend.Used != "" {
		add(st.Used, st.LineMark(theme.Solid), p.Legend.Used)
	}
	if p != nil && len(p.Mean) > 0 && !d.NoBand {
		add(st.Mean, st.LineMark(theme.Dashed), p.Legend.Mean)
	}
	if d.Reveal {
		add(st.Truth, st.LineMark(theme.Dotted), "true function")
	}
	if p != nil && p.Pending {
		add(st.Next, st.Glyph(theme.GlyphSquare), "pending")
	} else if p != nil && len(p.Next) > 1 {
		add(st.Next, st.Glyph(theme.GlyphDiamond), fmt.Sprintf("next %d", len(p.Next)))
	} else {
		add(st.Next, st.Glyph(theme.GlyphDiamond), "next")
	}
	add(st.Newest, st.Glyph(theme.GlyphTarget), "newest")
	add(st.Best, st.Glyph(theme.GlyphStar), "best")
	if p != nil && len(p.Samples) > 0 {
		add(st.Sample, st.LineMark(theme.Fine), fmt.Sprintf("%d × %s", len(p.Samples), p.Legend.Samples))
	}
	return " " + screen.FitEntries(entries, "  ", w-2)
}

// Chart draws the truth, the data, the band, the samples and the next query.
func (d Drawing) Chart() plot.Chart {
	v := d.State.Problem.Domain[d.Variable]
	lo, hi := d.span()
	c := plot.Chart{
		X: plot.Axis{Label: v.Name, Min: v.Low, Max: v.High, HideTicks: d.Above},
		Y: plot.Axis{Label: d.Objective().Name, Min: lo, Max: hi}, Gutter: Gutter,
	}
	st := d.Style
	if p := d.Picture; p != nil {
		if len(p.Lower) > 0 && !d.NoBand {
			c.Layers = append(c.Layers, plot.Band{X: p.Grid, Lo: p.Lower, Hi: p.Upper, Color: st.Band})
		}
		for _, s := range p.Samples {
			c.Layers = append(c.Layers, plot.Curve{X: p.Grid, Y: s, Color: st.Sample, Line: theme.Fine, Priority: 1})
		}
		if len(p.Mean) > 0 && !d.NoBand {
			c.Layers = append(c.Layers, plot.Curve{X: p.Grid, Y: p.Mean, Color: st.Mean, Line: theme.Dashed, Priority: 3})
		}
		if len(p.Used) > 0 {
			c.Layers = append(c.Layers, plot.Curve{X: p.Grid, Y: p.Used, Color: st.Used, Priority: 4})
		}
	}
	if d.Reveal {
		c.Layers = append(c.Layers, plot.Curve{X: d.Truth.X, Y: d.Truth.Y, Color: st.Truth, Line: theme.Dotted, Priority: 2})
	}
	c.Layers = append(c.Layers, d.rules()...)
	c.Layers = append(c.Layers, d.Data(c)...)
	return c
}

// span is the range of the y axis.
func (d Drawing) span() (lo, hi float64) {
	if len(d.Y) == 2 {
		return d.Y[0], d.Y[1]
	}
	return d.Range()
}

// Gutter is the width of the axis labels at the left of both plots, so that their x axes stand above each other.
const Gutter = 8

// rules are the vertical lines of the next query, the cursor and the bounds within which the search is kept.
func (d Drawing) rules() []plot.Layer {
	var layers []plot.Layer
	if d.State.Bounds != nil {
		whole, kept := d.State.Problem.Domain[d.Variable], d.State.Bounds[d.Variable]
		for _, at := range [][2]float64{{kept.Low, whole.Low}, {kept.High, whole.High}} {
			if at[0] != at[1] {
				layers = append(layers, plot.Rule{At: at[0], Color: d.Style.Warn, Solid: true})
			}
		}
	}
	if p := d.Picture; p != nil {
		for _, x := range p.Next {
			layers = append(layers, plot.Rule{At: x[d.Variable], Color: d.Style.Next})
		}
	}
	if d.Cursor != nil {
		layers = append(layers, plot.Rule{At: d.Cursor[d.Variable], Color: d.Style.Cursor, Solid: true})
	}
	return layers
}

// Data are the points of a chart: the newest and the best are marked. In a slice through several variables the points
// lie beside the slice and are drawn faint, but for the best, through which it goes.
func (d Drawing) Data(c plot.Chart) []plot.Layer {
	st, v := d.Style, d.Variable
	var data, failed, newest plot.Points
	_, best, bestStep, ok := d.State.Best()
	data = plot.Points{Shape: theme.GlyphFilled, Color: st.Data}
	if d.State.Problem.Dim() > 1 {
		data = plot.Points{Shape: theme.GlyphHollow, Color: st.Dim}
	}
	failed = plot.Points{Shape: theme.GlyphCross, Color: st.Error}
	newest = plot.Points{Shape: theme.GlyphTarget, Color: st.Newest}
	star := plot.Points{Shape: theme.GlyphStar, Color: st.Best}
	n := len(d.State.Iterations)
	for i, it := range d.State.Iterations {
		for b, x := range it.X {
			switch {
			case it.Failed[b]:
				failed.X, failed.Y = append(failed.X, x[v]), append(failed.Y, c.Y.Min)
			case i == n-1:
				newest.X, newest.Y = append(newest.X, x[v]), append(newest.Y, it.Y[b][0])
			default:
				data.X, data.Y = append(data.X, x[v]), append(data.Y, it.Y[b][0])
			}
			if ok && it.Step == bestStep && it.Y[b][0] == best {
				star.X, star.Y = []float64{x[v]}, []float64{best}
			}
		}
	}
	next := plot.Points{Shape: theme.GlyphDiamond, Color: st.Next}
	if p := d.Picture; p != nil {
		if p.Pending {
			next.Shape = theme.GlyphSquare
		}
		for _, x := range p.Next {
			y := p.At(p.Used, x[v])
			if math.IsNaN(y) {
				y = p.At(p.Mean, x[v])
			}
			if math.IsNaN(y) {
				y = c.Y.Min
			}
			next.X, next.Y = append(next.X, x[v]), append(next.Y, min(max(y, c.Y.Min), c.Y.Max))
		}
	}
	return append(d.amended(c), data, failed, newest, star, next)
}

// amended are what was taken back: values before their correction, and at the bottom the suggestions that were rejected.
func (d Drawing) amended(c plot.Chart) []plot.Layer {
	was := plot.Points{Shape: theme.GlyphCross, Color: d.Style.Dim}
	for _, it := range d.State.Iterations {
		for _, old := range it.Corrections {
			was.X, was.Y = append(was.X, it.X[old.Point][d.Variable]), append(was.Y, old.Old[0])
		}
	}
	rejected := plot.Points{Shape: theme.GlyphCross, Color: d.Style.Warn}
	for _, r := range d.State.Rejected {
		for _, x := range r.X {
			rejected.X, rejected.Y = append(rejected.X, x[d.Variable]), append(rejected.Y, c.Y.Min)
		}
	}
	return []plot.Layer{was, rejected}
}

// Range is the range of the y axis: what is known for certain first (data, and the truth while it is shown), and of
// the band what does not dwarf that.
func (d Drawing) Range() (lo, hi float64) {
	var sure []float64
	for _, it := range d.State.Iterations {
		for _, y := range it.Y {
			sure = append(sure, y[0])
		}
	}
	if d.Reveal {
		sure = append(sure, d.Truth.Y...)
	}
	lo, hi = plot.Span(sure)
	if p := d.Picture; p != nil && len(p.Lower) > 0 {
		blo, bhi := plot.Span(slices.Concat(p.Lower, p.Upper))
		if lo > hi { // nothing is known for certain
			return plot.Pad(blo, bhi)
		}
		room := hi - lo
		if d.Reveal {
			room /= 6
		}
		lo, hi = max(min(lo, blo), lo-room), min(max(hi, bhi), hi+room)
	} else if p != nil && len(p.Used) > 0 && lo > hi {
		lo, hi = plot.Span(p.Used)
	}
	return plot.Pad(lo, hi)
}

// AcquisitionChart draws the acquisition, filled from below, with the next query marked.
func (d Drawing) AcquisitionChart() plot.Chart {
	v := d.State.Problem.Domain[d.Variable]
	c := plot.Chart{X: plot.Axis{Label: v.Name, Min: v.Low, Max: v.High}, Gutter: Gutter}
	p := d.Picture
	if p == nil || len(p.Acquisition) == 0 {
		c.Y = plot.Axis{Min: 0, Max: 1, HideTicks: true}
		return c
	}
	lo, hi := plot.Pad(plot.Span(p.Acquisition))
	c.Y = plot.Axis{Min: lo, Max: hi}
	if p.Allowed != nil {
		c.Layers = append(c.Layers, d.allowed(lo, hi))
	}
	c.Layers = append(c.Layers, plot.Area{X: p.Grid, Y: p.Acquisition, Color: d.Style.Acquisition})
	c.Layers = append(c.Layers, d.rules()...)
	next := plot.Points{Shape: theme.GlyphDiamond, Color: d.Style.Next}
	for _, x := range p.Next {
		next.X, next.Y = append(next.X, x[d.Variable]), append(next.Y, p.At(p.Acquisition, x[d.Variable]))
	}
	if !p.ByStart {
		c.Layers = append(c.Layers, next)
	}
	return c
}

// allowed is the region in which the next point may lie.
func (d Drawing) allowed(lo, hi float64) plot.Layer {
	p := d.Picture
	b := plot.Band{X: p.Grid, Lo: make([]float64, len(p.Grid)), Hi: make([]float64, len(p.Grid)), Color: d.Style.Band}
	for i, ok := range p.Allowed {
		b.Lo[i], b.Hi[i] = lo, hi
		if !ok {
			b.Lo[i], b.Hi[i] = math.NaN(), math.NaN()
		}
	}
	return b
}

// CostChart draws what an evaluation costs, filled from below, with the next query marked.
func (d Drawing) CostChart() plot.Chart {
	v := d.State.Problem.Domain[d.Variable]
	c := plot.Chart{X: plot.Axis{Label: v.Name, Min: v.Low, Max: v.High}, Y: plot.Axis{Min: 0, Max: 1}, Gutter: Gutter}
	if p := d.Picture; p != nil && len(p.Cost) > 0 {
		_, hi := plot.Span(p.Cost)
		c.Y.Max = hi * 1.05
		c.Layers = append(c.Layers, plot.Area{X: p.Grid, Y: p.Cost, Color: d.Style.Warn})
		c.Layers = append(c.Layers, d.rules()...)
	}
	return c
}

// Distance is how far two bands are apart, in the objective's units: the root of the mean over the inputs of the squared Wasserstein
// distance of two normal laws, (μ₁ − μ₂)² + (σ₁ − σ₂)². It returns the root mean squared deviation of the second beside it.
func Distance(a, b *Picture) (apart, spread float64) {
	n := 0.0
	for _, x := range a.Grid {
		m := a.At(a.Mean, x) - b.At(b.Mean, x)
		sb := (b.At(b.Upper, x) - b.At(b.Lower, x)) / 4
		s := (a.At(a.Upper, x)-a.At(a.Lower, x))/4 - sb
		apart, spread, n = apart+m*m+s*s, spread+sb*sb, n+1
	}
	return math.Sqrt(apart / n), math.Sqrt(spread / n)
}
