package placement

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/chart/pixels"
	"bandscope/tui/graphics"
)

// defaultCell is the size of a cell where the terminal does not say it.
var defaultCell = graphics.CellSize{W: 10, H: 20}

// paint is the text that shows the plot under a number.
func (p Plot) paint(protocol graphics.Protocol, c canvas, id int) string {
	cell := c.Cell
	if cell == (graphics.CellSize{}) {
		cell = defaultCell
	}
	background := p.Style.Page
	if c.background.IsSet() {
		background = c.background
	}
	picture := graphics.Picture{ID: id, Area: p.Area}
	picture.Image = pixels.Plot(p.Chart, cell.Pixels(p.Area), cell.H, p.Style, background)
	for _, t := range p.Texts {
		picture.Holes = append(picture.Holes, t.Area)
	}
	shown := protocol.Show(picture)
	if protocol == graphics.Sixel {
		shown += p.overwrite()
	}
	return shown
}

// overwrite writes the texts in front of the picture once more: a picture before may have taken their cells.
func (p Plot) overwrite() string {
	var b strings.Builder
	b.WriteString(ansi.SaveCursor)
	for _, t := range p.Texts {
		b.WriteString(ansi.CursorPosition(t.Area.Min.X+1, t.Area.Min.Y+1) + t.Styled)
	}
	b.WriteString(ansi.ResetStyle + ansi.RestoreCursor)
	return b.String()
}
