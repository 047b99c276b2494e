package training

import (
	"math"

	"bandscope/functions/trainer"
	"bandscope/optimizers/param"
)

// ValidateEvery is the number of updates between evaluations of a training on data that it does not use; it is also
// evaluated after the last update.
const ValidateEvery = 10

// trainable is a training of a package in functions, with its setting S.
type trainable[T, S any] interface {
	trainer.Training
	Change(S) error
	Copy() T
	Bytes() int
}

// adapter makes a model of a training.
type adapter[T trainable[T, S], S any] struct {
	t       T
	setting func(param.Set) S
	row     func(t T, judge bool) []float64
}

func (w adapter[T, S]) Step() error              { return w.t.Step() }
func (w adapter[T, S]) At() int                  { return w.t.At() }
func (w adapter[T, S]) TotalUpdates() int        { return w.t.TotalUpdates() }
func (w adapter[T, S]) Bytes() int               { return w.t.Bytes() }
func (w adapter[T, S]) Change(p param.Set) error { return w.t.Change(w.setting(p)) }

func (w adapter[T, S]) Row() []float64 {
	update := w.t.At()
	return w.row(w.t, update%ValidateEvery == 0 || update == w.t.TotalUpdates())
}

func (w adapter[T, S]) Copy() Model {
	w.t = w.t.Copy()
	return w
}

// completeSpec completes a lab with the functions of its training.
func completeSpec[T trainable[T, S], S any](l *Spec, begin func(S) (T, error), setting func(param.Set) S,
	check func(S) error,
	row func(T, bool) []float64) *Spec {
	l.Check = func(p param.Set) error { return check(setting(p)) }
	l.Begin = func(p param.Set) (Model, error) {
		t, err := begin(setting(p))
		return adapter[T, S]{t, setting, row}, err
	}
	l.Unwrap = func(m Model) any { return m.(adapter[T, S]).t }
	return l
}

// nanRow are the values of columns that were not measured.
func nanRow(n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = math.NaN()
	}
	return values
}

// The keys that all labs have: the seed of weights and minibatches, and the number of updates.
const (
	keySeed  = "seed"
	keySteps = "steps"
)

// sharedDecls declares the parameters of all labs.
func sharedDecls(data, seed, steps, most int, source string) []param.Decl {
	return []param.Decl{
		{Key: keySteps, Label: "updates", Help: "The number of updates of the whole training.", Kind: param.Integer,
			Default: steps, Min: 1, Max: float64(most), Log: true, Source: source},
		{Key: keySeed, Label: "seed", Help: "The seed of the weights and the minibatches.", Kind: param.Integer,
			Default: seed, Min: 0, Max: 1e9, Source: source},
		{Key: "data", Label: "data", Help: "The seed of the data.", Kind: param.Integer, Default: data, Min: 0,
			Max: 1e9, Source: source},
	}
}
