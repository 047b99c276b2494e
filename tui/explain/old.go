package explain

import (
	"bandscope/tui/layout"
	"bandscope/tui/plot"
)

// Old is the frame of a page that still draws lines and finds in them what it tells.
func Old(w int, lines []string, elements func() []Element) *layout.Box {
	b := layout.Text(w, lines...)
	b.Lazy = func() (list []*layout.Box) {
		for _, e := range elements() {
			c := layout.New(w, len(lines)).Tell(kinds[e.Kind], e.Name, e.Term, layout.Said(e.Says))
			c.Cells = func() []plot.Span { return e.Where() }
			list = append(list, c)
		}
		return list
	}
	return b
}

var kinds = map[Kind]layout.Kind{Mark: layout.Mark, Number: layout.Number, Axis: layout.Axis, Prose: layout.Prose, Panel: layout.Section}
