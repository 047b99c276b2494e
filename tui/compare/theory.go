package compare

import (
	"fmt"
	"strings"

	"bandscope/optimizers"
	"bandscope/tui/belief"
	"bandscope/tui/belief/told"
	"bandscope/tui/layout"
	"bandscope/tui/screen"
)

// theories shows what the covariance functions say: information gain, eigenvalues, and the evidence where there is one.
func (m *Model) theories(w, h int) *layout.Box {
	t := belief.Theories{Style: m.Style}
	for i, p := range m.panes {
		if of := theoryOf(p); of != nil {
			t.Add(of, m.Style.Series[i], letter(i), i == m.selected)
		}
	}
	kinds := []belief.TheoryKind{belief.Gain, belief.Eigenvalues}
	if t.Has(belief.Evidence) && w >= 100 {
		kinds = append(kinds, belief.Evidence)
	}
	all := layout.New(0, h)
	for i, kind := range kinds {
		width := w*(i+1)/len(kinds) - w*i/len(kinds)
		body := layout.Text(width-2, t.Lines(kind, width-2, h-2)...)
		term, says, courses := m.theorySays(kind)
		if courses != "" {
			body.Describe(layout.Axis, "courses", term, layout.Static(courses))
		}
		all.Beside(layout.Panel(m.Style, t.Title(kind), body, width, h, false).Section(t.Title(kind), term, says))
	}
	return all
}

// theorySays describes a panel of the theory: that of the selected pane in full, and where the courses of the others end.
func (m *Model) theorySays(kind belief.TheoryKind) (term, says, courses string) {
	shown := m.selected
	for i, p := range m.panes { // the selected one, or one that has it
		t := theoryOf(p)
		if had := theoryOf(m.panes[shown]); t != nil && (had == nil || kind == belief.Evidence && had.Evidence == nil && t.Evidence != nil) {
			shown = i
		}
	}
	says, term, left, under := told.Theory(theoryOf(m.panes[shown]), kind)
	says = fmt.Sprintf("Of pane %s: %s", letter(shown), strings.ToLower(says[:1])+says[1:])
	if left == "" {
		return term, says, ""
	}
	var ends []string
	for i, p := range m.panes {
		if t := theoryOf(p); t != nil && kind != belief.Evidence {
			values := map[belief.TheoryKind][]float64{belief.Gain: t.Gain, belief.Eigenvalues: t.Eigenvalues}[kind]
			if n := len(values); n > 0 {
				ends = append(ends, letter(i)+" "+screen.Number(values[n-1]))
			}
		}
	}
	courses = left + " " + under
	if len(ends) > 0 {
		courses = fmt.Sprintf("The courses of the panes end at their letters: %s. %s", strings.Join(ends, ", "), courses)
	}
	return term, says, courses
}

// theoryOf is the theory of a pane; nil where it has none.
func theoryOf(p *pane) *optimizers.Theory {
	if p.picture == nil {
		return nil
	}
	return p.picture.Theory
}
