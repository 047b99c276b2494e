package study

import (
	"slices"
	"testing"
)

// Labels leave out the settings that distinguish no methods.
func TestLabels(t *testing.T) {
	for _, c := range []struct{ methods, want []string }{
		{[]string{"gp-ei kernel=se repeats=on", "gp-ucb kernel=se repeats=on", "random repeats=on"},
			[]string{"gp-ei", "gp-ucb", "random"}},
		{[]string{"gp-ei kernel=se", "gp-ei", "random"}, []string{"gp-ei kernel=se", "gp-ei", "random"}},
		{[]string{"gp-ei kernel=se", "random"}, []string{"gp-ei kernel=se", "random"}}, // of one method alone
		{[]string{"neural-bo lambda=0.01 nu=3", "neural-bo nu=3", "gp-ei"},
			[]string{"neural-bo lambda=0.01", "neural-bo", "gp-ei"}},
		{[]string{"unknown a=1", "other a=1"}, []string{"unknown", "other"}},
	} {
		if got := Labels(c.methods); !slices.Equal(got, c.want) {
			t.Errorf("%q becomes %q, want %q", c.methods, got, c.want)
		}
	}
}
