package sessions

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// playgroundBeliefs are beliefs by their kinds.
var playgroundBeliefs = []struct {
	name   string
	belief BeliefConfig
}{
	{"se, fixed", BeliefConfig{"gp-ei", map[string]any{"kernel": "1*se(length=0.2)", "noise": "fixed"}}},
	{"se, fitted", BeliefConfig{"gp-ei", map[string]any{"kernel": "se", "hyperparameters": "fitted"}}},
	{"se, integrated", BeliefConfig{"gp-ei", map[string]any{"kernel": "se"}}},
	{"matern12, fitted", BeliefConfig{"gp-ei", map[string]any{"kernel": "matern12", "hyperparameters": "fitted"}}},
	{"rq, fitted", BeliefConfig{"gp-ei", map[string]any{"kernel": "rq", "hyperparameters": "fitted"}}},
	{"linear, fitted", BeliefConfig{"gp-ei", map[string]any{"kernel": "linear", "hyperparameters": "fitted"}}},
	{"periodic*se, fixed", BeliefConfig{"gp-ei", map[string]any{
		"kernel": "1*periodic(length=1, period=0.25)*se(length=0.5)", "noise": "fixed"}}},
	{"periodic*se, fitted", BeliefConfig{"gp-ei", map[string]any{"kernel": "periodic*se", "hyperparameters": "fitted"}}},
	{"periodic*se + linear, integrated", BeliefConfig{"gp-ei", map[string]any{"kernel": "periodic*se + linear"}}},
	{"ntk", BeliefConfig{"ntk-ucb", map[string]any{"auto_gamma": false, "gamma": 3.0}}},
	{"ntk, γ fitted", BeliefConfig{"ntk-ucb", nil}},
	{"nngp, tanh, 3 layers", BeliefConfig{"ntk-ucb", map[string]any{"kernel": "nngp", "auto_gamma": false, "gamma": 3.0,
		"depth": 3, "activation": "tanh"}}},
	{"trained networks", BeliefConfig{"neural-greedy", map[string]any{"width": 500}}},
	{"dngo", BeliefConfig{"dngo", nil}},
	{"random forest", BeliefConfig{"forest-ei", nil}},
}

// BenchmarkPlayground moves one of 20 results, and computes the band at 241 inputs, for every kind of belief.
func BenchmarkPlayground(b *testing.B) {
	grid := mat.NewDense(241, 1, nil)
	grid.Apply(func(i, _ int, _ float64) float64 { return float64(i) / 240 }, grid)
	var results []PlaygroundResult
	for i := range 20 {
		x := float64(i*7%20)/20 + 0.02
		results = append(results, PlaygroundResult{i + 1, 0, x, math.Sin(7*x) + 0.3*math.Cos(31*x)})
	}
	s, err := New(b.Context(), PlaygroundConfig(BeliefConfig{}, 1))
	require.NoError(b, err)
	defer s.Close()
	st := s.State()
	for _, c := range playgroundBeliefs {
		b.Run(c.name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				results[3].Y += 0.001 // another place every time, so that nothing is cached
				p, err := st.Preview(c.belief, results)
				require.NoError(b, err)
				belief, err := p.Belief(b.Context(), nil)
				require.NoError(b, err)
				_, err = belief.Predict(b.Context(), grid)
				require.NoError(b, err)
			}
		})
	}
}
