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
	Earlier    *Posterior    // whose band is drawn until that of the posterior is computed; nil for none
	Before     *Posterior    // of the step before, whose band's edges are drawn; nil for none
	Reveal     bool          // the true function is shown
	Cursor     []float64     // of a query, in the problem's units; nil if there is none
	HideXTicks bool          // another chart below shares the x axis and has its ticks
	NoBand     bool          // the band and the mean are left out
	RangeMode  RangeMode     // which quantities the range of the y axis does not depend on
	Fitting    bool          // the surrogate is being fitted
	Marks      []chart.Layer // over the data
	Y          []float64     // least and greatest value of the y axis; nil takes Range
	Zoom       Zoom          // of the y axis
	Whole      bool          // the range of the y axis holds the whole band, unless that dwarfs the data

	// values that the scale of the acquisition along one variable, or of a field, holds, of charts that are compared; nil
	// takes the posterior's own
	Compared []float64

	// over two variables
	Map      chart.ColorMap
	Colors   *chart.ColorScale // of the field; nil takes those of its values
	Axes     sessions.Axes     // "mean" and "deviation": values that the scales of these fields reach over
	Shared   bool              // mean, sample and truth have one scale
	Contours bool
	Numbers  bool // points are numbered by iteration
	Small    bool // without axes, labels and numbers
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

// Chart draws a field: along one variable the mean with the truth, the band, the samples and the data, or one of the
// fields below it; otherwise the field in colors, with the data.
func (d Drawing) Chart(kind FieldKind) chart.Chart {
	switch {
	case d.Posterior.View.Axes != OneVariable:
		return d.fieldChart(kind)
	case kind == AcquisitionField:
		return d.acquisitionChart()
	case kind == CostField || kind == FeasibleField:
		return d.areaChart(kind)
	}
	return d.meanChart()
}

// meanChart draws the truth, the data, the band, the samples and the next query.
func (d Drawing) meanChart() chart.Chart {
	p, st := d.Posterior, d.Style
	lo, hi := d.span()
	c := chart.Chart{
		X:      Axis(p.Variable()),
		Y:      chart.Axis{Label: AxisName(d.Objective()), Min: lo, Max: hi, Log: d.Objective().Transform().IsLog(), Align: true},
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
	if d.Before != nil && !d.NoBand {
		c.Layers = append(c.Layers, d.bandBefore())
	}
	if !p.Fields[LowerField].Empty() && !d.NoBand {
		c.Layers = append(c.Layers, p.Band(st.Band))
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
	c.Layers = append(append(c.Layers, d.rules()...), d.candidates(c.Y.Min)...)
	c.Layers = append(append(c.Layers, d.Data(c)...), d.Marks...)
	return c
}

// earlierBand is the band of an earlier step, and earlierBandName its name.
func (d Drawing) earlierBand() chart.Layer {
	band := d.Earlier.Band(d.Style.Band)
	band.Name, band.Short = d.earlierBandName(), ""
	return band
}

func (d Drawing) earlierBandName() string {
	return fmt.Sprintf("%s of step %d", d.Earlier.Legend.Band, d.Earlier.Step)
}

// leastNarrowing is how much wider than the band, as a share of its greatest width, the one before is where it is drawn.
const leastNarrowing = 0.03

// bandBefore is the edges of the band of the step before, where that reached beyond the band.
func (d Drawing) bandBefore() chart.Layer {
	before := d.Before.Band(d.Style.Faint)
	now := d.Posterior.Band(d.Style.Band)
	before.Outline, before.Edge = true, d.Style.Faint
	before.Name, before.Short = d.beforeName(), ""
	least := 0.0
	for i, lo := range now.Lo {
		least = max(least, leastNarrowing*(now.Hi[i]-lo))
	}
	before.Lo, before.Hi = slices.Clone(before.Lo), slices.Clone(before.Hi)
	for i := range min(len(before.X), len(now.X)) {
		if !(before.Lo[i] < now.Lo[i]-least) {
			before.Lo[i] = math.NaN()
		}
		if !(before.Hi[i] > now.Hi[i]+least) {
			before.Hi[i] = math.NaN()
		}
	}
	return before
}

func (d Drawing) beforeName() string { return fmt.Sprintf("band of step %d", d.Before.Step) }

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
