package explore

import (
	"context"
	"fmt"
	"math"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions"
	"bandscope/tui/screen"
)

type preferKeyMap struct {
	A, B, Tie, Unsure, Undo, Leave key.Binding
}

var preferKeys = preferKeyMap{
	A:      screen.Bind("1, left", "prefer A", "1", "left"),
	B:      screen.Bind("2, right", "prefer B", "2", "right"),
	Tie:    screen.Bind("3", "both alike", "3"),
	Unsure: screen.Bind("4", "cannot say", "4"),
	Undo:   screen.Bind("u", "take back the last answer", "u"),
	Leave:  screen.Bind("esc", "leave", "esc"),
}

func (k preferKeyMap) bindings() []key.Binding {
	return []key.Binding{k.A, k.B, k.Tie, k.Unsure, k.Undo, k.Leave}
}

// pairMsg brings the question to ask.
type pairMsg struct {
	pair sessions.Pair
	ok   bool
}

// contradiction is the probability of an answer below which it is pointed out.
const contradiction = 0.15

// enough is the information, in nats, below which questions hardly tell anything more.
const enough = 0.03

// ask looks for the pair of outcomes whose comparison tells most.
func (m *Model) ask() tea.Cmd {
	switch {
	case !m.several() || !m.steering:
		m.say("questions are for problems of several objectives, where outcomes are shown (d)")
		return nil
	case !m.state.Weighed():
		m.say(m.state.Spec.Title + " has no prior over weights to learn")
		return nil
	case len(m.state.Iterations) < 2:
		m.say("a question needs two outcomes: space evaluates the first points")
		return nil
	}
	m.running = false
	st := m.state
	return m.jobs.Start("choosing a question", func(context.Context, func(string, int, int)) tea.Msg {
		pair, ok := st.Ask()
		return pairMsg{pair, ok}
	})
}

func (m *Model) takePair(msg pairMsg) {
	if !msg.ok {
		m.say("every pair of the newest outcomes was asked about")
		return
	}
	m.steer.pair, m.mode = msg.pair, preferring
	if msg.pair.Gain < enough {
		m.say("answers hardly tell anything more: esc leaves")
	}
}

// preferKey takes a key press while an answer is awaited.
func (m *Model) preferKey(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(msg, preferKeys.Leave):
		m.mode = stepping
	case key.Matches(msg, preferKeys.A):
		return m.answer(sessions.PreferA)
	case key.Matches(msg, preferKeys.B):
		return m.answer(sessions.PreferB)
	case key.Matches(msg, preferKeys.Tie):
		return m.answer(sessions.Tied)
	case key.Matches(msg, preferKeys.Unsure):
		return m.answer(sessions.Unsure)
	case key.Matches(msg, preferKeys.Undo):
		return m.takeBack()
	}
	return nil
}

// answer records an answer and says how it fits the ones before.
func (m *Model) answer(answer string) tea.Cmd {
	m.mode = stepping
	s, dir, st, pair := m.session, m.dir, m.state, m.steer.pair
	return m.change("learning from the answer", func(context.Context, func(string, int, int)) (string, error) {
		likely := 1.0
		if len(st.Input().Answers) > 0 {
			likely = st.Likely(pair, answer)
		}
		if err := s.Compare(pair.A, pair.B, answer); err != nil {
			return "", err
		}
		said := "taken: the dashed line is the prior before; a asks on"
		if likely < contradiction {
			said = fmt.Sprintf("taken, though it contradicts earlier answers (it had %.0f %%): a mistake, or changed your mind? a, u takes it back", 100*likely)
		}
		return said, s.Keep(dir)
	})
}

// takeBack retracts the last answer that stands.
func (m *Model) takeBack() tea.Cmd {
	m.mode = stepping
	last := 0
	for i, c := range m.state.Compared {
		if !c.Retracted {
			last = i + 1
		}
	}
	if last == 0 {
		m.say("there is no answer to take back")
		return nil
	}
	s, dir := m.session, m.dir
	return m.change("taking back an answer", func(context.Context, func(string, int, int)) (string, error) {
		if err := s.Retract(last); err != nil {
			return "", err
		}
		return fmt.Sprintf("answer %d is taken back; it stays on record", last), s.Keep(dir)
	})
}

// pairLines are the two outcomes in the objectives' own units, with bars of how good each is and their difference.
func (m *Model) pairLines(w, h int) []string {
	st := m.style
	ya, errA := m.state.Observed(m.steer.pair.A)
	yb, errB := m.state.Observed(m.steer.pair.B)
	if errA != nil || errB != nil || m.steer.outcomes == nil {
		return nil
	}
	d := m.outcomeDrawing()
	width := max((w-44)/2, 6)
	bar := func(u float64) string {
		n := int(math.Round(min(max(u, 0), 1) * float64(width)))
		full, empty := "█", "░"
		if st.ASCII {
			full, empty = "#", "."
		}
		return st.Paint(st.Acquisition, strings.Repeat(full, n)) + st.Paint(st.Faint, strings.Repeat(empty, width-n))
	}
	head := fmt.Sprintf(" %s%s%s", screen.Fit("", 10), screen.Fit(st.PaintBold(st.Accent, "A")+fmt.Sprintf(" step %d", m.steer.pair.A[0]), width+12),
		st.PaintBold(st.Accent, "B")+fmt.Sprintf(" step %d", m.steer.pair.B[0]))
	lines := []string{head}
	for k, o := range m.state.Problem.Objectives {
		better := "higher is better"
		if o.Direction.Sign() > 0 {
			better = "lower is better"
		}
		line := " " + screen.Fit(st.Paint(st.Text, o.Name), 10) + bar(d.Outcome(k, ya[k])) + " " + screen.Fit(screen.Number(ya[k]), 11) +
			bar(d.Outcome(k, yb[k])) + " " + screen.Fit(screen.Number(yb[k]), 10) + st.Paint(st.Dim, fmt.Sprintf(" B %+.4g", yb[k]-ya[k])) + st.Paint(st.Faint, "  "+better)
		lines = append(lines, ansi.Truncate(line, w, ""))
	}
	for len(lines) < h {
		lines = append(lines, "")
	}
	return lines[:h]
}
