package serve

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions"
	"bandscope/sessions/classroom"
	"bandscope/sessions/sanitize"
	"bandscope/tui"
	"bandscope/tui/class"
	"bandscope/tui/graphics"
	"bandscope/tui/layout"
	"bandscope/tui/palette"
	"bandscope/tui/placement"
	"bandscope/tui/rights"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// seat is the model of one terminal: the person's own window, or the screen of the teacher whom they follow.
type seat struct {
	server   *Server
	person   *Person
	author   sessions.Author
	watching bool          // a projector: it has no keys
	rights   rights.Rights // end with the terminal
	send     func(tea.Msg) // to the program of this seat
	end      func(error)   // ends the program, and says why

	screen screen
	own    *tui.Window
	guest  string // who pressed the last key of the own window, if that was the person who has the keyboard
	room   *Room  // nil while there is none
	// the screen of the room is shown, rather than the own window
	following  bool
	latest     *mailbox
	frame      frame
	pictures   *placement.Terminal
	said       string    // in the last line, until the next key
	until      time.Time // or until then
	opening    bool      // the own window
	publishing bool      // a publishMsg is on its way
	style      theme.Style

	id     string // in the class
	page   page   // of the class; nil for none
	had    shownPart
	over   *palette.Palette // over the page; nil if it is closed
	canvas canvas
}

// Messages of a seat.
type (
	publishMsg struct{} // draw the window for those who follow
	frameMsg   struct{} // there is something new in the room
	endMsg     struct{} // the server ends
	passedMsg  struct { // a key press of the person who has the keyboard
		from *seat
		key  tea.Msg
	}
	openedMsg struct {
		session *sessions.Session
		err     error
	}
	invitedMsg struct{ to *Room }
	refreshMsg struct{}            // the session was changed behind its window
	wantMsg    func(*seat) tea.Cmd // a command of the palette
)

// sayFor is how long a message stays.
const sayFor = 3 * time.Second

// publishDelay collects the changes of a window before it is drawn for those who follow.
const publishDelay = 25 * time.Millisecond

// lookKey leads from the class to the own window, and back.
const lookKey = "ctrl+g"

func newSeat(server *Server, p *Person, r rights.Rights, via string, watching bool, size screen) *seat {
	s := &seat{server: server, person: p, watching: watching, rights: r, screen: size, latest: newMailbox(),
		author: sessions.Author{Kind: sessions.AuthorPerson, Name: p.Name, Via: via}.Clean()}
	s.pictures = placement.NewTerminal(graphics.Auto, false, r.Lasting().Done())
	s.restyle()
	return s
}

func (s *seat) restyle() {
	s.style = theme.New(s.screen.dark, s.screen.tier, false)
	s.style.Pictures = s.screen.pictures
}

// Init joins the room, or opens the own window.
func (s *seat) Init() tea.Cmd {
	return widget.Permit(s.rights, tea.Batch(s.begin(), s.pictures.Init()))
}

func (s *seat) begin() tea.Cmd {
	if room := s.server.roomFor(s.person); room != nil {
		s.join(room)
	}
	switch {
	case s.room == nil && s.watching: // it waits for a room
		return tea.Batch(s.wait(), tea.RequestBackgroundColor)
	case s.room != nil && (s.watching || !s.teaches()):
		return tea.Batch(s.follow(), s.wait(), tea.RequestBackgroundColor)
	}
	return tea.Batch(s.openOwn(""), s.wait(), tea.RequestBackgroundColor)
}

// join enters a room, in whose class the person has a pseudonym.
func (s *seat) join(room *Room) {
	s.room = room
	if s.watching {
		return
	}
	s.id = s.server.names.ID(s.person.Name)
	role := classroom.Student
	if s.person.Teacher {
		role = classroom.Teacher
	}
	enroll := func() error {
		if err := s.server.names.Set(s.id, s.person.Name); err != nil {
			return err
		}
		_, err := room.class.Join(s.id, role)
		return err
	}
	err := enroll()
	if err != nil {
		err = s.server.makeRoom(enroll)
	}
	if err != nil {
		s.server.options.Log.Error("joining the class", "name", s.person.Name, "error", err)
		s.say("you cannot answer here: " + err.Error())
	}
}

