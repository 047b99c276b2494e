package playground

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/tui/internal/pagetest"
	"bandscope/tui/picture"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

type driver struct {
	*pagetest.Driver[*Model]
	path string
}

var (
	trueColor = theme.New(true, theme.TrueColor, false)
	noColor   = theme.New(true, theme.NoColor, false)
)

// open opens a playground with the first preset, in a file.
func open(t *testing.T, w, h int, st theme.Style) driver {
	t.Helper()
	return openPreset(t, registry.Presets()[0], w, h, st)
}

func openPreset(t *testing.T, p registry.Preset, w, h int, st theme.Style) driver {
	t.Helper()
	s, err := sessions.New(t.Context(), sessions.PlaygroundConfig(sessions.BeliefConfig{Optimizer: p.Method, Params: p.Set},
		1))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "play.jsonl")
	require.NoError(t, s.SaveAs(path))
	m := New(s, "")
	t.Cleanup(func() {
		m.Stop()
		m.CloseSession()
	})
	return driver{pagetest.New(t, m, w, h, st, m.Busy), path}
}

// cell is the cell of the window at a place of the plot.
func (d driver) cell(x, y float64) (col, row int) {
	for _, p := range d.Arranged().Boxes {
		if p.Name == plotName {
			f := d.M.chart(p.Area.Dx(), p.Area.Dy()).Frame(p.Area.Dx(), p.Area.Dy())
			return p.Area.Min.X + f.Left + int(f.Col(x)), p.Area.Min.Y + f.Top + int(f.Row(y))
		}
	}
	d.T.Fatal("there is no plot")
	return 0, 0
}

func (d driver) press(x, y float64, button tea.MouseButton) {
	col, row := d.cell(x, y)
	d.Mouse(tea.MouseClickMsg{X: col, Y: row, Button: button})
}

func (d driver) drag(x, y float64) {
	col, row := d.cell(x, y)
	d.Mouse(tea.MouseMotionMsg{X: col, Y: row, Button: tea.MouseLeft})
}

func (d driver) hit(msg tea.MouseMsg) widget.Hit {
	return widget.Hit{MouseMsg: msg, Path: d.Arranged().PathAt(msg.Mouse().X, msg.Mouse().Y)}
}

// rightClick clicks with the right button, and reports whether the page takes that.
func (d driver) rightClick(x, y float64) bool {
	col, row := d.cell(x, y)
	cmd, taken := d.M.RightClick(d.hit(tea.MouseClickMsg{X: col, Y: row, Button: tea.MouseRight}))
	d.Run(cmd)
	d.Settle()
	return taken
}

func (d driver) release() { d.Mouse(tea.MouseReleaseMsg{Button: tea.MouseLeft}) }

func (d driver) click(x, y float64) {
	d.press(x, y, tea.MouseLeft)
	d.release()
}

// events counts the lines of the file after the header.
func (d driver) events() int {
	d.T.Helper()
	text, err := os.ReadFile(d.path)
	if err != nil {
		d.T.Fatal(err)
	}
	return strings.Count(string(text), "\n") - 1
}

// recorded are the results on record.
func (d driver) recorded() []sessions.PlaygroundResult { return d.M.session.State().Results() }

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

