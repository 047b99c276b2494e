package watch

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/optimizers/param"
	"bandscope/sessions"
	"bandscope/sessions/lab"
	"bandscope/sessions/shelf"
	"bandscope/tui/explore/lesson"
	"bandscope/tui/screen"
)

// actCommands do something with the lab, or go elsewhere.
func actCommands() []command {
	return []command{
		can(screen.Bind("e", "edit", "e"), (*Model).startEditor).Long("edit the parameters of the training; some act from here on, with the others it begins anew"),
		unless((*Model).oneRun, screen.Bind("&", "which run is edited", "&"), (*Model).otherRun).Long("which of two runs is edited"),
		can(screen.Bind("c", "second run: lay it over, or lift it", "c"), (*Model).compare).Long("lay a second run over the first, with other parameters, or take it away"),
		unless(func(m *Model) string { return m.placed.NoNext(m.line) }, lesson.NextKey, (*Model).nextLesson).Long(lesson.NextAbout),
		can(screen.Bind("o", "open", "o"), func(m *Model) tea.Cmd {
			return m.leave(screen.Open{From: shelf.First(), Lessons: m.session.Lesson() != nil})
		}).Long("another lab, a function, a saved session, a comparison, a lesson"),
		can(screen.Bind("w", "save", "w"), (*Model).askPath).Long("save under a name"),
		command{Binding: screen.Bind("R", "resume last session", "R"), Off: (*Model).noResume, Do: (*Model).resume}.Long("resume the last session; of a lesson go on at the page where you were"),
	}
}

// nextLesson leaves a lesson for the next one of the course.
func (m *Model) nextLesson() tea.Cmd {
	next, _ := lesson.Next(m.placed.Name)
	return m.leave(screen.Lesson{Name: next})
}

func (m *Model) oneRun() string {
	if len(m.state.Runs) < 2 {
		return "there is one run: c lays a second one over it"
	}
	return ""
}

// otherRun has the other run edited.
func (m *Model) otherRun() tea.Cmd {
	m.which = 1 - m.edited()
	m.say(fmt.Sprintf("e edits run %d now: %s", m.which+1, m.name(m.which)))
	return nil
}

// compare asks for what a second run is to differ in, or takes the second run away.
func (m *Model) compare() tea.Cmd {
	m.Halt() // a step under way goes on to its end
	if len(m.state.Runs) > 1 {
		return m.alter(act{doing: "lifting the second run", keeps: true, do: func(_ context.Context, s *lab.Session, _ sessions.Progress) (string, error) {
			return "the second run is taken away; b brings it back", s.Lift()
		}})
	}
	first := m.state.Runs[0].Params
	cmd := m.Status.Ask("lay a second run over it with", contrast(m.state), func(text string) tea.Cmd {
		set, err := parse(first, text)
		if err != nil {
			return m.Status.Again(err.Error())
		}
		return m.alter(act{doing: "training the second run", keeps: true, typed: true, do: func(ctx context.Context, s *lab.Session, progress sessions.Progress) (string, error) {
			st, err := s.Lay(ctx, set, progress)
			if err != nil {
				return "", err
			}
			return "two runs with the same data and minibatches: " + lab.Changes(st.Runs[0].Params, st.Runs[1].Params) + " beside", nil
		}})
	})
	keys := make([]string, len(first.Decls()))
	for i, d := range first.Decls() {
		keys[i] = d.Key
	}
	m.Status.Hint("what it has otherwise, as key=value, with blanks between: " + strings.Join(keys, " "))
	return cmd
}

// contrast is what a second run is offered to differ in.
func contrast(st lab.State) string {
	var parts []string
	for _, d := range st.Runs[0].Params.Decls() {
		if v, ok := st.Lab.Contrast[d.Key]; ok {
			parts = append(parts, d.Key+"="+d.Format(v))
		}
	}
	return strings.Join(parts, " ")
}

// askPath asks for the file to save the session to.
func (m *Model) askPath() tea.Cmd {
	offered := shelf.LabNameFor(m.dir, m.state, m.session.Started())
	return m.Status.Ask("save as", offered, func(text string) tea.Cmd {
		path, err := screen.TypedPath(text, "lab.jsonl")
		if err != nil {
			return m.Status.Again(err.Error())
		}
		if !strings.HasSuffix(path, ".jsonl") {
			path += ".jsonl"
		}
		return m.alter(act{doing: "saving", typed: true, do: func(_ context.Context, s *lab.Session, _ sessions.Progress) (string, error) {
			to := path
			if path == offered { // if a file has that name, the next one that is free
				to = shelf.Free(path)
			}
			if err := s.SaveAs(to); err != nil {
				return "", err
			}
			return "saved to " + to, nil
		}})
	})
}

func (m *Model) noResume() string {
	if m.last == nil && m.placed.Left() == 0 {
		return "there is no earlier session to resume"
	}
	return ""
}

// resume goes on in a lesson where its reader was; otherwise it leaves this session for the last one; if anything was done here, it asks first.
func (m *Model) resume(msg tea.KeyPressMsg) tea.Cmd {
	if page := m.placed.Left(); page > 0 {
		return m.goTo(page - 1)
	}
	if len(m.line.Stops) > 1 && !m.Status.Of(msg) {
		m.say("R again leaves this lab for " + m.last.Name + "; any other key stays")
		return nil
	}
	return m.leave(screen.Resume{Path: m.last.Path})
}

// parse reads parameters as they are typed, key=value with blanks between.
func parse(p param.Set, text string) (map[string]any, error) {
	set := map[string]any{}
	for pair := range strings.FieldsSeq(text) {
		key, value, ok := strings.Cut(pair, "=")
		if !ok {
			return nil, fmt.Errorf("type key=value, got %q", pair)
		}
		d, err := p.Decl(key)
		if err != nil {
			return nil, err
		}
		if set[key], err = d.Parse(value); err != nil {
			return nil, err
		}
	}
	return set, nil
}
