package hierarchy

import (
	"errors"
	"math"
	"slices"

	"bandscope/functions/trainer"
)

// The streams of random numbers of a training.
const (
	streamWeights = 30 + iota
	streamBatches
)

// Training is one training. While it is not stepped, several goroutines may evaluate and read it.
type Training struct {
	setting    Setting
	data       *data
	batches    *trainer.Source
	cumulative []float64 // of the probabilities of the nodes
	at         int
	w          []float64 // the weights of the networks, and the embeddings after them, node by node
	m, v       []float64 // Adam's moments
	last       Losses
	workspace  *workspace // made by the first update
}

// data is shared by trainings with equal data.
type data struct {
	panel    *Panel
	standard []float64 // the series in standardized units, day by day
	inputs   Inputs
}

// Losses are the measurements on a minibatch before an update, in standardized units.
type Losses struct {
	MAE      float64 // mean absolute error over its windows, days and nodes
	Reg      float64 // E_reg of all embeddings, not multiplied by λ_E; 0 without a basis
	Rate     float64 // learning rate of Adam at this update
	Draws    []int   // number of drawn nodes of each level
	GradReg  float64 // Euclidean norm of λ_E times the gradient of E_reg by the embeddings
	GradData float64 // and of the gradient of the error
}

// New is a training before its first update. It returns the error of Check.
func New(s Setting) (*Training, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	p := NewPanel(s.Data)
	t := &Training{setting: s, data: &data{panel: p, standard: p.StandardizedSeries()},
		batches:    trainer.NewSource(s.Seed, streamBatches),
		cumulative: cumulative(p.Tree, s.Alpha)}
	nodes, representative := p.Tree.Size(), p.RepresentativeNodes(s.Rank)
	for day := range Days {
		for _, i := range representative {
			t.data.inputs.Series = append(t.data.inputs.Series, t.data.standard[day*nodes+i])
		}
	}
	t.data.inputs.Features = Calendar()
	net := t.network()
	t.w = make([]float64, net.Size()+nodes*s.Basis)
	t.m, t.v = make([]float64, len(t.w)), make([]float64, len(t.w))
	source := trainer.NewSource(s.Seed, streamWeights)
	net.Init(t.w[:net.Size()], source)
	for i, z := range source.Normals(nodes * s.Basis) {
		t.w[net.Size()+i] = 0.1 * z
	}
	return t, nil
}

// network is the networks of the setting, with their own memory.
func (t *Training) network() Network {
	s := t.setting
	shape := Shape{Rank: s.Rank, Hidden: s.Hidden, Basis: s.Basis, History: History, Horizon: Horizon,
		Features: Features, TVAR: s.TVAR, BD: s.BD}
	if s.Cell == LSTM {
		return NewLSTM(shape, t.data.inputs)
	}
	return NewMLP(shape, t.data.inputs)
}

// cumulative is the cumulated probabilities of the nodes.
func cumulative(tree Tree, alpha float64) []float64 {
	c := tree.SamplingProbabilities(alpha)
	for i := 1; i < len(c); i++ {
		c[i] += c[i-1]
	}
	return c
}

// embeddings are θ, node by node.
func (t *Training) embeddings() []float64 { return t.w[t.networkSize():] }

func (t *Training) networkSize() int { return len(t.w) - t.data.panel.Tree.Size()*t.setting.Basis }

// At is the number of updates done.
func (t *Training) At() int { return t.at }

// TotalUpdates is the number of updates of the whole training; further updates use its last rate.
func (t *Training) TotalUpdates() int { return t.setting.Steps }

// Setting is the current setting of the training.
func (t *Training) Setting() Setting { return t.setting }

// Last is the measurements before the last update; zero before the first.
func (t *Training) Last() Losses {
	l := t.last
	l.Draws = slices.Clone(l.Draws)
	return l
}

// Panel is the data.
func (t *Training) Panel() *Panel { return t.data.panel }

// Change continues with other values of λ_E, α and the rate; all others must not change.
func (t *Training) Change(s Setting) error {
	if err := s.Check(); err != nil {
		return err
	}
	same := s
	same.LambdaE = t.setting.LambdaE
	same.Alpha = t.setting.Alpha
	same.Rate = t.setting.Rate
	if same != t.setting {
		return errors.New("only λ_E, α and the learning rate can change during a training")
	}
	t.setting, t.cumulative = s, cumulative(t.data.panel.Tree, s.Alpha)
	return nil
}

// Copy is an independent training that continues at the same update; it shares the data.
func (t *Training) Copy() *Training {
	c := *t
	c.batches = t.batches.Copy()
	c.w = slices.Clone(t.w)
	c.m = slices.Clone(t.m)
	c.v = slices.Clone(t.v)
	c.last = t.Last()
	c.workspace = nil
	return &c
}

// Bytes is the approximate memory of a copy that is not stepped.
func (t *Training) Bytes() int { return 8*3*len(t.w) + 512 }

// Step does one update: Adam (Kingma & Ba 2015) on the minibatch's mean absolute error and λ_E·E_reg of all embeddings
// (equation 6.5). Its error is a *trainer.DivergenceError.
func (t *Training) Step() error {
	if t.workspace == nil {
		t.workspace = t.newWorkspace()
	}
	w := t.workspace
	w.draw(t)
	n := t.networkSize()
	clear(w.g)
	losses := Losses{Draws: w.draws, Rate: t.rate()}
	a, b := w.net.Forward(t.w[:n], w.starts)
	losses.MAE = w.error(t, a, b)
	w.net.Backward(t.w[:n], w.g[:n], w.da, w.db)
	if t.setting.BD {
		losses.GradData = norm(w.g[n:])
		clear(w.regular)
		losses.Reg = regularizer(t.data.panel.Tree, t.embeddings(), t.setting.Basis, t.setting.LambdaE, w.regular)
		losses.GradReg = norm(w.regular)
		for i, v := range w.regular {
			w.g[n+i] += v
		}
	}
	t.last = losses
	for _, check := range []struct {
		what  string
		value float64
	}{{"the loss", losses.MAE + t.setting.LambdaE*losses.Reg}, {"the gradient", norm(w.g)}} {
		if math.IsNaN(check.value) || math.IsInf(check.value, 0) {
			return &trainer.DivergenceError{Step: t.at + 1, What: check.what}
		}
	}
	t.adam(w.g, losses.Rate)
	t.at++
	return nil
}

// rate is the learning rate of Adam at the next update, halved six times in the whole training ("decay rate and
// interval (0.5, 6)", table 6.5).
func (t *Training) rate() float64 {
	return t.setting.Rate * math.Pow(0.5, float64(min(5, 6*t.at/t.setting.Steps)))
}

func (t *Training) adam(g []float64, rate float64) {
	const beta1, beta2, epsilon = 0.9, 0.999, 1e-8
	unbias1, unbias2 := 1-math.Pow(beta1, float64(t.at+1)), 1-math.Pow(beta2, float64(t.at+1))
	for i, d := range g {
		t.m[i] = beta1*t.m[i] + (1-beta1)*d
		t.v[i] = beta2*t.v[i] + (1-beta2)*d*d
		t.w[i] -= rate * (t.m[i] / unbias1) / (math.Sqrt(t.v[i]/unbias2) + epsilon)
	}
}
