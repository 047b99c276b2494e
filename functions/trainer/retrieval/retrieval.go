// Package retrieval trains sparse embeddings for search, and searches with them (Paria 2022, thesis, chapter 5): a
// small network learns embeddings of generated classes while a regularizer keeps the number of operations of a search
// small. It gives losses, the activity of every dimension, the recall among unseen classes and the cost of a search,
// bit for bit the same in every run on one architecture. Flow is the toy of §5.4 and §5.6: two rectified normal
// activations whose means and standard deviations follow the gradient of ℓ1, of the relaxed count of operations, or of
// the count itself.
package retrieval

import (
	"fmt"
	"math"
)

// Activation turns the preactivation of a dimension into its value.
type Activation string

const (
	ReLU     Activation = "relu"     // max(z, 0)
	SThresh  Activation = "sthresh"  // sgn(z)·max(|z| − 1/2, 0), §5.5
	Identity Activation = "identity" // z: the dense reference, whose rows have no zeros
)

// deadZone is the interval of preactivations whose value is 0; beyond it the value is the distance to it, with the
// sign.
func (a Activation) deadZone() (low, high float64) {
	switch a {
	case ReLU:
		return math.Inf(-1), 0
	case SThresh:
		return -0.5, 0.5
	}
	return 0, 0
}

// shrinkBeyond is the distance of z from an interval, with its sign; 0 inside it.
func shrinkBeyond(z, low, high float64) float64 { return z - max(low, min(high, z)) }

// Probability is that of a value other than 0 where z is normal with a mean and a standard deviation.
func (a Activation) Probability(mean, sd float64) float64 {
	low, high := a.deadZone()
	return phi((low-mean)/sd) + phi((mean-high)/sd)
}

// phi is the distribution function of the standard normal law.
func phi(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// Regularizer is the term that is added to the metric loss, times λ(t) (5.4).
type Regularizer string

const (
	FLOPs Regularizer = "flops" // the relaxation F̃ = Σ ā_j² of the cost of a search (§5.4)
	L1    Regularizer = "l1"    // ℓ1 = Σ ā_j
)

// Setting is everything that a training depends on.
type Setting struct {
	Data uint64 // the seed of the classes and their vectors
	Seed uint64 // of weights and minibatches

	Activation  Activation
	Regularizer Regularizer
	Lambda      float64 // the final weight of the regularizer
	// T as a share of Steps: the weight grows until then (§5.5); 0 is the whole weight from the first update
	Anneal float64

	Dim, Hidden, Batch, Steps int
	// of stochastic gradient descent with momentum 0.9; a tenth of it from 74 % of the updates on
	Rate          float64
	Margin, Scale float64 // of the ArcFace loss

	SpreadGamma, SpreadBeta float64 // an uneven start: the standard deviations of ln γ_j and of β_j over the dimensions
}

// Defaults are the setting of the problem of this name: 300 updates, ReLU, the relaxation with λ = 12, an even start.
func Defaults() Setting {
	return Setting{Data: 1, Activation: ReLU, Regularizer: FLOPs, Lambda: 12, Anneal: 0.8,
		Dim: 128, Hidden: 64, Batch: 128, Steps: 300, Rate: 0.2, Margin: 0.2, Scale: 16}
}

// Check returns an error about the first invalid value, or nil.
func (s Setting) Check() error {
	if s.Activation != ReLU && s.Activation != SThresh && s.Activation != Identity {
		return fmt.Errorf("there is no activation %q; choose %s, %s or %s", s.Activation, ReLU, SThresh, Identity)
	}
	if s.Regularizer != FLOPs && s.Regularizer != L1 {
		return fmt.Errorf("there is no regularizer %q; choose %s or %s", s.Regularizer, FLOPs, L1)
	}
	for _, c := range []struct {
		name        string
		value       int
		least, most int
	}{{"the number of dimensions", s.Dim, 2, 512}, {"the number of hidden units", s.Hidden, 1, 512},
		{"the size of the minibatch", s.Batch, 2, 1024}, {"the number of updates", s.Steps, 1, 10000}} {
		if c.value < c.least || c.value > c.most {
			return fmt.Errorf("%s must be in [%d, %d], got %d", c.name, c.least, c.most, c.value)
		}
	}
	for _, c := range []struct {
		name               string
		value, least, most float64
	}{{"the weight λ", s.Lambda, 0, 1e4}, {"the annealing share", s.Anneal, 0, 1},
		{"the learning rate", s.Rate, 1e-6, 100},
		{"the margin", s.Margin, 0, 1.5}, {"the scale", s.Scale, 0.1, 256},
		{"the deviation of gamma", s.SpreadGamma, 0, 5}, {"the deviation of beta", s.SpreadBeta, 0, 10}} {
		if !(c.value >= c.least && c.value <= c.most) {
			return fmt.Errorf("%s must be in [%v, %v], got %v", c.name, c.least, c.most, c.value)
		}
	}
	return nil
}

// LambdaAt is λ(t), the regularizer's weight in update t = 1, 2, …: λ·min(1, (t/T)²), with T = Anneal·Steps rounded and
// at least 1 (§5.5).
func (s Setting) LambdaAt(t int) float64 {
	return annealedLambda(s.Lambda, t, max(1, int(math.RoundToEven(s.Anneal*float64(s.Steps)))))
}

func annealedLambda(lambda float64, t, whole int) float64 {
	share := float64(t) / float64(whole)
	return lambda * min(1, share*share)
}

// RateAt is the learning rate of update t = 1, 2, ….
func (s Setting) RateAt(t int) float64 {
	if float64(t-1) < 0.74*float64(s.Steps) {
		return s.Rate
	}
	return s.Rate / 10
}
