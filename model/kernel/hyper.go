package kernel

import (
	"math"
	"slices"

	"bandscope/functions/numfmt"
)

// HyperKind says what a hyperparameter is.
type HyperKind int

// The kinds of hyperparameters. Lengths and periods are in the unit cube, the length of a periodic kernel is relative
// to sin, scales are standard deviations of the signal, in those of the targets.
const (
	Length         HyperKind = iota // over which values stay similar
	Scale                           // of a term of a sum
	PeriodicLength                  // of a periodic kernel, relative to the sine of the distance in half periods
	Period                          // after which values repeat
	Alpha                           // shape of a rational quadratic kernel: small for many lengthscales at once
	Bias                            // of a linear kernel: values in the center of the cube, relative to those at its faces
	Noise                           // of the observations; of no kernel, but of the model around it
	Block                           // of the shifts of blocks of observations; of no kernel either
	Shrinkage                       // of all lengthscales together, in a sparse prior; of no kernel either
)

// Hyperparameter describes a hyperparameter of an expression for inputs of d values.
type Hyperparameter struct {
	Kind  HyperKind
	Owner string     // the kernel, or the term of a scale, without fixed values: "periodic*se"
	Leaf  int        // number of the kernel in the expression or, for a scale, of the term among those with a scale, from 0
	Input int        // number of the lengthscale or period in the kernel; 0 for the others
	Fixed float64    // its value; 0 if it is fitted
	Box   [2]float64 // of fitted values

	at int // index of the hyperparameter in the declaration of the kernel
}

// Family is an expression for inputs of d values: all kernels with its structure. It is immutable.
type Family struct {
	expression Expression
	columns    []int // index of the lengthscale of every input
	hypers     []Hyperparameter
	root       *part
	parts      int
	leaves     []*part
}

// part is a part of a family: a kernel, or a sum or product of others, times the square of a scale.
type part struct {
	id    int
	kind  *leafKind // nil for a sum or a product
	adds  bool      // a sum
	kids  []*part
	scale int   // index of its scale; −1 if it has none
	first []int // of a kernel: for each declared hyperparameter the index of its first value
	leaf  int   // of a kernel: its number
}

// Family returns the kernels of the expression for inputs of d values. shared has the index of the lengthscale of
// every input, from 0 in order, nil for one each; inputs that share a lengthscale share a period too. length fixes all
// lengthscales that the expression does not fix, except those of periodic kernels; 0 fits them.
func (e Expression) Family(d int, shared []int, length float64) *Family {
	f := &Family{expression: e, columns: shared}
	if shared == nil {
		f.columns = make([]int, d)
		for j := range f.columns {
			f.columns[j] = j
		}
	}
	f.root = f.addSum(e.sum, true, length)
	return f
}

// addPart adds a part to the family.
func (f *Family) addPart(n *part) *part {
	n.id, n.scale = f.parts, -1
	f.parts++
	return n
}

// addSum adds a sum. Of all terms except the first, and of the first too if scaled, the scale is free.
func (f *Family) addSum(terms []product, scaled bool, length float64) *part {
	if len(terms) == 1 {
		return f.addProduct(terms[0], scaled, length)
	}
	n := f.addPart(&part{adds: true})
	for i, t := range terms {
		n.kids = append(n.kids, f.addProduct(t, scaled || i > 0, length))
	}
	return n
}

// addProduct adds a term. If it contains a sum, the scale of the term is that of the terms of the first sum.
func (f *Family) addProduct(t product, scaled bool, length float64) *part {
	n := f.addPart(&part{})
	inner := -1
	if scaled && t.variance == 0 {
		inner = slices.IndexFunc(t.factors, func(g factor) bool { return g.kind == nil })
	}
	if t.variance > 0 || scaled && inner < 0 {
		n.scale = len(f.hypers)
		f.hypers = append(f.hypers, Hyperparameter{Kind: Scale, Owner: t.plain().String(), Leaf: f.scales(),
			Fixed: math.Sqrt(t.variance), Box: scaleBox})
	}
	for i, g := range t.factors {
		if g.kind == nil {
			n.kids = append(n.kids, f.addSum(g.sum, i == inner, length))
		} else {
			n.kids = append(n.kids, f.addLeaf(g, length))
		}
	}
	return n
}

