package export

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"bandscope/functions/transform"
	"bandscope/model/parallel"
	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/chart/svg"
	"bandscope/tui/chart/vector"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/picture/front"
	"bandscope/tui/playground"
	"bandscope/tui/theme"
)

// The size of a picture, in pixels.
const (
	pictureW = 960
	pictureH = 640
	samples  = 8
)

// paper is the style of files: dark on white.
func paper() theme.Style { return theme.New(false, theme.TrueColor, false) }

// SVG draws the current plot of a session: the belief with the acquisition function, fields over two variables, or
// outcomes with the prior over weights; and traces of the optimization.
func SVG(ctx context.Context, w io.Writer, s *sessions.Session) error {
	picture, err := drawing(ctx, s, paper(), acts.ViewAll)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, picture)
	return err
}

func drawing(ctx context.Context, s *sessions.Session, style theme.Style, view string) (string, error) {
	st := s.State()
	draw, traced := drawSlice, area{left + mainW + left, top, sideW, bottom}
	canvas := sketch{style: style, view: view, width: mainW}
	if view == acts.ViewPosterior || view == acts.ViewAcquisition || view == acts.ViewTraces {
		canvas.width = pictureW - 2*left
	}
	switch {
	case st.Config.Playground:
		draw = drawPlayground
	case view == acts.ViewTraces:
		draw, traced = drawNothing, area{left, top, canvas.width, bottom}
	case len(st.Problem.Objectives) > 1 && canvas.width == mainW:
		draw = drawOutcomes
	case triangular(st):
		draw, traced = drawFields, area{left, trianglesBottom, pictureW - 2*left, trianglesH - trianglesBottom}
	case st.Problem.Dim() > 1:
		draw = drawFields
	}
	var boxes []*layout.Box
	err := parallel.PanicToError(func() (err error) {
		boxes, err = draw(ctx, s, st, canvas)
		return err
	})
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil { // the traces need no model
		boxes = nil
		lines := layout.Wrap(sanitize.Text(fmt.Sprintf("No picture of the model: %v", err)), wrapWidth)
		for i, l := range lines {
			boxes = append(boxes, label(l, left+plotInset, top+float64(i)*lineHeight, style.Warn))
		}
	}
	height := pictureHeight(st)
	page := layout.New(pictureW, height)
	if !st.Config.Playground {
		page.Add(label(sanitize.Text(fmt.Sprintf("%s · step %d", st.Title(), len(st.Iterations))), 16, 16, style.Text))
		if view == acts.ViewAll || view == acts.ViewTraces || view == "" {
			page.Add(traces(st, style, traced)...)
		}
	}
	page.Add(boxes...)
	v := svg.New(pictureW, float64(height), style)
	v.Frame(layout.Arrange(page, pictureW, height))
	return v.String(), nil
}

// pictureHeight is the height of the picture of a state, in pixels.
func pictureHeight(st sessions.State) int {
	if !st.Config.Playground && len(st.Problem.Objectives) == 1 && triangular(st) {
		return trianglesH
	}
	return pictureH
}

// area is a rectangle in a picture, in pixels.
type area struct{ x, y, w, h float64 }

// label is a text that begins at a place.
func label(text string, x, y float64, c theme.Color) *layout.Box {
	return svg.Content(svg.Label{Text: text, Anchor: vector.Start, Color: c}, x, y, float64(pictureW)-x, 1)
}

// The lines of a text in a picture: characters per line, and pixels between lines.
const (
	wrapWidth  = 80
	lineHeight = 18
)

// traceTitle is how many characters a line of the title of a trace has.
const traceTitle = 34

// The regions of a picture.
const (
	top = 64

	legendTop = 34
	left      = 8
	sideW     = 320
	mainW     = pictureW - sideW - 3*left
	bottom    = pictureH - top - 8
)

