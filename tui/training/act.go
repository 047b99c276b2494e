package training

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/optimizers/param"
	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/sessions/training"
	"bandscope/tui/explore/modes"
	"bandscope/tui/lesson"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// actCommands do something with the lab, or go elsewhere.
func actCommands() []command {
	return append([]command{
		can(widget.Bind("e", "edit", "e"), func(m *Model) tea.Cmd { return m.Start(modes.NewParameterMode) }).
			Long("edit the parameters of the training; some act from here on, with the others it begins anew"),
		unless((*Model).oneRun, widget.Bind("&", "which run is edited", "&"), (*Model).otherRun).
			Long("which of two runs is edited"),
		can(widget.Bind("c", "second run: lay it over, or lift it", "c"), (*Model).compare).
			Long("lay a second run over the first, with other parameters, or take it away"),
		unless(func(m *Model) string {
			return m.ReadingPosition.NoNext(m.Line)
		}, lesson.NextKey, func(m *Model) tea.Cmd {
			return m.NextLesson(m.ReadingPosition.Name)
		}).Long(lesson.NextAbout),
		can(widget.Bind("o", "open", "o"), func(m *Model) tea.Cmd {
			return m.Leave(widget.Open{From: library.DefaultConfig(), Lessons: m.session.Lesson() != nil})
		}).Long("another lab, a function, a saved session, a comparison, a lesson"),
	}, player.Saves(playerOf)...)
}

func (m *Model) oneRun() string {
	if len(m.state.Runs) < 2 {
		return "there is one run: c lays a second one over it"
	}
	return ""
}

// otherRun has the other run edited.
func (m *Model) otherRun() tea.Cmd {
	m.editedRun = 1 - m.edited()
	m.Notify(fmt.Sprintf("e edits run %d now: %s", m.editedRun+1, m.name(m.editedRun)))
	return nil
}

// compare asks for what a second run is to differ in, or takes the second run away.
func (m *Model) compare() tea.Cmd {
	m.Halt() // a step under way goes on to its end
	if len(m.state.Runs) > 1 {
		return m.Apply(player.Act{Doing: "lifting the second run", Records: true,
			Do: func(context.Context, sessions.Progress) (string, error) {
				return player.ActReply("the second run is taken away; b brings it back", m.session.RemoveRun())
			}})
	}
	first := m.state.Runs[0].Params
	cmd := m.Status.Ask("lay a second run over it with", contrast(m.state), func(text string) tea.Cmd {
		set, err := parse(first, text)
		if err != nil {
			return m.Status.Again(err.Error())
		}
		return m.Apply(player.Act{Doing: "training the second run", Records: true, Typed: true,
			Do: func(ctx context.Context, progress sessions.Progress) (string, error) {
				st, err := m.session.AddRun(ctx, set, progress)
				if err != nil {
					return "", err
				}
				return "two runs with the same data and minibatches: " +
					training.DescribeChanges(st.Runs[0].Params, st.Runs[1].Params) + " beside", nil
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
func contrast(st training.State) string {
	var parts []string
	for _, d := range st.Runs[0].Params.Decls() {
		if v, ok := st.Spec.SecondRun[d.Key]; ok {
			parts = append(parts, d.Key+"="+d.Format(v))
		}
	}
	return strings.Join(parts, " ")
}

// FileName is that of the file that is offered to save to.
func (m *Model) FileName() string {
	return library.TrainingNameFor(m.Dir, m.state, m.session.Started())
}

// LeaveWarning is what R would leave, in words; empty if nothing was done here.
func (m *Model) LeaveWarning() string {
	if len(m.Line.Stops) > 1 {
		return "this lab"
	}
	return ""
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
