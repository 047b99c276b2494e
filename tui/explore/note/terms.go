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
		lines := []string{" " + st.PaintBold(st.Accent, st.Plain(term.Name))}
		if brief {
			lines = append(lines, definition(st, term.First(), "", w)...)
		} else {
			lines = append(lines, definition(st, term.Definition, term.Formula, w)...)
		}
		gap := min(body.H, 1)
		if body.H+gap+len(lines) > h-2 {
			continue
		}
		body.Below(layout.Space(0, gap)).Below(termBox(term, lines, w))
	}
	if body.H == 0 {
		return nil
	}
	return layout.Panel(st, "terms", body, w, h, false).
		Section("terms", "", "The terms of the text above, and terms related to them, as the glossary explains them.")
}

// definition is a text, and a formula if it is not empty, in lines for a panel of w columns.
func definition(st theme.Style, text, formula string, w int) []string {
	lines := layout.Paragraph(st, st.Text, text, w-4)
	if formula != "" {
		lines = append(lines, layout.Paragraph(st, st.Dim, formula, w-4)...)
	}
	return lines
}

// termBox is a term in lines, for a panel of w columns.
func termBox(term glossary.Term, lines []string, w int) *layout.Box {
	return layout.Text(w-2, lines...).Prose(term.Name, term.Name,
		fmt.Sprintf("The term %s. %s", term.Name, term.First()))
}

// markedTerm is the first term of the glossary that a text marks; nil if there is none.
func markedTerm(source string) *glossary.Term {
	for _, text := range widget.MarkedTerms(source) {
		if terms := glossary.In(text); len(terms) > 0 {
			return &terms[0]
		}
	}
	return nil
}

// minFree is how many rows below a text have room for a term.
const minFree = 6

// termPart explains the term of the page in the rows below its text: by its first sentence, and by its formula unless a
// question is open. It is nil if there is none, or not enough room.
func (b *Panel) termPart(st theme.Style, t Page, w, h int) *layout.Part {
	free := h - 2 - len(b.lines)
	if b.term == nil || free < minFree {
		return nil
	}
	formula := b.term.Formula
	if t.Asks {
		formula = ""
	}
	lines := definition(st, b.term.First(), formula, w)
	if len(lines)+2 > free { // below an empty row and the title
		return nil
	}
	return &layout.Part{Title: b.term.Name, Body: termBox(*b.term, lines, w)}
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
