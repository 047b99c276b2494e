package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/sessions/safe"
	"bandscope/sessions/study"
	"bandscope/sessions/study/stats"
	"bandscope/tui/plot"
	"bandscope/tui/plot/scale"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// figurePanel draws what the numbers say.
func (m *Model) figurePanel(w, h int) []string {
	st, f := m.Style, m.ready()
	heading := fmt.Sprintf("%d %s", m.shown.view+1, m.figureTitle())
	if f == nil {
		return screen.Panel(st, heading, []string{"", " " + st.Paint(st.Dim, st.Plain("putting it together…"))}, w, h, false)
	}
	var body []string
	switch m.shown.view {
	case pairsView:
		body = m.pairLines(f, w-2, h-2)
	case criticalView:
		body = m.criticalLines(f, w-2, h-2)
	case finalsView:
		body = m.finalLines(f, w-2, h-2)
	default:
		body = m.charts(f, w-2, h-2)
	}
	return screen.Panel(st, heading, body, w, h, false)
}

// figureTitle is what is shown, and of which problem.
func (m *Model) figureTitle() string {
	of := "all problems"
	if p := m.cursor.problem; p >= 0 {
		of = safe.Text(m.board.problems[p])
	}
	what := viewNames[m.shown.view]
	switch m.shown.view {
	case curvesView, finalsView:
		if m.cursor.problem >= 0 {
			what = string(m.board.measures[m.cursor.problem])
			if m.shown.view == finalsView {
				what += " at the end"
			}
		}
	case profilesView:
		what = "performance profiles"
		if m.shown.other {
			what = "data profiles"
		}
	}
	return what + " · " + of
}

// charts draws what is a chart, with its legend above and what it rests on below.
func (m *Model) charts(f *figure, w, h int) []string {
	st := m.Style
	note := sentences(st.Plain(m.note(f)), w-2, min(max(h/8, 1), 3))
	if f.view == curvesView && f.problem < 0 {
		return m.smallCharts(f, w, h)
	}
	c, ok := m.chart(f)
	if !ok {
		return append([]string{""}, screen.Paragraph(st, st.Dim, m.empty(f), w-2)...)
	}
	body := m.legend(c, w, max(h/5, 2))
	body = append(body, m.book.Draw(c, w, h-len(body)-len(note), st)...)
	for _, l := range note {
		body = append(body, " "+st.Paint(st.Dim, l))
	}
	return body
}

// sentences are as many whole ones of a text, from its first, as have room in so many rows; none where the first has not.
func sentences(text string, w, rows int) []string {
	for text != "" {
		if lines := screen.Wrap(text, w); len(lines) <= rows {
			return lines
		}
		i := strings.LastIndex(strings.TrimSuffix(text, "."), ". ")
		if i < 0 {
			return nil
		}
		text = text[:i+1]
	}
	return nil
}

// legend are the rows of a chart's legend.
func (m *Model) legend(c plot.Chart, w, most int) []string {
	var body []string
	for _, l := range screen.Legend(m.Style, c.Legend(m.Style), w-2, most) {
		body = append(body, " "+l)
	}
	return body
}

// empty says why nothing is drawn.
func (m *Model) empty(f *figure) string {
	if f.view == curvesView {
		return "no run on this problem has come to a value yet"
	}
	return fmt.Sprintf("nothing can be compared yet: it takes a seed of a problem in which every method has ended; %d of %d have", f.blocks, f.all)
}

// note is what a chart rests on.
func (m *Model) note(f *figure) string {
	blocks := fmt.Sprintf(" %d of %s ended.", f.blocks, screen.Counted(f.all, "block"))
	switch f.view {
	case curvesView:
		if m.shown.other {
			return "Means over the seeds, with their intervals at 95 % by Student's law."
		}
		shows, rests := stats.About(stats.Curves)
		return shows + " " + rests
	case ranksView:
		shows, rests := stats.About(stats.Ranked)
		return shows + blocks + " " + rests
	case reachedView:
		shows, rests := stats.About(stats.Reached)
		return shows + blocks + " " + rests
	}
	what := stats.Performance
	if m.shown.other {
		what = stats.Data
	}
	shows, _ := stats.About(what)
	return shows + blocks + fmt.Sprintf(" Solved: within %g %% of the way from the start to the best.", 100*tolerance)
}

// methodName is a method with its letter.
func (m *Model) methodName(k int) string {
	return letter(k) + " " + safe.Text(m.board.methods[k])
}

