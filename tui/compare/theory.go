package compare

import (
	"bandscope/tui/belief"
	"bandscope/tui/screen"
)

// theoryPanel shows what the covariance functions say: information gain, eigenvalues, and the evidence where there is one.
func (m *Model) theoryPanel(w, h int) []string {
	t := belief.Theories{Style: m.Style}
	for i, p := range m.panes {
		if p.picture != nil && p.picture.Theory != nil {
			t.Add(p.picture.Theory, m.Style.Series[i], letter(i), i == m.selected)
		}
	}
	parts := 2
	if t.Has(belief.Evidence) && w >= 100 {
		parts = 3
	}
	var blocks [][]string
	for i, kind := range []belief.TheoryKind{belief.Gain, belief.Eigenvalues, belief.Evidence}[:parts] {
		width := w*(i+1)/parts - w*i/parts
		blocks = append(blocks, screen.Panel(m.Style, t.Title(kind), t.Lines(kind, width-2, h-2), width, h, false))
	}
	return screen.Beside(blocks...)
}