// teaches has the window of a teacher shown to the room, unless another window is; it reports whether it is.
func (s *seat) teaches() bool {
	return s.room != nil && s.person.Teacher && !s.watching && s.room.teach(s)
}

// takeOver shows the own window of a further teacher to the room, in which nobody teaches any more.
func (s *seat) takeOver() tea.Cmd {
	if s.own == nil {
		if s.opening {
			return nil
		}
		return s.openOwn("")
	}
	s.following = false
	s.own.Say("you teach in the room "+s.room.Name+": others see this window", false)
	return s.publish()
}

// follow shows the screen of the room.
func (s *seat) follow() tea.Cmd {
	if s.following {
		return nil
	}
	s.following = true
	s.enter()
	return nil
}

// enter tells the room the size and the colors. The last line is the seat's; in the lowest window that is complete it
// covers the keys of the teacher, which do nothing here, and so it does on a projector.
func (s *seat) enter() {
	window := s.screen
	if window.height != tui.MinHeight && !s.watching {
		window.height = max(window.height-1, 1)
	}
	s.room.enter(s, window)
}

// wait waits for something new in the room.
func (s *seat) wait() tea.Cmd {
	return func() tea.Msg {
		select {
		case <-s.latest.ready:
			return frameMsg{}
		case <-s.rights.Lasting().Done():
			return nil
		}
	}
}

// Update takes a message. The jobs that come of it run with the rights of the person.
func (s *seat) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	pictures := s.pictures.Update(msg)
	m, cmd := s.update(msg)
	if now := s.pictures.Protocol() != graphics.Cells && s.screen.tier >= theme.Color256; now != s.screen.pictures {
		s.screen.pictures = now
		s.restyle()
		if s.following {
			s.enter()
		}
	}
	return m, widget.Permit(s.rights, tea.Batch(pictures, cmd))
}

func (s *seat) update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.screen.width, s.screen.height = msg.Width, msg.Height
		return s, s.changed(msg)
	case tea.ColorProfileMsg:
		s.screen.tier = tui.TierFor(msg.Profile)
		return s, s.changed(msg)
	case tea.BackgroundColorMsg:
		s.screen.dark = msg.IsDark()
		return s, s.changed(msg)
	case frameMsg:
		s.frame = s.latest.take()
		return s, tea.Batch(s.wait(), s.caughtUp())
	case refreshMsg:
		s.own.Refresh()
		return s, s.publish()
	case publishMsg:
		s.publishing = false
		if s.own != nil && s.room != nil && s.room.leads(s) {
			s.room.publish(s.own)
		}
		return s, nil
	case openedMsg:
		return s, s.opened(msg)
	case passedMsg:
		return s, s.passed(msg)
	case wantMsg:
		return s, msg(s)
	case endMsg:
		s.end(ErrEnding)
		return s, nil
	case invitedMsg:
		return s, s.invited(msg)
	case tea.KeyPressMsg:
		return s, s.pressed(msg)
	}
	return s, s.passOn(msg)
}

// passOn gives a message to the page of the class and to the own window. While the seat follows, the window gets no mouse
// and no text.
func (s *seat) passOn(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.PasteMsg, tea.MouseMsg:
		_, mouse := msg.(tea.MouseMsg)
		if _, click := msg.(tea.MouseClickMsg); click || !mouse {
			s.actsAlone()
		}
		switch {
		case s.page != nil && !mouse:
			return s.page.Update(msg)
		case s.page != nil || s.following:
			return nil
		}
	case widget.ActionMsg:
		if s.page == nil {
			break
		}
		if cmd, done := s.pageAction(msg.Action); done {
			return cmd
		}
	}
	if s.page != nil {
		return tea.Batch(s.page.Update(msg), s.toOwn(msg))
	}
	return s.toOwn(msg)
}

// changed passes a change of the terminal on.
func (s *seat) changed(msg tea.Msg) tea.Cmd {
	s.restyle()
	if s.following {
		s.enter()
	}
	return s.toOwn(msg)
}

