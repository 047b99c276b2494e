package tui

import (
	"fmt"
	"io"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"bandscope/sessions/course"
	"bandscope/sessions/shelf"
	"bandscope/tui/compare"
	"bandscope/tui/declare"
	"bandscope/tui/diagnostics"
	"bandscope/tui/explain"
	"bandscope/tui/explore"
	"bandscope/tui/export"
	"bandscope/tui/history"
	"bandscope/tui/layout"
	"bandscope/tui/open"
	"bandscope/tui/screen"
	"bandscope/tui/study"
	"bandscope/tui/theme"
	"bandscope/tui/watch"
)

// The least window in which every screen is whole.
const (
	minWidth  = 80
	minHeight = 24
)

// app is the window: it holds the pages, the size and the colours, and passes messages on.
type app struct {
	options Options
	dark    bool
	tier    theme.Tier
	style   theme.Style

	width, height int
	explore       *explore.Model
	lab           *watch.Model // nil where none is open
	study         *study.Model // nil where none is open; it stays while other screens are shown
	current       display
	declare       *declare.Model // with what was typed there; nil before it was wanted
	help          help
	walk          *explain.Walk // over what is seen; nil where none is on
	now           func() time.Time
	stray         stray
	quitting      bool

	canvas  *lipgloss.Canvas // on which frames are drawn
	encoder layout.Encoder
	drawn   *layout.Frame // the latest
	shown   *layout.Frame // that the terminal showed when the mouse was used last

	ahead     ahead       // what is typed for a session that is not there yet
	jobs      screen.Jobs // that the window itself waits for: a session that is opened, the folder that is read
	undecided bool        // which screen is the first shows when the folder was read
	leaving   []io.Closer // the sessions before, until they are closed

	course  *course.Keeper // what is read of lessons
	known   bool           // and what was read before
	unkept  bool           // it could not be written, which was said
	watched watched        // what was noted of it last
	written string         // file of the lesson whose exercise was begun, where that is open for writing; else empty
}

// Init asks the terminal for its background and starts the first screen.
func (a *app) Init() tea.Cmd {
	cmds := []tea.Cmd{a.first(), a.load(), func() tea.Msg { shelf.Lessons(); return nil }} // which are listed on a key press
	if !a.forced() {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	return tea.Batch(cmds...)
}

// Update takes a message, and notes what was read by it.
func (a *app) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m, cmd := a.update(msg)
	return m, tea.Batch(cmd, a.note())
}

func (a *app) update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.width, a.height = msg.Width, msg.Height
		a.current.Resize(a.width, a.height)
		return a, nil
	case tea.ColorProfileMsg:
		a.setProfile(msg.Profile)
		return a, nil
	case tea.BackgroundColorMsg:
		if !a.forced() {
			a.dark = msg.IsDark()
			a.restyle()
		}
		return a, nil
	case screen.DoneMsg:
		if inner, ok := a.jobs.Take(msg); ok {
			return a, a.done(inner)
		}
		return a, tea.Batch(a.both(msg), screen.Release(msg, closeFailed))
	case screen.TickMsg:
		return a, tea.Batch(a.both(msg), a.jobs.Tick(msg))
	case closedMsg:
		a.closed(msg)
		return a, nil
	case loadedMsg:
		a.loaded(msg)
		return a, nil
	case keptMsg:
		a.kept(msg)
		return a, nil
	case resumedMsg:
		if msg.err != nil {
			a.explore.Say("ctrl+z: "+msg.err.Error(), true)
		}
		return a, tea.ClearScreen // what the terminal shows is not known
	case tea.KeyPressMsg:
		if cmd, taken := a.keyed(msg); taken {
			return a, cmd
		}
	case tea.MouseMsg:
		return a, a.mouse(msg)
	}
	if want, ok := msg.(screen.ActionMsg); ok {
		a.ahead.leaving = false
		cmd := a.do(want.Action)
		return a, tea.Batch(cmd, a.typedAhead())
	}
	cmd := a.current.Update(msg)
	if l, ok := a.current.(interface{ Leaving() bool }); ok {
		a.ahead.leaving = l.Leaving() || a.ahead.leaving
	}
	return a, cmd
}

