// Package widenet computes the distributions over functions of infinitely wide networks given data, from their kernels:
// of networks trained by gradient descent (Paria et al. 2022, Prop. 1, with the variants of App. C), of the posterior
// under the neural tangent kernel (Prop. 2), and of networks trained for a finite time (Nadigatla 2022, ch. 6; Lee et
// al. 2019). Nothing is trained.
package widenet

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"bandscope/model"
	"bandscope/model/gp"
	"bandscope/model/kernel"
	"bandscope/model/parallel"
)

// Kind is the kind of distribution.
type Kind string

// The kinds of distribution. Those of trained networks have the mean Θ_xX A⁻¹ Y, A = Θ_XX + σ²I, and differ in their
// covariance.
const (
	Trained        Kind = "trained"         // SimpleSMB, Prop. 1
	Posterior      Kind = "posterior"       // PosteriorSMB, Prop. 2: the Gaussian process with the NTK
	NoPerturbation Kind = "no-perturbation" // SimpleSMB without noise on the targets (App. C)
	NoDistance     Kind = "no-distance"     // SimpleSMB without the distance from initialization (App. C): A = Θ_XX
	WarmStart      Kind = "warm-start"      // trained on from the network before (App. C): no variance at all
	// SimpleSMB stopped after t steps at rate η (Nadigatla 2022, ch. 6; Lee et al. 2019)
	FiniteTime Kind = "finite-time"
	NNGP       Kind = "nngp" // the Gaussian process with the NNGP kernel: only the last layer is trained
)

// Setup describes a distribution.
type Setup struct {
	Kind      Kind
	Sigma2    float64   // noise variance σ², of standardized targets
	NoiseVars []float64 // noise variances of single targets, instead of σ²; NaN means σ², nil all σ²
	Nu        float64   // scale ν of the spread; 0 is taken as 1
	// of FiniteTime: ηt, steps times rate of gradient descent on ½Σ(f − y')² + ½σ²‖θ−θ₀‖², the squares weighed by σ²
	// over their known variances
	Time float64
}

// scale is ν, 1 if it is not set.
func (s Setup) scale() float64 {
	if s.Nu == 0 {
		return 1
	}
	return s.Nu
}

// Noise is the variance of the noise of target i.
func (s Setup) Noise(i int) float64 {
	if s.NoiseVars == nil || math.IsNaN(s.NoiseVars[i]) {
		return s.Sigma2
	}
	return s.NoiseVars[i]
}

// roots are the square roots of the weights of n observations in training, σ² over the variance of their noise; nil if
// all weights are 1.
func (s Setup) roots(n int) []float64 {
	if s.NoiseVars == nil || s.Sigma2 == 0 {
		return nil
	}
	root := make([]float64, n)
	for i := range root {
		root[i] = math.Sqrt(s.Sigma2 / s.Noise(i))
	}
	return root
}

// Check returns an error for an invalid setup.
func (s Setup) Check() error {
	if !(s.Sigma2 >= 0) || !(s.Nu >= 0) || !(s.Time >= 0) {
		return fmt.Errorf("σ², ν and the training time must be at least 0, got %g, %g and %g", s.Sigma2, s.Nu, s.Time)
	}
	switch s.Kind {
	case Trained, Posterior, NoPerturbation, NoDistance, WarmStart, FiniteTime, NNGP:
		return nil
	}
	return fmt.Errorf("unknown distribution of networks %q", s.Kind)
}

// Model is the distribution of surrogates after n observations. It is immutable and safe for concurrent use.
type Model struct {
	network kernel.Network
	kind    Kind
	nu      float64
	x       *kernel.Inputs // n×d in [−1, 1]^d, nil without data
	chol    mat.Cholesky
	filter  *mat.Dense    // at a finite time, instead of A⁻¹: (I − e^{−ηtA}) A⁻¹, n×n
	weights *mat.VecDense // A⁻¹ Y
	inner   *mat.Dense    // K^NN_XX, with σ²I where the targets are perturbed; n×n; nil where no variance takes it
	jitter  float64
	y       []float64
	noise   []float64 // noise variance of each target
}

