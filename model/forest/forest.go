// Package forest is regression by a random forest whose trees keep the spread of their leaves, as optimizers with forests need it (Hutter
// et al. 2014, "Algorithm runtime prediction", §4.3). It knows nothing of what is optimized.
package forest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Options of a forest.
type Options struct {
	Trees   int // B
	MinLeaf int // fewest data, of the bootstrap sample, in a leaf

	Progress func(done, total int) // may be nil
}

// node is a split, or a leaf where variable is −1.
type node struct {
	variable    int
	threshold   float64
	left, right int32 // nodes
	mean, vari  float64
}

// Tree is one tree of the forest.
type Tree struct{ nodes []node }

// Forest is an ensemble of trees. It is not changed after it is made, and safe for concurrent use.
type Forest struct{ trees []Tree }

// Fit grows a forest on the rows of X (n×d) and targets y: each tree on a bootstrap sample, each split on a variable drawn at random among
// those that differ, at a threshold drawn uniformly between two neighbouring data of the split that leaves the least variance. A node is
// split as long as both parts keep MinLeaf data. It stops soon after the context ends.
func Fit(ctx context.Context, X *mat.Dense, y []float64, opt Options, rng *rand.Rand) (*Forest, error) {
	if X == nil {
		return nil, errors.New("a forest needs data")
	}
	n, _ := X.Dims()
	switch {
	case n != len(y):
		return nil, fmt.Errorf("there must be one target an input, got %d inputs and %d targets", n, len(y))
	case opt.Trees < 1 || opt.MinLeaf < 1:
		return nil, fmt.Errorf("a forest needs at least one tree and one datum a leaf, got %d and %d", opt.Trees, opt.MinLeaf)
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
		g := grower{x: X, y: y, least: opt.MinLeaf, rng: rng}
		g.grow(rows)
		f.trees[b] = Tree{g.nodes}
	}
	return f, nil
}

// grower grows one tree.
type grower struct {
	x     *mat.Dense
	y     []float64
	least int
	rng   *rand.Rand
	nodes []node
}

// grow adds the node of some rows with everything below it, and returns its number.
func (g *grower) grow(rows []int) int32 {
	at := int32(len(g.nodes))
	mean, vari := g.moments(rows)
	g.nodes = append(g.nodes, node{variable: -1, mean: mean, vari: vari})
	if len(rows) < 2*g.least || vari == 0 {
		return at
	}
	_, d := g.x.Dims()
	for _, v := range g.rng.Perm(d) {
		slices.SortFunc(rows, func(a, b int) int {
			switch va, vb := g.x.At(a, v), g.x.At(b, v); {
			case va < vb:
				return -1
			case va > vb:
				return 1
			}
			return a - b
		})
		cut := g.split(rows, v)
		if cut == 0 {
			continue
		}
		lo, hi := g.x.At(rows[cut-1], v), g.x.At(rows[cut], v)
		threshold := lo + g.rng.Float64()*(hi-lo)
		left := g.grow(slices.Clone(rows[:cut]))
		right := g.grow(slices.Clone(rows[cut:]))
		g.nodes[at].variable, g.nodes[at].threshold, g.nodes[at].left, g.nodes[at].right = v, threshold, left, right
		return at
	}
	return at
}

// moments are the mean and the variance of the targets of some rows.
func (g *grower) moments(rows []int) (mean, vari float64) {
	values := make([]float64, len(rows))
	for i, r := range rows {
		values[i] = g.y[r]
	}
	return stat.PopMeanVariance(values, nil)
}

// split is how many of the rows, sorted by a variable, go to the left in the split of least variance; 0 if there is none.
func (g *grower) split(rows []int, v int) int {
	n := len(rows)
	total := 0.0
	for _, r := range rows {
		total += g.y[r]
	}
	best, cut := math.Inf(-1), 0
	sum := 0.0
	for i := 1; i < n; i++ {
		sum += g.y[rows[i-1]]
		if i < g.least || n-i < g.least || g.x.At(rows[i-1], v) == g.x.At(rows[i], v) {
			continue
		}
		// The variance that is left falls as the means of the parts are far apart.
		if gain := sum*sum/float64(i) + (total-sum)*(total-sum)/float64(n-i); gain > best {
			best, cut = gain, i
		}
	}
	return cut
}

// Trees are the trees of the forest.
func (f *Forest) Trees() []Tree { return f.trees }

// Predict is the mean and the variance of the leaf that an input falls into.
func (t Tree) Predict(x []float64) (mean, variance float64) {
	at := t.nodes[0]
	for at.variable >= 0 {
		if x[at.variable] <= at.threshold {
			at = t.nodes[at.left]
		} else {
			at = t.nodes[at.right]
		}
	}
	return at.mean, at.vari
}

// Predict is the mean over the trees at each row of X, and the standard deviation by the law of total variance over them: the mean of the
// leaves' variances and the variance of their means.
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
