package registry

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Methods are listed by family, and in a family by ranks of their own.
func TestListedByFamilyAndRank(t *testing.T) {
	seen := map[string]bool{}
	for i, s := range All() {
		if !slices.Contains(families, s.Family) {
			t.Errorf("%s is of the family %q, which has no place", s.Name, s.Family)
		}
		if i > 0 && All()[i-1].Family == s.Family {
			if All()[i-1].Rank >= s.Rank {
				t.Errorf("%s has rank %d in its family, and the one before %d", s.Name, s.Rank, All()[i-1].Rank)
			}
			continue
		}
		if seen[s.Family] {
			t.Errorf("the family %q is listed twice", s.Family)
		}
		seen[s.Family] = true
	}
	assert.Equal(t, len(families), len(seen), "%d families are listed", len(seen))
}
