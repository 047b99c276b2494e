// Package forecast estimates what further runs of a search can still gain. Joint draws from Gaussian processes of the
// results take the place of the unknown function, and the search continues on each of them: with one objective by
// expected improvement, with several by expected hypervolume improvement, in both cases times the probability that all
// limits are met. The hyperparameters of the processes do not change during a simulation, and the search is over a
// finite set of candidates. An input goes in; numbers in the units of the minimized objectives come out.
package forecast

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"bandscope/optimizers"
	"bandscope/optimizers/inspection"
)

// Numbers of draws. With none of them improved, the upper end of the interval of a probability is 1.4 % of
// singleDraws, and 2.8 % of severalDraws, which take longer.
const (
	singleDraws  = 256
	severalDraws = 128
)

// On every draw the search continues for shortRuns runs, and on the first of longShare draws for more.
const (
	shortRuns = 10
	longShare = 4
)

// Inner is the probability that the intervals of gains contain: their ends are quantiles.
const Inner = 0.8

// Options are what to compute.
type Options struct {
	Runs       []int     // numbers of further runs, ascending, at least one
	Worthwhile []float64 // for each objective, the smallest improvement that counts, in the minimized objective's units
	Draws      int       // 0 for the default
}

// Forecast is what further runs are expected to gain. With one objective the value is the best posterior mean of an
// evaluated point within all limits, minimized; without noise that is the best result. With several objectives it is the
// hypervolume of these means, as outcomes over the frozen range.
type Forecast struct {
	Now        float64   // the value without further runs
	Worthwhile []float64 // as in Options
	Next       Next
	After      []After // one for each of Options.Runs
	Draws      int     // of forecasts of up to 10 runs; longer ones have a quarter
	Candidates int
}

// Next is what the best next point can gain: the one with the largest expected improvement.
type Next struct {
	X           []float64 // in the unit cube
	Improvement float64   // expected improvement in closed form, times the probability that all limits are met
	Low, High   float64   // central interval of the improvement; see Inner
	Feasible    float64   // probability that all limits are met, and that the evaluation succeeds
	// probability of an improvement by the worthwhile amount, with its interval; the ends are equal if it is known in
	// closed form
	Worthwhile Probability
}

// After is the value after some further runs.
type After struct {
	Runs      int
	Value, SE float64 // expectation with its Monte Carlo standard error
	Low, High float64 // central interval of the value over the draws; see Inner
	// probability of an improvement by the worthwhile amount: of the best value or, with several objectives, of a result
	// that is better than every point of the present front by the amount of some objective
	Worthwhile Probability
}

// Probability is a probability with the ends of its 95 % interval (Clopper & Pearson 1934) from the number of draws.
type Probability struct{ Value, Low, High float64 }

// ErrNothing is returned (wrapped) where there is nothing to improve on yet.
var ErrNothing = fmt.Errorf("there is no result within all limits yet: %w", optimizers.ErrUnsupported)

// Compute simulates further runs of an input. Pending points are ignored. It reports its progress to the input. The
// error wraps optimizers.ErrUnsupported if there are no results, or with one objective none within all limits;
// otherwise it is that of a fit or of the context. The result depends on the input and the options alone.
func Compute(ctx context.Context, in optimizers.Input, o Options) (*Forecast, error) {
	switch {
	case in.Data.Len() == 0:
		return nil, fmt.Errorf("a forecast needs results: %w", optimizers.ErrUnsupported)
	case in.Fidelity != nil:
		return nil, fmt.Errorf("a forecast needs results of one fidelity: %w", optimizers.ErrUnsupported)
	}
	if o.Draws == 0 {
		o.Draws = singleDraws
		if in.Objectives > 1 {
			o.Draws = severalDraws
		}
	}
	in.Pending = nil
	m, err := fitModel(ctx, in)
	if err != nil {
		return nil, err
	}
	s, err := newSimulation(ctx, m, o)
	if err != nil {
		return nil, err
	}
	paths, err := s.run(ctx)
	if err != nil {
		return nil, err
	}
	return s.summarize(paths), nil
}

// summarize turns the simulated values into a forecast.
func (s *simulation) summarize(paths []path) *Forecast {
	f := &Forecast{Now: s.now, Worthwhile: s.Worthwhile, Next: s.next, Draws: len(paths), Candidates: s.candidates}
	for i, runs := range s.Runs {
		var values []float64
		worthwhile := 0
		for _, p := range paths {
			if i >= len(p.values) { // it is a short one
				continue
			}
			values = append(values, p.values[i])
			if p.worthwhile[i] {
				worthwhile++
			}
		}
		slices.Sort(values)
		mean, sd := stat.MeanStdDev(values, nil)
		f.After = append(f.After, After{Runs: runs, Value: mean, SE: sd / math.Sqrt(float64(len(values))),
			Low:        stat.Quantile((1-Inner)/2, stat.LinInterp, values, nil),
			High:       stat.Quantile((1+Inner)/2, stat.LinInterp, values, nil),
			Worthwhile: estimate(worthwhile, len(values))})
	}
	if len(s.objectives) > 1 { // of one run, simulated
		first := f.After[0]
		if first.Runs != 1 {
			return f
		}
		f.Next.Low = max(first.Low-s.now, 0)
		f.Next.High = max(first.High-s.now, 0)
		f.Next.Worthwhile = first.Worthwhile
	}
	return f
}

func estimate(k, n int) Probability {
	low, high := inspection.ClopperPearson(k, n)
	return Probability{float64(k) / float64(n), low, high}
}
