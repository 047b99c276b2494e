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

// PreferenceMode asks for a preference.
type PreferenceMode struct{ pair report.Pair }

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
	widget.NewCommand(widget.Bind("1, left", "prefer A", "1", "left"), nil, answers(sessions.PreferA)),
	widget.NewCommand(widget.Bind("2, right", "prefer B", "2", "right"), nil, answers(sessions.PreferB)),
	widget.NewCommand(widget.Bind("3", "equally good", "3"), nil, answers(sessions.Tie)),
	widget.NewCommand(widget.Bind("4", "cannot say", "4"), nil, answers(sessions.Unsure)),
	widget.NewCommand(widget.Bind("b", "withdraw the last answer", "b"), preferenceTurn.noAnswer,
		preferenceTurn.takeBack),
	widget.NewCommand(widget.Bind("esc", "leave", "esc"), nil, func(t preferenceTurn) tea.Cmd {
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
	t := mode.Turn{Scene: s}
	switch st := s.State; {
	case s.Outcomes == nil:
		t.Say("a preference question needs several objectives and the outcomes view (d)")
	case !st.HasWeightPrior():
		t.Say(st.Spec.Title + " has no prior over weights")
	case len(st.Iterations) < 2:
		t.Say("a preference question needs two results; press space for the first points")
	default:
		t.Request(mode.Work{Doing: "choosing a question", Do: func(context.Context) []widget.Action {
			pair, ok := report.NextPair(st)
			return ask(pair, ok)
		}})
	}
	return nil, t.Actions
}

// ask asks about a pair; ok is false if there is none.
func ask(pair report.Pair, ok bool) []widget.Action {
	if !ok {
		return []widget.Action{mode.Say{Text: "you have compared all pairs of the newest outcomes"}}
	}
	actions := []widget.Action{mode.Enter{Mode: &PreferenceMode{pair}}}
	if pair.Gain < minInformation {
		actions = append(actions, mode.Say{Text: "further answers add little information; press esc to leave"})
	}
	return actions
}

// Update takes a key.
func (q *PreferenceMode) Update(s mode.Scene, msg tea.Msg) (cmd tea.Cmd, a []widget.Action) {
	t := preferenceTurn{q, &mode.Turn{Scene: s}}
	if press, ok := msg.(tea.KeyPressMsg); ok {
		cmd, _ = mode.Press(t.Turn, t, preferenceCommands, press)
	}
	return cmd, t.Actions
}

// answers makes a command that gives an answer.
func answers(answer string) func(preferenceTurn) tea.Cmd {
	return func(t preferenceTurn) tea.Cmd {
		t.Request(mode.Leave{})
		return t.Request(Answer{t.pair, answer})
	}
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
	t.Request(mode.Leave{})
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
