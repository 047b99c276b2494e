package serve

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"bandscope/sessions/classroom"
	"bandscope/tui/class"
	"bandscope/tui/layout"
	"bandscope/tui/palette"
	"bandscope/tui/placement"
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

func (c *canvas) draw(p page, w, h int, st theme.Style) frame {
	if c.cells == nil {
		c.cells = lipgloss.NewCanvas(w, h)
	}
	p.Resize(w, h)
	p.Restyle(st)
	c.cells.Resize(w, h)
	c.cells.Clear()
	boxes := layout.Arrange(p.Frame(), w, h)
	boxes.Draw(c.cells)
	return frame{text: c.encoder.Encode(c.cells), plots: placement.Find(boxes, c.cells)}
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
type shownPart struct{ question, revealed, closed, race, ended int }

// due is the page that the class shows now and the seat has not shown yet; nil for none. It leaves the page of a question
// that has closed. Teachers open and leave pages themselves.
func (s *seat) due(st classroom.State) page {
	now := s.had
	defer func() { s.had = now }()
	q, asked := st.CurrentQuestion()
	if n := len(st.Questions); n > now.closed && st.Questions[n-1].Closed && !s.room.leads(s) {
		now.closed = n
		switch s.page.(type) {
		case *class.Answer, *class.Reveal:
			s.view(nil)
		}
	}
	switch {
	case s.room.leads(s):
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
		if _, panel := s.page.(*class.Panel); !panel && s.room.leads(s) {
			return s.view(class.NewPanel(desk{s.server, s.room, s})), true
		}
		return s.view(nil), true
	case widget.Quit:
		return tea.Quit, true
	}
	return nil, false
}

// again shows the open question again.
func (s *seat) again() tea.Cmd {
	if _, open := s.room.class.State().OpenQuestion(); !open {
		s.say("no question is open")
		return nil
	}
	s.had.question = 0
	return s.caughtUp()
}

// pagePressed takes a key press on a page of the class.
func (s *seat) pagePressed(msg tea.KeyPressMsg) tea.Cmd {
	if s.over != nil {
		cmd := s.over.Press(msg)
		if !s.over.Done {
			return cmd
		}
		chosen := s.over.Chosen
		s.over = nil
		if chosen != nil {
			cmd = tea.Batch(cmd, chosen.Do())
		}
		return cmd
	}
	keyed, ok := s.page.(interface{ KeyMap() widget.KeyMap })
	switch {
	case msg.String() == lookKey:
		return s.view(nil)
	case ok && !keyed.KeyMap().Typing && (key.Matches(msg, widget.PaletteKey) || key.Matches(msg, widget.HelpKey)):
		s.over = palette.New(keyEntries(keyed.KeyMap(), s.page.Update), nil,
			func(int) (palette.Entry, bool) { return palette.Entry{}, false })
		return nil
	}
	return s.page.Update(msg)
}

// keyEntries are the commands of a page as entries of a palette; press presses a key there.
func keyEntries(keys widget.KeyMap, press func(tea.Msg) tea.Cmd) (list []palette.Entry) {
	for _, k := range keys.Keys {
		if len(k.Keys()) == 0 || widget.Shown(k.Binding) == "" || key.Matches(widget.KeyPress(k.Keys()[0]), widget.PaletteKey) {
			continue
		}
		name := k.Keys()[0]
		list = append(list, palette.Entry{Name: k.Help().Desc, About: k.About, Key: k.Help().Key, Kind: palette.Command,
			Disabled: k.DisabledReason(), Do: func() tea.Cmd { return press(widget.KeyPress(name)) }})
	}
	return list
}

// pageFrame is the page of the class, with the palette over it.
func (s *seat) pageFrame() frame {
	w, h := s.screen.width, s.screen.height
	p, st := s.page, s.style
	if s.over != nil {
		p = covered{p, s.over, s.style, w, h}
		st.Pictures = false
	}
	return s.canvas.draw(p, w, h, st)
}

// covered is a page with a palette over it.
type covered struct {
	page
	over  *palette.Palette
	style theme.Style
	w, h  int
}

func (c covered) Frame() *layout.Box {
	return layout.New(c.w, c.h, c.page.Frame()).Add(c.over.Frame(c.style, c.w, c.h))
}
