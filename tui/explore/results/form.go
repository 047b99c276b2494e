package results

import (
	"fmt"
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/sessions/sanitize"
	"bandscope/tui/explore/mode"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// Panel is the form of the current point.
func (f *Form) Panel(s mode.Scene, w, h int) *layout.Box {
	t := turn{f, &mode.Turn{Scene: s}}
	p, ok := t.point()
	if !ok {
		return layout.Panel(s.Style, "results", nil, w, h, true).
			Section("the form", "observation", "The results form. This point is no longer pending.")
	}
	d, out := t.draft(p), len(Pending(s.State))
	title, which := "results of point "+p.Label(), "the only pending point"
	if d.correcting {
		title += ", correction"
	}
	if out > 1 {
		title += fmt.Sprintf(", %d of %d pending", find(Pending(s.State), f.of)+1, out)
		which = fmt.Sprintf("one of %d pending points", out)
	}
	return layout.Panel(s.Style, title, t.body(p, w-2, h-2), w, h, true).Section("the form", "observation",
		fmt.Sprintf("The results form of point %s, %s. You changed %d of %s. Leave unknown fields empty. Press ctrl+s to report the result; nothing is recorded before.",
			p.Label(), which, d.changed(0, len(d.rows)), widget.Count(len(d.rows), "field")))
}

// body is the head and the fields, with related fields in one box, scrolled so that the current field is visible in w×h
// cells.
func (t turn) body(p Point, w, h int) *layout.Box {
	lines, ranges := t.lines(p, w-2)
	head := t.head(p, w-2)
	d := t.draft(p)
	top := 0
	body := layout.New(w, h)
	if len(lines)+len(head) > h {
		head = nil
	}
	room := h - len(head)
	if len(lines) > room && room > 0 {
		top = min(max((ranges[t.at][0]+ranges[t.at][1]-room)/2, 0), len(lines)-room)
	}
	if n := len(head); n > 0 {
		body.Add(indented(w, head[:n-1]...).Describe(layout.Prose, "the point", "pending point", func() string {
			return saysFor(t.Scene, p)
		}))
	}
	for i, next := 0, 0; i < len(d.rows); i = next {
		for next = i + 1; next < len(d.rows) && d.rows[next].of(d.rows[i]); next++ {
		}
		from, end := ranges[i][0], min(ranges[next-1][1], top+room)
		if d.rows[i].field == actualInput {
			from-- // with its heading
		}
		from = max(from, top)
		if from < end {
			name, says, term := t.field(d, i, next)
			body.Add(indented(w, lines[from:end]...).At(0, len(head)+from-top).Number(name, term, says))
		}
	}
	return body
}

// of reports whether a row shares the description of an earlier one: a standard error that of its value, and an input
// that of the first input.
func (r row) of(first row) bool {
	return r.field == se && first.field == value && r.index == first.index || r.field == actualInput &&
		first.field == actualInput
}

// field describes the rows from (inclusive) to end (exclusive), which share a description.
func (t turn) field(d *draft, from, end int) (name, says, term string) {
	r, problem := d.rows[from], t.State.Problem
	typed := "empty"
	if text := strings.TrimSpace(d.texts[from]); text != "" {
		typed = layout.Excerpt(text, 10)
		if _, err := r.read(problem, text); err != nil {
			typed += ", which is not valid (" + layout.Excerpt(err.Error(), 12) + ")"
		}
	}
	name = sanitize.Text(r.label(problem))
	switch r.field {
	case value:
		o := problem.Outputs()[r.index]
		text := fmt.Sprintf("The measured value of %s%s: %s", name,
			map[bool]string{true: "", false: " in " + sanitize.Text(o.Unit)}[o.Unit == ""], typed)
		if hint, _, doubt := t.hint(r, d, from); hint != "" && o.HasLimits() {
			text += "; it has a " + strings.TrimPrefix(hint, "beyond the ")
		} else if hint != "" && doubt {
			text += ", " + hint + "; you will be asked to confirm it"
		} else if hint != "" {
			text += "; expected: " + hint
		}
		return name, text +
				". Below it is its standard error, if known, which the model uses as the noise of this value.",
			"standard error"
	case actualInput:
		changed := d.changed(from, end)
		return "actual inputs", fmt.Sprintf(
			"The actual inputs of the evaluation: %s of %s changed from the suggestion. The model learns from the actual inputs.",
			map[bool]string{true: "none", false: fmt.Sprint(changed)}[changed == 0],
			widget.Count(end-from, "variable")), "observation"
	}
	return name, fmt.Sprintf(kinds[r.field].says, typed), kinds[r.field].term
}

// head says who suggested the point, when, and why.
func (t turn) head(p Point, w int) []string {
	st := t.Style
	text := who(p)
	if text == "you" {
		text = "your own point"
	}
	if age := Age(t.Scene, p.ID); age != "" {
		text += ", " + age
	}
	if reason := why(t.Scene, p); reason != "" {
		text += ": " + reason
	}
	var lines []string
	for _, l := range layout.Wrap(text, w) {
		lines = append(lines, st.Paint(st.Dim, st.Plain(l)))
	}
	recorded := t.reportedLines(p)
	if t.draft(p).correcting {
		recorded = nil
	}
	for _, r := range recorded {
		lines = append(lines, st.Paint(st.Good, layout.ShortenIn(st, st.Plain(r), w)))
	}
	return append(lines[:min(len(lines), 4)], "")
}

// reportedLines are the values that are recorded already.
func (t turn) reportedLines(p Point) []string {
	var lines []string
	for k, o := range t.State.Problem.Outputs() {
		if !p.isMissing(o.Name) {
			lines = append(lines,
				strings.TrimSpace("recorded: "+o.Name+" "+widget.Number(p.Points[p.Index].Y[k])+" "+o.Unit))
		}
	}
	return lines
}

// lines are the fields in w columns, and the first and last line of each, exclusive.
func (t turn) lines(p Point, w int) (lines []string, ranges [][2]int) {
	st, d := t.Style, t.draft(p)
	label, unit := 0, 0
	for _, r := range d.rows {
		label = max(label, ansi.StringWidth(st.Plain(r.label(t.State.Problem))))
		unit = max(unit, ansi.StringWidth(st.Plain(r.unit(t.State.Problem))))
	}
	label, unit = min(label, w/3), min(unit, 8)
	for i, r := range d.rows {
		if i > 0 && (r.field == actualInput && d.rows[i-1].field != actualInput || r.field == cost) {
			lines = append(lines, "")
		}
		if r.field == actualInput && r.index == 0 {
			lines = append(lines, st.Paint(st.Faint, "actual inputs"))
		}
		from := len(lines)
		lines = append(lines, t.line(d, i, label, unit, w))
		if _, err := r.read(t.State.Problem, d.texts[i]); err != nil {
			for _, l := range layout.Wrap(err.Error(), w-2) {
				lines = append(lines, "  "+st.Paint(st.Error, st.Plain(l)))
			}
		}
		ranges = append(ranges, [2]int{from, len(lines)})
	}
	return lines, ranges
}

// wide is the width from which long numbers fit.
const wide = 48

// line is one field: its label, text, unit and hint.
func (t turn) line(d *draft, i, label, unit, w int) string {
	st := t.Style
	r := d.rows[i]
	problem := t.State.Problem
	mark, color := "  ", st.Dim
	if i == t.at {
		mark, color = st.PaintBold(st.Accent, st.Pointer()+" "), st.Text
	}
	line := mark + layout.Fit(st.Paint(color, layout.ShortenIn(st, st.Plain(r.label(problem)), label)), label) + "  "
	room := max(w-ansi.StringWidth(line), 4)
	if !kinds[r.field].words {
		most := 10
		if w < wide {
			most = 8
		}
		if r.field == actualInput && problem.Domain[r.index].Kind == functions.Choice && r.unit(problem) == "" &&
			unit > 0 {
			most, unit = most+1+unit, 0 // a name takes the columns of the unit
		}
		room = min(room, most)
	}
	text := st.Paint(st.Text, layout.ShortenIn(st, st.Plain(d.texts[i]), room))
	if i == t.at {
		text = t.input.View(max(room-1, 3))
	} else if d.texts[i] == "" {
		text = st.Paint(st.Faint, layout.ShortenIn(st, st.Plain(kinds[r.field].empty), room))
	}
	line += layout.Fit(text, room)
	if kinds[r.field].words {
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
	room = w - ansi.StringWidth(line) - 2
	if ansi.StringWidth(hint) > room {
		hint = brief
	}
	return line + "  " + st.Paint(color, layout.ShortenIn(st, st.Plain(hint), max(room, 0)))
}

// limitHint is the hint of an output with limits.
func limitHint(o functions.Objective, r row, t turn, text string) (hint, brief string, doubt bool) {
	bare := o
	bare.Unit = ""
	hint, brief = "limit "+bare.LimitText(), bare.LimitText()
	if v, err := r.read(t.State.Problem, text); err == nil && !math.IsNaN(v) && !o.Holds(v) {
		return "beyond the " + hint, "! " + brief, true
	}
	return hint, brief, false
}

// hint is the expected or suggested value of a field, and a brief form of it; doubt is true if the typed value is
// unlikely.
func (t turn) hint(r row, d *draft, i int) (hint, brief string, doubt bool) {
	switch r.field {
	case value:
		o := t.State.Problem.Outputs()[r.index]
		if o.HasLimits() {
			return limitHint(o, r, t, d.texts[i])
		}
		if o.Range == nil {
			return "", "", false
		}
		hint = widget.Number(o.Range[0]) + " to " + widget.Number(o.Range[1])
		if v, err := r.read(t.State.Problem, d.texts[i]); err == nil && (v < o.Range[0] || v > o.Range[1]) {
			return "outside " + hint, "! " + hint, true
		}
		return hint, hint, false
	case actualInput:
		if d.texts[i] == d.reported[i] {
			return "as suggested", "suggested", false
		}
		suggested := "suggested " + d.reported[i]
		if name := encoding.Complete(t.State.Problem.Domain[r.index], d.texts[i]); name !=
			strings.TrimSpace(d.texts[i]) {
			return name + ", " + suggested, name, false
		}
		return suggested, "not " + d.reported[i], false
	}
	return "", "", false
}
