package mode

import (
	"errors"
	"reflect"
	"testing"

	tea "charm.land/bubbletea/v2"

	"bandscope/tui/internal/screentest"
	"bandscope/tui/widget"
)

// A key does what its command does, or says why it cannot; what a command wants comes in the order in which it wants
// it.
func TestPress(t *testing.T) {
	commands := []widget.Command[*Turn]{
		widget.NewCommand(widget.Bind("a", "both", "a"), nil, func(t *Turn) tea.Cmd {
			t.Fail(errors.New("first"))
			return t.Request(Leave{})
		}),
		widget.NewCommand(widget.Bind("b", "never", "b"), func(*Turn) string {
			return "not now"
		}, func(t *Turn) tea.Cmd {
			return t.Request(Leave{})
		}),
	}
	for _, c := range []struct {
		key   string
		taken bool
		want  []widget.Action
	}{
		{"a", true, []widget.Action{Say{Text: "first", Bad: true}, Leave{}}},
		{"b", true, []widget.Action{Say{Text: "not now"}}},
		{"c", false, nil},
	} {
		turn := &Turn{}
		if cmd, taken := Press(turn, turn, commands, screentest.Key(c.key)); cmd != nil || taken != c.taken ||
			!reflect.DeepEqual(turn.Actions, c.want) {
			t.Errorf("%s: %v, %+v, want %+v", c.key, taken, turn.Actions, c.want)
		}
	}
}

// What is drawn over a picture is drawn anew where anything of it changed.
func TestKeyOfAnOverlay(t *testing.T) {
	seen := map[string]int{}
	for i, o := range []Overlay{
		{}, {Cursor: []float64{1}}, {Cursor: []float64{2}}, {Boxes: [][4]float64{{0, 1, 0, 1}}},
		{Boxes: [][4]float64{{0, 1, 0, 1}}, MovingBox: 1},
		{Question: [][]float64{{1, 2}}}, {Question: [][]float64{{1}, {2}}}} {
		if other, ok := seen[o.Key()]; ok {
			t.Errorf("overlays %d and %d have the key %q", i, other, o.Key())
		}
		seen[o.Key()] = i
	}
}
