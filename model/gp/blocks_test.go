package gp

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distmv"

	"bandscope/model/kernel"
)

// blockData are observations of blocks at random inputs; every fifth observation has no block.
func blockData(n, d, count int, rng *rand.Rand) (x *mat.Dense, y []float64, blocks []int) {
	x = mat.NewDense(n, d, nil)
	for i := range n {
		block := i % count
		if i%5 == 4 {
			block = -1
		}
		blocks, y = append(blocks, block), append(y, rng.NormFloat64()+float64(block))
		for j := range d {
			x.Set(i, j, rng.Float64())
		}
	}
	return x, y, blocks
}

// TestBlocksOfAMixedModel compares with the closed form of the balanced one-way random effects model y_ij = μ + b_j + ε_ij
// with μ ~ N(0, s²), which a kernel without any decrease is (Searle, Casella & McCulloch 1992, §3.9 and §7.4).
func TestBlocksOfAMixedModel(t *testing.T) {
	const count, each = 4, 6
	const s, sb, noise = 1.3, 0.7, 0.4
	rng := rand.New(rand.NewPCG(1, 2))
	var y []float64
	var blocks []int
	means := make([]float64, count)
	for i := range count * each {
		b := i % count
		v := rng.NormFloat64() + float64(b)
		y, blocks = append(y, v), append(blocks, b)
		means[b] += v / each
	}
	x := mat.NewDense(len(y), 1, nil)
	flat := kernel.Stationary{Form: formOf(t, "se"), Scale: s, Lengths: []float64{1e9}}
	g, err := NewBlocked(flat, noise, nil, Blocks{blocks, sb}, x, y)
	require.NoError(t, err)
	tau := sb*sb + noise*noise/each // variance of the mean of a block given μ
	mu := s * s * sum(means) / (count*s*s + tau)
	assert.InDelta(t, mu, g.Mean([]float64{0.3}), 1e-10, "the mean")
	effects, cov := g.BlockEffects(count)
	shrink := sb * sb / tau
	muVar := s * s * tau / (count*s*s + tau)
	for b, m := range means {
		if want := shrink * (m - mu); math.Abs(effects[b]-want) > 1e-10 {
			t.Errorf("the shift of block %d is %v, want %v", b, effects[b], want)
		}
		// Var(b_j | y) = σ_b²(1 − shrink) + shrink² Var(μ | y)
		if want := sb*sb*(1-shrink) + shrink*shrink*muVar; math.Abs(cov.At(b, b)-want) > 1e-10 {
			t.Errorf("its variance is %v, want %v", cov.At(b, b), want)
		}
	}
	if want := shrink * shrink * muVar; math.Abs(cov.At(0, 1)-want) > 1e-10 {
		t.Errorf("the covariance of two shifts is %v, want %v", cov.At(0, 1), want)
	}
	dense := mat.NewSymDense(len(y), nil)
	for i := range y {
		for j := i; j < len(y); j++ {
			v := s * s
			if blocks[i] == blocks[j] {
				v += sb * sb
			}
			if i == j {
				v += noise * noise
			}
			dense.SetSym(i, j, v)
		}
	}
	law, _ := distmv.NewNormal(make([]float64, len(y)), dense, nil)
	if got, want := g.LogMarginalLikelihood(), law.LogProb(y); math.Abs(got-want) > 1e-9 {
		t.Errorf("the evidence is %v, want %v", got, want)
	}
}

func sum(v []float64) (s float64) {
	for _, x := range v {
		s += x
	}
	return s
}

func formOf(t *testing.T, name string) kernel.Form {
	t.Helper()
	e, err := kernel.Parse(name)
	require.NoError(t, err)
	form, ok := e.Form()
	require.True(t, ok, "%s is no form", name)
	return form
}

// The evidence and its gradient with blocks: the value is that of the process, the slope is a difference quotient.
func TestEvidenceOfBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	x, y, blocks := blockData(23, 2, 3, rng)
	linear, err := kernel.Parse("matern52+linear")
	require.NoError(t, err)
	known := make([]float64, len(y))
	for i := range known {
		if known[i] = math.NaN(); i%4 == 0 {
			known[i] = 0.3
		}
	}
	for name, opt := range map[string]Options{
		"form":         {Form: formOf(t, "matern52"), FitNoise: true, Priors: &WeakPriors},
		"fixed noise":  {Form: formOf(t, "matern52"), Noise: 0.2},
		"known errors": {Form: formOf(t, "matern52"), FitNoise: true, NoiseSDs: known},
		"expression":   {Expression: &linear, FitNoise: true},
	} {
		opt.Blocks = blocks
		e := newEvidence(x, y, opt)
		w := e.workspace()
		theta, grad := make([]float64, len(e.lo)), make([]float64, len(e.lo))
		for j := range theta {
			theta[j] = max(e.lo[j], min(e.hi[j], math.Log(0.5)+0.3*rng.NormFloat64()))
		}
		value := e.value(theta, grad, w)
		k, noise := e.kernelAt(theta)
		g, err := NewBlocked(k, noise, opt.NoiseSDs, Blocks{blocks, e.blockSD(theta)}, x, y)
		require.NoError(t, err)
		if want := g.LogMarginalLikelihood(); opt.Priors == nil && math.Abs(value-want) > 1e-9 {
			t.Errorf("%s: the evidence is %v, that of the process %v", name, value, want)
		}
		for j := range theta {
			const h = 1e-5
			point := append([]float64(nil), theta...)
			point[j] += h
			up := e.value(point, nil, w)
			point[j] -= 2 * h
			down := e.value(point, nil, w)
			if want := (up - down) / (2 * h); math.Abs(grad[j]-want) > 1e-5*(1+math.Abs(want)) {
				t.Errorf("%s: the slope of %d is %v, want %v", name, j, grad[j], want)
			}
		}
	}
}

