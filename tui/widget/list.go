package widget

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// List is a list of a screen M with a selected row, as its keys need it.
type List[M any] struct {
	Shown, Does string                            // the keys and what they do, in the help
	Long        string                            // what they do at more length
	Up, Down    string                            // names of keys, with spaces between
	Row         func(M) (selected *int, rows int) // the selected row, and how many there are
	First       int                               // number of the first row
	Ends        [2]string                         // why the keys do nothing at the first and the last row; empty for no reason
	Round       bool                              // from the last row to the first
	Only        string                            // why the keys do nothing where there is no other row, in a list that goes round
	ShowsDown   bool                              // the help shows the key for the row below
	Off         func(M) string                    // why the keys do nothing at all; nil for none
	Then        func(M) tea.Cmd                   // after the selection has changed; nil for nothing
}

// Commands are the commands for the row above and the row below.
func (l List[M]) Commands() []Command[M] {
	if l.ShowsDown {
		return []Command[M]{l.step(l.Shown, l.Down, +1).Long(l.Long), l.step("", l.Up, -1)}
	}
	return []Command[M]{l.step(l.Shown, l.Up, -1).Long(l.Long), l.step("", l.Down, +1)}
}

// Pages are the commands for a page up and down, of so many rows.
func (l List[M]) Pages(rows func(M) int) []Command[M] {
	page := func(shown, key string, sign int) Command[M] {
		return NewCommand(Bind(shown, "scroll a page", key), l.Off, func(m M) tea.Cmd {
			selected, _ := l.Row(m)
			return l.Choose(m, *selected+sign*rows(m))
		})
	}
	return []Command[M]{page("pgup/pgdn", "pgup", -1), page("", "pgdown", +1)}
}

func (l List[M]) step(shown, keys string, delta int) Command[M] {
	off := func(m M) string {
		if l.Off != nil {
			if why := l.Off(m); why != "" {
				return why
			}
		}
		selected, rows := l.Row(m)
		switch {
		case l.Round && rows-l.First < 2:
			return l.Only
		case l.Round:
		case delta < 0 && *selected <= l.First:
			return l.Ends[0]
		case delta > 0 && *selected >= rows-1:
			return l.Ends[1]
		}
		return ""
	}
	return NewCommand(Bind(shown, l.Does, strings.Fields(keys)...), off, func(m M) tea.Cmd {
		selected, rows := l.Row(m)
		next := *selected + delta
		if l.Round && rows > 0 {
			next = (next + rows) % rows
		}
		return l.Choose(m, next)
	})
}

// Choose selects a row, or the nearest one.
func (l List[M]) Choose(m M, row int) tea.Cmd {
	selected, rows := l.Row(m)
	*selected = max(min(row, rows-1), l.First)
	if l.Then == nil {
		return nil
	}
	return l.Then(m)
}

// Top is the first of the rows of a list that are shown, around the selected one.
func Top(selected, rows, shown int) int { return min(max(selected-shown/2, 0), max(rows-shown, 0)) }
