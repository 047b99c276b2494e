// Package forest is regression by a random forest whose trees keep the variance of their leaves, as Bayesian
// optimization with forests needs it (Hutter et al. 2014, "Algorithm runtime prediction", §4.3). A fitted forest
// predicts means and standard deviations and is immutable. It depends on no method; the methods that use it declare its
// parameters.
package forest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Options of a forest.
type Options struct {
	Trees   int       // B
	MinLeaf int       // minimum number of observations, of the bootstrap sample, in a leaf
	Weights []float64 // weights of the observations, like repetition counts; nil: all 1

	Progress func(done, total int) // may be nil
}

// node is a split, or a leaf if variable is −1.
type node struct {
	variable    int
	threshold   float64
	left, right int32 // nodes
	mean, vari  float64
}

// Tree is one tree of the forest.
type Tree struct{ nodes []node }

// Forest is an ensemble of trees. It is immutable and safe for concurrent use.
type Forest struct{ trees []Tree }

// splitTries is the number of random splits that are tried for a node; the one that leaves the smallest variance is
// used.
const splitTries = 5

// Fit grows a forest on the rows of X (n×d) and targets y: each tree on a bootstrap sample, each split the best of a
// few with a random variable and a random threshold (Geurts et al. 2006), which smooths the steps of the single trees
// more than the best of all splits would. A node is split as long as both parts keep MinLeaf observations, whatever
// their weights. It stops soon after the context ends.
func Fit(ctx context.Context, X *mat.Dense, y []float64, opt Options, rng *rand.Rand) (*Forest, error) {
	if X == nil {
		return nil, errors.New("a forest needs observations")
	}
	n, _ := X.Dims()
	switch {
	case n != len(y):
		return nil, fmt.Errorf("want one target per input, got %d inputs and %d targets", n, len(y))
	case opt.Weights != nil && n != len(opt.Weights):
		return nil, fmt.Errorf("want one weight per target, got %d targets and %d weights", n, len(opt.Weights))
	case opt.Trees < 1 || opt.MinLeaf < 1:
		return nil, fmt.Errorf("a forest needs at least one tree and one target per leaf, got %d and %d", opt.Trees,
			opt.MinLeaf)
	}
	f := &Forest{trees: make([]Tree, opt.Trees)}
	for b := range f.trees {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if opt.Progress != nil {
			opt.Progress(b, opt.Trees)
		}
		rows := make([]int, n)
		for i := range rows {
			rows[i] = rng.IntN(n)
		}
		g := treeBuilder{x: X, y: y, weights: opt.Weights, minLeaf: opt.MinLeaf, rng: rng}
		g.grow(rows)
		f.trees[b] = Tree{g.nodes}
	}
	return f, nil
}

// treeBuilder grows one tree.
type treeBuilder struct {
	x       *mat.Dense
	y       []float64
	weights []float64 // nil: all 1
	minLeaf int
	rng     *rand.Rand
	nodes   []node
}

// grow adds the node of some rows with everything below it, and returns its number.
func (g *treeBuilder) grow(rows []int) int32 {
	id := int32(len(g.nodes))
	mean, vari := g.moments(rows)
	g.nodes = append(g.nodes, node{variable: -1, mean: mean, vari: vari})
	if len(rows) < 2*g.minLeaf || vari == 0 {
		return id
	}
	variable, threshold := g.split(rows)
	if variable < 0 {
		return id
	}
	var low, high []int
	for _, r := range rows {
		if g.x.At(r, variable) <= threshold {
			low = append(low, r)
		} else {
			high = append(high, r)
		}
	}
	left := g.grow(low)
	right := g.grow(high)
	g.nodes[id].variable = variable
	g.nodes[id].threshold = threshold
	g.nodes[id].left = left
	g.nodes[id].right = right
	return id
}

// moments are the mean and the variance of the targets of some rows.
func (g *treeBuilder) moments(rows []int) (mean, vari float64) {
	values := make([]float64, len(rows))
	var weights []float64
	if g.weights != nil {
		weights = make([]float64, len(rows))
	}
	for i, r := range rows {
		values[i] = g.y[r]
		if weights != nil {
			weights[i] = g.weights[r]
		}
	}
	return stat.PopMeanVariance(values, weights)
}

// weight is the weight of an observation.
func (g *treeBuilder) weight(row int) float64 {
	if g.weights == nil {
		return 1
	}
	return g.weights[row]
}

// split is the best of a few random splits of some rows; the variable is −1 if no split keeps enough observations on
// both sides.
func (g *treeBuilder) split(rows []int) (variable int, threshold float64) {
	_, d := g.x.Dims()
	variable = -1
	best := math.Inf(-1)
	for range max(splitTries, d) {
		v := g.rng.IntN(d)
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, r := range rows {
			lo, hi = math.Min(lo, g.x.At(r, v)), math.Max(hi, g.x.At(r, v))
		}
		cut := lo + g.rng.Float64()*(hi-lo)
		n := 0
		low := 0.0
		sum := 0.0
		all := 0.0
		total := 0.0
		for _, r := range rows {
			w := g.weight(r)
			all, total = all+w, total+w*g.y[r]
			if g.x.At(r, v) <= cut {
				n++
				low, sum = low+w, sum+w*g.y[r]
			}
		}
		if m := len(rows) - n; n >= g.minLeaf && m >= g.minLeaf {
			// The variance that is left falls as the means of the parts are far apart.
			if gain := sum*sum/low + (total-sum)*(total-sum)/(all-low); gain > best {
				best = gain
				variable = v
				threshold = cut
			}
		}
	}
	return variable, threshold
}

// Trees are the trees of the forest.
func (f *Forest) Trees() []Tree { return f.trees }

// Predict is the mean and the variance of the leaf of an input.
func (t Tree) Predict(x []float64) (mean, variance float64) {
	position := t.nodes[0]
	for position.variable >= 0 {
		if x[position.variable] <= position.threshold {
			position = t.nodes[position.left]
		} else {
			position = t.nodes[position.right]
		}
	}
	return position.mean, position.vari
}

// Predict is the mean over the trees at each row of X, and the standard deviation by the law of total variance over
// them: the mean of the leaves' variances and the variance of their means.
func (f *Forest) Predict(ctx context.Context, X *mat.Dense) (mean, sd []float64, err error) {
	q, _ := X.Dims()
	mean, sd = make([]float64, q), make([]float64, q)
	b := float64(len(f.trees))
	for i := range q {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		second := 0.0
		for _, t := range f.trees {
			m, v := t.Predict(X.RawRowView(i))
			mean[i] += m / b
			second += (v + m*m) / b
		}
		sd[i] = math.Sqrt(math.Max(second-mean[i]*mean[i], 0))
	}
	return mean, sd, nil
}
