package study

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/safe"
	"bandscope/sessions/study"
	"bandscope/sessions/study/store"
	"bandscope/tui/explain"
	"bandscope/tui/layout"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// Render draws the screen: how far the study is above; the table at the left with the chosen cell below it; what the numbers say at the right.
func (m *Model) Render() []string {
	lines := m.heading()
	height := m.Height - len(lines) - 2
	if m.board == nil {
		lines = append(lines, screen.Panel(m.Style, "study", m.unreadLines(m.Width-4), m.Width, height, true)...)
		return append(lines, m.statusLine(), m.hints())
	}
	left := m.tableWidth()
	detail := max(min(height/3, 9), 6, height-len(m.board.problems)-len(m.marksLines(m.layout(left), left-3))-4) // what the table does not need
	column := append(m.tablePanel(left, height-detail), m.cellPanel(left, detail)...)
	lines = append(lines, screen.Beside(column, m.figurePanel(m.Width-left, height))...)
	return append(lines, m.statusLine(), m.hints())
}

// unreadLines say why nothing is shown.
func (m *Model) unreadLines(w int) []string {
	if m.failed != "" {
		return layout.Paragraph(m.Style, m.Style.Error, safe.Text(m.failed), w)
	}
	return layout.Paragraph(m.Style, m.Style.Dim, "reading the study…", w)
}

// heading is the study with how far it is, who works at it and how fast it goes.
func (m *Model) heading() []string {
	st := m.Style
	dot := st.Paint(st.Dim, " "+st.Dot()+" ")
	left := st.PaintBold(st.Accent, " bandscope") + "  " + st.Paint(st.Dim, "study ") + st.PaintBold(st.Text, safe.Text(m.Name()))
	if m.board == nil {
		return []string{left, "", ""}
	}
	d := m.board.declared
	about := d.Title
	if about == "" {
		about = d.Source
	}
	if about != "" {
		left += dot + st.Paint(st.Text, st.Plain(safe.Text(about)))
	}
	size := st.Paint(st.Dim, m.board.size()+" ")
	return []string{m.ends(left, size), m.progressLine(), " " + layout.FitEntries(m.paceParts(), dot, m.Width-2)}
}

// ends is a line with a part at each end, of which the left one is shortened.
func (m *Model) ends(left, right string) string {
	room := m.Width - ansi.StringWidth(right) - 2
	if room < 30 {
		return layout.Fit(left, m.Width)
	}
	return layout.Fit(left, room) + "  " + right
}

// bar is how far the study is, of so many cells: what is done, and before it what has failed or belongs to others.
func (m *Model) bar(w int) string {
	st, n := m.Style, len(m.board.rows)
	if n == 0 || w < 1 {
		return ""
	}
	part := func(of study.Status) int { return (m.board.count[of]*w + n - 1) / n } // of the least number something is seen
	fill, run, rest := "█", "▒", "░"
	if st.ASCII {
		fill, run, rest = "#", "+", "."
	}
	bad, other, now := part(study.Failed), part(study.Foreign), part(study.Running)
	done := min(m.board.count[study.Done]*w/n, max(w-bad-other-now, 0))
	return st.Paint(st.Good, strings.Repeat(fill, done)) + st.Paint(st.Error, strings.Repeat(st.Glyph(theme.GlyphCross), bad)) + st.Paint(st.Warn, strings.Repeat(st.Glyph(theme.GlyphStrange), other)) + st.Paint(st.Newest, strings.Repeat(run, now)) +
		st.Paint(st.Border, strings.Repeat(rest, max(w-done-bad-other-now, 0)))
}

// progressLine is the bar with the numbers of cells.
func (m *Model) progressLine() string {
	st, n := m.Style, len(m.board.rows)
	done := m.board.count[study.Done]
	text := fmt.Sprintf("%d of %s", done, screen.Counted(n, "cell"))
	if n > 0 {
		text += fmt.Sprintf(" %d %%", 100*done/n)
	}
	facts := []string{st.PaintBold(st.Text, text)}
	for _, c := range []struct {
		of    study.Status
		words string
		color theme.Color
	}{{study.Running, "running", st.Newest}, {study.Failed, "failed", st.Error}, {study.Foreign, "of another version", st.Warn}, {study.Waiting, "to come", st.Dim}} {
		if k := m.board.count[c.of]; k > 0 {
			facts = append(facts, st.Paint(c.color, fmt.Sprintf("%d %s", k, c.words)))
		}
	}
	const least = 8 // columns of the bar
	right := layout.FitEntries(facts, st.Paint(st.Dim, " "+st.Dot()+" "), m.Width-least-4)
	return " " + m.bar(m.Width-ansi.StringWidth(right)-4) + "  " + right
}

