package objectives

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/functions"
	"bandscope/tui/explore/mode"
	"bandscope/tui/layout"
	"bandscope/tui/screen"
)

// Width gives the list somewhat less than half of the window.
func (l *List) Width(window, side int) int { return min(max(window*9/20, side), 64) }

// Whole gives it all of the side.
func (l *List) Whole() bool { return true }

// Panel is the list of the objectives, or the form of a change.
func (l *List) Panel(s mode.Scene, w, h int) []string {
	t := turn{l, &mode.Turn{Scene: s}}
	title, lines := "objectives", t.list(w-4)
	if l.form != nil {
		title, lines = l.form.title, t.fields(w-4)
	}
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	return screen.Panel(s.Style, title, lines[:min(len(lines), max(h-2, 0))], w, h, true)
}

// list are the objectives, two lines each, in w columns.
func (t turn) list(w int) (lines []string) {
	st := t.Style
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
		room := max(w-2-ansi.StringWidth(direction)-1, 4)
		lines = append(lines, layout.Fit(mark+st.Paint(color, layout.ShortenIn(st, st.Plain(name), room)), w-ansi.StringWidth(direction))+direction,
			"  "+st.Paint(st.Faint, layout.ShortenIn(st, st.Plain(expected(o)), w-2)))
	}
	said := "+ adds one, delete drops one, t turns one, enter says what is expected of it. " + t.lacks()
	return append(append(lines, ""), layout.Paragraph(st, st.Dim, said, w)...)
}

// expected tells what is expected of an objective.
func expected(o functions.Objective) string {
	var parts []string
	if o.Range != nil {
		parts = append(parts, fmt.Sprintf("%s to %s expected", screen.Number(o.Range[0]), screen.Number(o.Range[1])))
	}
	if o.Scale == functions.Log {
		parts = append(parts, "by factors")
	}
	if o.Noise > 0 {
		parts = append(parts, "noise "+screen.Number(o.Noise))
	}
	if parts == nil {
		return "nothing is expected of it"
	}
	return strings.Join(parts, ", ")
}

// lacks tells how many results lack an objective that was added after them.
func (t turn) lacks() string {
	n := 0
	for _, it := range t.State.Iterations {
		if it.Waits() {
			n++
		}
	}
	switch n {
	case 0:
		return ""
	case 1:
		return "1 earlier result lacks an objective: enter on the screen before tells it."
	}
	return fmt.Sprintf("%d earlier results lack an objective: enter on the screen before tells them.", n)
}

// fields are those of the form in w columns, and below them what there is to know of the one that is typed.
func (t turn) fields(w int) (lines []string) {
	st, f := t.Style, t.form
	label := 0
	for _, d := range f.fields {
		label = max(label, len(d.label))
	}
	for i, d := range f.fields {
		mark, color := "  ", st.Dim
		if i == f.at {
			mark, color = st.PaintBold(st.Accent, st.Pointer()+" "), st.Text
		}
		room := max(w-4-label, 4)
		text := st.Paint(st.Text, layout.ShortenIn(st, st.Plain(*d.of(&f.draft)), room))
		switch {
		case i == f.at && d.choices != nil:
			text = st.PaintBold(st.Accent, layout.ShortenIn(st, st.Plain("< "+*d.of(&f.draft)+" >"), room))
		case i == f.at:
			text = f.input.View(room - 1)
		case *d.of(&f.draft) == "":
			text = st.Paint(st.Faint, st.Plain("······"))
		}
		lines = append(lines, layout.Fit(mark+st.Paint(color, d.label), label+2)+"  "+text)
	}
	lines = append(append(lines, ""), layout.Paragraph(st, st.Dim, f.fields[f.at].help, w)...)
	if _, err := f.draft.Declared(t.State); err != nil && (f.tried || f.draft.Name != "" && f.at > 0) {
		lines = append(append(lines, ""), layout.Paragraph(st, st.Error, err.Error(), w)...)
	}
	return lines
}
