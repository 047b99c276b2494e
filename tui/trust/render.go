package trust

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"

	"bandscope/sessions/appraisal"
	"bandscope/sessions/safe"
	"bandscope/sessions/trust"
	"bandscope/tui/plot"
	"bandscope/tui/plot/scale"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// Render draws the screen: the residuals and the alternatives at the left, coverage, histogram and sensitivity at the right.
func (m *Model) Render() []string {
	h := m.Height - 2
	right := min(max(m.Width*2/5, 34), 76)
	left := m.Width - right
	upper := h * 11 / 20
	if m.report != nil { // what the list does not need is the plot's
		upper = max(upper, h-max(len(m.report.Alternatives)+4, 6))
	}
	lines := append(m.residuals(left, upper), m.alternatives(left, h-upper)...)
	cover := min(max(h*2/5, 9), 14)
	rest := h - cover
	var side []string
	if o := m.objective(); o != nil && (o.First != nil || o.Lengths != nil) {
		depends := min(len(m.state.Problem.Domain)+3, rest/2)
		side = append(append(m.coverage(right, cover), m.histogram(right, rest-depends)...), m.dependence(right, depends)...)
	} else {
		side = append(m.coverage(right, cover), m.histogram(right, rest)...)
	}
	lines = screen.Beside(lines, side)
	return append(lines, m.statusLine(), " "+screen.Footer(m.Style, m.hinted(), m.Width-2))
}

// hinted are the keys that do something at the moment.
func (m *Model) hinted() []key.Binding {
	return screen.Bindings(slices.DeleteFunc(commands(), func(c screen.Command[*Model]) bool { return c.Off != nil && c.Off(m) != "" }))
}

// statusLine says what is asked, what went wrong, or how to read the rest.
func (m *Model) statusLine() string {
	st := m.Style
	own := ""
	if o := m.objective(); o != nil && o.Alarm != "" {
		own = st.Paint(st.Warn, st.Plain("! "+o.Alarm))
	} else if m.report != nil && m.report.Lacking == "" {
		way := "in closed form"
		if m.report.Retrain {
			way = "by training again without each"
		}
		own = st.Paint(st.Dim, st.Plain("each result as the others expect it, "+way))
	}
	return m.Status.Line(st, m.jobs.Status(st.ASCII), own)
}

// say is a panel that says why there is nothing to draw.
func (m *Model) say(title, text string, w, h int) []string {
	var body []string
	for _, l := range screen.Wrap(text, w-4) {
		body = append(body, " "+m.Style.Paint(m.Style.Dim, m.Style.Plain(l)))
	}
	return screen.Panel(m.Style, title, append([]string{""}, body...), w, h, false)
}

// lacking is why no result was left out; empty where each was.
func (m *Model) lacking() string {
	switch {
	case m.failed != "":
		return safe.Text(m.failed)
	case m.report == nil:
		return "asking the model…"
	case m.report.Retrainable:
		return m.report.Lacking + ": L does"
	}
	return m.report.Lacking
}

// mostZ is how far a residual is drawn; one beyond stands at the edge.
const mostZ = 6

// residuals draws the standardized residual of each result.
func (m *Model) residuals(w, h int) []string {
	if why := m.lacking(); why != "" {
		return m.say("residuals, each result left out", why, w, h)
	}
	return m.drawn(m.residualsTitle(), m.residualsChart(), w, h)
}

// residualsTitle says of which objective the residuals are.
func (m *Model) residualsTitle() string {
	if len(m.report.Objectives) > 1 {
		return "residuals of " + safe.Text(m.objective().Name) + ", each left out"
	}
	return "residuals, each result left out"
}

// residualsChart is the standardized residual of each result, in the order of the results.
func (m *Model) residualsChart() plot.Chart {
	st, o := m.Style, m.objective()
	var seen, odd plot.Points
	far := 3.0
	for i, d := range o.Data {
		far = max(far, min(math.Abs(d.Z)*1.1, mostZ))
		points := &seen
		if d.Strange {
			points = &odd
		}
		points.X, points.Y = append(points.X, float64(i+1)), append(points.Y, min(max(d.Z, -mostZ), mostZ))
	}
	ends := []float64{0.5, float64(len(o.Data)) + 0.5}
	seen.Shape, seen.Color, seen.Name = theme.GlyphFilled, st.Data, "result"
	odd.Shape, odd.Color, odd.Name = theme.GlyphStrange, st.Warn, fmt.Sprintf("not understood: beyond %d sd", appraisal.Strange)
	return plot.Chart{X: plot.Axis{Label: "result", Min: ends[0], Max: ends[1], Whole: true}, Y: plot.Axis{Label: "sd off", Min: -far, Max: far},
		Layers: []plot.Layer{plot.Band{X: ends, Lo: []float64{-1.96, -1.96}, Hi: []float64{1.96, 1.96}, Color: st.Band, Name: "95 %"},
			plot.Curve{X: ends, Y: []float64{0, 0}, Color: st.Mean, Line: theme.Dashed, Name: "expected"}, seen, odd}}
}

