package results

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"bandscope/functions"
	"bandscope/functions/timefmt"
	"bandscope/sessions"
	"bandscope/sessions/sanitize"
	"bandscope/tui/explore/mode"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Point is a point with missing results.
type Point struct {
	sessions.Iteration
	Index int // in its batch, from 0

	pending bool // false for a recorded result that misses a new objective
}

// X is the suggested input, or the actual one if it is reported.
func (p Point) X() []float64 { return p.Iteration.Points[p.Index].X }

// Label is the number of the suggestion, with the position in a batch.
func (p Point) Label() string {
	if len(p.Iteration.Points) == 1 {
		return fmt.Sprint(p.Number)
	}
	return fmt.Sprintf("%d.%d", p.Number, p.Index+1)
}

func (p Point) name() string { return fmt.Sprint(p.ID, "/", p.Index) }

// missing are the objectives without a value; nil if no result is reported.
func (p Point) missing() []string {
	if !p.HasResults() {
		return nil
	}
	return p.Points[p.Index].Missing
}

// isMissing reports whether the value of an objective is missing.
func (p Point) isMissing(objective string) bool {
	return !p.HasResults() || slices.Contains(p.missing(), objective)
}

// Pending are the points with missing results: the pending ones, the oldest first, and recorded ones without a value of
// an objective that was added later.
func Pending(st sessions.State) []Point {
	var list []Point
	for _, it := range st.Pending {
		list = append(list, pointsFor(it, true)...)
	}
	for _, it := range st.Iterations {
		if it.Incomplete() {
			list = append(list, pointsFor(it, false)...)
		}
	}
	return list
}

// pointsFor are the points of an iteration with missing results.
func pointsFor(it sessions.Iteration, out bool) []Point {
	var list []Point
	for i := range it.Points {
		if !it.HasResults() || it.IncompleteAt(i) {
			list = append(list, Point{Iteration: it, Index: i, pending: out})
		}
	}
	return list
}

// find is the index of the point of a name, −1 for none.
func find(list []Point, name string) int {
	return slices.IndexFunc(list, func(p Point) bool { return p.name() == name })
}

// Sentence says that points are pending; empty for none.
func Sentence(st sessions.State) string {
	switch n := len(Pending(st)); n {
	case 0:
		return ""
	case 1:
		return "1 point is pending; press enter to report its results"
	default:
		return fmt.Sprintf("%d points are pending; press enter to report their results", n)
	}
}

// Height is the height of the list with its frame, at most most rows.
func Height(s mode.Scene, w, most int) int {
	return min(count(fitted(s, w-4, most-2))+2, most)
}

// Box is the list of pending points: number, age, who suggested it, values, and why, with less detail if the panel is
// small.
func Box(s mode.Scene, w, h int) *layout.Box {
	st, list := s.Style, Pending(s.State)
	title, says := "1 pending point", "Suggested points whose results are missing. Press enter to report results, in any order."
	if !s.ByHand {
		says = "Points that are being evaluated, or wait for their evaluation."
	}
	if len(list) > 1 {
		title = fmt.Sprintf("%d pending points", len(list))
		says += fmt.Sprintf(" The oldest of %d points comes first.", len(list))
	}
	body := layout.New(w-2, 0)
	room := h - 2
	blocks := fitted(s, w-4, h-2)
	if count(blocks) > room && h > 3 {
		room--
	}
	for i, p := range list {
		if lines := blocks[i][:min(len(blocks[i]), max(room-body.H, 0))]; len(lines) > 0 {
			body.Below(indented(w-2, lines...).Describe(layout.Number, "point "+p.Label(), "pending point",
				func() string { return saysFor(s, p) }))
		}
	}
	if room < h-2 {
		body.Below(indented(w-2, st.Paint(st.Faint, st.Plain("… more: enter, then up and down"))).
			Prose("more", "", "The panel is too small for all pending points. Press enter, then up and down."))
	}
	return layout.Panel(st, title, body, w, h, false).Section("pending points", "pending point", says)
}

// indented are indented lines in w columns.
func indented(w int, lines ...string) *layout.Box {
	return layout.Row(layout.Space(1, 0), layout.Text(w-1, lines...))
}

