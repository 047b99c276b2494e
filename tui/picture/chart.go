package picture

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/transform"
	"bandscope/sessions"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// Drawing declares how a picture is drawn.
type Drawing struct {
	Style      theme.Style
	State      sessions.State
	Posterior  *Posterior
	Earlier    *Posterior // whose band is drawn until that of the posterior is computed; nil for none
	Reveal     bool       // the true function is shown
	Cursor     []float64  // of a query, in the problem's units; nil if there is none
	HideXTicks bool       // another chart below shares the x axis and has its ticks
	NoBand     bool       // the band and the mean are left out
	RangeMode  RangeMode  // which quantities the range of the y axis does not depend on
	Fitting    bool       // the surrogate is being fitted
	Y          []float64  // least and greatest value of the y axis; nil takes Range
	Zoom       Zoom       // of the y axis
	Whole      bool       // the range of the y axis holds the whole band, unless that dwarfs the data

	// values that the y axis of the acquisition holds, of charts that are compared; nil takes the picture's own
	Acquisitions []float64
}

// RangeMode says which quantities the range of a y axis does not depend on, so that successive pictures can be
// compared.
type RangeMode int

// The ranges.
const (
	FitBand  RangeMode = iota // it shows the band, as far as that does not dwarf the data
	FitData                   // it is the same for the same data, whatever the belief
	FitTruth                  // it is that of the truth too, whether that is shown or not
)

// Objective is the problem's first objective.
func (d Drawing) Objective() functions.Objective { return d.State.Problem.Objectives[0] }

// AxisName names an objective on an axis: its name, its unit and its direction.
func AxisName(o functions.Objective) string {
	name := o.Name
	if o.Unit != "" {
		name += " (" + o.Unit + ")"
	}
	if o.Direction == functions.Maximize {
		return name + ", maximize"
	}
	return name + ", minimize"
}

// DeviationName names the standard deviation of a value, in few characters.
func DeviationName(g transform.Transform) string {
	if g.IsLog() {
		return "sd of log10"
	}
	return "sd"
}

// ValueAxis is the axis of an objective over values of it, padded at both ends.
func ValueAxis(o functions.Objective, values []float64) chart.Axis {
	g := o.Transform()
	lo, hi := chart.Extent(values)
	lo, hi = chart.Pad(g.ToScale(lo), g.ToScale(hi))
	return chart.Axis{Label: AxisName(o), Min: g.FromScale(lo), Max: g.FromScale(hi), Log: g.IsLog()}
}

// Chart draws the truth, the data, the band, the samples and the next query.
func (d Drawing) Chart() chart.Chart {
	p, st := d.Posterior, d.Style
	lo, hi := d.span()
	c := chart.Chart{
		X:      Axis(p.Variable()),
		Y:      chart.Axis{Label: AxisName(d.Objective()), Min: lo, Max: hi, Log: d.Objective().Transform().IsLog()},
		Gutter: Gutter,
		Labels: true,
	}
	c.Y.Above, c.Y.Below = d.beyond(lo, hi)
	if d.Fitting {
		c.Note = FittingNote
	}
	c.X.HideTicks, c.Importance = d.HideXTicks, importance(p)
	if d.Earlier != nil && !d.NoBand {
		c.Layers = append(c.Layers, d.earlierBand())
	}
	if lower := p.Fields[LowerField]; !lower.Empty() && !d.NoBand {
		x, lo := p.Curve(lower)
		_, hi := p.Curve(p.Fields[UpperField])
		c.Layers = append(c.Layers, chart.Band{X: x, Lo: lo, Hi: hi, Color: st.Band, Name: p.Legend.Band,
			Short: ShortBand(p.Legend.Band)})
	}
	curve := func(f Field, line chart.Curve) {
		if !f.Empty() {
			line.X, line.Y = p.Curve(f)
			c.Layers = append(c.Layers, line)
		}
	}
	curve(p.Fields[UsedField], chart.Curve{Color: st.Used, Line: theme.Dashed, Priority: 5, Name: p.Legend.Used,
		Short: shortUsed(p.Legend.Used)})
	if !d.NoBand {
		curve(p.Fields[MeanField], chart.Curve{Color: st.Mean, Line: theme.Solid, Priority: 2, Name: p.Legend.Mean,
			Short: lastWord(p.Legend.Mean)})
	}
	if d.Reveal {
		curve(p.Fields[TrueField], chart.Curve{Color: st.Truth, Line: theme.Marked, Priority: 3, Name: "truth"})
	}
	c.Layers = append(c.Layers, d.samples()...)
	if h := p.LimitHatch(); !h.Empty() {
		h.Color = st.Warn
		c.Layers = append(c.Layers, h)
	}
	c.Layers = append(c.Layers, LimitLines(d.State.Problem.Objectives[0], st, c.X, c.Y, true)...)
	c.Layers = append(append(c.Layers, d.rules()...), d.candidates(c)...)
	c.Layers = append(c.Layers, d.Data(c)...)
	return c
}

