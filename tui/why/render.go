package why

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/safe"
	"bandscope/sessions/why"
	"bandscope/tui/explain"
	"bandscope/tui/layout"
	"bandscope/tui/plot/scale"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// Render draws the screen: the picture and the results that hold the choice at the left, at the right what it is made of, what was nearly chosen, and what would change it.
func (m *Model) Render() []string {
	h := m.Height - 2
	right := min(max(m.Width*2/5, 38), 80)
	left := m.Width - right
	upper := max(h*6/10, h-16)
	if m.report != nil { // what the list does not need is the picture's
		upper = max(min(upper, h-4), h-max(len(m.report.Influence), 2)-3)
	}
	lines := append(m.picture(left, upper), m.holding(left, h-upper)...)
	made := 8
	if m.report != nil {
		made = min(m.needs(right), h/2)
	}
	nearly := min(max((h-made)/2, 5), 9)
	side := append(append(m.parts(right, made), m.nearly(right, nearly)...), m.changes(right, h-made-nearly)...)
	lines = screen.Beside(lines, side)
	return append(lines, m.statusLine(), " "+screen.Footer(m.Style, m.hinted(), m.Width-2))
}

// hinted are the keys that do something at the moment.
func (m *Model) hinted() []key.Binding {
	return screen.Bindings(slices.DeleteFunc(commands(), func(c screen.Command[*Model]) bool { return c.Off != nil && c.Off(m) != "" }))
}

// statusLine says what is asked, what went wrong, or what the point is.
func (m *Model) statusLine() string {
	st := m.Style
	own := ""
	if r := m.report; r != nil {
		text := screen.Point(m.state.Problem.Domain, r.Chosen.X) + ": " + r.Origin
		if r.Note != "" {
			text += "; " + r.Note
		}
		own = st.Paint(st.Dim, st.Plain(safe.Text(text)))
	}
	return m.Status.Line(st, m.jobs.Status(st.ASCII), own)
}

// say is a panel that says why there is nothing to draw.
func (m *Model) say(title, text string, w, h int) []string {
	var body []string
	for _, l := range layout.Wrap(text, w-4) {
		body = append(body, " "+m.Style.Paint(m.Style.Dim, m.Style.Plain(l)))
	}
	return screen.Panel(m.Style, m.Style.Plain(title), body, w, h, false)
}

// lacking is why there is nothing to tell; empty where there is.
func (m *Model) lacking() string {
	switch {
	case m.failed != "":
		return safe.Text(m.failed)
	case m.report == nil:
		return "asking the model…"
	}
	return m.report.Lacking
}

// shown are the parts that are told of the place, beside those of the point.
func (m *Model) shown() (here, there []why.Line) {
	return why.Lines(m.report.Chosen.Whole), why.Lines(m.place().Whole)
}

// needs is how many lines the parts need.
func (m *Model) needs(w int) int {
	here, _ := m.shown()
	n := 2 * len(here)
	if m.report.Drawn != nil {
		n += len(layout.Wrap(why.Told(m.report.Drawn), w-4))
	}
	return n + 3
}

// parts draws what the acquisition is made of, at the point, and at the place that is told beside it.
func (m *Model) parts(w, h int) []string {
	st, title := m.Style, "what it is made of"
	if lacks := m.lacking(); lacks != "" {
		return m.say(title, lacks, w, h)
	}
	if m.chosen > 0 {
		title = fmt.Sprintf("the point, and place %d", m.chosen)
	}
	var body []string
	for _, rows := range m.partRows(w) {
		body = append(body, rows...)
	}
	if d := m.report.Drawn; d != nil && m.chosen == 0 {
		for _, l := range layout.Wrap(why.Told(d), w-4) {
			body = append(body, " "+st.Paint(st.Dim, st.Plain(l)))
		}
	}
	return screen.Panel(st, st.Plain(title), body, w, h, false)
}

