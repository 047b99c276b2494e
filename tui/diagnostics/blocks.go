package diagnostics

import (
	"fmt"
	"math"
	"strings"

	"bandscope/sessions/diagnostics"
	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

func init() { panels = append(panels, panel{(*CheckPage).blockRows, (*CheckPage).blocks}) }

// maxBlocks bounds the blocks that are drawn: the last ones.
const maxBlocks = 8

// blockRows are the rows of the panel, one for each block; none without blocks.
func (m *CheckPage) blockRows(int) layout.Rule {
	o := m.objective()
	if o != nil && o.NoBlocks != "" {
		return layout.Fixed(4)
	}
	if o == nil || o.Blocks == nil {
		return layout.Rule{}
	}
	return layout.Fixed(min(len(o.Blocks.Shifts), maxBlocks) + 2)
}

// blocks draws the shift of each block with its 95 % interval.
func (m *CheckPage) blocks(w, h int) *layout.Box {
	st, o := m.Style, m.objective()
	b := o.Blocks
	const title = "shifts of the blocks"
	if b == nil {
		return layout.EmptyPanel(st, title, o.NoBlocks, w, h, "block",
			"What the results of a plate or a day have in common appears here.", o.NoBlocks)
	}
	shown := b.Shifts[max(len(b.Shifts)-min(maxBlocks, max(h-2, 1)), 0):]
	name, value, far := 4, 0, 0.0
	for _, s := range shown {
		name = min(max(name, len([]rune(s.Name))), w/3)
		value = max(value, len([]rune(b.Format(s, o.Unit))))
		far = max(far, math.Abs(s.Low()), math.Abs(s.High()))
	}
	room := max(w-2-name-value-4, 0)
	below := room <= 4 && h-2 >= 2*len(shown) // the value is below the interval
	if below {
		room = max(w-2-name-3, 0)
	}
	body := layout.New(w-2, 0)
	for _, s := range shown {
		line := " " + st.Paint(st.Text, layout.Fit(layout.ShortenIn(st, st.Plain(sanitize.Text(s.Name)), name), name)) + " "
		if room > 4 {
			line += m.interval(s, far, room)
		}
		text := st.Paint(st.Text, layout.Fit(st.Plain(sanitize.Text(b.Format(s, o.Unit))), value))
		says := sanitize.Text(b.Describe(s, o.Unit))
		if below {
			body.Below(layout.Text(w-2, line).Number(s.Name, "block", says))
			line = "  "
		}
		body.Below(layout.Text(w-2, line+" "+text).Number(s.Name, "block", says))
	}
	return layout.Panel(st, title, body, w, h, false).Section(title, "block", fmt.Sprintf("How much the results of each of "+
		"%s are shifted together, relative to %s, with the 95 %% interval; │ is no shift. The mean and the band of the model "+
		"are without these shifts.", widget.Count(len(b.Shifts), "block"), b.Reference()))
}

// interval draws an interval from −far to far in a number of cells.
func (m *CheckPage) interval(s diagnostics.BlockShift, far float64, room int) string {
	st := m.Style
	cell := func(v float64) int {
		return min(max(int(math.Round((v/far+1)/2*float64(room-1))), 0), room-1)
	}
	cells := []rune(strings.Repeat(" ", room))
	for i := cell(s.Low()); i <= cell(s.High()); i++ {
		cells[i] = '─'
	}
	cells[cell(0)] = '│'
	cells[cell(s.Mean)] = '●'
	color := st.Dim
	if s.Low() > 0 || s.High() < 0 {
		color = st.Data
	}
	return st.Paint(color, st.Plain(string(cells)))
}
