package registry

import (
	"errors"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/optimizers"
	"bandscope/optimizers/testbed"
)

// Every method with a band can recalibrate it, by default and in old records it does not, and the suggestion is the
// same. Only methods without a band lack the parameter.
func TestRecalibrationKeepsSuggestions(t *testing.T) {
	small := []string{"width=16", "depth=1", "ensemble=2", "networks=2", "trees=5", "restarts=1", "epochs=20"}
	for _, s := range Supporting(1, false) {
		var last optimizers.Suggestion
		for i, choice := range []string{optimizers.RecalibrationOff, optimizers.RecalibrationLOO} {
			_, data := testbed.Observe(t, "forrester", 6)
			in := testbed.InputFor(t, s, 1, data, append(small, "recalibration="+choice)...)
			require.Equal(t, i == 1 && !s.NoBand, in.Recalibrates(), "%s with %s recalibrates", s.Name, choice)
			b := testbed.Fit(t, s, in)
			next, err := b.Suggest(t.Context())
			require.NoError(t, err, s.Name)
			if i == 1 && !reflect.DeepEqual(next.X, last.X) {
				t.Errorf("%s suggests %v with recalibration, %v without", s.Name, next.X, last.X)
			}
			last = next
			if _, err := b.Predict(t.Context(), data.X); errors.Is(err, optimizers.ErrUnsupported) != s.NoBand {
				t.Errorf("%s has no band: %v, but %v", s.Name, s.NoBand, err)
			}
		}
		for _, d := range s.Params {
			if d.Key == optimizers.RecalibrationKey && d.Default != optimizers.RecalibrationOff {
				t.Errorf("%s recalibrates by default: %v", s.Name, d.Default)
			}
		}
	}
}
