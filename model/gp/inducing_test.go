package gp

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/model/kernel"
)

// allRows are the indices of n rows.
func allRows(n int) (rows []int) {
	for i := range n {
		rows = append(rows, i)
	}
	return rows
}

func newInducing(t *testing.T, k kernel.Kernel, noise float64, known []float64, blocks Blocks, X *mat.Dense, y []float64,
	rows []int) *GP {
	t.Helper()
	g, err := NewInducing(t.Context(), k, noise, known, blocks, X, y, rows, nil)
	require.NoError(t, err)
	return g
}

// inducingCases are processes with everything that the data can have: noise of single observations, blocks, expressions.
func inducingCases(t *testing.T, n, d int) map[string]func(rows []int, X *mat.Dense, y []float64) (sparse, exact *GP) {
	t.Helper()
	known, blocks := make([]float64, n), make([]int, n)
	for i := range n {
		known[i], blocks[i] = math.NaN(), i%5-1
		if i%3 == 0 {
			known[i] = 0.05 + 0.01*float64(i%7)
		}
	}
	e, err := kernel.Parse("se + linear")
	require.NoError(t, err)
	f := e.Family(d, nil, 0)
	values := make([]float64, len(f.Hyperparameters()))
	for i := range values {
		values[i] = 0.5 + 0.1*float64(i)
	}
	cases := map[string]func([]int, *mat.Dense, []float64) (*GP, *GP){}
	add := func(name string, k kernel.Kernel, known []float64, blocks Blocks) {
		cases[name] = func(rows []int, X *mat.Dense, y []float64) (*GP, *GP) {
			exact, err := NewBlocked(k, 0.1, known, blocks, X, y)
			require.NoError(t, err)
			return newInducing(t, k, 0.1, known, blocks, X, y, rows), exact
		}
	}
	for name, k := range kernels(d) {
		add(name, k, nil, Blocks{})
	}
	k := kernels(d)["matern52"]
	add("known noise", k, known, Blocks{})
	add("blocks", k, known, Blocks{Of: blocks, SD: 0.4})
	add("expression", f.Kernel(values), nil, Blocks{})
	return cases
}

func approximately(t *testing.T, subject string, got, want, tolerance float64) {
	t.Helper()
	if !scalar.EqualWithinAbsOrRel(got, want, tolerance, tolerance) {
		t.Errorf("%s: %.12g, want %.12g", subject, got, want)
	}
}

// With all observations as inducing inputs everything is as with exact inference.
func TestAllInducingIsExact(t *testing.T) {
	const n, d = 40, 2
	X, y := data(n, d, 3)
	probes, _ := data(7, d, 4)
	for name, pair := range inducingCases(t, n, d) {
		sparse, exact := pair(allRows(n), X, y)
		const tolerance = 1e-5
		approximately(t, name+": log evidence", sparse.LogMarginalLikelihood(), exact.LogMarginalLikelihood(), tolerance)
		approximately(t, name+": greatest noise", sparse.MaxNoise(), exact.MaxNoise(), 0)
		compareProcesses(t, name, sparse, exact, probes, tolerance)
		m1, s1, err := sparse.LeaveOneOut()
		m2, s2, _ := exact.LeaveOneOut()
		require.NoError(t, err)
		for i := range m1 {
			approximately(t, name+": leave-one-out mean", m1[i], m2[i], 1e-4)
			approximately(t, name+": leave-one-out sd", s1[i], s2[i], 1e-4)
		}
		b1, c1 := sparse.BlockEffects(4)
		b2, c2 := exact.BlockEffects(4)
		for i := range b1 {
			approximately(t, name+": block effect", b1[i], b2[i], tolerance)
			approximately(t, name+": variance of a block effect", c1.At(i, i), c2.At(i, i), tolerance)
			approximately(t, name+": covariance of block effects", c1.At(i, (i+1)%4), c2.At(i, (i+1)%4), tolerance)
		}
		if a, err := sparse.Append(probes.RawRowView(0), 0.3); err != nil {
			t.Error(err)
		} else if b, err := exact.Append(probes.RawRowView(0), 0.3); err != nil {
			t.Error(err)
		} else {
			compareProcesses(t, name+", appended", a, b, probes, tolerance)
		}
	}
}

// compareProcesses compares predictions, gradients and covariances.
func compareProcesses(t *testing.T, name string, a, b *GP, probes *mat.Dense, tolerance float64) {
	t.Helper()
	n, d := probes.Dims()
	m1, s1, err := a.Predict(t.Context(), probes)
	m2, s2, _ := b.Predict(t.Context(), probes)
	require.NoError(t, err)
	covariances, err := a.CrossCovariance(probes)
	require.NoError(t, err)
	two, _ := b.CrossCovariance(probes)
	c1, c2 := covariances.Covariances(probes), two.Covariances(probes)
	for i := range n {
		approximately(t, name+": mean", m1[i], m2[i], tolerance)
		approximately(t, name+": sd", s1[i], s2[i], tolerance)
		approximately(t, name+": covariance", c1.At(i, (i+1)%n), c2.At(i, (i+1)%n), tolerance)
		g1, g2 := make([]float64, 2*d), make([]float64, 2*d)
		a.Gradient(probes.RawRowView(i), g1[:d], g1[d:])
		b.Gradient(probes.RawRowView(i), g2[:d], g2[d:])
		for j := range g1 {
			approximately(t, name+": gradient", g1[j], g2[j], 100*tolerance)
		}
	}
}

