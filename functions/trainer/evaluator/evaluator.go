// Package evaluator evaluates the problems whose values are the result of a training: it trains a small model with the
// values of the variables, update by update, and returns the metrics, with a note, or the reason if the training
// diverged. It stops within one update after its context ends, reports the progress, and caches results. The models are
// in the packages retrieval and hierarchy; package functions declares the variables and objectives of the problems.
package evaluator

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"bandscope/functions/lru"
	"bandscope/functions/trainer"
)

// Outcome is the result of a training.
type Outcome struct {
	Values []float64 // in the order of the objectives of the problem; nil if the training failed
	Failed string    // why the training failed; empty if it did not
	Note   string    // further metrics, as text
}

// Problem evaluates one problem.
type Problem struct {
	name  string // part of the key of its cached outcomes
	start func(x []float64) (trainingRun, error)
}

// trainingRun is one training, with functions that describe and evaluate it.
type trainingRun struct {
	training trainer.Training
	describe func() string // its progress, after an update
	evaluate func() Outcome
}

// reportEvery is the number of updates between two lines of progress.
const reportEvery = 5

// outcomeCache is the outcomes by the problem and the values of its variables, in this process only.
var outcomeCache = lru.New[lru.Key](4<<20, func(o Outcome) int {
	return 200 + 8*len(o.Values) + len(o.Failed) + len(o.Note)
})

// inFlight is the running trainings, by the same keys; each channel is closed at the end of its training.
var inFlight = struct {
	sync.Mutex
	ends map[lru.Key]chan struct{}
}{ends: map[lru.Key]chan struct{}{}}

// Evaluate trains with the values of the variables (for choices their indices), unless the outcome is cached. It may be
// called from several goroutines; with equal values, only one of them trains. It calls say, which may be nil, with
// lines of progress. It returns the error of the context, or an error that names invalid values.
func (p *Problem) Evaluate(ctx context.Context, x []float64, say func(line string)) (Outcome, error) {
	d := lru.NewDigest()
	d.Text(p.name)
	d.Numbers(x...)
	key := d.Key()
	for {
		inFlight.Lock()
		o, known := outcomeCache.Get(key)
		end, busy := inFlight.ends[key]
		if !known && !busy {
			inFlight.ends[key] = make(chan struct{})
		}
		inFlight.Unlock()
		var err error
		switch {
		case known:
		case busy: // by another goroutine, which may be stopped
			select {
			case <-end:
			case <-ctx.Done():
			}
			err = ctx.Err()
			if err == nil {
				continue
			}
		default:
			o, err = p.trainAndCache(ctx, key, x, say)
		}
		if err == nil {
			err = ctx.Err() // the context ended during the evaluation; the outcome is cached
		}
		if err != nil {
			return Outcome{}, err
		}
		o.Values = slices.Clone(o.Values)
		return o, nil
	}
}

// trainAndCache trains while others with the same values wait, and caches the outcome.
func (p *Problem) trainAndCache(ctx context.Context, key lru.Key, x []float64, say func(line string)) (Outcome, error) {
	defer func() {
		inFlight.Lock()
		defer inFlight.Unlock()
		close(inFlight.ends[key])
		delete(inFlight.ends, key)
	}()
	o, err := p.train(ctx, x, say)
	if err == nil {
		outcomeCache.Put(key, o)
	}
	return o, err
}

// train trains to the end and evaluates.
func (p *Problem) train(ctx context.Context, x []float64, say func(line string)) (Outcome, error) {
	if err := ctx.Err(); err != nil {
		return Outcome{}, err
	}
	c, err := p.start(x)
	if err != nil {
		return Outcome{}, fmt.Errorf("%s: %w", p.name, err)
	}
	for t := c.training; t.At() < t.TotalUpdates(); {
		if err := ctx.Err(); err != nil {
			return Outcome{}, err
		}
		diverged := (*trainer.DivergenceError)(nil)
		if err := t.Step(); errors.As(err, &diverged) {
			return Outcome{Failed: err.Error()}, nil
		} else if err != nil {
			return Outcome{}, fmt.Errorf("%s: %w", p.name, err)
		}
		if say != nil && (t.At()%reportEvery == 1 || t.At() == t.TotalUpdates()) {
			say(fmt.Sprintf("update %d of %d · %s", t.At(), t.TotalUpdates(), c.describe()))
		}
	}
	o := c.evaluate()
	for _, v := range o.Values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return Outcome{Failed: fmt.Sprintf("the metrics of the training are not finite: %v", o.Values),
				Note: o.Note}, nil
		}
	}
	return o, nil
}