// scaleBox bounds fitted scales, for standardized targets.
var scaleBox = [2]float64{0.05, 20}

// scales counts the scales so far.
func (f *Family) scales() (n int) {
	for _, h := range f.hypers {
		if h.Kind == Scale {
			n++
		}
	}
	return n
}

func (f *Family) addLeaf(g factor, length float64) *part {
	n := f.addPart(&part{kind: g.kind, leaf: len(f.leaves)})
	f.leaves = append(f.leaves, n)
	for hyper, h := range g.kind.hypers {
		n.first = append(n.first, len(f.hypers))
		count, fixed := 1, g.given[hyper]
		if h.perInput {
			count = slices.Max(f.columns) + 1
		}
		if h.kind == Length && fixed == 0 {
			fixed = length
		}
		for i := range count {
			f.hypers = append(f.hypers, Hyperparameter{Kind: h.kind, Owner: g.kind.name, Leaf: n.leaf, Input: i,
				Fixed: fixed, Box: h.box, at: hyper})
		}
	}
	return n
}

// plain returns the term without its numbers and fixed hyperparameters.
func (t product) plain() product {
	plain := product{}
	for _, f := range t.factors {
		next := factor{kind: f.kind, given: make([]float64, len(f.given))}
		for _, s := range f.sum {
			next.sum = append(next.sum, s.plain())
		}
		plain.factors = append(plain.factors, next)
	}
	if plain.factors == nil {
		plain.variance = t.variance
	}
	return plain
}

// Expression returns the expression of the family.
func (f *Family) Expression() Expression { return f.expression }

// Hyperparameters lists the hyperparameters, fixed ones included, in the order in which they occur.
func (f *Family) Hyperparameters() []Hyperparameter { return f.hypers }

// Input returns the number of the lengthscale of an input in each kernel.
func (f *Family) Input(column int) int { return f.columns[column] }

// Kernel returns the kernel with values of all hyperparameters; those of fixed ones are ignored.
func (f *Family) Kernel(values []float64) *Composite {
	k := &Composite{family: f, values: slices.Clone(values)}
	for i, h := range f.hypers {
		if h.Fixed > 0 {
			k.values[i] = h.Fixed
		}
	}
	k.resolve()
	return k
}

// With returns the expression with another fixed value of a hyperparameter of one of its families; 0 makes it fitted.
// Lengthscales and periods of all inputs change together. The error is for a hyperparameter of another expression.
func (e Expression) With(h Hyperparameter, value float64) (Expression, error) {
	w := &rewriter{of: h, value: numfmt.Round(value)}
	next := Expression{w.sum(e.sum, true)}
	if !w.done {
		return e, errHyper
	}
	return next, nil
}

// rewriter copies an expression with another value of a hyperparameter.
type rewriter struct {
	of             Hyperparameter
	value          float64
	leaves, scales int // so far
	done           bool
}

func (w *rewriter) sum(terms []product, scaled bool) []product {
	next := make([]product, len(terms))
	for i, t := range terms {
		next[i] = w.product(t, scaled || i > 0)
	}
	return next
}

// product copies a term; it counts scales as Family.addProduct does.
func (w *rewriter) product(t product, scaled bool) product {
	inner := -1
	if scaled && t.variance == 0 {
		inner = slices.IndexFunc(t.factors, func(g factor) bool { return g.kind == nil })
	}
	next := product{variance: t.variance}
	if t.variance > 0 || scaled && inner < 0 {
		if w.of.Kind == Scale && w.of.Leaf == w.scales && (w.value > 0 || len(t.factors) > 0) {
			next.variance, w.done = numfmt.Round(w.value*w.value), true
		}
		w.scales++
	}
	for i, g := range t.factors {
		switch {
		case g.kind == nil:
			g.sum = w.sum(g.sum, i == inner)
		case w.of.Kind != Scale && w.of.Leaf == w.leaves && w.of.at < len(g.given):
			g.given = slices.Clone(g.given)
			g.given[w.of.at], w.done = w.value, true
			w.leaves++
		default:
			w.leaves++
		}
		next.factors = append(next.factors, g)
	}
	return next
}
