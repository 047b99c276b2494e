package layout

import (
	"strings"

	"charm.land/lipgloss/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/theme"
)

// TitleRoom is how many columns of a panel its title does not have.
const TitleRoom = 5

// BorderFor is the border of the panels of a style.
func BorderFor(st theme.Style) lipgloss.Border {
	if st.ASCII {
		return lipgloss.ASCIIBorder()
	}
	return lipgloss.RoundedBorder()
}

// Part is a part of a panel: the content below its title, which is in the upper edge of the panel or in a line across
// it.
type Part struct {
	Title string // plain text
	Body  *Box   // as high as the part; nil leaves it empty
	Box   *Box   // the whole part, its line included, to be described; made by Panel
}

// Inner is the size of the content of a panel of w×h cells.
func Inner(w, h int) (int, int) { return max(w-2, 0), max(h-2, 0) }

// Panel is a body in a border with a title in it, of w×h cells. Below two of either it is empty, because the border
// does not fit.
func Panel(st theme.Style, title string, body *Box, w, h int, focused bool) *Box {
	p := &Part{Title: title, Body: body}
	panel := SplitPanel(st, w, h, focused, p)
	panel.Kind, panel.Name = Section, title
	if p.Box != nil {
		p.Box.Kind, p.Box.Name = Group, ""
	}
	return panel
}

// EmptyPanel is a panel that says why there is nothing to draw in it; subject describes what it would show.
func EmptyPanel(st theme.Style, title, text string, w, h int, term, subject, why string) *Box {
	body := Space(0, 0)
	if text != "" {
		body = Column(Space(0, 1), Sentence(st, st.Dim, text, w-2, h-3).
			Prose("why it is empty", "", "Why nothing is drawn here: "+strings.TrimSuffix(why, ".")+"."))
	}
	return Panel(st, title, body, w, h, false).Section(title, term, subject)
}

// SplitPanel is a panel of parts below each other, each with its title; the last takes the remaining height. The box of
// each part can have its own description.
func SplitPanel(st theme.Style, w, h int, focused bool, parts ...*Part) *Box {
	panel := New(w, h)
	if w < 2 || h < 2 || len(parts) == 0 {
		return panel
	}
	color := st.Border
	if focused {
		color = st.Accent
	}
	border := BorderFor(st)
	panel.Draw = func(scr uv.Screen, area uv.Rectangle) { frame(scr, area, border, style(st, color)) }
	top := 0
	for i, p := range parts {
		high := h - 1 - top
		if i+1 < len(parts) {
			high = min(1, high)
			if p.Body != nil {
				high = min(1+p.Body.H, h-1-top)
			}
		}
		p.Box = New(w, high).At(0, top)
		if i+1 == len(parts) {
			p.Box.H = h - top // with the lower edge
		}
		p.Box.Kind, p.Box.Name = Section, p.Title
		if i > 0 {
			p.Box.Draw = across(st, border)
		}
		p.Box.Add(titled(st, p.Title, w))
		if p.Body != nil {
			inner := New(w-2, min(high-1, h-2-top), p.Body.At(0, 0)).At(1, 1)
			p.Box.Add(inner)
		}
		panel.Add(p.Box)
		top += high
	}
	return panel
}

// titled is a title in the upper edge of a part of w columns; nil if there is none, or it does not fit.
func titled(st theme.Style, title string, w int) *Box {
	if title == "" || w-2 < TitleRoom {
		return nil
	}
	title = ShortenIn(st, st.Plain(title), w-TitleRoom)
	b := Text(ansi.StringWidth(title)+2, " "+title+" ").Styled(st.Ink(st.Title)).At(2, 0)
	b.OpensMenu, b.Name = true, TitleName
	return b
}

// TitleName is the name of the box of a title, LegendName that of the box that holds the entries of a legend.
const TitleName, LegendName = "title", "legend"

// Foot is a styled text in the lower edge of a panel.
func Foot(st theme.Style, panel *Box, text string) *Box {
	text = ShortenIn(st, text, panel.W-TitleRoom)
	foot := Text(ansi.StringWidth(text)+2, " "+text+" ").At(2, panel.H-1)
	foot.Overlaps = true
	panel.Add(foot)
	return foot
}

// style is a colour as the style of a cell.
func style(st theme.Style, c theme.Color) uv.Style { return uv.Style{Fg: st.Color(c)} }

// frame draws a border along the edges of an area.
func frame(scr uv.Screen, area uv.Rectangle, b lipgloss.Border, look uv.Style) {
	set := func(x, y int, glyph string) { scr.SetCell(x, y, &uv.Cell{Content: glyph, Width: 1, Style: look}) }
	right, bottom := area.Max.X-1, area.Max.Y-1
	for x := area.Min.X + 1; x < right; x++ {
		set(x, area.Min.Y, b.Top)
		set(x, bottom, b.Bottom)
	}
	for y := area.Min.Y + 1; y < bottom; y++ {
		set(area.Min.X, y, b.Left)
		set(right, y, b.Right)
	}
	set(area.Min.X, area.Min.Y, b.TopLeft)
	set(right, area.Min.Y, b.TopRight)
	set(area.Min.X, bottom, b.BottomLeft)
	set(right, bottom, b.BottomRight)
}

// across draws the line between two parts of a panel into the first row of an area.
func across(st theme.Style, b lipgloss.Border) func(uv.Screen, uv.Rectangle) {
	look := style(st, st.Border)
	return func(scr uv.Screen, area uv.Rectangle) {
		set := func(x int, glyph string) {
			scr.SetCell(x, area.Min.Y, &uv.Cell{Content: glyph, Width: 1, Style: look})
		}
		for x := area.Min.X + 1; x < area.Max.X-1; x++ {
			set(x, b.Top)
		}
		set(area.Min.X, b.MiddleLeft)
		set(area.Max.X-1, b.MiddleRight)
	}
}

// Opaque is a box that hides everything under it.
func Opaque(b *Box) *Box {
	ground := Text(b.W, make([]string, b.H)...)
	for i := range ground.Lines {
		ground.Lines[i] = " "
	}
	under := New(b.W, b.H, ground, b)
	ground.Overlaps = true
	b.Overlaps = true
	under.Overlaps = true
	return under
}
