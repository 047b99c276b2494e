package trainer

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The numbers are those of another implementation, in numpy 2, of the same text.
func TestSourceGivesTheNumbersOfItsDefinition(t *testing.T) {
	s := NewSource(7, 3)
	for i, want := range []uint64{0xcae2dc101f3bc6b2, 0xf601610b344d6f0c, 0x164c872f1a440f7e} {
		assert.Equal(t, want, s.Uint64(), "word %d", i)
	}
	s = NewSource(7, 3)
	for i, want := range []float64{0.7925241, 0.96095854, 0.08710523} {
		assert.InDelta(t, want, s.Float64(), 5e-9, "number %d in [0, 1)", i)
	}
	for i, want := range []float64{0.66154106, -0.16561446, -0.81759089, -2.052516} {
		assert.InDelta(t, want, NewSource(7, 3).Normals(4)[i], 5e-9, "normal number %d", i)
	}
	if got := NewSource(7, 3).IntN(10); got != 7 {
		t.Errorf("the first of ten is %d, want 7", got)
	}
}

// An odd number of normal ones takes as many words as one more, and a copy goes on by itself.
func TestSourceOfOddNumbersAndCopies(t *testing.T) {
	odd, even := NewSource(1, 2), NewSource(1, 2)
	if a, b := odd.Normals(3), even.Normals(4); !slices.Equal(a, b[:3]) {
		t.Errorf("three are %v, of four %v", a, b)
	}
	c := odd.Copy()
	want := even.Uint64()
	if got := odd.Uint64(); got != want {
		t.Errorf("after three comes %x, after four %x", got, want)
	}
	assert.Equal(t, want, c.Uint64(), "a copy goes on with")
}
