package front

import (
	"cmp"
	"slices"

	"bandscope/functions/pareto"
	"bandscope/functions/transform"
	"bandscope/optimizers/weights"
	"bandscope/sessions"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
)

// Drawing declares how the space of two objectives is drawn.
type Drawing struct {
	Style    theme.Style
	State    sessions.State
	Outcomes *Outcomes
	I, J     int // the objectives along x and y
	Reveal   bool
	Boxes    [][4]float64 // from and to along x, from and to along y, as outcomes
	Moving   int          // which of them is being moved, from 0; −1 none
	Question [][]float64  // the two outcomes of a question
	Previous *Outcomes    // under the prior before the last change; nil if there is none

	Marks      []chart.Layer  // over the data
	Attainable *AttainableSet // the attainable outcomes; nil where they are not shown
	Fitting    bool           // the models are being fitted
	NoSamples  bool           // the fronts of draws from the model are left out
}

// Value converts an outcome to the units of an objective.
func (d Drawing) Value(k int, u float64) float64 {
	o := d.Outcomes
	return d.gauge(k).Invert(o.Hi[k] - u*(o.Hi[k]-o.Lo[k]))
}

// Outcome converts a value to an outcome.
func (d Drawing) Outcome(k int, v float64) float64 {
	o := d.Outcomes
	return (o.Hi[k] - d.gauge(k).Apply(v)) / (o.Hi[k] - o.Lo[k])
}

// outcomes converts values to outcomes.
func (d Drawing) outcomes(k int, values []float64) []float64 {
	list := make([]float64, len(values))
	for i, v := range values {
		list[i] = d.Outcome(k, v)
	}
	return list
}

// gauge is the transform of an objective.
func (d Drawing) gauge(k int) transform.Transform { return d.State.Problem.Objectives[k].Transform() }

// place is where an outcome is drawn in the plot.
func (d Drawing) place(y []float64) (x, up float64) {
	return d.gauge(d.I).Clamp(y[d.I]), d.gauge(d.J).Clamp(y[d.J])
}

// frontShown reports whether the front is shown: a known one only while the truth is revealed.
func (d Drawing) frontShown() bool {
	return len(d.Outcomes.Front) > 0 && (d.Reveal || !d.Outcomes.Known)
}

// Chart draws the data, the front with the probability that the prior puts on it, the boxes, and the prediction at the
// next point: from back to front the attainable outcomes, the fronts, the boxes and the data.
func (d Drawing) Chart() chart.Chart {
	st, o := d.Style, d.Outcomes
	var xs, ys []float64 // which the axes must show
	see := func(y []float64) { xs, ys = append(xs, y[d.I]), append(ys, y[d.J]) }
	var otherX, otherY []float64
	if r := d.State.Range; r != nil && r.From == sessions.FromDeclared {
		// the declared range is shown from the first point on
		see(r.Best)
		see(r.Worst)
	}
	observed := d.Observed()
	dominated := d.Dominated()
	for i, it := range d.State.Iterations {
		for b, pt := range it.Points {
			switch {
			case pt.Failed:
			case d.State.Feasible(it, b) && !dominated[i][b]:
				see(pt.Y)
			default:
				otherX, otherY = append(otherX, pt.Y[d.I]), append(otherY, pt.Y[d.J])
			}
		}
	}
	next := chart.Points{Shape: o.NextPoints.Mark(), Color: st.Next, Name: o.NextPoints.Name()}
	for _, y := range o.Expected {
		if d.State.Iterations != nil {
			otherX, otherY = append(otherX, y[d.I]), append(otherY, y[d.J])
			next.X, next.Y = append(next.X, y[d.I]), append(next.Y, y[d.J])
		}
	}
	var layers []chart.Layer
	if d.Attainable != nil && d.Reveal {
		layers = append(layers, d.region())
	}
	if referencePoint := d.ReferencePoint(); referencePoint != nil {
		otherX, otherY = append(otherX, referencePoint[d.I]), append(otherY, referencePoint[d.J])
		layers = append(layers, chart.Points{X: []float64{referencePoint[d.I]}, Y: []float64{referencePoint[d.J]}, Shape: theme.GlyphCross,
			Color: st.Dim, Name: ReferenceName, Short: "ref."})
	}
	layers = append(layers, d.frontSampleLayers()...)
	if d.frontShown() {
		for _, y := range o.Front {
			see(y)
		}
		layers = append(layers, d.frontLayers()...)
	}
	for _, box := range d.boxLayers() {
		xs, ys = append(xs, box.X0, box.X1), append(ys, box.Y0, box.Y1)
		layers = append(layers, box)
	}
	layers = append(layers, d.boxMarks(see)...)
	for _, y := range d.Question {
		see(y)
	}
	objectives := d.State.Problem.Objectives
	xs, ys = d.withLimits(d.I, xs), d.withLimits(d.J, ys)
	x := focus(objectives[d.I], xs, otherX, len(d.State.Iterations))
	y := focus(objectives[d.J], ys, otherY, len(d.State.Iterations))
	layers = append(d.limitLayers(x, y), layers...)
	layers = append(append(append(append(layers, d.errors(x, y)...), append(d.beyondAxes(x, y), observed...)...), d.Marks...),
		next)
	for n, y := range d.Question {
		layers = append(layers, chart.Label{X: y[d.I], Y: y[d.J], Text: string(rune('A' + n)), Color: st.Accent,
			Name: "asked about", Short: "asked"})
	}
	c := chart.Chart{X: x, Y: y, Gutter: picture.Gutter, Layers: layers, Labels: true, Importance: o.importance()}
	if d.Fitting {
		c.Note = picture.FittingNote
	}
	return c
}

