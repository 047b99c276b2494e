package didyoumean

import (
	"slices"
	"strings"
	"testing"
)

// A name that contains the asked one, or is contained in it, is near however long it is; there are at most three, the
// closest first.
func TestNearest(t *testing.T) {
	known := []string{"Styblinski-Tang", "ackley", "branin-currin", "branin", "branin-cost", "branin-fidelity", "easom"}
	for name, want := range map[string][]string{
		"tang":                     {"Styblinski-Tang"},
		"ackley-of-five-variables": {"ackley"},
		"BRANIN":                   {"branin", "branin-currin", "branin-cost"},
		"brannin":                  {"branin"},
		"eson":                     {"easom"},
		"es":                       nil,
		"":                         nil,
		"qqqqqqqq":                 nil,
	} {
		if got := Nearest(name, known); !slices.Equal(got, want) {
			t.Errorf("near %q are %q, want %q", name, got, want)
		}
	}
	if err := NewUnknownError("session", "x", nil); !strings.Contains(err.Error(), "none here") {
		t.Error(err)
	}
	if err := NewUnknownError("function", "brannin", known); !strings.Contains(err.Error(), "did you mean branin?") {
		t.Error(err)
	}
}
