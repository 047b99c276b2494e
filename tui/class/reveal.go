package class

import (
	"fmt"
	"math"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/classroom"
	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/widget"
)

// Reveal is the page with the answers to a question that is revealed, for the teacher and the students.
type Reveal struct {
	page
	me     string // the ID of the person
	belief *Belief
}

// NewReveal makes the page of a person.
func NewReveal(st classroom.State, me string, belief *Belief) *Reveal {
	return &Reveal{page: newPage(st), me: me, belief: belief}
}

// Update takes a message.
func (m *Reveal) Update(msg tea.Msg) tea.Cmd {
	if cmd, taken := m.take(msg); taken {
		return cmd
	}
	switch msg := msg.(type) {
	case BeliefMsg:
		m.belief = msg.Belief
	case tea.KeyPressMsg:
		cmd, _ := widget.Take(m, &m.Status, revealCommands, msg)
		return cmd
	}
	return nil
}

var revealCommands = append([]widget.Command[*Reveal]{
	widget.NewRequestCommand[*Reveal](widget.Bind("esc", "back to the screen", "esc"), widget.Close{}),
}, widget.GlobalCommands[*Reveal]()...)

// KeyMap describes the current keys.
func (m *Reveal) KeyMap() widget.KeyMap {
	return widget.KeyMap{Title: "the answers of the class", Keys: widget.Keys(m, revealCommands)}
}

// result is the result of the last question that is revealed; false without one.
func (m *Reveal) result() (classroom.Result, bool) {
	for n := len(m.state.Questions); n > 0; n-- {
		if r, err := m.state.Result(n); err == nil {
			return r, true
		}
	}
	return classroom.Result{}, false
}

// Frame is the answers with their distribution.
func (m *Reveal) Frame() *layout.Box {
	r, ok := m.result()
	return m.frame("", func(w, h int) *layout.Box {
		if !ok {
			return layout.EmptyPanel(m.Style, "answers", "No answers are revealed yet.", w, h, "",
				"The answers of the class.", "the teacher has revealed no question yet")
		}
		side := 0
		if w >= minBeside && len(r.Answers) > 0 {
			side = min(w/3, 44)
		}
		left := m.answers(r, w-side, h)
		if side == 0 {
			return left
		}
		return layout.Row(left, m.people(r, side, h))
	}, keys(&m.page, revealCommands, "esc : ? q"))
}

// minBeside is the width of a window from which on the answers by pseudonym are beside the picture.
const minBeside = 100

// answers is the panel with the question, the marks or shares of the answers, and their distribution.
func (m *Reveal) answers(r classroom.Result, w, h int) *layout.Box {
	st, inner := m.Style, w-2
	n := len(r.Answers)
	all := layout.Column(prompt(st, r.Question, inner))
	all.Below(number(st, inner, st.Dim, fmt.Sprintf("%s of %d", widget.Count(n, "answer"), m.state.Students()),
		"answers",
		fmt.Sprintf("%d of %d students have answered.", n, m.state.Students())))
	answer, _ := m.state.Own(r.Number, m.me)
	switch {
	case n == 0:
	case r.Kind != classroom.Point:
		all.Below(layout.Space(1, 1)).Below(sharesBox(st, r, answer.Choice, inner)).Below(layout.Space(1, 1)).
			Below(m.disagreement(r, inner))
		if rest := h - 2 - all.H; r.Kind == classroom.Pair && rest >= 9 && len(r.Pair.Objectives) == 2 {
			all.Below(layout.Space(1, 1)).Below(pairPlot(st, *r.Pair, m.belief.outcomes(*r.Pair), inner, rest-1))
		}
	default:
		all.Below(m.points(r, answer.Point, inner, h-2-all.H))
	}
	return panel(st, fmt.Sprintf("question %d: the answers", r.Number), all, w, h, "",
		"The answers of the class to the question, and their distribution.")
}

// disagreement says how far the answers differ.
func (m *Reveal) disagreement(r classroom.Result, w int) *layout.Box {
	text := ""
	if !math.IsNaN(r.Entropy) {
		most := math.Log2(float64(len(r.Choices())))
		scale := "all answers are the same"
		if r.Kind == classroom.Pair {
			most = math.Log2(classroom.CannotTell - 1)
		}
		if r.Entropy > 0 {
			scale = "0 is full agreement, " + widget.Number(most) + " none"
		}
		text = fmt.Sprintf("disagreement %s bits (%s)", widget.Number(r.Entropy), scale)
	}
	if !math.IsNaN(r.CorrectShare) {
		text = fmt.Sprintf("%s %% right · %s", widget.Number(math.Round(100*r.CorrectShare)), text)
	}
	return number(m.Style, w, m.Style.Text, text, "disagreement", "The disagreement of the class: the entropy of the shares of the answers in bits, 0 where all agree.")
}

// points is the verdict, over the belief with the answers.
func (m *Reveal) points(r classroom.Result, answer []float64, w, h int) *layout.Box {
	b := m.belief.about(r.Variables)
	p := plot{style: m.Style, domain: r.Variables, belief: b, next: true, own: answer}
	for _, a := range r.Answers {
		p.answers = append(p.answers, a.Point)
	}
	if text, says := b.verdict(p.answers); text != "" && h > 8 {
		line := number(m.Style, w, m.Style.Accent, text, "verdict", says)
		return layout.Column(line, m.pointPicture(r, p, w, h-line.H))
	}
	return m.pointPicture(r, p, w, h)
}

