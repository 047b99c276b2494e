// Package views has the views of the explorer: the surrogate along one variable with the acquisition below it (Line),
// over two variables with slices along both (Plane), and the objective space with the prior over the weights (Front).
// Package tui/picture computes and charts them; a view selects and arranges the parts of its panel.
package views

import (
	"context"
	"fmt"
	"math"

	"bandscope/sessions"
	"bandscope/sessions/diagnostics"
	"bandscope/tui/chart"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/view"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
)

// Line is the surrogate along the variable of the scene's view.
type Line struct {
	posterior *picture.Posterior
	banded    *picture.Posterior // the last one with a band; nil for none
	before    *picture.Posterior // the last one with a band of another step; nil for none
	cache     view.Cache
	axis      picture.AxisMemory
	fits      int // how often the axis was fitted
	labels    chart.LabelMemory
}

var _ view.Picture = (*Line)(nil)

// NewLine makes the picture of a state; it has the truth, which needs no fit.
func NewLine(st sessions.State) *Line {
	return &Line{posterior: picture.Unfitted(st, picture.View{}, nil)}
}

// Posterior is the last posterior.
func (p *Line) Posterior() *picture.Posterior { return p.posterior }

// at is the posterior along the variable of the scene, without a model until it is computed.
func (p *Line) at(s view.Scene) *picture.Posterior {
	if p.posterior.View.X != s.View.X {
		p.posterior = picture.Unfitted(s.State, picture.View{X: s.View.X}, nil)
	}
	return p.posterior
}

// Compute computes the surrogate along the variable.
func (p *Line) Compute(s view.Scene) view.ComputeFunc { return compute(s.View, nil) }

// compute computes the posterior of a view, the other variables held at a point; nil takes the anchor.
func compute(v picture.View, point []float64) view.ComputeFunc {
	return func(ctx context.Context, snapshot sessions.Snapshot, progress sessions.Progress,
		show func(view.Image)) (view.Image, error) {
		return picture.Compute(ctx, snapshot, v, point, progress, func(p *picture.Posterior) { show(p) })
	}
}

// report has what other panels need of a posterior.
func report(b *picture.Posterior) *view.Report {
	return &view.Report{Head: b.Head, Legend: b.Legend, Theory: b.Theory, NextPoints: b.NextPoints, Partial: b.Partial}
}

// Follow returns nil: no part depends on the cursor.
func (p *Line) Follow(view.Scene) (string, view.ComputeFunc) { return "", nil }

// SetImage takes a *picture.Posterior.
func (p *Line) SetImage(_ view.Scene, i view.Image) *view.Report {
	p.posterior = i.(*picture.Posterior)
	if !p.posterior.Fields[picture.LowerField].Empty() {
		if p.banded != nil && p.banded.Head != p.posterior.Head {
			p.before = p.banded
		}
		p.banded = p.posterior
	}
	r := report(p.posterior)
	r.Enough = p.posterior.Found() || !p.posterior.Partial
	return r
}

// Turn reports that another variable of the view needs another picture.
func (p *Line) Turn(view.Scene, int) bool { return true }

// Hints are the most useful keys.
func (p *Line) Hints() string { return "space r e w u i : ? q b x n c + f o t s v g G" }

// Warning returns no warning.
func (p *Line) Warning(view.Scene, int) string { return "" }

// lowerFields are the fields that are drawn below the surrogate.
var lowerFields = [...]picture.FieldKind{picture.AcquisitionField, picture.CostField, picture.FeasibleField}

// lineLayout is where the parts of the panel are, in rows.
type lineLayout struct {
	posterior int                   // with the line of the legend
	rows      [len(lowerFields)]int // of each lower field, 0 for none
}

func (p *Line) layout(s view.Scene) lineLayout {
	inner := s.H - 2
	l := lineLayout{posterior: inner}
	if !hasAcquisition(s) || inner < minWithAcquisition {
		return l
	}
	acquisition, cost, limits := &l.rows[0], &l.rows[1], &l.rows[2]
	*acquisition = min(max(inner/4, 4), 12)
	if s.Lesson && inner < 20 {
		*acquisition = 3 // a lesson needs the rows for the posterior
	}
	if s.State.Problem.Cost != nil {
		*acquisition, *cost = *acquisition-1, 4 // the numbers of the shared axis are below the last plot
	}
	if !p.at(s).Fields[picture.FeasibleField].Empty() && inner >= 16 {
		*limits = min(max(inner/6, 3), 6)
		if *cost > 0 {
			*cost--
		} else {
			*acquisition--
		}
	}
	for _, rows := range l.rows {
		if rows > 0 {
			l.posterior -= rows + 1
		}
	}
	return l
}

// minWithAcquisition is how many rows a panel has at least in which the acquisition is below the posterior.
const minWithAcquisition = 11

// hasAcquisition reports whether the picture has, or may have, an acquisition.
func hasAcquisition(s view.Scene) bool {
	return !s.Bare && (s.Report == nil || s.Report.Legend.Acquisition != "")
}

