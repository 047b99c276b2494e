package serve

import (
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	classes "bandscope/sessions/class"
	"bandscope/tui/class"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// page is a page of the class, over what the seat shows otherwise.
type page interface {
	Update(tea.Msg) tea.Cmd
	Frame() *layout.Box
	Resize(w, h int)
	Restyle(theme.Style)
	Stop()
}

// canvas draws pages of the class.
type canvas struct {
	cells   *lipgloss.Canvas
	encoder layout.Encoder
}

func (c *canvas) draw(p page, w, h int, st theme.Style) string {
	if c.cells == nil {
		c.cells = lipgloss.NewCanvas(w, h)
	}
	p.Resize(w, h)
	p.Restyle(st)
	c.cells.Resize(w, h)
	c.cells.Clear()
	layout.Arrange(p.Frame(), w, h).Draw(c.cells)
	return c.encoder.Encode(c.cells)
}

// view shows another page of the class; nil for none.
func (s *seat) view(p page) tea.Cmd {
	if s.page != nil {
		s.page.Stop()
	}
	s.page = p
	if begins, ok := p.(interface{ Init() tea.Cmd }); ok {
		return begins.Init()
	}
	return nil
}

// caughtUp shows what the class does now: the question that is open, its answers, or the race. Each appears once on its
// own; esc leaves it.
func (s *seat) caughtUp() tea.Cmd {
	if s.room == nil {
		return nil
	}
	st := s.room.class.State()
	var cmds []tea.Cmd
	if s.page != nil {
		cmds = append(cmds, s.page.Update(class.StateMsg{State: st}), s.page.Update(class.BeliefMsg{Belief: s.room.belief()}))
	}
	if show := s.due(st); show != nil {
		cmds = append(cmds, s.view(show))
	}
	return tea.Batch(cmds...)
}

// shownPart is a part of a class that was shown to a seat.
type shownPart struct{ question, revealed, race, ended int }

// due is the page that the class shows now and the seat has not shown yet; nil for none. Teachers open pages themselves.
func (s *seat) due(st classes.State) page {
	now := s.had
	defer func() { s.had = now }()
	q, asked := st.CurrentQuestion()
	if asked && q.Closed {
		if _, ok := s.page.(*class.Answer); ok {
			s.page = nil
		}
		asked = false
	}
	switch {
	case s.teaches():
		return nil
	case asked && q.Revealed && now.revealed != q.Number:
		now.revealed = q.Number
		return class.NewReveal(st, s.id, s.room.belief())
	case asked && !q.Revealed && now.question != q.Number && !s.watching:
		now.question = q.Number
		return class.NewAnswer(s.room.class, s.id, s.room.belief())
	}
	if n := len(st.Races); n > 0 && !asked {
		switch race := st.Races[n-1]; {
		case !race.Ended && now.race != race.Number, race.Ended && now.ended != race.Number && now.race == race.Number:
			now.race = race.Number
			if race.Ended {
				now.ended = race.Number
			}
			if _, shown := s.page.(*class.Race); shown {
				return nil // it follows
			}
			return class.NewRace(s.room.class, s.id)
		}
	}
	return nil
}

// pageAction does what a page of the class asks of the window; false for what others ask.
func (s *seat) pageAction(want widget.Action) (tea.Cmd, bool) {
	st := s.room.class.State()
	switch want.(type) {
	case class.ShowAnswers:
		return s.view(class.NewReveal(st, s.id, s.room.belief())), true
	case class.ShowBoard:
		return s.view(class.NewRace(s.room.class, s.id)), true
	case class.ShowProgress:
		return s.view(class.NewProgress(st)), true
	case widget.Close:
		if _, panel := s.page.(*class.Panel); !panel && s.teaches() {
			return s.view(class.NewPanel(desk{s.server, s.room, s})), true
		}
		return s.view(nil), true
	case widget.Quit:
		return tea.Quit, true
	}
	return nil, false
}
