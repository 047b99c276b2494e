// Package evaluator evaluates the problems whose values come of a training: the values of the variables go in, a small
// model is trained by them update by update, and what it is judged by comes out, with what else there is to say of it,
// or with the reason where the training diverged. It stops within an update of the end of its context, tells how the
// training goes, and remembers what came of it. The models are in the packages retrieval and hierarchy; which variables
// and objectives the problems have is declared above.
package evaluator

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"bandscope/functions/lru"
	"bandscope/functions/training"
)

// Outcome is what came of a training.
type Outcome struct {
	Values []float64 // in the order of the problem's objectives; nil where it failed
	Failed string    // why there are none; empty where there are
	Note   string    // what else it is judged by
}

// Problem is what evaluates one problem.
type Problem struct {
	name  string // by which its outcomes are remembered
	start func(x []float64) (trainingRun, error)
}

// trainingRun is one training with what is to be said of it.
type trainingRun struct {
	training training.Training
	describe func() string // how it goes, after an update
	evaluate func() Outcome
}

// reportEvery is how many updates there are between two lines of how a training goes.
const reportEvery = 5

// outcomeCache are remembered by the problem and the values of its variables, in this process alone.
var outcomeCache = lru.New[lru.Key](4<<20, func(o Outcome) int {
	return 200 + 8*len(o.Values) + len(o.Failed) + len(o.Note)
})

// inFlight are the trainings that are inFlight way, by the same keys; each channel is closed at the end of its
// training.
var inFlight = struct {
	sync.Mutex
	ends map[lru.Key]chan struct{}
}{ends: map[lru.Key]chan struct{}{}}

// Evaluate trains by the values of the variables, with choices by their places, unless that was done before. It may be
// called from several goroutines at once, of which one trains by equal values; say, which may be nil, hears how the
// training goes. The error is that of the context, or says which values cannot be trained by.
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
		case busy: // by another one, who may be stopped
			select {
			case <-end:
			case <-ctx.Done():
			}
			if err = ctx.Err(); err == nil {
				continue
			}
		default:
			o, err = p.trainAndCache(ctx, key, x, say)
		}
		if err == nil {
			err = ctx.Err() // it ended while it was judged, and is remembered
		}
		if err != nil {
			return Outcome{}, err
		}
		o.Values = slices.Clone(o.Values)
		return o, nil
	}
}

// trainAndCache trains while others who want the same wait, and remembers what came of it.
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

// train trains to the end, and judges.
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
		diverged := (*training.DivergenceError)(nil)
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
