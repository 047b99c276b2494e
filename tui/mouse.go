package tui

import (
	"image"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"bandscope/tui/layout"
	"bandscope/tui/widget"
)

// doubleClick is the longest time between the two clicks of a double click.
const doubleClick = 400 * time.Millisecond

// pointer is the mouse: where it is, if the terminal tells, and its last click.
type pointer struct {
	at      image.Point
	known   bool
	clicked image.Point
	when    time.Time
}

// again takes a click, and reports whether it is the second one of a double click.
func (p *pointer) again(position image.Point, now time.Time) bool {
	double := position == p.clicked && now.Sub(p.when) < doubleClick && !p.when.IsZero()
	p.clicked, p.when = position, now
	if double {
		p.when = time.Time{}
	}
	return double
}

// mousePage is a page that takes more of the mouse than clicks and drags.
type mousePage interface {
	// RightClick takes a click of the right button; without, the click opens a menu.
	RightClick(widget.Hit) (cmd tea.Cmd, taken bool)
	// Hovers reports whether the page takes moves without a button.
	Hovers() bool
}

// hovers reports whether the current page takes moves without a button.
func (a *app) hovers() bool {
	p, ok := a.current.(mousePage)
	return ok && p.Hovers() && !a.help.shown && a.explainer == nil
}

// mouse takes a mouse message. Over the page lie the palette, a menu, the explanation or the help, which take it first.
func (a *app) mouse(msg tea.MouseMsg) tea.Cmd {
	position := image.Pt(msg.Mouse().X, msg.Mouse().Y)
	path := a.under(position.X, position.Y)
	a.pointer.at, a.pointer.known = position, true
	switch {
	case a.palette != nil:
		return a.paletteMsg(msg)
	case a.menu != nil:
		return a.menuMsg(msg)
	case a.explainer != nil && !a.help.shown:
		return a.explainerMouse(msg)
	}
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		if cmd, taken := a.click(msg, path); taken {
			return cmd
		}
	case tea.MouseWheelMsg:
		if cmd, taken := a.wheel(msg, path); taken {
			return cmd
		}
	case tea.MouseMotionMsg:
		if msg.Button == tea.MouseNone && !a.hovers() {
			return nil
		}
	}
	if a.help.shown {
		a.help.mouse(msg)
		return nil
	}
	return a.current.Update(widget.Hit{MouseMsg: msg, Path: path})
}

// click takes a click: the right button opens a menu, except where the page does something else; a button presses its key, a title opens the menu of its part, and
// a double click does the first action of a box. Else it gives the focus, and the page takes it.
func (a *app) click(msg tea.MouseClickMsg, path []layout.PlacedBox) (cmd tea.Cmd, taken bool) {
	position := image.Pt(msg.X, msg.Y)
	if msg.Button == tea.MouseRight {
		if p, ok := a.current.(mousePage); ok && !a.help.shown {
			if cmd, taken := p.RightClick(widget.Hit{MouseMsg: msg, Path: path}); taken {
				return cmd, true
			}
		}
		focus(path)
		a.showMenu(path, position)
		return nil, true
	}
	if msg.Button != tea.MouseLeft {
		return nil, true
	}
	double := a.pointer.again(position, a.now())
	switch target := clickable(path); {
	case target == nil:
	case target.Press != "":
		focus(path)
		return a.presses(widget.KeyPress(target.Press)), true
	case target.OpensMenu:
		a.showMenu(path, position)
		return nil, true
	}
	if double {
		here := a.current.KeyMap()
		for _, p := range slices.Backward(path) {
			if p.Actions == nil {
				continue
			}
			if _, click := p.Actions[0].Want.(layout.ClickThere); click { // which begins a drag, too
				break
			}
			if e, ok := a.actionEntry(here, path, p.Actions[0], position); ok && e.Disabled == "" {
				return e.Do(), true
			}
			break
		}
	}
	focus(path)
	return nil, false
}

// wheel presses the keys of the innermost box that the wheel moves.
func (a *app) wheel(msg tea.MouseWheelMsg, path []layout.PlacedBox) (cmd tea.Cmd, taken bool) {
	for _, p := range slices.Backward(path) {
		if p.Wheel == [2]string{} || msg.Button != tea.MouseWheelUp && msg.Button != tea.MouseWheelDown {
			continue
		}
		if p.Focus != nil {
			p.Focus()
		}
		name := p.Wheel[0]
		if msg.Button == tea.MouseWheelDown {
			name = p.Wheel[1]
		}
		return a.presses(widget.KeyPress(name)), true
	}
	return nil, false
}

// focus gives the focus to the innermost box of a path that can have it.
func focus(path []layout.PlacedBox) {
	for _, p := range slices.Backward(path) {
		if p.Focus != nil {
			p.Focus()
			return
		}
	}
}

// clickable is the innermost box of a path that a click acts on, nil if there is none.
func clickable(path []layout.PlacedBox) *layout.PlacedBox {
	for i := range slices.Backward(path) {
		if path[i].Press != "" || path[i].OpensMenu {
			return &path[i]
		}
	}
	return nil
}

// under are the boxes under a cell of the frame that the terminal shows.
func (a *app) under(col, row int) []layout.PlacedBox {
	if a.mouseFrame == nil {
		return nil
	}
	return a.mouseFrame.PathAt(col, row)
}

// hovered is the part of a frame under the mouse that a click acts on; false if there is none.
func (a *app) hovered(f *layout.Frame) (p layout.PlacedBox, ok bool) {
	if !a.pointer.known || f == nil {
		return p, false
	}
	if target := clickable(f.PathAt(a.pointer.at.X, a.pointer.at.Y)); target != nil {
		return *target, true
	}
	return p, false
}

// idleMotion reports whether a mouse message is a move without a button that changes nothing on the screen.
func (a *app) idleMotion(msg tea.Msg) bool {
	m, ok := msg.(tea.MouseMotionMsg)
	if !ok || m.Button != tea.MouseNone || a.palette != nil || a.menu != nil || a.hovers() {
		return false
	}
	box, inside := a.hovered(a.drawn)
	a.pointer.at, a.pointer.known = image.Pt(m.X, m.Y), true
	newBox, newInside := a.hovered(a.drawn)
	return inside == newInside && box.Box == newBox.Box
}
