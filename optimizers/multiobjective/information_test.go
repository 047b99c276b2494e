package multiobjective

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/model/gp"
	"bandscope/model/kernel"
	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
)

// With a truncation to a half-line in one objective, the lost entropy is log(√(2πe)σ) − [log(√(2πe)σΦ(β)) −
// βφ(β)/(2Φ(β))], whatever the other objectives are.
func TestEntropyLostToAHalfLine(t *testing.T) {
	// γ and the log of the entropy that is lost to the half-line [−γ, ∞): mpmath 1.4.1 with 1,000 digits.
	for _, c := range [][2]float64{
		{-37.5, 1.3974068662479061},
		{-10.0, 1.0082567738045121},
		{-5.0, 0.74133643859006989},
		{-3.0, 0.52062440201565978},
		{-1.0, 0.075528540530939019},
		{0.0, -0.36651292058166433},
		{1.0, -1.1502621798086021},
		{3.0, -4.8273681185485898},
	} {
		want := math.Exp(c[1])
		sd, inf := 0.7, math.Inf(1)
		for _, cells := range [][]cell{
			{{[]float64{2 - sd*c[0]}, []float64{inf}}}, {{[]float64{2 - sd*c[0], -inf}, []float64{inf, inf}}},
			{{[]float64{2 - sd*c[0], -inf}, []float64{inf, 1}}, {[]float64{2 - sd*c[0], 1}, []float64{inf, inf}}}} {
			k := len(cells[0].lo)
			if got := entropyLost(cells, []float64{2, 1.5}[:k], []float64{sd, 0.1}[:k]); math.Abs(got-want) > 1e-9*
				want+1e-15*c[0]*c[0]*c[0]*c[0] {
				t.Errorf("truncated at β = %g: %.12g, want %.12g", c[0], got, want)
			}
		}
	}
}

// The lost entropy is H(z) + E log p(z) with the density p of the truncated distribution, by Monte Carlo over the
// normals in the region, within five standard errors.
func TestEntropyLost(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 5))
	for _, k := range []int{1, 2, 3} {
		for range 3 {
			front := make([][]float64, 5)
			for i := range front {
				front[i] = make([]float64, k)
				for j := range front[i] {
					front[i][j] = rng.NormFloat64()
				}
			}
			mean, sd := make([]float64, k), make([]float64, k)
			whole := 0.0 // H(z)
			for j := range mean {
				mean[j], sd[j] = 0.5*rng.NormFloat64(), 0.5+rng.Float64()
				whole += distuv.Normal{Mu: mean[j], Sigma: sd[j]}.Entropy()
			}
			const draws = 100_000
			var logs []float64 // of the density of those inside, up to the probability of the region
			for range draws {
				z, log := make([]float64, k), 0.0
				for j := range z {
					law := distuv.Normal{Mu: mean[j], Sigma: sd[j]}
					z[j] = mean[j] + sd[j]*rng.NormFloat64()
					log += law.LogProb(z[j])
				}
				if slices.ContainsFunc(front, func(f []float64) bool { return nowhereWorse(f, z) }) {
					logs = append(logs, log)
				}
			}
			p := float64(len(logs)) / draws
			m, s := stat.MeanStdDev(logs, nil)
			want := whole + m - math.Log(p)
			se := math.Sqrt((1-p)/(p*draws)) + s/math.Sqrt(float64(len(logs)))
			got := entropyLost(undominatedCells(front, k), mean, sd)
			assert.InDelta(t, want, got, 5*se, "K=%d: %g, by Monte-Carlo %g ± %g", k, got, want, se)
			if tail := tailEntropyLost(undominatedCells(front, k), mean, sd); math.Abs(tail-got) > 1e-9 {
				t.Errorf("K=%d: %g by logarithms, %g without", k, tail, got)
			}
		}
	}
}

// Information is never negative, whatever the posterior and the fronts. With up to four objectives, this holds for
// every front.
func TestInformationIsNotNegative(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 5))
	for k := 1; k <= 6; k++ {
		for range 300 {
			front := make([][]float64, 1+rng.IntN(8))
			for i := range front {
				front[i] = make([]float64, k)
				for j := range front[i] {
					front[i][j] = rng.NormFloat64()
				}
			}
			b := &informationBelief{cells: [][]cell{undominatedCells(front, k)}}
			mean, sd := make([]float64, k), make([]float64, k)
			for j := range mean {
				mean[j], sd[j] = 3*rng.NormFloat64(), math.Exp(2*rng.NormFloat64()-1)
			}
			lost := entropyLost(b.cells[0], mean, sd)
			if v := b.information(mean, sd); !(v >= 0) || math.IsInf(v, 1) || k <= 4 && lost < -1e-9 {
				t.Errorf("K=%d: the front %v has the information %g at %v ± %v, and loses %g",
					k, front, v, mean, sd, lost)
			}
		}
	}
}

