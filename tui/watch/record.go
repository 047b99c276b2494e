package watch

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/course"
	"bandscope/sessions/lab"
	"bandscope/sessions/recorder"
	"bandscope/sessions/safe"
	"bandscope/tui/explore/lesson"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/note"
	"bandscope/tui/screen"
)

// record is what is read of the record.
type record struct {
	replay   bool          // running ends where the record ends
	pause    bool          // and pauses where something is written
	question lesson.Choice // of a lesson
	placed   lesson.Place  // how far it is read
	beside   note.Beside   // the notes that are read beside the picture
}

// Replay makes the screen play what is on record, from its beginning on: so many places a second, 0 waits for a key.
func (m *Model) Replay(speed float64) {
	m.session.First()
	m.stand(m.session.State())
	m.replay = true
	if speed <= 0 {
		m.say("a recorded session: space goes on, r plays it")
		return
	}
	m.speed, m.Running = screen.SpeedOf(speed), true
}

// reading reports whether a record is read, and there are places ahead.
func (m *Model) reading() bool {
	return (m.replay || m.session.Lesson() != nil) && m.state.Ahead > 0
}

// recordCommands move on the record and write on it.
func recordCommands() []command {
	return []command{
		can(screen.Bind(":", "go to a step", ":"), (*Model).askStep).Long("go to the last place with so many updates"),
		can(screen.Bind("N", "next note", "N"), func(m *Model) tea.Cmd { return m.lookNote(+1) }),
		can(screen.Bind("P", "previous note", "P"), func(m *Model) tea.Cmd { return m.lookNote(-1) }),
		can(screen.Bind("n", "note", "n"), (*Model).startNote).Long("write a note (Markdown) where the training stands, or a page of a lesson with what it asks and claims, or change one"),
		can(screen.Bind("M", "mark the step", "M"), func(m *Model) tea.Cmd {
			return m.alter(act{doing: "marking", keeps: true, do: func(_ context.Context, s *lab.Session, _ sessions.Progress) (string, error) {
				return "marked", s.Mark()
			}})
		}),
		unless((*Model).noNotes, screen.Bind("h", "notes beside the plot, or not", "h"), func(m *Model) tea.Cmd { m.beside.Hidden = !m.beside.Hidden; return nil }),
		can(screen.Bind("'", "pause at notes, or play past them", "'"), func(m *Model) tea.Cmd {
			m.pause = !m.pause
			m.say(map[bool]string{true: "playing pauses at notes", false: "playing goes on at notes"}[m.pause])
			return nil
		}),
		unless((*Model).noScroll, screen.Bind("pgup/pgdn", "scroll a long note", "pgdown"), func(m *Model) tea.Cmd { return m.scrollNotes(+5) }),
		unless((*Model).noScroll, screen.Bind("", "scroll a long note", "pgup"), func(m *Model) tea.Cmd { return m.scrollNotes(-5) }),
		{Binding: screen.Bind("1-9", "answer: what a lesson asks", "1", "2", "3", "4", "5", "6", "7", "8", "9"), Off: (*Model).noQuestion, Do: (*Model).answer},
		can(screen.Bind("f", "fork here", "f"), (*Model).askFork).Long("begin a branch here"),
		can(screen.Bind("V", "verify: recompute the record", "V"), (*Model).verify).Long("verify: train again what is on record, and compare"),
		can(screen.Bind("E", "export: the trace, as data", "E"), (*Model).askExport).Long("export: the trace as data, in the format of the ending"),
		can(screen.Bind("T", "tree of branches", "T"), (*Model).askBranch).Long("go on from the end of another branch"),
	}
}

// standing is where the session stands on the timeline.
func (m *Model) standing() recorder.Stop {
	if t := m.line; t.At < len(t.Stops) {
		return t.Stops[t.At]
	}
	return recorder.Stop{}
}

// lookNote goes to the next or the previous place where something is written or marked.
func (m *Model) lookNote(by int) tea.Cmd {
	t := m.line
	for i := t.At + by; i >= 0 && i < len(t.Stops); i += by {
		if t.Stops[i].Note != "" || t.Stops[i].Mark {
			return m.goTo(i)
		}
	}
	m.say(map[bool]string{true: "there is no earlier note", false: "there is no further note"}[by < 0])
	return nil
}

// goTo goes to a place of the timeline.
func (m *Model) goTo(stop int) tea.Cmd {
	return m.move(func(s *lab.Session) bool { s.GoTo(stop); return true })
}

// askStep asks for the updates to go to.
func (m *Model) askStep() tea.Cmd {
	m.Halt()
	return m.Status.Ask("go to update", "", func(text string) tea.Cmd {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 0 {
			return m.Status.Again(fmt.Sprintf("updates are a number from 0 on, got %q", text))
		}
		to := 0
		for i, stop := range m.line.Stops {
			if stop.Step <= n {
				to = i
			}
		}
		return m.goTo(to)
	})
}

// click goes to the place on the timeline under the mouse.
func (m *Model) click(hit screen.Hit) tea.Cmd {
	bar := m.bar()
	_, column, _, ok := hit.On(barName)
	if m.modes.Doing != nil || !bar.Telling() || !ok {
		return nil
	}
	if i, ok := bar.Stop(column); ok {
		return m.goTo(i)
	}
	return nil
}

// askFork asks for the name of a branch that begins here.
func (m *Model) askFork() tea.Cmd {
	m.Halt()
	return m.Status.Ask("fork here as", "", func(text string) tea.Cmd {
		return m.alter(act{doing: "forking", keeps: true, typed: true, do: func(_ context.Context, s *lab.Session, _ sessions.Progress) (string, error) {
			if err := s.Fork(text); err != nil {
				return "", err
			}
			return fmt.Sprintf("on the branch %q from here on; T goes to another one", s.State().Branch), nil
		}})
	})
}

