package explore

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/optimizers/methods"
	"bandscope/sessions"
	"bandscope/sessions/recorder"
	"bandscope/tui/explore/acts"
	"bandscope/tui/explore/lesson"
	"bandscope/tui/explore/note"
	"bandscope/tui/explore/timeline"
	"bandscope/tui/screen"
)

// record is what is read of the record: whether it is played, and what stands beside the plot.
type record struct {
	replay   bool          // running ends where the record ends
	pause    bool          // and pauses where something is written
	reader   lesson.Reader // of a lesson: what they were asked, and said
	below    bool          // the page that is read wants the traces or the theory shown below it
	weighing bool          // the page that is read wants the acquisition and the next point
	weighed  bool          // the page that is read wants the outlook, and the truth hidden
	beside   note.Beside   // the notes that are read beside the plot
}

// Replay makes the explorer play what is on record, from its beginning on: so many places a second, 0 waits for a key.
func (m *Model) Replay(speed float64) {
	m.session.First()
	m.stand(m.snapshot())
	m.replay, m.pause = true, true
	if speed <= 0 {
		m.say("a recorded session: space goes on, r plays it")
		return
	}
	m.speed, m.Running = screen.SpeedOf(speed), true
}

// reading reports whether a record is read, rather than a search stepped.
func (m *Model) reading() bool { return m.replay || m.session.Lesson() != nil }

// ahead reports whether there are places ahead on record.
func (m *Model) ahead() bool { return m.line.At < len(m.line.Stops)-1 }

// place is where the session stands.
func (m *Model) place() recorder.Stop {
	if t := m.line; t.At < len(t.Stops) {
		return t.Stops[t.At]
	}
	return recorder.Stop{}
}

// turnPage goes to the next place on record.
func (m *Model) turnPage() tea.Cmd {
	m.beside.Rewind()
	m.session.Forward()
	return m.look()
}

// scrollNotes moves the notes in their panel by so many lines.
func (m *Model) scrollNotes(by int) tea.Cmd {
	if said := m.beside.Scroll(by, m.scrollable()); said != "" {
		m.say(said)
	}
	return nil
}

// lookNote goes to the next or the previous place where something is written or marked.
func (m *Model) lookNote(by int) tea.Cmd {
	t := m.line
	for i := t.At + by; i >= 0 && i < len(t.Stops); i += by {
		if t.Stops[i].Note != "" || t.Stops[i].Mark {
			s := m.session
			return m.move(func() bool { s.GoTo(i); return true }, "")
		}
	}
	m.say(map[bool]string{true: "there is no earlier note", false: "there is no further note"}[by < 0])
	return nil
}

// askStep asks for the step to go to.
func (m *Model) askStep() tea.Cmd {
	m.Stop()
	return m.Status.Ask("go to step", "", func(text string) tea.Cmd {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 0 {
			return m.Status.Again(fmt.Sprintf("a step is a number from 0 on, got %q", text))
		}
		s := m.session
		return m.move(func() bool { s.Seek(n); return true }, "")
	})
}

// recordCommands move on the record and write on it.
func recordCommands() []command {
	return []command{
		can(screen.Bind(":", "go to a step", ":"), (*Model).askStep),
		can(screen.Bind("N", "next note", "N"), func(m *Model) tea.Cmd { return m.lookNote(+1) }),
		can(screen.Bind("P", "previous note", "P"), func(m *Model) tea.Cmd { return m.lookNote(-1) }),
		can(screen.Bind("n", "note", "n"), (*Model).startNote).Long("write a note (Markdown) on the step, or a page of a lesson with what it asks and claims, or change one"),
		can(screen.Bind("M", "mark the step", "M"), func(m *Model) tea.Cmd { return m.alter(acts.Mark{}) }),
		unless((*Model).noNotes, screen.Bind("h", "notes beside the plot, or not", "h"), func(m *Model) tea.Cmd { m.beside.Hidden = !m.beside.Hidden; return nil }),
		can(screen.Bind("'", "pause at notes, or play past them", "'"), func(m *Model) tea.Cmd {
			m.pause = !m.pause
			m.say(map[bool]string{true: "playing pauses at notes", false: "playing goes on at notes"}[m.pause])
			return nil
		}),
		unless((*Model).noScroll, screen.Bind("pgup/pgdn", "scroll a long note", "pgdown"), func(m *Model) tea.Cmd { return m.scrollNotes(+5) }),
		unless((*Model).noScroll, screen.Bind("", "scroll a long note", "pgup"), func(m *Model) tea.Cmd { return m.scrollNotes(-5) }),
		can(screen.Bind("f", "fork here", "f"), (*Model).askFork).Long("fork here, with another method if you like"),
		can(screen.Bind("K", "correct, drop, reject, pin or bound", "K"), (*Model).askCorrection).Long("correct or drop an observation, reject the suggestion, narrow, pin or free a variable"),
		can(screen.Bind("V", "verify: recompute the record", "V"), func(m *Model) tea.Cmd { m.Stop(); return m.alter(acts.Verify{}) }).Long("verify: recompute every suggestion on record"),
		unless((*Model).tellsTheAnswer, screen.Bind("E", "export: picture, report, recording, data", "E"), (*Model).askExport),
	}
}

