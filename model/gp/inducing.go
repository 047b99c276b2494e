package gp

import (
	"errors"
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

// ProtoFITC is a prototype switch.
var ProtoFITC = false

// inducing is what a sparse process knows of its data.
type inducing struct {
	kernel   kernel.Kernel
	noise    float64
	blockSD  float64
	z        *mat.Dense // m×d
	x        *mat.Dense // n×d
	y        []float64
	noiseSDs []float64 // see GP
	blocks   []int     // see GP
	count    int       // of the blocks
	kzz      *mat.TriDense // L of Kzz = LLᵀ, m×m
	factor   []float64     // lower Cholesky factor of B, (b+m)×(b+m)
	weights  []float64     // B⁻¹Aỹ
	bound    float64
}

func (s *inducing) order() int { return s.count + len(s.kzz.RawTriangular().Data)/s.kzz.RawTriangular().Stride }

// NewSparse is a sparse process.
func NewSparse(k kernel.Kernel, noise float64, known []float64, blocks Blocks, X *mat.Dense, y []float64, rows []int) (*GP,
	error) {
	_, d := X.Dims()
	m := len(rows)
	s := &inducing{kernel: k, noise: noise, blockSD: blocks.SD, z: mat.NewDense(m, d, nil), x: X, y: y, noiseSDs: known,
		blocks: blocks.Of}
	if blocks.Of != nil {
		s.count = slices.Max(blocks.Of) + 1
	}
	g := &GP{kernel: k, noise: noise, blockSD: blocks.SD, x: s.z, y: make([]float64, m), inducing: s}
	for i, r := range rows {
		s.z.SetRow(i, X.RawRowView(r))
		g.y[i] = y[r]
	}
	var chol mat.Cholesky
	var err error
	if g.jitter, err = Factorize(&chol, k.Gram(s.z)); err != nil {
		return nil, err
	}
	s.kzz = mat.NewTriDense(m, mat.Lower, nil)
	chol.LTo(s.kzz)
	if err := s.condition(); err != nil {
		return nil, err
	}
	return g, g.finishSparse()
}

const chunkRows = 1024

// chunk returns the rows of Aᵀ and of ỹ for observations from..to
func (s *inducing) chunk(from, to int) (a *mat.Dense, y, residual, sd []float64) {
	m, p := s.kzz.RawTriangular().N, s.order()
	_, d := s.x.Dims()
	n := to - from
	a = mat.NewDense(n, p, nil)
	const part = 128
	parallel.Do((n+part-1)/part, func(i int) {
		f, t := i*part, min((i+1)*part, n)
		a.Slice(f, t, s.count, p).(*mat.Dense).Copy(s.kernel.Cross(s.x.Slice(from+f, from+t, 0, d).(*mat.Dense), s.z))
	})
	right := a.Slice(0, n, s.count, p).(*mat.Dense)
	blas64.Trsm(blas.Right, blas.Trans, 1, s.kzz.RawTriangular(), right.RawMatrix())
	y, residual, sd = slices.Clone(s.y[from:to]), s.kernel.Diag(s.x.Slice(from, to, 0, d).(*mat.Dense)), make([]float64, n)
	_ = m
	for i := range n {
		row := right.RawRowView(i)
		residual[i] = max(residual[i]-floats.Dot(row, row), 0)
		sd[i] = noiseFor(s.noiseSDs, from+i, s.noise)
		if ProtoFITC {
			sd[i] = math.Sqrt(sd[i]*sd[i] + residual[i])
			residual[i] = 0
		}
		full := a.RawRowView(i)
		if s.blocks != nil && s.blocks[from+i] >= 0 {
			full[s.blocks[from+i]] = s.blockSD
		}
		floats.Scale(1/sd[i], full)
		y[i] /= sd[i]
	}
	return a, y, residual, sd
}

// condition computes the factor of B and the weights.
func (s *inducing) condition() error {
	n, p := len(s.y), s.order()
	b := blas64.Symmetric{Uplo: blas.Lower, N: p, Stride: p, Data: make([]float64, p*p)}
	s.weights = make([]float64, p)
	rest := float64(n) * math.Log(2*math.Pi)
	for from := 0; from < n; from += chunkRows {
		a, y, residual, sd := s.chunk(from, min(from+chunkRows, n))
		blas64.Syrk(blas.Trans, 1, a.RawMatrix(), 1, b)
		blas64.Gemv(blas.Trans, 1, a.RawMatrix(), blas64.Vector{N: len(y), Data: y, Inc: 1}, 1,
			blas64.Vector{N: p, Data: s.weights, Inc: 1})
		for i, v := range y {
			rest += v*v + 2*math.Log(sd[i]) + residual[i]/(sd[i]*sd[i])
		}
	}
	for i := range p {
		b.Data[i*p+i]++
	}
	lower, ok := lapack64.Potrf(b)
	if !ok {
		return errors.New("not pd")
	}
	s.factor = b.Data
	w := blas64.Vector{N: p, Data: s.weights, Inc: 1}
	blas64.Trsv(blas.NoTrans, lower, w)
	rest -= blas64.Dot(w, w)
	blas64.Trsv(blas.Trans, lower, w)
	for i := range p {
		rest += 2 * math.Log(s.factor[i*p+i])
	}
	s.bound = -rest / 2
	return nil
}

// finishSparse computes L and α.
func (g *GP) finishSparse() error {
	s := g.inducing
	m, p := len(g.y), s.order()
	g.alpha = slices.Clone(s.weights[s.count:])
	blas64.Trsv(blas.Trans, s.kzz.RawTriangular(), blas64.Vector{N: m, Data: g.alpha, Inc: 1})
	// (B⁻¹)_uu = (L_u L_uᵀ)⁻¹
	inv := make([]float64, m*m)
	for i := range m {
		copy(inv[i*m:i*m+i+1], s.factor[(s.count+i)*p+s.count:])
	}
	if _, ok := lapack64.Potri(blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: m, Stride: m, Data: inv}); !ok {
		return errors.New("singular")
	}
	// M = I − B⁻¹, flipped: upper element (i,j) of the flipped is M[m−1−i][m−1−j]
	const floor = 1e-12
	flipped := make([]float64, m*m)
	for i := range m {
		for j := range i + 1 {
			v := -inv[i*m+j]
			if i == j {
				v += 1 + floor
			}
			flipped[(m-1-i)*m+m-1-j] = v // upper: row ≤ column as m−1−i ≤ m−1−j
		}
	}
	// flipped = Uᵀ U; M = RᵀR with R the flip of ... 
	t, ok := lapack64.Potrf(blas64.Symmetric{Uplo: blas.Upper, N: m, Stride: m, Data: flipped})
	if !ok {
		return fmt.Errorf("M is not positive definite")
	}
	// flip(M) = UᵀU with U upper, so M = flip(U)ᵀ flip(U), and flip(U) is lower.
	r := make([]float64, m*m)
	for i := range m {
		for j := range i + 1 {
			r[i*m+j] = t.Data[(m-1-i)*m+m-1-j]
		}
	}
	g.lower = mat.NewTriDense(m, mat.Lower, nil)
	full := mat.NewDense(m, m, nil)
	for i := range m {
		copy(full.RawRowView(i)[:i+1], s.kzz.RawTriangular().Data[i*m:i*m+i+1])
	}
	blas64.Trsm(blas.Right, blas.NoTrans, 1, blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: m, Stride: m, Data: r},
		full.RawMatrix())
	u := mat.NewTriDense(m, mat.Upper, nil)
	for i := range m {
		for j := range i + 1 {
			g.lower.SetTri(i, j, full.At(i, j))
			u.SetTri(j, i, full.At(i, j))
		}
	}
	g.chol.SetFromU(u)
	return nil
}

