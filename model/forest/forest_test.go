package forest

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

func data(n, d int, seed uint64) (*mat.Dense, []float64) {
	rng := rand.New(rand.NewPCG(seed, 3))
	x, y := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		for j := range d {
			x.Set(i, j, rng.Float64())
		}
		y[i] = math.Sin(5*x.At(i, 0)) + 0.1*rng.NormFloat64()
	}
	return x, y
}

func fit(t testing.TB, x *mat.Dense, y []float64, opt Options) *Forest {
	t.Helper()
	f, err := Fit(context.Background(), x, y, opt, rand.New(rand.NewPCG(4, 4)))
	require.NoError(t, err)
	return f
}

// The moments are those of the mixture of the trees' leaves, found by sampling a tree and then a value of its leaf.
func TestTotalVariance(t *testing.T) {
	x, y := data(60, 2, 1)
	f := fit(t, x, y, Options{Trees: 20, MinLeaf: 3})
	rng := rand.New(rand.NewPCG(9, 9))
	inputs := mat.NewDense(3, 2, []float64{0.1, 0.5, 0.5, 0.9, 0.97, 0.03})
	mean, sd, err := f.Predict(context.Background(), inputs)
	require.NoError(t, err)
	for i := range 3 {
		const draws = 40000
		values := make([]float64, draws)
		for k := range values {
			m, v := f.Trees()[rng.IntN(20)].Predict(inputs.RawRowView(i))
			values[k] = m + math.Sqrt(v)*rng.NormFloat64()
		}
		m, s := stat.MeanStdDev(values, nil)
		if math.Abs(m-mean[i]) > 5*s/math.Sqrt(draws) || math.Abs(s-sd[i]) > 0.03*s {
			t.Errorf("%g ± %g, by sampling %g ± %g", mean[i], sd[i], m, s)
		}
	}
}

// Every leaf has its least number of data, and the mean and the variance of the bootstrapped data that fall into it.
func TestLeaves(t *testing.T) {
	x, y := data(50, 3, 2)
	for _, least := range []int{1, 3, 10} {
		rng := rand.New(rand.NewPCG(4, 4))
		f, err := Fit(context.Background(), x, y, Options{Trees: 1, MinLeaf: least}, rng)
		require.NoError(t, err)
		rng = rand.New(rand.NewPCG(4, 4))
		leaves := map[[2]float64][]float64{}
		for range 50 {
			i := rng.IntN(50)
			m, v := f.Trees()[0].Predict(x.RawRowView(i))
			leaves[[2]float64{m, v}] = append(leaves[[2]float64{m, v}], y[i])
		}
		for leaf, values := range leaves {
			m, v := stat.PopMeanVariance(values, nil)
			if len(values) < least || math.Abs(m-leaf[0]) > 1e-12 || math.Abs(v-leaf[1]) > 1e-12 {
				t.Errorf("a leaf of %d data has mean %g and variance %g, the data %g and %g (at least %d)",
					len(values), leaf[0], leaf[1], m, v, least)
			}
		}
	}
}

// A forest learns a smooth function, and a constant exactly.
func TestLearns(t *testing.T) {
	x, y := data(300, 2, 3)
	position, _ := data(100, 2, 4)
	mean, _, _ := fit(t, x, y, Options{Trees: 50, MinLeaf: 3}).Predict(context.Background(), position)
	sum := 0.0
	for i, m := range mean {
		e := m - math.Sin(5*position.At(i, 0))
		sum += e * e / 100
	}
	if sum > 0.02 {
		t.Errorf("mean squared error %g", sum)
	}
	for i := range y {
		y[i] = 7
	}
	mean, sd, _ := fit(t, x, y, Options{Trees: 5, MinLeaf: 3}).Predict(context.Background(), position)
	if mean[0] != 7 || sd[0] > 1e-6 {
		t.Errorf("of a constant: %g ± %g", mean[0], sd[0])
	}
}

// In other units of the inputs and of the targets a forest is the same. The units are powers of two, by which rounding
// is the same too; counted from another origin, splits that are as good as each other may change places.
func TestUnitsDoNotMatter(t *testing.T) {
	for _, c := range []struct{ factor, origin, same float64 }{{-4, 0, 1}, {1, 64, 0.8}} {
		x, y := data(80, 2, 6)
		position, _ := data(50, 2, 7)
		first := fit(t, x, y, Options{Trees: 10, MinLeaf: 2}).Trees()
		if c.origin == 0 {
			scale := func(_, j int, v float64) float64 { return []float64{8, 0.25}[j] * v }
			x.Apply(scale, x)
			position.Apply(scale, position)
		}
		for i := range y {
			y[i] = c.origin + c.factor*y[i]
		}
		equal := 0.0
		for b, tree := range fit(t, x, y, Options{Trees: 10, MinLeaf: 2}).Trees() {
			for i := range 50 {
				back := position.RawRowView(i)
				if c.origin == 0 {
					back = []float64{back[0] / 8, back[1] / 0.25}
				}
				mean, v := first[b].Predict(back)
				got, gotV := tree.Predict(position.RawRowView(i))
				if math.Abs(got-c.origin-c.factor*mean) < 1e-9 && math.Abs(gotV-c.factor*c.factor*v) < 1e-9 {
					equal += 1.0 / 500
				}
			}
		}
		if equal < c.same-1e-9 {
			t.Errorf("of targets %g + %g y only %.0f %% of the predictions are the same", c.origin, c.factor, 100*equal)
		}
	}
}