// mouse takes a mouse message: a click gives the keys to what can have them under it.
func (a *app) mouse(msg tea.MouseMsg) tea.Cmd {
	if a.walk != nil && !a.help.shown {
		a.walkMouse(msg)
		return nil
	}
	at := msg.Mouse()
	path := a.under(at.X, at.Y)
	if _, click := msg.(tea.MouseClickMsg); click {
		focus(path)
	}
	if a.help.shown {
		a.help.mouse(msg)
		return nil
	}
	return a.current.Update(screen.Hit{MouseMsg: msg, Path: path})
}

// focus gives the keys to the innermost box of a path that can have them.
func focus(path []layout.Placed) {
	for _, p := range slices.Backward(path) {
		if p.Focus != nil {
			p.Focus()
			return
		}
	}
}

// under are the boxes under a cell of the frame that the terminal shows.
func (a *app) under(col, row int) []layout.Placed {
	if a.shown == nil {
		return nil
	}
	return a.shown.PathAt(col, row)
}

// keyed takes a key press in every screen and mode; false where it is the page's.
func (a *app) keyed(msg tea.KeyPressMsg) (cmd tea.Cmd, taken bool) {
	switch name := msg.String(); {
	case name == "ctrl+z":
		return tea.Suspend, true
	case a.ahead.holds(msg):
		return nil, true
	case a.undecided && name != "ctrl+c" && name != "q":
		return a.undecidedKey(msg), true
	case name == "esc" && a.jobs.Late():
		a.jobs.Stop()
		a.ahead = ahead{}
		a.current.Say("stopped", false)
		return nil, true
	}
	return a.pressed(msg)
}

// both gives a message to the explorer and to the page that is shown: whoever's job it is takes it.
func (a *app) both(msg tea.Msg) tea.Cmd {
	if a.current == display(a.explore) {
		return a.explore.Update(msg)
	}
	return tea.Batch(a.explore.Update(msg), a.current.Update(msg))
}

// display is a page that is shown.
type display = screen.Page

// room is a screen as the window knows it: what the help tells of its keys, and the page that an action asks for.
type room struct {
	groups func() []screen.Group
	enter  func(*app, screen.Action) (p display, asked bool, err error)
}

// rooms are the screens.
var rooms = []room{
	on(explore.Groups, func(a *app, _ screen.Close) (display, error) { return a.below(), nil }),
	on(history.Groups, func(a *app, _ screen.History) (display, error) { return history.New(a.explore.Session()) }),
	on(diagnostics.CheckGroups, func(a *app, _ screen.Believe) (display, error) { return diagnostics.NewCheck(a.explore.Session()), nil }),
	on(diagnostics.ExplainGroups, func(a *app, _ screen.Why) (display, error) { return diagnostics.NewExplain(a.explore.Session()) }),
	on(compare.Groups, func(a *app, _ screen.Compare) (display, error) {
		return compare.Of(a.explore.Session(), a.options.Dir)
	}),
	on(open.Groups, func(a *app, want screen.Open) (display, error) {
		m := open.New(want.From, a.path(), a.options.Dir)
		switch {
		case want.Lessons:
			m.AmongLessons()
		case want.Studies:
			m.AmongStudies()
		}
		return m, nil
	}),
	on(declare.Groups, func(a *app, want screen.Declare) (display, error) {
		if a.declare == nil {
			a.declare = declare.New()
		}
		return a.declare, a.declare.Begin(want.From)
	}),
	{watch.Groups, elsewhere}, // a session of a lab is opened like one of the explorer
	{study.Groups, elsewhere}, // and so is a study
}

// elsewhere is a room that no action enters at once.
func elsewhere(*app, screen.Action) (p display, asked bool, err error) { return nil, false, nil }

// on is a room that an action A asks for.
func on[A screen.Action](groups func() []screen.Group, enter func(*app, A) (display, error)) room {
	return room{groups, func(a *app, want screen.Action) (display, bool, error) {
		asked, ok := want.(A)
		if !ok {
			return nil, false, nil
		}
		p, err := enter(a, asked)
		return p, true, err
	}}
}

