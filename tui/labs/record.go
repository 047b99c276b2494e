package labs

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/sanitize"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/note"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// recordCommands move along the record and write to it.
func recordCommands() []command {
	about := map[string]string{"go to a step": "go to a number of updates",
		"n": "write or edit a note (Markdown) at this update, or a page of a lesson with its questions and claims"}
	return append(player.Notes[*Model](about),
		player.Answers[*Model](),
		can(widget.Bind("f", "fork here", "f"), func(m *Model) tea.Cmd {
			return player.Do(m, player.AskFork("", m.fork))
		}).Long("start a branch here"),
		can(player.VerifyKey, func(m *Model) tea.Cmd {
			return player.Do(m, player.Next{Stop: true, Act: &player.Act{Doing: "verifying", Do: m.verify}})
		}).Long("verify: train the record again and compare"),
		can(widget.Bind("ctrl+e", "export the trace", "ctrl+e"), func(m *Model) tea.Cmd { return player.Do(m, m.AskExport()) }).
			Long("export the trace; the ending of the file chooses the format"),
		can(widget.Bind("F", "branches", "F"), (*Model).askBranch).Long("switch to the end of another branch"),
	)
}

// fork starts a branch at the current state of the session.
func (m *Model) fork(text string) (string, error) {
	if err := m.session.Fork(text); err != nil {
		return "", err
	}
	return fmt.Sprintf("started the branch %q here; F switches to another one", m.session.State().Branch), nil
}

// askBranch asks for the branch to switch to.
func (m *Model) askBranch() tea.Cmd {
	m.Halt()
	list, err := m.session.Branches()
	if err != nil {
		m.Status.Fail(err)
		return nil
	}
	if len(list) < 2 {
		m.Notify("there is only one branch; f starts another one")
		return nil
	}
	names := make([]string, len(list))
	for i, b := range list {
		names[i] = fmt.Sprintf("%d %s (%s)", i+1, b.Name, updates(b.State.Step))
		if b.Current {
			names[i] += ", current"
		}
	}
	cmd := m.Status.Ask("switch to branch", "", func(text string) tea.Cmd {
		for i, b := range list {
			text = strings.TrimSpace(text)
			if text != strconv.Itoa(i+1) && text != b.Name {
				continue
			}
			return m.Apply(player.Act{Doing: "switching branches", Typed: true,
				Do: func(context.Context, sessions.Progress) (string, error) {
					return player.ActReply(fmt.Sprintf("switched to the branch %q", b.Name), m.session.Switch(b.ID))
				}})
		}
		return m.Status.Again(fmt.Sprintf("there is no branch %q; type its number or its name", text))
	})
	m.Status.Hint(strings.Join(names, " · "))
	return cmd
}

// verify trains the record again and says whether the results agree.
func (m *Model) verify(ctx context.Context, progress sessions.Progress) (string, error) {
	v, err := m.session.Verify(ctx, progress)
	if err == nil && v.FirstDifference != nil {
		err = errors.New(v.String())
	}
	return player.ActReply(v.String(), err)
}

// asksFor says how to answer the question.
func (m *Model) asksFor() string { return m.Reader.How(m.Page()) }

// notesHere are the notes on the current update.
func (m *Model) notesHere() mode.Notes {
	n := mode.Notes{Place: fmt.Sprintf("update %d", m.state.Step)}
	for _, written := range m.state.NotesAt(m.state.Step) {
		if written.Text != "" {
			n.Texts = append(n.Texts, mode.Note{ID: written.ID, Text: written.Text, Page: written.Page})
		}
	}
	return n
}

// Notes are the texts beside the picture: in a lesson its current page with its question, otherwise every note on the
// current update.
func (m *Model) Notes() note.Page {
	l := m.session.Lesson()
	if l == nil {
		return note.NotesPage(m.notesHere())
	}
	page := note.LessonPage(sanitize.Text(l.Title), m.Reader.Text(m.Page(), m.Style), m.Reader.Asks(m.Page()))
	page.Description = fmt.Sprintf("Page %d of %d of the lesson", m.Line.At+1, len(m.Line.Stops))
	if m.Asks() {
		page.Description += ". It asks what happens next; answer with a number."
	} else {
		page.Description += ". It explains the picture. Press space for the next page."
	}
	return m.ReadingPosition.PageWithNext(page, m.Line)
}

// NotesSize is the size of the panel of notes, in cells.
func (m *Model) NotesSize() (w, h int) { return m.side(), m.pictureRows() }