// SelectInducing returns rows.
func SelectInducing(k kernel.Kernel, X *mat.Dense, quality []float64, fixed []int, count int, least float64) []int {
	n, d := X.Dims()
	count = min(count, n)
	variance := k.Diag(X)
	v := mat.NewDense(n, count, nil)
	taken := make([]bool, n)
	var rows []int
	top := slices.Max(variance)
	for j := range count {
		best, score := -1, 0.0
		if j < len(fixed) {
			best = fixed[j]
		} else {
			for i, c := range variance {
				if q := quality[i] * c; !taken[i] && c > least*top && q > score {
					best, score = i, q
				}
			}
		}
		if best < 0 {
			break
		}
		if variance[best] <= least*top {
			if j < len(fixed) {
				taken[best] = true
			}
			continue
		}
		j := len(rows)
		rows, taken[best] = append(rows, best), true
		pivot := v.RawRowView(best)[:j]
		root := math.Sqrt(variance[best])
		at := mat.NewDense(1, d, X.RawRowView(best))
		const part = 512
		parallel.Do((n+part-1)/part, func(p int) {
			from, to := p*part, min((p+1)*part, n)
			c := k.Cross(at, X.Slice(from, to, 0, d).(*mat.Dense)).RawRowView(0)
			for i := from; i < to; i++ {
				row := v.RawRowView(i)
				e := (c[i-from] - floats.Dot(row[:j], pivot)) / root
				row[j] = e
				variance[i] = max(variance[i]-e*e, 0)
			}
		})
	}
	return rows
}
