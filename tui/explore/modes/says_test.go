package modes

import (
	"strings"
	"testing"

	"bandscope/optimizers/registry"
	"bandscope/sessions/lesson/glossary"
)

// Every parameter of every method is told in a sentence or two that are whole, with its value and whether that is the
// default.
func TestParametersAreDescribed(t *testing.T) {
	for _, m := range registry.All() {
		for _, d := range append(m.Params, m.ScoringParams...) {
			says := ValueText(d, d.Default)
			if n := len(strings.Fields(says)); n < 8 || n > 60 || !strings.HasSuffix(says, ".") ||
				strings.Contains(says, "  ") || !strings.Contains(says, "the default. ") {
				t.Errorf("%s %s is told in %d words: %s", m.Name, d.Key, n, says)
			}
			if _, err := glossary.Find(term(d)); term(d) != "" && err != nil {
				t.Error(err)
			}
		}
	}
}
