package widget

import (
	"image"

	"charm.land/bubbles/v2/textinput"
	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/layout"
)

// InputBox is a field of w columns that is typed into, with the terminal's cursor in it: of what is longer than it, the
// part before the cursor. While it is empty another text stands there, which may be painted. The view of Bubbles is not
// asked: it leaves the cursor out of sight in the middle of a long text.
func InputBox(in textinput.Model, w int, empty string) *layout.Box {
	value, from, at := []rune(in.Value()), 0, in.Position()
	for ansi.StringWidth(string(value[from:at])) >= max(w, 1) {
		from++
	}
	if shown := string(value[from:]); shown != "" {
		empty = ansi.Truncate(shown, w, "")
	}
	b := layout.Text(w, empty)
	b.Cursor = &image.Point{X: ansi.StringWidth(string(value[from:at]))}
	return b
}
