package registry

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Which methods fit how many objectives, and what they declare for them.
func TestRegistry(t *testing.T) {
	several := []string{"mobo-rs-ucb", "mobo-rs-ts", "parego", "smsego", "ehvi", "moead-ego", "pesmo", "random"}
	if got := SupportingNames(2, false); !slices.Equal(got, several) {
		t.Errorf("for two objectives there are %v, want %v", got, several)
	}
	if got := SupportingNames(1, false); !slices.Equal(got, names()) {
		t.Errorf("for one objective there are %v", got)
	}
	if Default(1) != "gp-ucb" || Default(2) != "ehvi" || Default(3) != "ehvi" || Steered() != "mobo-rs-ts" {
		t.Errorf("the defaults are %s, %s and %s", Default(1), Default(2), Steered())
	}
	for _, s := range All() {
		if found, err := Find(s.Name); err != nil || found.Name != s.Name {
			t.Errorf("%s is not found: %v", s.Name, err)
		}
		if single, pair := s.ParamsFor(1), s.ParamsFor(2); len(single) != len(s.Params) ||
			len(pair) != len(s.Params)+len(s.ScoringParams) || len(pair) > 0 && len(s.ScoringParams) > 0 &&
			pair[0].Key != s.ScoringParams[0].Key {
			t.Errorf("%s declares %d and %d parameters", s.Name, len(single), len(pair))
		}
		steered := slices.Contains([]string{"mobo-rs-ucb", "mobo-rs-ts"}, s.Name)
		assert.Equal(t, steered, s.UsesWeightPrior(), "%s is steered", s.Name)
	}
}

func TestUnknownMethod(t *testing.T) {
	if _, err := Find("gp-ie"); err == nil || !strings.Contains(err.Error(), "gp-ei") {
		t.Errorf("got %v", err)
	}
}
