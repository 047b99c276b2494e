package explore

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/results"
	"bandscope/tui/layout"
)

// maxSaid is how many words of the status line are told.
const maxSaid = 34

// statusLine is the line above the keys: what is being entered, what runs, what was last said, or what to do next.
func (m *Model) statusLine() *layout.Box {
	st, w := m.Style, m.Width
	said, bad := m.Status.Message()
	if t, ok := m.Modes.Active.(mode.StatusDrawer); ok && said == "" && !m.Status.Open() {
		return t.Status(m.Scene(), w)
	}
	quoted := func(text string) string { return layout.Excerpt(text, maxSaid) + "." }
	computed := m.Jobs.Status(st.ASCII)
	line := m.Status.Box(st, w, computed, "")
	switch {
	case m.Status.Open():
		return line.Prose("status", "", "What is asked for here is typed: enter takes it, esc leaves all as it is.")
	case computed != "":
		return line.Prose("status", "", "What is computed at the moment: "+quoted(computed+" "+said)+" esc stops it.")
	case bad:
		return line.Prose("status", "", "What could not be done: "+quoted(said))
	}
	what := "What was done last: "
	if said == "" {
		what = "What the method says of the next point: "
	}
	own, warning := m.statusParts()
	color := st.Text
	if own == "" && warning == "" {
		own, what, color = layout.ShortenIn(st, m.advice(), w-2), "What to do next: ", st.Dim
	}
	row := layout.Row(layout.Space(1, 1))
	if own != "" {
		row.Beside(layout.Line(st.Paint(color, own)).Prose("status", "", what+quoted(own)))
	}
	if warning != "" {
		if own != "" {
			row.Beside(layout.Space(2, 1))
		}
		row.Beside(layout.Line(st.Paint(st.Warn, warning)).Prose("warning", "coverage",
			"A warning, since something stands against what is drawn: "+
				quoted(strings.TrimSuffix(strings.TrimPrefix(warning, "! "), ": U"))+
				" U tells whether the model can be believed."))
	}
	return row.Sized(w, 1)
}

// statusParts are what was said last with what the method says of the next point, and what warns beside it. Where there
// is no room for both, each is shortened, and what was said leaves the warning at least two thirds of the line.
func (m *Model) statusParts() (said, warning string) {
	said, _ = m.Status.Message()
	if note := m.nextPointNote(); note != "" { // never in the place of the reply to a key
		said = strings.TrimSpace(said + "  " + note)
	}
	warning = m.warnings()
	room := m.Width - 2
	if said == "" || warning == "" {
		return layout.ShortenIn(m.Style, said, room), layout.ShortenIn(m.Style, warning, room)
	}
	room -= 2
	if ansi.StringWidth(said)+ansi.StringWidth(warning) > room {
		warning = layout.ShortenIn(m.Style, warning, room-min(ansi.StringWidth(said), room/3))
		said = layout.ShortenIn(m.Style, said, room-ansi.StringWidth(warning))
	}
	return said, warning
}

// nextPointNote is what the method says of the point that comes next.
func (m *Model) nextPointNote() string {
	if m.report == nil || m.asking() {
		return ""
	}
	return m.report.Note
}

// warnings are what the fit had to work around; empty if nothing.
func (m *Model) warnings() string {
	var all []string
	if m.report != nil {
		all = append(all, m.report.Legend.Warnings...)
	}
	if m.warning != "" {
		all = append(all, m.warning)
	}
	if far := m.picture().Warning(m.stage()); far != "" {
		all = append(all, far)
	}
	if len(all) == 0 {
		return ""
	}
	return "! " + strings.Join(all, "; ")
}

// advice tells a newcomer what to press next.
func (m *Model) advice() string {
	if a, ok := m.Modes.Active.(mode.Adviser); ok {
		return a.Advice()
	}
	if said := m.lessonAdvice(); said != "" {
		return said
	}
	waiting := results.Sentence(m.state)
	switch n := len(m.state.Iterations); {
	case m.session.ManualEvaluation() && waiting != "":
		return waiting
	case m.asking():
		return "where would you query? x chooses your point"
	case m.NoQuestion() == "":
		return "what do you think? a number answers"
	case m.Reads() && m.Ahead():
		return "space turns the page, b goes back, r plays"
	case m.session.Lesson() != nil && m.state.LastNote().Text == "":
		return "n writes a page of this lesson where it stands, space takes a step"
	case n == 0 && m.Last != nil:
		first := "space takes the first step"
		if m.stepAsks() {
			first = "space asks for a first point"
		}
		return first + " · R resumes " + m.LastSessionLabel()
	case n == 0 && m.stepAsks():
		return "this is the prior, the belief before any data: space asks for a first point, x gives one of your own"
	case m.stepAsks():
		return "space asks for the next point to be evaluated, x gives one of your own"
	case n == 0:
		return "this is the prior, the belief before any data: space evaluates a first point"
	case m.report != nil && m.report.ByStart:
		return "the first points spread over the domain, then the optimizer chooses: space"
	case n < 6:
		return "space evaluates the next point; e edits a parameter and the belief with it"
	case m.Running:
		return "running, " + m.Speed.String() + ": r pauses, , and . change the speed"
	}
	return ""
}
