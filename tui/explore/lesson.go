package explore

import (
	"fmt"
	"math"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/optimizers/normal"
	"bandscope/sessions/safe"
	"bandscope/tui/belief"
	"bandscope/tui/explore/parameters"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// guess is a person's answer to "where would you query?".
type guess struct {
	place int // of the timeline where it was asked
	x     []float64
	y     float64
	step  int  // the iterations done then
	given bool // a point was chosen, rather than the question passed over

	// What could be expected of the point and of the record's, as shares of the greatest expected improvement; NaN where the belief has no band.
	worth, theirs float64
}

// asking reports whether the reader is asked where to query, and has not said yet. Meanwhile what would give the answer away is hidden.
func (m *Model) asking() bool {
	t := m.record.line
	return m.session.Lesson() != nil && m.ahead() && m.place().Ask && (m.guess == nil || m.guess.place != t.At)
}

// page goes on in a lesson or a replay: past a question only when it was answered, or passed over.
func (m *Model) page() tea.Cmd {
	if m.asking() {
		if m.asked != m.record.line.At+1 {
			m.asked = m.record.line.At + 1
			m.say("x chooses your point; space again passes over")
			return nil
		}
		m.guess = &guess{place: m.record.line.At, step: len(m.state.Iterations)}
	}
	return m.turnPage()
}

// answerWith takes the reader's point, and shows what the record did.
func (m *Model) answerWith(x []float64) tea.Cmd {
	y, err := m.state.Problem.TrueValues(x)
	if err != nil {
		m.fail(err)
		return nil
	}
	m.guess = &guess{place: m.record.line.At, step: len(m.state.Iterations), x: x, y: y[0], given: true, worth: m.worth(x), theirs: math.NaN()}
	if m.told != nil && len(m.told.Next) > 0 {
		m.guess.theirs = m.worth(m.told.Next[0])
	}
	return m.turnPage()
}

// knowable is what the belief of a picture says of an input of the one variable shown, minimized, and the best value so far.
func (m *Model) knowable(p *belief.Picture, x float64) (mean, sd, best float64, ok bool) {
	_, y, _, found := m.state.Best()
	if !found || p == nil || len(p.Lower) == 0 {
		return 0, 0, 0, false
	}
	sign := m.state.Problem.Objectives[0].Direction.Sign()
	return sign * p.At(p.Mean, x), (p.At(p.Upper, x) - p.At(p.Lower, x)) / 4, sign * y, true
}

// worth is the expected improvement of a point under the belief that is shown, as a share of the greatest there is: what could be known
// of it before it was evaluated. It is NaN where the belief has no band.
func (m *Model) worth(x []float64) float64 {
	gain := func(at float64) float64 {
		mean, sd, best, ok := m.knowable(m.line().Image().Picture, at)
		if !ok {
			return math.NaN()
		}
		return normal.ExpectedImprovement(mean, sd, best)
	}
	if m.line().Image().Picture == nil {
		return math.NaN()
	}
	most := 0.0
	for _, at := range m.line().Image().Picture.Grid {
		most = max(most, gain(at))
	}
	return min(gain(x[m.view.Variable])/most, 1)
}

// answered reports whether the page that is shown is the one behind a question to which the reader gave a point.
func (m *Model) answered() bool {
	a := m.guess
	return a != nil && a.given && m.record.line.At == a.place+1 && a.step < len(m.state.Iterations)
}

// verdict tells what could be expected of the reader's point, and of the record's, and what they came to; empty elsewhere. A point is
// judged by what was known when it was chosen: how its value turned out is luck as well.
func (m *Model) verdict() string {
	if !m.answered() {
		return ""
	}
	a, o := m.guess, m.state.Problem.Objectives[0]
	it := m.state.Iterations[a.step]
	theirs := it.Judged()[0][0]
	for _, y := range it.Judged() {
		if o.Direction.Sign()*y[0] < o.Direction.Sign()*theirs {
			theirs = y[0]
		}
	}
	share := func(v float64) string {
		if math.IsNaN(v) {
			return ""
		}
		return fmt.Sprintf(" promised %.0f %% of the most that could be expected, and", 100*v)
	}
	return fmt.Sprintf("%s **Your point** %s%s gives %s = %s. The one of %s, %s,%s gives %s.", m.style.Glyph(theme.GlyphTriangle), screen.Point(m.state.Problem.Domain, a.x),
		share(a.worth), o.Name, screen.Number(a.y), it.By, screen.Point(m.state.Problem.Domain, it.X[0]), share(a.theirs), screen.Number(theirs))
}

// guessLayer draws the reader's point at the place behind the question.
func (m *Model) guessLayer() []plot.Layer {
	if !m.answered() {
		return nil
	}
	return []plot.Layer{plot.Points{X: []float64{m.guess.x[m.view.Variable]}, Y: []float64{m.guess.y}, Shape: theme.GlyphTriangle, Color: m.style.Cursor}}
}

// notes are what is written at the place where the session stands: of a lesson the page that was turned last, otherwise every note on the step.
func (m *Model) notes() string {
	if m.session.Lesson() != nil {
		text := m.state.LastNote().Text
		if said := m.verdict(); said != "" {
			text = said + "\n\n" + text
		}
		return text
	}
	var texts []string
	for _, n := range m.state.NotesAt(len(m.state.Iterations)) {
		if n.Text != "" {
			texts = append(texts, n.Text)
		}
	}
	return strings.Join(texts, "\n\n---\n\n")
}

// notesShown reports whether notes are shown beside the plot.
func (m *Model) notesShown() bool {
	return !m.record.hidden && !m.paneled() && m.notes() != ""
}

// sidePanels are the panels at the right: notes where there are some, the parameters, the regret.
func (m *Model) sidePanels(l layout) []string {
	lesson := m.session.Lesson()
	if p, whole := m.panel(); whole {
		return p.Panel(m.scene(), l.side, l.height)
	} else if p != nil {
		return append(p.Panel(m.scene(), l.side, l.params), m.regretPanel(l)...)
	}
	if !m.notesShown() {
		return append(parameters.Panel(m.scene(), m.factLines(l.side-4), l.side, l.params), m.regretPanel(l)...)
	}
	if lesson.Hides("regret") {
		return m.notesPanel(l.side, l.height)
	}
	return append(m.notesPanel(l.side, l.params), m.regretPanel(l)...)
}

// scrollable is how many lines the notes can be scrolled by, 0 where all of them are shown.
func (m *Model) scrollable() int {
	l := m.layout()
	room := l.params - 2
	if m.session.Lesson().Hides("regret") {
		room = l.height - 2
	}
	if over := len(screen.Markdown(m.style, m.notes(), l.side-4)) - room; over > 0 {
		return over + 1 // the last line says that there is more
	}
	return 0
}

// notesPanel shows the notes, with a page up and down where they are longer than the panel.
func (m *Model) notesPanel(w, h int) []string {
	st := m.style
	lines := screen.Markdown(st, m.notes(), w-4)
	room := h - 2
	if len(lines) > room {
		m.record.scroll = min(m.record.scroll, len(lines)-room+1)
		lines = lines[m.record.scroll:]
		if len(lines) > room {
			lines = append(lines[:room-1:room-1], st.Paint(st.Faint, st.Plain("… page down")))
		}
	}
	body := make([]string, len(lines))
	for i, line := range lines {
		body[i] = " " + line
	}
	return screen.Panel(st, m.notesTitle(), body, w, h, false)
}

func (m *Model) notesTitle() string {
	if lesson := m.session.Lesson(); lesson != nil {
		return safe.Text(lesson.Title)
	}
	return fmt.Sprintf("notes on step %d", len(m.state.Iterations))
}
