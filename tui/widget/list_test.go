package widget

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
)

// Keys go through the rows of a list, to its ends or round, and say why where they cannot.
func TestList(t *testing.T) {
	type rows struct{ at, count, moves int }
	ends := [2]string{"first", "last"}
	for _, c := range []struct {
		list        List[*rows]
		from, count int
		keys        string
		at          int
		why         string // of the last key
		moves       int
	}{
		{List[*rows]{Ends: ends}, 1, 4, "down", 2, "", 1},
		{List[*rows]{Ends: ends}, 2, 4, "down down", 3, "last", 1},
		{List[*rows]{Ends: ends}, 1, 4, "up up", 0, "first", 1},
		{List[*rows]{Ends: ends, First: -1}, 0, 4, "up up", -1, "first", 1},
		{List[*rows]{Ends: ends}, 0, 0, "down", 0, "last", 0},
		{List[*rows]{Ends: ends}, 1, 9, "pgdown pgdown", 7, "", 2},
		{List[*rows]{Ends: ends}, 5, 9, "pgdown pgdown", 8, "", 2},
		{List[*rows]{Ends: ends}, 2, 9, "pgup", 0, "", 1},
		{List[*rows]{Round: true, Only: "only"}, 2, 3, "down", 0, "", 1},
		{List[*rows]{Round: true, Only: "only"}, 0, 3, "up", 2, "", 1},
		{List[*rows]{Round: true, Only: "only"}, 0, 1, "up", 0, "only", 0},
		{List[*rows]{Round: true, Off: func(*rows) string { return "not now" }}, 1, 3, "down", 1, "not now", 0},
	} {
		c.list.Up, c.list.Down = "up k", "down"
		c.list.Row = func(r *rows) (*int, int) { return &r.at, r.count }
		c.list.Then = func(r *rows) tea.Cmd { r.moves++; return nil }
		r := &rows{at: c.from, count: c.count}
		why := ""
		for name := range strings.FieldsSeq(c.keys) {
			_, why, _ = Press(r, append(c.list.Commands(), c.list.Pages(func(*rows) int { return 3 })...), KeyPress(name))
		}
		if r.at != c.at || why != c.why || r.moves != c.moves {
			t.Errorf("%s from %d of %d: at %d after %d moves, %q; want %d after %d, %q", c.keys, c.from, c.count, r.at, r.moves, why, c.at, c.moves, c.why)
		}
	}
	down := List[*rows]{Shown: "tab", Up: "up", Down: "down", ShowsDown: true}.Commands()
	if down[0].Help().Key != "tab" || down[0].Keys()[0] != "down" {
		t.Errorf("the first key is %q as %q", down[0].Keys(), down[0].Help().Key)
	}
}

// The rows that are shown are around the selected one, and none is empty.
func TestTop(t *testing.T) {
	for _, c := range [][4]int{{0, 9, 4, 0}, {4, 9, 4, 2}, {8, 9, 4, 5}, {2, 3, 4, 0}, {0, 0, 4, 0}} {
		assert.Equal(t, c[3], Top(c[0], c[1], c[2]), "row %d of %d: %d rows begin at", c[0], c[1], c[2])
	}
}