// do does what a screen wants.
func (a *app) do(want screen.Action) tea.Cmd {
	for _, r := range rooms {
		if p, asked, err := r.enter(a, want); asked {
			return a.enter(p, err)
		}
	}
	switch want := want.(type) {
	case screen.Stored:
		return a.enter(stored(want.Name))
	case screen.Start:
		return a.start(want.Config)
	case screen.Resume:
		return a.reopen(want.Path)
	case screen.Lab:
		return a.newLab(want.Name)
	case screen.Study:
		return a.showStudy(want.Name)
	case screen.Made:
		return a.made(want)
	case screen.Lesson:
		return a.lesson(want.Name)
	case screen.Task:
		return a.exercise()
	case screen.Back:
		return a.back(want.Lesson)
	case screen.Export:
		if a.study != nil && a.current == display(a.study) {
			return a.study.Export(want.Path, exportStudy)
		}
		if a.lab != nil {
			return a.lab.Export(want.Path, exportLab)
		}
		return a.explore.Export(want.Path, export.File)
	case screen.Quit:
		a.current.Stop()
		a.quitting = true
		return tea.Quit
	}
	return nil
}

// stored makes the screen of a comparison that was stored.
func stored(name string) (display, error) {
	c, err := shelf.FindComparison(name)
	if err != nil {
		return nil, err
	}
	return compare.New(c)
}

// enter shows a page that was made, or the error of making it.
func (a *app) enter(p display, err error) tea.Cmd {
	if err != nil {
		return a.stay(err)
	}
	return a.show(p)
}

// show makes a page the current one; what is computed for the one that is left is stopped. A lab that is left for the explorer is closed.
func (a *app) show(p display) tea.Cmd {
	if p != a.current && a.current != display(a.explore) {
		a.current.Stop()
	}
	var dropped tea.Cmd
	if p == display(a.explore) {
		dropped = a.dropLab()
	}
	closing := a.closing(a.current, p)
	a.current, a.walk = p, nil
	p.Resize(a.width, a.height)
	p.Restyle(a.style)
	return tea.Batch(closing, dropped, p.Init())
}

// stay returns to what is open with an error to show.
func (a *app) stay(err error) tea.Cmd {
	home := a.home()
	cmd := a.show(home)
	home.Say(err.Error(), true)
	return cmd
}

// forced reports whether the theme was chosen, whatever the terminal's background is.
func (a *app) forced() bool { return a.options.Theme == "dark" || a.options.Theme == "light" }

func (a *app) setProfile(p colorprofile.Profile) {
	a.tier = tierOf(p)
	a.restyle()
}

// restyle passes the colours and glyphs on after they changed.
func (a *app) restyle() {
	a.style = theme.New(a.dark, a.tier, a.options.ASCII)
	a.explore.Restyle(a.style)
	a.current.Restyle(a.style)
}

// View draws the window.
func (a *app) View() tea.View {
	v := tea.NewView(a.draw())
	v.AltScreen = true
	v.WindowTitle = "bandscope"
	if at, ok := a.drawn.Cursor(); ok && (a.walk == nil || a.help.shown) {
		v.Cursor = tea.NewCursor(at.X, at.Y)
	}
	if !a.options.NoMouse {
		v.MouseMode = tea.MouseModeCellMotion
		frame := a.drawn
		v.OnMouse = func(tea.MouseMsg) tea.Cmd { // before Update takes the message, on the same goroutine
			a.shown = frame
			return nil
		}
	}
	return v
}

// draw draws the frame of what is shown.
func (a *app) draw() string {
	w, h := max(a.width, 0), max(a.height, 0)
	if a.canvas == nil {
		a.canvas = lipgloss.NewCanvas(w, h)
	}
	a.canvas.Resize(w, h)
	a.canvas.Clear()
	a.drawn = layout.Arrange(a.frame(), w, h)
	a.shown = a.drawn
	if a.walk != nil && !a.help.shown && !a.small() {
		a.walk.Draw(a.style, a.canvas, a.drawn)
	} else {
		a.drawn.Draw(a.canvas)
	}
	if a.forced() {
		layout.FillPage(a.canvas, a.style)
	}
	return a.encoder.Encode(a.canvas)
}

// small reports whether the window is too small for any screen.
func (a *app) small() bool { return a.width < minWidth || a.height < minHeight }

// frame is the tree of boxes of what is shown.
func (a *app) frame() *layout.Box {
	switch {
	case a.quitting || a.width <= 0 || a.height <= 0:
		return nil
	case a.small():
		return layout.Text(a.width, tooSmall(a.width, a.height)...)
	case a.help.shown:
		return a.help.frame(a.style, a.width, a.height)
	}
	return a.waiting()
}

// tooSmall says what the window needs, in as few columns as it can.
func tooSmall(w, h int) []string {
	text := fmt.Sprintf("too small: bandscope needs %dx%d, has %dx%d", minWidth, minHeight, w, h)
	return layout.Wrap(text, w)
}
