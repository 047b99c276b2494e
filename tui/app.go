package tui

import (
	"context"
	"fmt"
	"io"
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
}

// newest is the newest readable session of the folder that holds at least one iteration, nil if there is none.
func (a *app) newest() *sessions.Entry {
	if !a.options.Offer || a.options.Dir == "" {
		return nil
	}
	entries, err := sessions.List(context.Background(), a.options.Dir)
	if err != nil {
		return nil
	}
	for i := range entries {
		if entries[i].Unreadable == "" && entries[i].Steps > 0 {
			return &entries[i]
		}
	}
	return nil
}

// Init asks the terminal for its background and starts the first screen.
func (a *app) Init() tea.Cmd {
	cmds := []tea.Cmd{a.current.Init()}
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
	case screen.DoneMsg, screen.TickMsg:
		if a.current == page(a.explore) {
			return a, a.explore.Update(msg)
		}
		return a, tea.Batch(a.explore.Update(msg), a.current.Update(msg)) // whoever's job it is takes it
	case resumedMsg:
		if msg.err != nil {
			a.explore.Say("ctrl+z: "+msg.err.Error(), true)
		}
		return a, tea.ClearScreen // what the terminal shows is not known
	case tea.KeyPressMsg:
		if msg.String() == "ctrl+z" { // in every screen and mode
			return a, tea.Suspend
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
		s, err := sessions.OpenLesson(msg.Name)
		if err != nil {
			return a.stay(err), true
		}
		return a.take(s), true
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

// show makes a page the current one; one that is left and holds something is closed.
func (a *app) show(p page) tea.Cmd {
	if c, ok := a.current.(io.Closer); ok && p != a.current {
		if err := c.Close(); err != nil {
			a.explore.Say(fmt.Sprintf("closing the screen before: %v", err), true)
		}
	}
	a.current = p
	p.Resize(a.width, a.height)
	p.Restyle(a.style)
	return p.Init()
}

// start explores a new session.
func (a *app) start(cfg sessions.Config) tea.Cmd {
	s, err := sessions.New(cfg)
	if err != nil {
		return a.stay(err)
	}
	return a.take(s)
}

// reopen explores a saved session.
func (a *app) reopen(path string) tea.Cmd {
	if path == a.explore.Session().Path() {
		return a.show(a.explore)
	}
	s, err := sessions.Open(path)
	if err != nil {
		return a.stay(err)
	}
	if s.State().Saved {
		sessions.Touch(path)
	}
	return a.take(s)
}

// stay returns to the explorer with an error to show.
func (a *app) stay(err error) tea.Cmd {
	cmd := a.show(a.explore)
	a.explore.Say(err.Error(), true)
	return cmd
}

// take puts another session into the explorer; the one before is closed.
func (a *app) take(s *sessions.Session) tea.Cmd {
	a.explore.Stop()
	closing := a.explore.Session().Close()
	a.explore = explore.New(s, a.options.Dir, nil)
	if closing != nil {
		a.explore.Say(fmt.Sprintf("closing the session before: %v", closing), true)
	}
	return a.show(a.explore)
}

// close closes the session that is explored.
func (a *app) close() error {
	a.explore.Stop()
	return a.explore.Session().Close()
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
	return a.current.Render()
}

// tooSmall says what the window needs, in as few columns as it can.
func tooSmall(w, h int) []string {
	text := fmt.Sprintf("too small: bandscope needs %dx%d, has %dx%d", minWidth, minHeight, w, h)
	return screen.Wrap(text, w)
}
