package numfmt

import "testing"

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
		if got := Count(c.n, c.one); got != c.want {
			t.Errorf("%d of %q are %q, want %q", c.n, c.one, got, c.want)
		}
	}
}