// partRows are the rows of each part of the acquisition in a panel of w columns.
func (m *Model) partRows(w int) (all [][]string) {
	st := m.Style
	here, there := m.shown()
	least, most := 0.0, 0.0 // of what has a bar
	for _, lines := range [][]why.Line{here, there} {
		for i, l := range lines {
			if (i > 0 || len(lines) == 1) && scale.Finite(l.Value) {
				least, most = min(least, l.Value), max(most, l.Value)
			}
		}
	}
	for i, l := range here {
		name := strings.TrimSpace(l.Sign + " " + why.Name(m.state, l.Part))
		if l.Binds {
			name += ", the least, which counts"
		}
		color := st.Text
		if l.Depth == 0 {
			color = st.Accent
		}
		indent := " " + strings.Repeat("  ", l.Depth)
		numbers := st.Paint(color, fmt.Sprintf(" %10s", screen.Number(l.Value)))
		if m.chosen > 0 && i < len(there) {
			numbers += st.Paint(st.Warn, fmt.Sprintf(" %10s", screen.Number(there[i].Value)))
		}
		room := w - 3 - ansi.StringWidth(indent) - ansi.StringWidth(numbers)
		told := st.Paint(color, layout.ShortenIn(st, st.Plain(safe.Text(name)), w-3-ansi.StringWidth(indent)))
		switch {
		case l.Depth == 0 && len(here) > 1 && ansi.StringWidth(told) <= room:
			all = append(all, []string{indent + layout.Fit(told, room) + numbers})
		case l.Depth == 0 && len(here) > 1:
			all = append(all, []string{indent + told, indent + strings.Repeat(" ", max(room, 0)) + numbers})
		default:
			all = append(all, []string{indent + told, indent + m.bar(l.Value, least, most, room) + numbers})
		}
	}
	return all
}

// bar is a value in so many cells, from 0 to it: over what goes from least to most, which are at the ends. Where something is below 0 a line stands at 0.
func (m *Model) bar(v, least, most float64, room int) string {
	st := m.Style
	if least < 0 {
		room--
	}
	if room < 1 || !(most > least) {
		return ""
	}
	cells := func(v float64) int {
		part := min(math.Abs(v)/(most-least), 1)
		if math.IsNaN(part) {
			return 0
		}
		return int(math.Round(part * float64(room)))
	}
	piece := func(color theme.Color, n int) string { return st.Paint(color, strings.Repeat(st.Plain("━"), n)) }
	if least >= 0 {
		return layout.Fit(piece(st.Acquisition, cells(v)), room)
	}
	below, zero := cells(least), st.Paint(st.Border, st.Plain("│"))
	if v < 0 {
		n := cells(v)
		return layout.Fit(strings.Repeat(" ", max(below-n, 0))+piece(st.Warn, n)+zero, room+1)
	}
	return layout.Fit(strings.Repeat(" ", below)+zero+piece(st.Acquisition, cells(v)), room+1)
}

// nearly lists the places that were nearly chosen.
func (m *Model) nearly(w, h int) []string {
	st, title := m.Style, "nearly chosen"
	switch {
	case m.lacking() != "":
		return m.say(title, "", w, h)
	case len(m.report.Others) == 0:
		return m.say(title, "nowhere else is the acquisition better than around it", w, h)
	}
	var body []string
	from, to := m.listed(h)
	for i := from; i < to; i++ {
		o, color, pointer := m.report.Others[i], st.Text, "  "
		if m.chosen == i+1 {
			color, pointer = st.Accent, layout.Fit(st.Pointer(), 2)
		}
		value := screen.Number(o.Whole.Value)
		at := layout.ShortenIn(st, st.Plain(fmt.Sprintf("%d  %s", i+1, safe.Text(screen.Point(m.state.Problem.Domain, o.X)))), w-8-len(value))
		body = append(body, layout.Fit(st.PaintBold(st.Accent, pointer)+st.Paint(color, at), w-3-len(value))+st.Paint(color, value),
			"     "+st.Paint(st.Dim, layout.ShortenIn(st, st.Plain("lacks "+safe.Text(o.Lacks)), w-8)))
	}
	return screen.Panel(st, title, body, w, h, true)
}