// With some observations as inducing inputs, the posterior and the evidence are those of Quiñonero-Candela & Rasmussen
// 2005 (eq. 24 and 30), computed by dense matrices: y ~ N(0, Q + diag(K − Q) + noise) with Q = K_xz K_zz⁻¹ K_zx.
func TestInducingByDenseMatrices(t *testing.T) {
	const n, d = 40, 2
	X, y := data(n, d, 3)
	rows := []int{1, 4, 5, 11, 17, 22, 23, 30, 36, 39}
	probes, _ := data(5, d, 4)
	for name, pair := range inducingCases(t, n, d) {
		g, exact := pair(rows, X, y)
		Z := mat.NewDense(len(rows), d, nil)
		for i, r := range rows {
			Z.SetRow(i, X.RawRowView(r))
		}
		var inverse, q, noisy, noisyInverse mat.Dense
		require.NoError(t, inverse.Inverse(exact.kernel.Gram(Z)))
		between := func(a, b *mat.Dense) *mat.Dense {
			var left, v mat.Dense
			left.Mul(exact.kernel.Cross(a, Z), &inverse)
			v.Mul(&left, exact.kernel.Cross(Z, b))
			return &v
		}
		q.CloneFrom(between(X, X))
		noise := mat.NewDiagDense(n, nil)
		for i, v := range exact.kernel.Diag(X) {
			noise.SetDiag(i, exact.noiseAt(i)*exact.noiseAt(i)+v-q.At(i, i))
		}
		noisy.Add(&q, noise)
		for i := range n {
			for j := range n {
				if exact.blocks != nil && exact.blocks[i] >= 0 && exact.blocks[i] == exact.blocks[j] {
					noisy.Set(i, j, noisy.At(i, j)+exact.blockSD*exact.blockSD)
				}
			}
		}
		require.NoError(t, noisyInverse.Inverse(&noisy))
		target := mat.NewVecDense(n, y)
		logDet, _ := mat.LogDet(&noisy)
		evidence := -0.5 * (mat.Inner(target, &noisyInverse, target) + logDet + n*math.Log(2*math.Pi))
		approximately(t, name+": log evidence", g.LogMarginalLikelihood(), evidence, 1e-6)
		mean, sd, err := g.Predict(t.Context(), probes)
		require.NoError(t, err)
		toData := between(probes, X)
		var gain mat.Dense
		gain.Mul(toData, &noisyInverse)
		for i, prior := range exact.kernel.Diag(probes) {
			approximately(t, name+": mean", mean[i], floats.Dot(gain.RawRowView(i), y), 1e-6)
			approximately(t, name+": variance", sd[i]*sd[i], prior-floats.Dot(gain.RawRowView(i), toData.RawRowView(i)), 1e-6)
		}
	}
}