// candidates are the rows of the problem's table that are not evaluated, along the bottom; none without a table. In a
// slice through several variables most lie off the slice.
func (d Drawing) candidates(c chart.Chart) []chart.Layer {
	rows := unevaluatedRows(d.State)
	if len(rows) == 0 {
		return nil
	}
	p := chart.Points{Shape: theme.GlyphDot, Color: d.Style.Text, Back: true, Name: candidatesName}
	for _, x := range rows {
		if value := x[d.Posterior.View.X]; !slices.Contains(p.X, value) {
			p.X, p.Y = append(p.X, value), append(p.Y, c.Y.Min)
		}
	}
	return []chart.Layer{p}
}

// earlierBand is the band of an earlier step, and earlierBandName its name.
func (d Drawing) earlierBand() chart.Layer {
	x, lo := d.Earlier.Curve(d.Earlier.Fields[LowerField])
	_, hi := d.Earlier.Curve(d.Earlier.Fields[UpperField])
	return chart.Band{X: x, Lo: lo, Hi: hi, Color: d.Style.Band, Name: d.earlierBandName()}
}

func (d Drawing) earlierBandName() string {
	return fmt.Sprintf("%s of step %d", d.Earlier.Legend.Band, d.Earlier.Step)
}

// importance is how soon the marks of a posterior, and of its acquisition, are explained.
func importance(p *Posterior) map[string]layout.Importance {
	list := map[string]layout.Importance{"data": layout.ImportanceData, offSliceName: layout.ImportanceData,
		"newest": layout.ImportanceData}
	if p.Fitted {
		list[p.Legend.Mean] = layout.ImportanceMean
		list[p.NextPoints.Name()] = layout.ImportanceNext
		list[AcquisitionName(p.Legend)] = layout.ImportanceAcquisition
	}
	return list
}

// samples are the samples: a line each, or a mark at each choice, where every sample has its place in all of them.
func (d Drawing) samples() (layers []chart.Layer) {
	p := d.Posterior
	if len(p.Samples) == 0 {
		return nil
	}
	name, short := fmt.Sprintf("%s (%d)", p.Legend.Samples, len(p.Samples)), shortSamples(p.Legend.Samples)
	if v := p.Variable(); v.Kind == functions.Choice {
		marks := chart.Dots{Color: d.Style.Sample, Name: name, Short: short}
		for k, s := range p.Samples {
			for i, y := range s.Values() {
				marks.X, marks.Y = append(marks.X, Spread(v, s.X[i], k, len(p.Samples))), append(marks.Y, y)
			}
		}
		return []chart.Layer{marks}
	}
	for _, s := range p.Samples {
		x, y := p.Curve(s)
		layers = append(layers, chart.Curve{X: x, Y: y, Color: d.Style.Sample, Line: theme.Fine, Priority: 1, Name: name,
			Short: short})
	}
	return layers
}

// span is the range of the y axis.
func (d Drawing) span() (lo, hi float64) {
	if len(d.Y) == 2 {
		return ZoomRange(d.Zoom, d.Y[0], d.Y[1], d)
	}
	lo, hi = d.Range()
	return ZoomRange(d.Zoom, lo, hi, d)
}

// FittingNote is in a plot while the surrogate is fitted.
const FittingNote = "fitting…"

// ShortBand is what a band is, without what it is of: "±2 sd".
func ShortBand(name string) string {
	for _, owners := range []string{" of ", " over "} {
		name, _, _ = strings.Cut(name, owners)
	}
	return name
}

