package diagnostics

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// The brief reason names the place of a point in the initial design, the motive with its numbers, the chance of a method
// without a model, and the person who chose.
func TestBriefReason(t *testing.T) {
	for _, c := range []struct {
		method string
		steps  int
		want   string // a regular expression
	}{
		{"gp-ei", 2, `^3 of 3, chosen to cover the space$`},
		{"gp-ei", 6, `^to (exploit|explore|exploit and explore|refine the best result): \S+ ± \S+, best \S+$`},
		{"random", 3, `^drawn at random$`},
		{"gp-ts", 6, `^the function that picks the point is best here$`},
	} {
		s := begin(t, "forrester", c.method)
		for range c.steps {
			_, err := s.Step(t.Context(), nil)
			require.NoError(t, err)
		}
		brief := func() string {
			b, err := s.Belief(t.Context(), nil)
			require.NoError(t, err)
			next, err := s.Next(t.Context(), nil)
			require.NoError(t, err)
			text, err := BriefReason(t.Context(), s.State(), b, mat.Row(nil, 0, next.X))
			require.NoError(t, err)
			return text
		}
		assert.Regexp(t, c.want, brief(), c.method)
		_, err := s.AskPoint([]float64{0.4})
		require.NoError(t, err)
		assert.Equal(t, "chosen by a person", brief(), c.method)
	}
}
