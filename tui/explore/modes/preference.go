package modes

import (
	"context"
	"fmt"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/sessions/report"
	"bandscope/tui/explore/mode"
	"bandscope/tui/widget"
)

// PreferenceMode asks for preferences, one pair after the other.
type PreferenceMode struct {
	pair    report.Pair
	waiting bool        // an answer or its withdrawal is being recorded, or the next pair chosen
	jobs    widget.Jobs // chooses the next pair
}

// pairMsg is the pair to ask about; ok is false if there is none.
type pairMsg struct {
	pair report.Pair
	ok   bool
}

// minInformation is the expected information, in nats, below which further questions are not worthwhile.
const minInformation = 0.03

// NewPreferenceMode makes a mode without a pair.
func NewPreferenceMode() mode.Mode { return &PreferenceMode{} }

// preferenceTurn is one call of the mode.
type preferenceTurn struct {
	*PreferenceMode
	*mode.Turn
}

var preferenceCommands = []widget.Command[preferenceTurn]{
	answers(widget.Bind("1, left", "prefer A", "1", "left"), sessions.PreferA),
	answers(widget.Bind("2, right", "prefer B", "2", "right"), sessions.PreferB),
	answers(widget.Bind("3", "equally good", "3"), sessions.Tie),
	answers(widget.Bind("4", "cannot say", "4"), sessions.Unsure),
	widget.NewCommand(widget.Bind("ctrl+u", "withdraw the last answer", "ctrl+u"), preferenceTurn.noAnswer,
		preferenceTurn.takeBack),
	widget.NewCommand(widget.Bind("esc", "leave", "esc"), nil, func(t preferenceTurn) tea.Cmd {
		t.jobs.Stop()
		return t.Request(mode.Leave{})
	}),
}

// PreferenceBindings are the keys of the mode.
func PreferenceBindings() []key.Binding { return widget.Bindings(preferenceCommands) }

// Title names the mode.
func (q *PreferenceMode) Title() string { return "a preference question" }

// Typing reports that no text is typed.
func (q *PreferenceMode) Typing() bool { return false }

// Keys are the current keys.
func (q *PreferenceMode) Keys(s mode.Scene) []widget.Key {
	return widget.Keys(preferenceTurn{q, &mode.Turn{Scene: s}}, preferenceCommands)
}

// Start looks for the most informative pair of outcomes, and then asks the question.
func (q *PreferenceMode) Start(s mode.Scene) (tea.Cmd, []widget.Action) {
	t := preferenceTurn{q, &mode.Turn{Scene: s}}
	switch st := s.State; {
	case s.Outcomes == nil:
		t.Say("a preference question needs several objectives and the outcomes view (d)")
	case !st.HasWeightPrior():
		t.Say(st.Spec.Title + " has no prior over weights")
	case len(st.Iterations) < 2:
		t.Say("a preference question needs two results; press space for the first points")
	default:
		t.pair = report.Pair{}
		t.Request(mode.Enter{Mode: q})
		return t.choose(), t.Actions
	}
	return nil, t.Actions
}

// choose looks for the most informative pair off the update loop.
func (t preferenceTurn) choose() tea.Cmd {
	st := t.State
	t.waiting = true
	return t.jobs.Start("choosing a question", func(context.Context, func(string, int, int)) tea.Msg {
		pair, ok := report.NextPair(st)
		return pairMsg{pair, ok}
	})
}

// ask asks about a pair. Without one it leaves.
func (t preferenceTurn) ask(next pairMsg) {
	t.waiting = false
	if !next.ok {
		t.Request(mode.Leave{})
		t.Say("you have compared all pairs of the newest outcomes")
		return
	}
	t.pair = next.pair
	if next.pair.Gain < minInformation {
		t.Say("further answers add little information; press esc to leave")
	}
}

// Busy reports whether a pair is being chosen.
func (q *PreferenceMode) Busy() bool { return q.jobs.Busy() }

// Stop stops that.
func (q *PreferenceMode) Stop() { q.jobs.Stop() }

// Update takes a key, the next pair, and the result of a change, after which the next pair is chosen.
func (q *PreferenceMode) Update(s mode.Scene, msg tea.Msg) (cmd tea.Cmd, a []widget.Action) {
	t := preferenceTurn{q, &mode.Turn{Scene: s}}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		cmd, _ = mode.Press(t.Turn, t, preferenceCommands, msg)
	case mode.Changed:
		switch {
		case !t.waiting:
		case msg.Err != nil:
			t.waiting = false
		default:
			cmd = t.choose()
		}
	case widget.DoneMsg:
		inner, ok := t.jobs.Take(msg)
		if !ok {
			break
		}
		t.jobs.Finish()
		if next, ok := inner.(pairMsg); ok {
			t.ask(next)
		}
	}
	return cmd, t.Actions
}

// answers makes a command that gives an answer.
func answers(b key.Binding, answer string) widget.Command[preferenceTurn] {
	return widget.NewCommand(b, preferenceTurn.noQuestion, func(t preferenceTurn) tea.Cmd {
		t.waiting = true
		return t.Request(Answer{t.pair, answer})
	})
}

func (t preferenceTurn) noQuestion() string {
	return widget.Why(t.waiting, "the next question is being chosen")
}

// last is the number of the last answer that is not withdrawn, from 1; 0 for none.
func last(st sessions.State) int {
	for i := len(st.Answers); i > 0; i-- {
		if !st.Answers[i-1].Retracted {
			return i
		}
	}
	return 0
}

func (t preferenceTurn) noAnswer() string {
	return widget.Why(last(t.State) == 0, "there is no answer to withdraw")
}

func (t preferenceTurn) takeBack() tea.Cmd {
	t.waiting = true
	return t.Request(WithdrawAnswer{last(t.State)})
}

// Overlay marks the two outcomes.
func (q *PreferenceMode) Overlay(s mode.Scene) (o mode.Overlay) {
	for _, observation := range [][2]int{q.pair.A, q.pair.B} {
		if y, err := s.State.ObservedValues(observation); err == nil {
			o.Question = append(o.Question, y)
		}
	}
	return o
}

// BelowTitles name the question.
func (q *PreferenceMode) BelowTitles(s mode.Scene) []string {
	asked := "which do you prefer?"
	if o := s.Outcomes.Displayed; o != nil && o.Particles > 0 {
		return []string{fmt.Sprintf("%s (particles: N_eff %.0f of %d)", asked, o.Effective, o.Particles),
			fmt.Sprintf("%s N_eff %.0f of %d", asked, o.Effective, o.Particles)}
	}
	return []string{asked}
}