// Leave-one-out predictions, and the process without an observation, equal those of a process of the others: the
// prediction of an observation has the shift of its block, as the others of the block show it.
func TestLeaveOneOutWithBlocks(t *testing.T) {
	x, y, blocks := blockData(12, 2, 3, rand.New(rand.NewPCG(5, 6)))
	k := kernel.Stationary{Form: formOf(t, "matern52"), Scale: 1, Lengths: []float64{0.4, 0.7}}
	const sb, noise = 0.8, 0.3
	g, err := NewBlocked(k, noise, nil, Blocks{blocks, sb}, x, y)
	require.NoError(t, err)
	mean, sd, err := g.LeaveOneOut()
	require.NoError(t, err)
	for i := range y {
		less := without(x, i)
		rest := append(append([]float64(nil), y[:i]...), y[i+1:]...)
		others, err := NewBlocked(k, noise, nil, Blocks{withoutBlock(blocks, i), sb}, less, rest)
		require.NoError(t, err)
		updated, err := g.Without(i)
		require.NoError(t, err)
		point := x.Slice(i, i+1, 0, 2).(*mat.Dense)
		// the covariance of the left out observation with the others, by hand
		cross, column := k.Cross(less, point), mat.NewVecDense(len(rest), nil)
		for j, b := range withoutBlock(blocks, i) {
			v := cross.At(j, 0)
			if b >= 0 && b == blocks[i] {
				v += sb * sb
			}
			column.SetVec(j, v)
		}
		variance := k.Scale*k.Scale + noise*noise
		if blocks[i] >= 0 {
			variance += sb * sb
		}
		var solved mat.VecDense
		require.NoError(t, others.chol.SolveVecTo(&solved, column))
		wantMean := mat.Dot(&solved, mat.NewVecDense(len(rest), rest))
		wantSD := math.Sqrt(variance - mat.Dot(&solved, column))
		if math.Abs(mean[i]-wantMean) > 1e-9 || math.Abs(sd[i]-wantSD) > 1e-9 {
			t.Errorf("observation %d is predicted as %v ± %v, want %v ± %v", i, mean[i], sd[i], wantMean, wantSD)
		}
		a, _ := others.BlockEffects(3)
		b, _ := updated.BlockEffects(3)
		for j := range a {
			assert.InDelta(t, b[j], a[j], 1e-9, "without %d the shift of block %d is %v, want", i, j, b[j])
		}
	}
}

func without(x *mat.Dense, i int) *mat.Dense {
	n, d := x.Dims()
	less := mat.NewDense(n-1, d, nil)
	for j, k := 0, 0; j < n; j++ {
		if j != i {
			less.SetRow(k, x.RawRowView(j))
			k++
		}
	}
	return less
}

// Without blocks, or with shifts of none, everything is as before to the last digit; an observation that is appended is
// in no block.
func TestNoBlocks(t *testing.T) {
	x, y, blocks := blockData(9, 1, 2, rand.New(rand.NewPCG(7, 8)))
	k := kernel.Stationary{Form: formOf(t, "se"), Scale: 1, Lengths: []float64{0.4}}
	plain, err := New(k, 0.1, x, y)
	require.NoError(t, err)
	for name, label := range map[string]Blocks{"none": {}, "sd 0": {blocks, 0}} {
		g, err := NewBlocked(k, 0.1, nil, label, x, y)
		if err != nil || g.LogMarginalLikelihood() != plain.LogMarginalLikelihood() || g.Mean([]float64{0.2}) !=
			plain.Mean([]float64{0.2}) {
			t.Errorf("%s: %v differs", name, err)
		}
	}
	_, err = NewBlocked(k, 0.1, nil, Blocks{blocks[1:], 1}, x, y)
	assert.Error(t, err, "too few blocks are accepted")
	g, err := NewBlocked(k, 0.1, nil, Blocks{blocks, 0.5}, x, y)
	require.NoError(t, err)
	next, err := g.Append([]float64{0.5}, 1)
	require.NoError(t, err)
	again, err := NewBlocked(k, 0.1, nil, Blocks{append(append([]int(nil), blocks...), -1), 0.5}, next.x, next.y)
	if err != nil || math.Abs(next.LogMarginalLikelihood()-again.LogMarginalLikelihood()) > 1e-9 {
		t.Errorf("appended: %v, want %v (%v)", next.LogMarginalLikelihood(), again.LogMarginalLikelihood(), err)
	}
}

// Paths are draws of the function without the shifts: their moments at an input are those of the prediction.
func TestPathsWithBlocks(t *testing.T) {
	// blocks of two observations, so that the shifts matter as much as the function
	x, y, blocks := blockData(8, 1, 4, rand.New(rand.NewPCG(9, 1)))
	k := kernel.Stationary{Form: formOf(t, "se"), Scale: 1, Lengths: []float64{0.6}}
	g, err := NewBlocked(k, 0.1, nil, Blocks{blocks, 0.7}, x, y)
	require.NoError(t, err)
	inputs := mat.NewDense(1, 1, []float64{0.45})
	mean, sd, err := g.Predict(t.Context(), inputs)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(2, 2))
	var draws []float64
	for range 2000 {
		p, err := g.Path(200, rng)
		require.NoError(t, err)
		draws = append(draws, p.At([]float64{0.45}))
	}
	m, s := stat.MeanStdDev(draws, nil)
	if se := sd[0] / math.Sqrt(2000); math.Abs(m-mean[0]) > 4*se || math.Abs(s/sd[0]-1) > 0.07 {
		t.Errorf("the draws are %v ± %v, want %v ± %v", m, s, mean[0], sd[0])
	}
}
