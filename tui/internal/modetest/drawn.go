package modetest

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/layout"
)

// Text is what a box draws, a line a row, without colours.
func Text(b *layout.Box) string {
	lines := strings.Split(ansi.Strip(layout.Render(b, b.W, b.H)), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}
