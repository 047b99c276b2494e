package space

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
)

const (
	walkers = 32     // parallel walks over the region
	tries   = 100000 // points that are tried before a region counts as empty
	shrinks = 20     // of a chord whose ends violate nonlinear constraints
)

// Draw returns n points that are uniformly distributed over the region, in levels and numbers: the points of walks that
// begin all over it. A step goes along the numbers in a random direction (hit-and-run: Smith 1984; with nonlinear
// constraints by shrinking the chord, Neal 2003, §4), or to another level, with a second input that keeps a sum. If no
// feasible point is found, the error names the constraint that failed most; otherwise it is that of the context.
// From a pool, it draws rows: each once before any is drawn again.
func (r *Region) Draw(ctx context.Context, n int, rng *rand.Rand) ([][]float64, error) {
	if r.domain.Pool != nil {
		return r.drawRows(n, rng)
	}
	starts, err := r.starts(ctx, min(n, walkers), rng)
	if err != nil {
		return nil, err
	}
	stride := 2 + len(r.free) + 2*len(r.discrete)
	w := r.walk(rng, r.domain.Feasible)
	w.others = starts
	for _, x := range starts {
		for range 10 * stride {
			w.step(x)
		}
	}
	points := make([][]float64, n)
	for i := range points {
		if i%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		x := starts[i%len(starts)]
		for range stride {
			w.step(x)
		}
		if i%1000 < len(starts) { // rounding errors add up over many steps
			r.fit(x, r.free)
		}
		points[i] = slices.Clone(x)
	}
	return points, nil
}

// starts returns up to a number of feasible points all over the region.
func (r *Region) starts(ctx context.Context, count int, rng *rand.Rand) (list [][]float64, err error) {
	failed := make([]int, len(r.domain.Nonlinear))
	ok := func(x []float64) bool {
		all := true
		for i, g := range r.domain.Nonlinear {
			if !(g.Func(x) <= Tolerance) {
				failed[i]++
				all = false
			}
		}
		return all
	}
	only := *r.domain
	only.Nonlinear = nil
	flat := New(&only, r.low, r.high, r.levels)
	w := flat.walk(rng, only.Feasible)
	var x []float64 // walks over the feasible set of the linear constraints alone
	for try := 0; try < tries && len(list) < count; try++ {
		if try%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if try >= 4*count && (x == nil || len(list) > 0 && try > 40*count) {
			break
		}
		if try < 4*count {
			if y := r.randomPoint(rng); r.Project(y) {
				list = append(list, r.levelCentroid(y, rng))
			} else if y := r.randomPoint(rng); x == nil && flat.Project(y) {
				x = flat.levelCentroid(y, rng)
			}
			continue
		}
		for range 2 + len(r.free) + 2*len(r.discrete) {
			w.step(x)
		}
		if ok(x) {
			list = append(list, slices.Clone(x))
		}
	}
	if len(list) == 0 {
		return nil, r.empty(failed)
	}
	return list, nil
}

// randomPoint is a point within the bounds.
func (r *Region) randomPoint(rng *rand.Rand) []float64 {
	x := make([]float64, len(r.low))
	for j, l := range r.levels {
		if u := rng.Float64(); l != nil {
			x[j] = l[int(u*float64(len(l)))]
		} else {
			x[j] = r.low[j] + u*(r.high[j]-r.low[j])
		}
	}
	return x
}

// levelCentroid is the mean of some points with the levels of x. It lies on no edge that they do not share: a walk that
// begins at a corner would stay there.
func (r *Region) levelCentroid(x []float64, rng *rand.Rand) []float64 {
	middle := slices.Clone(x)
	count := 2 + 2*len(r.free)
	for range count - 1 {
		other := r.randomPoint(rng)
		for _, j := range r.discrete {
			other[j] = x[j]
		}
		if !r.fit(other, r.free) {
			return x
		}
		floats.Add(middle, other)
	}
	floats.Scale(1/float64(count), middle)
	for _, j := range r.discrete {
		middle[j] = x[j]
	}
	r.fit(middle, r.free)
	if !r.domain.Feasible(middle) {
		return x
	}
	return middle
}

// empty is the error of a region in which no point was found.
func (r *Region) empty(failed []int) error {
	worst := -1
	for i, n := range failed {
		if n > 0 && (worst < 0 || n > failed[worst]) {
			worst = i
		}
	}
	if worst >= 0 {
		return fmt.Errorf("no point that fulfils '%s' was found in %d tries: widen bounds, or relax the constraint",
			r.domain.Nonlinear[worst].Text, tries)
	}
	alone := *r
	where := "within the bounds"
	if r.domain.HasGrids() {
		where = "with the steps of the variables and within the bounds"
	}
	var texts []string
	for _, l := range r.linear {
		alone.linear = []Linear{l}
		if !alone.isReachable(r.low, r.high) {
			return fmt.Errorf("no point within the bounds fulfils '%s': widen bounds, or relax it", l.Text)
		}
		texts = append(texts, "'"+l.Text+"'")
	}
	return fmt.Errorf("no point %s fulfils %s: widen bounds, or relax a constraint", where,
		strings.Join(texts, " and "))
}