// drawSlice draws the belief along one variable, and the acquisition function below it.
func drawSlice(ctx context.Context, s *sessions.Session, st sessions.State, c sketch) ([]*layout.Box, error) {
	p, err := picture.Compute(ctx, s, picture.View{Samples: samples}, nil, nil, nil)
	if err != nil {
		return nil, err
	}
	d, acquisition := describe(st, p, c.style), 0.0
	var boxes []*layout.Box
	if !p.Fields[picture.AcquisitionField].Empty() && c.view != acts.ViewPosterior {
		acquisition = 150
		if c.view == acts.ViewAcquisition {
			acquisition = bottom - 16
		}
		panel := d.Panel(picture.AcquisitionField)
		boxes = append(boxes, label(panel.Titles[0], left+plotInset, top+bottom-acquisition-4, c.style.Dim),
			svg.Chart("acquisition", panel.Chart, left, top+bottom-acquisition, c.width, acquisition, c.style, nil))
	}
	if c.view == acts.ViewAcquisition {
		return boxes, nil
	}
	panel := d.Panel(picture.MeanField)
	return append(boxes, legend(panel.Chart.Layers), svg.Chart("belief", panel.Chart, left, top, c.width,
		bottom-acquisition-16, c.style, panel.Axes.Marks)), nil
}

// sketch is how a picture is drawn: a view, in a style and a width.
type sketch struct {
	style theme.Style
	view  string
	width float64
}

// drawNothing leaves the place to the traces.
func drawNothing(context.Context, *sessions.Session, sessions.State, sketch) ([]*layout.Box, error) {
	return nil, nil
}

// drawPlayground draws the beliefs of a playground with its results.
func drawPlayground(ctx context.Context, s *sessions.Session, _ sessions.State, canvas sketch) ([]*layout.Box, error) {
	style := canvas.style
	c, title, err := playground.Picture(ctx, s, style)
	if err != nil {
		return nil, err
	}
	return []*layout.Box{label(sanitize.Text(title), 16, 16, style.Text), legend(c.Layers),
		svg.Chart("belief", c, left, top, pictureW-2*left, bottom, style, nil)}, nil
}

// legend explains the marks and lines of the main chart.
func legend(layers []chart.Layer) *layout.Box {
	return svg.Content(chart.Caption(layers), left+plotInset, legendTop, pictureW-left-plotInset, 1)
}

// plotInset is where the plots begin, right of their labels.
const plotInset = 60

// drawFields draws the fields over the first two variables, or over three components of a mixture: the true function,
// where limits are met, or a sample; the mean, the standard deviation and the acquisition.
func drawFields(ctx context.Context, s *sessions.Session, st sessions.State, c sketch) ([]*layout.Box, error) {
	p, err := picture.Compute(ctx, s, picture.FirstPlane(st.Problem), nil, nil, nil)
	if err != nil {
		return nil, err
	}
	d, ternary, first := describe(st, p, c.style), p.View.Axes == picture.Ternary, picture.SampleField
	switch {
	case d.Reveal:
		first = picture.TrueField
	case ternary && !p.Fields[picture.FeasibleField].Empty():
		first = picture.FeasibleField
	}
	cell := area{left, top, mainW / 2, bottom / 2}
	kinds := []picture.FieldKind{first, picture.MeanField, picture.SDField, picture.AcquisitionField}
	if ternary {
		cell.w, cell.h = pictureW/2, triangleH
		kinds = append(kinds[1:], first)
	}
	switch {
	case c.view == acts.ViewPosterior:
		kinds = []picture.FieldKind{picture.MeanField, picture.SDField}
	case c.view == acts.ViewAcquisition:
		kinds = []picture.FieldKind{picture.AcquisitionField}
	}
	if len(kinds) < 4 && !ternary {
		cell.w, cell.h = c.width/float64(len(kinds)), bottom
	}
	return fields(d, kinds, cell, true), nil
}

// drawOutcomes draws the space of the first two objectives, and the prior over the weights below it.
func drawOutcomes(ctx context.Context, s *sessions.Session, st sessions.State, c sketch) ([]*layout.Box, error) {
	style := c.style
	o, err := front.Compute(ctx, s, nil)
	if err != nil {
		return nil, err
	}
	attainable, err := front.ComputeAttainable(ctx, st)
	if err != nil {
		return nil, err
	}
	d := front.Drawing{Style: style, State: st, Outcomes: o, I: 0, J: 1, Reveal: st.Problem.Truth != nil, Moving: -1,
		Attainable: attainable}
	const lower = 150
	chart := d.Chart()
	boxes := []*layout.Box{legend(chart.Layers),
		svg.Chart("outcomes", chart, left, top, mainW, bottom-lower-20, style, nil)}
	if o.Weights != nil || len(o.Front) > 0 {
		boxes = append(boxes, label("prior over λ, and its targets on the front", left+plotInset, top+bottom-lower-4,
			style.Dim),
			svg.Chart("density", d.Density(), left, top+bottom-lower, mainW/2, lower, style, nil),
			svg.Chart("along", d.Along(), left+mainW/2, top+bottom-lower, mainW/2, lower, style, nil))
	}
	return boxes, nil
}

