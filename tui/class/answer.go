package class

import (
	"fmt"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/classroom"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// Answer is the page on which a student answers the open question of the class.
type Answer struct {
	pointPage
	class  Student
	me     string // the ID of the person
	belief *Belief
	shown  int // the number of the question that the cursor belongs to
}

// NewAnswer makes the page of a person; belief is what a question about a point is about, nil while it is not known.
func NewAnswer(c Student, me string, belief *Belief) *Answer {
	m := &Answer{pointPage: pointPage{page: newPage(c.State())}, class: c, me: me, belief: belief}
	m.follow()
	return m
}

// question is the open question; false if there is none.
func (m *Answer) question() (classroom.Question, bool) { return m.state.OpenQuestion() }

// follow puts the cursor into the middle for a new question about a point.
func (m *Answer) follow() {
	q, ok := m.question()
	if !ok || q.Number == m.shown {
		return
	}
	m.shown = q.Number
	if q.Kind == classroom.Point {
		m.cursor = newCursor(q.Variables)
		if answer, ok := m.state.Own(q.Number, m.me); ok {
			m.cursor.at = slices.Clone(answer.Point)
		}
	}
}

// Update takes a message.
func (m *Answer) Update(msg tea.Msg) tea.Cmd {
	cmd, taken := m.take(msg)
	m.follow()
	if taken {
		return cmd
	}
	switch msg := msg.(type) {
	case BeliefMsg:
		m.belief = msg.Belief
		return nil
	case tea.KeyPressMsg:
		cmd, _ := widget.Take(m, &m.Status, answerCommands, msg)
		return cmd
	}
	return m.other(msg, m.noPoint())
}

var answerCommands = slices.Concat(pointCommands("answer", (*Answer).noPoint, (*Answer).answerPoint), []widget.Command[*Answer]{
	{Binding: widget.Bind("1-6", "answer", "1", "2", "3", "4", "5", "6"), DisabledReason: (*Answer).noChoice,
		Do: (*Answer).answerChoice},
	widget.NewRequestCommand[*Answer](widget.Bind("esc", "back to the screen", "esc"), widget.Close{}),
}, widget.GlobalCommands[*Answer]())

// KeyMap describes the current keys.
func (m *Answer) KeyMap() widget.KeyMap {
	return widget.KeyMap{Title: "a question of the class", Keys: widget.Keys(m, answerCommands),
		Typing: m.Status.Open()}
}

func (m *Answer) noPoint() string {
	switch q, ok := m.question(); {
	case !ok:
		return "no question is open"
	case q.Kind != classroom.Point:
		return fmt.Sprintf("press a number from 1 to %d to answer", len(q.Choices()))
	}
	return ""
}

func (m *Answer) noChoice() string {
	switch q, ok := m.question(); {
	case !ok:
		return "no question is open"
	case q.Kind == classroom.Point:
		return "move the cursor and press enter to answer"
	}
	return ""
}

func (m *Answer) answerPoint() tea.Cmd {
	return m.answer(classroom.Value{Point: slices.Clone(m.cursor.at)})
}

func (m *Answer) answerChoice(msg tea.KeyPressMsg) tea.Cmd {
	q, _ := m.question()
	n, err := strconv.Atoi(msg.String())
	if err != nil || n > len(q.Choices()) {
		m.Say(m.noPoint(), false)
		return nil
	}
	return m.answer(classroom.Value{Choice: n})
}

// answer records an answer off the update loop.
func (m *Answer) answer(v classroom.Value) tea.Cmd {
	q, ok := m.question()
	if !ok {
		m.Say("no question is open", false)
		return nil
	}
	return m.act("recording your answer", func() (string, error) {
		return "your answer is recorded; you can change it until the answers are revealed",
			m.class.Answer(q.Number, m.me, v)
	})
}

// Frame is the question with the plot, the outcomes or the options.
func (m *Answer) Frame() *layout.Box {
	q, ok := m.question()
	hints := map[classroom.Kind]string{classroom.Point: "arrows e enter esc : ? q", classroom.Pair: "1-6 esc : ? q",
		classroom.Choice: "1-6 esc : ? q"}[q.Kind]
	if !ok {
		hints = "esc : ? q"
	}
	return m.frame(m.own(), func(w, h int) *layout.Box {
		if !ok {
			return layout.EmptyPanel(m.Style, "the class", "No question is open. The next one appears here.", w, h, "",
				"The question of the class.", "no question is open")
		}
		title := fmt.Sprintf("question %d", q.Number)
		inner := layout.Column(prompt(m.Style, q, w-2), layout.Space(1, 1))
		tally := m.tally(q, w-2)
		inner.Below(m.body(q, w-2, h-2-inner.H-tally.H).Filled(h - 2 - inner.H - tally.H)).Below(tally)
		return panel(m.Style, title, inner, w, h, "", "The question that the class answers now.")
	}, keys(&m.page, answerCommands, hints))
}

// own is what the status line says without a message.
func (m *Answer) own() string {
	q, ok := m.question()
	if !ok || q.Kind != classroom.Point {
		return ""
	}
	return m.cursor.text()
}

// body is the plot, the pair or the options.
func (m *Answer) body(q classroom.Question, w, h int) *layout.Box {
	answer, answered := m.state.Own(q.Number, m.me)
	switch {
	case q.Kind == classroom.Pair:
		return pairBox(m.Style, *q.Pair, m.belief.outcomes(*q.Pair), answer.Choice, w, h)
	case q.Kind == classroom.Choice:
		return optionsBox(m.Style, q.Options, answer.Choice, w)
	}
	var point []float64
	if answered {
		point = answer.Point
	}
	if len(q.Variables) > 2 {
		return form(m.Style, &m.cursor, point, w, h)
	}
	return plot{style: m.Style, domain: q.Variables, belief: m.belief.about(q.Variables), cursor: m.cursor.at,
		own: point}.box(w, h)
}

// tally says whether the person has answered, and how many have.
func (m *Answer) tally(q classroom.Question, w int) *layout.Box {
	n, students := len(m.state.Answered(q.Number)), m.state.Students()
	text, color := "not answered yet", m.Style.Warn
	if _, ok := m.state.Own(q.Number, m.me); ok {
		text, color = "answered", m.Style.Good
	}
	return number(m.Style, w, color, fmt.Sprintf("%s; %d of %d have answered", text, n, students), "answers",
		fmt.Sprintf("You have %s. %d of %d students have answered so far.", text, n, students))
}
