package explore

import (
	"fmt"

	"bandscope/functions"
	"bandscope/tui/belief"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
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

// mostLegend is how many rows a legend has at most where shorter names do it.
const mostLegend = 3

// legend names everything that the large plot draws, in rows of w columns at most.
func (m *Model) legend(w int) []string {
	var layers func() []plot.Layer
	key := fmt.Sprint(m.aiming(), m.lower() != nil, m.overlay().Cursor != nil, m.reveal, w, m.steering, m.planar, m.style.Key(), m.state.Head, m.asking())
	switch o := m.steer.outcomes; {
	case m.steering && o != nil:
		d := m.outcomeDrawing()
		key += fmt.Sprintf("%p %v %v %d %v", o, d.Boxes, d.Moving, m.steer.first, len(d.Attainable))
		layers = func() []plot.Layer { return m.steerLayers(d, w) }
	case m.steering:
		return []string{""}
	case m.planar && m.plane.picture != nil:
		key += fmt.Sprintf("%p %v %v %d", m.plane.picture, m.plane.contours, m.plane.numbers, m.plane.big)
		layers = func() []plot.Layer {
			d := m.planeDrawing()
			return d.Chart(m.large(), d.Scale(m.large()), false).Layers
		}
	case m.planar:
		return []string{""}
	default:
		key += m.drawKey()
		layers = func() []plot.Layer { return append(m.drawing().Chart().Layers, m.guessLayer()...) }
	}
	return m.cache.lines("legend", key, func() []string {
		most := 1 + min((m.height-headRows-footRows)/12, mostLegend-1)
		rows := screen.Legend(m.style, plot.LegendOf(m.style, layers()), w-2, most)
		for i := range rows {
			rows[i] = " " + rows[i]
		}
		for len(rows) == 0 || m.aiming() && len(rows) < most { // the plot stays where it is while a box is dragged
			rows = append(rows, "")
		}
		return rows
	})
}

// beliefPanel shows the belief above and the acquisition below, on the same x axis.
func (m *Model) beliefPanel(l layout) []string {
	w := l.main - 2
	body := m.legend(w)
	key := fmt.Sprint(m.drawKey(), l)
	body = append(body, m.cache.lines("belief", key, func() []string {
		c := m.drawing().Chart()
		c.Layers = append(c.Layers, m.guessLayer()...)
		return c.Draw(w, l.belief, m.style).Lines()
	})...)
	if l.acq == 0 {
		return screen.Panel(m.style, m.beliefTitle(), body, l.main, l.height, false)
	}
	acq := m.cache.lines("acquisition", key, func() []string {
		return m.drawing().AcquisitionChart().Draw(w, l.acq, m.style).Lines()
	})
	body = append(append(body, ""), acq...)
	if l.cost > 0 {
		body = append(append(body, ""), m.cache.lines("cost", key, func() []string {
			return m.drawing().CostChart().Draw(w, l.cost, m.style).Lines()
		})...)
	}
	lines := screen.Panel(m.style, m.beliefTitle(), body, l.main, l.height, false)
	lines[1+l.legend+l.belief] = screen.Divide(m.style, m.acquisitionTitle(), l.main)
	if l.cost > 0 {
		lines[2+l.legend+l.belief+l.acq] = screen.Divide(m.style, m.style.Plain("cost: "+m.state.Problem.Cost.Text), l.main)
	}
	return lines
}

// drawKey names everything that the plots depend on, besides their size.
func (m *Model) drawKey() string {
	key := fmt.Sprintf("%p %v %v %v %s %s", m.shown(), m.reveal, m.asking(), m.answered(), m.state.Head, m.style.Key())
	key += fmt.Sprint(m.overlay())
	return key
}

// shown is the picture to draw: none while a new one has been in the making for so long that the old one would mislead.
func (m *Model) shown() *belief.Picture {
	if m.pic != nil && m.pic.Head != m.state.Head && m.jobs.Late() {
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
		v := m.state.Problem.Domain[m.view.Variable]
		title += fmt.Sprintf(" along %s, the others at the best point ([ ] turn)", v.Name)
	}
	return m.style.Plain(title)
}

func (m *Model) acquisitionTitle() string {
	p := m.shown()
	if p == nil {
		return "acquisition"
	}
	return m.style.Plain(belief.AcquisitionName(p.Legend))
}

// plotColumns is how many columns the x axis has.
func (m *Model) plotColumns() int { return max(m.layout().main-2-belief.Gutter, 1) }

// columnValue is the value of the x axis under a cell of the window; false outside of the plots.
func (m *Model) columnValue(col, row int) (float64, bool) {
	l := m.layout()
	if row < l.plotTop || row >= headRows+l.height-1 {
		return 0, false
	}
	frame := m.drawing().Chart().Frame(l.main-2, l.belief)
	x, ok := frame.X(float64(col) - 1 + 0.5)
	return x, ok
}

// drawing declares what the plots show.
func (m *Model) drawing() belief.Drawing {
	d := belief.Drawing{Style: m.style, State: m.state, Picture: m.shown(), Truth: m.truth, Variable: m.view.Variable, Reveal: m.reveal,
		Above: m.hasAcquisition()}
	d.Cursor = m.overlay().Cursor
	if m.asking() && d.Picture != nil {
		hidden := *d.Picture
		hidden.Next, hidden.Acquisition, hidden.Used, hidden.Legend.Used = nil, nil, nil, ""
		d.Picture, d.Reveal = &hidden, false
	}
	return d
}