// maxShortUsed is how long the name of the function that picks the next point is where names are short.
const maxShortUsed = 15

// shortUsed is the name of the function that picks the next point in a few characters.
func shortUsed(name string) string {
	if len(name) > maxShortUsed {
		return "picks next"
	}
	return name
}

// shortSamples are samples in one word.
func shortSamples(name string) string {
	for _, separator := range []string{" with ", " of ", " from "} {
		name, _, _ = strings.Cut(name, separator)
	}
	return lastWord(name)
}

// lastWord is the last word of a name.
func lastWord(name string) string { return name[strings.LastIndexByte(name, ' ')+1:] }

// Gutter is the width of the axis labels at the left of both plots, so that their x axes are aligned.
const Gutter = 8

// rules are the infeasible regions, along the bottom, and the vertical lines of the next point, the cursor and the
// bounds of the search.
func (d Drawing) rules() []chart.Layer {
	var layers []chart.Layer
	p := d.Posterior
	j := p.View.X
	if d.State.Bounds != nil {
		whole, bounds := d.State.Problem.Domain[j], d.State.Bounds[j]
		for _, pair := range [][2]float64{{bounds.Low, whole.Low}, {bounds.High, whole.High}} {
			if pair[0] != pair[1] {
				layers = append(layers, chart.Rule{At: pair[0], Color: d.Style.Warn, Solid: true, Name: "bounds"})
			}
		}
	}
	if h := p.ConstraintHatch; !h.Empty() {
		h.Color = d.Style.Warn
		layers = append(layers, h)
	}
	layers = append(layers, d.regions()...)
	for _, x := range p.Next {
		layers = append(layers, chart.Rule{At: x[j], Color: d.Style.Next, Name: p.NextPoints.Name()})
	}
	if d.Cursor != nil {
		layers = append(layers, chart.Rule{At: d.Cursor[j], Color: d.Style.Cursor, Solid: true, Name: "cursor"})
	}
	return layers
}

// places are where the outcomes of every iteration are drawn along the variable: those of one level side by side.
func (d Drawing) places() [][]float64 {
	v, j := d.Posterior.Variable(), d.Posterior.View.X
	count, seen := map[float64]int{}, map[float64]int{}
	for _, it := range d.State.Iterations {
		for _, pt := range it.Points {
			count[pt.X[j]]++
		}
	}
	places := make([][]float64, len(d.State.Iterations))
	for i, it := range d.State.Iterations {
		for _, pt := range it.Points {
			value := pt.X[j]
			places[i] = append(places[i], Spread(v, value, seen[value], count[value]))
			seen[value]++
		}
	}
	return places
}

// offSliceName names the results that are not on the slice in the legend.
const offSliceName = "data off the slice"

// Data are the points of a chart: the newest and the best are marked. In a slice through several variables the points
// are off the slice and are drawn faint, except the best, through which the slice goes.
func (d Drawing) Data(c chart.Chart) []chart.Layer {
	st := d.Style
	p, v := d.Posterior, d.Posterior.View.X
	g := d.Objective().Transform()
	var data, failed, newest chart.Points
	_, best, bestStep, ok := d.State.Best()
	data = chart.Points{Shape: theme.GlyphFilled, Color: st.Data, Name: "data"}
	if d.State.Problem.Dim() > 1 {
		data = chart.Points{Shape: theme.GlyphHollow, Color: st.Dim, Name: offSliceName, Short: "off the slice"}
	}
	failed = chart.Points{Shape: theme.GlyphCross, Color: st.Error, Name: "failed"}
	newest = chart.Points{Shape: theme.GlyphTarget, Color: st.Newest, Name: "newest"}
	star := chart.Points{Shape: theme.GlyphStar, Color: st.Best, Name: "best"}
	beyond := LimitViolationLayer(st, false)
	n, places := len(d.State.Iterations), d.places()
	for i, it := range d.State.Iterations {
		for b, x := range places[i] {
			switch {
			case it.Points[b].Failed:
				failed.X, failed.Y = append(failed.X, x), append(failed.Y, c.Y.Min)
			case !d.State.Feasible(it, b):
				beyond.X, beyond.Y = append(beyond.X, x), append(beyond.Y, g.Clamp(it.Points[b].Y[0]))
			case i == n-1:
				newest.X, newest.Y = append(newest.X, x), append(newest.Y, g.Clamp(it.Points[b].Y[0]))
			default:
				data.X, data.Y = append(data.X, x), append(data.Y, g.Clamp(it.Points[b].Y[0]))
			}
			if ok && it.Step == bestStep && it.Points[b].Y[0] == best && d.State.Feasible(it, b) {
				star.X, star.Y = []float64{x}, []float64{g.Clamp(best)}
			}
		}
	}
	next := chart.Points{Shape: theme.GlyphDiamond, Color: st.Next}
	if p.Fitted {
		next.Name = p.NextPoints.Name()
	}
	if p.Pending {
		next.Shape = theme.GlyphSquare
	}
	for _, x := range p.Next {
		y := p.At(UsedField, x)
		if math.IsNaN(y) {
			y = p.At(MeanField, x)
		}
		if math.IsNaN(y) {
			y = c.Y.Min
		}
		next.X, next.Y = append(next.X, x[v]), append(next.Y, min(max(y, c.Y.Min), c.Y.Max))
	}
	return append(append(d.correctionLayers(c), d.errorLayers(c)...), data, failed, beyond, newest, star, next)
}

