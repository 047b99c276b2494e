package explore

import (
	"bandscope/sessions"
	"fmt"
	"math"
	"slices"

	"bandscope/tui/belief"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// planeLayout is where the parts of the plane's panel are, in cells inside of its frame.
type planeLayout struct {
	w, h         int // of the large field with its axes
	bar          int // width of the colour bar
	small        int // width of the small fields, 0 where there is no room
	slices       int // height of the slices with their dividing line, 0 where there is no room
	plotW, plotH int
}

func (m *Model) planeLayout() planeLayout {
	l := m.layout()
	p := planeLayout{w: l.main - 2, h: l.height - 2 - l.legend, bar: 10}
	if l.height >= 28 || m.overlay().Cursor != nil {
		p.slices = max(p.h/4, 6)
	}
	p.h -= p.slices
	if p.w >= 66 && p.h >= 16 {
		p.small = max(p.w/4, 20)
	}
	p.plotW, p.plotH = p.w-p.small-p.bar, p.h
	return p
}

// planeFrame is the geometry of the large field.
func (m *Model) planeFrame() plot.Frame {
	p := m.planeLayout()
	if m.plane.picture == nil {
		return plot.Frame{}
	}
	d := m.planeDrawing()
	return d.Chart(m.large(), d.Scale(m.large()), false).Frame(p.plotW, p.plotH)
}

// planeDrawing declares what the fields show.
func (m *Model) planeDrawing() belief.PlaneDrawing {
	d := belief.PlaneDrawing{Style: m.style, State: m.state, Plane: m.plane.picture, Map: colorMaps[m.plane.colors], Shared: !m.plane.own,
		Contours: m.plane.contours, Numbers: m.plane.numbers, Reveal: m.reveal}
	d.Cursor = m.overlay().Cursor
	return d
}

// mainPanel is the belief along one variable, or over two.
func (m *Model) mainPanel(l layout) []string {
	if m.steering {
		return m.steerPanel(l)
	}
	if !m.planar {
		return m.beliefPanel(l)
	}
	p := m.plane.picture
	if p == nil || (p.Head != m.state.Head && m.jobs.Late()) {
		return screen.Panel(m.style, m.planeTitle(), []string{"", " " + m.style.Paint(m.style.Dim, m.style.Plain("fitting…"))}, l.main, l.height, false)
	}
	pl := m.planeLayout()
	d := m.planeDrawing()
	key := fmt.Sprintf("%p %v %v %v %s %d %+v %v", p, m.plane.view, m.reveal, m.overlay(), m.style.Key(), m.plane.big, pl, []any{m.plane.contours, m.plane.numbers, m.plane.own, m.plane.colors, m.state.Head})
	key += fmt.Sprint(m.overlay())
	body := slices.Clone(m.legend(l.main - 2))
	body = append(body, m.cache.lines("plane", key, func() []string { return m.fields(d, pl) })...)
	at := len(body)
	if pl.slices > 0 {
		body = append(body, "")
		body = append(body, m.sliceLines(l.main-2, pl.slices-1)...)
	}
	lines := screen.Panel(m.style, m.planeTitle(), body, l.main, l.height, false)
	if pl.slices > 0 {
		what := "along the best point"
		if m.overlay().Cursor != nil {
			what = "along the cursor"
		}
		lines[1+at] = screen.Divide(m.style, what, l.main)
	}
	return lines
}

// large is the field that is shown large: the chosen one, or while that is computed the function that chooses, which is at hand first.
func (m *Model) large() belief.FieldKind {
	p := m.plane.picture
	if p != nil && len(p.Fields[m.plane.big].Z) == 0 && !p.Known[m.plane.big] && len(p.Fields[belief.SampleField].Z) > 0 {
		return belief.SampleField
	}
	return m.plane.big
}

// planeTitle names the large field.
func (m *Model) planeTitle() string {
	title := fmt.Sprintf("%d %s", m.large()+1, m.plane.picture.Name(m.large()))
	if d := m.state.Problem.Dim(); d > 2 {
		where := "at the best point"
		if m.overlay().Cursor != nil {
			where = "at the cursor"
		}
		title += fmt.Sprintf(" · the other %d variables %s ([ ] { } turn)", d-2, where)
	}
	if n := len(m.plane.zooms); n > 0 {
		title += fmt.Sprintf(" · ×%d", 1<<n)
	}
	return m.style.Plain(title)
}

// fields are the large field with its colour bar, and the others, small, at its right.
func (m *Model) fields(d belief.PlaneDrawing, pl planeLayout) []string {
	big := m.large()
	scale := d.Scale(big)
	blocks := [][]string{m.fieldLines(d, big, scale, pl.plotW, pl.plotH, false)}
	bar := plot.ColorBar(scale, pl.bar-1, pl.plotH-1, m.style)
	for i := range bar {
		bar[i] = " " + bar[i]
	}
	blocks = append(blocks, append(bar, screen.Fit("", pl.bar)))
	if pl.small > 0 {
		blocks = append(blocks, m.smallFields(d, pl))
	}
	return screen.Beside(blocks...)
}

// smallFields are the other fields, one under the other, each with its name and its range.
func (m *Model) smallFields(d belief.PlaneDrawing, pl planeLayout) []string {
	st := m.style
	var kinds []belief.FieldKind
	for k := range belief.FieldKinds {
		if k != m.large() && (k != belief.TrueField || m.reveal) && (k != belief.CostField || m.state.Problem.Cost != nil) {
			kinds = append(kinds, k)
		}
	}
	var lines []string
	for i, k := range kinds {
		top, bottom := pl.plotH*i/len(kinds), pl.plotH*(i+1)/len(kinds)
		scale := d.Scale(k)
		name := [...]string{"truth", "mean", "sd", "acquisition", "sample", "cost"}[k]
		title := fmt.Sprintf(" %d %s", k+1, name)
		if len(d.Plane.Fields[k].Z) > 0 {
			title += ends(scale, pl.small-len(title))
		}
		lines = append(lines, screen.Fit(st.Paint(st.Dim, st.Plain(title)), pl.small))
		for _, l := range m.fieldLines(d, k, scale, pl.small, bottom-top-1, true) {
			lines = append(lines, screen.Fit(l, pl.small))
		}
	}
	return lines
}

// ends are the ends of a scale in at most w columns, with as many digits as there is room for; nothing where there is none for either.
func ends(s plot.Scale, w int) string {
	const between = " to "
	room := w - len(between) - 1
	lo := screen.NumberIn(s.Lo, (room+1)/2)
	hi := screen.NumberIn(s.Hi, room-len(lo))
	lo = screen.NumberIn(s.Lo, room-len(hi))
	if room < 2 || lo == "…" || hi == "…" {
		return ""
	}
	return " " + lo + between + hi
}

// fieldLines is one field, or why there is none.
func (m *Model) fieldLines(d belief.PlaneDrawing, k belief.FieldKind, scale plot.Scale, w, h int, small bool) []string {
	if k == belief.TrueField && !m.reveal {
		return m.saying("the true function is hidden (t)", w, h)
	}
	if len(d.Plane.Fields[k].Z) == 0 {
		if d.Plane.Known[k] {
			return m.saying("this method has none", w, h)
		}
		return m.saying("computing…", w, h)
	}
	return d.Chart(k, scale, small).Draw(w, h, m.style).Lines()
}

// saying is a sentence in the place of a plot.
func (m *Model) saying(text string, w, h int) []string {
	lines := make([]string, max(h, 0))
	for i := range lines {
		lines[i] = screen.Fit("", w)
	}
	for i, said := range screen.Wrap(text, w-4) {
		if at := min(1, h-1) + i; at < h {
			lines[at] = screen.Fit("  "+m.style.Paint(m.style.Dim, m.style.Plain(said)), w)
		}
	}
	return lines
}

// sliceLines are the two slices through the cursor side by side.
func (m *Model) sliceLines(w, h int) []string {
	var blocks [][]string
	for k := range 2 {
		width := w/2 + k*(w-2*(w/2))
		p := m.plane.slices[k]
		if p == nil {
			why := "computing…"
			if m.plane.blank != nil {
				why = sessions.Sanitize("no slice: " + m.plane.blank.Error())
			}
			blocks = append(blocks, m.saying(why, width, h))
			continue
		}
		d := belief.Drawing{Style: m.style, State: m.state, Picture: p, Variable: p.View.Variable, Reveal: m.reveal, Cursor: m.cursorOrAnchor(),
			Truth: belief.TruthAlong(m.state, p.View.Variable, p.Anchor)}
		key := fmt.Sprintf("%p %d %d %v %v %s %s", p, width, h, m.reveal, m.overlay(), m.style.Key(), m.state.Head)
		blocks = append(blocks, m.cache.lines(fmt.Sprint("slice", k), key, func() []string { return d.Chart().Draw(width, h, m.style).Lines() }))
	}
	return screen.Beside(blocks...)
}

// outcomesPanel shows all outcomes of the data, of which the plot shows a pair: a line a point from objective to objective, 1 being best, those
// that nothing dominates in front.
func (m *Model) outcomesPanel(l layout) []string {
	st, o := m.style, m.steer.outcomes
	objectives := m.state.Problem.Objectives
	c := plot.Chart{X: plot.Axis{Min: 1, Max: float64(len(objectives)), Label: "objective", Whole: true}, Y: plot.Axis{Min: -0.1, Max: 1.2}, Gutter: 5}
	xs := make([]float64, len(objectives))
	for k := range xs {
		xs[k] = float64(k + 1)
	}
	if o != nil {
		dominated := m.outcomeDrawing().Dominated()
		for i, it := range m.state.Iterations {
			for b, y := range it.Y {
				if it.Failed[b] {
					continue
				}
				line := plot.Curve{X: xs, Y: m.state.Outcome(y, o.Lo, o.Hi), Color: st.Sample, Line: theme.Fine, Priority: 1}
				switch {
				case i == len(m.state.Iterations)-1:
					line.Color, line.Line, line.Priority = st.Newest, theme.Dashed, 5
				case !dominated[i][b]:
					line.Color, line.Line, line.Priority = st.Data, theme.Solid, 4
				}
				c.Layers = append(c.Layers, line)
			}
		}
	}
	return screen.Panel(st, "all outcomes, 1 best", c.Draw(l.side-2, l.regret-2, st).Lines(), l.side, l.regret, false)
}

// coordinatesPanel shows the values of all variables of the data: a line a point from variable to variable, the best and the newest in front.
func (m *Model) coordinatesPanel(l layout) []string {
	st := m.style
	d := m.state.Problem.Dim()
	c := plot.Chart{X: plot.Axis{Min: 1, Max: math.Max(float64(d), 2), Label: "variable", Whole: true}, Y: plot.Axis{Min: 0, Max: 1}, Gutter: 5}
	xs := make([]float64, d)
	for i := range xs {
		xs[i] = float64(i + 1)
	}
	_, best, bestStep, ok := m.state.Best()
	n := len(m.state.Iterations)
	for i, it := range m.state.Iterations {
		for b, x := range it.X {
			line := plot.Curve{X: xs, Y: m.state.Problem.Domain.ToUnit(x), Color: st.Sample, Line: theme.Fine, Priority: 1}
			switch {
			case ok && it.Step == bestStep && !it.Failed[b] && it.Y[b][0] == best:
				line.Color, line.Line, line.Priority = st.Best, theme.Solid, 5
			case i == n-1:
				line.Color, line.Line, line.Priority = st.Newest, theme.Dashed, 4
			}
			c.Layers = append(c.Layers, line)
		}
	}
	title := "all variables of the data"
	return screen.Panel(st, title, c.Draw(l.side-2, l.regret-2, st).Lines(), l.side, l.regret, false)
}
