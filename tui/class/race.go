package class

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"bandscope/functions"
	"bandscope/sessions/classroom"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// Race is the page of a student in a race: the own evaluations on a plot without the function, and the board. At the
// end it shows the function, with the belief after the own evaluations beside that after those of a method.
type Race struct {
	pointPage
	class   Student
	me      string
	race    int // the number of the race that is shown
	problem *functions.Problem
	beliefs [2]*Belief // at the end: after the own evaluations, and after those of the method; nil until computed
	failed  string     // why they are not computed
}

// NewRace makes the page of a person for the last race of the class.
func NewRace(c Student, me string) *Race {
	m := &Race{pointPage: pointPage{page: newPage(c.State())}, class: c, me: me}
	m.follow()
	return m
}

// Init computes the beliefs of a race that has ended.
func (m *Race) Init() tea.Cmd { return m.compareBeliefs() }

// current is the race that is shown; false without one.
func (m *Race) current() (classroom.Race, bool) {
	r, err := m.state.Race(len(m.state.Races))
	return r, err == nil
}

// follow begins with a new race.
func (m *Race) follow() {
	r, ok := m.current()
	if !ok || r.Number == m.race {
		return
	}
	m.race = r.Number
	m.problem = nil
	m.beliefs = [2]*Belief{}
	m.failed = ""
	p, err := r.Problem()
	if err != nil {
		m.failed = err.Error()
		return
	}
	m.problem, m.cursor = p, newCursor(hidden(p))
}

// hidden is the domain of a race while the function is hidden: the names of its variables would tell it.
func hidden(p *functions.Problem) functions.Domain {
	d := slices.Clone(p.Domain)
	for j := range d {
		d[j].Name = fmt.Sprintf("x%d", j+1)
		if len(d) == 1 {
			d[j].Name = "x"
		}
		d[j].Unit = ""
	}
	return d
}

// beliefsMsg is the result of compareBeliefs.
type beliefsMsg struct {
	race    int
	beliefs [2]*Belief
	err     error
}

// compareBeliefs computes what the default method believes after the own evaluations, and after those of the first
// method of the race.
func (m *Race) compareBeliefs() tea.Cmd {
	r, ok := m.current()
	if !ok || !r.Ended || m.problem == nil || m.problem.Dim() > 2 || m.beliefs != [2]*Belief{} || m.failed != "" ||
		m.jobs.Busy() {
		return nil
	}
	sets := [2][]classroom.Evaluation{m.state.Evaluations(r.Number, m.me), nil}
	if len(r.Methods) > 0 {
		sets[1] = r.MethodEvaluations(r.Methods[0])
	}
	return m.jobs.Start("computing the beliefs", func(ctx context.Context, progress func(string, int, int)) tea.Msg {
		msg := beliefsMsg{race: r.Number}
		for i, evals := range sets {
			if len(evals) == 0 {
				continue
			}
			s, err := classroom.Replay(ctx, r.RaceConfig, "", evals)
			if err == nil {
				msg.beliefs[i], err = ComputeBelief(ctx, s, progress)
				s.Close()
			}
			if err != nil {
				msg.err = err
				break
			}
		}
		return msg
	})
}

// Update takes a message.
func (m *Race) Update(msg tea.Msg) tea.Cmd {
	if done, ok := msg.(widget.DoneMsg); ok {
		if inner, ok := m.jobs.Take(done); ok {
			if b, ok := inner.(beliefsMsg); ok {
				m.jobs.Finish()
				m.beliefs = b.beliefs
				if b.err != nil {
					m.failed = b.err.Error()
				}
				return nil
			}
		}
	}
	cmd, taken := m.take(msg)
	m.follow()
	if taken {
		return tea.Batch(cmd, m.compareBeliefs())
	}
	if press, ok := msg.(tea.KeyPressMsg); ok {
		cmd, _ := widget.Take(m, &m.Status, raceCommands, press)
		return cmd
	}
	return m.other(msg, m.cannot())
}

var raceCommands = slices.Concat(pointCommands("evaluate", (*Race).cannot, (*Race).evaluate), []widget.Command[*Race]{
	widget.NewRequestCommand[*Race](widget.Bind("esc", "back to the screen", "esc"), widget.Close{}),
}, widget.GlobalCommands[*Race]())

// KeyMap describes the current keys.
func (m *Race) KeyMap() widget.KeyMap {
	return widget.KeyMap{Title: "a race", Keys: widget.Keys(m, raceCommands), Typing: m.Status.Open()}
}

// left is the remaining budget.
func (m *Race) left(r classroom.Race) int { return r.Budget - len(m.state.Evaluations(r.Number, m.me)) }

// cannot is why no point can be evaluated; empty if it can.
func (m *Race) cannot() string {
	r, ok := m.current()
	switch {
	case !ok:
		return "there is no race"
	case m.problem == nil:
		return m.failed
	case r.Ended:
		return "the race has ended"
	case m.left(r) <= 0:
		return "your budget is used; the race ends when the teacher ends it"
	}
	return ""
}

