package compare

import (
	"fmt"
	"strings"

	"bandscope/optimizers"
	"bandscope/tui/layout"
	"bandscope/tui/picture"
	"bandscope/tui/widget"
)

// theories shows the theory of the covariance functions: information gain, eigenvalues, and the evidence if there is
// one.
func (m *Model) theories(w, h int) *layout.Box {
	t := picture.Theories{Style: m.Style}
	for i, p := range m.panes {
		if theory := theoryFor(p); theory != nil {
			t.Add(theory, m.Style.Series[i], letter(i), i == m.selected)
		}
	}
	kinds := []picture.TheoryKind{picture.Gain, picture.Eigenvalues}
	if t.Has(picture.Evidence) && w >= 100 {
		kinds = append(kinds, picture.Evidence)
	}
	all := layout.New(0, h)
	for i, kind := range kinds {
		width := w*(i+1)/len(kinds) - w*i/len(kinds)
		body := layout.Text(width-2, t.Lines(kind, width-2, h-2)...)
		term, says, courses := m.describeTheory(kind)
		if courses != "" {
			body.Describe(layout.Axis, "traces", term, layout.Static(courses))
		}
		title := t.Title(kind, width)
		all.Beside(layout.Panel(m.Style, title, body, width, h, false).Section(title, term, says))
	}
	return all
}

// describeTheory describes a panel of the theory: that of the selected pane in full, and the ends of the traces of all
// panes.
func (m *Model) describeTheory(kind picture.TheoryKind) (term, says, courses string) {
	shown := m.selected
	for i, p := range m.panes { // the selected one, or one that has it
		t := theoryFor(p)
		if had := theoryFor(m.panes[shown]); t != nil &&
			(had == nil || kind == picture.Evidence && had.Evidence == nil && t.Evidence != nil) {
			shown = i
		}
	}
	says, term, left, under := picture.DescribeTheory(theoryFor(m.panes[shown]), kind)
	says = fmt.Sprintf("Pane %s: %s", letter(shown), strings.ToLower(says[:1])+says[1:])
	if left == "" {
		return term, says, ""
	}
	var ends []string
	for i, p := range m.panes {
		if t := theoryFor(p); t != nil && kind != picture.Evidence {
			values := map[picture.TheoryKind][]float64{picture.Gain: t.Gain, picture.Eigenvalues: t.Eigenvalues}[kind]
			if n := len(values); n > 0 {
				ends = append(ends, letter(i)+" "+widget.Number(values[n-1]))
			}
		}
	}
	courses = left + " " + under
	if len(ends) > 0 {
		courses = fmt.Sprintf("The traces of the panes end at their letters: %s. %s", strings.Join(ends, ", "),
			courses)
	}
	return term, says, courses
}

// theoryFor is the theory of a pane; nil where it has none.
func theoryFor(p *pane) *optimizers.Theory {
	if p.posterior == nil {
		return nil
	}
	return p.posterior.Theory
}
