package player

import (
	"fmt"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"bandscope/optimizers/param"
	"bandscope/tui/explore/modes"
	"bandscope/tui/palette"
)

// Entries are the parameters that can be edited, for the palette.
func Entries(m Screen) []palette.Entry {
	return palette.Parameters(m.Scene().Params.Set, func(d param.Decl) tea.Cmd { return EditParameter(m, d.Key) })
}

// Number is the entry of the step of a number, or of the page in a lesson, for the palette.
func Number(m Screen, n int) (palette.Entry, bool) {
	if n < 0 {
		return palette.Entry{}, false
	}
	p := m.player()
	if p.record.Lesson() != nil {
		e := palette.Entry{Name: fmt.Sprint("go to page ", n), Kind: palette.Command,
			About: "show the page of this number", Do: func() tea.Cmd { return Do(m, p.goTo(n-1)) }}
		if last := len(p.Line.Stops); n > last {
			e.Disabled = fmt.Sprint("the last page is ", last)
		}
		return e, n > 0
	}
	e := palette.Entry{Name: "go to " + p.Unit + " " + strconv.Itoa(n), Kind: palette.Command,
		About: "show the " + p.Unit + " of this number, or the last one before it",
		Do:    func() tea.Cmd { return Do(m, p.goToStep(n)) }}
	if last := p.Line.Stops[len(p.Line.Stops)-1].Step; n > last {
		e.Disabled = fmt.Sprintf("the last %s is %d", p.Unit, last)
	}
	return e, true
}

// EditParameter opens the editor with the field of the parameter of a key.
func EditParameter(m Screen, key string) tea.Cmd {
	return tea.Batch(Start(m, modes.NewParameterMode), Send(m, modes.SelectParameter{Key: key}))
}
