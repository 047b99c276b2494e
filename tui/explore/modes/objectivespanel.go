package modes

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/functions"
	"bandscope/sessions/sanitize"
	"bandscope/tui/explore/mode"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// Panel is the list of the objectives, or the form of a change.
func (l *ObjectivesMode) Panel(s mode.Scene, w, h int) *layout.Box {
	t := objectiveTurn{l, &mode.Turn{Scene: s}}
	if l.form != nil {
		f := l.form
		return layout.Panel(s.Style, f.title, t.fields(w-2, h-2), w, h, true).Section("the form", "objective",
			fmt.Sprintf(
				"The form of a change: %s, field %d of %d. Nothing changes before you press ctrl+s, or enter in the last field.",
				sanitize.Text(f.title), f.at+1, len(f.fields)))
	}
	return layout.Panel(s.Style, "objectives", t.list(w-2, h-2), w, h, true).Section("the objectives", "objective",
		fmt.Sprintf(
			"The objectives of the experiment, %d in all. A change applies from this step on: all results are kept, and %s uses them for the new goal.",
			len(s.State.Problem.Objectives), s.State.Spec.Title))
}

// list are the objectives, two lines each, and below them the keys, cut to a box of w×h cells.
func (t objectiveTurn) list(w, h int) *layout.Box {
	st, body := t.Style, layout.New(w, 0)
	selected := min(t.selected, len(t.State.Problem.Objectives)-1)
	for k, o := range t.State.Problem.Objectives {
		mark, color := "  ", st.Dim
		if k == selected {
			mark, color = st.PaintBold(st.Accent, st.Pointer()+" "), st.Text
		}
		direction := st.Paint(st.Dim, string(o.Direction))
		name := o.Name
		if o.Unit != "" {
			name += " (" + o.Unit + ")"
		}
		room := max(w-5-ansi.StringWidth(direction), 4)
		body.Below(layout.Text(w, " "+layout.Fit(mark+st.Paint(color, layout.ShortenIn(st, st.Plain(name), room)),
			w-2-ansi.StringWidth(direction))+direction,
			"   "+st.Paint(st.Faint, layout.ShortenIn(st, st.Plain(expected(o)), w-4))).
			Describe(layout.Number, sanitize.Text(o.Name), "objective", func() string {
				return saysFor(o, k == selected)
			}))
	}
	incomplete := t.incompleteResults()
	says := "The keys of this list. Every earlier result has a value of each objective."
	if incomplete != "" {
		says = "The keys of this list. " + incomplete
	}
	keys := layout.Paragraph(st, st.Dim,
		"insert adds an objective, delete drops it, left or right reverses its direction, enter edits its expected range and noise. "+
			incomplete, w-2)
	body.Below(text(w, append([]string{""}, keys...)...).Prose("keys", "", says))
	return within(body, h)
}

// text are indented lines in w columns.
func text(w int, lines ...string) *layout.Box {
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return layout.Text(w, lines...)
}

// within cuts a column to h rows.
func within(column *layout.Box, h int) *layout.Box {
	for _, c := range column.Children {
		c.H = min(c.H, max(h-c.Y, 0))
	}
	return column.Filled(h)
}

// saysFor describes an objective.
func saysFor(o functions.Objective, selected bool) string {
	text := fmt.Sprintf("The objective %s", sanitize.Text(o.Name))
	if o.Unit != "" {
		text += " in " + sanitize.Text(o.Unit)
	}
	text += fmt.Sprintf(" is %s: ", map[bool]string{true: "maximized",
		false: "minimized"}[o.Direction == functions.Maximize]) + sanitize.Text(expected(o)) + "."
	if o.Range != nil {
		text += " The range scales it relative to the other objectives."
	}
	if selected {
		text += " It is selected."
	}
	return text
}

// expected describes the expected range, scale and noise of an objective.
func expected(o functions.Objective) string {
	var parts []string
	if o.Range != nil {
		parts = append(parts, fmt.Sprintf("expected %s to %s", widget.Number(o.Range[0]), widget.Number(o.Range[1])))
	}
	if o.Scale == functions.Log {
		parts = append(parts, "log scale")
	}
	if o.Noise > 0 {
		parts = append(parts, "noise "+widget.Number(o.Noise))
	}
	if o.Worthwhile > 0 {
		parts = append(parts, "worthwhile "+o.WorthwhileText())
	}
	if parts == nil {
		return "no expected range"
	}
	return strings.Join(parts, ", ")
}

// incompleteResults says how many results have no value of an objective that was added later.
func (t objectiveTurn) incompleteResults() string {
	n := 0
	for _, it := range t.State.Iterations {
		if it.Incomplete() {
			n++
		}
	}
	switch n {
	case 0:
		return ""
	case 1:
		return "1 earlier result has no value of an objective; press esc, then enter to report it."
	}
	return fmt.Sprintf("%d earlier results have no value of an objective; press esc, then enter to report them.", n)
}

// fields are the fields of the form, and below them the help of the current one, cut to a box of w×h cells.
func (t objectiveTurn) fields(w, h int) *layout.Box {
	st := t.Style
	f := t.form
	body := layout.New(w, 0)
	label := 0
	for _, d := range f.fields {
		label = max(label, len(d.label))
	}
	for i, d := range f.fields {
		mark, color := "  ", st.Dim
		if i == f.at {
			mark, color = st.PaintBold(st.Accent, st.Pointer()+" "), st.Text
		}
		word := *d.of(&f.draft)
		room := max(w-6-label, 4)
		value := st.Paint(st.Text, layout.ShortenIn(st, st.Plain(word), room))
		switch {
		case i == f.at && d.choices != nil:
			value = st.PaintBold(st.Accent, layout.ShortenIn(st, st.Plain("< "+word+" >"), room))
		case i == f.at:
			value = f.input.View(room - 1)
		case word == "":
			value = st.Paint(st.Faint, st.Plain("······"))
		}
		body.Below(layout.Text(w, " "+layout.Fit(mark+st.Paint(color, d.label), label+2)+"  "+value).
			Describe(layout.Number, d.label, "objective", func() string { return d.says(word) }))
	}
	says := "The current field: " + layout.Excerpt(f.fields[f.at].help, 24) + "."
	lines := append([]string{""}, layout.Paragraph(st, st.Dim, f.fields[f.at].help, w-2)...)
	if _, err := f.draft.Declaration(t.State); err != nil {
		says = "The change is not complete: " + layout.Excerpt(err.Error(), 30) + "."
		if f.tried || f.draft.Name != "" && f.at > 0 {
			lines = append(append(lines, ""), layout.Paragraph(st, st.Error, err.Error(), w-2)...)
		}
	}
	return within(body.Below(text(w, lines...).Prose("field help", "", says)), h)
}

// says describes a field of the form with its text.
func (d field) says(word string) string {
	typed := "empty"
	word = strings.TrimSpace(word)
	if word != "" {
		typed = layout.Excerpt(word, 8)
	}
	help := layout.Excerpt(d.help, 24)
	return fmt.Sprintf("The %s: %s. %s.", d.label, typed, strings.ToUpper(help[:1])+help[1:])
}
