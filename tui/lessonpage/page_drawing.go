package lessonpage

import (
	"context"
	"fmt"
	"math"
	"slices"

	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/tui/chart"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
)

// PageDrawing is a page of a lesson with its picture, as charts of any size.
type PageDrawing struct {
	State  sessions.State
	Asking bool          // for a point, which is hidden
	Axes   sessions.Axes // that the pages share
	Charts []Chart       // the line with its acquisition, fields, or outcomes
	Theory []Sequence    // below the page, if it is about the theory
	Traces bool          // the traces are below the page
	Trace  string        // the trace, one of TraceNames; empty for none
}

// Chart is a chart with its title.
type Chart struct {
	Title string
	chart.Chart
	Half bool // it is beside the next or the previous chart
}

// Sequence is a list of values with its title.
type Sequence struct {
	Title  string
	Values []float64
	Log    bool // the logarithms are shown
}

// Pages draws the pages of a lesson in order. The position in the session does not change.
func Pages(ctx context.Context, s *sessions.Session, style theme.Style, progress sessions.Progress,
	each func(PageDrawing) error) error {
	position := s.Timeline().At
	defer s.GoTo(position)
	places := s.Timeline().Stops
	for i, place := range places {
		if progress != nil {
			progress("drawing pages", i, len(places))
		}
		if place.Note == "" {
			continue
		}
		s.GoTo(i)
		p, err := drawIn(ctx, style, s.Snapshot(), s.Lesson(), nil)
		if err != nil {
			return fmt.Errorf("page %d: %w", i+1, err)
		}
		if err := each(p.pageDrawing(s.Lesson())); err != nil {
			return err
		}
	}
	return nil
}

// pageDrawing returns the page as charts.
func (p *claimPage) pageDrawing(l *sessions.Lesson) PageDrawing {
	d := PageDrawing{State: p.state, Asking: p.scene.Asking, Axes: p.scene.Axes, Trace: p.view.Trace,
		Traces: p.view.Traces || !p.view.Theory && !l.Hides("regret")}
	switch {
	case p.planeView != nil:
		shown := []picture.FieldKind{p.view.Field}
		for _, k := range []picture.FieldKind{
			picture.MeanField, picture.SDField, picture.AcquisitionField, picture.SampleField} {
			if !slices.Contains(shown, k) && len(shown) < 3 {
				shown = append(shown, k)
			}
		}
		for _, k := range shown {
			p.planeView.Enlarge(k)
			if len(p.visible.Fields[k].Z) > 0 {
				d.Charts = append(d.Charts, Chart{p.planeView.FieldTitle(p.scene), p.planeView.Chart(p.scene), false})
			}
		}
	case p.outcomes != nil:
		o := p.frontView.Drawing(p.scene)
		d.Charts = append(d.Charts, Chart{"outcomes", o.Chart(), false})
		if !p.scene.Bare && (p.outcomes.Weights != nil || len(p.outcomes.Front) > 0) {
			d.Charts = append(d.Charts, Chart{"the prior over the weights", o.Density(), true},
				Chart{"the part of the front that it aims at", o.Along(), true})
		}
	default:
		title := "belief"
		if p.state.Problem.Dim() > 1 {
			title += " along " + p.state.Problem.Domain[p.view.Variable].Name + ", through the best point"
		}
		drawn := p.drawing
		drawn.HideXTicks = p.acquires()
		d.Charts = append(d.Charts, Chart{title, drawn.Chart(picture.MeanField), false})
		if p.acquires() {
			d.Charts = append(d.Charts, Chart{p.drawing.AcquisitionScale().Title(p.report.Legend),
				drawn.Chart(picture.AcquisitionField), false})
		}
		if p.state.Problem.Cost != nil {
			d.Charts = append(d.Charts, Chart{"cost", drawn.Chart(picture.CostField), false})
		}
	}
	if p.view.Theory && p.report.Theory != nil {
		d.theory(p.report.Theory, p.view.Trace, p.scene.Style)
	}
	return d
}

// theory adds the parts of a theory as sequences, or the part that the page names, and the evidence as a chart.
func (d *PageDrawing) theory(t *optimizers.Theory, part string, style theme.Style) {
	parts := []Sequence{{"information gain", t.Gain, false},
		{"eigenvalues of the kernel matrix", t.Eigenvalues, true}}
	for i, s := range parts {
		if (part == "" || part == TheoryParts[i]) && len(s.Values) > 0 && !slices.ContainsFunc(s.Values, math.IsNaN) {
			d.Theory = append(d.Theory, s)
		}
	}
	if t.Evidence != nil && part != TheoryParts[picture.Gain] && part != TheoryParts[picture.Eigenvalues] {
		all := picture.Theories{Style: style, Log: d.Axes["evidence"]}
		all.Add(t, style.Mean, "", true)
		d.Charts = append(d.Charts, Chart{Title: all.Title(picture.Evidence, math.MaxInt), Chart: all.EvidenceChart()})
	}
}
