package explore

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/note"
	"bandscope/tui/explore/results"
	"bandscope/tui/explore/view"
	"bandscope/tui/explore/views"
	"bandscope/tui/lessonpage"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// Scene is the scene of a mode.
func (m *Model) Scene() mode.Scene {
	s := m.sceneWithoutPicture()
	s.Axes = m.picture().Axes(m.stage())
	if p, ok := m.picture().(*views.Plane); ok {
		s.Triangle = p.Triangle(m.stage())
	}
	s.ReadingsAt = m.readingsAt
	return s
}

// sceneWithoutPicture is the scene of a mode without the picture, for modes that draw on the picture.
func (m *Model) sceneWithoutPicture() mode.Scene {
	s := mode.Scene{State: m.state, Params: mode.ParamsFor(m.state), Notes: mode.NotesFor(m.state), Style: m.Style, Rights: m.Rights,
		Asking: m.asking(), ByHand: m.session.ManualEvaluation(), Asked: m.asked, Now: m.now()}
	if task := m.session.Task(); task != nil {
		s.Params = s.Params.First(task.Text)
	}
	if p := m.outcomes(); m.frontShown() {
		s.Outcomes = &mode.Outcomes{Displayed: p.Outcomes(), Current: p.CurrentOutcomes()}
		s.Outcomes.I, s.Outcomes.J = p.Pair(view.Scene{State: m.state})
	}
	if m.report != nil {
		s.Legend = m.report.Legend
		if len(m.report.Next) > 0 && !s.Asking {
			s.Next = m.report.Next[0]
		}
	}
	return s
}

// readingsAt returns the values of the picture at an input, and the true value if it is shown.
func (m *Model) readingsAt(point []float64) []mode.Reading {
	readings := m.picture().ReadingsAt(m.stage(), point)
	if m.reveal && !m.asking() {
		if y, err := m.state.Problem.TrueValues(point); err == nil {
			readings = append(readings, mode.Reading{Name: "truth", Value: y[0]})
		}
	}
	return readings
}

// overlay is what the mode draws over the picture.
func (m *Model) overlay() mode.Overlay {
	if o, ok := m.Modes.Active.(mode.Overlayer); ok {
		return o.Overlay(m.sceneWithoutPicture())
	}
	return mode.Overlay{Question: m.Page().Pair()}
}

// Request does an action of a mode. A new mode needs no case of its own.
func (m *Model) Request(a widget.Action) tea.Cmd {
	switch a := a.(type) {
	case mode.Enter:
		m.outcomes().DropPreview()
	case mode.Leave:
		m.outcomes().DropPreview()
		return m.followCursor()
	case mode.Recompute:
		return m.followCursor()
	case mode.Work:
		m.Running = false
		return m.Jobs.Start(a.Doing, func(ctx context.Context, _ func(string, int, int)) tea.Msg {
			return workedMsg{a.Do(ctx)}
		})
	case mode.Results:
		return player.Start(m, results.New)
	case mode.Guess:
		return m.answerWith(a.X)
	case note.Write:
		return m.alter(lessonpage.WriteNotes{Write: a})
	case mode.Preview:
		m.outcomes().Preview(a.Outcomes)
	case mode.Change:
		m.outcomes().TakePreview()
		return m.alter(a)
	default:
		return widget.Request(a)
	}
	return nil
}

// workedMsg has the actions of a mode after a computation.
type workedMsg struct{ actions []widget.Action }

// lower is the mode that draws the part of the panel below the outcomes; nil for none.
func (m *Model) lower() mode.LowerPanel {
	l, _ := m.Modes.Active.(mode.LowerPanel)
	return l
}

// stepping reports whether no mode is active.
func (m *Model) stepping() bool { return m.Modes.Active == nil }

// Init starts the first picture.
func (m *Model) Init() tea.Cmd { return m.UpdatePicture() }

// Reset closes the prompt, and leaves the mode that has the keys.
func (m *Model) Reset() tea.Cmd { return player.Reset(m) }

// KeyMap lists the keys with what they do now.
func (m *Model) KeyMap() widget.KeyMap { return m.Player.KeyMap(m.Keys, m.Scene) }

// Keys are the keys of the explorer while no mode has them.
func (m *Model) Keys() []widget.Key {
	keys := widget.Keys(m, steppingCommands())
	for i := range keys {
		keys[i].Group = allCommands().titles[i]
	}
	return keys
}