// pointPicture is the belief with the answers, and their distribution below.
func (m *Reveal) pointPicture(r classroom.Result, p plot, w, h int) *layout.Box {
	b := p.belief
	if len(r.Variables) > 2 {
		return m.quantiles(r, b, w, h)
	}
	if len(r.Variables) > 1 {
		table := m.quantiles(r, b, w, 4)
		return layout.Column(p.box(w, h-table.H), table)
	}
	below := min(max(h/4, 5), 9)
	return layout.Column(p.box(w, h-below), m.histogram(r, w, below))
}

// maxBins is the number of bins of a histogram at most.
const maxBins = 40

// histogram counts the answers along the variable.
func (m *Reveal) histogram(r classroom.Result, w, h int) *layout.Box {
	v, st := r.Variables[0], m.Style
	bins := min(maxBins, max(w/3, 5))
	if n := v.Levels(); n > 0 {
		bins = min(bins, n)
	}
	counts := make([]float64, bins)
	for _, a := range r.Answers {
		counts[min(int(picture.AxisFraction(v, a.Point[0])*float64(bins)), bins-1)]++
	}
	area := chart.Area{Color: st.Series[1], Name: "count"}
	most := 0.0
	for i, n := range counts {
		lo, hi := float64(i)/float64(bins), float64(i+1)/float64(bins)
		inside := (hi - lo) * 1e-6
		area.X = append(area.X, picture.AxisValue(v, lo+inside), picture.AxisValue(v, hi-inside))
		area.Y = append(area.Y, n, n)
		most = max(most, n)
	}
	c := chart.Chart{X: picture.Axis(v), Y: chart.Axis{Label: "count", Max: most + 0.5, Integer: true},
		Gutter: picture.Gutter, Layers: []chart.Layer{area}}
	q := r.Quantiles[0]
	return c.Box(w, h, st, chart.Description{X: picture.DescribeVariable(v),
		Y: fmt.Sprintf("Vertical axis: how many answers lie in each part of the axis, at most %d.", int(most)),
		Marks: func(string) (string, string) {
			return sanitize.Text(fmt.Sprintf("How many answers lie where: the median is %s, half are from %s to %s.",
				widget.Number(q.Median), widget.Number(q.Lower), widget.Number(q.Upper))), ""
		}})
}

// quantiles is a table of the distribution of each variable, with the next point of the optimizer.
func (m *Reveal) quantiles(r classroom.Result, b *Belief, w, h int) *layout.Box {
	st, next := m.Style, b.next()
	head := fmt.Sprintf("%-16s %10s %10s %10s", "variable", "25 %", "median", "75 %")
	if next != nil {
		head += fmt.Sprintf(" %12s", "optimizer")
	}
	all := layout.Column(number(st, w, st.Dim, head, "heading",
		"The columns: a quarter of the answers is below the first value, half below the second, a quarter above the third."))
	for j, v := range r.Variables {
		if all.H >= h {
			break
		}
		q := r.Quantiles[j]
		text := cell(st, v.Name, 16)
		for _, x := range []float64{q.Lower, q.Median, q.Upper} {
			text += fmt.Sprintf(" %10s", widget.Number(x))
		}
		says := fmt.Sprintf("Half of the answers have %s from %s to %s; the median is %s.", quote(v.Name, 6),
			widget.Number(q.Lower), widget.Number(q.Upper), widget.Number(q.Median))
		if len(next) > 0 {
			text += fmt.Sprintf(" %12s", sanitize.Text(v.Text(tidy(v, next[0][j]))))
			says += fmt.Sprintf(" The optimizer suggests %s.", quote(v.Text(tidy(v, next[0][j])), 3))
		}
		all.Below(number(st, w, st.Text, text, v.Name, says))
	}
	return all
}

// people is the list of the answers by pseudonym.
func (m *Reveal) people(r classroom.Result, w, h int) *layout.Box {
	st, inner := m.Style, w-2
	all := layout.Column(layout.Space(inner, 0))
	for i, a := range r.Answers {
		if all.H == h-3 && len(r.Answers)-i > 1 {
			rest := len(r.Answers) - i
			all.Below(number(st, inner, st.Dim, fmt.Sprintf("and %d more", rest), "more",
				fmt.Sprintf("%d more answers do not fit here.", rest)))
			break
		}
		color := st.Text
		if p, ok := m.state.Person(m.me); ok && p.Pseudonym == a.Pseudonym {
			color = st.Accent
		}
		answer := r.Answer(a.Value)
		if r.Kind == classroom.Point {
			answer = widget.Point(r.Variables, a.Point)
		}
		all.Below(number(st, inner, color, cell(st, a.Pseudonym, 14)+" "+answer, a.Pseudonym,
			fmt.Sprintf("The person with the pseudonym %s answered “%s”.", a.Pseudonym, quote(answer, 16))))
	}
	return panel(st, "by pseudonym", all, w, h, "", "Who answered what, by pseudonym.")
}
