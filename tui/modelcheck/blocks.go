package modelcheck

import (
	"fmt"
	"math"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"
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
	name := 4
	value := 0
	limit := 0.0
	for _, s := range shown {
		name = min(max(name, ansi.StringWidth(s.Name)), w/3)
		value = max(value, ansi.StringWidth(b.Format(s, o.Unit)))
		limit = max(limit, math.Abs(s.Low()), math.Abs(s.High()))
	}
	room := max(w-2-name-value-5, 0)
	below := room <= 4 && h-2 >= 2*len(shown) // the value is below the interval
	if below {
		room = max(w-2-name-4, 0)
	}
	body := layout.New(w-2, 0)
	for _, s := range shown {
		line := m.blockGlyph(s.Name) + " " +
			st.Paint(st.Text, layout.Fit(layout.ShortenIn(st, st.Plain(sanitize.Text(s.Name)), name), name)) + " "
		if room > 4 {
			color := st.Dim
			if s.Low() > 0 || s.High() < 0 {
				color = st.Data
			}
			line += chart.Bar{Low: s.Low(), High: s.High(), Mark: s.Mean, Scale: chart.Scale{From: -limit, To: limit}}.Text(st, room, color)
		}
		text := st.Paint(st.Text, layout.Fit(st.Plain(sanitize.Text(b.Format(s, o.Unit))), value))
		says := sanitize.Text(b.Describe(s, o.Unit))
		if below {
			body.Below(layout.Text(w-2, line).Number(s.Name, "block", says))
			line = "  "
		}
		body.Below(layout.Text(w-2, line+" "+text).Number(s.Name, "block", says))
	}
	return layout.Panel(st, title, body, w, h, false).Section(title, "block", fmt.Sprintf(
		"How much the results of each of %s are shifted together, relative to %s, with the 95 %% interval; │ is no shift. The mean and the band of the model are without these shifts.",
		widget.Count(len(b.Shifts), "block"), b.Reference()))
}
