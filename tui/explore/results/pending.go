package results

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/sessions/sanitize"
	"bandscope/tui/explore/mode"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Point is one point that waits for results.
type Point struct {
	sessions.Iteration
	Index int // in its batch, from 0

	pending bool // it was not told before
}

// X is where it is to be run, or as far as anybody told was.
func (p Point) X() []float64 { return p.Iteration.Points[p.Index].X }

// Label is how it is called: by the number of its suggestion, and in a batch its place there.
func (p Point) Label() string {
	if len(p.Iteration.Points) == 1 {
		return fmt.Sprint(p.Number)
	}
	return fmt.Sprintf("%d.%d", p.Number, p.Index+1)
}

func (p Point) name() string { return fmt.Sprint(p.ID, "/", p.Index) }

// missing are the objectives of which nothing is told; nil where that is all of them.
func (p Point) missing() []string {
	if !p.HasResults() {
		return nil
	}
	return p.Points[p.Index].Missing
}

// lacks reports whether the value of an objective is to be told.
func (p Point) lacks(objective string) bool {
	return !p.HasResults() || slices.Contains(p.missing(), objective)
}

// Pending are the points of which results are missing: those that are out, the oldest first, and those that lack an
// objective which was added later.
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

// pointsFor are those of an iteration that wait.
func pointsFor(it sessions.Iteration, out bool) []Point {
	var list []Point
	for i := range it.Points {
		if !it.HasResults() || it.IncompleteAt(i) {
			list = append(list, Point{Iteration: it, Index: i, pending: out})
		}
	}
	return list
}

// find is where among points the one of a name is, −1 if it is not there.
func find(list []Point, name string) int {
	return slices.IndexFunc(list, func(p Point) bool { return p.name() == name })
}

// Sentence tells that points wait; empty where none does.
func Sentence(st sessions.State) string {
	switch n := len(Pending(st)); n {
	case 0:
		return ""
	case 1:
		return "1 point is out: enter takes its results"
	default:
		return fmt.Sprintf("%d points are out: enter takes their results", n)
	}
}

// Height is how many lines the list needs with its frame, of at most so many: for as much as there is room for.
func Height(s mode.Scene, w, most int) int {
	return min(count(fitted(s, w-4, most-2))+2, most)
}

// Box is the list of what is out: number, age, who suggested it, values, and why. Where there is not room for all of
// that, it is said more briefly.
func Box(s mode.Scene, w, h int) *layout.Box {
	st, list := s.Style, Pending(s.State)
	title, says := "1 point is out", "What was suggested and waits for its result: enter takes it, in whatever order "+
		"results come."
	if !s.ByHand {
		says = "What is being evaluated, or waits for that."
	}
	if len(list) > 1 {
		title = fmt.Sprintf("%d points are out", len(list))
		says += fmt.Sprintf(" Of %d points the oldest is first.", len(list))
	}
	body, room, blocks := layout.New(w-2, 0), h-2, fitted(s, w-4, h-2)
	if count(blocks) > room && h > 3 {
		room--
	}
	for i, p := range list {
		if lines := blocks[i][:min(len(blocks[i]), max(room-body.H, 0))]; len(lines) > 0 {
			body.Below(indented(w-2, lines...).Describe(layout.Number, "point "+p.Label(), "point that is out",
				func() string { return saysFor(s, p) }))
		}
	}
	if room < h-2 {
		body.Below(indented(w-2, st.Paint(st.Faint, st.Plain("… more: enter, then up and down"))).
			Prose("more", "", "There is no room for all that is out: enter shows the rest, with up and down."))
	}
	return layout.Panel(st, title, body, w, h, false).Section("what is out", "point that is out", says)
}

// indented are lines behind a blank, in w columns.
func indented(w int, lines ...string) *layout.Box {
	return layout.Row(layout.Space(1, 0), layout.Text(w-1, lines...))
}