func (m *Race) evaluate() tea.Cmd {
	x, r := slices.Clone(m.cursor.at), m.race
	return m.act("evaluating", func() (string, error) {
		y, left, err := m.class.Evaluate(r, m.me, x)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("the value is %s; %s left", widget.Number(y), widget.Count(left, "evaluation")), nil
	})
}

// Frame is the plot beside the board.
func (m *Race) Frame() *layout.Box {
	r, ok := m.current()
	hints := "arrows e enter esc : ? q"
	if !ok || r.Ended {
		hints = "esc : ? q"
	}
	label := ""
	if m.cannot() == "" {
		label = m.cursor.text()
	}
	return m.frame(label, func(w, h int) *layout.Box {
		switch {
		case !ok:
			return layout.EmptyPanel(m.Style, "race", "No race has begun.", w, h, "", "The race of the class.",
				"no race has begun yet")
		case m.problem == nil:
			return layout.EmptyPanel(m.Style, "race", quote(m.failed, maxQuoted), w, h, "", "The race of the class.",
				quote(m.failed, maxQuoted))
		}
		right := min(max(w*2/5, 38), 60)
		if w < 70 {
			high := h * 3 / 5
			return layout.Column(m.plots(r, w, high), board(m.Style, m.state, r, m.me, w, h-high))
		}
		return layout.Row(m.plots(r, w-right, h), board(m.Style, m.state, r, m.me, right, h))
	}, keys(&m.page, raceCommands, hints))
}

// plots is the own evaluations or, at the end, the function with the two beliefs.
func (m *Race) plots(r classroom.Race, w, h int) *layout.Box {
	if !r.Ended || len(m.problem.Domain) > 2 {
		return m.ownPlot(r, w, h)
	}
	high := h / 2
	method := "no method"
	if len(r.Methods) > 0 {
		method = r.Methods[0]
	}
	return layout.Column(m.beliefPlot(0, "after your evaluations", w, high),
		m.beliefPlot(1, "after those of "+quote(method, 3), w, h-high))
}

// ownPlot is the own evaluations with the cursor; the function is hidden.
func (m *Race) ownPlot(r classroom.Race, w, h int) *layout.Box {
	left := max(m.left(r), 0)
	goal := "find the smallest value"
	if m.problem.Objectives[0].Direction == functions.Maximize {
		goal = "find the greatest value"
	}
	o := m.problem.Objectives[0]
	o.Name = "value"
	o.Unit = ""
	o.Range = nil
	evals := m.state.Evaluations(r.Number, m.me)
	text := layout.FirstFit(m.Style, w-4, fmt.Sprintf("%s · %d of %d evaluations left", goal, left, r.Budget),
		fmt.Sprintf("%s · %d of %d left", goal, left, r.Budget), fmt.Sprintf("%d of %d left", left, r.Budget))
	head := number(m.Style, w-2, m.Style.Text, text, "budget",
		fmt.Sprintf("You have %d of %d evaluations left. The goal: %s.", left, r.Budget, goal))
	body := layout.Column(head)
	if len(m.cursor.domain) > 2 {
		body.Below(form(m.Style, &m.cursor, nil, w-2, h-3))
		if i := bestOf(o, evals); i >= 0 {
			text := fmt.Sprintf("best value %s at %s", widget.Number(evals[i].Y), widget.Point(m.cursor.domain,
				evals[i].X))
			body.Below(number(m.Style, w-2, m.Style.Best, text, "best", "Your "+quote(text, maxQuoted)+"."))
		}
	} else {
		p := plot{style: m.Style, domain: m.cursor.domain, objective: o, evaluations: evals}
		if m.cannot() == "" {
			p.cursor = m.cursor.at
		}
		body.Below(p.box(w-2, h-2-head.H))
	}
	return panel(m.Style, fmt.Sprintf("race %d: a hidden function", r.Number), body, w, h, "",
		"The race: everybody looks for the optimum of the same hidden function with the same budget.")
}

// beliefPlot is the function with one of the two beliefs.
func (m *Race) beliefPlot(i int, title string, w, h int) *layout.Box {
	titled := layout.FirstFit(m.Style, w-layout.TitleRoom, m.problem.Title+": "+title, title)
	if b := m.beliefs[i]; b != nil {
		p := plot{style: m.Style, domain: b.State.Problem.Domain, belief: b, truth: true}
		says := fmt.Sprintf("The belief of %s about the function of the race, %s.", b.State.Spec.Title, title)
		return panel(m.Style, titled, p.box(w-2, h-2), w, h, "posterior", says)
	}
	text, why := "The belief is being computed.", "the belief is being computed"
	switch {
	case m.failed != "":
		text, why = quote(m.failed, maxQuoted), quote(m.failed, maxQuoted)
	case !m.jobs.Busy():
		text, why = "There are no evaluations.", "there are no evaluations to learn from"
	}
	return layout.EmptyPanel(m.Style, titled, text, w, h, "posterior",
		"The function of the race with a belief.", why)
}