// actsAlone takes note that the person acts, and not who was passed the keyboard.
func (s *seat) actsAlone() {
	if s.guest != "" && s.own != nil {
		s.guest = ""
		s.own.SetAuthor(s.author)
	}
}

// pressed takes a key press.
func (s *seat) pressed(msg tea.KeyPressMsg) tea.Cmd {
	s.said = ""
	s.actsAlone()
	name := msg.String()
	switch {
	case name == "ctrl+z":
		return nil // there is no shell
	case s.watching:
		if name == "q" || name == "ctrl+c" {
			return tea.Quit
		}
		return nil
	case s.page != nil:
		return s.pagePressed(msg)
	case name == lookKey && s.room != nil && s.room.leads(s):
		return s.view(class.NewPanel(desk{s.server, s.room, s}))
	case name == lookKey && s.room != nil && s.following && s.teaches():
		return s.takeOver()
	case name == lookKey && s.room != nil:
		return s.look()
	case s.following && name == "a" && !s.room.holds(s):
		return s.again()
	case !s.following:
		return s.toOwn(msg)
	case s.room.press(s, msg):
		return nil
	case name == "q" || name == "ctrl+c":
		return tea.Quit
	}
	s.say(fmt.Sprintf("%s does nothing here: you follow the teacher", sanitize.Text(name)))
	return nil
}

// say shows a message in the last line while the seat follows.
func (s *seat) say(text string) {
	s.said, s.until = text, time.Now().Add(sayFor)
	time.AfterFunc(sayFor, s.latest.wake)
}

// View draws the own window, or the screen of the room.
func (s *seat) View() tea.View {
	if s.page != nil {
		drawn := s.pageFrame()
		s.pictures.Show(drawn.plots)
		v := tea.NewView(drawn.text)
		v.AltScreen, v.WindowTitle = true, "bandscope"
		return v
	}
	if !s.following && s.own != nil {
		return s.own.View()
	}
	s.pictures.Show(s.frame.plots)
	v := tea.NewView(s.followed())
	v.AltScreen, v.WindowTitle = true, "bandscope"
	return v
}

// followed is the latest frame of the room, with a last line.
func (s *seat) followed() string {
	switch {
	case s.room == nil && s.watching:
		return "no room is open yet"
	case s.room == nil:
		return "opening your window"
	}
	lines := strings.Split(s.frame.text, "\n")
	if s.frame.text == "" {
		lines = layout.Wrap("Welcome to the room "+s.room.Name+". The teacher is not here yet.", s.screen.width)
	}
	h := max(s.screen.height-1, 0)
	lines = append(lines[:min(len(lines), h)], make([]string, max(h-len(lines), 0))...)
	for i, l := range lines {
		lines[i] = ansi.Truncate(l, s.screen.width, "")
	}
	return strings.Join(append(lines, ansi.Truncate(s.line(), s.screen.width, "")), "\n")
}

// line is the last line.
func (s *seat) line() string {
	st := s.style
	teacher, here := s.room.teaching(), s.room.count()
	text := "room " + s.room.Name + " · the teacher is away"
	if teacher != "" {
		text = "room " + s.room.Name + " · " + teacher + " teaches"
	}
	text += fmt.Sprintf(" · %d here", here)
	switch {
	case s.watching:
		return " " + st.Paint(st.Dim, st.Plain(text+" · read only"))
	case s.said != "" && time.Now().Before(s.until):
		return " " + st.Paint(st.Text, st.Plain(s.said))
	case s.room.holds(s):
		return " " + st.PaintBold(st.Accent, st.Plain("you have the keyboard")) + st.Paint(st.Dim, st.Plain(" · "+text))
	}
	keys := "   " + lookKey + " look around · q leave"
	if _, open := s.room.class.State().OpenQuestion(); open {
		keys = "   a answer the question" + keys[2:]
	}
	return " " + st.Paint(st.Dim, st.Plain(text)) + st.Paint(st.Text, st.Plain(keys))
}

// close ends the seat: the sessions are closed.
func (s *seat) close() error {
	if s.page != nil {
		s.page.Stop()
	}
	if s.room != nil {
		s.room.leave(s)
	}
	if s.own != nil {
		return s.own.Close()
	}
	return nil
}
