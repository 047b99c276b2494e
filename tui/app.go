package tui

import (
	"io"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"bandscope/sessions/lesson"
	"bandscope/sessions/library"
	"bandscope/tui/experimentform"
	"bandscope/tui/explain"
	"bandscope/tui/explore"
	"bandscope/tui/extension"
	"bandscope/tui/graphics"
	"bandscope/tui/layout"
	"bandscope/tui/palette"
	"bandscope/tui/placement"
	"bandscope/tui/player"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// app is the window: it holds the pages, the size and the colours, and passes messages on.
type app struct {
	options Options
	dark    bool
	tier    theme.Tier
	style   theme.Style

	width, height int
	explore       *explore.Model
	layer         extension.Layer     // over the explorer; nil if there is none
	companion     extension.Companion // nil if none is open
	current       display
	declare       *experimentform.Model // with its text; nil before it was opened
	help          help
	palette       *palette.Palette // over the page; nil if it is closed
	menu          *palette.Menu    // over the page; nil if it is closed
	pointer       pointer
	remembered    library.Remembered
	finding       widget.Jobs        // of the palette, which reads the saved sessions
	explainer     *explain.Explainer // over the page; nil if it is off
	now           func() time.Time
	trailing      trailingInput
	quitting      bool

	canvas     *lipgloss.Canvas // on which frames are drawn
	encoder    layout.Encoder
	drawn      *layout.Frame // the latest
	pictures   *placement.Terminal
	mouseFrame *layout.Frame // that the terminal showed when the mouse was used last

	typeAhead       typeAhead       // keys for a session that is being opened
	following       bool            // other programs that write to open sessions are followed
	jobs            widget.Jobs     // of the window: opening a session, reading the folder
	closingSessions []io.Closer     // the sessions before, until they are closed
	changed         map[string]bool // files of the sessions before that may be changed without a question

	progress       *lesson.ProgressStore // of lessons
	progressRead   bool                  // the progress on disk was read
	progressFailed bool                  // it could not be written, and the error was shown
	reading        lessonReading         // the progress that was saved last
	// file of the lesson whose exercise is open, if it was opened as a session; else empty
	exerciseFile string
}

// Init asks the terminal for its background and starts the first screen.
func (a *app) Init() tea.Cmd {
	lessons := func() tea.Msg { library.Lessons(); library.Gallery(); return nil } // which are listed on a key press
	cmds := []tea.Cmd{a.first(), a.load(), lessons}
	if a.options.Pictures == nil {
		cmds = append(cmds, a.pictures.Init())
	}
	if !a.forced() {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	return tea.Batch(cmds...)
}

// Update takes a message, and saves the progress in a lesson.
func (a *app) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var pictures tea.Cmd
	if a.options.Pictures == nil {
		pictures = a.pictures.Update(msg)
	}
	m, cmd := a.update(msg)
	if a.style.Pictures != a.showsPictures() {
		a.restyle()
	}
	return m, tea.Batch(pictures, cmd, a.saveProgress(), a.follow())
}

// showsPictures reports whether plots are pictures now: nothing is in front of them, and there are the colours.
func (a *app) showsPictures() bool {
	return a.pictures.Protocol() != graphics.Cells && a.colorful() && !a.covered()
}

// colorful reports whether the terminal has the colours of pictures.
func (a *app) colorful() bool { return a.tier >= theme.Color256 && !a.options.ASCII }

// togglePictures draws plots in cells, or as pictures again, and remembers it.
func (a *app) togglePictures() tea.Cmd {
	shown := a.pictures.Toggle()
	if a.pictures.Protocol() != graphics.Cells && !a.colorful() {
		shown = "plots are drawn in cells: pictures need 256 colors, and no --ascii"
	}
	a.current.Say(shown, false)
	a.remembered.Cells = a.pictures.Off()
	return a.remember()
}

// remember records what the window remembers.
func (a *app) remember() tea.Cmd {
	dir, record := a.options.Rights.Sessions, a.remembered
	if dir == "" {
		return nil
	}
	return func() tea.Msg {
		_ = record.Save(dir) // a list of recent commands is not worth an error
		return nil
	}
}

// covered reports whether something else is in front of the current page.
func (a *app) covered() bool {
	return a.small() || a.help.shown || a.palette != nil || a.menu != nil || a.explainer != nil
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
	case player.ArrivedMsg, player.FollowMsg:
		return a, a.followed(msg)
	case widget.DoneMsg:
		return a, a.jobDone(msg)
	case widget.TickMsg:
		return a, tea.Batch(a.both(msg), a.jobs.Tick(msg))
	case closedMsg:
		a.closed(msg)
		return a, nil
	case loadedMsg:
		a.loaded(msg)
		return a, nil
	case progressSavedMsg:
		a.progressSaved(msg)
		return a, nil
	case resumedMsg:
		if msg.err != nil {
			a.explore.Say("ctrl+z: "+msg.err.Error(), true)
		}
		a.pictures.Lost()
		return a, tea.ClearScreen // the content of the terminal is unknown
	case tea.KeyPressMsg:
		if cmd, taken := a.keyed(msg); taken {
			return a, cmd
		}
	case tea.PasteMsg:
		if a.palette != nil {
			return a, a.paletteMsg(msg)
		}
	case tea.MouseMsg:
		return a, a.mouse(msg)
	}
	if want, ok := msg.(widget.ActionMsg); ok {
		a.typeAhead.actionWanted = false
		cmd := a.do(want.Action)
		return a, tea.Batch(cmd, a.typedAhead())
	}
	cmd := a.current.Update(msg)
	if l, ok := a.current.(interface{ Leaving() bool }); ok {
		a.typeAhead.actionWanted = l.Leaving() || a.typeAhead.actionWanted
	}
	return a, cmd
}