// chart declares the chart of a figure; false where there is nothing to draw.
func (m *Model) chart(f *figure) (plot.Chart, bool) {
	switch f.view {
	case curvesView:
		return m.curves(f, f.problem, true)
	case ranksView:
		return m.ranks(f)
	}
	return m.staircases(f)
}

// series are the layers of one method: its curve, its letter, and its band if it has one.
type series struct {
	x, y, lo, hi []float64
	band         bool
}

// layers are those of all methods; the chosen one is in front. letters says whether they stand at the curves.
func (m *Model) layers(all []series, name, letters bool) []plot.Layer {
	st := m.Style
	var layers []plot.Layer
	few := len(all) <= len(st.Series)
	for k, s := range slices.Backward(all) {
		if len(s.x) == 0 {
			continue
		}
		chosen := k == m.cursor.method
		title := ""
		if name {
			title = m.methodName(k)
		}
		if s.band && (few || chosen) {
			layers = append(layers, plot.Band{X: s.x, Lo: s.lo, Hi: s.hi, Color: st.SeriesBand[k%len(st.SeriesBand)], Second: !chosen, Name: title})
		}
		priority := 4
		if chosen {
			priority = 30
		}
		layers = append(layers, plot.Curve{X: s.x, Y: s.y, Color: m.seriesColor(k), Line: seriesLine(k, len(st.Series)), Priority: priority, Name: title})
		if letters {
			if x, y, ok := spot(s, k, len(all)); ok {
				layers = append(layers, plot.Label{X: x, Y: y, Text: letter(k), Color: m.seriesColor(k)})
			}
		}
	}
	return layers
}

// spot is where the letter of a curve stands: each at another part of its right half.
func spot(s series, k, of int) (x, y float64, ok bool) {
	var at []int
	for i, v := range s.y {
		if scale.Finite(v) {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return 0, 0, false
	}
	i := at[min(len(at)/2+(2*k+1)*len(at)/(4*max(of, 1)), len(at)-1)]
	return s.x[i], s.y[i], true
}

// curves declares the curves of a problem, with what the chosen seed did and what the paper prints.
func (m *Model) curves(f *figure, problem int, whole bool) (plot.Chart, bool) {
	st, about := m.Style, f.runs.Problems[problem]
	all := make([]series, len(f.runs.Methods))
	var values []float64
	for k, b := range f.bands[problem] {
		s := series{x: b.At, y: turned(b.Median, about.Sign), lo: turned(b.Low, about.Sign), hi: turned(b.High, about.Sign), band: whole}
		if about.Sign < 0 {
			s.lo, s.hi = s.hi, s.lo
		}
		if m.shown.other {
			s.y = turned(b.Mean, about.Sign)
			s.lo, s.hi = around(s.y, b.Student)
		}
		all[k] = s
		values = append(append(append(values, s.y...), s.lo...), s.hi...)
	}
	printed := m.printed(f, problem)
	if whole {
		for _, p := range printed {
			values = append(values, p.value)
		}
	}
	lo, hi := scale.Span(values)
	if lo > hi {
		return plot.Chart{}, false
	}
	log := logarithmic(about.Measure)
	if log {
		lo, hi = decades(values)
	}
	c := plot.Chart{X: plot.Axis{Label: string(about.Axis), Min: 0, Max: about.End, Whole: about.Axis == stats.Evaluations || about.Axis == stats.Iterations},
		Y: plot.Axis{Label: string(about.Measure), Min: lo, Max: hi, Log: log}}
	if log {
		for k := range all {
			all[k].y, all[k].lo, all[k].hi = floored(all[k].y, lo), floored(all[k].lo, lo), floored(all[k].hi, lo)
		}
	} else {
		c.Y.Min, c.Y.Max = scale.Pad(lo, hi)
	}
	c.Layers = m.layers(all, whole, whole)
	if !whole {
		c.Y.Label = ""
		c.X.Label = ""
		return c, true
	}
	if x, y, name := m.ownRun(f, problem); len(x) > 0 {
		if log {
			y = floored(y, lo)
		}
		c.Layers = slices.Insert(c.Layers, 0, plot.Layer(plot.Curve{X: x, Y: y, Color: st.Faint, Line: theme.Fine, Priority: 2, Name: name}))
	}
	for _, p := range printed {
		c.Layers = slices.Insert(c.Layers, 0, plot.Layer(plot.Points{X: []float64{p.at}, Y: []float64{p.value}, Shape: theme.GlyphDiamond, Color: m.seriesColor(p.method), Name: printedName}))
	}
	return c, true
}

// printedName is what the legend calls the paper's numbers.
const printedName = "printed in the paper"

// ownRun is the run of the chosen seed.
func (m *Model) ownRun(f *figure, problem int) (x, y []float64, name string) {
	of := m.seeds()
	if len(of) < 2 {
		return nil, nil, ""
	}
	seed := m.board.rows[of[m.cursor.seed]].Seed
	i := slices.Index(f.runs.Seeds, seed)
	if i < 0 {
		return nil, nil, ""
	}
	c := f.runs.Of(problem, m.cursor.method)[i]
	return c.At, turned(c.Values, f.runs.Problems[problem].Sign), fmt.Sprintf("%s, seed %d", letter(m.cursor.method), seed)
}

// turned is values in the measure's own direction.
func turned(values []float64, sign float64) []float64 {
	if sign > 0 {
		return values
	}
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = sign * v
	}
	return out
}

