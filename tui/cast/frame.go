package cast

import (
	"time"

	uv "github.com/charmbracelet/ultraviolet"
)

// Frame is a screen at a time.
type Frame struct {
	At    time.Duration // since the beginning of the recording
	Cells *uv.Buffer
	Say   string // the caption that begins with it; empty for none
}

// NewFrame copies a screen.
func NewFrame(elapsed time.Duration, screen uv.Screen, say string) Frame {
	area := screen.Bounds()
	b := uv.NewBuffer(area.Dx(), area.Dy())
	for y := range area.Dy() {
		for x := 0; x < area.Dx(); {
			cell := screen.CellAt(area.Min.X+x, area.Min.Y+y)
			b.SetCell(x, y, cell)
			x += max(cell.Width, 1)
		}
	}
	return Frame{elapsed, b, say}
}

// same reports whether two cells look the same.
func same(a, b *uv.Cell) bool { return a.Equal(b) }

// Equal reports whether two frames show the same.
func (f Frame) Equal(other Frame) bool {
	if f.Cells.Bounds() != other.Cells.Bounds() {
		return false
	}
	for y := range f.Cells.Height() {
		for x := range f.Cells.Width() {
			if !same(f.Cells.CellAt(x, y), other.Cells.CellAt(x, y)) {
				return false
			}
		}
	}
	return true
}