// saysFor describes a point that waits.
func saysFor(s mode.Scene, p Point) string {
	by := "suggested by " + sanitize.Text(who(p))
	if who(p) == "you" {
		by = "your own"
	}
	text := fmt.Sprintf("Point %s, %s", p.Label(), by)
	if age := Age(s, p.ID); age != "" {
		text += ", out for " + age
	}
	if text = strings.Replace(text, "out for just now", "just given out", 1); p.Batch != nil {
		text += fmt.Sprintf(", one of %d that were asked for at once", p.Batch.Points)
	}
	text += ": " + layout.Excerpt(widget.Point(s.State.Problem.Domain, p.X()), 12) + "."
	switch heard, runs := s.Running[p.ID]; {
	case runs && heard != "":
		text += " It is being evaluated, and said last: " + layout.Excerpt(heard, 12) + "."
	case runs:
		text += " It is being evaluated."
	}
	if missing := p.missing(); len(missing) > 0 {
		return text + fmt.Sprintf(" A part of its result is told; it waits for %s.",
			layout.Excerpt(strings.Join(missing, ", "), 8))
	}
	if reason := why(s, p); reason != "" {
		text += " Why: " + layout.Excerpt(reason, 16) + "."
	}
	return text
}

// detail is how much is said of each point: all, all but the reasons, or in two lines what there is room for.
type detail int

const (
	whole detail = iota
	valuesOnly
	brief
)

// fitted are the lines of each point in w columns, with as much detail as h lines have room for.
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

// entry are the lines of a point in w columns.
func entry(s mode.Scene, p Point, w int, much detail) (lines []string) {
	st := s.Style
	head, age := st.Glyph(theme.GlyphDiamond)+" "+p.Label(), Age(s, p.ID)
	heard, runs := s.Running[p.ID]
	if runs {
		age = strings.TrimSuffix("running, "+age, ", ")
	}
	by := clipped(st, who(p), w-ansi.StringWidth(head+age)-3)
	lines = append(lines, layout.Fit(st.PaintBold(st.Next, head)+st.Paint(st.Text, "  "+by), w-ansi.StringWidth(age))+
		st.Paint(st.Dim, age))
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
			layout.ShortenIn(st, "waits for "+strings.Join(missing, ", "), w-2)))
	} else if reason := why(s, p); reason != "" && much == whole {
		reasons := layout.Wrap(reason, w-2)
		for _, l := range reasons[:min(len(reasons), 2)] {
			lines = append(lines, "  "+st.Paint(st.Dim, st.Plain(l)))
		}
	}
	return lines
}

// logLines are what an evaluator said last, in at most two lines where there is room for all that is said.
func logLines(st theme.Style, heard string, w int, much detail) []string {
	if lines := layout.Wrap(st.Plain(heard), w); much == whole && len(lines) == 2 {
		return lines
	}
	return []string{layout.ShortenIn(st, st.Plain(heard), w)}
}

// batch is what tells the batch of a point from others.
func (p Point) batch() int { return p.Number - p.Batch.Place }

// batchLines tells batchLines the points of a batch how many were asked for, and what they share, in at most two lines.
func batchLines(s mode.Scene, p Point, w int) (lines []string) {
	st := s.Style
	text, between := fmt.Sprintf("%d", p.Batch.Points), " at "
	for j, v := range s.State.Problem.Domain {
		if !slices.Contains(p.Batch.Shared, v.Name) {
			continue
		}
		value := v.Text(p.X()[j])
		if v.Kind == functions.Real {
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

// values are those of the variables with their units, but for what a batch shares, an entry of at most w columns each:
// where there is not room for a name, its end gives way to the number.
func values(s mode.Scene, p Point, w int) []string {
	st := s.Style
	var entries []string
	for j, v := range s.State.Problem.Domain {
		if p.Batch != nil && slices.Contains(p.Batch.Shared, v.Name) {
			continue
		}
		number, unit := clipped(st, v.Text(p.X()[j]), w), ""
		if v.Unit != "" {
			unit = " " + st.Plain(v.Unit)
		}
		name := clipped(st, v.Name, w-ansi.StringWidth(number+unit)-1)
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

// why is what the method said of the point, and expected of it.
func why(s mode.Scene, p Point) string {
	var parts []string
	if p.Note != "" {
		parts = append(parts, sanitize.Text(p.Note))
	}
	if pt := p.Points[p.Index]; !math.IsNaN(pt.Mean) {
		o := s.State.Problem.Objectives[0]
		text := fmt.Sprintf("%s expected %s", o.Name, widget.Number(pt.Mean))
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

// Age is how long a point has been out, in words; empty where nobody knows.
func Age(s mode.Scene, id string) string {
	age, ok := s.Ages[id]
	switch {
	case !ok:
		return ""
	case age < time.Minute:
		return "just now"
	case age < time.Hour:
		return fmt.Sprintf("%d min", int(age.Minutes()))
	case age < 48*time.Hour:
		return fmt.Sprintf("%d h", int(age.Hours()))
	}
	return fmt.Sprintf("%d d", int(age.Hours()/24))
}
