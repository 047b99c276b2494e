package serve

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions"
	classes "bandscope/sessions/class"
	"bandscope/sessions/lesson"
	"bandscope/sessions/library"
	"bandscope/sessions/sanitize"
	"bandscope/tui"
	"bandscope/tui/class"
	"bandscope/tui/layout"
	"bandscope/tui/palette"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// seat is the model of one terminal: the person's own window, or the screen of the teacher whom they follow.
type seat struct {
	server   *Server
	person   *Person
	author   sessions.Author
	watching bool // a projector: it has no keys
	ctx      context.Context
	send     func(tea.Msg) // to the program of this seat
	end      func(error)   // ends the program, and says why

	screen screen
	own    *tui.Window
	room   *Room // nil while there is none
	// the screen of the room is shown, rather than the own window
	following  bool
	latest     *mailbox
	frame      string
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

func newSeat(ctx context.Context, server *Server, p *Person, via string, watching bool, size screen) *seat {
	s := &seat{server: server, person: p, watching: watching, ctx: ctx, screen: size, latest: newMailbox(),
		author: sessions.Author{Kind: sessions.AuthorPerson, Name: p.Name, Via: via}.Clean()}
	s.restyle()
	return s
}

func (s *seat) restyle() { s.style = theme.New(s.screen.dark, s.screen.tier, false) }

// Init joins the room, or opens the own window.
func (s *seat) Init() tea.Cmd {
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
	role := classes.Student
	if s.person.Teacher {
		role = classes.Teacher
	}
	err := s.server.names.Set(s.id, s.person.Name)
	if err == nil {
		_, err = room.class.Join(s.id, role)
	}
	if err != nil {
		s.server.options.Log.Error("joining the class", "name", s.person.Name, "error", err)
		s.say("you cannot answer here: " + err.Error())
	}
}

// teaches reports whether the person shows their window to the room.
func (s *seat) teaches() bool {
	return s.room != nil && s.person.Teacher && !s.watching && s.room.teach(s)
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
// covers the keys of the teacher, which do nothing here.
func (s *seat) enter() {
	of := s.screen
	if of.height != tui.MinHeight {
		of.height = max(of.height-1, 1)
	}
	s.room.enter(s, of)
}

// wait waits for something new in the room.
func (s *seat) wait() tea.Cmd {
	return func() tea.Msg {
		select {
		case <-s.latest.ready:
			return frameMsg{}
		case <-s.ctx.Done():
			return nil
		}
	}
}

// openOwn opens the own window: on a copy of a session if there is one, otherwise on the session of the last time.
func (s *seat) openOwn(copyOf string) tea.Cmd {
	s.opening = true
	dir := s.person.Dir
	return func() tea.Msg {
		if copyOf == "" {
			cfg := library.DefaultConfig()
			session, err := sessions.New(s.ctx, cfg)
			return openedMsg{session, err}
		}
		session, err := sessions.OpenReadOnly(s.ctx, copyOf)
		if err != nil {
			return openedMsg{nil, err}
		}
		name := "class-" + strings.TrimSuffix(filepath.Base(copyOf), ".jsonl") + ".jsonl"
		if err := session.SaveAs(library.FreePath(filepath.Join(dir, name))); err != nil {
			return openedMsg{nil, errors.Join(err, session.Close())}
		}
		return openedMsg{session, nil}
	}
}

// opened shows the own window.
func (s *seat) opened(msg openedMsg) tea.Cmd {
	s.opening = false
	if msg.err != nil {
		s.say("your window cannot be opened: " + msg.err.Error())
		if s.room != nil {
			return s.follow()
		}
		return tea.Quit
	}
	fresh := s.own == nil
	if !fresh {
		s.server.background(s.own.Close)
	}
	s.own = tui.NewWindow(tui.Options{Session: msg.session, Author: s.author, Dir: s.person.Dir,
		Offer: msg.session.Path() == "", Entries: s.entries, Progress: s.learned})
	s.own.SetSizeAndColors(s.screen.width, s.screen.height, s.screen.dark, s.screen.tier)
	s.following = false
	if s.teaches() {
		s.own.Say("you teach in the room "+s.room.Name+": others see this window", false)
	} else if s.room != nil {
		s.own.Say("this is your own copy; "+lookKey+" goes back to the room "+s.room.Name, false)
	}
	return tea.Batch(s.own.Init(), s.publish())
}

// learned records the progress in a lesson in the class.
func (s *seat) learned(name string, pages int, p lesson.LessonProgress) {
	if s.room == nil || s.id == "" || s.person.Teacher {
		return
	}
	steps := []classes.LessonStep{}
	if p.FarthestPage > 0 {
		steps = append(steps, classes.LessonStep{Lesson: name, Page: p.FarthestPage, Pages: pages})
	}
	for page, right := range p.Answers {
		steps = append(steps, classes.LessonStep{Lesson: name, Page: page, Pages: pages, Answered: true, Right: right})
	}
	if !p.Exercise.Done.IsZero() {
		steps = append(steps, classes.LessonStep{Lesson: name, Exercise: true})
	}
	record, id := s.room.class, s.id
	s.server.background(func() error {
		var errs []error
		for _, step := range steps {
			errs = append(errs, record.Record(id, step))
		}
		return errors.Join(errs...)
	})
}

// Update takes a message.
func (s *seat) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		msg.Width, msg.Height = min(max(msg.Width, 1), maxWidth), min(max(msg.Height, 1), maxHeight)
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
		if s.own != nil && s.room != nil && s.room.teaching() == s.person.Name {
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
	case widget.DoneMsg:
		s.server.compute(s, msg.Spent())
	case tea.KeyPressMsg:
		return s, s.pressed(msg)
	case tea.PasteMsg:
		if s.page != nil {
			return s, s.page.Update(msg)
		}
		if s.following {
			return s, nil
		}
	case tea.MouseMsg:
		if s.following || s.page != nil {
			return s, nil
		}
	case widget.ActionMsg:
		if s.page != nil {
			if cmd, done := s.pageAction(msg.Action); done {
				return s, cmd
			}
		}
	}
	if s.page != nil {
		return s, tea.Batch(s.page.Update(msg), s.toOwn(msg))
	}
	return s, s.toOwn(msg)
}

// changed passes a change of the terminal on.
func (s *seat) changed(msg tea.Msg) tea.Cmd {
	s.restyle()
	if s.following {
		s.enter()
	}
	return s.toOwn(msg)
}

// toOwn passes a message to the own window, and has it drawn for those who follow.
func (s *seat) toOwn(msg tea.Msg) tea.Cmd {
	if s.own == nil {
		return nil
	}
	_, cmd := s.own.Update(msg)
	return tea.Batch(cmd, s.publish())
}

// publish has the window drawn for those who follow, soon.
func (s *seat) publish() tea.Cmd {
	if s.publishing || s.room == nil || s.own == nil || s.room.teaching() != s.person.Name {
		return nil
	}
	s.publishing = true
	return tea.Tick(publishDelay, func(time.Time) tea.Msg { return publishMsg{} })
}

// pressed takes a key press.
func (s *seat) pressed(msg tea.KeyPressMsg) tea.Cmd {
	s.said = ""
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
	case name == lookKey && s.room != nil && s.teaches():
		return s.view(class.NewPanel(desk{s.server, s.room, s}))
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

// look goes from the class to the own window, or back.
func (s *seat) look() tea.Cmd {
	switch {
	case !s.following:
		return s.follow()
	case s.opening:
		return nil
	}
	return s.openOwn(s.room.path())
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
		if s.over = nil; chosen != nil {
			cmd = tea.Batch(cmd, chosen.Do())
		}
		return cmd
	}
	at, ok := s.page.(interface{ KeyMap() widget.KeyMap })
	switch {
	case msg.String() == lookKey:
		return s.view(nil)
	case ok && !at.KeyMap().Typing && (key.Matches(msg, widget.PaletteKey) || key.Matches(msg, widget.HelpKey)):
		s.over = palette.New(keyEntries(at.KeyMap(), s.page.Update), nil,
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
			Disabled: k.DisabledReason, Do: func() tea.Cmd { return press(widget.KeyPress(name)) }})
	}
	return list
}

