package kernel

import (
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Composite is the kernel of an expression with values of its hyperparameters. It is immutable and safe for concurrent
// use.
type Composite struct {
	family *Family
	values []float64
	leaves []leaf
}

// Differentiable is a kernel with derivatives by the inputs, whose functions can be drawn.
type Differentiable interface {
	Kernel
	// At returns the covariance of two inputs.
	At(x, y []float64) float64
	// Slope adds the weighted derivatives w ∂k(x, y)/∂x_j to grad, length d, and returns k(x, y).
	Slope(x, y []float64, w float64, grad []float64) float64
	// Features draws a function from the prior, with the given number of random features.
	Features(count int, rng Source) Features
}

var (
	_ Differentiable = Stationary{}
	_ Differentiable = (*Composite)(nil)
)

// resolve makes the kernels of the leaves.
func (k *Composite) resolve() {
	k.leaves = make([]leaf, len(k.family.leaves))
	for i, n := range k.family.leaves {
		k.leaves[i] = k.family.newLeaf(n, k.values)
	}
}

// Family returns the expression of the kernel over its inputs.
func (k *Composite) Family() *Family { return k.family }

// Values returns the values of the hyperparameters, in the order of the family.
func (k *Composite) Values() []float64 { return k.values }

// Rescaled returns the kernel for targets in other units: fitted scales are multiplied by a ratio.
func (k *Composite) Rescaled(ratio float64) *Composite {
	values := slices.Clone(k.values)
	for i, h := range k.family.hypers {
		if h.Kind == Scale {
			values[i] *= ratio
		}
	}
	return k.family.Kernel(values)
}

// tape holds the values of all parts of a kernel for one row of inputs.
type tape struct {
	k             *Composite
	values, slots [][]float64 // of every part; slots are memory of leaves, and weights of the others
	weights       [][]float64
}

func (k *Composite) newTape(m int) *tape {
	t := &tape{k: k}
	all := make([]float64, 3*m*k.family.parts)
	next := func() (list [][]float64) {
		for range k.family.parts {
			list, all = append(list, all[:m:m]), all[m:]
		}
		return list
	}
	t.values = next()
	t.slots = next()
	t.weights = next()
	return t
}

// forward returns the covariances of x with m others, given by their columns.
func (t *tape) forward(n *part, x []float64, others [][]float64, m int) []float64 {
	v := t.values[n.id][:m]
	if n.kind != nil {
		t.k.leaves[n.leaf].forward(x, others, v, t.slots[n.id][:m])
		return v
	}
	for i := range v {
		v[i] = 1
		if n.adds {
			v[i] = 0
		}
	}
	for _, kid := range n.kids {
		for i, c := range t.forward(kid, x, others, m) {
			if n.adds {
				v[i] += c
			} else {
				v[i] *= c
			}
		}
	}
	if n.scale >= 0 {
		s := t.k.values[n.scale]
		for i := range v {
			v[i] *= s * s
		}
	}
	return v
}

// backward adds Σ w_i times the gradients of the covariances of a forward pass: by the logarithms of the
// hyperparameters to hypers, and by x to inputs; nil for neither.
func (t *tape) backward(n *part, x []float64, others [][]float64, w, hypers, inputs []float64) {
	v := t.values[n.id][:len(w)]
	if n.kind != nil {
		l, aux := t.k.leaves[n.leaf], t.slots[n.id][:len(w)]
		if hypers != nil {
			l.hypers(x, others, v, aux, w, hypers)
		}
		if inputs != nil {
			l.inputs(x, others, v, aux, w, inputs)
		}
		return
	}
	scale2 := 1.0
	if n.scale >= 0 {
		s := t.k.values[n.scale]
		scale2 = s * s
		for i, c := range v {
			if hypers != nil {
				hypers[n.scale] += 2 * w[i] * c
			}
		}
	}
	for _, kid := range n.kids {
		next := t.weights[kid.id][:len(w)]
		for i, u := range w {
			next[i] = u * scale2
		}
		for _, other := range n.kids {
			if other == kid || n.adds {
				continue
			}
			for i, c := range t.values[other.id][:len(w)] {
				next[i] *= c
			}
		}
		t.backward(kid, x, others, next, hypers, inputs)
	}
}

// Gram returns the covariance of the rows of X with each other.
func (k *Composite) Gram(X *mat.Dense) *mat.SymDense {
	n, _ := X.Dims()
	g := mat.NewSymDense(n, nil)
	k.Within(X, g.RawSymmetric().Data)
	return g
}

// Within writes the covariance of the rows of X (n×d) to the upper triangle of cov, n×n.
func (k *Composite) Within(X *mat.Dense, cov []float64) {
	k.eachRow(X, func(i, n int, t *tape, x []float64, rest [][]float64) {
		copy(cov[i*n+i:], t.forward(k.family.root, x, rest, n-i))
	})
}

// eachRow calls f for every row i of X with the columns of the rows from i on.
func (k *Composite) eachRow(X *mat.Dense, f func(i, n int, t *tape, x []float64, rest [][]float64)) {
	n, d := X.Dims()
	t := k.newTape(n)
	columns := columnsFor(X)
	rest := make([][]float64, d)
	for i := range n {
		for j, c := range columns {
			rest[j] = c[i:]
		}
		f(i, n, t, X.RawRowView(i), rest)
	}
}

// AddHyperGradient adds Σ_{i≤j} w_ij ∂k(x_i, x_j)/∂log θ to grad for every hyperparameter θ, in the order of the family.
// w holds the weights in its upper triangle, n×n.
func (k *Composite) AddHyperGradient(X *mat.Dense, w, grad []float64) {
	k.eachRow(X, func(i, n int, t *tape, x []float64, rest [][]float64) {
		t.forward(k.family.root, x, rest, n-i)
		t.backward(k.family.root, x, rest, w[i*n+i:i*n+n], grad, nil)
	})
}

// Cross returns the covariance of the rows of A with the rows of B.
func (k *Composite) Cross(A, B *mat.Dense) *mat.Dense {
	n, _ := A.Dims()
	m, _ := B.Dims()
	c := mat.NewDense(n, m, nil)
	columns := columnsFor(B)
	t := k.newTape(m)
	for i := range n {
		c.SetRow(i, t.forward(k.family.root, A.RawRowView(i), columns, m))
	}
	return c
}

// Diag returns the variance at each row of X.
func (k *Composite) Diag(X *mat.Dense) []float64 {
	n, _ := X.Dims()
	v := make([]float64, n)
	for i := range v {
		v[i] = k.variance(k.family.root, X.RawRowView(i))
	}
	return v
}

// variance returns the variance of a part of the kernel at x.
func (k *Composite) variance(n *part, x []float64) float64 {
	if n.kind != nil {
		return k.leaves[n.leaf].variance(x)
	}
	v := 1.0
	if n.adds {
		v = 0
	}
	for _, kid := range n.kids {
		if n.adds {
			v += k.variance(kid, x)
		} else {
			v *= k.variance(kid, x)
		}
	}
	if n.scale >= 0 {
		v *= k.values[n.scale] * k.values[n.scale]
	}
	return v
}

// At returns the covariance of two inputs.
func (k *Composite) At(x, y []float64) float64 { return k.Slope(x, y, 0, nil) }

// Slope adds the weighted derivative w ∂k(x, y)/∂x_j to grad, length d, and returns k(x, y). Without a grad, it only
// returns the covariance.
func (k *Composite) Slope(x, y []float64, w float64, grad []float64) float64 {
	s := k.SlopesAt(x, mat.NewDense(1, len(y), y))
	if grad != nil {
		s.AddCross(grad, []float64{w})
	}
	return s.Value[0]
}

// CompositeSlopes holds the covariances of one input x with others, and their derivatives with respect to x.
type CompositeSlopes struct {
	Value  []float64 // k(x, y_i)
	x      []float64
	others [][]float64
	tape   *tape
}

// SlopesAt returns the covariances of x, length d, with the rows of Y (m×d), and their derivatives by x.
func (k *Composite) SlopesAt(x []float64, Y *mat.Dense) *CompositeSlopes {
	m, _ := Y.Dims()
	s := &CompositeSlopes{x: x, others: columnsFor(Y), tape: k.newTape(m)}
	s.Value = s.tape.forward(k.family.root, x, s.others, m)
	return s
}

// AddCross adds Σ w_i ∂k(x, y_i)/∂x to grad, length d.
func (s *CompositeSlopes) AddCross(grad, w []float64) {
	s.tape.backward(s.tape.k.family.root, s.x, s.others, w, nil, grad)
}

// AddVariance adds w ∂k(x, x)/∂x to grad, length d, and returns k(x, x). By symmetry, the derivative is twice that by the
// first input.
func (k *Composite) AddVariance(x []float64, w float64, grad []float64) float64 {
	return k.Slope(x, x, 2*w, grad)
}
