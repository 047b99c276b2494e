package labs

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
	"bandscope/tui/lessonpage"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// actCommands change the training, open another session, or save.
func actCommands() []command {
	return append([]command{
		can(widget.Bind("e", "edit", "e"), func(m *Model) tea.Cmd { return player.Start(m, modes.NewParameterMode) }).
			Long("edit the parameters of the training; some take effect from here on, the others restart it"),
		unless((*Model).oneRun, widget.Bind("&", "edit the other run", "&"), (*Model).otherRun).
			Long("choose which of the two runs e edits"),
		can(widget.Bind("c", "second run", "c"), (*Model).compare).
			Long("add a second run with other parameters to compare with the first one, or remove it"),
		unless(func(m *Model) string {
			return m.ReadingPosition.NoNext(m.Line)
		}, lessonpage.NextKey, func(m *Model) tea.Cmd {
			return player.NextLesson(m, m.ReadingPosition.Name)
		}).Long(lessonpage.NextAbout),
		can(widget.Bind("o", "open", "o"), func(m *Model) tea.Cmd {
			return player.Leave(m, widget.Open{From: library.DefaultConfig(), Lessons: m.session.Lesson() != nil})
		}).Long("open another lab, a function, a saved session, a comparison or a lesson"),
	}, player.Saves((*Model).fileName, (*Model).unsaved)...)
}

func (m *Model) oneRun() string {
	if len(m.state.Runs) < 2 {
		return "there is only one run; c adds a second one"
	}
	return ""
}

// otherRun makes e edit the other run.
func (m *Model) otherRun() tea.Cmd {
	m.editedRun = 1 - m.edited()
	m.Notify(fmt.Sprintf("e edits run %d now: %s", m.editedRun+1, m.name(m.editedRun)))
	return nil
}

// compare asks how a second run differs and adds it, or removes the second run.
func (m *Model) compare() tea.Cmd {
	m.Halt() // a step that is running finishes
	if len(m.state.Runs) > 1 {
		return m.Apply(player.Act{Doing: "removing the second run", Records: true,
			Do: func(context.Context, sessions.Progress) (string, error) {
				return player.ActReply("removed the second run; b brings it back", m.session.RemoveRun())
			}})
	}
	first := m.state.Runs[0].Params
	cmd := m.Status.Ask("add a second run with", contrast(m.state), func(text string) tea.Cmd {
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
				return "added a second run with " + training.DescribeChanges(st.Runs[0].Params, st.Runs[1].Params) +
					", on the same data", nil
			}})
	})
	keys := make([]string, len(first.Decls()))
	for i, d := range first.Decls() {
		keys[i] = d.Key
	}
	m.Status.Hint("key=value pairs, separated by spaces; keys: " + strings.Join(keys, " "))
	return cmd
}

// contrast is the difference that is suggested for a second run, as key=value pairs.
func contrast(st training.State) string {
	var parts []string
	for _, d := range st.Runs[0].Params.Decls() {
		if v, ok := st.Spec.SecondRun[d.Key]; ok {
			parts = append(parts, d.Key+"="+d.Format(v))
		}
	}
	return strings.Join(parts, " ")
}

// fileName is the suggested name of a file to save to.
func (m *Model) fileName() string {
	return library.TrainingNameFor(m.Dir, m.state, m.session.Started())
}

// unsaved names what R would leave; it is empty if nothing was done here.
func (m *Model) unsaved() string {
	if len(m.Line.Stops) > 1 {
		return "this lab"
	}
	return ""
}

// parse reads typed parameters: key=value pairs separated by spaces.
func parse(p param.Set, text string) (map[string]any, error) {
	set := map[string]any{}
	for pair := range strings.FieldsSeq(text) {
		key, value, ok := strings.Cut(pair, "=")
		if !ok {
			return nil, fmt.Errorf("%q is not a key=value pair", pair)
		}
		d, err := p.Decl(key)
		if err != nil {
			return nil, err
		}
		set[key], err = d.Parse(value)
		if err != nil {
			return nil, err
		}
	}
	return set, nil
}