// traces draws the traces over the iterations below each other, or beside each other in a wide area.
func traces(st sessions.State, style theme.Style, a area) (boxes []*layout.Box) {
	all := Traces(st)
	for i, t := range all {
		x, w := a.x, a.w
		h := a.h / float64(len(all))
		y := a.y + float64(i)*h
		if a.w > a.h {
			w = a.w / float64(max(len(all), 2))
			h = a.h
			y = a.y
			x += float64(i) * w
		}
		lines := layout.Wrap(t.Name, traceTitle)
		for l, text := range lines {
			boxes = append(boxes, label(text, x+plotInset, y+4+float64(l)*lineHeight, style.Text))
		}
		below := float64(len(lines)-1) * lineHeight
		boxes = append(boxes, svg.Chart(fmt.Sprint("trace", i), t.Chart, x, y+below, w, h-8-below, style, nil))
	}
	return boxes
}

// Trace is a chart of a value over the iterations.
type Trace struct {
	Name string
	chart.Chart
}

// NewTrace is the trace of values, or of their decimal logarithms, which its name then says.
func NewTrace(name string, values []float64, log bool) Trace {
	if log {
		name += " (log₁₀)"
	}
	return Trace{name, traceChart(values, log, transform.Transform{})}
}

// Traces are the traces of a session: for one objective the simple regret, the best value and the cumulative regret,
// for several the hypervolume, the Bayes regret and the share in the boxes, if they are known.
func Traces(st sessions.State) (all []Trace) {
	t := report.AllTracesFor(st)
	add := func(name string, values []float64, log bool, g transform.Transform) {
		if len(values) > 0 {
			made := NewTrace(name, values, log)
			made.Chart = traceChart(values, log, g)
			all = append(all, made)
		}
	}
	if s := t.Multiobjective; s != nil {
		measured := ", " + s.Range.Label()
		add("hypervolume"+measured, s.Hypervolume, false, transform.Transform{})
		add(s.RegretName()+measured, s.BayesRegret, false, transform.Transform{})
		add("share in the boxes"+measured, s.BoxShare, false, transform.Transform{})
		return all
	}
	add("simple regret", t.SimpleRegret, true, transform.Transform{})
	add("best value", t.Best, false, st.Problem.Objectives[0].Transform())
	add("cumulative regret", t.CumulativeRegret, false, transform.Transform{})
	return all
}

// traceChart is a step function over the iterations; logarithms of zero lie at its bottom. Objectives on a log scale
// have a logarithmic axis.
func traceChart(values []float64, log bool, g transform.Transform) chart.Chart {
	var xs, ys []float64
	shown := slices.Clone(values)
	for i, v := range shown {
		shown[i] = g.ToScale(v)
		if log {
			shown[i] = math.Log10(v)
		}
	}
	lo, hi := chart.Pad(chart.Extent(shown))
	for i, y := range shown {
		if math.IsInf(y, -1) {
			y = lo
		}
		y = g.FromScale(y)
		if i > 0 {
			xs, ys = append(xs, float64(i+1)), append(ys, ys[len(ys)-1])
		}
		xs, ys = append(xs, float64(i+1)), append(ys, y)
	}
	return chart.Chart{X: chart.Axis{Label: "step", Min: 1, Max: float64(max(len(values), 2)), Integer: true},
		Y:      chart.Axis{Min: g.FromScale(lo), Max: g.FromScale(hi), Log: g.IsLog()},
		Layers: []chart.Layer{chart.Curve{X: xs, Y: ys, Color: paper().Used}}}
}
