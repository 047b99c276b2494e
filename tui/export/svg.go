package export

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"bandscope/functions/gauge"
	"bandscope/model/parallel"
	"bandscope/sessions"
	"bandscope/sessions/report"
	"bandscope/sessions/safe"
	"bandscope/tui/belief"
	"bandscope/tui/belief/several"
	"bandscope/tui/layout"
	"bandscope/tui/plot"
	"bandscope/tui/plot/colormap"
	"bandscope/tui/plot/scale"
	"bandscope/tui/plot/svg"
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

// SVG draws the plot where a session stands: the belief with its acquisition, fields over two variables, or outcomes with the prior over weights;
// and how the search stands.
func SVG(ctx context.Context, w io.Writer, s *sessions.Session) error {
	picture, err := picture(ctx, s)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, picture)
	return err
}

func picture(ctx context.Context, s *sessions.Session) (string, error) {
	st := s.State()
	titled := func() *svg.Picture {
		v := svg.New(pictureW, pictureH, paper())
		v.Text(16, 16, svg.Start, safe.Text(fmt.Sprintf("%s · step %d", st.Title(), len(st.Iterations))), paper().Text)
		return v
	}
	v := titled()
	draw := drawSlice
	switch {
	case len(st.Problem.Objectives) > 1:
		draw = drawOutcomes
	case st.Problem.Dim() > 1:
		draw = drawPlane
	}
	err := parallel.Guard(func() error { return draw(ctx, v, s, st) })
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil { // what happened is there all the same
		v = titled()
		lines := layout.Wrap(safe.Text(fmt.Sprintf("There is no picture of the model: %v", err)), wrapWidth)
		for i, l := range lines {
			v.Text(left+plotInset, top+float64(i)*lineHeight, svg.Start, l, paper().Warn)
		}
		if err := traces(v, st); err != nil {
			return "", err
		}
	}
	return v.String(), nil
}

// The lines of a text in a picture: so many characters, so many pixels apart.
const (
	wrapWidth  = 80
	lineHeight = 18
)

// The regions of a picture.
const (
	top = 64

	legendTop = 34
	left      = 8
	sideW     = 320
	mainW     = pictureW - sideW - 3*left
	bottom    = pictureH - top - 8
)

// drawSlice draws the belief along one variable, the acquisition below it, and the regret.
func drawSlice(ctx context.Context, v *svg.Picture, s *sessions.Session, st sessions.State) error {
	p, rest, err := belief.Look(ctx, s, belief.View{Samples: samples}, nil)
	if err != nil {
		return err
	}
	if rest != nil {
		o := <-rest
		if o.Err != nil {
			return o.Err
		}
		p = o.Picture
	}
	d := belief.Drawing{Style: paper(), State: st, Picture: p, Truth: belief.TruthAlong(st, 0, belief.Anchor(st)), Reveal: st.Problem.Truth != nil}
	acquisition := 0.0
	if len(p.Acquisition) > 0 {
		acquisition = 150
		v.Text(left+plotInset, top+bottom-acquisition-4, svg.Start, "acquisition: "+p.Legend.Acquisition, paper().Dim)
		v.Chart(d.AcquisitionChart(), left, top+bottom-acquisition, mainW, acquisition, "acquisition")
	}
	chart := d.Chart()
	legend(v, chart.Layers)
	v.Chart(chart, left, top, mainW, bottom-acquisition-16, "belief")
	return traces(v, st)
}

// legend tells what the marks and lines of the main chart are.
func legend(v *svg.Picture, layers []plot.Layer) {
	v.Legend(layers, left+plotInset, legendTop, pictureW-left-plotInset)
}

// plotInset is where the plots begin, right of their labels.
const plotInset = 60

// drawPlane draws the fields over the first two variables, each with its colours, and the regret.
func drawPlane(ctx context.Context, v *svg.Picture, s *sessions.Session, st sessions.State) error {
	at := belief.Anchor(st)
	p, err := belief.LookPlane(ctx, s, belief.FirstPlane(st.Problem.Domain), at, nil, func(*belief.Plane) {})
	if err != nil {
		return err
	}
	d := belief.PlaneDrawing{Style: paper(), State: st, Plane: p, Map: colormap.Viridis, Contours: true, Reveal: st.Problem.Truth != nil}
	if st.Problem.Dim() > 2 {
		v.Text(pictureW-16, 16, svg.End, "over two variables, the others at the best point", paper().Dim)
	}
	w, h := float64(mainW)/2, float64(bottom)/2
	first := belief.TrueField
	if !d.Reveal {
		first = belief.SampleField
	}
	for i, kind := range []belief.FieldKind{first, belief.MeanField, belief.SDField, belief.AcquisitionField} {
		x, y := left+float64(i%2)*w, top+float64(i/2)*h
		if len(p.Fields[kind].Z) == 0 {
			continue
		}
		scale := d.Scale(kind)
		chart := d.Chart(kind, scale, false)
		if kind == belief.MeanField {
			legend(v, chart.Layers)
		}
		name, _, _ := strings.Cut(p.Name(kind), ":") // of an acquisition, not all of what it is
		v.Text(x+plotInset, y+4, svg.Start, name, paper().Text)
		v.Chart(chart, x, y, w-54, h-8, fmt.Sprint("field", i))
		v.Bar(scale, x+w-50, y+8, h-58)
	}
	return traces(v, st)
}