// correctionLayers are the values before their correction and, at the bottom, the suggestions that were discarded.
func (d Drawing) correctionLayers(c chart.Chart) []chart.Layer {
	was := chart.Points{Shape: theme.GlyphCross, Color: d.Style.Dim, Name: "corrected"}
	for _, it := range d.State.Iterations {
		for _, old := range it.Corrections {
			x := it.Points[old.Point].X
			if old.OldAt != nil {
				x = old.OldAt
			}
			was.X, was.Y = append(was.X, x[d.Posterior.View.X]), append(was.Y, d.Objective().Transform().Clamp(old.Old[0]))
		}
	}
	rejected := chart.Points{Shape: theme.GlyphCross, Color: d.Style.Warn, Name: "discarded"}
	for _, r := range d.State.Rejections {
		for _, x := range r.X {
			rejected.X, rejected.Y = append(rejected.X, x[d.Posterior.View.X]), append(rejected.Y, c.Y.Min)
		}
	}
	return []chart.Layer{was, rejected}
}

// Range is the range of the y axis. It holds the values that are certain (data, the declared range, and the truth while
// it is shown), and as much of the band as does not dwarf them; before any data the whole band.
func (d Drawing) Range() (lo, hi float64) {
	sure := d.Values()
	if d.Reveal || d.RangeMode == FitTruth {
		sure = append(sure, d.Posterior.Fields[TrueField].Values()...)
	}
	if r := d.Objective().Range; r != nil {
		sure = append(sure, r[0], r[1])
	}
	g := d.Objective().Transform()
	span := func(values []float64) (lo, hi float64) { // along the scale
		lo, hi = chart.Extent(values)
		return g.ToScale(lo), g.ToScale(hi)
	}
	padded := func(lo, hi float64) (float64, float64) {
		lo, hi = chart.Pad(lo, hi)
		return g.FromScale(lo), g.FromScale(hi)
	}
	lo, hi = span(sure)
	p := d.Posterior
	if d.RangeMode > FitBand && lo < hi {
		room := 2 * (hi - lo) / 3
		if d.RangeMode == FitTruth {
			room /= 2
		}
		lo, hi = lo-room, hi+room
	} else if lower := p.Fields[LowerField]; !lower.Empty() {
		blo, bhi := span(slices.Concat(lower.Values(), p.Fields[UpperField].Values()))
		if lo > hi { // nothing is known for certain
			return padded(blo, bhi)
		}
		room := hi - lo
		switch {
		case len(d.State.Iterations) == 0:
			room = math.Inf(1)
		case d.Reveal && !d.Whole:
			room /= 6
		}
		lo, hi = max(min(lo, blo), lo-room), min(max(hi, bhi), hi+room)
	} else if used := p.Fields[UsedField]; !used.Empty() && lo > hi {
		lo, hi = span(used.Values())
	}
	return padded(lo, hi)
}

// Values returns the values of the first objective at all results.
func (d Drawing) Values() (values []float64) {
	for _, it := range d.State.Iterations {
		for _, pt := range it.Points {
			values = append(values, pt.Y[0])
		}
	}
	return values
}
