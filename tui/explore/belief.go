package explore

import (
	"fmt"
	"math"
	"slices"

	"bandscope/functions"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// drawCache keeps drawn blocks: the window is drawn after every message, the plots only when something in them changed.
type drawCache map[string]cached

type cached struct {
	key   string
	lines []string
}

// lines returns the block of a name, drawn anew if its key differs from the last one's.
func (c *drawCache) lines(name, key string, draw func() []string) []string {
	if *c == nil {
		*c = drawCache{}
	}
	if old, ok := (*c)[name]; ok && old.key == key {
		return old.lines
	}
	drawn := draw()
	(*c)[name] = cached{key, drawn}
	return drawn
}

// beliefPanel shows the belief above and the acquisition below, on the same x axis.
func (m *Model) beliefPanel(l layout) []string {
	w := l.main - 2
	body := []string{m.legendLine(w)}
	key := fmt.Sprint(m.drawKey(), l)
	body = append(body, m.cache.lines("belief", key, func() []string {
		return m.beliefChart().Draw(w, l.belief, m.style).Lines()
	})...)
	if l.acq == 0 {
		return screen.Panel(m.style, m.beliefTitle(), body, l.main, l.height, false)
	}
	acq := m.cache.lines("acquisition", key, func() []string {
		return m.acquisitionChart().Draw(w, l.acq, m.style).Lines()
	})
	lines := screen.Panel(m.style, m.beliefTitle(), append(append(body, ""), acq...), l.main, l.height, false)
	lines[2+l.belief] = screen.Divide(m.style, m.acquisitionTitle(), l.main)
	return lines
}

// drawKey names everything that the plots depend on, besides their size.
func (m *Model) drawKey() string {
	key := fmt.Sprintf("%p %v %v %s %s", m.shown(), m.reveal, m.mode == querying, m.state.Head, m.style.Key())
	if m.mode == querying {
		key += fmt.Sprint(m.query.at)
	}
	return key
}

// shown is the picture to draw: none while a new one has been in the making for so long that the old one would mislead.
func (m *Model) shown() *picture {
	if m.pic != nil && m.pic.head != m.state.Head && m.jobs.Late() {
		return nil
	}
	return m.pic
}

// objective is the problem's first objective.
func (m *Model) objective() functions.Objective { return m.state.Problem.Objectives[0] }

func (m *Model) beliefTitle() string {
	what := "belief"
	if len(m.state.Iterations) == 0 {
		what = "prior belief"
	}
	title := fmt.Sprintf("%s · %s %s", what, m.objective().Direction, m.objective().Name)
	if m.state.Problem.Dim() > 1 {
		v := m.state.Problem.Domain[m.view.variable]
		title += fmt.Sprintf(" along %s, the others at the best point ([ ] turn)", v.Name)
	}
	return m.style.Plain(title)
}

func (m *Model) acquisitionTitle() string {
	p := m.shown()
	if p == nil {
		return "acquisition"
	}
	return m.style.Plain("acquisition: " + p.legend.Acquisition)
}

// legendLine names what is drawn, each with the glyph or line that it is drawn with; the first entries stay in a narrow window.
func (m *Model) legendLine(w int) string {
	st := m.style
	var entries []string
	add := func(color theme.Color, mark, name string) {
		entries = append(entries, st.PaintBold(color, mark)+" "+st.Paint(st.Dim, name))
	}
	p := m.shown()
	if p != nil && len(p.lower) > 0 {
		entries = append(entries, st.Swatch(st.Band)+" "+st.Paint(st.Dim, st.Plain(p.legend.Band)))
	}
	if p != nil && p.legend.Used != "" {
		add(st.Used, st.LineMark(theme.Solid), p.legend.Used)
	}
	if p != nil && len(p.mean) > 0 {
		add(st.Mean, st.LineMark(theme.Dashed), p.legend.Mean)
	}
	if m.reveal {
		add(st.Truth, st.LineMark(theme.Dotted), "true function")
	}
	add(st.Next, st.Glyph(theme.GlyphDiamond), "next")
	add(st.Newest, st.Glyph(theme.GlyphTarget), "newest")
	add(st.Best, st.Glyph(theme.GlyphStar), "best")
	if p != nil && len(p.samples) > 0 {
		add(st.Sample, st.LineMark(theme.Fine), fmt.Sprintf("%d × %s", len(p.samples), p.legend.Samples))
	}
	return " " + screen.FitEntries(entries, "  ", w-2)
}

// beliefChart draws the truth, the data, the band, the samples and the next query.
func (m *Model) beliefChart() plot.Chart {
	v := m.state.Problem.Domain[m.view.variable]
	lo, hi := m.valueRange()
	c := plot.Chart{
		X: plot.Axis{Label: v.Name, Min: v.Low, Max: v.High, HideTicks: m.hasAcquisition()},
		Y: plot.Axis{Label: m.objective().Name, Min: lo, Max: hi}, Gutter: gutter,
	}
	st := m.style
	if p := m.shown(); p != nil {
		if len(p.lower) > 0 {
			c.Layers = append(c.Layers, plot.Band{X: p.grid, Lo: p.lower, Hi: p.upper, Color: st.Band})
		}
		for _, s := range p.samples {
			c.Layers = append(c.Layers, plot.Curve{X: p.grid, Y: s, Color: st.Sample, Line: theme.Fine, Priority: 1})
		}
		if len(p.mean) > 0 {
			c.Layers = append(c.Layers, plot.Curve{X: p.grid, Y: p.mean, Color: st.Mean, Line: theme.Dashed, Priority: 3})
		}
		if len(p.used) > 0 {
			c.Layers = append(c.Layers, plot.Curve{X: p.grid, Y: p.used, Color: st.Used, Priority: 4})
		}
	}
	if m.reveal {
		c.Layers = append(c.Layers, plot.Curve{X: m.truth.x, Y: m.truth.y, Color: st.Truth, Line: theme.Dotted, Priority: 2})
	}
	c.Layers = append(c.Layers, m.rules()...)
	return m.addPoints(c)
}

// gutter is the width of the axis labels at the left of both plots, so that their x axes stand above each other.
const gutter = 8

// rules are the vertical lines of the next query and the cursor.
func (m *Model) rules() []plot.Layer {
	var layers []plot.Layer
	if p := m.shown(); p != nil {
		for _, x := range p.next {
			layers = append(layers, plot.Rule{At: x[m.view.variable], Color: m.style.Next})
		}
	}
	if m.mode == querying {
		layers = append(layers, plot.Rule{At: m.query.at[m.view.variable], Color: m.style.Cursor, Solid: true})
	}
	return layers
}

// addPoints puts the data on a chart: the newest and the best are marked. In a slice through several variables the points
// lie beside the slice and are drawn faint, but for the best, through which it goes.
func (m *Model) addPoints(c plot.Chart) plot.Chart {
	st, v := m.style, m.view.variable
	var data, failed, newest plot.Points
	_, best, bestStep, ok := m.state.Best()
	data = plot.Points{Shape: theme.GlyphFilled, Color: st.Data}
	if m.state.Problem.Dim() > 1 {
		data = plot.Points{Shape: theme.GlyphHollow, Color: st.Dim}
	}
	failed = plot.Points{Shape: theme.GlyphCross, Color: st.Error}
	newest = plot.Points{Shape: theme.GlyphTarget, Color: st.Newest}
	star := plot.Points{Shape: theme.GlyphStar, Color: st.Best}
	n := len(m.state.Iterations)
	for i, it := range m.state.Iterations {
		for b, x := range it.X {
			switch {
			case it.Failed[b]:
				failed.X, failed.Y = append(failed.X, x[v]), append(failed.Y, c.Y.Min)
			case i == n-1:
				newest.X, newest.Y = append(newest.X, x[v]), append(newest.Y, it.Y[b][0])
			default:
				data.X, data.Y = append(data.X, x[v]), append(data.Y, it.Y[b][0])
			}
			if ok && it.Step == bestStep && it.Y[b][0] == best {
				star.X, star.Y = []float64{x[v]}, []float64{best}
			}
		}
	}
	next := plot.Points{Shape: theme.GlyphDiamond, Color: st.Next}
	if p := m.shown(); p != nil {
		for _, x := range p.next {
			y := p.at(p.used, x[v])
			if math.IsNaN(y) {
				y = p.at(p.mean, x[v])
			}
			if math.IsNaN(y) {
				y = c.Y.Min
			}
			next.X, next.Y = append(next.X, x[v]), append(next.Y, min(max(y, c.Y.Min), c.Y.Max))
		}
	}
	c.Layers = append(c.Layers, data, failed, newest, star, next)
	return c
}

// valueRange is the range of the y axis: what is known for certain first (data, and the truth while it is shown), and of
// the band what does not dwarf that.
func (m *Model) valueRange() (lo, hi float64) {
	var sure []float64
	for _, it := range m.state.Iterations {
		for _, y := range it.Y {
			sure = append(sure, y[0])
		}
	}
	if m.reveal {
		sure = append(sure, m.truth.y...)
	}
	lo, hi = plot.Span(sure)
	if p := m.shown(); p != nil && len(p.lower) > 0 {
		blo, bhi := plot.Span(slices.Concat(p.lower, p.upper))
		if lo > hi { // nothing is known for certain
			return plot.Pad(blo, bhi)
		}
		room := hi - lo
		if m.reveal {
			room /= 6
		}
		lo, hi = max(min(lo, blo), lo-room), min(max(hi, bhi), hi+room)
	} else if p != nil && len(p.used) > 0 && lo > hi {
		lo, hi = plot.Span(p.used)
	}
	return plot.Pad(lo, hi)
}

// acquisitionChart draws the acquisition, filled from below, with the next query marked.
func (m *Model) acquisitionChart() plot.Chart {
	v := m.state.Problem.Domain[m.view.variable]
	c := plot.Chart{X: plot.Axis{Label: v.Name, Min: v.Low, Max: v.High}, Gutter: gutter}
	p := m.shown()
	if p == nil || len(p.acquisition) == 0 {
		c.Y = plot.Axis{Min: 0, Max: 1, HideTicks: true}
		return c
	}
	lo, hi := plot.Pad(plot.Span(p.acquisition))
	c.Y = plot.Axis{Min: lo, Max: hi}
	c.Layers = append(c.Layers, plot.Area{X: p.grid, Y: p.acquisition, Color: m.style.Acquisition})
	c.Layers = append(c.Layers, m.rules()...)
	next := plot.Points{Shape: theme.GlyphDiamond, Color: m.style.Next}
	for _, x := range p.next {
		next.X, next.Y = append(next.X, x[m.view.variable]), append(next.Y, p.at(p.acquisition, x[m.view.variable]))
	}
	if !p.byStart {
		c.Layers = append(c.Layers, next)
	}
	return c
}

// plotColumns is how many columns the x axis has.
func (m *Model) plotColumns() int { return max(m.layout().main-2-gutter, 1) }

// columnValue is the value of the x axis under a cell of the window; false outside of the plots.
func (m *Model) columnValue(col, row int) (float64, bool) {
	l := m.layout()
	if row < l.plotTop || row >= headRows+l.height-1 {
		return 0, false
	}
	frame := m.beliefChart().Frame(l.main-2, l.belief)
	x, ok := frame.X(float64(col) - 1 + 0.5)
	return x, ok
}
