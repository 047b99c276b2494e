package explore

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/note"
	"bandscope/tui/explore/results"
	"bandscope/tui/explore/view"
	"bandscope/tui/lesson"
	"bandscope/tui/widget"
)

// Scene is what a mode sees of the explorer.
func (m *Model) Scene() mode.Scene {
	s := m.sceneWithoutPicture()
	s.Axes = m.picture().Axes(m.stage())
	s.ReadingsAt = m.readingsAt
	return s
}

// sceneWithoutPicture is what a mode sees without the picture, on which it may draw itself.
func (m *Model) sceneWithoutPicture() mode.Scene {
	s := mode.Scene{State: m.state, Params: mode.ParamsFor(m.state), Notes: mode.NotesFor(m.state), Style: m.Style,
		Asking: m.asking(), ByHand: m.session.ManualEvaluation(), Ages: m.ages()}
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

// readingsAt tells what the picture says of an input, and what the truth there is.
func (m *Model) readingsAt(at []float64) []mode.Reading {
	told := m.picture().ReadingsAt(m.stage(), at)
	if m.reveal && !m.asking() {
		if y, err := m.state.Problem.TrueValues(at); err == nil {
			told = append(told, mode.Reading{Name: "truth", Value: y[0]})
		}
	}
	return told
}

// overlay is what the mode draws over the picture.
func (m *Model) overlay() mode.Overlay {
	if o, ok := m.Modes.Active.(mode.Overlayer); ok {
		return o.Overlay(m.sceneWithoutPicture())
	}
	return mode.Overlay{Question: m.Page().Pair()}
}

// Request does what a mode wants. A new mode adds nothing to it.
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
		return m.Start(results.New)
	case mode.Guess:
		return m.answerWith(a.X)
	case note.Write:
		return m.alter(lesson.WriteNotes{Write: a})
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

// workedMsg brings what a mode wants after it computed.
type workedMsg struct{ actions []widget.Action }

// lower is the mode that has the part of the panel under the outcomes, nil if none has it.
func (m *Model) lower() mode.LowerPanel {
	l, _ := m.Modes.Active.(mode.LowerPanel)
	return l
}

// working reports whether the mode computes something.
func (m *Model) working() bool {
	w, ok := m.Modes.Active.(mode.Stopper)
	return ok && w.Busy()
}

// stopMode stops what the mode computes.
func (m *Model) stopMode() {
	if w, ok := m.Modes.Active.(mode.Stopper); ok {
		w.Stop()
	}
}

// stepping reports whether no mode has the keys.
func (m *Model) stepping() bool { return m.Modes.Active == nil }

// Keys are the explorer's, as they stand.
func (m *Model) Keys() []widget.Key { return widget.Keys(m, steppingCommands()) }
