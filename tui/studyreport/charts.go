package studyreport

import (
	"math"
	"slices"

	"bandscope/sessions/sanitize"
	"bandscope/sessions/study"
	"bandscope/sessions/study/stats"
	"bandscope/tui/chart"
	"bandscope/tui/theme"
)

// MethodStyle is how methods are drawn: each has a letter, a colour and a kind of line.
type MethodStyle struct {
	Style    theme.Style
	Methods  []string // in the order of the statistics, as cells have them
	Labels   []string // short names of the methods
	Selected int      // the one in front, −1 for none
}

// Letter names a method in charts and tables: A to Z, then AA.
func Letter(method int) string {
	if method >= 26 {
		return Letter(method/26-1) + Letter(method%26)
	}
	return string(rune('A' + method))
}

// Name is a method with its letter.
func (l MethodStyle) Name(method int) string {
	return Letter(method) + " " + sanitize.Text(l.Labels[method])
}

// Color is that of a method.
func (l MethodStyle) Color(method int) theme.Color {
	return l.Style.Series[method%len(l.Style.Series)]
}

// Line is the kind of line of a method: those of one colour differ by it.
func (l MethodStyle) Line(method int) theme.Line {
	return []theme.Line{theme.Solid, theme.Dashed, theme.Dotted}[(method/len(l.Style.Series))%3]
}

// series are the layers of one method: its curve, and its band if it has one.
type series struct {
	x, y, lo, hi []float64
	band         bool
}

// bars is at how many places of a curve its band is drawn where bands would hide each other.
const bars = 6

// layers are those of all methods, the chosen one in front; whole is with names for the legend and letters at the
// curves. Bands of a few methods lie beside each other; of more, the chosen one has a band or, where none is chosen,
// each has bars at some places.
func (l MethodStyle) layers(all []series, whole bool) []chart.Layer {
	var layers, letters []chart.Layer
	few := len(all) <= len(l.Style.Series)
	for k, s := range slices.Backward(all) {
		if len(s.x) == 0 {
			continue
		}
		name, priority := "", 4
		if whole {
			name = l.Name(k)
		}
		if k == l.Selected {
			priority = 30
		}
		switch {
		case s.band && (few || k == l.Selected):
			layers = append(layers, chart.Band{X: s.x, Lo: s.lo, Hi: s.hi,
				Color: l.Style.SeriesBand[k%len(l.Style.SeriesBand)], Second: k != l.Selected, Name: name})
		case s.band && l.Selected < 0:
			e := chart.Errors{Color: l.Color(k)}
			for b := range bars { // each method's at other places
				if i := (b*len(all) + k + 1) * (len(s.x) - 1) / (bars * len(all)); chart.Finite(s.lo[i]) {
					e.At = append(e.At, s.x[i])
					e.Lo = append(e.Lo, s.lo[i])
					e.Hi = append(e.Hi, s.hi[i])
				}
			}
			layers = append(layers, e)
		}
		layers = append(layers, chart.Curve{X: s.x, Y: s.y, Color: l.Color(k), Line: l.Line(k), Priority: priority,
			Name: name})
		if whole {
			if x, y, ok := spot(s, k, len(all)); ok {
				letters = append(letters, chart.Label{X: x, Y: y, Text: Letter(k), Color: l.Color(k)})
			}
		}
	}
	return append(layers, letters...)
}

// spot is the place of a curve's letter: each at another part of its right half.
func spot(s series, k, count int) (x, y float64, ok bool) {
	var indices []int
	for i, v := range s.y {
		if chart.Finite(v) {
			indices = append(indices, i)
		}
	}
	if len(indices) == 0 {
		return 0, 0, false
	}
	i := indices[min(len(indices)/2+(2*k+1)*len(indices)/(4*max(count, 1)), len(indices)-1)]
	return s.x[i], s.y[i], true
}

// PrintedPoint is a number that a paper prints, on a chart of a problem.
type PrintedPoint struct {
	Method    int
	At, Value float64 // on the axis, and of the measure in its own direction
}

// Prints are the numbers that a paper prints for a problem of the methods, in the measure that is drawn.
func (l MethodStyle) Prints(printed []study.PublishedNumber, about stats.Problem) (list []PrintedPoint) {
	for _, p := range printed {
		k := slices.Index(l.Methods, p.Method)
		if k < 0 || !PrintedOn(p, about) {
			continue
		}
		evaluations := float64(p.Evaluations)
		if p.Evaluations == 0 {
			evaluations = about.End
		}
		list = append(list, PrintedPoint{k, evaluations, p.Value})
	}
	return list
}

// PrintedOn reports whether a printed number is of a problem, in the measure that is drawn.
func PrintedOn(p study.PublishedNumber, about stats.Problem) bool {
	return (p.Problem == about.Name || p.Problem == "") &&
		(p.Measure == about.Measure || p.Measure == study.DefaultMeasure)
}

// PrintedName is the legend's entry for the paper's numbers.
const PrintedName = "printed in the paper"

