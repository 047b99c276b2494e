package screen

import (
	"image"
	"strings"

	"charm.land/bubbles/v2/textinput"
	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// Typed is a field of w columns that is typed into, with the terminal's cursor in it: of what is longer than it, the part before the cursor. While it is empty
// another text stands there, which may be painted. The view of Bubbles is not asked: it leaves the cursor out of sight in the middle of a long text.
func Typed(in textinput.Model, w int, empty string) *layout.Box {
	value, from, at := []rune(in.Value()), 0, in.Position()
	for ansi.StringWidth(string(value[from:at])) >= max(w, 1) {
		from++
	}
	if shown := string(value[from:]); shown != "" {
		empty = ansi.Truncate(shown, w, "")
	}
	b := layout.Text(w, empty)
	b.Cursor, b.Focus = &image.Point{X: ansi.StringWidth(string(value[from:at]))}, true
	return b
}

// Box is the status line as a part of a frame, w columns wide: what Line draws, and while text is asked for, with the cursor in it.
func (s *Status) Box(st theme.Style, w int, computed, own string) *layout.Box {
	if !s.Open() {
		return layout.Text(w, layout.Fit(s.Line(st, computed, own), w))
	}
	label := layout.Line(" " + st.Paint(st.Accent, s.label+": "))
	var keys []string
	for _, c := range promptCommands() {
		keys = append(keys, c.Help().Key+" "+c.Help().Desc)
	}
	what := layout.Line(st.Paint(st.Dim, "  "+strings.Join(keys, ", ")))
	room := max(w-label.W-what.W, min(leastTyped, w-label.W))
	return layout.Row(label, Typed(s.input, min(ansi.StringWidth(s.input.Value())+1, room), ""), what.Sized(w-label.W-room, 1)).Sized(w, 1)
}

// leastTyped is how many columns a text that is asked for has at least, where there are so many.
const leastTyped = 20
