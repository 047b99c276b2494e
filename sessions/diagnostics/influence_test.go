package diagnostics

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/sessions"
)

// densest is the greatest acquisition of a belief over the unit cube by a search of its own: of a dense uniform sample
// the best, followed upwards by compass search.
func densest(t *testing.T, b optimizers.Belief, dim int, known [][]float64) (x []float64, value float64) {
	t.Helper()
	const dense, starts = 6000, 24
	rng := rand.New(rand.NewPCG(7, 8))
	pool := mat.NewDense(dense+len(known), dim, nil)
	for i := range dense {
		for j := range dim {
			pool.Set(i, j, rng.Float64())
		}
	}
	for i, row := range known {
		pool.SetRow(dense+i, row)
	}
	ask := func(X *mat.Dense) []float64 {
		v, err := b.Acquisition(t.Context(), X)
		require.NoError(t, err)
		return v
	}
	values, order := ask(pool), make([]int, dense+len(known))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	value = math.Inf(-1)
	for _, i := range order[:starts] {
		row, here := slices.Clone(pool.RawRowView(i)), values[i]
		for step := 0.05; step > 1e-5; {
			around := mat.NewDense(2*dim, dim, nil)
			for j := range dim {
				for side, amounts := range []float64{step, -step} {
					around.SetRow(2*j+side, row)
					around.Set(2*j+side, j, min(max(row[j]+amounts, 0), 1))
				}
			}
			v := ask(around)
			k := slices.Index(v, slices.Max(v))
			if v[k] > here {
				row, here = slices.Clone(around.RawRowView(k)), v[k]
			} else {
				step /= 2
			}
		}
		if here > value {
			x, value = row, here
		}
	}
	return x, value
}

// What would be chosen without a result is the greatest acquisition without it, as a dense search of its own finds it.
func TestInfluencesAreSearchedAsSuggestions(t *testing.T) {
	s := stepped(t, sessions.Config{Problem: "hartmann:3", Optimizer: "gp-ei", Seed: 3,
		Params: map[string]any{"kernel": "se", "hyperparameters": "fitted"}}, 25)
	r, err := ExplainNext(t.Context(), s, ExplainOptions{Influence: true}, nil)
	if err != nil || len(r.Influence) != 25 {
		t.Fatalf("%+v, %v", r, err)
	}
	b, err := s.Belief(t.Context(), nil)
	require.NoError(t, err)
	for i, influence := range r.Influence {
		without, err := b.(optimizers.LeaveOutRefitter).LeaveOut(t.Context(), i)
		require.NoError(t, err)
		domain := s.State().Problem.Domain
		x, v := densest(t, without, 3, [][]float64{domain.ToUnit(r.Chosen.X), domain.ToUnit(influence.Result.X)})
		if v > influence.AtRefit*(1+1e-6) {
			t.Errorf("without result %d the acquisition is %g at %v, and %g at %v", i+1, influence.AtRefit, influence.Influence.X, v,
				x)
		}
	}
}

// A change of a text is looked for too, and what is not tried is said.
func TestLengthscalesAreChanged(t *testing.T) {
	s := stepped(t, sessions.Config{Problem: "hartmann:3", Optimizer: "gp-ei", Seed: 3,
		Params: map[string]any{"kernel": "se", "hyperparameters": "fitted", "design_size": "budget"}}, 25)
	r, err := ExplainNext(t.Context(), s, ExplainOptions{Counterfactuals: true}, nil)
	require.NoError(t, err)
	i := slices.IndexFunc(r.Counterfactuals, func(c Counterfactual) bool {
		return c.Decl.Key == "lengthscale" && c.To == "0.5"
	})
	if i < 0 || !(r.Counterfactuals[i].Distance > 0.3) {
		t.Errorf("with lengthscale=0.5: %+v", r.Counterfactuals)
	}
	if text := SkippedValues(s.State()); !strings.HasPrefix(text, "kernel other than matern52, se; lengthscales other than fitted, 0.05") ||
		!strings.HasSuffix(text, "T_e initial points, size of the design and initial design, which only affect the initial design") {
		t.Error(text)
	}
}
