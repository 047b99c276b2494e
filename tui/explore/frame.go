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

// places is where the panels are, in cells.
type places struct {
	side   int // width of the side panels
	main   int // width of the picture
	height int // height of the panels
	params int // height of the parameter panel
	out    int // height of the list of what is out
	regret int // height of the regret panel
}

func (m *Model) layout() places {
	l := places{height: m.Height - view.HeadRows - view.FootRows}
	l.side = view.Side(m.Width, m.paged())
	if p := m.Panel(); p != nil {
		l.side = p.Width(m.Width, l.side)
	}
	l.main = m.Width - l.side
	l.regret = layout.Split(l.height, layout.Rule{Flex: 3}, layout.Rule{Min: 8, Flex: 2, Max: 24})[1]
	if m.hasOutlook() && len(m.state.Iterations) > 0 {
		l.regret = layout.Split(l.height, layout.Rule{Flex: 1}, layout.Rule{Min: 8, Flex: 1, Max: 28})[1]
	}
	l.out = m.outHeight(l)
	switch {
	case l.out == 0:
	case m.hasOutlook() && len(m.state.Iterations) > 0 && l.height-l.out-minParams < minTraces && m.Panel() == nil:
		// what the model says is worth more than parameters that are known
		l.regret = l.height - l.out
	default:
		l.regret = max(min(l.regret, l.height-l.out-minParams), 0)
		if l.regret < minTraces {
			l.out, l.regret = max(l.out, l.regret), 0
		}
	}
	l.params = l.height - l.regret - l.out
	return l
}

// Frame is the screen: the heading, the picture with the timeline over its lower edge, what stands beside it, and the
// lines below.
func (m *Model) Frame() *layout.Box {
	l := m.layout()
	main := m.picture().Panel(m.stage())
	if bar := m.Bar(l.main).Box(); bar != nil {
		edge := layout.Row(layout.Line(" "), bar, layout.Line(" ")).At(2, main.H-1)
		edge.Overlaps = true
		main.Add(edge)
	}
	return layout.Column(m.heading().Box(), layout.Row(main, m.sidePanels(l)).Filled(l.height), m.statusLine(),
		m.keysLine())
}

// heading is the top line: what is explored at the left, how it stands at the right.
func (m *Model) heading() summary.Line {
	line := summary.Line{State: m.state, Style: m.Style, Width: m.Width, Reveal: m.reveal}
	if o := m.known(); o != nil {
		line.Volume = o.Traces.Hypervolume
	}
	return line
}

// sidePanels are the panels at the right: that of a mode, or notes where there are some, or the parameters; below them
// what is out, and the traces or what the model says in their place, as far as there is room.
func (m *Model) sidePanels(l places) *layout.Box {
	var upper *layout.Box
	switch p := m.Panel(); {
	case p != nil && p.Whole():
		return p.Panel(m.Scene(), l.side, l.height)
	case p != nil:
		upper = p.Panel(m.Scene(), l.side, l.params)
	case m.NotesShown():
		if upper = m.Beside.Panel(m.Style, m.Notes(), l.side, m.notesHeight(l)); upper.H == l.height {
			return upper
		}
	case l.params > 0:
		upper = modes.Panel(m.Scene(), m.facts(), l.side, l.params)
	}
	side := layout.Column(upper)
	if l.out > 0 {
		side.Below(results.Box(m.outScene(), l.side, l.out))
	}
	if s := m.traceScene(); l.regret > 0 && m.hasOutlook() {
		side.Below(m.outlook.Box(s.Scene))
	} else if l.regret > 0 {
		side.Below(m.traces.Box(s))
	}
	return side
}

// keysLine is the bottom line: as many keys as fit.
func (m *Model) keysLine() *layout.Box {
	bindings := m.hinted()
	if m.Status.Open() {
		return m.Status.ExplainBox(m.Style, m.Width)
	}
	if m.Modes.Doing != nil {
		bindings = m.Modes.Hints(m.Scene)
	}
	shown := slices.Clone(bindings)
	for i, b := range shown {
		switch {
		case b.Help().Key == player.RunKey.Help().Key && m.Running:
			shown[i].SetHelp(b.Help().Key, "pause")
		case m.stepping() && b.Help().Key == "enter":
			shown[i].SetHelp("enter", m.enters())
		case m.stepping() && b.Help().Key == "space" && m.asksForNext():
			shown[i].SetHelp("space", "next point")
		}
	}
	return widget.KeysBox(m.Style, shown, m.Width)
}