// If normal outcomes shrink to narrower normals by the same factor, the information of a noisy observation is ½ log of
// the ratio of its variances before and after. Without noise it is the lost entropy. It is never more than the
// information of the observation about the outcome.
func TestInformationInANoisyObservation(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for range 200 {
		k := 1 + rng.IntN(4)
		shrink := rng.Float64()
		sd, noise, lost, want, most := make([]float64, k), make([]float64, k), 0.0, 0.0, 0.0
		for j := range sd {
			sd[j], noise[j] = math.Exp(rng.NormFloat64()), math.Exp(2*rng.NormFloat64())
			before, after := distuv.Normal{Sigma: math.Hypot(sd[j], noise[j])},
				distuv.Normal{Sigma: math.Sqrt(shrink*sd[j]*sd[j] + noise[j]*noise[j])}
			lost += distuv.Normal{Sigma: sd[j]}.Entropy() - distuv.Normal{Sigma: math.Sqrt(shrink) * sd[j]}.Entropy()
			want += before.Entropy() - after.Entropy()
			most += before.Entropy() - distuv.Normal{Sigma: noise[j]}.Entropy()
		}
		got := (&informationBelief{noise: noise}).noisyInformation(lost, sd)
		if math.Abs(got-want) > 1e-9*(1+want) || got > most || got > lost {
			t.Errorf("%v ± %v: %g, want %g; of the outcome %g, without noise %g", sd, noise, got, want, most, lost)
		}
		if got := (&informationBelief{noise: make([]float64, k)}).noisyInformation(lost, sd); math.Abs(got-lost) > 1e-9*
			(1+lost) {
			t.Errorf("without noise %g, want %g", got, lost)
		}
	}
}

// Observations without noise bound the region that a drawn front allows, noisy ones do not. A front with too many cells
// is thinned.
func TestCellsOfDrawnFronts(t *testing.T) {
	k := kernel.Stationary{Form: kernel.SE, Scale: 1, Lengths: []float64{1}}
	belief := func(noises ...float64) *informationBelief {
		b := &informationBelief{frontBelief: &frontBelief{belief: &belief{in: optimizers.Input{Objectives: 2}},
			front: [][]float64{{0.1, 0.2}}}}
		for _, noise := range noises {
			g, err := gp.New(k, noise, nil, nil)
			require.NoError(t, err)
			b.processes = append(b.processes, &gaussian.Process{GP: gaussian.NewEncodedGP(g, nil)})
		}
		return b
	}
	drawn := [][]float64{{0, 1}, {0.5, 0.5}, {1, 0}}
	for _, c := range []struct {
		noises []float64
		want   int // cells that contain (0.3, 0.4), which only the observed point dominates
	}{{[]float64{0, 0}, 1}, {[]float64{1e-4, 1e-4}, 1}, {[]float64{0.1, 0.1}, 0}, {[]float64{0, 0.1}, 0}} {
		cells := belief(c.noises...).cellsFor(drawn)
		if got := holding(cells, []float64{0.3, 0.4}); got != c.want {
			t.Errorf("noise %v: (0.3, 0.4) lies in %d cells, want %d", c.noises, got, c.want)
		}
		if holding(cells, []float64{0.6, 0.7}) != 1 || holding(cells, []float64{0.05, 0.05}) != 0 {
			t.Errorf("noise %v: the region differs", c.noises)
		}
	}
	var circle [][]float64
	for i := range 3 * informationCells {
		s, c := math.Sincos(math.Pi / 2 * float64(i) / (3*informationCells - 1))
		circle = append(circle, []float64{1 - s, 1 - c})
	}
	cells := belief(0.1, 0.1).cellsFor(circle)
	if len(cells) > informationCells || len(cells) < informationCells/3 {
		t.Errorf("a front of %d points has %d cells", len(circle), len(cells))
	}
	if holding(cells, []float64{0.31, 0.31}) != 1 || holding(cells, []float64{0.28, 0.28}) != 0 {
		// the circle is at 1 − √½ = 0.293
		t.Error("a thinned front has moved")
	}
}
