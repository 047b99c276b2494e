package modes

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/sessions/lesson/glossary"
	"bandscope/tui/explore/mode"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// Belief is the part of a fit that a ParameterPanel shows.
type Belief struct {
	Facts   []optimizers.Fact // fitted values
	Choices []optimizers.Fact // the kernel and the acquisition function in words
	Folded  bool              // parameters that are not at their defaults are not listed
}

// isEmpty reports whether nothing is fitted, so that the panel has room for all parameters.
func (b Belief) isEmpty() bool { return len(b.Facts)+len(b.Choices) == 0 }

// editKey is the key that edits the parameters.
const editKey = "e"

// ParameterPanel shows the belief while no parameter is edited: the fitted values, the model in words, and those
// parameters that are not at their defaults, as far as they fit; the last line counts the other parameters.
func ParameterPanel(s mode.Scene, b Belief, w, h int) *layout.Box {
	decls, body := s.Params.Decls(), layout.New(w-2, 0)
	room, shown := h-2, 0
	if h < ParameterRows(s, b, w) || !b.isEmpty() && len(decls) > 0 {
		room-- // for the line that counts parameters
	}
	for i, group := range parameterRows(s, b, w) {
		for k, box := range group {
			if k == 0 && body.H > 0 {
				box = layout.Column(layout.Space(w-2, 1), box)
			}
			if body.H+box.H > room {
				room = 0
				break
			}
			body.Below(box)
			if i == changedGroup {
				shown++
			}
		}
	}
	if hidden := len(decls) - shown; hidden > 0 && h > 2 {
		body.Below(settingsLine(s, hidden, shown > 0, w))
	}
	title := s.Params.Name
	if n := len(s.State.Iterations); n > 0 && len(b.Facts) > 0 {
		results := widget.Count(n, "result")
		title = layout.FirstFit(s.Style, w-layout.TitleRoom, title+" fitted to "+results, title+", "+results, title)
	}
	return layout.Panel(s.Style, title, body, w, h, false).
		Section(s.Params.Name, "surrogate", describeParameters(s.Params))
}

// settingsLine counts the parameters that are not shown, and names the key that shows them.
func settingsLine(s mode.Scene, hidden int, more bool, w int) *layout.Box {
	noun := "setting"
	if more {
		noun = "more setting"
	}
	box := row(w, s.Style.Paint(s.Style.Dim, fmt.Sprintf("%s (%s)", widget.Count(hidden, noun), editKey))).
		Prose("settings", "", fmt.Sprintf("%s, of which %d %s not at the default. Press %s to see all, with their meaning, range and source.",
			widget.Count(len(s.Params.Decls()), "parameter"), changed(s.Params),
			map[bool]string{true: "is", false: "are"}[changed(s.Params) == 1], editKey))
	box.Actions = []layout.Action{{Help: "edit the settings", Want: widget.EditParameter{Key: s.Params.Decls()[0].Key}}}
	return box
}

// ParameterRows is how many rows a ParameterPanel of w columns needs to show everything.
func ParameterRows(s mode.Scene, b Belief, w int) int {
	rows, content := 2, 0
	if !b.isEmpty() && len(s.Params.Decls()) > 0 {
		rows++
	}
	for _, group := range parameterRows(s, b, w) {
		for k, box := range group {
			if k == 0 && content > 0 {
				content++
			}
			content += box.H
		}
	}
	return rows + content
}

// changedGroup is the index of the parameters among the groups of rows.
const changedGroup = 2

// parameterRows are the rows of a panel of w columns, in groups: the fitted values, the model in words, and the
// parameters that are not at their defaults; without a fit, all.
func parameterRows(s mode.Scene, b Belief, w int) (groups [changedGroup + 1][]*layout.Box) {
	groups[0] = factRows(s, b.Facts, w)
	for _, f := range b.Choices {
		short, _, _ := strings.Cut(f.Value, ", ")
		box := valueEntry(s.Style, " ", s.Style.Dim, s.Style.Text, w, []string{f.Name},
			[]string{s.Style.Plain(f.Value), s.Style.Plain(short)})
		for _, d := range s.Params.Decls() {
			if label(d) == f.Name {
				box.Actions = editAction(d)
			}
		}
		groups[1] = append(groups[1], describeFact(box, f, s))
	}
	for _, d := range s.Params.Decls() {
		if v := s.Params.Value(d.Key); b.isEmpty() || v != d.Default && !b.Folded {
			box := entry(s.Style, s.Params, d, w, nil).
				Describe(layout.Number, label(d), term(d), func() string { return ValueText(d, v) })
			box.Actions = editAction(d)
			groups[changedGroup] = append(groups[changedGroup], box)
		}
	}
	return groups
}

