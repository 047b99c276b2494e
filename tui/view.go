package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"bandscope/tui/layout"
	"bandscope/tui/placement"
)

// The smallest window in which every screen is complete; the explorer needs less (see minSize).
const (
	minWidth  = 80
	MinHeight = 24

	minHeight = MinHeight
)

// View draws the window.
func (a *app) View() tea.View {
	v := tea.NewView(a.draw())
	a.pictures.Show(placement.Find(a.drawn, a.canvas))
	v.AltScreen = true
	v.WindowTitle = "bandscope"
	if cursor, ok := a.drawn.Cursor(); ok && (a.explainer == nil || a.help.shown) {
		v.Cursor = tea.NewCursor(cursor.X, cursor.Y)
	}
	if !a.options.NoMouse {
		v.MouseMode = tea.MouseModeAllMotion
		frame := a.drawn
		v.OnMouse = func(tea.MouseMsg) tea.Cmd { // before Update takes the message, on the same goroutine
			a.mouseFrame = frame
			return nil
		}
	}
	return v
}

// draw draws the frame.
func (a *app) draw() string {
	w, h := max(a.width, 0), max(a.height, 0)
	if a.canvas == nil {
		a.canvas = lipgloss.NewCanvas(w, h)
	}
	a.canvas.Resize(w, h)
	a.canvas.Clear()
	a.drawn = layout.Arrange(a.overlaid(a.frame()), w, h)
	a.mouseFrame = a.drawn
	if a.explainer != nil && !a.help.shown && a.palette == nil && a.menu == nil && !a.small() {
		a.explainer.Draw(a.style, a.canvas, a.drawn)
	} else {
		a.drawn.Draw(a.canvas)
	}
	if p, ok := a.hovered(a.drawn); ok {
		layout.Underline(a.canvas, p.Clip)
	}
	if a.forced() {
		layout.FillPage(a.canvas, a.style)
	}
	return a.encoder.Encode(a.canvas)
}

// small reports whether the window is too small for the current page.
func (a *app) small() bool {
	w, h := a.minSize()
	return a.width < w || a.height < h
}

// minSize is the smallest window for the current page.
func (a *app) minSize() (w, h int) {
	if page, ok := a.current.(interface{ MinSize() (w, h int) }); ok {
		return page.MinSize()
	}
	return minWidth, minHeight
}

// frame is the tree of boxes of the window.
func (a *app) frame() *layout.Box {
	switch {
	case a.quitting || a.width <= 0 || a.height <= 0:
		return nil
	case a.small():
		return layout.Text(a.width, a.tooSmall()...)
	case a.help.shown:
		return a.help.frame(a.style, a.width, a.height)
	}
	return a.waiting()
}

// overlaid is a frame with the palette or the menu over it.
func (a *app) overlaid(page *layout.Box) *layout.Box {
	switch {
	case page == nil || a.small():
		return page
	case a.palette != nil:
		return page.Add(a.palette.Frame(a.style, a.width, a.height))
	case a.menu != nil:
		return page.Add(a.menu.Frame(a.style, a.width, a.height))
	}
	return page
}

// tooSmall gives the size that the window needs, in few columns.
func (a *app) tooSmall() []string {
	w, h := a.minSize()
	text := fmt.Sprintf("too small: bandscope needs %dx%d, has %dx%d", w, h, a.width, a.height)
	if a.explore != nil && a.current != display(a.explore) {
		text = fmt.Sprintf("too small: this page needs %dx%d, has %dx%d; esc goes back", w, h, a.width, a.height)
	}
	return layout.Wrap(text, a.width)
}

// waiting is the current page, with the running job of the window in its last line.
func (a *app) waiting() *layout.Box {
	page := layout.New(a.width, a.height)
	page.Add(a.current.Frame())
	if text := a.options.Corner; text != "" && a.width > 2*len(text) {
		text = " " + text + " "
		corner := layout.Text(len(text), a.style.Paint(a.style.Accent, text)).Prose("class", "", "The key that opens the class.")
		corner.Overlaps = true
		page.Add(corner.At(a.width-len(text), a.height-1))
	}
	if status := a.jobs.Status(a.style.ASCII); status != "" {
		page.Add(layout.Text(a.width, " "+a.style.Paint(a.style.Accent, status)).At(0, a.height-1))
	}
	return page
}
