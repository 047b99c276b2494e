package mode

import (
	"errors"
	"reflect"
	"testing"

	tea "charm.land/bubbletea/v2"

	"bandscope/tui/belief/several"
	"bandscope/tui/internal/press"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
)

// A key does what its command does, or says why it cannot; what a command wants comes in the order in which it wants it.
func TestPress(t *testing.T) {
	commands := []screen.Command[*Turn]{
		screen.Do(screen.Bind("a", "both", "a"), nil, func(t *Turn) tea.Cmd {
			t.Fail(errors.New("first"))
			return t.Want(Leave{})
		}),
		screen.Do(screen.Bind("b", "never", "b"), func(*Turn) string { return "not now" }, func(t *Turn) tea.Cmd { return t.Want(Leave{}) }),
	}
	for _, c := range []struct {
		key   string
		taken bool
		want  []screen.Action
	}{
		{"a", true, []screen.Action{Say{Text: "first", Bad: true}, Leave{}}},
		{"b", true, []screen.Action{Say{Text: "not now"}}},
		{"c", false, nil},
	} {
		turn := &Turn{}
		if cmd, taken := Press(turn, turn, commands, press.Key(c.key)); cmd != nil || taken != c.taken || !reflect.DeepEqual(turn.Actions, c.want) {
			t.Errorf("%s: %v, %+v, want %+v", c.key, taken, turn.Actions, c.want)
		}
	}
}

// The mouse is over the values that are drawn under it.
func TestUnder(t *testing.T) {
	chart := plot.Chart{X: plot.Axis{Min: 0, Max: 10}, Y: plot.Axis{Min: -1, Max: 1}}
	f := chart.Frame(50, 20)
	o := &Outcomes{Frame: func() (plot.Frame, int, int) { return f, 3, 4 }}
	at := func(x, y float64) tea.Mouse {
		return tea.Mouse{X: 3 + f.Left + int(f.Col(x)), Y: 4 + f.Top + int(f.Row(y))}
	}
	if _, _, ok := o.Under(at(5, 0)); ok {
		t.Error("something is under the mouse before anything is drawn")
	}
	o.Shown = &several.Outcomes{}
	if x, y, ok := o.Under(at(2.5, 0.5)); !ok || x < 2.3 || x > 2.7 || y < 0.4 || y > 0.6 {
		t.Errorf("under the mouse is %g, %g, %v", x, y, ok)
	}
	for _, m := range []tea.Mouse{{X: 2, Y: 10}, {X: 60, Y: 10}, {X: 20, Y: 2}, {X: 20, Y: 40}} {
		if x, y, ok := o.Under(m); ok {
			t.Errorf("beside the plot at %d, %d is %g, %g", m.X, m.Y, x, y)
		}
	}
}

// What is drawn over a picture is drawn anew where anything of it changed.
func TestKeyOfAnOverlay(t *testing.T) {
	seen := map[string]int{}
	for i, o := range []Overlay{{}, {Cursor: []float64{1}}, {Cursor: []float64{2}}, {Boxes: [][4]float64{{0, 1, 0, 1}}}, {Boxes: [][4]float64{{0, 1, 0, 1}}, Moving: 1},
		{Asked: [][]float64{{1, 2}}}, {Asked: [][]float64{{1}, {2}}}} {
		if other, ok := seen[o.Key()]; ok {
			t.Errorf("overlays %d and %d have the key %q", i, other, o.Key())
		}
		seen[o.Key()] = i
	}
}
