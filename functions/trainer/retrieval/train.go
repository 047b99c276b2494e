package retrieval

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"bandscope/functions/trainer"
)

// Losses are the measurements on a minibatch before its update.
type Losses struct {
	Metric     float64 // the ArcFace loss, a mean over the minibatch
	Relaxation float64 // F̃ = Σ ā_j²
	L1         float64 // Σ ā_j
	Lambda     float64 // λ(t), the weight of the regularizer
	Rate       float64 // of the update
	Flops      float64 // F = Σ p̄_j²
	Mean       float64 // p̄
	Sub        float64 // F/(d·p̄²); NaN where p̄ = 0
	Dead       int     // dimensions that are 0 in the whole minibatch
}

// Training is one training, update by update. It is a trainer.Training. While it is not stepped or changed, several
// goroutines may evaluate and copy it.
type Training struct {
	s              Setting
	data           *data
	p              parameters
	momentum       []float64
	mean, variance []float64 // running ones of the batch norm
	draws          *trainer.Source
	at             int
	last           Losses
	failed         error
	workspace      *batch // the working memory of updates; nil before the first
}

// New is a training before its first update.
func New(s Setting) (*Training, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	t := &Training{s: s, data: newData(s.Data), p: initialParameters(s), mean: make([]float64, s.Dim),
		variance: slices.Repeat([]float64{1}, s.Dim), draws: trainer.NewSource(s.Seed, 11)}
	t.momentum = make([]float64, len(t.p.all))
	return t, nil
}

// Setting is the setting of the next updates.
func (t *Training) Setting() Setting { return t.s }

// At is the number of updates done.
func (t *Training) At() int { return t.at }

// TotalUpdates is the number of updates of the whole training.
func (t *Training) TotalUpdates() int { return t.s.Steps }

// Last is the measurements before the last update; all zero before the first.
func (t *Training) Last() Losses { return t.last }

// Copy is an independent training that continues from here. It shares the data, which never change.
func (t *Training) Copy() *Training {
	c := *t
	c.p = newParameters(t.s.Hidden, t.s.Dim)
	copy(c.p.all, t.p.all)
	c.momentum = slices.Clone(t.momentum)
	c.mean = slices.Clone(t.mean)
	c.variance = slices.Clone(t.variance)
	c.draws = t.draws.Copy()
	c.workspace = nil
	return &c
}

// Bytes is the memory of a copy that is not stepped.
func (t *Training) Bytes() int { return 8 * (2*len(t.p.all) + 2*t.s.Dim) }

// Change continues with another λ, annealing, regularizer, rate or margin. All other values must not change.
func (t *Training) Change(s Setting) error {
	if err := s.Check(); err != nil {
		return err
	}
	same := t.s
	same.Lambda = s.Lambda
	same.Anneal = s.Anneal
	same.Regularizer = s.Regularizer
	same.Rate = s.Rate
	same.Margin = s.Margin
	if same != s {
		return errors.New("only lambda, the annealing, the regularizer, the learning rate and the margin can change during a training")
	}
	t.s = s
	return nil
}

// Step does one update. It returns a *trainer.DivergenceError if numbers are no longer finite, and an error after the
// last update.
func (t *Training) Step() error {
	if t.failed != nil {
		return t.failed
	}
	if t.at >= t.s.Steps {
		return fmt.Errorf("all %d updates are done", t.s.Steps)
	}
	if t.workspace == nil {
		t.workspace = newBatch(t.s)
	}
	b := t.workspace
	b.s = t.s
	for i := range b.example {
		b.example[i] = t.draws.IntN(len(t.data.train))
	}
	b.forward(&t.p, t.data)
	for j := range t.mean {
		t.mean[j] = 0.9*t.mean[j] + 0.1*b.mean[j]
		t.variance[j] = 0.9*t.variance[j] + 0.1*b.variance[j]
	}
	lambda := t.s.LambdaAt(t.at + 1)
	t.last = Losses{Metric: b.loss(&t.p), Relaxation: squares(b.meanAbs), L1: total(b.meanAbs), Lambda: lambda,
		Rate:  t.s.RateAt(t.at + 1),
		Flops: Flops(b.p), Mean: Mean(b.p), Sub: Suboptimality(b.p), Dead: CountDead(b.p)}
	b.backward(&t.p, t.data, lambda)
	t.at++
	if v := t.last.Metric + t.last.L1; v-v != 0 {
		return t.fail("the loss")
	}
	if v := t.update(b.grad.all); v != 0 {
		return t.fail("a weight")
	}
	return nil
}

// update takes a step with momentum along the gradient. It returns 0 unless a parameter is not finite afterwards.
func (t *Training) update(grad []float64) (odd float64) {
	rate := t.last.Rate
	p := t.p.all
	momentum := t.momentum
	for i, g := range grad {
		v := 0.9*momentum[i] + g
		momentum[i] = v
		v = p[i] - rate*v
		p[i] = v
		odd += v - v
	}
	return odd
}

func (t *Training) fail(subject string) error {
	t.failed = &trainer.DivergenceError{Step: t.at, What: subject}
	return t.failed
}

// ActivationProbabilities is, for every dimension, the probability of a value other than 0 if the preactivation is
// normal with mean β and standard deviation |γ|: Φ(β/|γ|) for ReLU (§5.6).
func (t *Training) ActivationProbabilities() []float64 {
	p := make([]float64, t.s.Dim)
	for j := range p {
		p[j] = t.s.Activation.Probability(t.p.beta[j], math.Abs(t.p.gamma[j]))
	}
	return p
}
