package gp

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/kernel"
	"bandscope/model/parallel"
)

// SelectInducing returns the indices of at most count rows of X (n×d) as inducing inputs: those in first, in order, and
// then always the one whose value has the greatest variance given the others (greedy conditional variance: Burt,
// Rasmussen & van der Wilk 2020, §4.3). Rows whose variance given the others is at most minConditional of the greatest
// prior variance are left out, also of first. The time is O(n count²), the memory O(n count). The search stops with the
// context. progress, unless it is nil, is called with the number of rows that are found, and count.
func SelectInducing(ctx context.Context, k kernel.Kernel, X *mat.Dense, first []int, count int,
	progress func(done, total int)) ([]int, error) {
	n, d := X.Dims()
	count = min(count, n)
	variance, v := k.Diag(X), mat.NewDense(n, count, nil) // v are the columns of a pivoted Cholesky factor
	least := minConditional * slices.Max(variance)
	var rows []int
	for len(rows) < count {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		best := floats.MaxIdx(variance)
		if len(first) > 0 {
			best, first = first[0], first[1:]
			if variance[best] <= least {
				continue
			}
		}
		if variance[best] <= least {
			break
		}
		if progress != nil {
			progress(len(rows), count)
		}
		pivot, root := v.RawRowView(best)[:len(rows)], math.Sqrt(variance[best])
		point, column := X.Slice(best, best+1, 0, d).(*mat.Dense), len(rows)
		parallel.Do((n+selectRows-1)/selectRows, func(part int) {
			from, end := part*selectRows, min((part+1)*selectRows, n)
			cov := k.Cross(point, X.Slice(from, end, 0, d).(*mat.Dense)).RawRowView(0)
			for i := from; i < end; i++ {
				row := v.RawRowView(i)
				e := (cov[i-from] - floats.Dot(row[:column], pivot)) / root
				row[column], variance[i] = e, variance[i]-e*e
			}
		})
		rows, variance[best] = append(rows, best), 0
	}
	return rows, nil
}

const (
	minConditional = 1e-9 // fraction of the prior variance; jitter would be necessary with less
	selectRows     = 512  // rows that one goroutine works on at a time
)

// leaveOneOut is LeaveOneOut with inducing inputs, which stay where they are. With the leverage h = aᵀB⁻¹a of an
// observation, its residual given the others is (y − μ)/(1 − h), and the variance of its prediction is Λ/(1 − h).
func (s *inducing) leaveOneOut() (mean, sd []float64, err error) {
	n := len(s.y)
	mean, sd = make([]float64, n), make([]float64, n)
	err = s.each(nil, nil, func(from int, r projection) {
		fitted := make([]float64, len(r.y))
		blas64.Gemv(blas.NoTrans, 1, r.a.RawMatrix(), vectorOf(s.weights), 0, vectorOf(fitted))
		blas64.Trsm(blas.Right, blas.Trans, 1, s.factor, r.a.RawMatrix())
		for i, noise := range r.sd {
			row := r.a.RawRowView(i)
			rest := max(1-floats.Dot(row, row), 1e-15)
			mean[from+i] = s.y[from+i] - noise*(r.y[i]-fitted[i])/rest
			sd[from+i] = noise / math.Sqrt(rest)
		}
	})
	return mean, sd, err
}

