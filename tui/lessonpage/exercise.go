package lessonpage

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/tui/explore/note"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// Exercise is the task of a session with its goals, as they were last measured.
type Exercise struct {
	task  *sessions.Task
	goals []Goal
	at    string    // the position where they were measured; empty before
	done  time.Time // when all goals first held since the session was opened; zero before
}

// New returns the exercise of a session; nil if it has no task.
func New(s *sessions.Session) *Exercise {
	if s.Task() == nil {
		return nil
	}
	goals, err := Goals(s.Task()) // an error is shown when the goals are measured
	if err != nil {
		goals = nil
	}
	return &Exercise{task: s.Task(), goals: goals}
}

// MeasuredMsg brings measured goals.
type MeasuredMsg struct {
	at    string
	goals []Goal
	err   error
}

// Measured reports whether the goals were measured at a position of the session.
func (s *Exercise) Measured(position string) bool { return s.at == position }

// Measure measures the goals at a snapshot.
func (s *Exercise) Measure(ctx context.Context, snapshot sessions.Snapshot) tea.Msg {
	goals, err := Measure(ctx, snapshot, s.task)
	return MeasuredMsg{snapshot.State().Head, goals, err}
}

// Take takes measured goals; done reports that all goals hold for the first time.
func (s *Exercise) Take(msg MeasuredMsg, now time.Time) (done bool, err error) {
	if msg.err != nil {
		if errors.Is(msg.err, context.Canceled) {
			return false, nil
		}
		return false, msg.err
	}
	s.goals, s.at = msg.goals, msg.at
	done = AllReached(s.goals) && s.done.IsZero()
	if done {
		s.done = now
	}
	return done, nil
}

// CountReached returns the goal on the number of iterations or results that holds, and that another step would miss;
// empty for none.
func (s *Exercise) CountReached(st sessions.State) string {
	counts := map[string]int{"steps": len(st.Iterations)}
	for _, it := range st.Iterations {
		counts["points"] += len(it.Points)
	}
	for _, g := range s.goals {
		c, err := parse(g.Claim)
		n, known := counts[c.name]
		if err == nil && known && c.holds(float64(n)) && !c.holds(float64(n+1)) {
			return g.Words
		}
	}
	return ""
}

// Done returns when all goals first held since the session was opened; zero if they have not.
func (s *Exercise) Done() time.Time { return s.done }

// Lesson returns the name of the lesson; empty for an exercise of no lesson.
func (s *Exercise) Lesson() string { return s.task.Lesson }

// title is the title of the panel.
func (s *Exercise) title() string {
	if name := s.task.Lesson; name != "" && !strings.ContainsAny(name, `/\.`) {
		return "exercise: " + name
	}
	return "exercise"
}

// goalLines returns the goals; two that bound the same quantity from both sides become one.
func (s *Exercise) goalLines() (list []Goal) {
	for _, g := range s.goals {
		if n := len(list); n > 0 {
			if both, ok := list[n-1].Merge(g); ok {
				list[n-1] = both
				continue
			}
		}
		list = append(list, g)
	}
	return list
}

// maxQuoted bounds the words of the task in its description.
const maxQuoted = 30

// Page shows the task, the goals, and whether all of them hold.
func (s *Exercise) Page(st theme.Style) note.Page {
	p := note.Page{Title: s.title(), Description: "The task of this exercise and its goals, which are measured after every step. Enter goes back to the lesson.",
		Passages: []note.Passage{{Text: s.task.Text + "\n\n**Goals** (all must hold):", Name: "task",
			Description: fmt.Sprintf("The task, “%s”.", layout.Excerpt(s.task.Text, maxQuoted))}}}
	for _, g := range s.goalLines() {
		mark, progressText := st.Glyph(theme.GlyphHollow), g.ProgressText()
		if g.Holds {
			mark, progressText = st.Glyph(theme.GlyphFilled), "**"+progressText+"**"
		}
		if s.at == "" {
			progressText = st.Plain("…")
		}
		p.Passages = append(p.Passages, note.Passage{Text: mark + " " + g.Words + ": " + progressText, Name: "goal",
			NoGap:       true,
			Description: fmt.Sprintf("A goal, %s: %s. All goals must hold at the same time.", g.Words, g.ProgressText())})
	}
	done := "**Done**: every goal holds."
	switch {
	case AllReached(s.goals):
	case s.done.IsZero():
		return p
	default:
		done = "**Done** before."
	}
	p.Passages = append(p.Passages, note.Passage{Text: done + " `enter` goes back to the lesson."})
	p.Passages = append(p.Passages, NextPassages(s.task.Lesson)...)
	return p
}
