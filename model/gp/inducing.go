package gp

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/kernel"
	"bandscope/model/parallel"
)

// With many observations, the posterior is approximated through the values u of the function at m inducing inputs Z, as
// if the values at the observations were independent given u (FITC: Snelson & Ghahramani 2006; Quiñonero-Candela &
// Rasmussen 2005, §6). With the prior u ~ N(0, K_zz), K_zz = LLᵀ, the variances Λ_i = σ_i² + k(x_i, x_i) − k_iᵀK_zz⁻¹k_i
// of the observations given u, A = L⁻¹ K_zx Λ^−½, B = I + AAᵀ and ỹ = Λ^−½ y, the posterior of u has the mean L B⁻¹Aỹ
// and the covariance L B⁻¹ Lᵀ. An observation that u does not determine counts less, and one at an inducing input is
// followed as closely as its noise allows. Without the second part of Λ (Titsias 2009), observations far away that u
// cannot represent bend the mean also where u represents it. The posterior of f is that of a Gaussian process with one pseudo-observation of each u, whose covariance matrix, noise
// included, has the inverse L⁻ᵀ(I − B⁻¹)L⁻¹. So predictions, gradients and draws are those of any GP with m
// observations. The time is O(nm²) and the memory O(nd + m²), instead of O(n³) and O(n²). The shifts of blocks are
// further inducing variables, whose prior is N(0, σ_b²).

// inducing is the part of a process with inducing inputs that depends on all of its observations.
type inducing struct {
	kernel   kernel.Kernel
	noise    float64
	blockSD  float64
	z        *mat.Dense // m×d
	x        *mat.Dense // n×d
	y        []float64  // length n
	noiseSDs []float64  // see GP
	blocks   []int      // see GP
	count    int        // of blocks, which come before the inducing inputs in A, B and the weights
	kzz      blas64.Triangular
	factor   blas64.Triangular // lower Cholesky factor of B, p×p with p = count+m
	weights  []float64         // B⁻¹Aỹ, length p
	constant float64           // terms of −2 × the log marginal likelihood that do not depend on B
	evidence float64           // log marginal likelihood of the approximation
}

// NewInducing is NewBlocked with inference through the inducing inputs in some rows of X, whose indices are given.
// progress, unless it is nil, is called with the number of observations that are done, and their number.
func NewInducing(ctx context.Context, k kernel.Kernel, noise float64, known []float64, blocks Blocks, X *mat.Dense,
	y []float64, rows []int, progress func(done, total int)) (*GP, error) {
	if n, _ := X.Dims(); n != len(y) || known != nil && n != len(known) || blocks.Of != nil && n != len(blocks.Of) {
		return nil, fmt.Errorf("want one target per input, and one standard error and one block per input or none; got %d inputs, %d targets, %d standard errors and %d blocks", n, len(y), len(known), len(blocks.Of))
	}
	_, d := X.Dims()
	m := len(rows)
	s := &inducing{kernel: k, noise: noise, blockSD: blocks.SD, z: mat.NewDense(m, d, nil), x: X, y: y, noiseSDs: known,
		blocks: blocks.Of, kzz: lowerTriangular(m)}
	for i, r := range rows {
		s.z.SetRow(i, X.RawRowView(r))
	}
	if blocks.Of != nil {
		s.count = slices.Max(blocks.Of) + 1
	}
	var chol mat.Cholesky
	jitter, err := Factorize(&chol, k.Gram(s.z))
	if err != nil {
		return nil, err
	}
	chol.LTo(asTriDense(s.kzz))
	if err := s.condition(ctx.Err, progress); err != nil {
		return nil, err
	}
	return s.process(jitter)
}

// lowerTriangular returns a lower triangular matrix of order m, all 0.
func lowerTriangular(m int) blas64.Triangular {
	return blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: m, Stride: m, Data: make([]float64, m*m)}
}

// asTriDense returns a view of a triangular matrix.
func asTriDense(t blas64.Triangular) *mat.TriDense {
	v := mat.NewTriDense(t.N, mat.Lower, nil)
	v.SetRawTriangular(t)
	return v
}

