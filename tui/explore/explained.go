package explore

import (
	"bandscope/tui/explain"
	"bandscope/tui/explore/picture"
)

// Elements tells what is seen.
func (m *Model) Elements() []explain.Element {
	return m.picture().Elements(m.stage(), 0, picture.HeadRows)
}
