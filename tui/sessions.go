package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/sessions/sanitize"
	"bandscope/tui/explore"
	"bandscope/tui/extension"
	"bandscope/tui/widget"
)

// Sessions are opened and closed, and their folder is read, off the update loop, because disks can be slow, folders
// large and sessions long.

// Messages of the jobs of the window.
type (
	openedMsg struct{ io.Closer } // a session, of the explorer or of a lab
	failedMsg struct {
		err  error
		stay bool // the page that wanted it stays
	}
	newestMsg struct {
		entry *library.Entry // nil if there is none
		err   error
	}
	closedMsg struct {
		session io.Closer // nil for one that was not in the window
		err     error
	}
)

func closeFailed(err error) tea.Msg { return closedMsg{err: err} }

// first starts the first screen, and looks for a session to resume.
func (a *app) first() tea.Cmd {
	if !a.options.Offer || a.options.Rights.Sessions == "" {
		return a.current.Init()
	}
	dir := a.options.Rights.Sessions
	subject := "looking for a session to resume in " + sanitize.Text(dir)
	looking := a.jobs.Start(subject, func(ctx context.Context, _ func(string, int, int)) tea.Msg {
		entry, err := newest(ctx, dir)
		return newestMsg{entry, err}
	})
	return tea.Batch(a.current.Init(), looking)
}

// newest is the newest readable session of a folder with at least one suggestion, which may be pending; nil if there is
// none.
func newest(ctx context.Context, dir string) (*library.Entry, error) {
	entries, err := library.List(ctx, dir)
	if err != nil {
		return nil, err
	}
	for i := range entries {
		if entries[i].Unreadable == "" && entries[i].Asked > 0 {
			return &entries[i], nil
		}
	}
	return nil, nil
}

// done takes the result of a job.
func (a *app) done(msg tea.Msg) tea.Cmd {
	a.jobs.Finish()
	a.typeAhead.opening = false
	switch msg := msg.(type) {
	case openedMsg:
		cmd := a.takeAny(msg.Closer)
		return tea.Batch(cmd, a.typedAhead())
	case newestMsg:
		a.newestFound(msg)
		return nil
	case failedMsg:
		a.typeAhead = typeAhead{}
		if msg.stay {
			a.current.Say(msg.err.Error(), true)
			return nil
		}
		return a.stay(msg.err)
	case widget.PanicMsg:
		a.typeAhead = typeAhead{}
		err := errors.New("internal error: " + msg.Reason + "; nothing is lost")
		return a.stay(err)
	}
	return nil
}

// newestFound takes the newest session of the folder, or shows an error.
func (a *app) newestFound(msg newestMsg) {
	a.explore.Offer(msg.entry)
	if a.layer != nil {
		a.layer.Offer(msg.entry)
	}
	if msg.err != nil {
		a.current.Say(fmt.Sprintf("looking for a session to resume: %v", msg.err), true)
	}
}

// open makes or reads a session off the update loop and shows it; until then, the previous one stays.
func (a *app) open(subject string, from func(context.Context) (io.Closer, error)) tea.Cmd {
	return a.opening(subject, false, func(ctx context.Context, _ func(string, int, int)) (io.Closer, error) {
		return from(ctx)
	})
}

// opening is the job that makes or reads a session. If the job was stopped, it closes the session. If it fails, here
// keeps the current page.
func (a *app) opening(subject string, here bool,
	from func(context.Context, func(stage string, done, total int)) (io.Closer, error)) tea.Cmd {
	a.typeAhead.opening = true
	return a.jobs.Start(subject, func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		s, err := from(ctx, progress)
		switch {
		case err != nil:
			return failedMsg{err, here}
		case ctx.Err() != nil:
			return failedMsg{errors.Join(ctx.Err(), s.Close()), here}
		}
		return openedMsg{s}
	})
}

