package placement

import (
	"fmt"
	"image"
	"image/color"
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi/kitty"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/tui/chart"
	"bandscope/tui/graphics"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// answers are what terminals say of themselves.
var (
	cellSize   = uv.CellSizeEvent{Width: 9, Height: 18}
	knowsKitty = uv.KittyGraphicsEvent{Options: kitty.Options{ID: 31}, Payload: []byte("OK")}
	hasSixel   = uv.PrimaryDeviceAttributesEvent{63, 1, 4}
	plain      = uv.PrimaryDeviceAttributesEvent{62, 1}
)

// A terminal shows pictures by what it answers, or as a person says.
func TestProtocol(t *testing.T) {
	for _, c := range []struct {
		choice  graphics.Protocol
		answers []tea.Msg
		want    graphics.Protocol
	}{
		{graphics.Auto, nil, graphics.Cells},
		{graphics.Auto, []tea.Msg{cellSize, plain}, graphics.Cells},
		{graphics.Auto, []tea.Msg{hasSixel}, graphics.Cells}, // of an unknown size
		{graphics.Auto, []tea.Msg{cellSize, hasSixel}, graphics.Sixel},
		{graphics.Auto, []tea.Msg{knowsKitty, cellSize, hasSixel}, graphics.Kitty},
		{graphics.Cells, []tea.Msg{knowsKitty, cellSize, hasSixel}, graphics.Cells},
		{graphics.Kitty, nil, graphics.Kitty},
		{graphics.Sixel, []tea.Msg{knowsKitty, cellSize, plain}, graphics.Sixel},
	} {
		terminal := NewTerminal(c.choice, false, nil)
		for _, msg := range c.answers {
			terminal.Update(msg)
		}
		assert.Equal(t, c.want, terminal.Protocol(), "%v after %v", c.choice, c.answers)
		terminal.Toggle()
		assert.Equal(t, graphics.Cells, terminal.Protocol())
		terminal.Toggle()
		assert.Equal(t, c.want, terminal.Protocol())
	}
}

// A terminal that says nothing of its cells has the size of a window in pixels.
func TestMeasuredCells(t *testing.T) {
	terminal := NewTerminal(graphics.Auto, false, nil)
	terminal.Measure(func() image.Point { return image.Pt(800, 480) })
	terminal.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	terminal.Update(hasSixel)
	assert.Equal(t, graphics.Sixel, terminal.Protocol())
	assert.Equal(t, graphics.CellSize{W: 10, H: 20}, terminal.canvas.Cell)
}

// driver runs a terminal: what it sends is collected.
type driver struct {
	*Terminal
	sent string
}

func newDriver(choice graphics.Protocol) *driver {
	d := &driver{Terminal: NewTerminal(choice, false, make(chan struct{}))}
	d.Update(cellSize)
	return d
}

// show shows plots, as View does, and returns what is sent for them.
func (d *driver) show(plots ...Plot) string {
	d.sent = ""
	d.Show(plots)
	select {
	case <-d.wake:
		d.run(d.paint())
	default:
	}
	return d.sent
}

// run runs a command with all that follow, but those that wait for plots.
func (d *driver) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.RawMsg:
		d.sent += fmt.Sprint(msg.Msg)
	case paintedMsg:
		d.run(d.Update(msg))
	default:
		if v := reflect.ValueOf(msg); v.Kind() == reflect.Slice { // a batch or a sequence
			for i := range v.Len() {
				d.run(v.Index(i).Interface().(tea.Cmd))
			}
			return
		}
		d.sent += fmt.Sprintf("<%T>", msg)
	}
}

// plotAt is a plot with a line at a height.
func plotAt(area image.Rectangle, height float64) Plot {
	line := chart.Curve{X: []float64{0, 1}, Y: []float64{height, height}, Color: theme.New(true, theme.TrueColor, false).Mean}
	c := chart.Chart{X: chart.Axis{Max: 1}, Y: chart.Axis{Max: 1}, Layers: []chart.Layer{line}}
	return Plot{Plot: &chart.Plot{Chart: c, Cols: area.Dx(), Rows: area.Dy()}, Area: area}
}

// A picture is sent once, again if it changes or the screen was cleared, and removed with its plot.
func TestSends(t *testing.T) {
	left, right := image.Rect(2, 1, 12, 6), image.Rect(14, 1, 24, 6)
	d := newDriver(graphics.Kitty)
	low, high := plotAt(left, 0.2), plotAt(right, 0.8)
	first := d.show(low, high)
	assert.Equal(t, 2, strings.Count(first, "a=T"))
	assert.Empty(t, d.show(low, high), "nothing has changed")
	assert.Empty(t, d.show(plotAt(left, 0.2), high), "drawn once more, it looks the same")
	assert.Equal(t, 1, strings.Count(d.show(low, plotAt(right, 0.5)), "a=T"), "one plot changes")
	d.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	assert.Equal(t, 2, strings.Count(d.show(low, high), "a=T"), "the screen was cleared")
	gone := d.show(low)
	assert.Zero(t, strings.Count(gone, "a=T"))
	assert.Equal(t, 1, strings.Count(gone, "a=d"), "a plot is gone: %q", gone)
	assert.Equal(t, 1, strings.Count(d.show(), "a=d"))
	assert.Empty(t, d.show())
	assert.Empty(t, d.Parting())
	d.show(low)
	assert.Contains(t, d.Parting(), "a=d", "the terminal is left")
}