// A click puts a result, a drag moves it and records one event at its end, and a right click removes it.
func TestMouse(t *testing.T) {
	d := open(t, 100, 30, trueColor)
	d.click(0.3, 1)
	if got := d.recorded(); len(got) != 1 || !near(got[0].X, 0.3, 0.02) || !near(got[0].Y, 1, 0.2) {
		t.Fatalf("a click records %+v", got)
	}
	before, n := d.recorded()[0], d.events()
	d.press(0.3, 1, tea.MouseLeft)
	for _, values := range [][2]float64{{0.35, 0.5}, {0.5, 0}, {0.6, -1}} {
		d.drag(values[0], values[1])
		if got := d.recorded(); d.events() != n || got[0] != before {
			t.Fatalf("a drag records %+v before its end", got)
		}
		if got := d.M.items[0]; !near(got.x, values[0], 0.02) || !near(got.y, values[1], 0.2) {
			t.Errorf("the result is at %g, %g, want %v", got.x, got.y, values)
		}
		if p := d.M.beliefs[0].picture; !near(p.Fields[picture.MeanField].Along(d.M.items[0].x), d.M.items[0].y, 0.05) {
			t.Errorf("the mean does not follow the drag to %v", values)
		}
	}
	d.release()
	if got := d.recorded(); d.events() != n+1 || !near(got[0].X, 0.6, 0.02) || !near(got[0].Y, -1, 0.2) {
		t.Errorf("after the drag %+v are recorded, by %d events", got, d.events()-n)
	}
	d.click(0.1, 0)
	assert.True(t, d.rightClick(0.6, -1), "the right click is not taken")
	if got := d.recorded(); len(got) != 1 || !near(got[0].X, 0.1, 0.02) {
		t.Errorf("after a right click on it the other result remains: %+v", got)
	}
	n = d.events()
	assert.False(t, d.rightClick(0.9, 2.5), "a right click beside results opens no menu")
	d.Mouse(tea.MouseClickMsg{X: 0, Y: 0, Button: tea.MouseLeft})
	d.release()
	d.Mouse(tea.MouseMotionMsg{X: 50, Y: 10, Button: tea.MouseLeft})
	assert.Equal(t, n, d.events(), "clicks beside results or outside of the plot record something")
}

// A drag out of the plot leaves the result at its edge.
func TestDragOffThePlot(t *testing.T) {
	d := open(t, 100, 30, trueColor)
	d.press(0.5, 0, tea.MouseLeft)
	d.Mouse(tea.MouseMotionMsg{X: 5000, Y: -3, Button: tea.MouseLeft})
	d.release()
	lo, hi := d.M.ySpan()
	if got := d.recorded(); len(got) != 1 || !(got[0].X > 0.98 && got[0].X <= 1) ||
		!(got[0].Y > hi-0.1*(hi-lo) && got[0].Y <= hi) {
		t.Errorf("the result is at %+v", got)
	}
}

// A drag whose end was not seen, such as one outside of the window, ends with the first move without a button.
func TestDragEndsOutOfSight(t *testing.T) {
	d := open(t, 100, 30, trueColor)
	d.press(0.5, 0, tea.MouseLeft)
	d.drag(0.7, 1)
	assert.True(t, d.M.Hovers(), "moves without a button are not taken in a drag")
	col, row := d.cell(0.2, -1)
	d.Mouse(tea.MouseMotionMsg{X: col, Y: row, Button: tea.MouseNone})
	if got := d.recorded(); len(got) != 1 || !near(got[0].X, 0.7, 0.02) || d.M.drag != nil || d.M.Hovers() {
		t.Errorf("recorded is %+v, the drag %+v", got, d.M.drag)
	}
}

// A drag that is not finished when the size of the window changes, or that esc ends, leaves everything as it was.
func TestDragIsCancelled(t *testing.T) {
	d := open(t, 100, 30, trueColor)
	d.click(0.3, 1)
	before := d.recorded()
	d.press(0.3, 1, tea.MouseLeft)
	d.drag(0.8, -1)
	d.Resize(90, 28)
	d.drag(0.2, 0)
	d.release()
	if got := d.recorded(); !slices.Equal(got, before) || d.M.items[0].x != before[0].X {
		t.Errorf("after a resize the result is at %+v, shown at %g", got, d.M.items[0].x)
	}
	d.press(0.3, 1, tea.MouseLeft)
	d.drag(0.8, -1)
	d.Press("esc")
	d.release()
	if got := d.recorded(); !slices.Equal(got, before) {
		t.Errorf("after esc the result is at %+v", got)
	}
	d.press(0.7, -1, tea.MouseLeft)
	d.drag(0.8, -1.5)
	d.Press("esc")
	d.release()
	if got := d.recorded(); !slices.Equal(got, before) || len(d.M.items) != 1 {
		t.Errorf("esc does not take a new result back: %+v", got)
	}
}

