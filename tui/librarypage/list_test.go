package librarypage

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/tui/internal/modetest"
	"bandscope/tui/layout"
)

// A heading precedes the first entry of each group, and a blank row separates groups if there is space.
func TestGroupedRows(t *testing.T) {
	found := []item{{value: "p", group: "a"}, {value: "q", group: "a"}, {value: "r", group: "b"}, {value: "s"}}
	m := &Model{}
	m.field = fieldOptimizer
	for room, want := range map[int]string{7: "a p q b r s", 8: "a p q - b r s"} {
		rows, current := m.listRows(found, 2, 20, room)
		texts := strings.Fields(strings.ReplaceAll(modetest.Text(layout.Column(rows...)), "▸", ""))
		assert.Equal(t, strings.Fields(strings.ReplaceAll(want, "-", "")), texts)
		assert.Len(t, rows, len(strings.Fields(want)), "in %d rows", room)
		assert.Contains(t, modetest.Text(layout.Column(rows[current])), "r", "the selected row")
	}
}

// The methods of a family are together.
func TestFamilies(t *testing.T) {
	headings, last := map[string]int{}, ""
	for _, it := range optimizerItems(1, false) {
		if it.group != last {
			headings[it.group]++
		}
		last = it.group
	}
	for family, n := range headings {
		assert.Equal(t, 1, n, "headings of %s", family)
	}
	assert.Greater(t, len(headings), 3, "families")
}
