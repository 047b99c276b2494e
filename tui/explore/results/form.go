package results

import (
	"fmt"
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/functions"
	"bandscope/functions/setting"
	"bandscope/tui/explore/mode"
	"bandscope/tui/layout"
	"bandscope/tui/screen"
)

// Width gives the form about half of the window.
func (f *Form) Width(window, side int) int { return min(max(window*11/20, side), 72) }

// Whole gives it all of the side.
func (f *Form) Whole() bool { return true }

// Panel is the form of the point whose results are entered.
func (f *Form) Panel(s mode.Scene, w, h int) []string {
	t := turn{f, &mode.Turn{Scene: s}}
	p, ok := t.point()
	if !ok {
		return screen.Panel(s.Style, "results", nil, w, h, true)
	}
	title := "results of point " + p.Label()
	if t.draft(p).instead {
		title += ", told anew"
	}
	if list := Waiting(s.State); len(list) > 1 {
		title += fmt.Sprintf(", %d of %d that are out", find(list, f.of)+1, len(list))
	}
	head, body, _, _ := t.placed(p, w, h)
	lines := append(head, body...)
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return screen.Panel(s.Style, title, lines, w, h, true)
}

// placed are the lines of the head and of the fields that a panel has room for, at which of all lines of the fields the first of these stands, and from where to where
// each field does.
func (t turn) placed(p Point, w, h int) (head, body []string, top int, at [][2]int) {
	body, at = t.lines(p, w-4)
	from, to := at[t.at][0], at[t.at][1]
	if head = t.head(p, w-4); len(body)+len(head) > h-2 { // the field that is typed comes first
		head = nil
	}
	if room := h - 2 - len(head); len(body) > room && room > 0 {
		top = min(max((from+to-room)/2, 0), len(body)-room)
		body = body[top : top+room]
	}
	return head, body, top, at
}

// head is who suggested the point, when, and why.
func (t turn) head(p Point, w int) []string {
	st := t.Style
	said := who(p)
	if said == "you" {
		said = "your own point"
	}
	if age := Age(t.Scene, p.ID); age != "" {
		said += ", " + age
	}
	if reason := why(t.Scene, p); reason != "" {
		said += ": " + reason
	}
	var lines []string
	for _, l := range layout.Wrap(said, w) {
		lines = append(lines, st.Paint(st.Dim, st.Plain(l)))
	}
	told := t.toldSoFar(p)
	if t.draft(p).instead {
		told = nil
	}
	for _, told := range told {
		lines = append(lines, st.Paint(st.Good, layout.ShortenIn(st, st.Plain(told), w)))
	}
	return append(lines[:min(len(lines), 4)], "")
}

// toldSoFar are the values that are on record already.
func (t turn) toldSoFar(p Point) []string {
	var told []string
	for k, o := range t.State.Problem.Measured() {
		if !p.lacks(o.Name) {
			told = append(told, strings.TrimSpace("on record: "+o.Name+" "+screen.Number(p.Y[p.Index][k])+" "+o.Unit))
		}
	}
	return told
}

// lines are the fields in w columns, and from where to where each stands.
func (t turn) lines(p Point, w int) (lines []string, at [][2]int) {
	st, d := t.Style, t.draft(p)
	label, unit := 0, 0
	for _, r := range d.rows {
		label = max(label, ansi.StringWidth(st.Plain(r.label(t.State.Problem))))
		unit = max(unit, ansi.StringWidth(st.Plain(r.unit(t.State.Problem))))
	}
	label, unit = min(label, w/3), min(unit, 8)
	for i, r := range d.rows {
		if i > 0 && (r.field == ran && d.rows[i-1].field != ran || r.field == cost) {
			lines = append(lines, "")
		}
		if r.field == ran && r.index == 0 {
			lines = append(lines, st.Paint(st.Faint, "where it was really run"))
		}
		from := len(lines)
		lines = append(lines, t.line(d, i, label, unit, w))
		if _, err := r.read(t.State.Problem, d.texts[i]); err != nil {
			for _, l := range layout.Wrap(err.Error(), w-2) {
				lines = append(lines, "  "+st.Paint(st.Error, st.Plain(l)))
			}
		}
		at = append(at, [2]int{from, len(lines)})
	}
	return lines, at
}