func (m *Model) noNotes() string {
	if len(m.notes().Passages) == 0 {
		return "nothing is written on this step: n writes"
	}
	return ""
}

func (m *Model) noScroll() string {
	if len(m.notes().Passages) == 0 || !m.notesShown() {
		return "there is no note to scroll"
	}
	if m.scrollable() == 0 {
		return "all of the note is shown"
	}
	return ""
}

// askExport asks for the file to export to.
func (m *Model) askExport() tea.Cmd {
	cmd := m.Status.Ask("export to", "", func(text string) tea.Cmd {
		path, err := screen.TypedPath(text, "run.jsonl")
		if err != nil {
			return m.Status.Again(err.Error())
		}
		if filepath.Ext(path) == "" {
			return m.Status.Again("the ending chooses what is written: .svg .html .cast .csv .json .txt")
		}
		return screen.Want(screen.Export{Path: path})
	})
	m.Status.Hint("the ending chooses: .svg the plot, .html a notebook, .cast a recording, .csv .json .txt what happened")
	return cmd
}

// Export writes the session off the update loop by a function of the window.
func (m *Model) Export(path string, write func(ctx context.Context, path string, s *sessions.Session, progress sessions.Progress) error) tea.Cmd {
	m.Stop()
	return m.alterTyped(acts.Export{Path: path, Write: write})
}

// askFork asks for the name of a branch that begins here, and if another method is to go on, for that.
func (m *Model) askFork() tea.Cmd {
	m.Stop()
	cmd := m.Status.Ask("fork here as", "", func(text string) tea.Cmd { return m.alterTyped(acts.ForkOf(text)) })
	p := m.state.Problem
	names := methods.FittingNames(len(p.Objectives), p.Limited() != nil)
	other := slices.IndexFunc(names, func(name string) bool { return name != m.state.Spec.Name })
	m.Status.Hint("a name, and if another method is to go on from here its name behind a colon, as in second try: " + names[other])
	return cmd
}

// askCorrection asks for a correction of the record.
func (m *Model) askCorrection() tea.Cmd {
	m.Stop()
	start := ""
	if n := len(m.state.Iterations); n > 0 {
		start = fmt.Sprintf("step %d = ", n)
	}
	cmd := m.Status.Ask("correct", start, func(text string) tea.Cmd { return m.alterTyped(acts.Correct{Text: text}) })
	m.Status.Hint("step 7 = 1.25 sd 0.3 at x=0.4 cost 2 · drop step 7 · x in 0..0.5 · x = 0.3 · free x · reject [7] · each with: because …")
	return cmd
}

// bar is the timeline at the lower edge of the main panel.
func (m *Model) bar(w int) timeline.Bar {
	return timeline.Bar{Timeline: m.line, Style: m.Style, Read: m.reading(), Pages: m.session.Lesson() != nil, Playing: m.Running, W: w}
}

// clickTimeline goes to the stop under the mouse; false if it is not on the timeline.
func (m *Model) clickTimeline(hit screen.Hit) (tea.Cmd, bool) {
	_, col, _, ok := hit.On(timeline.Name)
	if !ok {
		return nil, false
	}
	i, ok := m.bar(m.layout().main).Stop(col)
	if !ok {
		return nil, false
	}
	s := m.session
	return m.move(func() bool { s.GoTo(i); return true }, ""), true
}