// saysFor describes a pending point.
func saysFor(s mode.Scene, p Point) string {
	origin := "suggested by " + sanitize.Text(who(p))
	if who(p) == "you" {
		origin = "your own"
	}
	text := fmt.Sprintf("Point %s, %s", p.Label(), origin)
	if age := Age(s, p.ID); age != "" {
		text += ", pending for " + age
	}
	if since, ok := s.Asked[p.ID]; ok && s.Now.Sub(since) >= time.Minute {
		text += " since " + timefmt.Clock(since, s.Now)
	}
	if due, ok := dueAt(s, p.ID); ok {
		text += fmt.Sprintf(", %s (%s)", dueText(s, p.ID), timefmt.Clock(due, s.Now))
	}
	text = strings.Replace(text, ", pending for just now", " just now", 1)
	if p.Batch != nil {
		text += fmt.Sprintf(", one of a batch of %d", p.Batch.Points)
	}
	text += ": " + layout.Excerpt(widget.Point(s.State.Problem.Domain, p.X()), 12) + "."
	switch heard, runs := s.Running[p.ID]; {
	case runs && heard != "":
		text += " It is being evaluated; the last output is: " + layout.Excerpt(heard, 12) + "."
	case runs:
		text += " It is being evaluated."
	}
	if missing := p.missing(); len(missing) > 0 {
		return text + fmt.Sprintf(" Its result is incomplete; missing: %s.",
			layout.Excerpt(strings.Join(missing, ", "), 8))
	}
	if reason := why(s, p); reason != "" {
		text += " The method's comment: " + layout.Excerpt(reason, 16) + "."
	}
	return text
}

// detail is how much of each point is shown: everything, all but the comments, or two lines.
type detail int

const (
	whole detail = iota
	valuesOnly
	brief
)

// fitted are the lines of each point in w columns, with as much detail as fits into h lines.
func fitted(s mode.Scene, w, h int) [][]string {
	blocks := listed(s, w, whole)
	for much := valuesOnly; much <= brief && count(blocks) > h; much++ {
		blocks = listed(s, w, much)
	}
	return blocks
}

// count is how many lines blocks have.
func count(blocks [][]string) (n int) {
	for _, lines := range blocks {
		n += len(lines)
	}
	return n
}

// listed are the lines of each point in w columns.
func listed(s mode.Scene, w int, much detail) (blocks [][]string) {
	list := Pending(s.State)
	for i, p := range list {
		var lines []string
		if p.Batch != nil && (i == 0 || list[i-1].Batch == nil || p.batch() != list[i-1].batch()) {
			lines = batchLines(s, p, w)
		}
		blocks = append(blocks, append(lines, entry(s, p, w, much)...))
	}
	return blocks
}

// minName is the width that the name of the method keeps, with its spaces, beside the times of a point.
const minName = 10

// entry are the lines of a point in w columns.
func entry(s mode.Scene, p Point, w int, much detail) (lines []string) {
	st := s.Style
	head, age := st.Glyph(theme.GlyphDiamond)+" "+p.Label(), Age(s, p.ID)
	due := dueText(s, p.ID)
	if together := strings.TrimPrefix(age+", "+due, ", "); due != "" &&
		ansi.StringWidth(head+together)+minName <= w {
		age, due = together, ""
	}
	heard, runs := s.Running[p.ID]
	if runs {
		age = strings.TrimSuffix("running, "+age, ", ")
	}
	author := clipped(st, who(p), w-ansi.StringWidth(head+age)-3)
	lines = append(lines, layout.Fit(st.PaintBold(st.Next, head)+st.Paint(st.Text, "  "+author), w-ansi.StringWidth(age))+
		st.Paint(st.Dim, age))
	if due != "" && much != brief {
		lines = append(lines, "  "+st.Paint(st.Dim, layout.ShortenIn(st, due, w-2)))
	}
	entries := values(s, p, w-4)
	values := layout.Flow(entries, "  ", w-2)
	if much == brief && len(values) > 1 {
		values = []string{entries[0] + st.Paint(st.Faint, st.Plain(" …"))}
	}
	for _, v := range values[:min(len(values), 3)] {
		lines = append(lines, "  "+v)
	}
	if heard != "" {
		for _, l := range logLines(st, sanitize.Text(heard), w-2, much) {
			lines = append(lines, "  "+st.Paint(st.Text, l))
		}
	}
	if missing := p.missing(); len(missing) > 0 {
		lines = append(lines, "  "+st.Paint(st.Warn,
			layout.ShortenIn(st, "missing: "+strings.Join(missing, ", "), w-2)))
	} else if reason := why(s, p); reason != "" && much == whole {
		reasons := layout.Wrap(reason, w-2)
		for _, l := range reasons[:min(len(reasons), 2)] {
			lines = append(lines, "  "+st.Paint(st.Dim, st.Plain(l)))
		}
	}
	return lines
}

