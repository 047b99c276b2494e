package lessonpage

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
)

// What networks believe is measured against what is known of it: their number of weights, laws that have mean 0 or no
// spread, and points that were chosen by hand.
func TestQuantitiesOfNetworks(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "sine-trend", Optimizer: "neural-greedy", Seed: 2,
		Params: map[string]any{"width": 30, "activation": "erf", "gamma": 1.5, "ensemble": 4, "initial": 2}})
	require.NoError(t, err)
	defer s.Close()
	var before *claimPage
	holds := func(where string, claims ...string) {
		t.Helper()
		p, err := turnTo(t.Context(), s, before)
		require.NoError(t, err)
		for _, claim := range claims {
			assert.NoError(t, p.check(claim), "%s: %s", where, claim)
		}
		before = p
	}
	edit := func(key, value string) {
		t.Helper()
		require.NoError(t, s.Edit(key, value))
	}
	// 30 weights, 30 biases, 30 weights and a bias
	holds("untrained", "parameters = 91", "off-zero > 0.01", "samples > 0")
	edit("band", "nngp")
	holds("their law", "off-zero = 0", "mean-moved > 0")
	edit("nu", "2")
	holds("twice as wide", "wider > 1.999", "wider < 2.001", "mean-moved = 0", "open-ends > 1")
	edit("nu", "1")
	edit("activation", "relu")
	holds("relu", "open-ends > 1.1")
	edit("activation", "erf")
	for _, x := range []float64{0.2, 0.3, 0.45, 0.5, 0.6} {
		_, err = s.Query(t.Context(), []float64{x})
		require.NoError(t, err)
	}
	edit("band", "warm-start")
	holds("no spread", "wider = 0", "used-misses < 0.01", "recent-spread < 0.3001", "recent-spread > 0.2999")
	edit("sigma2", "5")
	holds("far from the data", "used-misses > 0.5")
	if v := before.eigenSpread(); !math.IsNaN(v) {
		t.Errorf("eigenvalues spread over %v powers of ten, where no theory is shown", v)
	}
}
