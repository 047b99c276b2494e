package widget

import (
	"image"

	"charm.land/bubbles/v2/textinput"
	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/layout"
)

// InputBox is an input field of w columns with the terminal's cursor in it. Of a longer text it shows the part before
// the cursor; while the text is empty, it shows empty, which may be painted. It does not use the view of Bubbles, which
// hides the cursor in the middle of a long text.
func InputBox(in textinput.Model, w int, empty string) *layout.Box {
	value := []rune(in.Value())
	from := 0
	cursor := in.Position()
	for ansi.StringWidth(string(value[from:cursor])) >= max(w, 1) {
		from++
	}
	if shown := string(value[from:]); shown != "" {
		empty = ansi.Truncate(shown, w, "")
	}
	b := layout.Text(w, empty)
	b.Cursor = &image.Point{X: ansi.StringWidth(string(value[from:cursor]))}
	return b
}
