package studypage

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/sanitize"
	"bandscope/sessions/study"
	"bandscope/sessions/study/store"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Frame is the screen: the progress at the top; the table at the left with the chosen cell below it; the statistics at
// the right.
func (m *Model) Frame() *layout.Box {
	frame := m.heading()
	height := m.Height - frame.H - 2
	if m.board == nil {
		frame.Below(m.unreadPanel(m.Width, height))
	} else {
		left := m.tableWidth()
		marks := m.legendOfMarks(m.layout(left), left-2)
		// the cell gets the rows that the table does not need
		heights := layout.Split(height, layout.Rule{Preferred: len(m.board.problems) + marks.H + 4},
			layout.Rule{Min: max(min(height/3, 9), 6), Flex: 1})
		table := m.tablePanel(left, heights[0], marks)
		frame.Below(layout.Row(layout.Column(table, m.cellPanel(left, heights[1])),
			m.figurePanel(m.Width-left, height)))
	}
	return frame.Below(m.status()).Below(m.hints())
}

// unreadPanel says why nothing is shown.
func (m *Model) unreadPanel(w, h int) *layout.Box {
	color := m.Style.Dim
	text := "reading the study…"
	says := "The study is being read."
	if m.failed != "" {
		color = m.Style.Error
		text = sanitize.Text(m.failed)
		says = "Why the study cannot be read: " + layout.Excerpt(m.failed, 40) + "."
	}
	body := layout.Sentence(m.Style, color, text, w-2, h-2).Prose("reading", "", says)
	return layout.Panel(m.Style, "study", body, w, h, true).
		Section("study", "", "The study is shown here once it has been read.")
}

// heading is the study with its progress, its workers and its rate.
func (m *Model) heading() *layout.Box {
	st := m.Style
	dot := st.Paint(st.Dim, " "+st.Dot()+" ")
	left := st.PaintBold(st.Accent, " bandscope") + "  " + st.Paint(st.Dim, "study ") +
		st.PaintBold(st.Text, sanitize.Text(m.Name()))
	line := func(text, name, term string, says func() string) *layout.Box {
		return layout.Text(m.Width, text).Describe(layout.Number, name, term, says)
	}
	if m.board == nil {
		return layout.Column(line(left, "study", "study",
			layout.Static("The study: a table of runs over problems, methods and seeds.")),
			layout.Space(m.Width, 2))
	}
	d := m.board.declaration
	about := d.Title
	if about == "" {
		about = d.Source
	}
	if about != "" {
		left += dot + st.Paint(st.Text, st.Plain(sanitize.Text(about)))
	}
	return layout.Column(line(m.ends(left, st.Paint(st.Dim, m.board.size()+" ")), "study", "study", m.studySays),
		line(m.progressLine(), "progress", "", m.progressSays),
		line(" "+layout.FitEntries(m.paceParts(), dot, m.Width-2), "workers", "", m.paceSays))
}

// studySays describes the study.
func (m *Model) studySays() string {
	text := fmt.Sprintf("The study %s, a table of runs: %s.", sanitize.Text(m.Name()), m.board.size())
	if title := m.board.declaration.Title; title != "" {
		text += " Title: " + layout.Excerpt(title, 20) + "."
	}
	return text
}

// ends is a line with a part at each end, of which the left one is shortened.
func (m *Model) ends(left, right string) string {
	room := m.Width - ansi.StringWidth(right) - 2
	if room < 30 {
		return layout.Fit(left, m.Width)
	}
	return layout.Fit(left, room) + "  " + right
}

// bar is the bar of progress, w columns wide: cells that are done, failed, by other versions, running, and the rest.
func (m *Model) bar(w int) string {
	st, n := m.Style, len(m.board.rows)
	if n == 0 || w < 1 {
		return ""
	}
	// even a single cell gets a column
	part := func(status study.Status) int { return (m.board.count[status]*w + n - 1) / n }
	fill := "█"
	run := "▒"
	rest := "░"
	if st.ASCII {
		fill = "#"
		run = "+"
		rest = "."
	}
	bad := part(study.Failed)
	other := part(study.OtherVersion)
	now := part(study.Running)
	done := min(m.board.count[study.Done]*w/n, max(w-bad-other-now, 0))
	return st.Paint(st.Good, strings.Repeat(fill, done)) +
		st.Paint(st.Error, strings.Repeat(st.Glyph(theme.GlyphCross), bad)) +
		st.Paint(st.Warn, strings.Repeat(st.Glyph(theme.GlyphOutlier), other)) +
		st.Paint(st.Newest, strings.Repeat(run, now)) +
		st.Paint(st.Border, strings.Repeat(rest, max(w-done-bad-other-now, 0)))
}

