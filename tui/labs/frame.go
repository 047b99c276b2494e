package labs

import (
	"fmt"
	"slices"

	"bandscope/sessions/sanitize"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/view"
	"bandscope/tui/labs/panel"
	"bandscope/tui/layout"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// headRows and footRows are the lines of the window above and below the picture.
const headRows, footRows = 2, 2

// wide is the width from which optional details are shown.
const wide = 100

// Frame is the screen: the heading and the last measurements, the picture with the panel beside it, the status and the
// keys.
func (m *Model) Frame() *layout.Box {
	body := layout.Row(m.drawing())
	if side := m.side(); side > 0 {
		body.Beside(m.sidePanel(side))
	}
	return layout.Column(m.heading(), m.traces(), body, m.status(), m.keys())
}

// pictureRows is the height of the picture.
func (m *Model) pictureRows() int { return m.Height - headRows - footRows }

// side is the width of the panel beside the picture; 0 where there is none.
func (m *Model) side() int {
	usual := view.SideWidth(m.Width, m.session.Lesson() != nil)
	switch p := m.Panel(); {
	case p != nil:
		return p.Width(m.Width, usual)
	case player.NotesShown(m):
		return usual
	}
	return 0
}

// place is the scene that the picture draws.
func (m *Model) place() panel.Scene {
	return panel.Scene{State: m.state, Style: m.Style, W: m.Width - m.side(), H: m.pictureRows(), Computed: m.computed,
		Stale: m.stale || m.computedHead != m.state.Head, Asking: m.Asks(), Axes: m.session.Lesson().SharedAxes()}
}

// drawCache is the last drawing of the picture, with everything that it depends on.
type drawCache struct {
	box           *layout.Box
	place         int // counts the changes
	stale, asking bool
	style         string
	w, h          int
}

// drawing is the picture. A frame is made after every message, so it is drawn again only if something has changed.
func (m *Model) drawing() *layout.Box {
	scene := m.place()
	now := drawCache{m.drawn.box, m.changes, scene.Stale, scene.Asking, scene.Style.Key(), scene.W, scene.H}
	if now.box == nil || now != m.drawn {
		now.box = m.picture.Draw(scene)
		m.drawn = now
	}
	return now.box
}

// sidePanel is the panel beside the picture.
func (m *Model) sidePanel(side int) *layout.Box {
	if p := m.Panel(); p != nil {
		return p.Panel(m.Scene(), side, m.pictureRows())
	}
	return m.NotesPanel.Panel(m.Style, m.Notes(), side, m.pictureRows())
}

// status is the line above the keys: the text input, the running job, the last message, or what to do next.
func (m *Model) status() *layout.Box {
	message, _ := m.Status.Message()
	if t, ok := m.Modes.Active.(mode.StatusDrawer); ok && !m.Status.Open() && message == "" {
		return t.Status(m.Scene(), m.Width)
	}
	st, advice := m.Style, m.advice()
	line := m.Status.Box(st, m.Width, m.Jobs.Status(st.ASCII), st.Paint(st.Dim, st.Plain(advice)))
	switch doing := m.Jobs.Status(true); {
	case m.Status.Open():
		line.Prose("status", "", "Type your answer here; enter confirms it and esc cancels.")
	case message != "":
		line.Prose("status", "", "The answer to the last key: "+layout.Excerpt(message, 50)+".")
	case doing != "":
		line.Prose("status", "", "The running computation: "+doing+". Other keys still work; esc stops it.")
	case advice != "":
		line.Prose("status", "", "What you can do next: "+advice+".")
	}
	return line
}

// advice says what to press next.
func (m *Model) advice() string {
	if a, ok := m.Modes.Active.(mode.Adviser); ok {
		return a.Advice()
	}
	if m.Modes.Active != nil {
		return ""
	}
	second := "c adds a second run"
	if len(m.state.Runs) > 1 {
		second = "c removes the second run"
	}
	switch over := m.noNext(); {
	case m.ReadingPosition.Advice() != "":
		return m.ReadingPosition.Advice()
	case m.Asks():
		return m.asksFor()
	case m.Reads() && m.Ahead():
		return "space turns the page, b goes back, r plays"
	case m.ReadingPosition.NoNext(m.Line) == "" && len(m.Line.Stops)-1 == m.Line.At:
		return "this is the last page: space continues the training, ctrl+n opens the next lesson"
	case m.session.Lesson() != nil && len(m.Line.Stops)-1 == m.Line.At:
		return "this is the last page: space continues the training, o opens another lesson"
	case m.state.Step == 0 && m.Last != nil:
		return fmt.Sprintf("space trains %s, r runs · ctrl+l resumes %s", updates(sizes[m.size]), sanitize.Text(m.Last.Name))
	case m.state.Step == 0:
		return fmt.Sprintf("space trains %s, r runs, e edits, %s", updates(sizes[m.size]), second)
	case m.Running:
		return fmt.Sprintf("running, %s per step, %s: r pauses, , and . change the speed, - and + the step",
			updates(sizes[m.size]), m.Speed)
	case over != "":
		return over + ": b goes back, " + second
	}
	return fmt.Sprintf("space trains %s, e edits a parameter, %s", updates(sizes[m.size]), second)
}

// keys are the bottom line: as many as fit or, during text input, what the input accepts.
func (m *Model) keys() *layout.Box {
	switch st := m.Style; {
	case m.Status.Open():
		return m.Status.ExplainBox(st, m.Width)
	case m.Modes.Active != nil:
		return widget.KeysBox(st, m.Modes.Hints(m.Scene), m.Width)
	}
	shown := slices.Clone(m.hinted())
	for i, b := range shown {
		if b.Help().Key == player.RunKey.Help().Key && m.Running {
			shown[i].SetHelp(b.Help().Key, "pause")
		}
	}
	return widget.KeysBox(m.Style, shown, m.Width)
}
