package gp

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"bandscope/model/kernel"
)

// Settings of a chain.
const (
	widthPerMove = 6   // width of an interval, in mean moves during the burn-in: two widths of the slice
	minWidth     = 0.3 // least and greatest width,
	maxWidth     = 6   // in units of the direction
)

// chain draws hyperparameters by sweeps of univariate slice sampling, as slices does, with fewer and cheaper
// evaluations of the evidence:
//
//   - It steps out during the burn-in only. The later intervals have a width that follows from the moves until then.
//     Since that no longer changes, they leave the posterior invariant without stepping out (Neal 2003, §4.1).
//   - It moves the signal and the noise together, K → c²K, along which the evidence follows from that at one point, in
//     place of the signal alone.
//   - Moves of the noise alone keep the covariance of the signal.
type chain struct {
	e          *evidence
	w          *workspace
	rng        *rand.Rand
	at, next   []float64
	value      float64
	fit        float64 // yᵀK⁻¹y at the current point
	directions []chainDirection
}

// chainDirection is a direction of moves.
type chainDirection struct {
	step  []float64
	width float64   // of the interval after the burn-in, in units of the step
	moves []float64 // sizes of the moves until then
	kind  chainKind
}

// chainKind says what a move changes.
type chainKind int

const (
	changesAll       chainKind = iota
	changesAmplitude           // the signal and the noise by the same factor
	changesNoise
)

// newChain returns a chain at a point of the box.
func (e *evidence) newChain(start []float64, w *workspace, rng *rand.Rand) *chain {
	c := &chain{e: e, w: w, rng: rng, at: slices.Clone(start), next: make([]float64, len(start))}
	together := make([]float64, len(start))
	// the noise is fitted, and that of all observations: the signal and the noise can move together
	scales := e.family == nil && e.noise >= 0 && e.opt.NoiseSDs == nil && e.block < 0
	for j := range start {
		if e.hi[j] <= e.lo[j] {
			continue // it is fixed
		}
		_, sd := e.prior(j)
		values := make([]float64, len(start))
		values[j] = sd
		kind, k := changesAll, e.kind(j)
		switch {
		case k == kernel.Scale && scales:
			values[e.noise], kind = sd, changesAmplitude
		case j == e.noise:
			kind = changesNoise
		}
		c.directions = append(c.directions, chainDirection{step: values, kind: kind})
		if k == kernel.Length || k == kernel.Scale {
			together[j] = sd
		}
	}
	if len(c.directions) > 2 {
		c.directions = append(c.directions, chainDirection{step: together})
	}
	if e.shrinkage >= 0 {
		c.directions = append(c.directions, chainDirection{step: e.shrinkageDirection()})
	}
	c.value = e.value(c.at, nil, w)
	c.fit = c.quadratic()
	return c
}

// quadratic returns yᵀK⁻¹y of the last evaluation of the evidence.
func (c *chain) quadratic() (sum float64) {
	for i, a := range c.w.alpha {
		sum += a * c.e.y[i]
	}
	return sum
}

// draw returns count points of the posterior.
func (c *chain) draw(ctx context.Context, count int) ([][]float64, error) {
	var draws [][]float64
	for sweep := 1; len(draws) < count; sweep++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i := range c.directions {
			c.move(&c.directions[i])
		}
		if sweep == burnInSweeps {
			c.setWidths()
		}
		if c.e.opt.Progress != nil {
			c.e.opt.Progress(sweep, burnInSweeps+thinning*(count-1))
		}
		if sweep >= burnInSweeps && (sweep-burnInSweeps)%thinning == 0 {
			draws = append(draws, slices.Clone(c.at))
		}
	}
	return draws, nil
}

// setWidths sets the widths of the intervals after the burn-in.
func (c *chain) setWidths() {
	for i := range c.directions {
		d := &c.directions[i]
		sum := 0.0
		for _, v := range d.moves {
			sum += v
		}
		d.width = min(max(widthPerMove*sum/float64(len(d.moves)), minWidth), maxWidth)
	}
}

// density returns the log density at a step along a direction, −∞ outside the box.
func (c *chain) density(d *chainDirection, t float64) float64 {
	for j, v := range c.at {
		c.next[j] = v + t*d.step[j]
		if d.step[j] != 0 && (c.next[j] < c.e.lo[j] || c.next[j] > c.e.hi[j]) {
			return math.Inf(-1)
		}
	}
	switch d.kind {
	case changesAmplitude:
		log := t * d.step[c.e.noise]
		v := c.value + c.fit*(1-math.Exp(-2*log))/2 - float64(len(c.e.y))*log
		if c.e.opt.Priors != nil {
			v += c.e.logPrior(c.next, nil) - c.e.logPrior(c.at, nil)
		}
		return v
	case changesNoise:
		return c.e.valueOfCovariance(c.next, c.w)
	}
	return c.e.value(c.next, nil, c.w)
}

// move moves the point along a direction. The new point is uniform on the part of the interval where the density is
// above a uniform fraction of that at the old point.
func (c *chain) move(d *chainDirection) {
	if d.kind == changesNoise {
		k, _ := c.e.kernelAt(c.at)
		c.e.covariance(k, c.w, false)
	}
	level := c.value - c.rng.ExpFloat64()
	left, right := c.interval(d, level)
	for range 100 {
		t := left + c.rng.Float64()*(right-left)
		if v := c.density(d, t); v > level {
			c.value = v
			if d.kind == changesAmplitude {
				c.fit *= math.Exp(-2 * t * d.step[c.e.noise])
			} else {
				c.fit = c.quadratic()
			}
			copy(c.at, c.next)
			d.moves = append(d.moves, math.Abs(t))
			return
		}
		if t < 0 {
			left = t
		} else {
			right = t
		}
	}
	d.moves = append(d.moves, 0)
}

// interval returns the interval of a move: during the burn-in by stepping out, afterwards of the width of the direction.
func (c *chain) interval(d *chainDirection, level float64) (left, right float64) {
	left = -c.rng.Float64()
	if d.width > 0 {
		return left * d.width, (left + 1) * d.width
	}
	right = left + 1
	out := c.rng.IntN(maxStepsOut)
	for range out {
		if c.density(d, left) <= level {
			break
		}
		left--
	}
	for range maxStepsOut - 1 - out {
		if c.density(d, right) <= level {
			break
		}
		right++
	}
	return left, right
}
