package hierarchy

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// The numbers of this file are those of another implementation, in numpy, of the same text.
func TestScoresByHand(t *testing.T) {
	y, forecast := []float64{10, 0, 4}, []float64{8, 1, 4}
	near(t, "WAPE", wape(forecast, y), 0.21428571428571427, 1e-15)
	near(t, "SMAPE", smape(forecast, y), 0.7407407407407407, 1e-15)
	near(t, "SMAPE of zeros", smape([]float64{0}, []float64{0}), 0, 0)
}

func TestTree(t *testing.T) {
	tree := completeTree(4, 3)
	if tree.Size() != 85 || tree.Levels() != 4 || tree.Parent[84] != 20 ||
		!slices.Equal(tree.Children[1], []int{5, 6, 7, 8}) {
		t.Errorf("%d nodes on %d levels; the last leaf's parent is %d, the first node's children are %v", tree.Size(),
			tree.Levels(), tree.Parent[84], tree.Children[1])
	}
	if got := tree.Leaves(2); len(got) != 16 || got[0] != 37 || got[15] != 52 {
		t.Errorf("the leaves of node 2 are %v", got)
	}
	if got := tree.Leaves(84); !slices.Equal(got, []int{84}) {
		t.Errorf("the leaves of the last leaf are %v", got)
	}
	if got := nodes(tree, 1); !slices.Equal(got, []int{1, 2, 3, 4}) {
		t.Errorf("the first level is %v", got)
	}
}

// Among n-ary children the share of a level is ∝ (n/α)^level.
func TestSharesOfLevels(t *testing.T) {
	tree := completeTree(4, 3)
	for alpha, want := range map[float64][]float64{
		1: {1. / 85, 4. / 85, 16. / 85, 64. / 85},
		2: {1. / 15, 2. / 15, 4. / 15, 8. / 15},
		4: {.25, .25, .25, .25},
		8: {8. / 15, 4. / 15, 2. / 15, 1. / 15},
	} {
		for level, got := range tree.LevelShares(alpha) {
			near(t, "share", got, want[level], 1e-15)
		}
	}
}

func TestSuccessiveProjection(t *testing.T) {
	columns := mat.NewDense(3, 4, []float64{4, 0, 2, 1, 0, 3, 1.5, 1, 0, 0, 0, .5})
	if got := project(columns, 3); !slices.Equal(got, []int{0, 1, 3}) {
		t.Errorf("picked %v", got)
	}
	if got := project(mat.NewDense(2, 3, []float64{1, 0, 2, 0, 2, 0}), 2); !slices.Equal(got, []int{1, 2}) {
		t.Errorf("of columns that are as long picked %v", got)
	}
	if got := NewPanel(1).RepresentativeNodes(4); !slices.Equal(got, []int{48, 76, 51, 53}) {
		t.Errorf("picked %v", got)
	}
}

func TestDataOfFirstSeed(t *testing.T) {
	p := NewPanel(1)
	y := p.Series
	for i, want := range []float64{9.436564307867, 8.087329331206, 11.076506449989} {
		near(t, "the first day", y.At(0, i), want, 1e-12)
	}
	near(t, "the last value", y.At(251, 84), 6.689024909871432, 1e-13)
	near(t, "the sum", mat.Sum(y), 239965.56060052017, 1e-10)
	near(t, "the least", mat.Min(y), 0.08458992708498503, 1e-12)
	mean, sd := stat.PopMeanStdDev(y.RawMatrix().Data, nil)
	near(t, "the mean", mean, 11.20287397761532, 1e-12)
	near(t, "the standard deviation", sd, 3.1584619010847694, 1e-12)
	near(t, "the mean of training", p.Mean, 10.824073306026467, 1e-12)
	near(t, "the standard deviation of training", p.SD, 3.1093881360680835, 1e-12)
	for level, want := range []float64{2.056230420422445, 2.7634516420834476, 2.938839249412801, 3.2475634442289696} {
		var all []float64
		for _, i := range nodes(p.Tree, level) {
			all = append(all, mat.Col(nil, i, y)...)
		}
		_, sd := stat.PopMeanStdDev(all, nil)
		near(t, "the standard deviation of a level", sd, want, 1e-12)
	}
	theta := p.embeddings(1)
	for k, want := range []float64{8.703087296998, 1.13859505255, 0.826660433879} {
		near(t, "an embedding", theta.At(1, k), want, 1e-11)
	}
	for q := range p.Tree.Size() {
		for day := range Days {
			sum := 0.0
			for _, i := range p.Tree.Leaves(q) {
				sum += y.At(day, i)
			}
			near(t, "the mean of the leaves", sum/float64(len(p.Tree.Leaves(q))), y.At(day, q), 1e-12)
		}
	}
}

func TestReferences(t *testing.T) {
	p := NewPanel(1)
	naive, oracle := p.Naive(), p.reference(p.Expected, 0)
	for level, want := range []float64{0.07856580102, 0.080536717672, 0.102759446977, 0.159966592367} {
		near(t, "WAPE of last week", naive.WAPE[level], want, 1e-11)
	}
	for level, want := range []float64{0.080383879074, 0.085248102958, 0.108443837196, 0.169509367593} {
		near(t, "SMAPE of last week", naive.SMAPE[level], want, 1e-11)
	}
	for level, want := range []float64{.0166, .0243, .0495, .0961} {
		near(t, "WAPE of what made the data", oracle.WAPE[level], want, 5e-5)
	}
	for level := range 4 {
		near(t, "coherence of last week", naive.Coherence[level], 0, 1e-13)
	}
}

// nodes are those of a level, in their order.
func nodes(t Tree, level int) (indices []int) {
	for i, l := range t.Level {
		if l == level {
			indices = append(indices, i)
		}
	}
	return indices
}