// Each inducing input is the row of the greatest variance given those before it.
func TestSelectInducing(t *testing.T) {
	const n, d = 60, 2
	X, y := data(n, d, 5)
	k := kernels(d)["matern52"]
	rows, err := SelectInducing(t.Context(), k, X, []int{7, 7, 20}, 25, nil)
	if err != nil || len(rows) != 25 || rows[0] != 7 || rows[1] != 20 {
		t.Fatalf("%v, %v", rows, err)
	}
	for m := 2; m < len(rows); m++ {
		Z := mat.NewDense(m, d, nil)
		for i, r := range rows[:m] {
			Z.SetRow(i, X.RawRowView(r))
		}
		known, err := New(k, 0, Z, make([]float64, m))
		require.NoError(t, err)
		_, sd, _ := known.Predict(t.Context(), X)
		if best := floats.MaxIdx(sd); best != rows[m] {
			t.Errorf("row %d is %d, whose sd is %g; that of %d is %g", m, rows[m], sd[rows[m]], best, sd[best])
		}
	}
	doubled := mat.NewDense(2*n, d, nil)
	doubled.Stack(X, X)
	if rows, err := SelectInducing(t.Context(), k, doubled, nil, 2*n, nil); err != nil || len(rows) != n {
		t.Errorf("%d of %d different inputs, %v", len(rows), n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = SelectInducing(ctx, k, X, nil, 10, nil)
	assert.Error(t, err, "it goes on after its context ended")
	_, err = NewInducing(ctx, k, 0.1, nil, Blocks{}, X, y, rows, nil)
	assert.Error(t, err, "it goes on after its context ended")
}

// Leaving out an observation is conditioning on the others, with the same inducing inputs; the closed form of all
// predictions agrees.
func TestLeaveOutInducing(t *testing.T) {
	const n, d = 40, 2
	X, y := data(n, d, 6)
	rows := []int{1, 4, 5, 11, 17, 22, 23, 30, 36, 39}
	probes, _ := data(5, d, 7)
	for name, pair := range inducingCases(t, n, d) {
		g, exact := pair(rows, X, y)
		mean, sd, err := g.LeaveOneOut()
		require.NoError(t, err)
		for _, i := range []int{0, 5, 9, 39} {
			less, err := g.Without(i)
			require.NoError(t, err)
			means, sds, err := less.Predict(t.Context(), mat.NewDense(1, d, X.RawRowView(i)))
			require.NoError(t, err)
			variance, noise := sds[0]*sds[0], exact.noiseAt(i)
			if exact.blocks == nil || exact.blocks[i] < 0 { // otherwise the shift of its block is known in part
				approximately(t, name+": leave-one-out mean", mean[i], means[0], 1e-7)
				approximately(t, name+": leave-one-out sd", sd[i], math.Sqrt(variance+noise*noise), 1e-7)
			}
			if slices.Contains(rows, i) {
				continue
			}
			others, targets := mat.NewDense(n-1, d, nil), slices.Delete(slices.Clone(y), i, i+1)
			for j := range n - 1 {
				others.SetRow(j, X.RawRowView(j+btoi(j >= i)))
			}
			known := exact.noiseSDs
			if known != nil {
				known = slices.Delete(slices.Clone(known), i, i+1)
			}
			moved := slices.Clone(rows)
			for j, r := range rows {
				moved[j] -= btoi(r > i)
			}
			again := newInducing(t, exact.kernel, exact.noise, known, Blocks{withoutBlock(exact.blocks, i), exact.blockSD},
				others, targets, moved)
			compareProcesses(t, fmt.Sprintf("%s without %d", name, i), less, again, probes, 1e-7)
			approximately(t, name+": log evidence", less.LogMarginalLikelihood(), again.LogMarginalLikelihood(), 1e-8)
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// An appended observation changes the process as the rule for normal variables says.
func TestAppendInducing(t *testing.T) {
	const n, d = 60, 2
	X, y := data(n, d, 8)
	probes, _ := data(6, d, 9)
	g := newInducing(t, kernels(d)["matern52"], 0.1, nil, Blocks{}, X, y, []int{2, 9, 14, 27, 33, 41, 50})
	for step := range 3 {
		x, value := probes.RawRowView(step), 0.4-float64(step)
		inputs := mat.NewDense(1, d, x)
		cross, err := g.CrossCovariance(inputs)
		require.NoError(t, err)
		cov := mat.Col(nil, 0, cross.Covariances(probes))
		before, sd, _ := g.Predict(t.Context(), probes)
		next, err := g.Append(x, value)
		require.NoError(t, err)
		mean, after, _ := next.Predict(t.Context(), probes)
		noisy := sd[step]*sd[step] + 0.1*0.1
		for i := range mean {
			approximately(t, "mean", mean[i], before[i]+cov[i]/noisy*(value-before[step]), 1e-8)
			approximately(t, "variance", after[i]*after[i], sd[i]*sd[i]-cov[i]*cov[i]/noisy, 1e-8)
		}
		g = next
	}
}

// Drawn functions have the mean and the standard deviation of the process, also after appended observations.
func TestInducingPaths(t *testing.T) {
	const n, d, draws = 60, 2, 600
	X, y := data(n, d, 8)
	probes, _ := data(6, d, 9)
	blocks := make([]int, n)
	for i := range blocks {
		blocks[i] = i%3 - 1
	}
	g := newInducing(t, kernels(d)["se"], 0.1, nil, Blocks{blocks, 0.3}, X, y, []int{2, 9, 14, 27, 33, 41, 50})
	for range 2 {
		mean, sd, err := g.Predict(t.Context(), probes)
		require.NoError(t, err)
		values := make([][]float64, len(mean))
		for i := range draws {
			p, err := g.Path(2000, newRand(uint64(i)))
			require.NoError(t, err)
			for j, v := range p.Values(probes) {
				values[j] = append(values[j], v)
			}
		}
		for j := range mean {
			m, s := stat.MeanStdDev(values[j], nil)
			if e := 4 * sd[j] / math.Sqrt(draws); math.Abs(m-mean[j]) > e+0.01 {
				t.Errorf("mean %.4f, of draws %.4f ± %.4f", mean[j], m, e)
			}
			assert.InDelta(t, sd[j], s, 0.15*sd[j]+0.01, "sd %.4f, of draws", sd[j])
		}
		for i, v := range []float64{1, -1} {
			if g, err = g.Append(probes.RawRowView(i), v); err != nil {
				t.Fatal(err)
			}
		}
	}
}
