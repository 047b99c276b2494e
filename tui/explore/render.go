package explore

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/report"
	"bandscope/sessions/safe"
	"bandscope/tui/explore/mode"
	"bandscope/tui/explore/picture"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// layout is where the panels are, in cells.
type layout struct {
	side   int // width of the side panels
	main   int // width of the picture
	height int // height of the panels
	params int // height of the parameter panel
	regret int // height of the regret panel
}

func (m *Model) layout() layout {
	l := layout{height: m.height - picture.HeadRows - picture.FootRows}
	l.side = picture.Side(m.width, m.session.Lesson() != nil)
	if p := m.panel(); p != nil {
		l.side = p.Width(m.width, l.side)
	}
	l.main = m.width - l.side
	l.regret = min(max(l.height*2/5, 8), 24)
	l.params = l.height - l.regret
	return l
}

// Render draws the screen: as many lines as the window is high.
func (m *Model) Render() []string {
	l := m.layout()
	lines := []string{m.header()}
	left := m.picture().Panel(m.stage())
	if bar := m.bar(l.main); bar.Telling() {
		left[len(left)-1] = bar.Line()
	}
	lines = append(lines, screen.Beside(left, m.sidePanels(l))...)
	return append(lines, m.statusLine(), m.hints())
}

// header is the top line: what is explored at the left, how it stands at the right. A narrow window shows less of the left.
func (m *Model) header() string {
	right := m.standing() + " "
	left := ""
	for less := range 4 {
		left = m.subject(less)
		if ansi.StringWidth(left)+ansi.StringWidth(right) < m.width {
			break
		}
	}
	gap := m.width - ansi.StringWidth(left) - ansi.StringWidth(right)
	return left + strings.Repeat(" ", max(gap, 1)) + right
}

// subject says what is explored, the less the narrower the window is.
func (m *Model) subject(less int) string {
	st, cfg := m.style, m.state.Config
	dot := st.Paint(st.Dim, " "+st.Dot()+" ")
	name := m.state.Problem.Name
	if !strings.Contains(name, ":") {
		name = fmt.Sprintf("%s %d-D", name, m.state.Problem.Dim())
	}
	parts := []string{st.PaintBold(st.Text, name), st.Paint(st.Text, m.state.Spec.Name)}
	if cfg.Noise > 0 && less < 2 {
		parts = append(parts, st.Paint(st.Dim, "noise "+screen.Number(cfg.Noise)))
	}
	if less < 1 {
		parts = append(parts, st.Paint(st.Dim, fmt.Sprintf("seed %d", cfg.Seed)))
	}
	parts = append(parts, st.Paint(st.Text, m.stepCount()))
	line := " " + strings.Join(parts, dot)
	if less < 3 {
		line = st.PaintBold(st.Accent, " bandscope") + " " + line
	}
	return line
}

func (m *Model) stepCount() string {
	s := fmt.Sprintf("step %d/%d", len(m.state.Iterations), m.state.Config.Budget)
	if m.state.Costly() {
		s = fmt.Sprintf("step %d cost %s", len(m.state.Iterations), screen.Number(m.state.Spent()))
		if b := m.state.Config.CostBudget; b > 0 {
			s += "/" + screen.Number(b)
		}
	}
	if m.state.Ahead > 0 {
		s += fmt.Sprintf(" (+%d)", m.state.Ahead)
	}
	return s
}

// standing is how the search stands: the best observation, the regret, and whether all is on disk.
func (m *Model) standing() string {
	st := m.style
	s := ""
	if m.several() {
		if o := m.known(); o != nil && len(o.Traces.Hypervolume) > 0 && !math.IsNaN(o.Traces.Hypervolume[len(o.Traces.Hypervolume)-1]) {
			s = st.Paint(st.Dim, "hypervolume ") + st.PaintBold(st.Best, screen.Number(o.Traces.Hypervolume[len(o.Traces.Hypervolume)-1])) + "  "
		}
		return s + m.savedMark(m.width >= 100)
	}
	if x, y, _, ok := m.state.Best(); ok {
		s = st.Paint(st.Dim, "best ") + st.PaintBold(st.Best, screen.Number(y))
		if len(x) == 1 {
			s += st.Paint(st.Dim, " @ ") + st.Paint(st.Text, screen.Number(x[0]))
		}
		if t := report.TracesOf(m.state); m.reveal && t.Simple != nil && m.width >= 100 {
			s += "  " + st.Paint(st.Dim, "regret ") + st.Paint(st.Text, screen.Number(t.Simple[len(t.Simple)-1]))
		}
		s += "  "
	}
	return s + m.savedMark(m.width >= 100)
}

