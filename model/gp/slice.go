package gp

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"bandscope/model/kernel"
)

// Settings of the sampler of hyperparameters.
const (
	burnInSweeps = 5 // sweeps from the start of the chain to the first draw
	thinning     = 2 // sweeps from one draw to the next
	maxStepsOut  = 6 // maximum growth of an interval, in units of its first width
)

// Integrate draws count sets of hyperparameters from their posterior by slice sampling (Neal 2003, fig. 3 and 5; for
// Gaussian processes Murray & Adams 2010). The chain starts from mode, the process that Fit returns for the same data.
// The result depends only on the data, the options and the random stream.
func Integrate(ctx context.Context, mode *GP, X *mat.Dense, y []float64, opt Options, count int,
	rng *rand.Rand) (*Mixture, error) {
	if X == nil || len(y) < 2 || count < 2 {
		return NewMixture(mode), nil
	}
	e := newEvidence(X, y, opt)
	if !e.free() {
		return NewMixture(mode), nil
	}
	start := e.at(mode)
	draws, err := e.posteriorDraws(ctx, e.inside(start), count, rng)
	if err != nil {
		return nil, err
	}
	m := &Mixture{mode: mode}
	for _, theta := range draws {
		k, noise := e.kernelAt(theta)
		g, err := NewBlocked(k, noise, opt.NoiseSDs, Blocks{opt.Blocks, e.blockSD(theta)}, X, y)
		if err != nil {
			return nil, err
		}
		m.draws = append(m.draws, g)
	}
	return m, nil
}

// posteriorDraws draws count points from the posterior.
func (e *evidence) posteriorDraws(ctx context.Context, start []float64, count int, rng *rand.Rand) ([][]float64, error) {
	if e.opt.FirstSearch {
		return e.slices(ctx, start, count, rng)
	}
	w := e.workspace()
	defer e.workspaces.Put(w)
	return e.newChain(start, w, rng).draw(ctx, count)
}

// Thin returns the mixture of every few of the processes, from the first on.
func (m *Mixture) Thin(every int) *Mixture {
	if !m.Integrated() {
		return m
	}
	few := &Mixture{mode: m.mode}
	for i := 0; i < len(m.draws); i += every {
		few.draws = append(few.draws, m.draws[i])
	}
	return few
}

// slices draws count points, in sessions that began with format 1.10 or before, from the posterior by sweeps of univariate slice sampling. A sweep moves along every
// hyperparameter, and along the direction in which all lengthscales and the signal standard deviation grow together,
// which the data determine least. With a sparse prior it also moves along the direction in which all lengthscales grow
// and the global shrinkage decreases, which that prior determines least.
func (e *evidence) slices(ctx context.Context, start []float64, count int, rng *rand.Rand) ([][]float64, error) {
	w := e.workspace()
	defer e.workspaces.Put(w)
	var directions [][]float64
	together := make([]float64, len(start))
	for j := range start {
		if e.hi[j] <= e.lo[j] {
			continue // it is fixed
		}
		_, sd := e.prior(j)
		one := make([]float64, len(start))
		one[j] = sd
		directions = append(directions, one)
		if k := e.kind(j); k == kernel.Length || k == kernel.Scale {
			together[j] = sd
		}
	}
	if len(directions) > 2 {
		directions = append(directions, together)
	}
	if e.shrinkage >= 0 {
		directions = append(directions, e.shrinkageDirection())
	}
	at := append([]float64(nil), start...)
	value := e.value(at, nil, w)
	var draws [][]float64
	for sweep := 1; len(draws) < count; sweep++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, direction := range directions {
			value = e.slice(at, value, direction, w, rng)
		}
		if e.opt.Progress != nil {
			e.opt.Progress(sweep, burnInSweeps+thinning*(count-1))
		}
		if sweep >= burnInSweeps && (sweep-burnInSweeps)%thinning == 0 {
			draws = append(draws, append([]float64(nil), at...))
		}
	}
	return draws, nil
}

// slice moves a point along a direction, in place. The new point is uniform on the part of the line inside the box
// where the posterior density is above a uniform fraction of the density at the old point, by stepping out and
// shrinkage (Neal 2003). It returns the value at the new point.
func (e *evidence) slice(at []float64, value float64, direction []float64, w *workspace, rng *rand.Rand) float64 {
	level := value - rng.ExpFloat64()
	next := make([]float64, len(at))
	density := func(t float64) float64 {
		for j, v := range at {
			if next[j] = v + t*direction[j]; direction[j] != 0 && (next[j] < e.lo[j] || next[j] > e.hi[j]) {
				return math.Inf(-1)
			}
		}
		return e.value(next, nil, w)
	}
	left := -rng.Float64()
	right := left + 1
	out := rng.IntN(maxStepsOut)
	for range out {
		if density(left) <= level {
			break
		}
		left--
	}
	for range maxStepsOut - 1 - out {
		if density(right) <= level {
			break
		}
		right++
	}
	for range 100 {
		t := left + rng.Float64()*(right-left)
		if v := density(t); v > level {
			copy(at, next)
			return v
		}
		if t < 0 {
			left = t
		} else {
			right = t
		}
	}
	return value
}
