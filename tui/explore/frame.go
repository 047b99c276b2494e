package explore

import (
	"fmt"
	"slices"

	"bandscope/tui/explore/modes"
	"bandscope/tui/explore/note"
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
	below   int // height of the panel of a mode below the picture; 0 if it is at the side
	text    int // height of the text; 0 if there is none
	params  int // height of the parameter panel, or of the panel of a mode
	terms   int // height of the terms of the text
	pending int // height of the list of pending points
	regret  int // height of the regret panel
}

// The minimum heights of the panels at the side, in rows.
const (
	minParams = 8
	minTraces = 8
	minEditor = 10
	minText   = 6
	minTerms  = 7

	editorHelp = 9  // rows below the parameters that are edited
	maxTraces  = 24 // below the text of a lesson
	minTall    = 40 // rows of a window in which there is more beside a text
	minPlot    = 8  // rows of a picture above the panel of a mode
)

// MinSize is the smallest window that shows the plot; one below 80×24 shows the plot alone.
func (m *Model) MinSize() (w, h int) { return 60, 16 }

func (m *Model) isSmall() bool { return m.Width < 80 || m.Height < 24 }

func (m *Model) layout() panelSizes {
	l := panelSizes{height: m.Height - view.HeadRows - view.FootRows - max(len(m.longError())-1, 0)}
	if m.Inviting() {
		l.height--
	}
	l.side = view.SideWidth(m.Width, m.hasText())
	p := m.Panel()
	if p != nil {
		l.side = p.Width(m.Width, l.side)
	}
	if (m.large != nothingLarge || m.isSmall()) && p == nil {
		return m.enlargedSizes(l)
	}
	if m.isSmall() && !p.Whole() {
		return m.smallSizes(l)
	}
	l.main = m.Width - l.side
	if p != nil && p.Whole() {
		return l
	}
	l.pending = m.pendingHeight(l)
	if player.NotesWanted(m) && m.divideWithText(&l, p != nil) {
		return l
	}
	m.divide(&l, p != nil)
	return l
}

// divide divides the height among the parameters or a mode, the pending points, and the traces or the outlook, which
// have what the parameters do not need.
func (m *Model) divide(l *panelSizes, mode bool) {
	params, regret := layout.Rule{Min: minParams, Flex: 3, Max: m.parameterRows(l.side)},
		layout.Rule{Min: minTraces, Flex: 2, Priority: 1}
	if mode {
		params.Max += editorHelp
	}
	if m.hasSummary() && len(m.state.Iterations) > 0 {
		regret.Flex = 3
		if l.pending > 0 && !mode { // the outlook is more useful than the parameters
			params.Priority = 2
		}
	}
	sizes := layout.Split(l.height, layout.Fixed(l.pending), params, regret)
	l.params, l.regret = sizes[1], sizes[2]
	switch rest := l.height - l.pending - l.params - l.regret; {
	case l.regret > 0:
		l.regret += rest
	case l.pending > 0 && l.params <= minParams:
		l.pending += rest
	default:
		l.params += rest
	}
}

// divideWithText divides the height with a text, which is shown whole if it fits: below it are the parameters or a
// mode, the terms of the text, and the traces or the outlook, as far as they fit. It is false if a mode needs the rows
// of the text. The task of an exercise stays in any case: where it needs the side, the mode is below the picture.
func (m *Model) divideWithText(l *panelSizes, mode bool) bool {
	need := m.NotesPanel.Rows(m.Style, m.Notes(), l.side)
	if m.withoutTraces() && need > l.height-l.pending { // the page speaks of the points that it needs
		l.pending = 0
	}
	room := l.height - l.pending
	need = min(need, room)
	switch {
	case mode && room-need < minEditor && m.sheet != nil:
		l.text, l.below = room, minEditor
		return true
	case mode && room-need < minEditor:
		return false
	}
	regret := layout.Rule{Min: minTraces, Flex: 2, Priority: 2}
	switch {
	case m.withoutTraces(), m.sheet != nil && m.hasSummary() && len(m.state.Iterations) == 0:
		regret = layout.Rule{}
	case m.sheet == nil && !mode && l.pending == 0: // a page may speak of them; they are the same on all pages
		rows := layout.Split(room, layout.Rule{Flex: 3}, layout.Rule{Min: minTraces, Flex: 2, Max: maxTraces})[1]
		regret, need = layout.Fixed(rows), min(need, room-rows)
	}
	natural := m.parameterRows(l.side)
	params := layout.Rule{Min: min(minParams, natural), Preferred: natural, Max: natural, Priority: 3}
	switch {
	case mode:
		params = layout.Rule{Min: minEditor, Preferred: minEditor, Flex: 3, Max: natural + editorHelp}
	case l.height < minTall:
		params = layout.Rule{}
	}
	sizes := layout.Split(room, layout.Fixed(need), params, regret)
	l.text = sizes[0]
	l.params = sizes[1]
	l.regret = sizes[2]
	switch rest := room - l.text - l.params - l.regret; {
	case l.height >= minTall && rest >= minTerms && m.termsPanel(l.side, rest) != nil:
		l.terms = rest
	case l.regret > 0 && m.sheet != nil:
		l.regret += rest
	default:
		l.text += rest
	}
	return true
}