// askBranch asks for the branch at the end of which to go on.
func (m *Model) askBranch() tea.Cmd {
	m.Halt()
	list, err := m.session.Branches()
	if err != nil {
		m.fail(err)
		return nil
	}
	if len(list) < 2 {
		m.say("there is one branch: f, or training on from an earlier place, begins another")
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
			return m.alter(act{doing: "going there", typed: true, do: func(_ context.Context, s *lab.Session, _ sessions.Progress) (string, error) {
				return fmt.Sprintf("on the branch %q", b.Name), s.Switch(b.ID)
			}})
		}
		return m.Status.Again(fmt.Sprintf("there is no branch %q: its number or its name", text))
	})
	m.Status.Hint(strings.Join(told, " · "))
	return cmd
}

// verify trains again what is on record, and says whether it repeats itself.
func (m *Model) verify() tea.Cmd {
	m.Stop()
	return m.alter(act{doing: "verifying", do: func(ctx context.Context, s *lab.Session, progress sessions.Progress) (string, error) {
		v, err := s.Verify(ctx, progress)
		switch {
		case err != nil:
			return "", err
		case v.Diverged != nil:
			return "", errors.New(v.String())
		}
		return v.String(), nil
	}})
}

// askExport asks for the file to export to.
func (m *Model) askExport() tea.Cmd {
	cmd := m.Status.Ask("export to", "", func(text string) tea.Cmd {
		path, err := screen.TypedPath(text, "trace.csv")
		if err != nil {
			return m.Status.Again(err.Error())
		}
		if ext := filepath.Ext(path); ext != ".csv" && ext != ".json" {
			return m.Status.Again("the ending chooses what is written: .csv or .json")
		}
		return screen.Want(screen.Export{Path: path})
	})
	m.Status.Hint("the ending chooses: .csv the trace, a row an update, .json with its parameters")
	return cmd
}

// Export writes where the session stands off the update loop by a function of the window.
func (m *Model) Export(path string, write func(path string, st lab.State) error) tea.Cmd {
	return m.alter(act{doing: "exporting", typed: true, do: func(_ context.Context, s *lab.Session, _ sessions.Progress) (string, error) {
		if err := write(path, s.State()); err != nil {
			return "", err
		}
		return "exported to " + path, nil
	}})
}

// asking reports whether a lesson asks its reader, who has not said yet.
func (m *Model) asking() bool { return m.session.Lesson() != nil && m.question.Open(m.line) }

func (m *Model) noQuestion() string {
	if !m.asking() || len(m.state.LastNote().Choices) == 0 {
		return "nothing is asked here"
	}
	return ""
}

// answer takes the reader's answer, and turns the page.
func (m *Model) answer(msg tea.KeyPressMsg) tea.Cmd {
	q := m.state.LastNote()
	if !m.question.Answer(m.line, q.Choices, q.Right, int(msg.String()[0]-'1')) {
		m.say(fmt.Sprintf("there are %d answers", len(q.Choices)))
		return nil
	}
	return m.step()
}

// Reading is what is read of the lesson that is open, by the name under which that is kept; the name is empty where it is none.
func (m *Model) Reading() (name string, r course.Reading) {
	return m.placed.Name, m.placed.Read(m.line, m.question.Answers())
}

// OfferPage offers to go on in the lesson that is open at the page, from 1, where the reader was last.
func (m *Model) OfferPage(page int) { m.placed.Offer(page) }

// askingSays says how what is asked is answered.
func (m *Model) askingSays() string {
	if len(m.state.LastNote().Choices) == 0 {
		return "what do you expect to see on the next page?"
	}
	return "a number answers"
}

// passOver passes over the question, if it was asked to before on this page.
func (m *Model) passOver() bool {
	q := m.state.LastNote()
	return m.question.Pass(m.line, q.Choices, q.Right)
}

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

// notes are what is written where the session stands: of a lesson the page that was turned last, with what it asks, otherwise every note on the update.
func (m *Model) notes() note.Page {
	l := m.session.Lesson()
	if l == nil {
		return note.On(m.notesHere())
	}
	page := note.Lesson(safe.Text(l.Title), lesson.Text(m.state.LastNote(), m.question.Verdict(m.line, m.Style)))
	page.Says = fmt.Sprintf("Page %d of %d of the lesson", m.line.At+1, len(m.line.Stops))
	if m.asking() {
		page.Says += " asks what will come, before it is shown: a number answers."
	} else {
		page.Says += ": what is to be seen beside it. Space turns it."
	}
	return page
}

// written reports whether something is.
func (m *Model) written() bool { return len(m.notes().Passages) > 0 }

// notesShown reports whether notes are shown beside the picture.
func (m *Model) notesShown() bool { return !m.beside.Hidden && m.panel() == nil && m.written() }

func (m *Model) noNotes() string {
	if !m.written() {
		return "nothing is written here: n writes"
	}
	return ""
}

func (m *Model) noScroll() string {
	if !m.notesShown() {
		return "there is no note to scroll"
	}
	if m.scrollable() == 0 {
		return "all of the note is shown"
	}
	return ""
}

// scrollable is how many lines the notes can be scrolled by, 0 where all of them are shown.
func (m *Model) scrollable() int { return m.beside.Over(m.Style, m.notes(), m.side(), m.pictureRows()) }

// scrollNotes moves the notes in their panel by so many lines.
func (m *Model) scrollNotes(by int) tea.Cmd {
	if said := m.beside.Scroll(by, m.scrollable()); said != "" {
		m.say(said)
	}
	return nil
}
