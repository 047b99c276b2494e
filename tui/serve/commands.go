package serve

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/tui/class"
	"bandscope/tui/palette"
)

// passed takes a key press of the person who has the keyboard.
func (s *seat) passed(msg passedMsg) tea.Cmd {
	press, ok := msg.key.(tea.KeyPressMsg)
	if !ok || s.own == nil || !s.room.leads(s) || !s.room.holds(msg.from) || press.String() == "ctrl+z" {
		return nil
	}
	s.guest = msg.from.person.Name
	s.own.SetAuthor(msg.from.author)
	return s.toOwn(press)
}

// stay is why the own window does not end: who was passed the keyboard cannot end it.
func (s *seat) stay() string {
	if s.guest == "" {
		return ""
	}
	return "only " + s.person.Name + " ends this window"
}

// take takes the keyboard back.
func (s *seat) takeKeyboard() tea.Cmd {
	s.room.pass("")
	s.actsAlone()
	s.own.Say("the keyboard is yours alone again", false)
	return s.publish()
}

// passTo passes the keyboard to somebody.
func (s *seat) passTo(name string) tea.Cmd {
	if s.room.pass(name) {
		s.own.Say(name+" has the keyboard too", false)
	} else {
		s.own.Say(name+" is not in the room", true)
	}
	return s.publish()
}

// entries are the commands of a class in the palette of the own window.
func (s *seat) entries() []palette.Entry {
	do := func(f func(*seat) tea.Cmd) func() tea.Cmd {
		return func() tea.Cmd { return func() tea.Msg { return wantMsg(f) } }
	}
	var list []palette.Entry
	add := func(name, also, about string, f func(*seat) tea.Cmd) {
		list = append(list, palette.Entry{Name: name, Also: "class room " + also, About: about, Kind: palette.Place, Do: do(f)})
	}
	switch {
	case s.room == nil && s.person.Teacher:
		add("open a room", "teach share screen", "show this window to everybody who joins the class", (*seat).openRoom)
	case s.room == nil:
	case !s.room.leads(s):
		add("go back to the room", "follow teacher", "follow the screen of the teacher again", (*seat).follow)
	default:
		panel := class.NewPanel(desk{s.server, s.room, s})
		for _, e := range keyEntries(panel.KeyMap(), panel.Update) {
			if (e.Key == "" || e.Key == ":") && !strings.Contains(e.Name, "keyboard") { // those name the person
				press := e.Do
				e.Also, e.Kind = "class students", palette.Place
				e.Do = do(func(s *seat) tea.Cmd { return tea.Batch(s.view(panel), press()) })
				list = append(list, e)
			}
		}
		add("the class", "students panel", "see who is there, and ask the class",
			func(s *seat) tea.Cmd { return s.view(class.NewPanel(desk{s.server, s.room, s})) })
		if s.room.holder() != "" {
			add("take the keyboard back", "keys", "press the keys alone again", (*seat).takeKeyboard)
		}
		for _, name := range s.room.present() {
			add("pass the keyboard to "+name, "keys", "let "+name+" press the keys of this window too",
				func(s *seat) tea.Cmd { return s.passTo(name) })
		}
	}
	return list
}

// openRoom opens the room of a teacher who has none.
func (s *seat) openRoom() tea.Cmd {
	room, err := s.server.openRoom(s.person.Name)
	if err != nil {
		s.own.Say(err.Error(), true)
		return nil
	}
	s.join(room)
	if !s.teaches() {
		s.own.Say("somebody else teaches in the room "+s.room.Name, true)
		return nil
	}
	s.own.Say("the room "+s.room.Name+" is open: others see this window", false)
	s.server.invite(s)
	return s.publish()
}

// invited takes note of a room that was opened.
func (s *seat) invited(msg invitedMsg) tea.Cmd {
	if s.room != nil {
		return nil
	}
	s.join(msg.to)
	if s.watching {
		return s.follow()
	}
	if s.own != nil {
		s.own.Say("the room "+msg.to.Name+" is open; "+lookKey+" goes there", false)
	}
	return nil
}
