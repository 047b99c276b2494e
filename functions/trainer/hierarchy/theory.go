package hierarchy

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// TwoLevel is a root with L children over a known basis B of K columns and T rows (section 6.6): y_n = B θ_n + w_n with
// noise of variance σ² at every child, and the root the mean of its children, so that its noise has the variance σ²/L
// and is not independent of theirs. It does not change.
type TwoLevel struct {
	basis       *mat.Dense  // T × K
	children    *mat.Dense  // θ_n, K × L; that of the root is their mean
	offsets     [][]float64 // θ_n - θ_0 in the eigenbasis of Σ, by child
	spectrum    []float64   // eigenvalues of Σ = BᵀB/T, ascending
	maxRowNorm2 float64     // r², the greatest squared norm of a row of B
	noise       float64     // σ²
}

// NewTwoLevel makes the hierarchy of a basis (T × K, of full column rank), the children's parameters (L of length K)
// and the standard deviation of their noise.
func NewTwoLevel(basis *mat.Dense, children [][]float64, sigma float64) (*TwoLevel, error) {
	rows, columns := basis.Dims()
	switch {
	case len(children) == 0:
		return nil, errors.New("a hierarchy needs at least one child")
	case !(sigma > 0) || math.IsInf(sigma, 1):
		return nil, fmt.Errorf("the noise must have a standard deviation above 0, got %v", sigma)
	}
	t := &TwoLevel{basis: basis, children: mat.NewDense(columns, len(children), nil), noise: sigma * sigma}
	root := mat.NewVecDense(columns, nil)
	for n, c := range children {
		if len(c) != columns {
			return nil, fmt.Errorf("child %d has %d parameters, but the basis has %d columns", n+1, len(c), columns)
		}
		t.children.SetCol(n, c)
		root.AddScaledVec(root, 1/float64(len(children)), t.children.ColView(n))
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(t.covariance(0), true) {
		return nil, errors.New("the covariance of the basis is not finite")
	}
	t.spectrum = eigen.Values(nil)
	if least, most := t.spectrum[0], t.spectrum[columns-1]; !(least > 1e-12*most) {
		return nil, fmt.Errorf("the %d columns of the basis (%d rows) are linearly dependent", columns, rows)
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	for n := range children {
		offset, turned := mat.NewVecDense(columns, nil), mat.NewVecDense(columns, nil)
		offset.SubVec(t.children.ColView(n), root)
		turned.MulVec(vectors.T(), offset)
		t.offsets = append(t.offsets, turned.RawVector().Data)
	}
	for i := range rows {
		norm := mat.Norm(basis.RowView(i), 2)
		t.maxRowNorm2 = max(t.maxRowNorm2, norm*norm)
	}
	return t, nil
}

// covariance is Σ + λI, with Σ = BᵀB/T.
func (t *TwoLevel) covariance(lambda float64) *mat.SymDense {
	rows, columns := t.basis.Dims()
	sigma := mat.NewSymDense(columns, nil)
	sigma.SymOuterK(1/float64(rows), t.basis.T())
	for k := range columns {
		sigma.SetSym(k, k, sigma.At(k, k)+lambda)
	}
	return sigma
}

// LambdaE is the weight λ_E = σ²K/(Tβ²) that Theorem 6.1 gives to children within β of the root; infinite for β = 0.
func (t *TwoLevel) LambdaE(beta float64) float64 { return t.OLS() / (beta * beta) }

// OLS is the risk E‖θ̃_n - θ_n‖²_Σ = σ²K/T of least squares at a child, with ‖v‖²_Σ = ‖Bv‖²/T. It is an equality, where
// (6.9) says at most.
func (t *TwoLevel) OLS() float64 {
	rows, columns := t.basis.Dims()
	return t.noise * float64(columns) / float64(rows)
}

// Root is the risk σ²K/(TL) of least squares at the root.
func (t *TwoLevel) Root() float64 { return t.OLS() / float64(len(t.offsets)) }

// Ridge is the risk of ψ̃_n, the ridge estimate of θ_n - θ_0 with known θ_0 (6.23), at child n from 0.
func (t *TwoLevel) Ridge(n int, lambda float64) float64 {
	rows, _ := t.basis.Dims()
	return RidgeRisk(t.spectrum, t.offsets[n], t.noise/float64(rows), lambda)
}

// Risk is the exact risk E‖θ̂_n - θ_n‖²_Σ of Algorithm 6.2 at child n from 0. The thesis bounds it only. With u_j =
// x_j/(x_j+λ) over the eigenvalues x_j of Σ, and the child's own noise that is in the root's counted, it is the risk of
// ψ̃_n and σ²/(TL) Σ_j (1 - u_j²): λ = 0 is least squares, λ = ∞ the root's estimate for every child.
func (t *TwoLevel) Risk(n int, lambda float64) float64 {
	var shrunk float64
	for _, x := range t.spectrum {
		u := shrinkage(x, lambda)
		shrunk += 1 - u*u
	}
	return t.Ridge(n, lambda) + t.Root()*shrunk/float64(len(t.spectrum))
}

// MeanRisk is the mean over the children of Algorithm 6.2's exact risk.
func (t *TwoLevel) MeanRisk(lambda float64) float64 {
	var sum float64
	for n := range t.offsets {
		sum += t.Risk(n, lambda)
	}
	return sum / float64(len(t.offsets))
}

// Constants are the factors of a bound on the risk of Algorithm 6.2 of the form of (6.9): Lead is the factor of the
// part that depends on β, Root that of σ²K/(TL).
type Constants struct{ Lead, Root float64 }

// Bounds. Theorem 6.1 has Thesis. Its proof uses Corollary 6.1, which is false (see Counterexample); with a factor 2 in
// the corollary, which is sufficient (see RidgeBound), the proof gives Safe. The exact risk gives Proven, which is
// below both, so that Theorem 6.1 holds as printed.
var (
	Thesis = Constants{Lead: 3, Root: 6}
	Safe   = Constants{Lead: 6, Root: 6}
	Proven = Constants{Lead: 2, Root: 1}
)

// Bound is the bound of (6.9) with these constants, at λ_E(β), for children within β of the root.
func (t *TwoLevel) Bound(c Constants, beta float64) float64 {
	return c.Lead*t.OLS()*shrinkage(t.maxRowNorm2, t.LambdaE(beta)) + c.Root*t.Root()
}

// ExampleTwoLevel is the example of the screen and the documentation: T = 64, the four columns 1, √2 sin(2πt/8), √2
// cos(2πt/8) and √3(2(t+½)/T - 1), θ_0 = (1, ½, -½, ¼), eight children at θ_0 ± β e_k, noise of variance 1.
func ExampleTwoLevel(beta float64) (*TwoLevel, error) {
	const rows = 64
	basis := mat.NewDense(rows, 4, nil)
	for t := range rows {
		sin, cos := math.Sincos(2 * math.Pi * float64(t) / 8)
		basis.SetRow(t, []float64{1, math.Sqrt2 * sin, math.Sqrt2 * cos, math.Sqrt(3) * (2*(float64(t)+0.5)/rows - 1)})
	}
	var children [][]float64
	for _, sign := range []float64{1, -1} {
		for k := range 4 {
			child := []float64{1, 0.5, -0.5, 0.25}
			child[k] += sign * beta
			children = append(children, child)
		}
	}
	return NewTwoLevel(basis, children, 1)
}
