package explore

import (
	"slices"

	"bandscope/tui/explore/modes"
	"bandscope/tui/explore/results"
	"bandscope/tui/explore/summary"
	"bandscope/tui/explore/view"
	"bandscope/tui/layout"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// panelSizes is where the panels are, in cells.
type panelSizes struct {
	side    int // width of the side panels
	main    int // width of the picture
	height  int // height of the panels
	params  int // height of the parameter panel
	pending int // height of the list of pending points
	regret  int // height of the regret panel
}

func (m *Model) layout() panelSizes {
	l := panelSizes{height: m.Height - view.HeadRows - view.FootRows}
	l.side = view.SideWidth(m.Width, m.hasText())
	if p := m.Panel(); p != nil {
		l.side = p.Width(m.Width, l.side)
	}
	if m.large != nothingLarge && m.Panel() == nil {
		return m.enlargedSizes(l)
	}
	l.main = m.Width - l.side
	l.regret = layout.Split(l.height, layout.Rule{Flex: 3}, layout.Rule{Min: 8, Flex: 2, Max: 24})[1]
	if m.hasSummary() && len(m.state.Iterations) > 0 {
		l.regret = layout.Split(l.height, layout.Rule{Flex: 1}, layout.Rule{Min: 8, Flex: 1, Max: 28})[1]
	}
	l.pending = m.pendingHeight(l)
	switch {
	case l.pending == 0:
	case m.hasSummary() && len(m.state.Iterations) > 0 && l.height-l.pending-minParams < minTraces && m.Panel() == nil:
		// the outlook is more useful than the parameters
		l.regret = l.height - l.pending
	default:
		l.regret = max(min(l.regret, l.height-l.pending-minParams), 0)
		if l.regret < minTraces {
			l.pending, l.regret = max(l.pending, l.regret), 0
		}
	}
	l.params = l.height - l.regret - l.pending
	return l
}

// enlargedSizes is where the panels are if one has the whole window.
func (m *Model) enlargedSizes(l panelSizes) panelSizes {
	if m.large == plotLarge {
		l.side, l.main = 0, m.Width
		return l
	}
	l.side, l.regret = m.Width, l.height
	return l
}

// Frame is the screen: the header, the picture with the timeline over its lower edge, the side panels, the status line
// and the footer.
func (m *Model) Frame() *layout.Box {
	l := m.layout()
	panels := layout.Row()
	if l.main > 0 {
		main := m.picture().Panel(m.stage())
		main.Actions = m.pictureActions()
		if m.planeShown() && m.Modes.Active == nil {
			main.Wheel = [2]string{"z", "Z"}
		}
		if bar := m.Bar(l.main).Box(); bar != nil {
			edge := layout.Row(layout.Line(" "), bar, layout.Line(" ")).At(2, main.H-1)
			edge.Overlaps = true
			main.Add(edge)
		}
		panels.Beside(main)
	}
	if l.side > 0 {
		panels.Beside(m.sidePanels(l))
	}
	return layout.Column(m.heading().Box(), panels.Filled(l.height), m.statusLine(), m.keysLine())
}

// heading is the top line: problem and method at the left, progress at the right.
func (m *Model) heading() summary.Header {
	line := summary.Header{State: m.state, Style: m.Style, Width: m.Width, Reveal: m.reveal}
	if o := m.frontOutcomes(); o != nil {
		line.Volume = o.Traces.Hypervolume
	}
	return line
}

// sidePanels are the panels at the right: the panel of a mode, or the notes, or the parameters; below it the pending
// points, and the traces or the outlook, as far as they fit.
func (m *Model) sidePanels(l panelSizes) *layout.Box {
	var upper *layout.Box
	switch p := m.Panel(); {
	case p != nil && p.Whole():
		return p.Panel(m.Scene(), l.side, l.height)
	case p != nil:
		upper = p.Panel(m.Scene(), l.side, l.params)
	case m.NotesShown():
		upper = acting(m.NotesPanel.Panel(m.Style, m.Notes(), l.side, m.notesHeight(l)), noteActions)
		if upper.Wheel = [2]string{"pgup", "pgdown"}; upper.H == l.height {
			return upper
		}
	case l.params > 0:
		upper = acting(modes.ParameterPanel(m.Scene(), m.facts(), l.side, l.params), parameterActions)
	}
	side := layout.Column(upper)
	if l.pending > 0 {
		side.Below(acting(results.Box(m.pendingScene(), l.side, l.pending), pendingActions))
	}
	if s := m.traceScene(); l.regret > 0 && m.hasSummary() {
		side.Below(acting(m.modelSummary.Box(s.Scene), traceActions))
	} else if l.regret > 0 {
		side.Below(acting(m.traces.Box(s), traceActions))
	}
	return side
}

// keysLine is the footer: as many keys as fit.
func (m *Model) keysLine() *layout.Box {
	bindings := m.hinted()
	if m.Status.Open() {
		return m.Status.ExplainBox(m.Style, m.Width)
	}
	if m.Modes.Active != nil {
		bindings = m.Modes.Hints(m.Scene)
	}
	shown := slices.Clone(bindings)
	for i, b := range shown {
		switch {
		case b.Help().Key == player.RunKey.Help().Key && m.Running:
			shown[i].SetHelp(b.Help().Key, "pause")
		case m.stepping() && b.Help().Key == "enter":
			shown[i].SetHelp("enter", m.enters())
		case m.stepping() && b.Help().Key == "space" && m.stepAsks():
			shown[i].SetHelp("space", "next point")
		}
	}
	return widget.KeysBox(m.Style, shown, m.Width)
}
