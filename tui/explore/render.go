package explore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/safe"
	"bandscope/sessions/shelf"
	"bandscope/tui/explain"
	"bandscope/tui/explore/heading"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/picture"
	"bandscope/tui/explore/results"
	"bandscope/tui/layout"
	"bandscope/tui/screen"
)

// places is where the panels are, in cells.
type places struct {
	side   int // width of the side panels
	main   int // width of the picture
	height int // height of the panels
	params int // height of the parameter panel
	out    int // height of the list of what is out
	regret int // height of the regret panel
}

func (m *Model) layout() places {
	l := places{height: m.Height - picture.HeadRows - picture.FootRows}
	l.side = picture.Side(m.Width, m.paged())
	if p := m.panel(); p != nil {
		l.side = p.Width(m.Width, l.side)
	}
	l.main = m.Width - l.side
	l.regret = min(max(l.height*2/5, 8), 24)
	if m.hasOutlook() && len(m.state.Iterations) > 0 {
		l.regret = min(max(l.height/2, 8), 28)
	}
	l.out = m.outHeight(l)
	switch {
	case l.out == 0:
	case m.hasOutlook() && len(m.state.Iterations) > 0 && l.height-l.out-leastParams < leastTraces && m.panel() == nil: // what the model says is worth more than parameters that are known
		l.regret = l.height - l.out
	default:
		l.regret = max(min(l.regret, l.height-l.out-leastParams), 0)
		if l.regret < leastTraces {
			l.out, l.regret = max(l.out, l.regret), 0
		}
	}
	l.params = l.height - l.regret - l.out
	return l
}

// Render draws the screen: as many lines as the window is high.
func (m *Model) Render() []string {
	l := m.layout()
	lines := []string{m.heading().String()}
	left := m.picture().Panel(m.stage())
	if bar := m.bar(l.main); bar.Telling() {
		left[len(left)-1] = bar.Line()
	}
	lines = append(lines, screen.Beside(left, m.sidePanels(l))...)
	return append(lines, m.statusLine(), m.hints())
}

// heading is the top line: what is explored at the left, how it stands at the right.
func (m *Model) heading() heading.Line {
	line := heading.Line{State: m.state, Style: m.Style, Width: m.Width, Reveal: m.reveal}
	if o := m.known(); o != nil {
		line.Volume = o.Traces.Hypervolume
	}
	return line
}

// statusLine is the line above the hints: what is being entered, what runs, what was last said, or what to do next.
func (m *Model) statusLine() string {
	st := m.Style
	said, bad := m.Status.Said()
	if t, ok := m.modes.Doing.(mode.Telling); ok && said == "" && !m.Status.Open() {
		return " " + t.Status(m.scene())
	}
	if computed := m.jobs.Status(st.ASCII); m.Status.Open() || computed != "" || bad {
		return m.Status.Line(st, computed, "")
	}
	switch said, warning := m.statusParts(); {
	case said != "" && warning != "":
		return " " + st.Paint(st.Text, said) + "  " + st.Paint(st.Warn, warning)
	case said != "":
		return " " + st.Paint(st.Text, said)
	case warning != "":
		return " " + st.Paint(st.Warn, warning)
	}
	return " " + st.Paint(st.Dim, m.advice())
}

// statusParts are what was said last with what the method says of the next point, and what warns beside it. Where there is no room for both, each is shortened, and what was said
// leaves the warning at least two thirds of the line.
func (m *Model) statusParts() (said, warning string) {
	said, _ = m.Status.Said()
	if note := m.aside(); note != "" { // never in the place of the reply to a key
		said = strings.TrimSpace(said + "  " + note)
	}
	warning = m.warnings()
	room := m.Width - 2
	if said == "" || warning == "" {
		return said, layout.ShortenIn(m.Style, warning, room)
	}
	room -= 2
	if ansi.StringWidth(said)+ansi.StringWidth(warning) > room {
		warning = layout.ShortenIn(m.Style, warning, room-min(ansi.StringWidth(said), room/3))
		said = layout.ShortenIn(m.Style, said, room-ansi.StringWidth(warning))
	}
	return said, warning
}

// aside is what the method says of the point that comes next.
func (m *Model) aside() string {
	if m.told == nil || m.asking() {
		return ""
	}
	return m.told.Note
}

// warnings are what the fit had to work around; empty if nothing.
func (m *Model) warnings() string {
	var all []string
	if m.told != nil {
		all = append(all, m.told.Legend.Warnings...)
	}
	if m.alarm != "" {
		all = append(all, m.alarm)
	}
	if far := m.picture().Warn(m.stage()); far != "" {
		all = append(all, far)
	}
	if len(all) == 0 {
		return ""
	}
	return "! " + strings.Join(all, "; ")
}

// lastSaid tells which session R resumes.
func lastSaid(e shelf.Entry) string {
	s := fmt.Sprintf("%s at step %d", e.What(), e.Steps)
	switch n := e.Asked - e.Steps; {
	case n == 1:
		s += ", 1 point is out"
	case n > 1:
		s += fmt.Sprintf(", %d points are out", n)
	}
	return safe.Text(s)
}

// advice tells a newcomer what to press next.
func (m *Model) advice() string {
	if a, ok := m.modes.Doing.(mode.Advising); ok {
		return a.Advice()
	}
	if said := m.courseAdvice(); said != "" {
		return said
	}
	waiting := results.Sentence(m.state)
	switch n := len(m.state.Iterations); {
	case m.session.Unattended() && waiting != "":
		return waiting
	case m.asking():
		return "where would you query? x chooses your point"
	case m.noChoice() == "":
		return "what do you think? a number answers"
	case m.reading() && m.ahead():
		return "space turns the page, b goes back, r plays"
	case m.session.Lesson() != nil && m.state.LastNote().Text == "":
		return "n writes a page of this lesson where it stands, space takes a step"
	case n == 0 && m.last != nil:
		first := "space takes the first step"
		if m.asksForNext() {
			first = "space asks for a first point"
		}
		return first + " · R resumes " + lastSaid(*m.last)
	case n == 0 && m.asksForNext():
		return "this is the prior, the belief before any data: space asks for a first point, x gives one of your own"
	case m.asksForNext():
		return "space asks for the next point to be evaluated, x gives one of your own"
	case n == 0:
		return "this is the prior, the belief before any data: space evaluates a first point"
	case m.told != nil && m.told.ByStart:
		return "the first points spread over the domain, then the optimizer chooses: space"
	case n < 6:
		return "space evaluates the next point; e edits a parameter and the belief with it"
	case m.Running:
		return "running, " + m.speed.String() + ": r pauses, , and . change the speed"
	}
	return ""
}

// hints is the bottom line: as many keys as fit.
func (m *Model) hints() string {
	st := m.Style
	bindings := m.hinted()
	if m.Status.Open() {
		return m.Status.Explain(st)
	}
	if m.modes.Doing != nil {
		bindings = m.modes.Hints(m.scene)
	}
	shown := slices.Clone(bindings)
	for i, b := range shown {
		switch {
		case b.Help().Key == runKey.Help().Key && m.Running:
			shown[i].SetHelp(b.Help().Key, "pause")
		case m.stepping() && b.Help().Key == "enter":
			shown[i].SetHelp("enter", m.enters())
		case m.stepping() && b.Help().Key == "space" && m.asksForNext():
			shown[i].SetHelp("space", "next point")
		}
	}
	return " " + screen.Footer(st, shown, m.Width-2)
}

// Frame is the screen as a tree of boxes.
func (m *Model) Frame() *layout.Box { return explain.Old(m.Width, m.Render(), m.Elements) }