// Pictures are painted once more for cells of another size, which a terminal says after its window has changed, and for
// another background; those that are painted for the sizes before are not sent.
func TestOtherCells(t *testing.T) {
	d := newDriver(graphics.Kitty)
	p := plotAt(image.Rect(2, 1, 12, 6), 0.2)
	first := d.show(p)
	assert.Empty(t, d.show(p))
	d.Update(uv.CellSizeEvent{Width: 12, Height: 24})
	second := d.show(p)
	assert.Contains(t, second, "a=T")
	assert.NotEqual(t, first, second)
	d.Update(tea.BackgroundColorMsg{Color: color.RGBA{200, 200, 200, 255}})
	assert.NotEqual(t, second, d.show(p))

	d.Show([]Plot{plotAt(image.Rect(2, 1, 12, 6), 0.5)})
	painted := d.paint()().(paintedMsg)
	d.Update(cellSize)
	d.sent = ""
	d.run(d.Update(painted))
	assert.Equal(t, 1, strings.Count(d.sent, "a=T"))
	assert.NotEqual(t, painted.written[0], d.sent)
}

// Sixels are pixels of the screen: where they do not go on, the whole text is written once more. The texts in front are
// written after the picture.
func TestSixelsAreErased(t *testing.T) {
	d := newDriver(graphics.Sixel)
	low := plotAt(image.Rect(2, 1, 12, 6), 0.2)
	low.Texts = []Text{{image.Rect(3, 2, 7, 3), "mean"}}
	sent := d.show(low)
	assert.Greater(t, strings.Index(sent, "\x1b[3;4Hmean"), strings.Index(sent, "\x1bP"), "%q", sent)
	moved := d.show(plotAt(image.Rect(4, 1, 14, 6), 0.2))
	assert.Contains(t, moved, "clearScreen")
	assert.Greater(t, strings.Index(moved, "\x1bP"), strings.Index(moved, "clearScreen"))
	assert.NotContains(t, d.show(plotAt(image.Rect(4, 1, 14, 6), 0.5)), "clearScreen")
	assert.Contains(t, d.show(), "clearScreen")
}

// A picture that is no longer wanted where it was painted is not sent.
func TestStalePictures(t *testing.T) {
	d := newDriver(graphics.Kitty)
	d.Show([]Plot{plotAt(image.Rect(2, 1, 12, 6), 0.2)})
	painted := d.paint()().(paintedMsg)
	d.Show(nil)
	d.run(d.Update(painted))
	assert.Empty(t, d.sent)
}

// Find finds the plots of a frame that are wholly visible, with the texts in front of them.
func TestFind(t *testing.T) {
	st := theme.New(true, theme.TrueColor, false)
	st.Pictures = true
	x := []float64{0, 0.5, 1}
	c := chart.Chart{X: chart.Axis{Max: 1}, Y: chart.Axis{Max: 1, Label: "f"}, Labels: true, Layers: []chart.Layer{
		chart.Curve{X: x, Y: []float64{0.2, 0.8, 0.2}, Color: st.Mean, Name: "mean"}}}
	root := layout.New(60, 20, c.Box(40, 12, st, chart.Description{}).At(3, 2), c.Box(40, 12, st, chart.Description{}).At(30, 15))
	f := layout.Arrange(root, 60, 20)
	drawn := lipgloss.NewCanvas(60, 20)
	f.Draw(drawn)
	plots := Find(f, drawn)
	require.Len(t, plots, 1)
	p := plots[0]
	assert.Equal(t, image.Pt(p.Cols, p.Rows), p.Area.Size())
	assert.True(t, p.Area.In(image.Rect(3, 2, 43, 14)))
	require.Len(t, p.Texts, 1)
	assert.Contains(t, p.Texts[0].Styled, "mean")
	for y := p.Area.Min.Y; y < p.Area.Max.Y; y++ {
		for x := p.Area.Min.X; x < p.Area.Max.X; x++ {
			if !image.Pt(x, y).In(p.Texts[0].Area) {
				require.Equal(t, " ", drawn.CellAt(x, y).Content, "the cell %d, %d is left to the picture", x, y)
			}
		}
	}
}
