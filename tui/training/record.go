package training

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/sanitize"
	"bandscope/sessions/training"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/note"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// recordCommands move on the record and write on it.
func recordCommands() []command {
	about := map[string]string{":": "go to the last place with so many updates",
		"n": "write a note (Markdown) where the training stands, or a page of a lesson with what it asks and claims, " +
			"or change one"}
	return append(player.Notes(playerOf, about),
		command{Binding: player.AnswerKey, DisabledReason: (*Model).NoQuestion, Do: (*Model).Answer},
		can(widget.Bind("f", "fork here", "f"), (*Model).AskFork).Long("begin a branch here"),
		can(player.VerifyKey, (*Model).AskVerify).Long("verify: train again what is on record, and compare"),
		can(widget.Bind("E", "export: the trace, as data", "E"), (*Model).AskExport).
			Long("export: the trace as data, in the format of the ending"),
		can(widget.Bind("T", "tree of branches", "T"), (*Model).askBranch).Long("go on from the end of another branch"),
	)
}

// Fork begins a branch where the session stands.
func (m *Model) Fork(text string) (string, error) {
	if err := m.session.Fork(text); err != nil {
		return "", err
	}
	return fmt.Sprintf("on the branch %q from here on; T goes to another one", m.session.State().Branch), nil
}

// ForkHint is empty: a branch has a name alone.
func (m *Model) ForkHint() string { return "" }

// askBranch asks for the branch at the end of which to go on.
func (m *Model) askBranch() tea.Cmd {
	m.Halt()
	list, err := m.session.Branches()
	if err != nil {
		m.Status.Fail(err)
		return nil
	}
	if len(list) < 2 {
		m.Notify("there is one branch: f, or training on from an earlier place, begins another")
		return nil
	}
	told := make([]string, len(list))
	for i, b := range list {
		told[i] = fmt.Sprintf("%d %s (%s)", i+1, b.Name, updates(b.State.Step))
		if b.Current {
			told[i] += " here"
		}
	}
	cmd := m.Status.Ask("go on from branch", "", func(text string) tea.Cmd {
		for i, b := range list {
			if text = strings.TrimSpace(text); text != strconv.Itoa(i+1) && text != b.Name {
				continue
			}
			return m.Apply(player.Act{Doing: "going there", Typed: true,
				Do: func(context.Context, sessions.Progress) (string, error) {
					return player.ActReply(fmt.Sprintf("on the branch %q", b.Name), m.session.Switch(b.ID))
				}})
		}
		return m.Status.Again(fmt.Sprintf("there is no branch %q: its number or its name", text))
	})
	m.Status.Hint(strings.Join(told, " · "))
	return cmd
}

// Verify trains again what is on record, and says whether it repeats itself.
func (m *Model) Verify(ctx context.Context, progress sessions.Progress) (string, error) {
	v, err := m.session.Verify(ctx, progress)
	if err == nil && v.FirstDifference != nil {
		err = errors.New(v.String())
	}
	return player.ActReply(v.String(), err)
}

// Export writes where the session stands off the update loop by a function of the window.
func (m *Model) Export(path string, write func(path string, st training.State) error) tea.Cmd {
	return m.Player.Export(path, func(context.Context, sessions.Progress) error {
		return write(path, m.session.State())
	})
}

// asksFor says how what is asked is answered.
func (m *Model) asksFor() string { return m.Reader.How(m.Page()) }

// notesHere are the notes where the session stands.
func (m *Model) notesHere() mode.Notes {
	n := mode.Notes{Place: fmt.Sprintf("update %d", m.state.Step)}
	for _, written := range m.state.NotesAt(m.state.Step) {
		if written.Text != "" {
			n.Texts = append(n.Texts, mode.Note{ID: written.ID, Text: written.Text, Page: written.Page})
		}
	}
	return n
}

// Notes are what is written where the session stands: of a lesson the page that was turned last, with what it asks,
// otherwise every note on the update.
func (m *Model) Notes() note.Page {
	l := m.session.Lesson()
	if l == nil {
		return note.NotesPage(m.notesHere())
	}
	page := note.LessonPage(sanitize.Text(l.Title), m.Reader.Text(m.Page(), m.Style))
	page.Description = fmt.Sprintf("Page %d of %d of the lesson", m.Line.At+1, len(m.Line.Stops))
	if m.Asks() {
		page.Description += " asks what will come, before it is shown: a number answers."
	} else {
		page.Description += ": what is to be seen beside it. Space turns it."
	}
	return m.ReadingPosition.PageWithNext(page, m.Line)
}

// NotesSize is that of the panel of notes.
func (m *Model) NotesSize() (w, h int) { return m.side(), m.pictureRows() }