// importance is how soon the marks of outcomes are explained.
func (o *Outcomes) importance() map[string]layout.Importance {
	return map[string]layout.Importance{"nondominated": layout.ImportanceMain, "newest": layout.ImportanceData,
		"dominated": layout.ImportanceData, "sampled fronts": layout.ImportanceMean,
		o.NextPoints.Name(): layout.ImportanceNext, preferredName: layout.ImportanceAcquisition}
}

// region are the attainable outcomes: those of inputs all over the domain, of the front, and of the observations
// without their noise.
func (d Drawing) region() chart.Region {
	cloud := chart.Region{Color: d.Style.Shade, Name: "attainable", Triangles: d.Attainable.Triangles,
		Whole: d.Attainable.Complete}
	see := func(y []float64) { cloud.X, cloud.Y = append(cloud.X, y[d.I]), append(cloud.Y, y[d.J]) }
	for _, y := range d.Attainable.Outcomes {
		see(y)
	}
	if d.Outcomes.Known {
		for _, y := range d.Outcomes.Front {
			see(y)
		}
	}
	for _, it := range d.State.Iterations {
		for _, pt := range it.Points {
			if y := pt.Judged(); !pt.Failed && d.State.Problem.Feasible(y) {
				see(y)
			}
		}
	}
	return cloud
}

// errors are the bars of the observations' standard errors along both axes.
func (d Drawing) errors(x, y chart.Axis) []chart.Layer {
	up := picture.ErrorBars(d.State, d.J, y, func(k, i int) float64 {
		return d.gauge(d.I).Clamp(d.State.Iterations[k].Points[i].Y[d.I])
	})
	across := picture.ErrorBars(d.State, d.I, x, func(k, i int) float64 {
		return d.gauge(d.J).Clamp(d.State.Iterations[k].Points[i].Y[d.J])
	})
	up.Color = d.Style.Dim
	across.Color = d.Style.Dim
	across.Across = true
	return []chart.Layer{up, across}
}

// Observed are the observations: the dominated ones, the nondominated ones, and the newest; after a change of the prior
// those of each era.
func (d Drawing) Observed() []chart.Layer {
	st := d.Style
	data := chart.Points{Shape: theme.GlyphHollow, Color: st.Dim, Name: "dominated"}
	nondominated := chart.Points{Shape: theme.GlyphFilled, Color: st.Data, Name: "nondominated", Short: "Pareto"}
	newest := chart.Points{Shape: theme.GlyphTarget, Color: st.Newest, Name: "newest"}
	beyond := picture.LimitViolationLayer(st, false)
	dominated := d.Dominated()
	eras, index := erasOf(d.State)
	for i, it := range d.State.Iterations {
		for b, pt := range it.Points {
			into := &nondominated
			switch {
			case pt.Failed:
				continue
			case !d.State.Feasible(it, b):
				into = &beyond
			case i == len(d.State.Iterations)-1:
				into = &newest
			case eras != nil:
				continue
			case dominated[i][b]:
				into = &data
			}
			x, up := d.place(pt.Y)
			into.X, into.Y = append(into.X, x), append(into.Y, up)
		}
	}
	if eras != nil {
		return append(append([]chart.Layer{beyond}, d.eraLayers(eras, index)...), newest)
	}
	return []chart.Layer{beyond, data, nondominated, newest}
}

