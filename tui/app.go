package tui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"bandscope/sessions"
	"bandscope/tui/compare"
	"bandscope/tui/explore"
	"bandscope/tui/export"
	"bandscope/tui/history"
	"bandscope/tui/open"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// The least window in which every screen is whole.
const (
	minWidth  = 80
	minHeight = 24
)

// page is one screen of the window.
type page interface {
	Init() tea.Cmd
	Update(tea.Msg) tea.Cmd
	Resize(w, h int)
	Restyle(theme.Style)
	Render() []string // as many lines as the window is high, none wider than it
}

// app is the window: it holds the pages, the size and the colours, and passes messages on.
type app struct {
	options Options
	dark    bool
	tier    theme.Tier
	style   theme.Style

	width, height int
	explore       *explore.Model
	current       page
	help          help
	now           func() time.Time
	typed         time.Time // when the last key of a field came, zero if others came since
	strayed       string    // what was typed since the field was left
	quitting      bool

	jobs      screen.Jobs         // that the window itself waits for: a session that is opened, the folder that is read
	undecided bool                // which screen is the first shows when the folder was read
	leaving   []*sessions.Session // those before, until they are closed
}

// Init asks the terminal for its background and starts the first screen.
func (a *app) Init() tea.Cmd {
	cmds := []tea.Cmd{a.first()}
	if a.options.Theme == "auto" || a.options.Theme == "" {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	return tea.Batch(cmds...)
}

// Update takes a message.
func (a *app) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.width, a.height = msg.Width, msg.Height
		a.current.Resize(a.width, a.height)
		return a, nil
	case tea.ColorProfileMsg:
		a.setProfile(msg.Profile)
		return a, nil
	case tea.BackgroundColorMsg:
		if a.options.Theme != "dark" && a.options.Theme != "light" {
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
	case resumedMsg:
		if msg.err != nil {
			a.explore.Say("ctrl+z: "+msg.err.Error(), true)
		}
		return a, tea.ClearScreen // what the terminal shows is not known
	case tea.KeyPressMsg:
		if msg.String() == "ctrl+z" { // in every screen and mode
			return a, tea.Suspend
		}
		if a.undecided && msg.String() != "ctrl+c" && msg.String() != "q" {
			return a.undecidedKey(msg)
		}
		if msg.String() == "esc" && a.jobs.Late() {
			a.jobs.Stop()
			a.say("stopped", false)
			return a, nil
		}
		if cmd, taken := a.pressed(msg); taken {
			return a, cmd
		}
	case tea.MouseMsg:
		if a.help.shown {
			a.help.mouse(msg)
			return a, nil
		}
	}
	if cmd, taken := a.route(msg); taken {
		return a, cmd
	}
	return a, a.current.Update(msg)
}

// both gives a message to the explorer and to the page that is shown: whoever's job it is takes it.
func (a *app) both(msg tea.Msg) tea.Cmd {
	if a.current == page(a.explore) {
		return a.explore.Update(msg)
	}
	return tea.Batch(a.explore.Update(msg), a.current.Update(msg))
}

// route takes the messages with which screens ask for each other.
func (a *app) route(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case explore.ExportMsg:
		return a.explore.Export(msg.Path, export.File), true
	case explore.HistoryMsg:
		h, err := history.New(a.explore.Session())
		if err != nil {
			return a.stay(err), true
		}
		return a.show(h), true
	case history.OpenMsg:
		return a.show(open.New(a.explore.Session().State().Config, a.explore.Session().Path(), a.options.Dir)), true
	case history.ClosedMsg:
		return a.show(a.explore), true
	case history.QuitMsg:
		a.quitting = true
		return tea.Quit, true
	case open.LessonMsg:
		return a.lesson(msg.Name), true
	case explore.OpenMsg:
		return a.show(open.New(msg.Current, a.explore.Session().Path(), a.options.Dir)), true
	case explore.CompareMsg:
		return a.compare(compare.Of(a.explore.Session(), a.options.Dir)), true
	case open.CompareMsg:
		c, err := sessions.FindComparison(msg.Name)
		if err != nil {
			return a.stay(err), true
		}
		return a.compare(compare.New(c)), true
	case compare.ChooseMsg:
		return a.show(open.New(msg.Current, a.explore.Session().Path(), a.options.Dir)), true
	case compare.ClosedMsg:
		return a.show(a.explore), true
	case compare.QuitMsg:
		a.quitting = true
		return tea.Quit, true
	case explore.ResumeMsg:
		return a.reopen(msg.Path), true
	case explore.QuitMsg:
		a.quitting = true
		return tea.Quit, true
	case open.ClosedMsg:
		return a.show(a.explore), true
	case open.StartMsg:
		return a.start(msg.Config), true
	case open.OpenedMsg:
		return a.reopen(msg.Path), true
	}
	return nil, false
}

// compare shows a comparison, or the error of making one.
func (a *app) compare(m *compare.Model, err error) tea.Cmd {
	if err != nil {
		return a.stay(err)
	}
	a.explore.Stop()
	return a.show(m)
}

// show makes a page the current one; what is computed for the one that is left is stopped.
func (a *app) show(p page) tea.Cmd {
	if s, ok := a.current.(interface{ Stop() }); ok && p != a.current && a.current != page(a.explore) {
		s.Stop()
	}
	closing := a.closing(a.current, p)
	a.current = p
	p.Resize(a.width, a.height)
	p.Restyle(a.style)
	return tea.Batch(closing, p.Init())
}

// stay returns to the explorer with an error to show.
func (a *app) stay(err error) tea.Cmd {
	cmd := a.show(a.explore)
	a.explore.Say(err.Error(), true)
	return cmd
}

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
	v := tea.NewView(screen.Frame(a.lines(), a.width, a.height))
	v.AltScreen = true
	v.WindowTitle = "bandscope"
	if !a.options.NoMouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}

func (a *app) lines() []string {
	switch {
	case a.quitting || a.width <= 0 || a.height <= 0:
		return nil
	case a.width < minWidth || a.height < minHeight:
		return tooSmall(a.width, a.height)
	case a.help.shown:
		return a.help.render(a.style, a.width, a.height)
	}
	return a.waiting()
}

// tooSmall says what the window needs, in as few columns as it can.
func tooSmall(w, h int) []string {
	text := fmt.Sprintf("too small: bandscope needs %dx%d, has %dx%d", minWidth, minHeight, w, h)
	return screen.Wrap(text, w)
}