// Inducing returns the number of inducing inputs and that of the observations; 0 if inference is exact.
func (g *GP) Inducing() (inputs, observations int) {
	if g.inducing == nil {
		return 0, 0
	}
	return g.inducing.kzz.N, len(g.inducing.y)
}

const (
	chunkRows  = 1024 // rows of Aᵀ that are computed at once
	kernelRows = 128  // of these, rows whose covariances one goroutine computes at a time
)

// projection holds some rows of Aᵀ and what belongs to them.
type projection struct {
	a  *mat.Dense // rows × p
	y  []float64  // ỹ
	sd []float64  // Λ^½
}

// project returns the rows of Aᵀ of the observations from one up to, but not, another.
func (s *inducing) project(from, end int) projection {
	n, p := end-from, len(s.weights)
	_, d := s.x.Dims()
	x := s.x.Slice(from, end, 0, d).(*mat.Dense)
	r := projection{a: mat.NewDense(n, p, nil), y: slices.Clone(s.y[from:end]), sd: s.kernel.Diag(x)}
	right := r.a.Slice(0, n, s.count, p).(*mat.Dense)
	parallel.Do((n+kernelRows-1)/kernelRows, func(i int) {
		lo, hi := i*kernelRows, min((i+1)*kernelRows, n)
		right.Slice(lo, hi, 0, s.kzz.N).(*mat.Dense).Copy(s.kernel.Cross(x.Slice(lo, hi, 0, d).(*mat.Dense), s.z))
	})
	blas64.Trsm(blas.Right, blas.Trans, 1, s.kzz, right.RawMatrix())
	for i := range n {
		row := right.RawRowView(i)
		noise := max(noiseFor(s.noiseSDs, from+i, s.noise), NoiseBox[0])
		r.sd[i] = math.Sqrt(noise*noise + max(r.sd[i]-floats.Dot(row, row), 0))
		if s.blocks != nil && s.blocks[from+i] >= 0 {
			r.a.Set(i, s.blocks[from+i], s.blockSD)
		}
		floats.Scale(1/r.sd[i], r.a.RawRowView(i))
		r.y[i] /= r.sd[i]
	}
	return r
}

// each calls f for all rows of Aᵀ, some at a time. It ends with the error of stop, unless that is nil.
func (s *inducing) each(stop func() error, progress func(done, total int), f func(from int, r projection)) error {
	n := len(s.y)
	for from := 0; from < n; from += chunkRows {
		if stop != nil {
			if err := stop(); err != nil {
				return err
			}
		}
		if progress != nil {
			progress(from, n)
		}
		f(from, s.project(from, min(from+chunkRows, n)))
	}
	return nil
}

// condition computes the factor of B, the weights and the log marginal likelihood of the approximation,
// −½(n log 2π + log|B| + log|Λ| + ỹᵀỹ − ỹᵀAᵀB⁻¹Aỹ).
func (s *inducing) condition(stop func() error, progress func(done, total int)) error {
	p := s.count + s.kzz.N
	s.factor, s.weights = lowerTriangular(p), make([]float64, p)
	s.constant = float64(len(s.y)) * math.Log(2*math.Pi)
	b, h := blas64.Symmetric{Uplo: blas.Lower, N: p, Stride: p, Data: s.factor.Data}, vectorOf(s.weights)
	err := s.each(stop, progress, func(_ int, r projection) {
		blas64.Syrk(blas.Trans, 1, r.a.RawMatrix(), 1, b)
		blas64.Gemv(blas.Trans, 1, r.a.RawMatrix(), vectorOf(r.y), 1, h)
		for i, sd := range r.sd {
			s.constant += r.y[i]*r.y[i] + 2*math.Log(sd)
		}
	})
	if err != nil {
		return err
	}
	for i := range p {
		b.Data[i*p+i]++
	}
	if _, ok := lapack64.Potrf(b); !ok {
		return fmt.Errorf("the %d×%d matrix of the inducing inputs is not positive definite", p, p)
	}
	s.solve()
	return nil
}

