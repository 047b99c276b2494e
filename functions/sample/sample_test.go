package sample

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A part is as large as it is to be, the same every time, in the order of the table, and more than its beginning.
func TestOf(t *testing.T) {
	table := make([]int, 100)
	for i := range table {
		table[i] = i
	}
	part := Of(table, 7, 1)
	if !slices.Equal(part, Of(table, 7, 1)) || !slices.IsSorted(part) || len(slices.Compact(slices.Clone(part))) != len(part) {
		t.Errorf("got %v", part)
	}
	if want := Count(15, 100); len(part) != want || part[len(part)-1] < 60 {
		t.Errorf("%d of 100 are %v, want %d", len(part), part, want)
	}
	if got := Of(table, 7, 2); slices.Equal(got, part) != whole {
		t.Errorf("another seed chooses %v", got)
	}
	if got := Of(table[:1], 7, 1); len(got) != 1 {
		t.Errorf("of one element, got %v", got)
	}
	if got := Of(table[:0], 7, 1); len(got) != 0 {
		t.Errorf("of none, got %v", got)
	}
	assert.Equal(t, Count(7, 1), Stride(7), "the stride")
}