// hasSurrogate reports whether the method has, or may have, a surrogate.
func hasSurrogate(s view.Scene) bool {
	return s.Report == nil || s.Report.Legend.Band != "" || s.Report.Legend.Used != ""
}

func (p *Line) key(s view.Scene, settings ...any) string {
	return s.Key(p.at(s), append(settings, p.fits, p.stale(s), fmt.Sprintf("%p %p", p.earlierBand(s), p.bandBefore(s)))...)
}

// stale marks a picture of another place in the session.
func (p *Line) stale(s view.Scene) string {
	if !p.at(s).Fitted {
		return ""
	}
	return s.Stale(p.at(s).Head, p.at(s).Step)
}

// earlierBand is the picture whose band is drawn until that of an incomplete picture is computed; nil for none.
func (p *Line) earlierBand(s view.Scene) *picture.Posterior {
	b, last := p.at(s), p.banded
	if last == nil || !b.Fields[picture.LowerField].Empty() || !b.Partial || b.Legend.Band == "" ||
		last.View.X != b.View.X {
		return nil
	}
	return last
}

// bandBefore is the picture of the step before, whose band the newest result narrowed; nil for none, where it is not to
// be shown, and without colors, where it could not be distinguished.
func (p *Line) bandBefore(s view.Scene) *picture.Posterior {
	b, before := p.at(s), p.before
	if before == nil || !s.BandBefore || s.Lesson || s.Style.Tier == theme.NoColor || b.Fields[picture.LowerField].Empty() ||
		before.Step != b.Step-1 || before.View.X != b.View.X || b.Head != s.State.Head {
		return nil
	}
	return before
}

// Chart declares the plot of the surrogate.
func (p *Line) Chart(s view.Scene) chart.Chart {
	return p.Drawing(s).Chart(picture.MeanField)
}

// Rows is the number of rows of the plot of the surrogate.
func (p *Line) Rows(s view.Scene) int { return p.layout(s).posterior - 1 }

// Drawing declares the content of the plots.
func (p *Line) Drawing(s view.Scene) picture.Drawing {
	d := picture.Drawing{Style: s.Style, State: s.State, Posterior: p.at(s), Earlier: p.earlierBand(s),
		Before: p.bandBefore(s), Reveal: s.Reveal,
		HideXTicks: p.layout(s).rows[0] > 0, Cursor: s.Overlay.Cursor, RangeMode: s.RangeMode, Zoom: s.Zoom,
		Fitting: !p.at(s).Fitted && hasSurrogate(s),
		Marks: append(s.OutlierMarks(func(r diagnostics.Outlier) (x, y float64, shown bool) {
			return r.X[s.View.X], r.Y[0], r.Objective == 0
		}, false), s.Marks...)}
	if p.stale(s) != "" { // its next points may be evaluated
		d.Posterior = d.Posterior.WithoutNext()
	}
	if low, high, ok := s.Axes.Range("y", d.Values()...); ok {
		d.Y = []float64{low, high}
	} else if p.stays(s) {
		low, high = d.Range()
		low, high = p.axis.Range(low, high, p.current(s), d)
		d.Y = []float64{low, high}
	}
	if s.Asking || s.Bare {
		d.Posterior = d.Posterior.Without(picture.AcquisitionField, picture.UsedField)
		d.Posterior.Next, d.Posterior.Legend.Used = nil, ""
		d.Reveal = d.Reveal && !s.Asking
	}
	return d
}

// stays reports whether the axis and the labels stay from step to step. The pages of a lesson have their own ranges.
func (p *Line) stays(s view.Scene) bool { return !s.Lesson && s.RangeMode == picture.FitBand }

// current reports whether the picture is that of the current step, and complete.
func (p *Line) current(s view.Scene) bool {
	b := p.at(s)
	return b.Fitted && !b.Partial && b.Head == s.State.Head
}

// FitAxis fits the axis and places the labels again.
func (p *Line) FitAxis() {
	p.labels.Forget()
	p.axis.Forget()
	p.fits++
}

// Axes has the variable.
func (p *Line) Axes(s view.Scene) []mode.Axis { return []mode.Axis{s.Axis()} }

// ReadingsAt returns mean, deviation and, unless a lesson hides it, the acquisition.
func (p *Line) ReadingsAt(s view.Scene, point []float64) []mode.Reading {
	return readings(s, p.at(s), point)
}

// readings are the values of a posterior at a point, without the acquisition where a lesson hides it.
func readings(s view.Scene, b *picture.Posterior, point []float64) (list []mode.Reading) {
	names := map[picture.FieldKind]string{picture.MeanField: "mean", picture.FeasibleField: feasibleReading,
		picture.SDField: picture.DeviationName(s.State.Problem.Objectives[0].Transform()), picture.AcquisitionField: "acquisition"}
	for _, k := range []picture.FieldKind{picture.MeanField, picture.SDField, picture.FeasibleField, picture.AcquisitionField} {
		if v := b.At(k, point); !math.IsNaN(v) && (k != picture.AcquisitionField || !s.Asking && !s.Bare) {
			list = append(list, mode.Reading{Name: names[k], Value: v})
		}
	}
	return list
}