// Keys do what the mouse does: they put, move and remove results, and select them from the left to the right.
func TestKeys(t *testing.T) {
	d := open(t, 100, 30, trueColor)
	d.Press("left", "left", "up", "space")
	if got := d.recorded(); len(got) != 1 || !(got[0].X < 0.5 && got[0].Y > 0) {
		t.Fatalf("space records %+v", got)
	}
	first, n := d.recorded()[0], d.events()
	d.Press("shift+right", "down", "down", "down")
	assert.Equal(t, n, d.events(), "arrows record before they settle")
	d.Press("tab") // to the first handle, which records the move
	if got := d.recorded(); d.events() != n+1 || !(got[0].X > first.X && got[0].Y < first.Y) {
		t.Errorf("the move is recorded as %+v by %d events", got, d.events()-n)
	}
	d.Press("esc", "right", "right", "right", "right", "right", "right", "enter")
	if got := d.recorded(); len(got) != 2 || !(got[1].X > got[0].X) {
		t.Fatalf("enter records %+v", got)
	}
	d.Press("esc", "tab", "delete")
	if got := d.recorded(); len(got) != 1 || got[0].Step != 2 {
		t.Errorf("tab and delete leave %+v", got)
	}
	d.M.Update(settleMsg{d.M, d.M.draft.number})
	d.Press("tab", "left")
	n = d.events()
	d.Run(d.M.Update(settleMsg{d.M, d.M.draft.number - 1}))
	d.Settle()
	assert.Equal(t, n, d.events(), "the time of an earlier move records the last one")
	d.Run(d.M.Update(settleMsg{d.M, d.M.draft.number}))
	d.Settle()
	assert.Equal(t, n+1, d.events(), "a move is not recorded after a pause")
}

// The key that puts a result lets it go again, and takes it up where the cursor is on it; none is put on another.
func TestLettingGo(t *testing.T) {
	d := open(t, 100, 30, trueColor)
	d.Press("space", "right", "space", "right", "right")
	if got := d.recorded(); len(got) != 1 || d.M.chosen.kind != nothing || !(d.M.cursor[0] > got[0].X && got[0].X > 0.5) {
		t.Errorf("after letting go: %+v, %+v, the cursor is at %v", got, d.M.chosen, d.M.cursor)
	}
	d.Press("left", "left", "space")
	if got := d.recorded(); len(got) != 1 || d.M.chosen.kind != result {
		t.Errorf("after taking it up: %+v, %+v", got, d.M.chosen)
	}
}

// Every act is undone and done again on its own.
func TestUndo(t *testing.T) {
	d := open(t, 100, 30, trueColor)
	states := []string{}
	state := func() string {
		text := fmt.Sprint(d.M.session.State().Belief(), d.M.session.State().Second)
		for _, it := range d.M.items {
			text += fmt.Sprint(" ", it.x, it.y)
		}
		return text
	}
	acts := []func(){func() {}, func() { d.click(0.2, 1) }, func() { d.click(0.7, -1) }, func() { d.Press("]") },
		func() { d.Press("left", "esc", "esc") }, func() { d.Press("c") }, func() { d.Press("&"); d.Press("fit_all") },
		func() { d.rightClick(0.2, 1) }}
	for _, act := range acts {
		act()
		if s := state(); !slices.Contains(states, s) {
			states = append(states, s)
		}
	}
	require.Equal(t, 7, len(states), "the acts make %d states: %v", len(states), states)
	for _, want := range slices.Backward(states[:6]) {
		d.Press("b")
		if got := state(); got != want {
			t.Errorf("undone, it is %s\nwant %s", got, want)
		}
	}
	d.Press("b")
	d.Shows("there is nothing to undo")
	for _, want := range states[1:] {
		d.Press("B")
		if got := state(); got != want {
			t.Errorf("redone, it is %s\nwant %s", got, want)
		}
	}
	d.Press("g")
	assert.Equal(t, states[0], state(), "at the beginning it")
	d.Press("G")
	assert.Equal(t, states[6], state(), "at the end it")
}
