package screen

import (
	"cmp"

	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// mostTyped is how many words of what may be entered are told.
const mostTyped = 40

// ExplainBox is the line below the prompt, w columns wide, as a part of a frame.
func (p *prompt) ExplainBox(st theme.Style, w int) *layout.Box {
	line := layout.Text(w, layout.ShortenIn(st, p.Explain(st), w))
	if text := cmp.Or(p.reason, p.hint); text != "" {
		line.Prose("keys", "", "What may be typed: "+layout.Brief(text, mostTyped)+".")
	}
	return line
}
