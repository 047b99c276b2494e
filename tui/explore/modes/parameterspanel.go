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
	"bandscope/tui/picture"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// ParameterPanel shows the parameters while none is edited, and below them the facts, one per line, in at most a third
// of the panel.
func ParameterPanel(s mode.Scene, facts []optimizers.Fact, w, h int) *layout.Box {
	st, decls := s.Style, s.Params.Decls()
	a := arranged(len(decls), len(facts), h-2)
	body := layout.New(w-2, 0)
	for _, d := range decls[:a.params] {
		r := row(w, line(st, s.Params, d, w-4, nil)).
			Describe(layout.Number, label(d), term(d), func() string { return ValueText(d, s.Params.Value(d.Key)) })
		r.Actions = []layout.Action{{Help: "edit " + label(d), Want: widget.EditParameter{Key: d.Key}}}
		body.Below(r)
	}
	if a.more > 0 {
		body.Below(row(w, st.Paint(st.Faint, st.Plain(fmt.Sprintf("  … %d more: e", a.more)))).
			Prose("more parameters", "",
				fmt.Sprintf("The panel is too small for %s. Press e to see all %d, with their meaning, range and "+
					"source.", widget.Count(a.more, "more parameter"), len(decls))))
	}
	if a.facts > 0 {
		body.Below(layout.Space(0, 1))
	}
	for _, f := range facts[:a.facts] {
		fact := row(w, factLine(st, f, w-4)).
			Describe(layout.Number, f.Name, "", func() string {
				says, _ := picture.DescribeFact(f, s.State)
				return says
			})
		fact.TermOf = func() string { _, term := picture.DescribeFact(f, s.State); return term }
		body.Below(fact)
	}
	return layout.Panel(st, s.Params.Name, body, w, h, false).
		Section(s.Params.Name, "surrogate", describeParameters(s.Params))
}

// describeParameters describes the panel.
func describeParameters(p mode.Params) string {
	n := len(p.Decls())
	switch changed := changed(p); {
	case n == 0:
		return p.Title + " has no parameters."
	case changed > 0:
		return fmt.Sprintf("The parameters of %s and its fitted values: %d of %d differ from their defaults and are "+
			"highlighted. Press e to edit them.", p.Title, changed, n)
	}
	return fmt.Sprintf("The parameters of %s and its fitted values: all %d are at their defaults. Press e to edit "+
		"them.", p.Title, n)
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

// factLine is a fitted value, in w columns.
func factLine(st theme.Style, f optimizers.Fact, w int) string {
	value, room := st.Plain(f.Value), max(w-12, 0)
	if _, bounds, ok := strings.Cut(value, " ("); ok && ansi.StringWidth(value) > room && strings.Count(value, " ") == 1 {
		value = strings.TrimSuffix(bounds, ")") // of a median with its range, the range
	}
	value = layout.ShortenIn(st, value, room)
	name := layout.ShortenIn(st, st.Plain(f.Name), max(w-3-ansi.StringWidth(value), 4))
	return layout.Fit("  "+st.Paint(st.Faint, name), w-ansi.StringWidth(value)) + st.Paint(st.Dim, value)
}

// arrangement is the number of parameters and facts that fit into the panel; more is the number of hidden parameters,
// which a line of its own shows.
type arrangement struct{ params, more, facts int }

// arranged arranges parameters and facts in so many lines.
func arranged(params, facts, room int) (a arrangement) {
	a.facts = min(facts, max(room/3, 0))
	space := room - a.facts
	if a.facts > 0 {
		space--
	}
	a.params = min(params, max(space, 0))
	if a.params > 0 && a.params < params {
		a.params--
		a.more = params - a.params
	}
	return a
}

// line is a parameter with its value, in w columns; e is its editor, nil for none.
func line(st theme.Style, p mode.Params, d param.Decl, w int, e *ParameterMode) string {
	v := p.Value(d.Key)
	mark, text, color := "  ", layout.ShortenIn(st, d.Format(v), max(w-8, 8)), st.Text
	if v != d.Default {
		color = st.Accent
	}
	if e != nil {
		mark = st.PaintBold(st.Accent, st.Pointer()+" ")
		if e.field.Open() {
			text = e.field.View(max(w*2/3, 8))
		}
	}
	value := st.Paint(color, text)
	name := st.Paint(st.Dim, layout.ShortenIn(st, st.Plain(d.Label), max(w-3-ansi.StringWidth(text), 4)))
	return layout.Fit(mark+name, w-ansi.StringWidth(value)) + value
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