// solve replaces Aỹ in the weights by B⁻¹Aỹ, and computes the log marginal likelihood.
func (s *inducing) solve() {
	w := vectorOf(s.weights)
	blas64.Trsv(blas.NoTrans, s.factor, w)
	rest := s.constant - blas64.Dot(w, w)
	blas64.Trsv(blas.Trans, s.factor, w)
	for i := range s.factor.N {
		rest += 2 * math.Log(s.factor.Data[i*s.factor.Stride+i])
	}
	s.evidence = -rest / 2
}

func vectorOf(v []float64) blas64.Vector { return blas64.Vector{N: len(v), Data: v, Inc: 1} }

// minInformation is added to I − B⁻¹, whose eigenvalues are 0 where the observations say nothing about u.
const minInformation = 1e-12

// process returns the process with the pseudo-observations of u.
func (s *inducing) process(jitter float64) (*GP, error) {
	m := s.kzz.N
	inverse := lowerTriangular(m) // (B⁻¹)_uu, since u is behind the shifts
	for i := range m {
		copy(inverse.Data[i*m:i*m+i+1], s.factor.Data[(s.count+i)*s.factor.Stride+s.count:])
	}
	if _, ok := lapack64.Potri(inverse); !ok {
		return nil, fmt.Errorf("the posterior of the values at the %d inducing inputs is singular", m)
	}
	// The factor R of I − B⁻¹ = RᵀR that is lower triangular is that of the matrix in reverse order, reversed.
	reversed := make([]float64, m*m)
	for i := range m {
		for j := range i + 1 {
			reversed[(m-1-i)*m+m-1-j] = -inverse.Data[i*m+j]
		}
		reversed[(m-1-i)*m+m-1-i] += 1 + minInformation
	}
	if _, ok := lapack64.Potrf(blas64.Symmetric{Uplo: blas.Upper, N: m, Stride: m, Data: reversed}); !ok {
		return nil, fmt.Errorf("the observations say too little about the values at the %d inducing inputs", m)
	}
	for i := range m {
		for j := range i + 1 {
			inverse.Data[i*m+j] = reversed[(m-1-i)*m+m-1-j]
		}
	}
	all := lowerTriangular(m)
	copy(all.Data, s.kzz.Data)
	blas64.Trsm(blas.Right, blas.NoTrans, 1, inverse, blas64.General{Rows: m, Cols: m, Stride: m, Data: all.Data}) // LR⁻¹
	g := &GP{kernel: s.kernel, noise: s.noise, blockSD: s.blockSD, x: s.z, y: make([]float64, m), jitter: jitter,
		lower: asTriDense(all), alpha: slices.Clone(s.weights[s.count:]), inducing: s}
	upper := mat.NewTriDense(m, mat.Upper, nil)
	upper.Copy(g.lower.T())
	g.chol.SetFromU(upper)
	blas64.Trsv(blas.Trans, s.kzz, vectorOf(g.alpha))
	return g, nil
}

// appendInducing is Append for a process with inducing inputs, whose function values the new observation follows exactly.
func (g *GP) appendInducing(next *GP, column *mat.VecDense, cross []float64, y float64) (*GP, error) {
	n := len(g.alpha)
	variance := column.AtVec(n)
	for jitter := 0.0; !next.chol.ExtendVecSym(&g.chol, column); jitter = max(10*jitter, 1e-10) {
		if jitter > 2e-4 {
			return nil, fmt.Errorf("an observation cannot be added to the process, even with jitter")
		}
		column.SetVec(n, variance*(1+jitter))
	}
	next.lower = mat.NewTriDense(n+1, mat.Lower, nil)
	next.chol.LTo(next.lower)
	last := next.lower.At(n, n)
	change := (y - floats.Dot(g.alpha, cross)) / (last * last)
	g.solve(cross)
	next.alpha = append(slices.Clone(g.alpha), change)
	floats.AddScaled(next.alpha[:n], -change, cross)
	return next, nil
}