// drawn is a chart in a panel below its legend.
func (m *Model) drawn(title string, c plot.Chart, w, h int) []string {
	legend := screen.Legend(m.Style, c.Legend(m.Style), w-4, 2)
	var body []string
	for _, l := range legend {
		body = append(body, " "+l)
	}
	body = append(body, c.Draw(w-2, h-2-len(legend), m.Style).Lines()...)
	return screen.Panel(m.Style, m.Style.Plain(title), body, w, h, false)
}

// coverage draws how many results lie inside of each band, with the interval of that, against what is promised.
func (m *Model) coverage(w, h int) []string {
	title := "inside of the bands, %"
	if o := m.objective(); o == nil || o.Coverage == nil && o.Over == nil {
		return m.say(title, "how many results lie inside of the bands of 50, 80 and 95 % stands here when each was left out", w, h)
	}
	return m.drawn(title, m.coverageChart(), w, h)
}

// coverageChart is which share of the results lies inside of each band, and of the truth over the domain, beside what the band promises.
func (m *Model) coverageChart() plot.Chart {
	st, o := m.Style, m.objective()
	levels := o.Coverage
	if levels == nil {
		levels = o.Over
	}
	n := len(levels)
	bars := plot.Errors{Across: true, Color: st.Data, Name: "interval"}
	inside := plot.Points{Shape: theme.GlyphFilled, Color: st.Data, Name: "results"}
	over := plot.Points{Shape: theme.GlyphSquare, Color: st.Truth, Name: "domain"}
	promised := plot.Points{Shape: theme.GlyphDiamond, Color: st.Next, Name: "promised"}
	var marks []scale.Tick
	for l, c := range levels {
		y := float64(n - l)
		marks = slices.Insert(marks, 0, scale.Tick{Value: y, Label: fmt.Sprintf("%.0f", 100*c.Promised)})
		promised.X, promised.Y = append(promised.X, 100*c.Promised), append(promised.Y, y)
		if o.Coverage != nil {
			bars.At, bars.Lo, bars.Hi = append(bars.At, y), append(bars.Lo, 100*c.Low), append(bars.Hi, 100*c.High)
			inside.X, inside.Y = append(inside.X, 100*c.Share()), append(inside.Y, y)
		}
		if o.Over != nil {
			over.X, over.Y = append(over.X, 100*o.Over[l].Share()), append(over.Y, y)
		}
	}
	return plot.Chart{X: plot.Axis{Min: 0, Max: 100}, Y: plot.Axis{Min: 0.4, Max: float64(n) + 0.4, Marks: marks}, Gutter: 5, Layers: []plot.Layer{bars, promised, over, inside}}
}

// histogram draws the probability integral transform.
func (m *Model) histogram(w, h int) []string {
	title := "PIT histogram"
	if o := m.objective(); o == nil || o.Histogram == nil {
		return m.say(title, "the histogram of the probability integral transform, of less than each result, is even where the bands are right, high at the ends where they are too narrow, in the middle where they are too wide", w, h)
	}
	return m.drawn(title, m.histogramChart(), w, h)
}

// histogramChart is the histogram of where each result fell in what was expected of it.
func (m *Model) histogramChart() plot.Chart {
	st, o := m.Style, m.objective()
	var x, y []float64
	most, even := 1.0, float64(len(o.Data))/trust.Bins
	for b, count := range o.Histogram {
		for _, edge := range []float64{float64(b) + 1e-6, float64(b+1) - 1e-6} {
			x, y = append(x, edge/trust.Bins), append(y, float64(count))
		}
		most = max(most, float64(count))
	}
	return plot.Chart{X: plot.Axis{Min: 0, Max: 1}, Y: plot.Axis{Min: 0, Max: math.Max(most, even) * 1.08, Whole: true}, Gutter: 5,
		Layers: []plot.Layer{plot.Area{X: x, Y: y, Color: st.Acquisition, Name: "results"},
			plot.Curve{X: []float64{0, 1}, Y: []float64{even, even}, Color: st.Next, Line: theme.Dashed, Name: "promised"}}}
}

