package space

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
)

// Pool has the only points of a domain, such as measured candidates or a stock of samples: rows of the unit cube whose
// inputs all take levels. It is immutable and safe for concurrent use.
type Pool struct {
	Rows  [][]float64
	known map[string]bool
}

// NewPool returns the pool of some snapped points, which all differ.
func NewPool(rows [][]float64) *Pool {
	p := &Pool{rows, make(map[string]bool, len(rows))}
	for _, u := range rows {
		p.known[poolKey(u)] = true
	}
	return p
}

// poolKey is a key of a point that only equal points have.
func poolKey(u []float64) string {
	key := make([]byte, 0, 8*len(u))
	for _, v := range u {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v+0)) // -0 is 0
	}
	return string(key)
}

func (p *Pool) has(u []float64) bool { return p.known[poolKey(u)] }

func (p *Pool) equal(other *Pool) bool {
	if p == nil || other == nil || p == other {
		return p == other
	}
	return slices.EqualFunc(p.Rows, other.Rows, slices.Equal)
}

// poolRows are the rows of the domain's pool that are feasible and within the bounds, not nil if there is a pool.
func (r *Region) poolRows() [][]float64 {
	if r.domain.Pool == nil {
		return nil
	}
	rows := make([][]float64, 0, len(r.domain.Pool.Rows))
	for _, u := range r.domain.Pool.Rows {
		inside := true
		for j, v := range u {
			inside = inside && v >= r.low[j] && v <= r.high[j]
		}
		if inside && r.domain.Feasible(u) {
			rows = append(rows, u)
		}
	}
	return rows
}

// toNearestRow moves x to the nearest row, in place, with two different choices at a distance of 1; false if the region
// is empty.
func (r *Region) toNearestRow(x []float64) bool {
	best, least := []float64(nil), math.Inf(1)
	for _, u := range r.rows {
		sum := r.domain.Distance2(u, x)
		if sum < least {
			best, least = u, sum
		}
	}
	copy(x, best)
	return best != nil
}

// drawRows draws n rows.
func (r *Region) drawRows(n int, rng *rand.Rand) (points [][]float64, err error) {
	if len(r.rows) == 0 {
		return nil, errors.New("no row of the table lies within the bounds and fulfils the constraints: widen bounds, or relax a constraint")
	}
	for len(points) < n {
		for _, i := range rng.Perm(len(r.rows)) {
			points = append(points, slices.Clone(r.rows[i]))
		}
	}
	return points[:n], nil
}