// drawOutcomes draws the space of the first two objectives, the prior over the weights below it, and how the search stands.
func drawOutcomes(ctx context.Context, v *svg.Picture, s *sessions.Session, st sessions.State) error {
	o, err := several.Look(ctx, s, nil)
	if err != nil {
		return err
	}
	attainable, err := several.Attainable(ctx, st)
	if err != nil {
		return err
	}
	d := several.Drawing{Style: paper(), State: st, Outcomes: o, I: 0, J: 1, Reveal: st.Problem.Truth != nil, Moving: -1, Attainable: attainable}
	const lower = 150
	chart := d.Chart()
	legend(v, chart.Layers)
	v.Chart(chart, left, top, mainW, bottom-lower-20, "outcomes")
	if o.Weights != nil || len(o.Front) > 0 {
		v.Text(left+plotInset, top+bottom-lower-4, svg.Start, "prior over λ, and where on the front it aims", paper().Dim)
		v.Chart(d.Density(), left, top+bottom-lower, mainW/2, lower, "density")
		v.Chart(d.Along(), left+mainW/2, top+bottom-lower, mainW/2, lower, "along")
	}
	return traces(v, st)
}

// traces draws how the search stands over the iterations, at the right.
func traces(v *svg.Picture, st sessions.State) error {
	all := Traces(st)
	x := float64(left + mainW + left)
	for i, t := range all {
		h := float64(bottom) / float64(len(all))
		y := top + float64(i)*h
		v.Text(x+plotInset, y+4, svg.Start, t.Name, paper().Text)
		v.Chart(t.Chart, x, y, sideW, h-8, fmt.Sprint("trace", i))
	}
	return nil
}

// Trace is how the search goes over the iterations, or what else is told of one after the other, as a chart.
type Trace struct {
	Name string
	plot.Chart
}

// TraceOf is the trace of values, or of their decimal logarithms, which its name then says.
func TraceOf(name string, values []float64, log bool) Trace {
	if log {
		name += " (log₁₀)"
	}
	return Trace{name, traceChart(values, log, gauge.Gauge{})}
}

// Traces are those of a session: of one objective the simple regret, the best value and the cumulative regret, of several the hypervolume, the Bayes regret and
// the share in the boxes, as far as they are known.
func Traces(st sessions.State) (all []Trace) {
	t := report.AllTracesOf(st)
	add := func(name string, values []float64, log bool, g gauge.Gauge) {
		if len(values) > 0 {
			made := TraceOf(name, values, log)
			made.Chart = traceChart(values, log, g)
			all = append(all, made)
		}
	}
	if s := t.Several; s != nil {
		measured := ", " + s.Range.Label()
		add("hypervolume"+measured, s.Hypervolume, false, gauge.Gauge{})
		add(s.RegretName()+measured, s.BayesRegret, false, gauge.Gauge{})
		add("share in the boxes"+measured, s.Share, false, gauge.Gauge{})
		return all
	}
	add("simple regret", t.Simple, true, gauge.Gauge{})
	add("best value", t.Best, false, st.Problem.Objectives[0].Gauge())
	add("cumulative regret", t.Cumulative, false, gauge.Gauge{})
	return all
}

// traceChart is a staircase over the iterations; of logarithms zeros stand at its bottom. Values of an objective of which factors count have a logarithmic axis.
func traceChart(values []float64, log bool, g gauge.Gauge) plot.Chart {
	var xs, ys []float64
	shown := slices.Clone(values)
	for i, v := range shown {
		if shown[i] = g.Along(v); log {
			shown[i] = math.Log10(v)
		}
	}
	lo, hi := scale.Pad(scale.Span(shown))
	for i, y := range shown {
		if math.IsInf(y, -1) {
			y = lo
		}
		if y = g.At(y); i > 0 {
			xs, ys = append(xs, float64(i+1)), append(ys, ys[len(ys)-1])
		}
		xs, ys = append(xs, float64(i+1)), append(ys, y)
	}
	return plot.Chart{X: plot.Axis{Label: "iteration", Min: 1, Max: float64(max(len(values), 2)), Whole: true}, Y: plot.Axis{Min: g.At(lo), Max: g.At(hi), Log: g.Log()},
		Layers: []plot.Layer{plot.Curve{X: xs, Y: ys, Color: paper().Used}}}
}