// progressLine is the bar with the numbers of cells.
func (m *Model) progressLine() string {
	st, n := m.Style, len(m.board.rows)
	done := m.board.count[study.Done]
	text := fmt.Sprintf("%d of %s", done, widget.Count(n, "cell"))
	if n > 0 {
		text += fmt.Sprintf(" %d %%", 100*done/n)
	}
	facts := []string{st.PaintBold(st.Text, text)}
	for _, c := range []struct {
		of    study.Status
		words string
		color theme.Color
	}{{study.Running, "running", st.Newest}, {study.Failed, "failed", st.Error},
		{study.OtherVersion, "by another version", st.Warn}, {study.Waiting, "waiting", st.Dim}} {
		if k := m.board.count[c.of]; k > 0 {
			facts = append(facts, st.Paint(c.color, fmt.Sprintf("%d %s", k, c.words)))
		}
	}
	const least = 8 // columns of the bar
	right := layout.FitEntries(facts, st.Paint(st.Dim, " "+st.Dot()+" "), m.Width-least-4)
	return " " + m.bar(m.Width-ansi.StringWidth(right)-4) + "  " + right
}

// progressSays describes the progress.
func (m *Model) progressSays() string {
	count := m.board.count
	text := fmt.Sprintf("Progress: %d of %s done", count[study.Done], widget.Count(len(m.board.rows), "cell"))
	if n := count[study.Failed]; n > 0 {
		text += fmt.Sprintf(", %d failed after three attempts", n)
	}
	if n := count[study.OtherVersion]; n > 0 {
		text += fmt.Sprintf(", %d started by another version of the program", n)
	}
	if n := count[study.Running]; n > 0 {
		text += fmt.Sprintf(", %d running", n)
	}
	return text + ". The bar shows the shares in this order."
}

// paceParts describe the workers, the rate and the time left.
func (m *Model) paceParts() []string {
	st, p := m.Style, m.pace
	parts := []string{m.workersLine()}
	if !m.board.isComplete() {
		if p.perHour > 0 && m.worked() {
			parts = append(parts, st.Paint(st.Text, rate(p.perHour)))
		}
		switch {
		case p.left > 0 && m.Width >= wide:
			parts = append(parts, st.Paint(st.Text, "about "+lasting(p.left)+" left")+
				st.Paint(st.Dim, fmt.Sprintf(", estimated from the cells so far, %d at once", p.by)))
		case p.left > 0:
			parts = append(parts, st.Paint(st.Text, "about "+lasting(p.left)+" left"))
		case p.by > 0:
			parts = append(parts, st.Paint(st.Dim, "estimating the time left"))
		}
	}
	if m.opening.Where != "" {
		parts = append(parts, st.Paint(st.Dim, st.Plain(sanitize.Text(m.opening.Where))))
	}
	return parts
}

// paceSays explains the line of the workers, the rate and the time left.
func (m *Model) paceSays() string {
	text := "The workers of the study"
	if m.pace.perHour > 0 && m.worked() && !m.board.isComplete() {
		text += ", the rate of the last ten minutes"
	}
	if m.pace.left > 0 && !m.board.isComplete() {
		text += ", the estimated time left"
	}
	text += " and the place where the study is stored."
	if m.pace.left > 0 && !m.board.isComplete() {
		text += fmt.Sprintf(
			" The estimate assumes that a cell takes as long as others of its method and problem, with %d at once.",
			m.pace.by)
	}
	return text
}

// wide is the width from which there is space for details.
const wide = 100

