package librarypage

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A heading precedes the first entry of each group, and the methods of a family are together.
func TestGroupedRows(t *testing.T) {
	rows, current := grouped([]item{{group: "a"}, {group: "a"}, {group: "b"}, {}}, 2)
	assert.Equal(t, []int{-1, 0, 1, -3, 2, 3}, rows)
	assert.Equal(t, 4, current, "the row of the selected entry")
	headings := map[string]int{}
	items := optimizerItems(1, false)
	rows, _ = grouped(items, 0)
	for _, r := range rows {
		if r < 0 {
			headings[items[-r-1].group]++
		}
	}
	for family, n := range headings {
		assert.Equal(t, 1, n, "headings of %s", family)
	}
	assert.Greater(t, len(headings), 3, "families")
}
