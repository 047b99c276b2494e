package numfmt

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCount(t *testing.T) {
	for _, c := range []struct {
		n    int
		one  string
		want string
	}{
		{0, "step", "0 steps"}, {1, "step", "1 step"}, {2, "step", "2 steps"}, {1, "branch", "1 branch"},
		{3, "branch", "3 branches"}, {2, "study", "2 studies"}, {2, "day", "2 days"},
		{2, "box", "2 boxes"}, {2, "earlier result", "2 earlier results"}, {-1, "step", "-1 steps"},
	} {
		assert.Equal(t, c.want, Count(c.n, c.one), "%d of %q", c.n, c.one)
	}
}
