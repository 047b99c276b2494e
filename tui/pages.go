package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/tui/compare"
	"bandscope/tui/experimentform"
	"bandscope/tui/export"
	"bandscope/tui/extension"
	"bandscope/tui/librarypage"
	"bandscope/tui/player"
	"bandscope/tui/playground"
	"bandscope/tui/widget"

	// Pages about the session, which register themselves.
	_ "bandscope/tui/branches"
	_ "bandscope/tui/modelcheck"
)

// display is a page that is shown.
type display = widget.Page

// do performs an action that a screen requests.
func (a *app) do(want widget.Action) tea.Cmd {
	switch want := want.(type) {
	case widget.Close:
		return a.show(a.below())
	case *widget.SessionPage:
		return a.enter(want.New(a.explore.Session()))
	case widget.Compare:
		return a.enter(compare.NewWithSession(a.explore.Session(), a.options.Rights.Sessions))
	case widget.Open:
		return a.show(a.list(want))
	case widget.Declare:
		if a.declare == nil {
			a.declare = experimentform.New()
		}
		return a.enter(a.declare, a.declare.Begin(want.From))
	case widget.PublishedStudy:
		return a.enter(publishedStudy(want.Name))
	case widget.Start:
		return a.start(want.Config)
	case widget.Resume:
		a.changed[want.Path] = a.changed[want.Path] || want.Continue
		return a.reopen(want.Path)
	case widget.Playground:
		return a.newPlayground(want.Preset)
	case widget.Study:
		if cmd, shown := a.showCompanion(want.Name); shown {
			return cmd
		}
		return a.extend(want)
	case widget.MakeSession:
		return a.made(want)
	case widget.Lesson:
		return a.lesson(want.Name)
	case widget.Task:
		return a.exercise()
	case widget.Back:
		return a.back(want.Lesson)
	case widget.Find:
		cmd := a.openPalette()
		a.palette.Type(want.Text)
		return cmd
	case widget.EditParameter:
		if p, ok := a.current.(player.Screen); ok {
			return player.EditParameter(p, want.Key)
		}
	case widget.Export:
		return a.export(want.Path)
	case widget.Quit:
		if a.options.Stay != nil {
			if why := a.options.Stay(); why != "" {
				a.current.Say(why, true)
				return nil
			}
		}
		a.current.Stop()
		a.quitting = true
		return tea.Quit
	}
	return a.extend(want)
}

// list makes the screen on which sessions, studies and lessons are opened.
func (a *app) list(want widget.Open) display {
	m := librarypage.New(want.From, a.path(), a.options.Rights.Sessions)
	switch {
	case want.Lessons:
		m.ShowLessons()
	case want.Gallery:
		m.ShowGallery()
	case want.Studies:
		m.ShowStudies()
	case want.Sessions:
		m.ShowSessions()
	}
	return m
}

// export writes the current session or study to a file.
func (a *app) export(path string) tea.Cmd {
	if c, ok := a.current.(extension.Exporter); ok {
		return c.ExportTo(path)
	}
	switch home := a.home().(type) {
	case extension.Exporter:
		return home.ExportTo(path)
	case *playground.Model:
		return exportSession(home, home.Session(), path)
	}
	return exportSession(a.explore, a.explore.Session(), path)
}

// exportSession writes the session of a screen to a file.
func exportSession(m player.Screen, s *sessions.Session, path string) tea.Cmd {
	return player.Export(m, path, func(ctx context.Context, progress sessions.Progress) error {
		return export.File(ctx, path, s, progress)
	})
}

// publishedStudy makes the screen of a built-in comparison.
func publishedStudy(name string) (display, error) {
	c, err := library.FindComparison(name)
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

// show makes a page the current one, and stops the computations of the page before. A lab that is left for the explorer
// is closed.
func (a *app) show(p display) tea.Cmd {
	if p != a.current && a.current != display(a.explore) {
		a.current.Stop()
	}
	var dropped tea.Cmd
	if p == display(a.explore) {
		dropped = a.dropLayer()
	}
	closing := a.closing(a.current, p)
	a.current, a.explainer = p, nil
	p.Permit(a.options.Rights)
	p.Resize(a.width, a.height)
	p.Restyle(a.style)
	return tea.Batch(closing, dropped, p.Init())
}

// stay returns to the open session, and shows an error.
func (a *app) stay(err error) tea.Cmd {
	home := a.home()
	cmd := a.show(home)
	home.Say(err.Error(), true)
	return cmd
}
