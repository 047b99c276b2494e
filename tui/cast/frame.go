package cast

import (
	"cmp"
	"slices"
	"time"

	uv "github.com/charmbracelet/ultraviolet"

	"bandscope/tui/placement"
)

// Frame is a screen at a time.
type Frame struct {
	At    time.Duration // since the beginning of the recording
	Cells *uv.Buffer
	Say   string           // the caption that begins with it; empty for none
	Plots []placement.Plot // that are pictures behind the text
}

// NewFrame copies a screen, whose plots are drawn in cells.
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
	return Frame{At: elapsed, Cells: b, Say: say}
}

// same reports whether two cells look the same.
func same(a, b *uv.Cell) bool { return a.Equal(b) }

// Append appends a frame to those of a recording. One at the same time as the frame before takes its place, with its
// caption unless it has one.
func Append(frames []Frame, f Frame) []Frame {
	n := len(frames) - 1
	if n < 0 || frames[n].At != f.At {
		return append(frames, f)
	}
	f.Say = cmp.Or(f.Say, frames[n].Say)
	frames[n] = f
	return frames
}

// Equal reports whether two frames show the same.
func (f Frame) Equal(other Frame) bool {
	if f.Cells.Bounds() != other.Cells.Bounds() || !slices.EqualFunc(f.Plots, other.Plots, placement.Plot.Equal) {
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