var _ model.Surrogate = (*Model)(nil)

// New computes a distribution of wide networks given the rows of X (n×d in [−1, 1]^d, or nil) and standardized targets
// y. The error says that the kernel matrix cannot be factorized even with jitter.
func New(ctx context.Context, n kernel.Network, s Setup, X *mat.Dense, y []float64) (*Model, error) {
	if err := errors.Join(n.Check(), s.Check()); err != nil {
		return nil, err
	}
	l := &Model{network: n, kind: s.Kind, nu: s.scale()}
	if X == nil {
		return l, nil
	}
	rows, _ := X.Dims()
	if rows != len(y) || s.NoiseVars != nil && rows != len(s.NoiseVars) {
		return nil, fmt.Errorf("want one target per input, and one noise variance per input or none; got %d inputs, %d targets and %d variances", rows, len(y), len(s.NoiseVars))
	}
	l.x = n.Prepare(X)
	pair, err := n.CrossPrepared(ctx, l.x, l.x)
	if err != nil {
		return nil, err
	}
	matrix := pair.NTK
	if s.Kind == NNGP {
		matrix = pair.NNGP
	}
	a := mat.NewSymDense(rows, nil)
	for i := range rows {
		for j := i; j < rows; j++ {
			a.SetSym(i, j, matrix.At(i, j))
		}
		if s.Kind != NoDistance {
			a.SetSym(i, i, a.At(i, i)+s.Noise(i))
		}
	}
	l.y, l.noise = y, make([]float64, rows)
	if s.Kind != Posterior && s.Kind != NNGP {
		l.inner = pair.NNGP
	}
	for i := range rows {
		l.noise[i] = s.Noise(i)
		if l.inner != nil && s.Kind != NoPerturbation {
			l.inner.Set(i, i, l.inner.At(i, i)+s.Noise(i))
		}
	}
	return l, l.solve(a, s, y)
}