// wide is the width from which there is room for long numbers.
const wide = 48

// line is one field: what it is, what is typed, the unit, and what there is to know of it.
func (t turn) line(d *draft, i, label, unit, w int) string {
	st, r, problem := t.Style, d.rows[i], t.State.Problem
	mark, color := "  ", st.Dim
	if i == t.at {
		mark, color = st.PaintBold(st.Accent, st.Pointer()+" "), st.Text
	}
	line := mark + layout.Fit(st.Paint(color, layout.ShortenIn(st, st.Plain(r.label(problem)), label)), label) + "  "
	room := max(w-ansi.StringWidth(line), 4)
	if !r.wordy() {
		most := 10
		if w < wide {
			most = 8
		}
		if r.field == ran && problem.Domain[r.index].Kind == functions.Choice && r.unit(problem) == "" && unit > 0 {
			most, unit = most+1+unit, 0 // a name has the room of the unit
		}
		room = min(room, most)
	}
	text := st.Paint(st.Text, layout.ShortenIn(st, st.Plain(d.texts[i]), room))
	if i == t.at {
		text = t.input.View(max(room-1, 3))
	} else if d.texts[i] == "" {
		text = st.Paint(st.Faint, layout.ShortenIn(st, st.Plain(r.empty()), room))
	}
	line += layout.Fit(text, room)
	if r.wordy() {
		return line
	}
	if unit > 0 {
		line += " " + layout.Fit(st.Paint(st.Dim, st.Plain(r.unit(problem))), unit)
	}
	hint, brief, doubt := t.hint(r, d, i)
	color = st.Dim
	if doubt {
		color = st.Warn
	}
	if room = w - ansi.StringWidth(line) - 2; ansi.StringWidth(hint) > room {
		hint = brief
	}
	return line + "  " + st.Paint(color, layout.ShortenIn(st, st.Plain(hint), max(room, 0)))
}

// empty is what stands in a field in which nothing is typed.
func (r row) empty() string {
	return map[field]string{value: "······", se: "if known", cost: "if known", failed: "the reason, if it did", note: "if you like", amiss: "why what was told before was wrong"}[r.field]
}

// wordy reports whether words stand in the row.
func (r row) wordy() bool { return r.field == failed || r.field == note || r.field == amiss }

// limitHint is the hint of what has limits: what is beyond them counts for nothing.
func limitHint(o functions.Objective, r row, t turn, text string) (hint, brief string, doubt bool) {
	bare := o
	bare.Unit = ""
	hint, brief = "limit "+bare.LimitText(), bare.LimitText()
	if v, err := r.read(t.State.Problem, text); err == nil && !math.IsNaN(v) && !o.Holds(v) {
		return "beyond the " + hint, "! " + brief, true
	}
	return hint, brief, false
}

// hint is what there is to know of a field, and the same in a few letters: what is expected, or was suggested; doubt says that what is typed is unlikely.
func (t turn) hint(r row, d *draft, i int) (hint, brief string, doubt bool) {
	switch r.field {
	case value:
		o := t.State.Problem.Measured()[r.index]
		if o.Limited() {
			return limitHint(o, r, t, d.texts[i])
		}
		if o.Range == nil {
			return "", "", false
		}
		hint = screen.Number(o.Range[0]) + " to " + screen.Number(o.Range[1])
		if v, err := r.read(t.State.Problem, d.texts[i]); err == nil && (v < o.Range[0] || v > o.Range[1]) {
			return "outside of " + hint, "! " + hint, true
		}
		return hint, hint, false
	case ran:
		if d.texts[i] == d.before[i] {
			return "as suggested", "suggested", false
		}
		suggested := "suggested " + d.before[i]
		if name := setting.Complete(t.State.Problem.Domain[r.index], d.texts[i]); name != strings.TrimSpace(d.texts[i]) {
			return name + ", " + suggested, name, false
		}
		return suggested, "not " + d.before[i], false
	}
	return "", "", false
}