// savedMark says whether every event is on disk.
func (m *Model) savedMark(long bool) string {
	st := m.style
	mark, word, color := st.Glyph(theme.GlyphFilled), " saved", st.Good
	switch {
	case m.state.ReadOnly:
		mark, word, color = st.Glyph(theme.GlyphHollow), " read-only", st.Warn
	case !m.state.Saved:
		mark, word, color = st.Glyph(theme.GlyphHollow), " not saved", st.Dim
	}
	if !long {
		word = ""
	}
	return st.Paint(color, mark+word)
}

// statusLine is the line above the hints: what is being entered, what runs, what was last said, or what to do next.
func (m *Model) statusLine() string {
	st := m.style
	said, bad := m.status.Said()
	if t, ok := m.doing.(mode.Telling); ok && said == "" && !m.status.Open() {
		return " " + t.Status(m.scene())
	}
	if computed := m.jobs.Status(st.ASCII); m.status.Open() || computed != "" || bad {
		return m.status.Line(st, computed, "")
	}
	if note := m.aside(); note != "" { // never in the place of the reply to a key
		said = strings.Join(slices.DeleteFunc([]string{said, note}, func(s string) bool { return s == "" }), "  ")
	}
	if said != "" {
		return " " + st.Paint(st.Text, said) + m.warnings("  ")
	}
	if w := m.warnings(" "); w != "" {
		return w
	}
	return " " + st.Paint(st.Dim, m.advice())
}

// aside is what the method says of the point that comes next.
func (m *Model) aside() string {
	if m.told == nil || m.asking() {
		return ""
	}
	return m.told.Note
}

// warnings are what the fit had to work around; empty if nothing.
func (m *Model) warnings(before string) string {
	var all []string
	if m.told != nil {
		all = append(all, m.told.Legend.Warnings...)
	}
	if far := m.picture().Warn(m.stage()); far != "" {
		all = append(all, far)
	}
	if len(all) == 0 {
		return ""
	}
	return before + m.style.Paint(m.style.Warn, "! "+strings.Join(all, "; "))
}

// advice tells a newcomer what to press next.
func (m *Model) advice() string {
	if a, ok := m.doing.(mode.Advising); ok {
		return a.Advice()
	}
	switch n := len(m.state.Iterations); {
	case m.asking():
		return "where would you query? x chooses your point"
	case m.reading() && m.ahead():
		return "space turns the page, b goes back, r plays"
	case n == 0 && m.last != nil:
		return safe.Text(fmt.Sprintf("space takes the first step · R resumes %s · %s at step %d", m.last.Problem, m.last.Optimizer, m.last.Steps))
	case n == 0:
		return "this is the prior, the belief before any data: space evaluates a first point"
	case m.told != nil && m.told.ByStart:
		return "the first points spread over the domain, then the optimizer chooses: space"
	case n < 6:
		return "space evaluates the next point; e edits a parameter and the belief with it"
	case m.running:
		return "running, " + m.speedName() + ": r pauses, , and . change the speed"
	}
	return ""
}

// hints is the bottom line: as many keys as fit.
func (m *Model) hints() string {
	st := m.style
	bindings := m.hinted()
	if m.status.Open() {
		return m.status.Explain(st)
	}
	if m.doing != nil {
		bindings = m.modeHints()
	}
	shown := slices.Clone(bindings)
	for i, b := range shown {
		if b.Help().Key == runKey.Help().Key && m.running {
			shown[i].SetHelp(b.Help().Key, "pause")
		}
	}
	return " " + screen.Footer(st, shown, m.width-2)
}