// Of five random splits the one that leaves the least variance is taken. Where one of three variables tells all, it is
// among them with probability 1 − (2/3)⁵ = 0.87, and the best of its thresholds, uniform on a unit, is 0.19 from the
// true one in the mean; of one random split these are 0.33 and 0.25.
func TestSplitsAreChosen(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	x, y := mat.NewDense(400, 3, nil), make([]float64, 400)
	for i := range 400 {
		for j := range 3 {
			x.Set(i, j, 10+rng.Float64())
		}
		if x.At(i, 1) > 10.5 {
			y[i] = 1
		}
	}
	const trees = 1000
	right, away := 0.0, 0.0
	for _, tree := range fit(t, x, y, Options{Trees: trees, MinLeaf: 1}).Trees() {
		if root := tree.nodes[0]; root.variable == 1 {
			right++
			away += math.Abs(root.threshold - 10.5)
		}
	}
	if want := 1 - math.Pow(2.0/3, 5); math.Abs(right/trees-want) > 5*math.Sqrt(want*(1-want)/trees) ||
		math.Abs(away/right-0.187) > 0.02 {
		t.Errorf("%g of %d roots are of the variable that matters, %.3f from the threshold in the mean", right, trees,
			away/right)
	}
}

func TestRefusals(t *testing.T) {
	x, y := data(5, 1, 1)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Fit(ctx, x, y, Options{Trees: 3, MinLeaf: 1}, rand.New(rand.NewPCG(1, 1))); err == nil {
		t.Error("it goes on after it was stopped")
	}
	for _, opt := range []Options{{MinLeaf: 1}, {Trees: 1}} {
		if _, err := Fit(context.Background(), x, y, opt, rand.New(rand.NewPCG(1, 1))); err == nil {
			t.Errorf("%+v is accepted", opt)
		}
	}
	if _, err := Fit(context.Background(), nil, nil, Options{Trees: 1, MinLeaf: 1},
		rand.New(rand.NewPCG(1, 1))); err == nil {
		t.Error("no data are accepted")
	}
	if _, _, err := fit(t, x, y, Options{Trees: 1, MinLeaf: 1}).Predict(ctx, x); err == nil {
		t.Error("it predicts after it was stopped")
	}
	count := 0
	fit(t, x, y, Options{Trees: 4, MinLeaf: 1, Progress: func(done, total int) {
		if done != count || total != 4 {
			t.Errorf("%d of %d trees after %d", done, total, count)
		}
		count++
	}})
	assert.Equal(t, 4, count, "progress was told %d times", count)
	if _, err := Fit(context.Background(), x, y[:2], Options{Trees: 1, MinLeaf: 1},
		rand.New(rand.NewPCG(1, 1))); err == nil {
		t.Error("missing targets are accepted")
	}
}

// A datum of weight 3 is what three of it are, in the means and variances of leaves and in the choice of splits.
func TestWeightsAreRepetitions(t *testing.T) {
	x, y := data(30, 2, 5)
	weights, once, repeated := make([]float64, 30), make([]int, 30), []int(nil)
	for i := range weights {
		// sums are exact, so that equal splits stay equal
		weights[i], once[i], y[i] = float64(1+i%4), i, math.Round(64*y[i])
		for range 1 + i%4 {
			repeated = append(repeated, i)
		}
	}
	grown := func(weights []float64, rows []int) Tree {
		g := treeBuilder{x: x, y: y, weights: weights, minLeaf: 1, rng: rand.New(rand.NewPCG(6, 6))}
		g.grow(rows)
		return Tree{g.nodes}
	}
	a, b, plain := grown(weights, once), grown(nil, repeated), grown(nil, once)
	if len(a.nodes) != len(b.nodes) {
		t.Fatalf("%d nodes with weights, %d with repetitions", len(a.nodes), len(b.nodes))
	}
	for i, n := range a.nodes {
		m := b.nodes[i]
		if n.variable != m.variable || n.threshold != m.threshold || math.Abs(n.mean-m.mean) > 1e-9 ||
			math.Abs(n.vari-m.vari) > 1e-9 {
			t.Errorf("node %d is %v with weights, %v with repetitions", i, n, m)
		}
	}
	if math.Abs(a.nodes[0].mean-plain.nodes[0].mean) < 1e-6 {
		t.Error("the weights change nothing")
	}
	if _, err := Fit(context.Background(), x, y, Options{Trees: 1, MinLeaf: 1, Weights: weights[1:]},
		rand.New(rand.NewPCG(1, 1))); err == nil {
		t.Error("29 weights of 30 data are accepted")
	}
}