// without is Without with inducing inputs, which stay where they are: B loses the term aaᵀ of the observation.
func (s *inducing) without(i int, jitter float64) (*GP, error) {
	less, r := *s, s.project(i, i+1)
	n, d := s.x.Dims()
	less.x = mat.NewDense(n-1, d, nil)
	for j, k := 0, 0; j < n; j++ {
		if j != i {
			less.x.SetRow(k, s.x.RawRowView(j))
			k++
		}
	}
	less.y = slices.Delete(slices.Clone(s.y), i, i+1)
	less.blocks = withoutBlock(s.blocks, i)
	if s.noiseSDs != nil {
		less.noiseSDs = slices.Delete(slices.Clone(s.noiseSDs), i, i+1)
	}
	a := r.a.RawRowView(0)
	// Aỹ = Bw
	less.weights = slices.Clone(s.weights)
	blas64.Trmv(blas.Trans, s.factor, vectorOf(less.weights))
	blas64.Trmv(blas.NoTrans, s.factor, vectorOf(less.weights))
	floats.AddScaled(less.weights, -r.y[0], a)
	less.constant -= math.Log(2*math.Pi) + r.y[0]*r.y[0] + 2*math.Log(r.sd[0])
	less.factor = lowerTriangular(s.factor.N)
	var chol mat.Cholesky
	upper := mat.NewTriDense(s.factor.N, mat.Upper, nil)
	upper.Copy(asTriDense(s.factor).T())
	chol.SetFromU(upper)
	if chol.SymRankOne(&chol, -1, mat.NewVecDense(len(a), a)) {
		chol.LTo(asTriDense(less.factor))
		less.solve()
	} else if err := less.condition(nil, nil); err != nil {
		return nil, err
	}
	return less.process(jitter)
}

// blockEffects is BlockEffects with inducing inputs.
func (s *inducing) blockEffects(mean []float64, cov *mat.SymDense) {
	v := mat.NewDense(s.factor.N, s.count, nil)
	for b := range min(s.count, len(mean)) {
		mean[b] = s.blockSD * s.weights[b]
		v.Set(b, b, s.blockSD)
	}
	blas64.Trsm(blas.Left, blas.NoTrans, 1, s.factor, v.RawMatrix())
	var known mat.Dense
	known.Mul(v.T(), v)
	for a := range min(s.count, len(mean)) {
		for b := a; b < min(s.count, len(mean)); b++ {
			cov.SetSym(a, b, known.At(a, b))
		}
	}
}

// drawUpdate returns the weights of the covariances with the inducing inputs and the appended observations that turn a
// function with the values prior there into a draw from the posterior. A drawn u is followed at the inducing inputs
// (Wilson et al. 2020, §3.3), then the appended observations by Matheron's rule.
func (g *GP) drawUpdate(prior []float64, rng *rand.Rand) []float64 {
	s, m := g.inducing, g.inducing.kzz.N
	z := make([]float64, s.factor.N)
	for i := range z {
		z[i] = rng.NormFloat64()
	}
	blas64.Trsv(blas.Trans, s.factor, vectorOf(z))
	update := slices.Clone(prior)
	local := vectorOf(update[:m])
	blas64.Trsv(blas.NoTrans, s.kzz, local)
	for i, v := range update[:m] {
		update[i] = s.weights[s.count+i] + z[s.count+i] - v
	}
	blas64.Trsv(blas.Trans, s.kzz, local)
	t := len(prior) - m
	if t == 0 {
		return update
	}
	d := len(g.x.RawRowView(0))
	cross := g.kernel.Cross(g.x.Slice(m, m+t, 0, d).(*mat.Dense), s.z)
	for i := range t {
		update[m+i] = g.y[m+i] - prior[m+i] - floats.Dot(cross.RawRowView(i), update[:m]) - g.noise*rng.NormFloat64()
	}
	all := g.lower.RawTriangular() // its last rows are [P Q] with QQᵀ the covariance of the appended observations
	block := blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: t, Stride: all.Stride,
		Data: all.Data[m*all.Stride+m:]}
	blas64.Trsv(blas.NoTrans, block, vectorOf(update[m:]))
	blas64.Trsv(blas.Trans, block, vectorOf(update[m:]))
	back := make([]float64, m)
	blas64.Gemv(blas.Trans, 1, blas64.General{Rows: t, Cols: m, Stride: all.Stride, Data: all.Data[m*all.Stride:]},
		vectorOf(update[m:]), 0, vectorOf(back))
	first := all
	first.N = m
	blas64.Trsv(blas.Trans, first, vectorOf(back))
	floats.Sub(update[:m], back)
	return update
}
