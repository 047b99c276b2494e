// Package tui is the program's window, which shows one screen at a time, with the help over it. It passes the result of
// a job to the screen that started it, and a key press to the help, to an input or to the screen. It performs the
// actions that screens request: another screen, another session, the end. It opens and closes sessions. The screens are
// in the packages below; pictures of beliefs are in tui/picture, plots in tui/chart, colours in tui/theme, and shared
// parts in tui/widget.
package tui

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"io"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"bandscope/sessions"
	"bandscope/sessions/lesson"
	"bandscope/sessions/library"
	"bandscope/tui/compare"
	"bandscope/tui/explore"
	"bandscope/tui/extension"
	"bandscope/tui/graphics"
	"bandscope/tui/librarypage"
	"bandscope/tui/palette"
	"bandscope/tui/placement"
	"bandscope/tui/player"
	"bandscope/tui/playground"
	"bandscope/tui/rights"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Options say what the window opens with.
type Options struct {
	Session    *sessions.Session      // the session of the explorer
	Author     sessions.Author        // who records on the screen; zero if unknown
	Rights     rights.Rights          // of the person
	Offer      bool                   // offer to resume the newest session of the person's folder
	Comparison *library.Comparison    // shown first instead, nil for the explorer
	Playground *sessions.Session      // shown over the explorer, nil for none; the window closes it
	Opened     io.Closer              // shown over the explorer by an extension, nil for none; the window closes it
	Studies    bool                   // begin with the list of studies
	Notice     string                 // the first message; empty for none
	FrontDoor  bool                   // show ways to go on below the plot
	Replay     bool                   // play what the session has on record, from its beginning
	Speed      float64                // of that, in places a second; 0 waits for keys
	ASCII      bool                   // draw with characters below 0x80 only
	NoMouse    bool                   // leave the mouse to the terminal
	Theme      string                 // auto, dark or light
	Colors     string                 // auto, truecolor, 256, 16 or none
	Graphics   graphics.Protocol      // whether plots are pictures
	Pictures   *placement.Terminal    // that shows them; nil for one of the window's own
	Entries    func() []palette.Entry // further entries of the palette; nil for none
	Corner     string                 // a key of the owner of the window, in the corner of the footer; empty for none
	Stay       func() string          // why the window does not end now, empty where it does; nil for always
	// takes the progress in a lesson when it changes, on the update loop; nil for none
	Progress func(name string, pages int, p lesson.LessonProgress)

	end context.CancelFunc // ends the computations of the window
}

// Run shows the window until the person quits or the context ends, whose cause is then in the error, or the terminal
// goes away (ErrGone). The terminal is restored and the session closed when it returns.
func Run(ctx context.Context, o Options) error {
	window := NewWindow(o)
	app := window.app
	app.pictures.Measure(func() image.Point { return graphics.WindowPixels(os.Stdout.Fd()) })
	var program []tea.ProgramOption
	if profile, forced := forcedProfile(o.Colors, os.Getenv("NO_COLOR")); forced {
		program = append(program, tea.WithColorProfile(profile))
		app.setProfile(profile)
	}
	err := runProgram(ctx, window, program...)
	if err == nil {
		fmt.Fprint(os.Stdout, app.pictures.Parting())
	}
	if app.companion != nil && app.companion.Parting() != "" {
		fmt.Fprintln(os.Stderr, app.companion.Parting())
	}
	closed := make(chan error, 1)
	go func() { closed <- app.close() }()
	patience := make(<-chan time.Time)
	if err != nil {
		patience = time.After(closeTimeout)
	}
	select {
	case closeErr := <-closed:
		err = cmp.Or(err, closeErr)
	case <-patience: // something holds the session; it is on disk up to its last event
	}
	if err != nil {
		return fmt.Errorf("the screen ended: %w", err)
	}
	return nil
}

// forcedProfile is the colour profile that the person asked for, by option or by a NO_COLOR that is not empty
// (no-color.org); false leaves it to the terminal.
func forcedProfile(colors, noColor string) (colorprofile.Profile, bool) {
	switch colors {
	case "truecolor":
		return colorprofile.TrueColor, true
	case "256":
		return colorprofile.ANSI256, true
	case "16":
		return colorprofile.ANSI, true
	case "none":
		return colorprofile.ASCII, true
	}
	return colorprofile.ASCII, noColor != ""
}

// TierFor is the drawing tier of a colour profile.
func TierFor(p colorprofile.Profile) theme.Tier {
	switch p {
	case colorprofile.TrueColor:
		return theme.TrueColor
	case colorprofile.ANSI256:
		return theme.Color256
	case colorprofile.ANSI:
		return theme.Color16
	default:
		return theme.NoColor
	}
}

// newApp makes the window's model.
func newApp(o Options) *app {
	o.Rights.Context, o.end = context.WithCancel(o.Rights.Lasting())
	dir := o.Rights.Sessions
	a := &app{options: o, now: time.Now, changed: map[string]bool{}, progress: lesson.NewProgressStore(dir), dark: o.Theme != "light",
		tier: theme.TrueColor}
	a.pictures = o.Pictures
	if a.pictures == nil {
		a.pictures = placement.NewTerminal(o.Graphics, a.forced(), o.Rights.Lasting().Done())
	}
	o.Session.SetAuthor(o.Author)
	a.explore = explore.New(o.Session, dir)
	a.current = a.explore
	first := widget.Page(nil)
	if o.Playground != nil {
		first = playground.New(o.Playground, dir)
	}
	if o.Opened != nil {
		first = a.pageFor(o.Opened)
	}
	switch p := first.(type) {
	case extension.Layer:
		p.SetAuthor(o.Author)
		a.layer, a.current = p, p
	case extension.Companion:
		a.companion, a.current = p, p
	}
	if o.Studies {
		m := librarypage.New(o.Session.State().Config, "", dir)
		m.ShowStudies()
		a.current = m
	}
	if o.Notice != "" {
		a.current.Say(o.Notice, true)
	}
	if o.Replay {
		player.Replay(a.home().(player.Screen), o.Speed)
	}
	if o.FrontDoor {
		a.explore.Invite(a.waysBox)
	}
	if o.Comparison != nil {
		if m, err := compare.New(o.Comparison); err != nil {
			a.explore.Say(err.Error(), true)
		} else {
			a.current = m
		}
	}
	a.explore.Permit(o.Rights)
	a.current.Permit(o.Rights)
	a.restyle()
	return a
}