// dependence tells what the mean depends on.
func (m *Model) dependence(w, h int) []string {
	st, o := m.Style, m.objective()
	title := "what the mean depends on"
	var body []string
	name, long := 4, 0
	for j, v := range m.state.Problem.Domain {
		name = min(max(name, len([]rune(v.Name))), w/4)
		if o.Lengths != nil {
			long = max(long, len([]rune(o.Lengths[j])))
		}
	}
	room := w - 2 - name - 3
	if long > 0 {
		room -= long + 3
	}
	if o.First != nil {
		room -= 13
		body = append(body, " "+st.Paint(st.Dim, st.Plain(screen.Fit("", name+1+max(room, 0))+" alone in all"+map[bool]string{true: "  length"}[long > 0])))
	}
	for j, v := range m.state.Problem.Domain {
		line := " " + st.Paint(st.Text, screen.Fit(screen.ShortenIn(st, st.Plain(safe.Text(v.Name)), name), name)) + " "
		if o.First != nil {
			total := o.First[j]
			if o.Total != nil {
				total = max(o.Total[j], total)
			}
			a, b := int(math.Round(o.First[j]*float64(max(room, 0)))), int(math.Round(total*float64(max(room, 0))))
			bar := st.Paint(st.Acquisition, strings.Repeat(st.Plain("━"), a)) + st.Paint(st.Faint, strings.Repeat(st.Plain("─"), max(b-a, 0)))
			line += screen.Fit(bar, max(room, 0)) + st.Paint(st.Dim, fmt.Sprintf("%4.0f %% %4.0f %%", 100*o.First[j], 100*total))
		}
		if long > 0 {
			line += st.Paint(st.Text, "  "+st.Plain(map[bool]string{true: "ℓ "}[o.First == nil]+o.Lengths[j]))
		}
		body = append(body, line)
	}
	return screen.Panel(st, title, body, w, h, false)
}

// alternatives lists what other values of the parameters explain.
func (m *Model) alternatives(w, h int) []string {
	st, title := m.Style, "other assumptions"
	r := m.report
	switch {
	case r == nil:
		return m.say(title, "", w, h)
	case r.Lacking != "":
		return m.say(title, "what other values of the method's parameters explain is told when results were left out", w, h)
	case !r.Tried:
		return m.say(title, "H tries other values of the method's parameters. The "+m.scores(), w, h)
	case len(r.Alternatives) == 0:
		return m.say(title, "no other value of a parameter says anything else of these results", w, h)
	}
	body := []string{" " + st.Paint(st.Dim, st.Plain(screen.ShortenIn(st, "gain in log density ± its standard error", w-4)))}
	from, to := m.listed(h)
	for i := from; i < to; i++ {
		body = append(body, m.alternative(i, r.Alternatives[i], w-2))
	}
	if s := r.Suggested(); s != nil {
		title = "better: " + safe.Text(s.Label+" "+s.Value)
	} else {
		title += ": none is better"
	}
	return screen.Panel(st, st.Plain(screen.ShortenIn(st, title, w-screen.TitleRoom)), body, w, h, true)
}

// listed is the range of alternatives that a panel of h rows has room for: one in each row below the heading.
func (m *Model) listed(h int) (from, to int) {
	n, room := len(m.report.Alternatives), max(h-3, 0)
	from = min(max(m.chosen-room/2, 0), max(n-room, 0))
	return from, min(from+room, n)
}

// alternative is one line of the list.
func (m *Model) alternative(i int, a trust.Alternative, w int) string {
	st := m.Style
	pointer, color := "  ", st.Text
	if i == m.chosen {
		pointer, color = screen.Fit(st.Pointer(), 2), st.Accent
	}
	what := a.Label + " " + a.Value
	gain, shade := fmt.Sprintf("%8s ± %-6s", trust.Gain(a.Gain), strings.TrimPrefix(trust.Gain(a.SE), "+")), st.Dim
	if a.Better {
		gain, shade = gain+" better", st.Good
	}
	wide := min(max(w-46, 16), 34)
	if !math.IsNaN(a.Evidence) && w-wide > 45 {
		gain = screen.Fit(gain, 26) + "  evidence " + trust.Gain(a.Evidence)
	}
	return screen.Fit(st.PaintBold(st.Accent, pointer)+st.Paint(color, screen.Fit(screen.ShortenIn(st, st.Plain(safe.Text(what)), wide), wide))+st.Paint(shade, st.Plain(gain)), w)
}

// scores are the sums that others are compared with.
func (m *Model) scores() string {
	sum, evidence := 0.0, 0.0
	for _, o := range m.report.Objectives {
		sum, evidence = sum+o.LogScore, evidence+o.LogEvidence
	}
	text := "log predictive density of these results is " + screen.Number(sum)
	if !math.IsNaN(evidence) {
		text += ", the log evidence " + screen.Number(evidence)
	}
	return text
}
