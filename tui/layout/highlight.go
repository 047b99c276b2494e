package layout

import (
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/lucasb-eyer/go-colorful"

	"bandscope/tui/theme"
)

// FillPage gives a canvas the palette's own text and page colours wherever it leaves these to the terminal. It is for a
// palette that was chosen against the terminal's background.
func FillPage(c *lipgloss.Canvas, st theme.Style) {
	fg, bg := st.Color(st.Text), st.Color(st.Page)
	if bg == nil {
		return
	}
	each(c, func(_, _ int, cell *uv.Cell) {
		if cell.Style.Fg == nil {
			cell.Style.Fg = fg
		}
		if cell.Style.Bg == nil {
			cell.Style.Bg = bg
		}
	})
}

// Underline underlines the cells of a rectangle, as those of a button under the mouse.
func Underline(c *lipgloss.Canvas, area uv.Rectangle) {
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if cell := c.CellAt(x, y); cell != nil && cell.Content != " " {
				cell.Style.Underline = uv.UnderlineSingle
			}
		}
	}
}

// each goes over the cells of a canvas.
func each(c *lipgloss.Canvas, do func(x, y int, cell *uv.Cell)) {
	for y := range c.Height() {
		for x := range c.Width() {
			if cell := c.CellAt(x, y); cell != nil && cell.Width > 0 {
				do(x, y, cell)
			}
		}
	}
}

// blocks are what areas are filled with: the two halves of a cell of a field, and blocks by eighths.
const blocks = "▀▁▂▃▄▅▆▇█"

// Highlight dims all cells of a canvas but those of the spans. Marks and sections among them keep their colours;
// numbers and texts, which are faint often, become bright, and where there is no colour to dim by, they are turned
// over.
func Highlight(c *lipgloss.Canvas, st theme.Style, spans []Span, kind Kind) {
	covered := make([]bool, c.Width()*c.Height())
	for _, s := range spans {
		for x := max(s.From, 0); s.Row >= 0 && s.Row < c.Height() && x < min(s.To, c.Width()); x++ {
			covered[s.Row*c.Width()+x] = true
		}
	}
	text, faint := st.Color(st.Text), st.Color(st.Border)
	each(c, func(x, y int, cell *uv.Cell) {
		switch {
		case !covered[y*c.Width()+x]:
			dim(st, faint, cell)
		case st.Tier == theme.NoColor:
			cell.Style.Attrs |= uv.AttrReverse
		case kind == Number || kind == Prose || kind == Axis:
			cell.Style = uv.Style{Fg: text, Attrs: uv.AttrBold}
		}
	})
}

// dim draws a cell in the background of attention: texts and lines in one faint colour; areas, which are colours and
// nothing else, in theirs but far nearer to the background. Where that cannot be mixed, areas are left out.
func dim(st theme.Style, faint color.Color, cell *uv.Cell) {
	area := cell.Style.Bg != nil || cell.Content != "" && strings.Contains(blocks, cell.Content)
	switch {
	case st.Tier == theme.TrueColor && area:
		cell.Style.Fg, cell.Style.Bg = fade(st, cell.Style.Fg), fade(st, cell.Style.Bg)
		cell.Style.Attrs &^= uv.AttrBold
		return
	case st.Tier < theme.TrueColor && cell.Content == "▀":
		cell.Content = " "
	}
	cell.Style = uv.Style{Fg: faint}
}

// fadeFraction is how much of a colour is left where it is dimmed.
const fadeFraction = 0.3

// fade mixes a colour with the background.
func fade(st theme.Style, c color.Color) color.Color {
	if c == nil {
		return nil
	}
	ground := colorful.Color{R: 1, G: 1, B: 1}
	if st.Dark {
		ground = colorful.Color{R: 16.0 / 255, G: 16.0 / 255, B: 16.0 / 255}
	}
	was, ok := colorful.MakeColor(c)
	if !ok {
		return nil
	}
	r, g, b := ground.BlendRgb(was, fadeFraction).RGB255()
	return color.RGBA{R: r, G: g, B: b, A: 0xff}
}
