package mode

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
)

// The parameters that a task names, by key, label or symbol, are the first.
func TestFirst(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "gp-ucb", Seed: 1})
	require.NoError(t, err)
	p := ParamsFor(s.State())
	first := p.Decls()[0].Key
	for text, want := range map[string]string{"": first, "Take a step.": first, "`e` edits `restarts`.": "restarts",
		"Find a lengthscale.": "lengthscale", "Change β.": "beta"} {
		assert.Equal(t, want, p.First(text).Decls()[0].Key, text)
		assert.Len(t, p.First(text).Decls(), len(p.Decls()))
	}
}
