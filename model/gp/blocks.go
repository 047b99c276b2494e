package gp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/model/kernel"
)

// The shifts of blocks, such as plates and days, are a random intercept of a linear mixed model (Laird & Ware 1982):
// y = f(x) + b + ε, with a shift b ~ N(0, σ_b²) that all observations of a block share. So the covariance of two
// observations of one block has a further term σ_b² (a kernel term σ_b² δ(block, block'), Rasmussen & Williams 2006,
// §2.7 and §5.4.3). Predictions are of f, without a shift: the mean of a new block is the same, and its variance is
// greater by σ_b².

// Blocks are the blocks of observations.
type Blocks struct {
	Of []int   // the block of every observation, from 0; −1 for one without a shift; nil for none at all
	SD float64 // σ_b
}

// NewBlocked is NewFixedNoise with blocks. Without any it equals NewFixedNoise to the last digit.
func NewBlocked(k kernel.Kernel, noise float64, known []float64, blocks Blocks, X *mat.Dense, y []float64) (*GP, error) {
	if X != nil && blocks.Of != nil && len(blocks.Of) != len(y) {
		return nil, fmt.Errorf("want a block for every target; got %d blocks and %d targets", len(blocks.Of), len(y))
	}
	return newGP(&GP{kernel: k, noise: noise, noiseSDs: known, blocks: blocks.Of, blockSD: blocks.SD, x: X, y: y})
}

// WithoutData returns the process with the same hyperparameters and no observations.
func (g *GP) WithoutData() *GP { return &GP{kernel: g.kernel, noise: g.noise, blockSD: g.blockSD} }

// BlockSD returns the standard deviation σ_b of the shifts of blocks; 0 without blocks.
func (g *GP) BlockSD() float64 { return g.blockSD }

// addBlocks adds the variance of the shifts to the covariances of observations of the same block.
func addBlocks(cov *mat.SymDense, blocks []int, sd float64) {
	for i, a := range blocks {
		for j := i; a >= 0 && j < len(blocks); j++ {
			if blocks[j] == a {
				cov.SetSym(i, j, cov.At(i, j)+sd*sd)
			}
		}
	}
}

// withoutBlock returns the blocks without observation i.
func withoutBlock(blocks []int, i int) []int {
	if blocks == nil {
		return nil
	}
	return slices.Delete(slices.Clone(blocks), i, i+1)
}

// appendedBlocks returns the blocks of the observations, with one more that has none.
func (g *GP) appendedBlocks() []int {
	if g.blocks == nil {
		return nil
	}
	return append(slices.Clone(g.blocks), -1)
}

// drawShifts subtracts drawn shifts of the blocks from the values at the observations, in place.
func (g *GP) drawShifts(values []float64, rng *rand.Rand) {
	shifts := map[int]float64{-1: 0}
	for i, b := range g.blocks {
		if _, drawn := shifts[b]; !drawn {
			shifts[b] = g.blockSD * rng.NormFloat64()
		}
		values[i] -= shifts[b]
	}
}

// BlockEffects returns the posterior mean and covariance of the shifts of count blocks, in the units of the targets: the
// best linear unbiased predictor (Robinson 1991), m = σ_b² Zᵀ K⁻¹y and C = σ_b² I − σ_b⁴ Zᵀ K⁻¹ Z, where Z assigns the
// observations to blocks and K is the covariance of the observations.
func (g *GP) BlockEffects(count int) (mean []float64, cov *mat.SymDense) {
	v := g.blockSD * g.blockSD
	mean, cov = make([]float64, count), mat.NewSymDense(count, nil)
	for b := range count {
		cov.SetSym(b, b, v)
	}
	if s := g.inducing; s != nil && s.blocks != nil && v > 0 {
		s.blockEffects(mean, cov)
		return mean, cov
	}
	if g.x == nil || g.blocks == nil || v == 0 {
		return mean, cov
	}
	z := mat.NewDense(len(g.y), count, nil) // L⁻¹Z
	for i, b := range g.blocks {
		if b >= 0 {
			z.Set(i, b, 1)
			mean[b] += v * g.alpha[i]
		}
	}
	g.whiten(z)
	var explained mat.Dense
	explained.Mul(z.T(), z)
	for a := range count {
		for b := a; b < count; b++ {
			cov.SetSym(a, b, cov.At(a, b)-v*v*explained.At(a, b))
		}
	}
	return mean, cov
}

// BlockSD returns the root of the mean variance of the shifts of blocks over the processes; 0 without blocks.
func (m *Mixture) BlockSD() float64 {
	if !m.Integrated() {
		return m.mode.blockSD
	}
	return math.Sqrt(m.average(func(g *GP) float64 { return g.blockSD * g.blockSD }))
}

// BlockEffects returns the moments of the shifts of count blocks over the processes of the mixture.
func (m *Mixture) BlockEffects(count int) (mean []float64, cov *mat.SymDense) {
	if !m.Integrated() {
		return m.mode.BlockEffects(count)
	}
	n := float64(len(m.draws))
	mean, cov = make([]float64, count), mat.NewSymDense(count, nil)
	means := make([][]float64, len(m.draws))
	for i, g := range m.draws {
		var part *mat.SymDense
		means[i], part = g.BlockEffects(count)
		for b := range count {
			mean[b] += means[i][b] / n
		}
		part.ScaleSym(1/n, part)
		cov.AddSym(cov, part)
	}
	for _, single := range means {
		for a := range count {
			for b := a; b < count; b++ {
				cov.SetSym(a, b, cov.At(a, b)+(single[a]-mean[a])*(single[b]-mean[b])/n)
			}
		}
	}
	return mean, cov
}

// BlockBox is the box of σ_b. Its prior, when hyperparameters have priors, keeps σ_b away from 0, where the likelihood
// of a few blocks often has its maximum (Chung et al. 2013), and is weak: a factor of 10 around the median costs less
// than 3 nats.
var BlockBox = [2]float64{1e-3, 5}

const blockMedian, blockLogSD = 0.4, 1.0

// blockSD returns σ_b at a point; 0 without blocks.
func (e *evidence) blockSD(theta []float64) float64 {
	if e.block < 0 {
		return 0
	}
	return math.Exp(theta[e.block])
}

// blockGradient returns ½ tr((ααᵀ − K⁻¹) ∂K/∂log σ_b), given the inverse in the upper triangle of the workspace's factor.
func (e *evidence) blockGradient(sd float64, w *workspace) float64 {
	n, sum := len(e.y), 0.0
	for i, block := range e.opt.Blocks {
		if block < 0 {
			continue
		}
		a, inverse := w.alpha[i], w.factor[i*n:i*n+n]
		sum += a*a - inverse[i]
		for j := i + 1; j < n; j++ {
			if e.opt.Blocks[j] == block {
				sum += 2 * (a*w.alpha[j] - inverse[j])
			}
		}
	}
	return sd * sd * sum
}

// addBlocks adds the shifts to the covariance in the upper triangle of the workspace's factor.
func (e *evidence) addBlocks(sd float64, w *workspace) {
	n := len(e.y)
	for i, block := range e.opt.Blocks {
		for j := i; block >= 0 && j < n; j++ {
			if e.opt.Blocks[j] == block {
				w.factor[i*n+j] += sd * sd
			}
		}
	}
}

// setBlockSD sets σ_b of a point to that of a process, or to the median of its prior if the process has none.
func (e *evidence) setBlockSD(p []float64, g *GP) {
	if e.block < 0 {
		return
	}
	p[e.block], _ = e.prior(e.block)
	if g.blockSD > 0 {
		p[e.block] = math.Log(g.blockSD)
	}
}