// jobDone takes the result of a job: of the window, of the palette, or of a page.
func (a *app) jobDone(msg widget.DoneMsg) tea.Cmd {
	if inner, ok := a.jobs.Take(msg); ok {
		return a.done(inner)
	}
	if inner, ok := a.finding.Take(msg); ok {
		a.finding.Finish()
		if found, ok := inner.(foundMsg); ok && a.palette != nil {
			a.palette.Add(found.entries)
		}
		return nil
	}
	return tea.Batch(a.both(msg), widget.Release(msg, closeFailed))
}

// keyed takes a key press in every screen and mode; false where it is the page's.
func (a *app) keyed(msg tea.KeyPressMsg) (cmd tea.Cmd, taken bool) {
	switch name := msg.String(); {
	case name == "ctrl+z":
		return tea.Suspend, true
	case a.typeAhead.holds(msg):
		return nil, true
	case name == "esc" && a.jobs.Late():
		a.jobs.Stop()
		a.typeAhead = typeAhead{}
		a.current.Say("stopped", false)
		return nil, true
	}
	return a.pressed(msg)
}

// both gives a message to the explorer and to the current page: the one that started the job takes it.
func (a *app) both(msg tea.Msg) tea.Cmd {
	if a.current == display(a.explore) {
		return a.explore.Update(msg)
	}
	return tea.Batch(a.explore.Update(msg), a.current.Update(msg))
}

// forced reports whether the theme was set by an option, whatever the terminal's background is.
func (a *app) forced() bool { return a.options.Theme == "dark" || a.options.Theme == "light" }

func (a *app) setProfile(p colorprofile.Profile) {
	a.tier = TierFor(p)
	a.restyle()
}

// restyle passes the colours and glyphs on after they changed.
func (a *app) restyle() {
	a.style = theme.New(a.dark, a.tier, a.options.ASCII)
	a.style.Pictures = a.showsPictures()
	a.explore.Restyle(a.style)
	a.current.Restyle(a.style)
}