// parameterRows is how many rows the panel of the parameters needs.
func (m *Model) parameterRows(side int) int {
	return modes.ParameterRows(m.sceneWithoutPicture(), m.belief(), side)
}

// termsPanel explains the terms of the text; nil if there are none. While a lesson asks a question it is brief, as
// definitions may answer it.
func (m *Model) termsPanel(w, h int) *layout.Box {
	page, asks := m.Notes(), m.session.Lesson() != nil && m.Reader.Asks(m.Page())
	return m.termsCache.Box("terms", fmt.Sprint(w, h, m.Style.Key(), asks, page.Passages), func() *layout.Box {
		return note.TermsPanel(m.Style, page, w, h, asks)
	})
}

// enlargedSizes is where the panels are if one has the whole window.
func (m *Model) enlargedSizes(l panelSizes) panelSizes {
	if m.large == plotLarge || m.large == nothingLarge {
		l.side, l.main = 0, m.Width
		return l
	}
	l.side = m.Width
	switch {
	case m.large == tracesLarge:
		l.regret = l.height
	case player.NotesWanted(m):
		l.text = l.height
	default:
		l.params = l.height
	}
	return l
}

// smallSizes is where the panels are in a small window with the panel of a mode: it is below the plot, or in its place.
func (m *Model) smallSizes(l panelSizes) panelSizes {
	if l.height < minPlot+minEditor {
		l.side = m.Width
		l.main = 0
		l.params = l.height
		return l
	}
	l.side = 0
	l.main = m.Width
	l.below = minEditor
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
		if !m.frontShown() && m.Modes.Active == nil {
			main.Wheel = [2]string{"+", "-"}
		}
		if bar := m.Bar(l.main).Box(); bar != nil {
			edge := layout.Row(layout.Line(" "), bar, layout.Line(" ")).At(2, main.H-1)
			edge.Overlaps = true
			main.Add(edge)
		}
		if l.below > 0 {
			main = layout.Column(main, m.Panel().Panel(m.Scene(), l.main, l.below))
		}
		panels.Beside(main)
	}
	if l.side > 0 {
		panels.Beside(m.sidePanels(l))
	}
	frame := layout.Column(m.heading().Box(), panels.Filled(l.height))
	if m.Inviting() {
		frame.Below(m.invitation(m.Width))
	}
	return frame.Below(m.statusLine()).Below(m.keysLine())
}

// heading is the top line: problem and method at the left, progress at the right.
func (m *Model) heading() summary.Header {
	line := summary.Header{State: m.state, Style: m.Style, Width: m.Width, Reveal: m.reveal,
		Me: m.session.Author()}
	if t := m.shownTraces(); t != nil {
		line.Volume = t.Hypervolume
	}
	return line
}

// sidePanels are the panels at the right: the notes, the panel of a mode or the parameters; below them the terms of the
// notes, the pending points, and the traces or the outlook, as far as they fit.
func (m *Model) sidePanels(l panelSizes) *layout.Box {
	p, side := m.Panel(), layout.New(l.side, 0)
	if p != nil && p.Whole() {
		return p.Panel(m.Scene(), l.side, l.height)
	}
	if l.text > 0 {
		text := acting(m.NotesPanel.Panel(m.Style, m.Notes(), l.side, l.text), noteActions)
		text.Wheel = [2]string{"pgup", "pgdown"}
		side.Below(text)
	}
	switch {
	case l.params == 0:
	case p != nil:
		side.Below(p.Panel(m.Scene(), l.side, l.params))
	default:
		side.Below(acting(modes.ParameterPanel(m.sceneWithoutPicture(), m.belief(), l.side, l.params),
			parameterActions))
	}
	if l.terms > 0 {
		side.Below(m.termsPanel(l.side, l.terms))
	}
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
