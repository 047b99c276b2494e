package modelcheck

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/stat"

	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// blockGlyphs are the marks of blocks, which differ in shape; the colours repeat.
var blockGlyphs = [maxBlocks]theme.Glyph{theme.GlyphFilled, theme.GlyphTriangle, theme.GlyphHollow, theme.GlyphSquare,
	theme.GlyphDiamond, theme.GlyphPlus, theme.GlyphDown, theme.GlyphCross}

// blockNames are the last maxBlocks blocks of the results, in the order in which they occur.
func (m *CheckPage) blockNames() (names []string) {
	o := m.objective()
	if o == nil {
		return nil
	}
	for _, d := range o.Data {
		if d.Block != "" && !slices.Contains(names, d.Block) {
			names = append(names, d.Block)
		}
	}
	return names[max(len(names)-maxBlocks, 0):]
}

// blockMark is the mark of the block at an index of blockNames; for one that is not among them, and for none, a dot.
func (m *CheckPage) blockMark(i int) (theme.Glyph, theme.Color) {
	if i < 0 {
		return theme.GlyphDot, m.Style.Data
	}
	return blockGlyphs[i], m.Style.Series[i%len(m.Style.Series)]
}

// blockGlyph is the mark of a block in the list of shifts, which is the legend of the residuals; a blank if the residuals
// are not drawn.
func (m *CheckPage) blockGlyph(name string) string {
	i := slices.Index(m.blockNames(), name)
	if i < 0 {
		return " "
	}
	shape, color := m.blockMark(i)
	return m.Style.Paint(color, m.Style.Glyph(shape))
}

// otherBlocks names the results without a block, and those of blocks that have no mark.
const otherBlocks = "other results"

// blockLegend is the name of a block in the legend, with its estimated shift.
func (m *CheckPage) blockLegend(name string) string {
	o := m.objective()
	if s, ok := m.shift(name); ok {
		name += ": " + o.Blocks.Format(s, o.Unit)
	}
	return sanitize.Text(name)
}

// shift is the estimated shift of a block.
func (m *CheckPage) shift(name string) (diagnostics.BlockShift, bool) {
	b := m.objective().Blocks
	if b == nil {
		return diagnostics.BlockShift{}, false
	}
	i := slices.IndexFunc(b.Shifts, func(s diagnostics.BlockShift) bool { return s.Name == name })
	if i < 0 {
		return diagnostics.BlockShift{}, false
	}
	return b.Shifts[i], true
}

// describeBlock describes the mark of a block, by its name in the legend; empty for another mark.
func (m *CheckPage) describeBlock(legend string) string {
	o := m.objective()
	if legend == otherBlocks {
		return fmt.Sprintf("Results without a block, and those of all but the last %s.", widget.Count(maxBlocks, "block"))
	}
	for _, name := range m.blockNames() {
		if legend != m.blockLegend(name) {
			continue
		}
		var z []float64
		for _, d := range o.Data {
			if d.Block == name {
				z = append(z, d.Z)
			}
		}
		mean := stat.Mean(z, nil)
		text := fmt.Sprintf("The results of %s (%d). Their residuals have a mean of %s standard deviations", sanitize.Text(name),
			len(z), widget.Number(mean))
		if s, ok := m.shift(name); ok {
			return text + ", beyond their common shift. " + sanitize.Text(o.Blocks.Describe(s, o.Unit))
		}
		return text + "; the model estimates no shift of blocks."
	}
	return ""
}
