package compare

import (
	"fmt"
	"math"
	"slices"

	"bandscope/optimizers"
	"bandscope/tui/belief"
	"bandscope/tui/belief/along"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// drawing declares the charts of a pane.
func (m *Model) drawing(p *pane) belief.Drawing {
	state := p.state
	if state.Problem == nil {
		state = m.base.State()
	}
	return belief.Drawing{Style: m.Style, State: state, Picture: p.picture, Truth: m.shown.truth, Variable: m.shown.view.Variable, Reveal: m.shown.reveal, NoBand: m.comparison.NoBand}
}

// sharedRange is the range of the y axis that all beliefs have.
func (m *Model) sharedRange() []float64 {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, p := range m.panes {
		l, h := m.drawing(p).Range()
		lo, hi = min(lo, l), max(hi, h)
	}
	return []float64{lo, hi}
}

// acquisitions are the values of the acquisitions of all panes that are the same quantity as that of one of them.
func (m *Model) acquisitions(p *pane) (values []float64) {
	for _, other := range m.panes {
		if other.picture != nil && sameAcquisition(other.picture.Legend, p.picture.Legend) {
			values = append(values, other.picture.Acquisition...)
		}
	}
	return values
}

// sameAcquisition reports whether two acquisitions are the same quantity, by what they are called.
func sameAcquisition(a, b optimizers.Legend) bool {
	return belief.AcquisitionName(a) == belief.AcquisitionName(b)
}

// panePanel is one belief with its legend.
func (m *Model) panePanel(i, w, h int, span []float64) []string {
	if m.shown.planar {
		return m.planePanel(i, w, h)
	}
	p := m.panes[i]
	waiting := ""
	switch {
	case p.picture == nil:
		waiting = "fitting…"
	case m.shown.acquisition && len(p.picture.Acquisition) == 0:
		waiting = "this method has no acquisition function"
	}
	return m.framed(i, w, h, nil, waiting, func(rows int) []string {
		d := m.drawing(p)
		d.Y = span
		if m.shown.acquisition {
			d.Acquisitions = m.acquisitions(p)
			return m.charted(d.AcquisitionChart(), w-2, rows)
		}
		return m.charted(d.Chart(), w-2, rows)
	})
}

// overlay lays all beliefs over each other: bands blended, means told apart by colour, line and letter.
func (m *Model) overlay(w, h int) []string {
	st := m.Style
	span := m.sharedRange()
	state := m.base.State()
	v := state.Problem.Domain[m.shown.view.Variable]
	c := plot.Chart{X: along.Axis(v), Y: plot.Axis{Label: belief.AxisName(state.Problem.Objectives[0]), Min: span[0], Max: span[1], Log: state.Problem.Objectives[0].Gauge().Log()},
		Gutter: belief.Gutter}
	if m.shown.reveal && !m.shown.acquisition && len(m.shown.truth.X) > 0 {
		c.Layers = append(c.Layers, plot.Curve{X: m.shown.truth.X, Y: m.shown.truth.Y, Color: st.Truth, Line: theme.Marked, Priority: 2, Name: "truth"})
	}
	for i, p := range slices.Backward(m.panes) { // the legend has them the other way round
		c.Layers = append(c.Layers, m.overlayLayers(i, p)...)
	}
	data := m.drawing(&pane{state: state})
	c.Layers = append(c.Layers, data.Data(c)...)
	return screen.Panel(st, "beliefs", m.charted(c, w-2, h-2), w, h, false)
}

// overlayLayers are the layers of one belief among others.
func (m *Model) overlayLayers(i int, p *pane) []plot.Layer {
	st := m.Style
	pic := p.picture
	if pic == nil || len(pic.Lower) == 0 {
		return nil
	}
	name := letter(i) + " " + m.paneTitle(p)
	steps := pic.Steps()
	layers := []plot.Layer{plot.Band{X: steps.X, Lo: steps.Y(pic.Lower), Hi: steps.Y(pic.Upper), Color: st.SeriesBand[i], Second: i > 0, Name: name}}
	layers = append(layers, plot.Curve{X: steps.X, Y: steps.Y(pic.Mean), Color: st.Series[i], Line: lines[i], Priority: 4 + i, Name: name})
	at, v := pic.Grid[(len(pic.Grid)-1)*(2*i+3)/12], m.base.State().Problem.Domain[m.shown.view.Variable] // letters stand apart from each other, and beside data
	return append(layers, plot.Label{X: along.Spread(v, at, 0, 4), Y: pic.At(pic.Mean, at), Text: letter(i), Color: st.Series[i]})
}

// distance tells how far the first two bands are apart.
func (m *Model) distance() (string, bool) {
	a, b := m.panes[0].picture, m.panes[1].picture
	if a == nil || b == nil || len(a.Mean) == 0 || len(b.Mean) == 0 {
		return "", false
	}
	apart, spread := belief.Distance(a, b)
	text := fmt.Sprintf("distance of A from B %s, %.0f %% of B's spread", m.base.State().Problem.Objectives[0].Gauge().Difference(apart, screen.Number), 100*apart/spread)
	if count := a.Legend.Draws; count > 0 {
		text += fmt.Sprintf(" (%d draws alone leave about %.0f %%)", count, 100*math.Sqrt(1.5/float64(count)))
	}
	return text, true
}