// listed is the range of places that a panel of h rows has room for, at two rows each.
func (m *Model) listed(h int) (from, to int) {
	n, room := len(m.report.Others), max((h-2)/2, 0)
	from = min(max(m.chosen-room, 0), max(n-room, 0))
	return from, min(from+room, n)
}

// holding lists the results that hold the choice.
func (m *Model) holding(w, h int) []string {
	st, title := m.Style, "what holds it"
	r := m.report
	switch {
	case r == nil || r.Lacking != "":
		return m.say(title, "", w, h)
	case r.Fixed != "":
		return m.say(title, "no result does: "+r.Fixed, w, h)
	case r.Untold != "" && len(m.state.Iterations) > 0:
		return m.say(title, r.Untold+": L does", w, h)
	case r.Influence == nil:
		return m.say(title, "there is no result yet that could be left out", w, h)
	}
	var body []string
	still := 0
	for _, of := range why.Holding(r.Influence) {
		if of.Same {
			still++
			continue
		}
		text := fmt.Sprintf("without %s: %s", of.Label, safe.Text(screen.Point(m.state.Problem.Domain, of.Then)))
		moved := "moved " + screen.Number(of.Moved)
		body = append(body, " "+layout.Fit(st.Paint(st.Text, layout.ShortenIn(st, st.Plain(text), w-6-len(moved))), w-5-len(moved))+" "+st.Paint(st.Dim, moved))
	}
	if shown := shownOf(len(body), h-2); shown < len(body) {
		rest := len(body) - shown
		body = append(body[:shown], " "+st.Paint(st.Dim, st.Plain(fmt.Sprintf("and %d more, less far", rest))))
	}
	if still == len(r.Influence) {
		return m.say(title, "without any one of the results it is the same point"+map[bool]string{true: ", fitted anew"}[r.Refit], w, h)
	}
	title = fmt.Sprintf("what holds it: %d of %d results", len(r.Influence)-still, len(r.Influence))
	if r.Refit {
		title += ", fitted anew"
	}
	return screen.Panel(st, st.Plain(title), body, w, h, false)
}

// shownOf is how many of n entries a list of so many rows shows: the last row counts the others where not all have room.
func shownOf(n, rows int) int {
	if n <= rows || rows < 1 {
		return n
	}
	return rows - 1
}

// changes lists what would change the choice.
func (m *Model) changes(w, h int) []string {
	st, title := m.Style, "what would change it"
	switch {
	case m.lacking() != "":
		return m.say(title, "", w, h)
	case m.report.Fixed != "":
		return m.say(title, "no parameter of the method does: "+m.report.Fixed, w, h)
	case !m.report.Tried:
		return m.say(title, "H looks for the smallest change of every parameter that moves it", w, h)
	case len(m.report.Changes) == 0:
		return m.say(title, "no change of one parameter that is found, within the ranges that the method declares; not tried: "+safe.Text(why.Untried(m.state)), w, h)
	}
	var body []string
	for _, c := range m.report.Changes {
		then := st.Plain(safe.Text(screen.Point(m.state.Problem.Domain, c.Then)))
		line := " " + st.Paint(st.Text, layout.ShortenIn(st, st.Plain(safe.Text(c.Text())), w-4))
		body = append(body, line, "   "+st.Paint(st.Dim, layout.ShortenIn(st, st.Plain("moves it to ")+then, w-6)))
	}
	for _, l := range layout.Wrap("not tried: "+safe.Text(why.Untried(m.state)), w-4) {
		body = append(body, " "+st.Paint(st.Faint, st.Plain(l)))
	}
	return screen.Panel(st, title, body, w, h, false)
}

// Frame is the screen as a tree of boxes.
func (m *Model) Frame() *layout.Box { return explain.Old(m.Width, m.Render(), m.Elements) }