// boxLayers are the outlines of the boxes, the one that is being moved in front.
func (d Drawing) boxLayers() []chart.Box {
	var layers []chart.Box
	for n, box := range d.Boxes {
		x0, x1 := d.Value(d.I, box[0]), d.Value(d.I, box[1])
		y0, y1 := d.Value(d.J, box[2]), d.Value(d.J, box[3])
		outline := chart.Box{X0: min(x0, x1), X1: max(x0, x1), Y0: min(y0, y1), Y1: max(y0, y1), Color: d.Style.Accent,
			Name: "target box"}
		if n != d.Moving && d.Moving >= 0 {
			outline.Color, outline.Name = d.Style.Dim, "other boxes"
		}
		layers = append(layers, outline)
	}
	return layers
}

// boxMarks are points that rate the boxes: the nearest to a box that no front reaches, and one that is better than all
// of a box.
func (d Drawing) boxMarks(see func(y []float64)) []chart.Layer {
	nearest := chart.Points{Shape: theme.GlyphTriangle, Color: d.Style.Warn, Name: "nearest to the box",
		Short: "nearest"}
	better := chart.Points{Shape: theme.GlyphStar, Color: d.Style.Good, Name: "more is possible", Short: "better"}
	for _, gap := range d.Outcomes.Unreached {
		see(gap.Nearest)
		nearest.X, nearest.Y = append(nearest.X, gap.Nearest[d.I]), append(nearest.Y, gap.Nearest[d.J])
	}
	for _, low := range d.Outcomes.Exceeded {
		see(low.At)
		better.X, better.Y = append(better.X, low.At[d.I]), append(better.Y, low.At[d.J])
	}
	return []chart.Layer{nearest, better}
}

// ReferenceName is what the legend calls the reference point of the hypervolume.
const ReferenceName = "reference"

// ReferencePoint is the reference point of the hypervolume, in the objectives' units; nil before there are data to
// scale by.
func (d Drawing) ReferencePoint() []float64 {
	if d.Outcomes.Hi == nil || d.State.Range == nil && len(d.State.Iterations) < 2 {
		return nil
	}
	referenceWithinLimits := weights.ReferenceWithinLimits(d.State.Input())
	for k, u := range referenceWithinLimits {
		referenceWithinLimits[k] = d.Value(k, u)
	}
	return referenceWithinLimits
}

// frontSampleLayers are the fronts of draws from the model: they differ where the model is uncertain.
func (d Drawing) frontSampleLayers() []chart.Layer {
	if d.NoSamples {
		return nil
	}
	var layers []chart.Layer
	for _, front := range d.Outcomes.FrontSamples {
		front = slices.Clone(front)
		slices.SortFunc(front, func(a, b []float64) int { return cmp.Compare(a[d.I], b[d.I]) })
		line := chart.Curve{Color: d.Style.Sample, Line: theme.Fine, Priority: 1, Name: "sampled fronts",
			Short: "samples"}
		for _, y := range front {
			line.X, line.Y = append(line.X, y[d.I]), append(line.Y, y[d.J])
		}
		if len(d.State.Problem.Objectives) > 2 { // a surface seen from one side is no line
			dots := chart.Dots{X: line.X, Y: line.Y, Color: line.Color, Name: line.Name, Short: line.Short}
			layers = append(layers, subsample(dots, maxSampleDots/len(d.Outcomes.FrontSamples)))
			continue
		}
		layers = append(layers, line)
	}
	return layers
}

// maxSampleDots is how many points of sampled fronts are shown with three and more objectives: enough to see how far
// they differ, too few to hide the observations.
const maxSampleDots = 240

// subsample keeps every n-th dot, so that at most most are left.
func subsample(s chart.Dots, most int) chart.Dots {
	every := (len(s.X) + max(most, 1) - 1) / max(most, 1)
	if every < 2 {
		return s
	}
	out := s
	out.X, out.Y = nil, nil
	for i := 0; i < len(s.X); i += every {
		out.X, out.Y = append(out.X, s.X[i]), append(out.Y, s.Y[i])
	}
	return out
}

// Dominated reports for every feasible observation whether another one dominates it; by iteration and point of its
// batch.
func (d Drawing) Dominated() [][]bool {
	var minimized [][]float64
	var indices [][2]int
	out := make([][]bool, len(d.State.Iterations))
	for i, it := range d.State.Iterations {
		out[i] = make([]bool, len(it.Points))
		for b, pt := range it.Points {
			if !d.State.Feasible(it, b) {
				continue
			}
			m := make([]float64, len(d.State.Problem.Objectives))
			for k, o := range d.State.Problem.Objectives {
				m[k] = o.Transform().Apply(pt.Y[k])
			}
			minimized, indices = append(minimized, m), append(indices, [2]int{i, b})
		}
	}
	front := pareto.Front(minimized)
	for n, m := range minimized {
		out[indices[n][0]][indices[n][1]] = slices.ContainsFunc(front, func(f int) bool {
			return pareto.Dominates(minimized[f], m)
		})
	}
	return out
}
