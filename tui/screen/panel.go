package screen

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// border is the set of characters around a panel.
type border struct{ horizontal, vertical, topLeft, topRight, bottomLeft, bottomRight, teeLeft, teeRight string }

var (
	rounded = border{"─", "│", "╭", "╮", "╰", "╯", "├", "┤"}
	plain   = border{"-", "|", "+", "+", "+", "+", "+", "+"}
)

func borderOf(st theme.Style) border {
	if st.ASCII {
		return plain
	}
	return rounded
}

// Panel draws a frame of w×h cells with a title around the lines of a body, which are cut or padded to fit. The title may
// hold colours of its own. A focused panel has a brighter frame.
func Panel(st theme.Style, title string, body []string, w, h int, focused bool) []string {
	if w < 2 || h < 2 {
		return nil
	}
	b, color := borderOf(st), st.Border
	if focused {
		color = st.Accent
	}
	lines := make([]string, 0, h)
	lines = append(lines, rule(st, b.topLeft, b.topRight, b.horizontal, title, w, color))
	side := st.Paint(color, b.vertical)
	for i := range h - 2 {
		line := ""
		if i < len(body) {
			line = body[i]
		}
		lines = append(lines, side+layout.Fit(line, w-2)+side)
	}
	return append(lines, st.Paint(color, b.bottomLeft+strings.Repeat(b.horizontal, w-2)+b.bottomRight))
}

// Divide is the line between two parts of one panel: it joins the frame on both sides.
func Divide(st theme.Style, title string, w int) string {
	b := borderOf(st)
	return rule(st, b.teeLeft, b.teeRight, b.horizontal, title, w, st.Border)
}

// Bottom is the lower edge of a panel, with a text set into it that may hold colours.
func Bottom(st theme.Style, title string, w int) string {
	b := borderOf(st)
	return rule(st, b.bottomLeft, b.bottomRight, b.horizontal, title, w, st.Border)
}

// TitleRoom is how many columns of a panel its title has not.
const TitleRoom = layout.TitleRoom

// rule is a horizontal line with a title set into it.
func rule(st theme.Style, left, right, fill, title string, w int, color theme.Color) string {
	room := w - 2
	if title == "" || room < 5 {
		return st.Paint(color, left+strings.Repeat(fill, room)+right)
	}
	title = layout.ShortenIn(st, title, w-TitleRoom)
	rest := room - 3 - ansi.StringWidth(title)
	return st.Paint(color, left+fill+" ") + st.Paint(st.Title, title) + st.Paint(color, " "+strings.Repeat(fill, rest)+right)
}

// Beside joins blocks of lines side by side; blocks that are shorter than the first are padded.
func Beside(blocks ...[]string) []string {
	if len(blocks) == 0 {
		return nil
	}
	lines := make([]string, len(blocks[0]))
	for _, block := range blocks {
		width := 0
		for _, l := range block {
			width = max(width, ansi.StringWidth(l))
		}
		for i := range lines {
			if i < len(block) {
				lines[i] += block[i]
			} else {
				lines[i] += strings.Repeat(" ", width)
			}
		}
	}
	return lines
}

// Frame makes a window of exactly w×h cells from lines.
func Frame(lines []string, w, h int) string {
	if w <= 0 || h <= 0 {
		return ""
	}
	var s strings.Builder
	for i := range h {
		if i > 0 {
			s.WriteByte('\n')
		}
		if i < len(lines) {
			s.WriteString(layout.Fit(lines[i], w))
		} else {
			s.WriteString(strings.Repeat(" ", w))
		}
	}
	return s.String()
}