// Curves declares the curves of a problem from the bands of all methods: medians with quartiles, or means with
// Student's intervals; and what a paper prints. whole is with bands, names and labels, otherwise it is one of many
// beside each other. False where there is nothing to draw.
func (l MethodStyle) Curves(about stats.Problem, bands []stats.Band, means bool, prints []PrintedPoint,
	whole bool) (chart.Chart,
	bool) {
	all := make([]series, len(bands))
	var values []float64
	for k, b := range bands {
		s := series{x: b.At, y: Oriented(b.Median, about.Sign), lo: Oriented(b.Low, about.Sign),
			hi: Oriented(b.High, about.Sign), band: whole}
		if about.Sign < 0 {
			s.lo, s.hi = s.hi, s.lo
		}
		if means {
			s.y = Oriented(b.Mean, about.Sign)
			s.lo, s.hi = Interval(s.y, b.Student)
		}
		all[k] = s
		values = append(append(append(values, s.y...), s.lo...), s.hi...)
	}
	if whole {
		for _, p := range prints {
			values = append(values, p.Value)
		}
	}
	lo, hi := chart.Extent(values)
	if lo > hi {
		return chart.Chart{}, false
	}
	log := Logarithmic(about.Measure)
	c := chart.Chart{X: chart.Axis{Max: about.End,
		Integer: about.Axis == stats.Evaluations || about.Axis == stats.Iterations}, Y: chart.Axis{Log: log}}
	if log {
		c.Y.Min, c.Y.Max = decades(values)
		for k := range all {
			all[k].y = ClampBelow(all[k].y, c.Y.Min)
			all[k].lo = ClampBelow(all[k].lo, c.Y.Min)
			all[k].hi = ClampBelow(all[k].hi, c.Y.Min)
		}
	} else {
		c.Y.Min, c.Y.Max = chart.Pad(lo, hi)
	}
	c.Layers = l.layers(all, whole)
	if !whole {
		return c, true
	}
	c.X.Label, c.Y.Label = Across(about.Axis), about.Quantity
	for _, p := range prints {
		c.Layers = slices.Insert(c.Layers, 0,
			chart.Layer(chart.Points{X: []float64{p.At}, Y: []float64{p.Value}, Shape: theme.GlyphDiamond,
				Color: l.Color(p.Method), Name: PrintedName}))
	}
	return c, true
}

// Oriented is values in the measure's own direction.
func Oriented(values []float64, sign float64) []float64 {
	if sign > 0 {
		return values
	}
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = sign * v
	}
	return out
}

// Interval is values minus and plus half a width, where that is known.
func Interval(values, half []float64) (lo, hi []float64) {
	lo, hi = make([]float64, len(values)), make([]float64, len(values))
	for i, v := range values {
		lo[i], hi[i] = v-half[i], v+half[i]
	}
	return lo, hi
}

// Logarithmic reports whether a measure has a logarithmic axis.
func Logarithmic(measure study.Measure) bool {
	return measure != study.BestValue && measure != study.Hypervolume
}

// maxDecades is how many powers of ten an axis of regrets shows at most.
const maxDecades = 14

// decades is the range of the positive values, with some margin, and at most maxDecades.
func decades(values []float64) (lo, hi float64) {
	lo, hi = math.Inf(1), 0
	for _, v := range values {
		if v > 0 && chart.Finite(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if hi == 0 {
		return 0.1, 1
	}
	lo = max(lo, hi*math.Pow(10, -maxDecades))
	return lo / 1.3, hi * 1.3
}

// ClampBelow are values that are at least so much: a regret of zero is at the bottom of a logarithmic axis.
func ClampBelow(values []float64, least float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = v
		if v < least {
			out[i] = least
		}
	}
	return out
}

// Ranks declares the mean ranks over the parts of the budget, with the interval of the chosen method or, where none is
// chosen, of all.
func (l MethodStyle) Ranks(rankings []stats.Ranking) (chart.Chart, bool) {
	n := len(l.Methods)
	all := make([]series, n)
	found := false
	for k := range all {
		s := series{band: l.Selected < 0 || k == l.Selected}
		for _, r := range rankings {
			if r.Blocks == 0 {
				continue
			}
			found = true
			half := r.HalfWidth[k]
			if math.IsNaN(half) {
				half = 0
			}
			s.x, s.y = append(s.x, 100*r.Part), append(s.y, r.Mean[k])
			s.lo, s.hi = append(s.lo, max(r.Mean[k]-half, 1)), append(s.hi, min(r.Mean[k]+half, float64(n)))
		}
		all[k] = s
	}
	c := chart.Chart{X: chart.Axis{Label: "% of the budget", Max: 100},
		Y: chart.Axis{Label: "mean rank", Min: 0.8, Max: float64(n) + 0.2, Flip: true}, Layers: l.layers(all, true)}
	return c, found && n > 1
}

// Staircases declares rising shares, of targets reached or of blocks solved; across labels the horizontal axis.
func (l MethodStyle) Staircases(steps []stats.StepFunction, across, share string) (chart.Chart, bool) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, s := range steps {
		for _, x := range s.At {
			if x > 0 {
				lo, hi = min(lo, x), max(hi, x)
			}
		}
	}
	if lo > hi {
		return chart.Chart{}, false
	}
	if hi <= lo*1.0001 {
		lo, hi = lo/1.5, hi*1.5
	}
	all := make([]series, len(l.Methods))
	for _, s := range steps {
		var x, y []float64
		before := 0.0
		if len(s.At) == 0 || s.At[0] > lo {
			x, y = append(x, lo), append(y, 0)
		}
		for i, step := range s.At {
			x, y = append(x, step, step), append(y, before, s.Share[i])
			before = s.Share[i]
		}
		all[s.Method] = series{x: append(x, hi), y: append(y, before)}
	}
	return chart.Chart{X: chart.Axis{Label: across, Min: lo, Max: hi, Log: true},
		Y: chart.Axis{Label: share, Max: 1.02}, Layers: l.layers(all, true)}, true
}