// around is values less and more half a width, where that is known.
func around(values, half []float64) (lo, hi []float64) {
	lo, hi = make([]float64, len(values)), make([]float64, len(values))
	for i, v := range values {
		lo[i], hi[i] = v-half[i], v+half[i]
	}
	return lo, hi
}

// logarithmic reports whether a measure is drawn by factors.
func logarithmic(measure study.Measure) bool {
	return measure != study.Best && measure != study.Hypervolume
}

// deepest is how many powers of ten an axis of regrets shows at most.
const deepest = 14

// decades is the range of what is above zero, with some room, and not deeper than can be read.
func decades(values []float64) (lo, hi float64) {
	lo, hi = math.Inf(1), 0
	for _, v := range values {
		if v > 0 && scale.Finite(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if hi == 0 {
		return 0.1, 1
	}
	lo = max(lo, hi*math.Pow(10, -deepest))
	return lo / 1.3, hi * 1.3
}

// floored are values that are at least so much: a regret of zero stands at the bottom of an axis of factors.
func floored(values []float64, least float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		if out[i] = v; v < least {
			out[i] = least
		}
	}
	return out
}

// ranks declares the mean ranks over the parts of the budget.
func (m *Model) ranks(f *figure) (plot.Chart, bool) {
	n := len(f.runs.Methods)
	all := make([]series, n)
	any := false
	for k := range all {
		s := series{band: true}
		for _, r := range f.rankings {
			if r.Blocks == 0 {
				continue
			}
			any = true
			half := r.Half[k]
			if math.IsNaN(half) {
				half = 0
			}
			s.x, s.y = append(s.x, 100*r.Part), append(s.y, r.Mean[k])
			s.lo, s.hi = append(s.lo, max(r.Mean[k]-half, 1)), append(s.hi, min(r.Mean[k]+half, float64(n)))
		}
		s.band = k == m.cursor.method
		all[k] = s
	}
	c := plot.Chart{X: plot.Axis{Label: "% of the budget", Min: 0, Max: 100}, Y: plot.Axis{Label: "mean rank", Min: 0.8, Max: float64(n) + 0.2, Flip: true}, Layers: m.layers(all, true, true)}
	return c, any && n > 1
}

// staircases declares shares that rise: of targets reached, of blocks solved.
func (m *Model) staircases(f *figure) (plot.Chart, bool) {
	steps, label := f.steps[0], "evaluations / dimension"
	if f.view == profilesView {
		label = "times the fastest method's evaluations"
		if m.shown.other {
			steps, label = f.steps[1], "evaluations / (dimension + 1)"
		}
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, s := range steps {
		for _, x := range s.At {
			if x > 0 {
				lo, hi = min(lo, x), max(hi, x)
			}
		}
	}
	if lo > hi {
		return plot.Chart{}, false
	}
	if hi <= lo*1.0001 {
		lo, hi = lo/1.5, hi*1.5
	}
	all := make([]series, len(f.runs.Methods))
	for _, s := range steps {
		var x, y []float64
		before := 0.0
		if len(s.At) == 0 || s.At[0] > lo {
			x, y = append(x, lo), append(y, 0)
		}
		for i, at := range s.At {
			x, y = append(x, at, at), append(y, before, s.Share[i])
			before = s.Share[i]
		}
		all[s.Method] = series{x: append(x, hi), y: append(y, before)}
	}
	what := "share of targets"
	if f.view == profilesView {
		what = "share of blocks"
	}
	return plot.Chart{X: plot.Axis{Label: label, Min: lo, Max: hi, Log: true}, Y: plot.Axis{Label: what, Min: 0, Max: 1.02}, Layers: m.layers(all, true, true)}, true
}