// walk is a random walk over a region.
type walk struct {
	*Region
	rng      *rand.Rand
	feasible func([]float64) bool
	others   [][]float64 // all walkers
	dir      []float64
	was      []float64
}

func (r *Region) walk(rng *rand.Rand, feasible func([]float64) bool) *walk {
	return &walk{r, rng, feasible, nil, make([]float64, len(r.free)), make([]float64, len(r.low))}
}

// step moves a feasible point to another, in place, or leaves it unchanged.
func (w *walk) step(x []float64) {
	if n := len(w.discrete); n > 0 && (len(w.free) == 0 || w.rng.IntN(2) == 0) {
		w.jump(x, w.discrete[w.rng.IntN(n)])
	} else if len(w.free) > 0 {
		w.run(x)
	}
}

// aim chooses a direction along the numbers: half of the time a random one, otherwise that between two other walkers,
// which points along the region where it is thin (ter Braak & Vrugt 2008).
func (w *walk) aim(x []float64) {
	if n := len(w.others); n > 2 && w.rng.IntN(2) == 0 {
		a, b := w.others[w.rng.IntN(n)], w.others[w.rng.IntN(n)]
		for i, j := range w.free {
			w.dir[i] = b[j] - a[j]
		}
		if &a[0] != &x[0] && &b[0] != &x[0] && floats.Norm(w.dir, 2) > 1e-9 {
			floats.Scale(1/floats.Norm(w.dir, 2), w.dir)
			return
		}
	}
	for i := range w.dir {
		w.dir[i] = w.rng.NormFloat64()
	}
}

// run moves along the numbers.
func (w *walk) run(x []float64) {
	w.aim(x)
	for _, q := range w.along {
		floats.AddScaled(w.dir, -floats.Dot(q, w.dir), q)
	}
	from, end := w.chord(x)
	if !(end-from > 1e-15) {
		return
	}
	copy(w.was, x)
	for range shrinks {
		t := from + w.rng.Float64()*(end-from)
		for i, j := range w.free {
			x[j] = min(max(w.was[j]+t*w.dir[i], w.low[j]), w.high[j])
		}
		if w.feasible(x) {
			return
		}
		if t < 0 {
			from = t
		} else {
			end = t
		}
	}
	copy(x, w.was)
}

// chord is the range of multiples of the direction in which the bounds and the linear constraints hold.
func (w *walk) chord(x []float64) (from, end float64) {
	from, end = math.Inf(-1), math.Inf(1)
	cut := func(slope, room float64) { // slope·t ≤ slack
		switch {
		case slope > 1e-14:
			end = min(end, max(room, 0)/slope)
		case slope < -1e-14:
			from = max(from, max(room, 0)/slope)
		}
	}
	for i, j := range w.free {
		cut(w.dir[i], w.high[j]-x[j])
		cut(-w.dir[i], x[j]-w.low[j])
	}
	for _, l := range w.linear {
		if l.Equal {
			continue
		}
		slope := 0.0
		for i, j := range w.free {
			slope += l.A[j] * w.dir[i]
		}
		cut(slope, -l.At(x))
	}
	if math.IsInf(from, 0) || math.IsInf(end, 0) {
		return 0, 0
	}
	return from, end
}

// jump changes the level of input j, and if it is part of a sum, moves another input of the sum the other way.
func (w *walk) jump(x []float64, j int) {
	l := w.levels[j]
	copy(w.was, x)
	x[j] = l[w.rng.IntN(len(l))]
	for _, sum := range w.linear {
		if !sum.Equal || sum.A[j] == 0 {
			continue
		}
		var others []int
		for i, a := range sum.A {
			if i != j && a != 0 && w.low[i] < w.high[i] {
				others = append(others, i)
			}
		}
		if len(others) == 0 {
			break
		}
		i := others[w.rng.IntN(len(others))]
		x[i] -= sum.At(x) / sum.A[i]
		if x[i] < w.low[i]-Tolerance || x[i] > w.high[i]+Tolerance {
			copy(x, w.was)
			return
		}
		x[i] = min(max(x[i], w.low[i]), w.high[i])
		if o := w.levels[i]; o != nil {
			x[i] = o[nearest(o, x[i])]
		}
	}
	if !w.feasible(x) {
		copy(x, w.was)
	}
}