// workersLine says how many workers there are and where.
func (m *Model) workersLine() string {
	st := m.Style
	here := 0
	if m.Working() {
		here = m.work.pool.workers
	}
	others, programs := m.elsewhere()
	switch {
	case here > 0 && m.work.pool.stopping:
		return st.Paint(st.Warn, "stopping")
	case here > 0 && others > 0:
		return st.Paint(st.Good, fmt.Sprintf("%s here, %d elsewhere", widget.Count(here, "worker"), others))
	case here > 0:
		return st.Paint(st.Good, widget.Count(here, "worker")+" here")
	case others > 0:
		return st.Paint(st.Good, fmt.Sprintf("%s in %s", widget.Count(others, "worker"),
			widget.Count(programs, "other program")))
	case m.board.isComplete() && m.board.count[study.Done] == len(m.board.rows):
		return st.Paint(st.Good, "complete")
	case m.board.isComplete():
		return st.Paint(st.Warn, "no cells left to run")
	}
	return st.Paint(st.Dim, "no workers")
}

// rate is how many cells end in a time that makes them at least about one.
func rate(perHour float64) string {
	switch {
	case perHour >= 7200:
		return widget.NumberIn(perHour/3600, 4) + " cells per second"
	case perHour >= 120:
		return widget.NumberIn(perHour/60, 4) + " cells per minute"
	}
	return widget.NumberIn(perHour, 4) + " cells per hour"
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

// status is the prompt, the answer to a key, or the cells that the workers run.
func (m *Model) status() *layout.Box {
	st := m.Style
	computed := m.work.doing.Status(m.Style.ASCII)
	label := ""
	if message, _ := m.Status.Message(); message == "" && computed == "" && m.board != nil {
		switch {
		case m.failed != "":
			label = st.Paint(st.Error, st.Plain(sanitize.Text("cannot refresh, showing earlier data: "+m.failed)))
		case m.work.figures.Late():
			label = st.Paint(st.Accent, m.work.figures.Status(st.ASCII))
		default:
			label = st.Paint(st.Dim, layout.ShortenIn(st, st.Plain(m.workersText()), m.Width-2))
		}
	}
	line := m.Status.Box(st, m.Width, computed, label)
	if line.Lines[0] != "" {
		line.Describe(layout.Number, "status", "", m.statusSays)
	}
	return line
}

// statusSays describes the line above the keys.
func (m *Model) statusSays() string {
	message, _ := m.Status.Message()
	switch {
	case m.Status.Open():
		return "The input line: enter confirms it, esc cancels."
	case message != "":
		return "The result of the last command: " + layout.Excerpt(message, 40) + "."
	case m.failed != "":
		return "Why the screen is not up to date: " + layout.Excerpt(m.failed, 40) + "."
	case m.work.doing.Busy() || m.work.figures.Late():
		return "The computation that is running; keys work meanwhile."
	}
	return "The cells that each worker runs; \"here\" are the workers of this program."
}

// silentAfter is how long ago a worker may have been seen to count as alive; workers report every ten seconds.
const silentAfter = 40.0 // seconds

// elsewhere is how many workers other programs have, those that are silent left out.
func (m *Model) elsewhere() (workers, programs int) {
	for _, w := range m.workers {
		if !m.own(w) && w.SinceSeen < silentAfter {
			workers, programs = workers+w.Slots, programs+1
		}
	}
	return workers, programs
}

// worked reports whether the study has workers, here or elsewhere.
func (m *Model) worked() bool {
	others, _ := m.elsewhere()
	return m.Working() || others > 0
}

// own reports whether workers are those of this program.
func (m *Model) own(w store.Worker) bool { return w.PID == m.self.pid && w.Host == m.self.host }

// workersText lists the cells that each worker runs.
func (m *Model) workersText() string {
	var parts []string
	for _, w := range m.workers {
		if len(w.Cells) == 0 && w.SinceSeen < silentAfter {
			continue
		}
		name := w.Name
		if m.own(w) {
			name = "here"
		}
		texts := make([]string, 0, len(w.Cells)+1)
		for _, c := range w.Cells {
			texts = append(texts, title(c))
		}
		if w.SinceSeen >= silentAfter {
			texts = append(texts, "last seen "+lasting(time.Duration(w.SinceSeen*float64(time.Second)))+" ago")
		}
		parts = append(parts, name+": "+strings.Join(texts, "; "))
	}
	return sanitize.Text(strings.Join(parts, " · "))
}

// hints are the keys or, while the prompt is open, its hint.
func (m *Model) hints() *layout.Box {
	if m.Status.Open() {
		return layout.Text(m.Width, m.Status.Explain(m.Style)).
			Prose("hint", "", "What you can enter, or why your entry is not valid.")
	}
	return widget.KeysBox(m.Style, widget.BindingsFor(commands(), footer), m.Width)
}
