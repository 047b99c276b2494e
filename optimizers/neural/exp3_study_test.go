//go:build study

package neural

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/functions"
	"bandscope/functions/rng"
	"bandscope/model/parallel"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
	"bandscope/optimizers/testbed"
)

// exp3 chooses among arms with rewards in [0, 1] (Auer et al. 2002, fig. 1).
type exp3 struct {
	weights     []float64
	exploration float64
}

func (e exp3) probabilities() []float64 {
	p, sum := make([]float64, len(e.weights)), floats.Sum(e.weights)
	for i, w := range e.weights {
		p[i] = (1-e.exploration)*w/sum + e.exploration/float64(len(p))
	}
	return p
}

func (e exp3) reward(arm int, reward float64) {
	e.weights[arm] *= math.Exp(e.exploration * reward / e.probabilities()[arm] / float64(len(e.weights)))
}

// minimized returns the simple regret of a search by neural-greedy over n evaluations. gamma chooses the variance of the
// initial weights of a step, as a parameter, and hears which fraction of the earlier results the new one is better than.
func minimized(t *testing.T, function string, seed uint64, n int, gamma func() string, hear func(float64)) float64 {
	p, err := functions.Find(function, seed)
	require.NoError(t, err)
	x, y := mat.NewDense(n, p.Dim(), nil), mat.NewDense(n, 1, nil)
	for step := range n {
		var data optimizers.Data
		if step > 0 {
			data = optimizers.Data{X: mat.DenseCopyOf(x.Slice(0, step, 0, p.Dim())), Y: mat.DenseCopyOf(y.Slice(0, step, 0, 1))}
		}
		in := testbed.InputFor(t, Greedy, p.Dim(), data, "width=500", "ensemble=2")
		in.Seed, in.Budget = seed, n
		chosen := !search.InDesign(in)
		var s optimizers.Suggestion
		if chosen {
			in = testbed.InputFor(t, Greedy, p.Dim(), data, "width=500", "ensemble=2", "gamma="+gamma())
			in.Seed, in.Budget = seed, n
			s, err = testbed.Fit(t, Greedy, in).Suggest(t.Context())
		} else {
			s, err = search.InitialPoint(t.Context(), in)
		}
		require.NoError(t, err)
		x.SetRow(step, mat.Row(nil, 0, s.X))
		v, err := p.TrueValues(p.Domain.FromUnit(x.RawRowView(step)))
		require.NoError(t, err)
		value := p.Objectives[0].Transform().Apply(v[0])
		if y.Set(step, 0, value); chosen {
			worse := 0.0
			for _, before := range data.Column(0) {
				if value < before {
					worse++
				}
			}
			hear(worse / float64(step))
		}
	}
	return mat.Min(y) - p.Objectives[0].Transform().Apply(p.Optimum().Value)
}

// TestExp3 reports the simple regret of neural-greedy if Exp3 chooses the variance of the initial weights at every step,
// which Nadigatla 2022 proposes as future work, beside the default and fixed variances.
func TestExp3(t *testing.T) {
	const seeds, n = 6, 40
	arms := []string{"0.5", "1", "2", "4", "8"}
	for _, function := range []string{"schwefel:3", "branin", "hartmann:3", "levy:3"} {
		for _, mode := range append([]string{"Exp3", "0"}, arms[1:4]...) {
			regrets := make([]float64, seeds)
			parallel.Do(seeds, func(i int) {
				e := exp3{slices.Repeat([]float64{1}, len(arms)), 0.2}
				draws, arm := rng.New(uint64(i+1), 0, "Exp3"), 0
				gamma, hear := func() string { return mode }, func(float64) {}
				if mode == "Exp3" {
					gamma = func() string {
						u := draws.Float64()
						for arm = 0; arm < len(arms)-1; arm++ {
							if u -= e.probabilities()[arm]; u < 0 {
								break
							}
						}
						return arms[arm]
					}
					hear = func(reward float64) { e.reward(arm, reward) }
				}
				regrets[i] = minimized(t, function, uint64(i+1), n, gamma, hear)
			})
			slices.Sort(regrets)
			mean, sd := stat.MeanStdDev(regrets, nil)
			name := map[string]string{"Exp3": "Exp3", "0": "by evidence"}[mode]
			if name == "" {
				name = fmt.Sprintf("γ = %s", mode)
			}
			t.Logf("%-11s %-12s median %.3g, mean %.3g ± %.2g", function, name,
				(regrets[seeds/2-1]+regrets[seeds/2])/2, mean, sd/math.Sqrt(seeds))
		}
	}
}
