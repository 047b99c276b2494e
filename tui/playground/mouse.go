package playground

import (
	"math"
	"slices"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"bandscope/optimizers"
	"bandscope/tui/chart"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// drag is what the mouse moves while its button is down.
type drag struct {
	item    *item // nil for a handle
	handle  int
	value   float64 // of the handle when it was grabbed
	from    [2]float64
	area    uv.Rectangle // of the plot in the window
	frame   chart.Frame
	onLabel bool   // the number of a handle is dragged rather than its bracket
	joint   string // the box of the joint distribution that it is on; empty for none
}

// plotName is the name of the box of the plot.
const plotName = "plot"

// labelSteps is how many cells a number is dragged to make it e times as large.
const labelSteps = 12

// mouse takes a mouse message.
func (m *Model) mouse(hit widget.Hit) tea.Cmd {
	switch msg := hit.MouseMsg.(type) {
	case tea.MouseClickMsg:
		return m.press(hit, msg.Button)
	case tea.MouseMotionMsg:
		if msg.Button == tea.MouseNone { // a drag has ended out of sight
			return tea.Batch(m.release(), m.hover(hit))
		}
		return m.dragTo(hit.Mouse().X, hit.Mouse().Y)
	case tea.MouseReleaseMsg:
		return m.release()
	case tea.MouseWheelMsg:
		if m.Modes.Active == nil {
			return m.wheel(hit, msg.Button)
		}
	}
	return player.Send(m, hit)
}

// RightClick removes the result under the mouse; taken is false where there is none.
func (m *Model) RightClick(hit widget.Hit) (cmd tea.Cmd, taken bool) {
	d, col, row, ok := m.onPlot(hit)
	if !ok || m.Modes.Active != nil || m.Status.Open() {
		return nil, false
	}
	near := m.itemAt(d.frame, col, row)
	if near == nil {
		return nil, false
	}
	return tea.Batch(m.commit(), m.remove(near)), true
}

// onPlot is the cell of the plot under the mouse, and the beginning of a drag there; false outside of the plot.
func (m *Model) onPlot(hit widget.Hit) (d *drag, col, row int, ok bool) {
	box, col, row, ok := hit.On(plotName)
	if !ok {
		return nil, 0, 0, false
	}
	d = &drag{area: box.Area, frame: m.chart(box.Area.Dx(), box.Area.Dy()).Frame(box.Area.Dx(), box.Area.Dy())}
	return d, col, row, true
}

// Hovers reports whether moves of the mouse without a button are taken: the row of the kernel is that at the mouse, and
// they end a drag whose end was out of sight.
func (m *Model) Hovers() bool { return m.drag != nil || m.row.shown && m.Modes.Active == nil }

// hover takes a move of the mouse without a button.
func (m *Model) hover(hit widget.Hit) tea.Cmd {
	d, col, row, ok := m.onPlot(hit)
	if !ok || !m.row.shown || m.Modes.Active != nil {
		return nil
	}
	x, inX := d.frame.X(float64(col) + 0.5)
	y, inY := d.frame.Y(float64(row) + 0.5)
	if inX && inY {
		m.row.hovered = &[2]float64{x, y}
	}
	return m.computeRow()
}

// press takes a press of a button: it selects the result or handle there, or puts a result.
func (m *Model) press(hit widget.Hit, button tea.MouseButton) tea.Cmd {
	if m.Modes.Active != nil {
		return player.Send(m, hit)
	}
	m.row.hovered = nil
	settled := m.commit()
	if next, taken := m.Click(hit, player.BarName, m.Bar(m.mainWidth())); taken {
		return tea.Batch(settled, player.Do(m, next))
	}
	if cmd, taken := m.grabJoint(hit); taken {
		return tea.Batch(settled, cmd)
	}
	for i, h := range m.handles() {
		if _, _, _, ok := hit.On(handleName(h)); ok {
			m.choose(selection{kind: handle, handle: i})
			m.drag = &drag{handle: i, value: h.Value, from: [2]float64{float64(hit.Mouse().X)}, onLabel: true}
			return settled
		}
	}
	d, col, row, ok := m.onPlot(hit)
	if !ok || m.Status.Open() || button != tea.MouseLeft {
		return settled
	}
	x, inX := d.frame.X(float64(col) + 0.5)
	y, inY := d.frame.Y(float64(row) + 0.5)
	if !inX || !inY {
		return settled
	}
	return tea.Batch(settled, m.grab(d, m.itemAt(d.frame, col, row), col, row, x, y))
}

// grab begins a drag at a place of the plot: of the result there, of the handle there, or of a new result.
func (m *Model) grab(d *drag, near *item, col, row int, x, y float64) tea.Cmd {
	if near != nil {
		d.item, m.drag = near, d
		m.choose(selection{kind: result, item: near})
		return m.computeRow()
	}
	for i, b := range m.brackets(d.area.Dx(), d.area.Dy()) {
		if b.drawn && touches(b.Bracket, d.frame, col-d.frame.Left, row-d.frame.Top) {
			h := m.handles()[i]
			d.handle = i
			d.value = h.Value
			d.from = [2]float64{x, y}
			m.drag = d
			m.choose(selection{kind: handle, handle: i})
			return nil
		}
	}
	if len(m.items) >= maxItems {
		m.Notify("a playground has at most 500 results; remove some first")
		return nil
	}
	xlo, xhi := m.xSpan()
	ylo, yhi := m.ySpan()
	it := &item{x: tidy(x, xlo, xhi), y: tidy(y, ylo, yhi)}
	m.items = append(m.items, it)
	m.choose(selection{kind: result, item: it})
	m.draft = draft{item: it, from: [2]float64{it.x, it.y}, fresh: true, number: m.draft.number + 1}
	d.item, m.drag = it, d
	return m.compute()
}

// touches reports whether a cell of the plot region is one of a bracket, or beside its line.
func touches(b chart.Bracket, f chart.Frame, col, row int) bool {
	from, end, line, ok := b.Cells(f)
	if b.Vertical {
		return ok && row >= from && row <= end && col >= line-1 && col <= line+1
	}
	return ok && col >= from && col <= end && row == line
}

// itemAt is the result that is drawn in a cell of the plot or beside it, the nearest and of these the newest; nil if
// there is none.
func (m *Model) itemAt(f chart.Frame, col, row int) *item {
	var near *item
	least := math.Inf(1)
	for _, it := range slices.Backward(m.items) {
		dx := math.Floor(f.Col(it.x)) - float64(col-f.Left)
		dy := math.Floor(f.Row(it.y)) - float64(row-f.Top)
		if distance := math.Hypot(dx, 1.5*dy); math.Abs(dx) <= 1 && math.Abs(dy) <= 1 && distance < least && distance < 1.6 {
			near, least = it, distance
		}
	}
	return near
}

// dragTo moves the dragged result or handle to a cell of the window. Outside of the plot it stays at its edge.
func (m *Model) dragTo(col, row int) tea.Cmd {
	d := m.drag
	if d == nil {
		return nil
	}
	if d.onLabel {
		return m.dragHandle(d.value * math.Exp((float64(col)-d.from[0])/labelSteps))
	}
	left, top := d.area.Min.X+d.frame.Left, d.area.Min.Y+d.frame.Top
	x, okX := d.frame.X(float64(min(max(col, left), left+d.frame.Cols-1)-d.area.Min.X) + 0.5)
	y, okY := d.frame.Y(float64(min(max(row, top), top+d.frame.Rows-1)-d.area.Min.Y) + 0.5)
	if !okX || !okY {
		return nil
	}
	switch {
	case d.joint != "":
		return m.dragJoint(x, y)
	case d.item == nil:
		return m.dragHandle(m.handleAt(d, x, y))
	}
	if !slices.Contains(m.items, d.item) {
		m.drag = nil
		return nil
	}
	xlo, xhi := m.xSpan()
	ylo, yhi := m.ySpan()
	x, y = tidy(x, xlo, xhi), tidy(y, ylo, yhi)
	if x == d.item.x && y == d.item.y {
		return nil
	}
	m.preview(d.item, x, y)
	return m.compute()
}

// handleAt is the value of a dragged handle with the mouse at a place of the plot.
func (m *Model) handleAt(d *drag, x, y float64) float64 {
	handles := m.handles()
	if d.handle >= len(handles) {
		return d.value
	}
	if handles[d.handle].Kind == optimizers.HandleLength {
		return d.value + (x-d.from[0])/m.state.Problem.Domain[0].Width()
	}
	return d.value + y - d.from[1]
}

// dragHandle previews a value of the dragged handle.
func (m *Model) dragHandle(value float64) tea.Cmd {
	handles := m.handles()
	if m.drag.handle >= len(handles) {
		m.drag = nil
		return nil
	}
	return m.setHandle(handles[m.drag.handle], value)
}

// release ends a drag and records what it has changed.
func (m *Model) release() tea.Cmd {
	if m.drag == nil {
		return nil
	}
	m.drag = nil
	return tea.Batch(m.commit(), m.compute())
}

// wheel changes the selected handle, or the first one with a bracket along the variable.
func (m *Model) wheel(hit widget.Hit, button tea.MouseButton) tea.Cmd {
	steps := map[tea.MouseButton]int{tea.MouseWheelUp: 1, tea.MouseWheelDown: -1}[button]
	_, _, _, over := hit.On(plotName)
	if handles := m.handles(); over && steps != 0 && m.drag == nil {
		i := slices.IndexFunc(handles, func(h optimizers.Handle) bool { return h.Kind == optimizers.HandleLength })
		if m.chosen.kind == handle {
			i = m.chosen.handle
		}
		if i >= 0 {
			m.choose(selection{kind: handle, handle: i})
			return m.nudge(steps)
		}
	}
	return nil
}