// solve computes A⁻¹ Y, or its replacement at a finite time: (1 − e^{−ηtλ})/λ in the eigenbasis of A; with weights w_i
// of the data, √w times that of √w A √w times √w.
func (l *Model) solve(a *mat.SymDense, s Setup, y []float64) (err error) {
	rows := len(y)
	l.weights = mat.NewVecDense(rows, nil)
	target := mat.NewVecDense(rows, y)
	if l.kind != FiniteTime {
		l.jitter, err = gp.Factorize(&l.chol, a)
		if err != nil {
			return fmt.Errorf("the distribution of the networks: %w", err)
		}
		return model.IgnoreCondition(l.chol.SolveVecTo(l.weights, target))
	}
	root := s.roots(rows)
	for i, r := range root {
		for j := i; j < rows; j++ {
			a.SetSym(i, j, a.At(i, j)*r*root[j])
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(a, true) {
		return errors.New("the distribution of the networks: the kernel matrix has no eigendecomposition")
	}
	var vectors, scaled mat.Dense
	eigen.VectorsTo(&vectors)
	values := eigen.Values(nil)
	scaled.Apply(func(_, j int, v float64) float64 {
		if lambda := max(values[j], 0); lambda*s.Time > 1e-300 {
			return v * -math.Expm1(-lambda*s.Time) / lambda
		}
		return v * s.Time
	}, &vectors)
	l.filter = mat.NewDense(rows, rows, nil)
	l.filter.Mul(&scaled, vectors.T())
	if root != nil {
		l.filter.Apply(func(i, j int, v float64) float64 { return v * root[i] * root[j] }, l.filter)
	}
	l.weights.MulVec(l.filter, target)
	return nil
}

// WithTargets is the distribution for other targets at the same inputs, which needs no factorization.
func (l *Model) WithTargets(y []float64) (*Model, error) {
	if len(y) != len(l.y) {
		return nil, fmt.Errorf("want one target per input, got %d inputs and %d targets", len(l.y), len(y))
	}
	other := *l
	if l.x == nil {
		return &other, nil
	}
	other.y, other.weights = y, mat.NewVecDense(len(y), nil)
	target := mat.NewVecDense(len(y), y)
	if l.filter != nil {
		other.weights.MulVec(l.filter, target)
		return &other, nil
	}
	return &other, model.IgnoreCondition(l.chol.SolveVecTo(other.weights, target))
}

// Jitter is the value added to the diagonal of the kernel matrix; 0 if none was needed.
func (l *Model) Jitter() float64 { return l.jitter }

// cross returns both kernels between new inputs and the data; the NNGP kernel in both places if the distribution uses
// no other.
func (l *Model) cross(ctx context.Context, X *kernel.Inputs) (kernel.Kernels, error) {
	p, err := l.network.CrossPrepared(ctx, X, l.x)
	if l.kind == NNGP {
		p.NTK = p.NNGP
	}
	return p, err
}

// between returns B = Θ_xX A⁻¹ (m×n) for new inputs, and both kernels.
func (l *Model) between(ctx context.Context, X *kernel.Inputs) (b *mat.Dense, k kernel.Kernels, err error) {
	k, err = l.cross(ctx, X)
	if err != nil {
		return nil, k, err
	}
	if l.filter != nil {
		b = &mat.Dense{}
		b.Mul(k.NTK, l.filter)
		return b, k, nil
	}
	b = l.halfSolve(k.NTK)
	blas64.Trsm(blas.Right, blas.Trans, 1, l.factor(), b.RawMatrix())
	return b, k, nil
}

// factor is U of A = UᵀU.
func (l *Model) factor() blas64.Triangular { return l.chol.RawU().(*mat.TriDense).RawTriangular() }

// halfSolve is KU⁻¹: the squares of its rows sum to the diagonal of K A⁻¹ Kᵀ.
func (l *Model) halfSolve(k *mat.Dense) *mat.Dense {
	h := mat.DenseCopyOf(k)
	blas64.Trsm(blas.Right, blas.NoTrans, 1, l.factor(), h.RawMatrix())
	return h
}

// predictRows is the number of inputs that are predicted at once, which bounds the memory.
const predictRows = 256

// inBlocks calls f for all rows of X in blocks, on all cores.
func inBlocks(X *mat.Dense, f func(from int, X *mat.Dense) error) error {
	m, d := X.Dims()
	return parallel.Try((m+predictRows-1)/predictRows, func(block int) error {
		from := block * predictRows
		return f(from, X.Slice(from, min(from+predictRows, m), 0, d).(*mat.Dense))
	})
}

// Predict is the mean and the standard deviation at each row of X (m×d).
func (l *Model) Predict(ctx context.Context, X *mat.Dense) (mean, sd []float64, err error) {
	m, _ := X.Dims()
	mean, sd = make([]float64, m), make([]float64, m)
	err = inBlocks(X, func(from int, X *mat.Dense) error {
		end := from + X.RawMatrix().Rows
		return l.predict(ctx, l.network.Prepare(X), mean[from:end], sd[from:end])
	})
	if err != nil {
		return nil, nil, err
	}
	for i, v := range sd {
		sd[i] = l.nu * math.Sqrt(max(v, 0))
	}
	return mean, sd, nil
}

// predict is the mean and the variance without the factor ν².
func (l *Model) predict(ctx context.Context, X *kernel.Inputs, mean, variance []float64) error {
	nngp, ntk := l.network.DiagPrepared(X)
	for i := range variance {
		variance[i] = l.priorVariance(nngp[i], ntk[i])
	}
	if l.x == nil {
		return ctx.Err()
	}
	if l.kind == Posterior || l.kind == NNGP {
		k, err := l.cross(ctx, X)
		if err != nil {
			return err
		}
		mat.NewVecDense(len(mean), mean).MulVec(k.NTK, l.weights)
		half := l.halfSolve(k.NTK)
		for i := range variance {
			row := half.RawRowView(i)
			variance[i] -= dot(row, row)
		}
		return nil
	}
	b, k, err := l.between(ctx, X)
	if err != nil {
		return err
	}
	mat.NewVecDense(len(mean), mean).MulVec(k.NTK, l.weights)
	if l.kind == WarmStart {
		return nil
	}
	var tail mat.Dense
	tail.Mul(b, l.inner)
	for i := range variance {
		row := b.RawRowView(i)
		variance[i] += dot(tail.RawRowView(i), row) - 2*dot(row, k.NNGP.RawRowView(i))
	}
	return nil
}

// Mean is the mean at each row of X (m×d); without data it is 0.
func (l *Model) Mean(ctx context.Context, X *mat.Dense) ([]float64, error) {
	m, _ := X.Dims()
	mean := make([]float64, m)
	if l.x == nil {
		return mean, nil
	}
	err := inBlocks(X, func(from int, X *mat.Dense) error {
		k, err := l.cross(ctx, l.network.Prepare(X))
		if err == nil {
			rows := X.RawMatrix().Rows
			mat.NewVecDense(rows, mean[from:from+rows]).MulVec(k.NTK, l.weights)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return mean, nil
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += v * b[i]
	}
	return s
}

// priorVariance is the prior variance: of networks at initialization, or of the corrected ones, which follow the NTK.
func (l *Model) priorVariance(nngp, ntk float64) float64 {
	switch l.kind {
	case Posterior:
		return ntk
	case WarmStart:
		return 0
	}
	return nngp
}

// Covariance is the covariance at the rows of X (m×m), from Prop. 1 and 2.
func (l *Model) Covariance(ctx context.Context, X *mat.Dense) (*mat.SymDense, error) {
	m, _ := X.Dims()
	in := l.network.Prepare(X)
	prior, err := l.network.CrossPrepared(ctx, in, in)
	if err != nil {
		return nil, err
	}
	full := mat.NewDense(m, m, nil)
	if l.kind == Posterior {
		full.Copy(prior.NTK)
	} else if l.kind != WarmStart {
		full.Copy(prior.NNGP)
	}
	if l.x != nil && l.kind != WarmStart {
		b, k, err := l.between(ctx, in)
		if err != nil {
			return nil, err
		}
		var part, tail mat.Dense
		if l.kind == Posterior || l.kind == NNGP {
			part.Mul(b, k.NTK.T())
			full.Sub(full, &part)
		} else {
			part.Mul(b, k.NNGP.T())
			full.Sub(full, &part)
			full.Sub(full, part.T())
			tail.Mul(b, l.inner)
			part.Reset()
			part.Mul(&tail, b.T())
			full.Add(full, &part)
		}
	}
	cov := mat.NewSymDense(m, nil)
	for i := range m {
		for j := i; j < m; j++ {
			cov.SetSym(i, j, l.nu*l.nu*(full.At(i, j)+full.At(j, i))/2)
		}
	}
	return cov, nil
}

// Prior is the distribution without data.
func (l *Model) Prior() *Model { return &Model{network: l.network, kind: l.kind, nu: l.nu} }

// CovariancesAt returns the covariances of the value at x, length d, with those at the rows of X (m×d).
func (l *Model) CovariancesAt(ctx context.Context, x []float64, X *mat.Dense) ([]float64, error) {
	m, d := X.Dims()
	all := mat.NewDense(m+1, d, nil)
	all.SetRow(0, x)
	all.Slice(1, m+1, 0, d).(*mat.Dense).Copy(X)
	cov, err := l.Covariance(ctx, all)
	if err != nil {
		return nil, err
	}
	row := make([]float64, m)
	for i := range row {
		row[i] = cov.At(0, i+1)
	}
	return row, nil
}

// Sample samples count functions jointly at the rows of X (m×d), as the rows of a count×m matrix.
func (l *Model) Sample(ctx context.Context, X *mat.Dense, count int, rng *rand.Rand) (*mat.Dense, error) {
	mean, _, err := l.Predict(ctx, X)
	if err != nil {
		return nil, err
	}
	cov, err := l.Covariance(ctx, X)
	if err != nil {
		return nil, err
	}
	return gp.Draw(mean, cov, count, rng)
}
