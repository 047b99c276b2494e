package player

import (
	"fmt"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"bandscope/optimizers/param"
	"bandscope/tui/palette"
)

// Entries are the parameters that can be edited, for the palette.
func (p *Player) Entries() []palette.Entry {
	return palette.Parameters(p.screen.Scene().Params.Set, func(d param.Decl) tea.Cmd { return p.EditParameter(d.Key, true) })
}

// Number is the entry of the step of a number.
func (p *Player) Number(n int) (palette.Entry, bool) {
	if n < 0 {
		return palette.Entry{}, false
	}
	e := palette.Entry{Name: "go to " + p.Unit + " " + strconv.Itoa(n), Kind: palette.Command,
		About: "show the " + p.Unit + " of this number, or the last one before it",
		Do:    func() tea.Cmd { return p.GoToStep(n) }}
	if last := p.Line.Stops[len(p.Line.Stops)-1].Step; n > last {
		e.Disabled = fmt.Sprintf("the last %s is %d", p.Unit, last)
	}
	return e, true
}
