package plane

import (
	"bandscope/tui/explain"
	"bandscope/tui/explore/picture"
)

// Elements tells what is seen of the panel, whose corner stands in a column and row of the window.
func (p *Picture) Elements(s picture.Scene, left, top int) []explain.Element { return nil }