// logLines are the last output of an evaluator, in at most two lines.
func logLines(st theme.Style, heard string, w int, much detail) []string {
	if lines := layout.Wrap(st.Plain(heard), w); much == whole && len(lines) == 2 {
		return lines
	}
	return []string{layout.ShortenIn(st, st.Plain(heard), w)}
}

// batch identifies the batch of a point.
func (p Point) batch() int { return p.Number - p.Batch.Place }

// batchLines describe a batch, its size and what its points share, in at most two lines.
func batchLines(s mode.Scene, p Point, w int) (lines []string) {
	st := s.Style
	text, between := fmt.Sprintf("%d", p.Batch.Points), " at "
	for j, v := range s.State.Problem.Domain {
		if !slices.Contains(p.Batch.Shared, v.Name) {
			continue
		}
		value := v.Text(p.X()[j])
		if v.Kind == functions.Real && v.Steps() == 0 {
			value = widget.Number(p.X()[j])
		}
		text += between + strings.TrimSpace(v.Name+" "+value+" "+v.Unit)
		between = ", "
	}
	if p.Batch.MinDistance > 0 {
		text += fmt.Sprintf(", %g apart", p.Batch.MinDistance)
	}
	wrapped := layout.Wrap(sanitize.Text(text), w)
	for _, l := range wrapped[:min(len(wrapped), 2)] {
		lines = append(lines, st.Paint(st.Accent, st.Plain(l)))
	}
	return lines
}

// clipped is a name in at most w columns.
func clipped(st theme.Style, name string, w int) string {
	return ansi.Truncate(st.Plain(name), max(w, 0), st.Plain("…"))
}

// values are the values of the variables with their units, without those that a batch shares. An entry has at most w
// columns; a long name is cut.
func values(s mode.Scene, p Point, w int) []string {
	st := s.Style
	var entries []string
	for j, v := range s.State.Problem.Domain {
		if p.Batch != nil && slices.Contains(p.Batch.Shared, v.Name) {
			continue
		}
		number, unit := layout.ShortenAmong(st, sanitize.Text(v.Text(p.X()[j])), v.Choices, w), ""
		if v.Unit != "" {
			unit = " " + st.Plain(sanitize.Text(v.Unit))
		}
		name := clipped(st, sanitize.Text(v.Name), w-ansi.StringWidth(number+unit)-1)
		entries = append(entries, st.Paint(st.Dim, name+" ")+st.Paint(st.Text, number)+st.Paint(st.Dim, unit))
	}
	return entries
}

func who(p Point) string {
	switch p.By {
	case sessions.ByPerson:
		return "you"
	case sessions.ByImport:
		return "import"
	}
	return p.By
}

// why is the method's comment on the point, and the expected value.
func why(s mode.Scene, p Point) string {
	var parts []string
	if p.Note != "" {
		parts = append(parts, sanitize.Text(p.Note))
	}
	if pt := p.Points[p.Index]; !math.IsNaN(pt.Mean) {
		o := s.State.Problem.Objectives[0]
		text := fmt.Sprintf("expected %s %s", o.Name, widget.Number(pt.Mean))
		if !math.IsNaN(pt.SD) {
			text += o.Transform().FormatSD(pt.Mean, pt.SD, widget.Number)
		}
		parts = append(parts, strings.TrimSpace(text+" "+o.Unit))
	}
	if v := p.Points[p.Index].Acquisition; !math.IsNaN(v) {
		parts = append(parts, "acquisition "+widget.Number(v))
	}
	return strings.Join(parts, "; ")
}

// Age is how long a point has been pending, in words; empty if unknown.
func Age(s mode.Scene, id string) string {
	since, ok := s.Asked[id]
	switch age := s.Now.Sub(since); {
	case !ok:
		return ""
	case age < time.Minute:
		return "just now"
	default:
		return timefmt.Age(age)
	}
}

// dueAt is when the result of a point is expected; false if that is not declared.
func dueAt(s mode.Scene, id string) (time.Time, bool) {
	since, ok := s.Asked[id]
	takes := s.State.ExpectedDuration()
	return since.Add(takes), ok && takes > 0
}

// dueText says in how long the result of a point is due, or for how long it has been; empty if that is not declared.
func dueText(s mode.Scene, id string) string {
	due, ok := dueAt(s, id)
	switch left := due.Sub(s.Now); {
	case !ok:
		return ""
	case left >= 0:
		return "due in " + timefmt.Age(left)
	default:
		return "was due " + timefmt.Age(-left) + " ago"
	}
}
