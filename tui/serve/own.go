package serve

import (
	"errors"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/classroom"
	"bandscope/sessions/lesson"
	"bandscope/sessions/library"
	"bandscope/tui"
	"bandscope/tui/class"
)

// openOwn opens the own window: on a copy of a session if there is one, otherwise on the session of the last time.
func (s *seat) openOwn(copyOf string) tea.Cmd {
	s.opening = true
	ctx, dir := s.rights.Lasting(), s.rights.Sessions
	return func() tea.Msg {
		if copyOf == "" {
			cfg := library.DefaultConfig()
			session, err := sessions.New(ctx, cfg)
			return openedMsg{session, err}
		}
		session, err := sessions.OpenReadOnly(ctx, copyOf)
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
	corner := ""
	if s.room != nil && s.person.Teacher {
		corner = lookKey + " class"
	}
	s.own = tui.NewWindow(tui.Options{Corner: corner, Session: msg.session, Author: s.author, Rights: s.rights,
		Pictures: s.pictures, Offer: msg.session.Path() == "", Entries: s.entries, Stay: s.stay, Progress: s.learned})
	s.own.SetSizeAndColors(s.screen.width, s.screen.height, s.screen.dark, s.screen.tier)
	s.following = false
	if s.teaches() {
		s.own.Say("you teach in the room "+s.room.Name+": others see this window", false)
	} else if s.room != nil {
		s.own.Say("this is your own copy; "+lookKey+" goes back to the room "+s.room.Name, false)
	}
	if fresh && s.teaches() && s.room.count() == 0 { // the lobby, until the class is there
		d := desk{s.server, s.room, s}
		if _, addresses := d.Joining(); len(addresses) > 0 {
			return tea.Batch(s.own.Init(), s.publish(), s.view(class.NewPanel(d)))
		}
	}
	return tea.Batch(s.own.Init(), s.publish())
}

// learned records the progress in a lesson in the class.
func (s *seat) learned(name string, pages int, p lesson.LessonProgress) {
	if s.room == nil || s.id == "" || s.person.Teacher {
		return
	}
	steps := []classroom.LessonStep{}
	if p.FarthestPage > 0 {
		steps = append(steps, classroom.LessonStep{Lesson: name, Page: p.FarthestPage, Pages: pages})
	}
	for page, right := range p.Answers {
		steps = append(steps, classroom.LessonStep{Lesson: name, Page: page, Pages: pages, Answered: true, Correct: right})
	}
	if !p.Exercise.Done.IsZero() {
		steps = append(steps, classroom.LessonStep{Lesson: name, Exercise: true})
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
	if s.publishing || s.room == nil || s.own == nil || !s.room.leads(s) {
		return nil
	}
	s.publishing = true
	return tea.Tick(publishDelay, func(time.Time) tea.Msg { return publishMsg{} })
}