// editAction edits a parameter.
func editAction(d param.Decl) []layout.Action {
	return []layout.Action{{Help: "edit " + label(d), Want: widget.EditParameter{Key: d.Key}}}
}

// describeParameters describes the panel.
func describeParameters(p mode.Params) string {
	n := len(p.Decls())
	text := "The belief of " + p.Title + ". Bars are on logarithmic scales over the range of the fit: ● is the value, ━ the central 90 % of its posterior draws."
	if n == 0 {
		return text
	}
	return fmt.Sprintf("%s Of its %s, %d differ from the default.", text, widget.Count(n, "parameter"),
		changed(p))
}

// changed is how many parameters are not at their defaults.
func changed(p mode.Params) (n int) {
	for _, d := range p.Decls() {
		if p.Value(d.Key) != d.Default {
			n++
		}
	}
	return n
}

// row is a line of a panel of w columns.
func row(w int, line string) *layout.Box { return layout.Text(w-2, " "+line) }

// valueEntry is a value behind its name in a panel of w columns: in a line, or below the name if the line is too short.
// The mark is in the first column. Of names and values the first ones that fit are taken.
func valueEntry(st theme.Style, mark string, name, value theme.Color, w int, names, values []string) *layout.Box {
	room := w - 4 // of both, without the blanks at the edges
	if n, v, ok := inLine(room, names, values); ok {
		return layout.Text(w-2, mark+layout.Fit(st.Paint(name, n), room-ansi.StringWidth(v))+st.Paint(value, v))
	}
	lines := []string{mark + st.Paint(name, layout.FirstFit(st, room, names...))}
	for i, l := range wrapValue(values[0], max(room-2, 1)) {
		if i == maxValueRows {
			lines[i] += st.Paint(value, st.Plain("…"))
			break
		}
		lines = append(lines, "   "+st.Paint(value, l))
	}
	return layout.Text(w-2, lines...)
}

// wrapValue breaks a value into lines, but not between a sign and its number.
func wrapValue(value string, w int) []string {
	const sign = "\u2212" // at which no line ends
	lines := layout.Wrap(strings.ReplaceAll(value, " -", " "+sign), w)
	for i, l := range lines {
		lines[i] = strings.ReplaceAll(l, sign, "-")
	}
	return lines
}

// inLine are the first of some names and values that fit into a line of so many columns.
func inLine(room int, names, values []string) (name, value string, ok bool) {
	for _, v := range values {
		for _, n := range names {
			if ansi.StringWidth(n)+1+ansi.StringWidth(v) <= room {
				return n, v, true
			}
		}
	}
	return "", "", false
}

// maxValueRows is how many rows of its own a value has at most.
const maxValueRows = 4

// shortNames are a name and the same name without what it says in parentheses.
func shortNames(name string) []string {
	short, _, _ := strings.Cut(name, " (")
	return []string{name, short}
}

// entry is a parameter with its value in a panel of w columns; e is its editor, nil for none.
func entry(st theme.Style, p mode.Params, d param.Decl, w int, e *ParameterMode) *layout.Box {
	v := p.Value(d.Key)
	mark := " "
	text := d.Format(v)
	color := st.Text
	name := st.Dim
	if v != d.Default {
		color = st.Accent
	}
	if e != nil {
		mark, name = st.PaintBold(st.Accent, st.Pointer()), st.Accent
		if e.field.Open() {
			text = e.field.View(max((w-4)*2/3, 8))
		}
	}
	return valueEntry(st, mark, name, color, w, shortNames(st.Plain(label(d))), []string{st.Plain(text)})
}

// maxHelp is how many words of a parameter's help a description quotes.
const maxHelp = 38

// ValueText describes a parameter with its value.
func ValueText(d param.Decl, value any) string {
	now := fmt.Sprintf("is %s instead of %s, the default", d.Format(value), d.Format(d.Default))
	if value == d.Default {
		now = fmt.Sprintf("is %s, the default", d.Format(value))
	}
	return fmt.Sprintf("The parameter %s %s. %s.", label(d), now, layout.Excerpt(d.Help, maxHelp))
}

// label names a parameter on one line.
func label(d param.Decl) string { return strings.Join(strings.Fields(d.Label), " ") }

// term is the glossary term in a label, without its symbol.
func term(d param.Decl) string {
	var words []string
	for _, w := range strings.Fields(d.Label) {
		if utf8.RuneCountInString(w) > 2 && !strings.Contains(w, "_") {
			words = append(words, w)
		}
	}
	if t, ok := glossary.Lookup(strings.Join(words, " ")); ok {
		return t.Name
	}
	return ""
}