// drop closes a replaced session or study off the update loop.
func (a *app) drop(before io.Closer) tea.Cmd {
	if s, ok := before.(*sessions.Session); ok && !s.Protected() {
		a.changed[s.Path()] = true
	}
	a.closingSessions = append(a.closingSessions, before)
	return func() tea.Msg { return closedMsg{before, before.Close()} }
}

// start explores a new session.
func (a *app) start(cfg sessions.Config) tea.Cmd {
	return a.open("starting a session", func(ctx context.Context) (io.Closer, error) { return sessions.New(ctx, cfg) })
}

// lesson explores a built-in lesson.
func (a *app) lesson(name string) tea.Cmd {
	return a.open("opening the lesson "+name, func(context.Context) (io.Closer, error) { return openLesson(name) })
}

// openFile opens the file of a session that the person may open. It is protected unless it was changed in this window.
func (a *app) openFile(ctx context.Context, path string, changed bool) (*sessions.Session, error) {
	if err := a.options.Rights.CheckFile(path); err != nil {
		return nil, err
	}
	if changed {
		return sessions.Open(ctx, path)
	}
	return sessions.OpenProtected(ctx, path)
}

// reopen opens a saved session, of the explorer or of a lab.
func (a *app) reopen(path string) tea.Cmd {
	if a.layer != nil && path == a.layer.Path() {
		return a.show(a.layer)
	}
	if path == a.explore.Session().Path() {
		return a.show(a.explore)
	}
	changed := a.changed[path]
	return a.open("opening "+sanitize.Text(filepath.Base(path)), func(ctx context.Context) (io.Closer, error) {
		s, err := a.openFile(ctx, path, changed)
		if errors.Is(err, sessions.ErrTraining) {
			return openExtensionFile(ctx, path)
		}
		return s, err
	})
}

// takeAny shows a session that was opened.
func (a *app) takeAny(s io.Closer) tea.Cmd {
	switch s := s.(type) {
	case *sessions.Session:
		if s.State().Config.Playground {
			return a.takePlayground(s)
		}
		return a.take(s)
	case cell:
		cmd := a.take(s.Closer.(*sessions.Session))
		a.explore.SetStudy(a.companion.Name())
		return cmd
	}
	switch p := a.pageFor(s).(type) {
	case extension.Layer:
		return a.takeLayer(p)
	case extension.Companion:
		return a.takeCompanion(p)
	}
	return nil
}

// take puts another session into the explorer, and closes the previous one.
func (a *app) take(s *sessions.Session) tea.Cmd {
	a.explore.Stop()
	dropped := a.drop(a.explore.Session())
	s.SetAuthor(a.options.Author)
	a.explore = explore.New(s, a.options.Rights.Sessions)
	a.offerPage()
	return tea.Batch(dropped, a.show(a.explore))
}

// closing closes a page that another replaces, if it is an io.Closer.
func (a *app) closing(left, next display) tea.Cmd {
	c, ok := left.(io.Closer)
	if !ok || left == next {
		return nil
	}
	return func() tea.Msg { return closedMsg{err: c.Close()} }
}

// closed takes note that a session is closed, and shows an error of that.
func (a *app) closed(msg closedMsg) {
	a.closingSessions = slices.DeleteFunc(a.closingSessions, func(s io.Closer) bool { return s == msg.session })
	if msg.err != nil {
		a.current.Say(fmt.Sprintf("closing the previous session: %v", msg.err), true)
	}
}

// close stops the jobs of the window, and closes the session that is explored and those before it that are not
// closed yet.
func (a *app) close() error {
	defer a.options.end()
	a.jobs.Stop()
	a.explore.Stop()
	open := append(slices.Clone(a.closingSessions), io.Closer(a.explore.Session()))
	if a.layer != nil {
		a.layer.Stop()
		open = append(open, layerCloser{a.layer})
	}
	if a.companion != nil {
		open = append(open, companionCloser{a.companion})
	}
	errs := []error{a.progress.Save(context.Background())}
	for _, s := range open {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}
