package modes

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/sessions/lesson/glossary"
	"bandscope/tui/explore/mode"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// ParameterPanel shows the belief while no parameter is edited: the facts of the fit, with the number of results behind
// them, and below them as many of the parameters as fit.
func ParameterPanel(s mode.Scene, facts []optimizers.Fact, w, h int) *layout.Box {
	decls := s.Params.Decls()
	list, a := parameterEntries(s, facts, w), arrangement{}
	a.arrange(list[:len(decls)], list[len(decls):], h-2)
	body := layout.New(w-2, 0)
	for i, f := range facts[:a.facts] {
		fact := list[len(decls)+i].
			Describe(layout.Number, f.Name, "", func() string {
				says, _ := picture.DescribeFact(f, s.State)
				return says
			})
		fact.TermOf = func() string { _, term := picture.DescribeFact(f, s.State); return term }
		body.Below(fact)
	}
	if a.facts > 0 {
		body.Below(layout.Space(0, 1))
	}
	for i, d := range decls[:a.params] {
		list[i].Actions = []layout.Action{{Help: "edit " + label(d), Want: widget.EditParameter{Key: d.Key}}}
		body.Below(list[i].
			Describe(layout.Number, label(d), term(d), func() string { return ValueText(d, s.Params.Value(d.Key)) }))
	}
	if hidden := len(decls) - a.params; a.more {
		text := fmt.Sprintf("%s (%s)", widget.Count(hidden, "more setting"), editKey)
		body.Below(layout.Text(w-2, " "+s.Style.Paint(s.Style.Faint, text)).
			Prose("more parameters", "",
				fmt.Sprintf(
					"The panel is too small for %s. Press %s to see all %d, with their meaning, range and source.",
					widget.Count(hidden, "more parameter"), editKey, len(decls))))
	}
	title := s.Params.Name
	if n := len(s.State.Iterations); n > 0 && a.facts > 0 {
		title = layout.FirstFit(s.Style, w-layout.TitleRoom, title+" fitted to "+widget.Count(n, "result"), title)
	}
	return layout.Panel(s.Style, title, body, w, h, false).
		Section(s.Params.Name, "surrogate", describeParameters(s.Params))
}

// editKey is the key that edits the parameters.
const editKey = "e"

// ParameterRows is how many rows a ParameterPanel of w columns needs to show everything.
func ParameterRows(s mode.Scene, facts []optimizers.Fact, w int) int {
	rows := 2
	for _, d := range s.Params.Decls() {
		rows += valueRows(w, shortNames(label(d)), []string{d.Format(s.Params.Value(d.Key))})
	}
	for i, f := range facts {
		rows += valueRows(w, shortNames(f.Name), factValues(f.Value))
		if i == 0 {
			rows++
		}
	}
	return rows
}

// parameterEntries are the parameters, then the facts, in a panel of w columns.
func parameterEntries(s mode.Scene, facts []optimizers.Fact, w int) (list []*layout.Box) {
	for _, d := range s.Params.Decls() {
		list = append(list, entry(s.Style, s.Params, d, w, nil))
	}
	for _, f := range facts {
		list = append(list, factEntry(s.Style, f, w))
	}
	return list
}

// describeParameters describes the panel.
func describeParameters(p mode.Params) string {
	n := len(p.Decls())
	switch changed := changed(p); {
	case n == 0:
		return p.Title + " has no parameters."
	case changed > 0:
		return fmt.Sprintf(
			"The parameters of %s and its fitted values: %d of %d differ from their defaults and are highlighted. Press e to edit them.",
			p.Title, changed, n)
	}
	return fmt.Sprintf(
		"The parameters of %s and its fitted values: all %d are at their defaults. Press e to edit them.",
		p.Title, n)
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

// valueRows is how many rows a valueEntry has.
func valueRows(w int, names, values []string) int {
	room := w - 4
	if _, _, ok := inLine(room, names, values); ok {
		return 1
	}
	return 1 + min(len(wrapValue(values[0], max(room-2, 1))), maxValueRows)
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

// factEntry is a fitted value in a panel of w columns.
func factEntry(st theme.Style, f optimizers.Fact, w int) *layout.Box {
	return valueEntry(st, " ", st.Dim, st.Text, w, shortNames(st.Plain(f.Name)), factValues(st.Plain(f.Value)))
}

// factValues are a fitted value with its range, and shorter: of one value the range, of several their medians.
func factValues(value string) []string {
	_, bounds, ok := strings.Cut(value, " (")
	switch {
	case !ok:
		return []string{value}
	case strings.Count(value, " ") == 1:
		return []string{value, strings.TrimSuffix(bounds, ")")}
	}
	return []string{value, ranges.ReplaceAllString(value, "")}
}

// ranges are the ranges of values, behind them.
var ranges = regexp.MustCompile(` \([^)]*\)`)

// shortNames are a name and the same name without what it says in parentheses.
func shortNames(name string) []string {
	short, _, _ := strings.Cut(name, " (")
	return []string{name, short}
}

// arrangement is how many parameters and facts fit into the panel, and whether a line says how many parameters are
// hidden.
type arrangement struct {
	params, facts int
	more          bool
}

// arrange arranges parameters and facts in so many rows: facts have at most half of them.
func (a *arrangement) arrange(params, facts []*layout.Box, room int) {
	used := 0
	for _, f := range facts {
		if used+f.H > max(room/2, 0) {
			break
		}
		used += f.H
		a.facts++
	}
	if space := room - used; a.facts > 0 {
		room = space - 1
	}
	rows := 0
	for _, p := range params {
		rows += p.H
	}
	a.more = rows > room && room > 0
	if a.more {
		room--
	}
	rows = 0
	for _, p := range params {
		rows += p.H
		if rows > room {
			break
		}
		a.params++
	}
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
