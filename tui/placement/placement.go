// Package placement shows plots as pictures behind the text of a terminal. A drawn frame says where its plots are; a
// Terminal asks the terminal which pictures it can show and how large its cells are, paints the plots off the update
// loop, and sends what changed. Pictures go out beside the frames of Bubble Tea, which would drop them.
package placement

import (
	"image"
	"slices"

	"charm.land/lipgloss/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"bandscope/tui/chart"
	"bandscope/tui/layout"
)

// Plot is a plot at its place in a window, in cells.
type Plot struct {
	*chart.Plot
	Area  image.Rectangle
	Texts []Text // in front of it
}

// Text is a run of cells in a row.
type Text struct {
	Area   image.Rectangle
	Styled string // with the colours of its cells
}

// Equal reports whether two plots have the same picture at the same place.
func (p Plot) Equal(q Plot) bool {
	return p.Plot == q.Plot && p.Area == q.Area && slices.Equal(p.Texts, q.Texts)
}

// Find lists the plots of a drawn frame that are left to pictures. One that is not wholly visible has none.
func Find(f *layout.Frame, drawn *lipgloss.Canvas) (plots []Plot) {
	for _, b := range f.Boxes {
		plot, ok := b.Content.(*chart.Plot)
		if !ok || b.Area != b.Clip {
			continue
		}
		corner := b.Area.Min.Add(image.Pt(plot.Left, plot.Top))
		area := image.Rectangle{corner, corner.Add(image.Pt(plot.Cols, plot.Rows))}
		if !area.Empty() {
			plots = append(plots, Plot{plot, area, texts(drawn, area)})
		}
	}
	return plots
}

// texts are the runs of cells with text in an area.
func texts(drawn *lipgloss.Canvas, area image.Rectangle) (runs []Text) {
	for y := area.Min.Y; y < area.Max.Y; y++ {
		var run uv.Line
		for x := area.Min.X; x <= area.Max.X; x++ {
			if c := drawn.CellAt(x, y); x < area.Max.X && c != nil && c.Content != " " {
				run = append(run, *c)
				continue
			}
			if len(run) > 0 {
				runs = append(runs, Text{image.Rect(x-len(run), y, x, y+1), run.Render()})
				run = nil
			}
		}
	}
	return runs
}