// passed takes a key press of the person who has the keyboard. They cannot end the window.
func (s *seat) passed(msg passedMsg) tea.Cmd {
	press, ok := msg.key.(tea.KeyPressMsg)
	if !ok || s.own == nil || !s.room.holds(msg.from) {
		return nil
	}
	switch press.String() {
	case "ctrl+c", "ctrl+z", "q":
		return nil
	}
	s.own.Session().SetAuthor(msg.from.author)
	return s.toOwn(press)
}

// take takes the keyboard back.
func (s *seat) takeKeyboard() tea.Cmd {
	s.room.pass("")
	s.own.Session().SetAuthor(s.author)
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
	case s.room.teaching() != s.person.Name:
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
		if s.room.holder() != nil {
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
	if s.join(room); !s.teaches() {
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

// say shows a message in the last line while the seat follows.
func (s *seat) say(text string) {
	s.said, s.until = text, time.Now().Add(sayFor)
	time.AfterFunc(sayFor, s.latest.wake)
}

// View draws the own window, or the screen of the room.
func (s *seat) View() tea.View {
	if s.page != nil {
		v := tea.NewView(s.pageFrame())
		v.AltScreen, v.WindowTitle = true, "bandscope"
		return v
	}
	if !s.following && s.own != nil {
		return s.own.View()
	}
	v := tea.NewView(s.followed())
	v.AltScreen, v.WindowTitle = true, "bandscope"
	return v
}

// pageFrame is the page of the class, with the palette over it.
func (s *seat) pageFrame() string {
	w, h := s.screen.width, s.screen.height
	p := s.page
	if s.over != nil {
		p = covered{p, s.over, s.style, w, h}
	}
	return s.canvas.draw(p, w, h, s.style)
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

// followed is the latest frame of the room, with a last line.
func (s *seat) followed() string {
	switch {
	case s.room == nil && s.watching:
		return "no room is open yet"
	case s.room == nil:
		return "opening your window"
	}
	lines := strings.Split(s.frame, "\n")
	if s.frame == "" {
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
		return " " + st.Paint(st.Dim, st.Plain(text))
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