// paceParts tell who works, how fast, and for how long yet.
func (m *Model) paceParts() []string {
	st, p := m.Style, m.pace
	parts := []string{m.crewText()}
	if !m.board.over() {
		if p.perHour > 0 && m.worked() {
			parts = append(parts, st.Paint(st.Text, rate(p.perHour)))
		}
		switch {
		case p.left > 0 && m.Width >= wide:
			parts = append(parts, st.Paint(st.Text, "about "+lasting(p.left)+" left")+st.Paint(st.Dim, fmt.Sprintf(", by what cells took so far, %d at once", p.by)))
		case p.left > 0:
			parts = append(parts, st.Paint(st.Text, "about "+lasting(p.left)+" left"))
		case p.by > 0:
			parts = append(parts, st.Paint(st.Dim, "the time left is known after the first steps"))
		}
	}
	if m.opening.Where != "" {
		parts = append(parts, st.Paint(st.Dim, st.Plain(safe.Text(m.opening.Where))))
	}
	return parts
}

// wide is the width from which there is room for what is only good to know.
const wide = 100

// crewText tells who works.
func (m *Model) crewText() string {
	st := m.Style
	here := 0
	if m.Working() {
		here = m.work.crew.workers
	}
	others, programs := m.elsewhere()
	switch {
	case here > 0 && m.work.crew.leaving:
		return st.Paint(st.Warn, "handing over")
	case here > 0 && others > 0:
		return st.Paint(st.Good, fmt.Sprintf("%s here, %d elsewhere", screen.Counted(here, "worker"), others))
	case here > 0:
		return st.Paint(st.Good, screen.Counted(here, "worker")+" here")
	case others > 0:
		return st.Paint(st.Good, fmt.Sprintf("%s in %s elsewhere", screen.Counted(others, "worker"), screen.Counted(programs, "program")))
	case m.board.over() && m.board.count[study.Done] == len(m.board.rows):
		return st.Paint(st.Good, "complete")
	case m.board.over():
		return st.Paint(st.Warn, "nothing is left to do here")
	}
	return st.Paint(st.Dim, "nobody is at work")
}

// rate is how many cells end in a time that makes them at least about one.
func rate(perHour float64) string {
	switch {
	case perHour >= 7200:
		return screen.NumberIn(perHour/3600, 4) + " cells a second"
	case perHour >= 120:
		return screen.NumberIn(perHour/60, 4) + " cells a minute"
	}
	return screen.NumberIn(perHour, 4) + " cells an hour"
}

// lasting is a length of time in words, to two places.
func lasting(d time.Duration) string {
	s := int(d.Round(time.Second).Seconds())
	switch {
	case s < 60:
		return fmt.Sprintf("%d s", max(s, 1))
	case s < 3600:
		return fmt.Sprintf("%d min", (s+30)/60)
	case s < 48*3600:
		return fmt.Sprintf("%d h %d min", s/3600, s%3600/60)
	}
	return fmt.Sprintf("%d days", s/(24*3600))
}

func (m *Model) statusLine() string {
	computed := m.work.doing.Status(m.Style.ASCII)
	own := ""
	if said, _ := m.Status.Said(); said == "" && computed == "" && m.board != nil {
		switch {
		case m.failed != "":
			own = m.Style.Paint(m.Style.Error, m.Style.Plain(safe.Text("what is shown is from before: "+m.failed)))
		case m.work.figures.Late():
			own = m.Style.Paint(m.Style.Accent, m.work.figures.Status(m.Style.ASCII))
		default:
			own = m.Style.Paint(m.Style.Dim, layout.ShortenIn(m.Style, m.Style.Plain(m.workersText()), m.Width-2))
		}
	}
	return m.Status.Line(m.Style, computed, own)
}

// silent is for how long a worker may not have been seen before it is said to be silent: it says so every ten seconds that it is alive.
const silent = 40.0 // seconds

// elsewhere is how many workers other programs have, those that are silent left out.
func (m *Model) elsewhere() (workers, programs int) {
	for _, w := range m.workers {
		if !m.own(w) && w.Ago < silent {
			workers, programs = workers+w.Slots, programs+1
		}
	}
	return workers, programs
}

// worked reports whether somebody works at the study, here or elsewhere.
func (m *Model) worked() bool {
	others, _ := m.elsewhere()
	return m.Working() || others > 0
}

// own reports whether workers are those of this program.
func (m *Model) own(w store.Worker) bool { return w.PID == m.self.pid && w.Host == m.self.host }

// workersText tells what the workers are at.
func (m *Model) workersText() string {
	var parts []string
	for _, w := range m.workers {
		if len(w.Cells) == 0 && w.Ago < silent {
			continue
		}
		name := w.Name
		if m.own(w) {
			name = "here"
		}
		at := make([]string, 0, len(w.Cells)+1)
		for _, c := range w.Cells {
			at = append(at, title(c))
		}
		if w.Ago >= silent {
			at = append(at, "not seen for "+lasting(time.Duration(w.Ago*float64(time.Second))))
		}
		parts = append(parts, name+": "+strings.Join(at, "; "))
	}
	return safe.Text(strings.Join(parts, " · "))
}

func (m *Model) hints() string {
	if m.Status.Open() {
		return m.Status.Explain(m.Style)
	}
	return " " + screen.Footer(m.Style, screen.Named(commands(), footer), m.Width-2)
}

// Frame is the screen as a tree of boxes.
func (m *Model) Frame() *layout.Box { return explain.Old(m.Width, m.Render(), m.Elements) }
