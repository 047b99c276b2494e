package note

import (
	"fmt"
	"slices"

	"bandscope/sessions/lesson/glossary"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// TermsPanel explains the terms that a page uses, then terms related to these, as many as fit into w×h cells; nil if
// there are none, or none fits. A brief panel has the first sentence of each definition.
func TermsPanel(st theme.Style, t Page, w, h int, brief bool) *layout.Box {
	body := layout.New(w-2, 0)
	for _, term := range related(t) {
		lines := []string{st.PaintBold(st.Accent, st.Plain(term.Name))}
		add := func(color theme.Color, text string) {
			for _, l := range layout.Wrap(st.Plain(text), w-4) {
				lines = append(lines, st.Paint(color, l))
			}
		}
		if brief {
			add(st.Text, term.First())
		} else {
			add(st.Text, term.Definition)
			add(st.Dim, term.Formula)
		}
		gap := min(body.H, 1)
		if body.H+gap+len(lines) > h-2 {
			continue
		}
		entry := layout.New(w-2, len(lines), layout.Text(w-4, lines...).At(1, 0)).
			Describe(layout.Prose, term.Name, term.Name,
				layout.Static(fmt.Sprintf("The term %s. %s", term.Name, term.First())))
		body.Below(layout.Space(0, gap)).Below(entry)
	}
	if body.H == 0 {
		return nil
	}
	return layout.Panel(st, "terms", body, w, h, false).
		Section("terms", "", "The terms of the text above, and terms related to them, as the glossary explains them.")
}

// maxTerms bounds the terms that are laid out.
const maxTerms = 24

// related are the terms of a page, then those that the glossary relates to them.
func related(t Page) []glossary.Term {
	text := ""
	for _, p := range t.Passages {
		text += " " + widget.PlainText(p.Text)
	}
	terms := glossary.In(text)
	for i := 0; i < len(terms) && len(terms) < maxTerms; i++ {
		for _, name := range terms[i].Related {
			if other, ok := glossary.Lookup(name); ok && !slices.ContainsFunc(terms, func(have glossary.Term) bool {
				return have.Name == other.Name
			}) {
				terms = append(terms, other)
			}
		}
	}
	return terms
}
