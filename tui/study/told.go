package study

import "bandscope/tui/explain"

// Elements tells what is seen.
func (m *Model) Elements() []explain.Element { return nil }
