package diagnostics

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/functions"
	"bandscope/functions/lru"
	"bandscope/functions/numfmt"
	"bandscope/model/parallel"
	"bandscope/optimizers"
	"bandscope/optimizers/forecast"
	"bandscope/optimizers/search"
	"bandscope/sessions"
)

// Forecast says what further runs can still gain, in the units of the problem. It is not changed after it is made.
type Forecast struct {
	Quantity string // the objective or, with several, "hypervolume"
	Unit     string
	Now      float64 // best value, or hypervolume, according to the model
	Next     NextForecast
	After    []RunsForecast // nil if Unavailable is not empty
	// the smallest improvement that counts, of each objective in its unit, on a log scale as a factor
	Worthwhile []float64
	Assumed    []string // objectives without a declared amount: it is assumedShare of the range
	Method     string   // whose search is simulated, as a sentence without a period
	Draws      int
	Stop       bool   // further runs are not worthwhile; see stopBelow
	Caveat     string // why the model cannot be trusted for stopping; empty if it can
	// why there is no forecast; empty if there is one
	Unavailable string

	objectives []functions.Objective
}

// NextForecast is what the best next point can gain.
type NextForecast struct {
	X []float64 // in the units of the problem
	// expected improvement with the central 80 % interval of the improvement, in the objective's unit, on a log scale as
	// a decimal logarithm; with several objectives of the hypervolume
	Improvement, Low, High float64
	Feasible               float64 // probability that all limits are met; 1 without limits
	Worthwhile             forecast.Probability
}

// RunsForecast is the value after some more runs.
type RunsForecast struct {
	Runs       int
	Value, SE  float64 // expected value with its Monte Carlo standard error, on a log scale that of the decimal logarithm
	Low, High  float64 // central 80 % interval
	Worthwhile forecast.Probability
}

// The rule of the advice, which was fixed before its calibration: stop if the upper end of the 95 % interval of the
// probability that stopHorizon more runs improve the best value by the worthwhile amount is at most stopBelow.
const (
	stopHorizon = 10
	stopBelow   = 0.05
)

// assumedShare is the worthwhile amount where none is declared, as a share of the expected range or of the spread of the
// results.
const assumedShare = 0.01

// maxRuns bounds the number of further runs: the hyperparameters do not change in a simulation, which is too
// optimistic or too pessimistic for many.
const maxRuns = 30

// runsFor are the numbers of further runs of a forecast: 1, 5, 10 and the rest of the budget.
func runsFor(st sessions.State) []int {
	runs := []int{1, 5, stopHorizon}
	if rest := st.Config.Budget - len(st.Iterations); rest > 0 {
		runs = append(runs, min(rest, maxRuns))
	}
	slices.Sort(runs)
	return slices.Compact(runs)
}

type forecastKey struct{}

func forecastsFor(st sessions.State) *lru.Cache[string, *Forecast] {
	return st.Memoize(forecastKey{}, func() any {
		return lru.New[string](maxCached, func(*Forecast) int { return 1 })
	}).(*lru.Cache[string, *Forecast])
}

func forecastName(st sessions.State) string { return fmt.Sprint(st.ModelID(), " ", runsFor(st)) }

// CachedForecast is the cached forecast of a state; nil if there is none.
func CachedForecast(st sessions.State) *Forecast {
	f, _ := forecastsFor(st).Get(forecastName(st))
	return f
}

// ForecastRuns forecasts what further runs at a place of a session can gain; see package forecast. The forecast is
// cached with the session. The error is that of the fit, or of the context.
func ForecastRuns(ctx context.Context, s Source, progress sessions.Progress) (*Forecast, error) {
	st := s.State()
	if f := CachedForecast(st); f != nil {
		return f, nil
	}
	doubt, err := caveat(ctx, s, progress)
	if err != nil {
		return nil, err
	}
	in := st.Input()
	in.Progress = progress
	f := newForecast(st, in, doubt)
	if f.Unavailable == "" {
		c, err := forecast.Compute(ctx, in, forecast.Options{Runs: runsFor(st), Worthwhile: f.counted()})
		switch {
		case errors.Is(err, optimizers.ErrUnsupported):
			f.Unavailable = strings.TrimSuffix(err.Error(), ": "+optimizers.ErrUnsupported.Error())
		case err != nil:
			return nil, err
		default:
			f.fill(st, c)
		}
	}
	forecastsFor(st).Put(forecastName(st), f)
	return f, nil
}

// newForecast is a forecast before the simulation.
func newForecast(st sessions.State, in optimizers.Input, caveat string) *Forecast {
	f := &Forecast{Quantity: "hypervolume", Caveat: caveat, objectives: st.Problem.Objectives}
	if len(f.objectives) == 1 {
		f.Quantity, f.Unit = f.objectives[0].Name, f.objectives[0].Unit
	}
	f.Method = "the search continues by expected improvement with the model of " + st.Spec.Title
	if len(f.objectives) > 1 {
		f.Method = "the search continues by expected hypervolume improvement with the models of " + st.Spec.Title
	}
	if !forecast.UsesMethod(in.Params) {
		f.Method = "the search continues by expected improvement with a Gaussian process, not by " + st.Spec.Title
	}
	switch {
	case in.Data.Len() == 0:
		f.Unavailable = "there are no results yet"
	case search.InDesign(in):
		f.Unavailable = caveat
	}
	for k, o := range f.objectives {
		v := o.Worthwhile
		if v == 0 {
			f.Assumed = append(f.Assumed, o.Name)
			v = assumedShare * width(in, k)
			if o.Transform().IsLog() {
				v = math.Pow(10, v)
			}
		}
		f.Worthwhile = append(f.Worthwhile, v)
		if f.Unavailable == "" && !(f.counted()[k] > 0) {
			f.Unavailable = "all results are equal"
		}
	}
	return f
}

// width is the width of the expected range of an objective, or else of its results.
func width(in optimizers.Input, k int) float64 {
	if k < len(in.Expected) && in.Expected[k] != nil {
		return in.Expected[k][1] - in.Expected[k][0]
	}
	y := in.Data.Column(k)
	if len(y) == 0 {
		return 0
	}
	return slices.Max(y) - slices.Min(y)
}

// counted are the worthwhile amounts on the scales of the objectives.
func (f *Forecast) counted() []float64 {
	amounts := slices.Clone(f.Worthwhile)
	for k := range amounts {
		if f.objectives[k].Transform().IsLog() {
			amounts[k] = math.Log10(amounts[k])
		}
	}
	return amounts
}

// fill fills in the simulated values.
func (f *Forecast) fill(st sessions.State, c *forecast.Forecast) {
	ownValue := func(low, high float64) (float64, float64) { return low, high }
	value := func(v float64) float64 { return v }
	if len(f.objectives) == 1 {
		g := f.objectives[0].Transform()
		value = g.Invert
		ownValue = func(low, high float64) (float64, float64) {
			a, b := g.Invert(low), g.Invert(high)
			return min(a, b), max(a, b)
		}
	}
	f.Now, f.Draws = value(c.Now), c.Draws
	f.Next = NextForecast{Improvement: c.Next.Improvement, Low: c.Next.Low, High: c.Next.High,
		Feasible: c.Next.Feasible, Worthwhile: c.Next.Worthwhile}
	if c.Next.X != nil {
		f.Next.X = st.Problem.Domain.FromUnit(c.Next.X)
	}
	for _, a := range c.After {
		r := RunsForecast{Runs: a.Runs, Value: value(a.Value), SE: a.SE, Worthwhile: a.Worthwhile}
		r.Low, r.High = ownValue(a.Low, a.High)
		f.After = append(f.After, r)
		if a.Runs == stopHorizon {
			f.Stop = a.Worthwhile.High <= stopBelow && f.Caveat == ""
		}
	}
}

// Horizon is the number of further runs on which the advice depends.
func (f *Forecast) Horizon() int { return stopHorizon }

// Why is why there is no advice; empty if there is some.
func (f *Forecast) Why() string { return cmp.Or(f.Unavailable, f.Caveat) }

// StoppingAdvice is the advice on stopping at a place of a session; empty for a method without a band, and if the
// forecast fails. The error is that of the context.
func StoppingAdvice(ctx context.Context, s Source, progress sessions.Progress) (string, error) {
	if st := s.State(); st.Spec.NoBand || len(st.Iterations) == 0 {
		return "", nil
	}
	var f *Forecast
	if err := parallel.PanicToError(func() (err error) {
		f, err = ForecastRuns(ctx, s, progress)
		return err
	}); err != nil {
		return "", ctx.Err()
	}
	return f.Advice(), nil
}

// Advice is the advice on stopping in one sentence without a period, or why there is none.
func (f *Forecast) Advice() string {
	switch why := f.Why(); {
	case why != "":
		return "no advice on stopping: " + why
	case f.Stop:
		return fmt.Sprintf("stop: at most %s that %d more runs improve %s", SharePercent(f.horizon().Worthwhile.High),
			stopHorizon, f.worthwhileText())
	}
	p := f.horizon().Worthwhile
	return fmt.Sprintf("continue: %s (%s) that %d more runs improve %s", Percent(p.Value), percentRange(p), stopHorizon,
		f.worthwhileText())
}

// horizon is the forecast on which the advice depends.
func (f *Forecast) horizon() RunsForecast {
	return f.After[slices.IndexFunc(f.After, func(a RunsForecast) bool { return a.Runs == stopHorizon })]
}

// percentRange is the interval of a probability: "66 to 77 %".
func percentRange(p forecast.Probability) string {
	return fmt.Sprintf("%.0f to %.0f %%", 100*p.Low, 100*p.High)
}

// worthwhileText says which improvement counts: "yield by 0.5 % or more".
func (f *Forecast) worthwhileText() string {
	if len(f.objectives) > 1 {
		return "the front by a worthwhile amount"
	}
	return f.Quantity + " by " + f.WorthwhileAmount() + " or more"
}

// WorthwhileAmount is the smallest improvement of the only objective that counts, with its unit.
func (f *Forecast) WorthwhileAmount() string {
	o := f.objectives[0]
	if o.Transform().IsLog() {
		return "a factor of " + numfmt.Format(f.Worthwhile[0])
	}
	return strings.TrimSpace(numfmt.Format(f.Worthwhile[0]) + " " + o.Unit)
}

// Lines are the forecast in sentences without periods: the best next point, the value after more runs, and the advice.
func (f *Forecast) Lines() []string {
	if f.Unavailable != "" {
		return []string{f.Advice()}
	}
	lines := []string{f.nextLine()}
	for _, a := range f.After {
		lines = append(lines, f.afterLine(a))
	}
	if f.Assumed != nil {
		lines = append(lines, fmt.Sprintf("no worthwhile improvement of %s is declared; %s of the range is assumed",
			strings.Join(f.Assumed, " and "), SharePercent(assumedShare)))
	}
	return append(lines, f.Advice())
}

// nextLine describes the best next point.
func (f *Forecast) nextLine() string {
	n := f.Next
	text := fmt.Sprintf("next run: expected improvement %s (80 %%: %s to %s)", f.gain(n.Improvement), f.gain(n.Low),
		f.gain(n.High))
	if len(f.objectives) > 1 {
		text = strings.Replace(text, "improvement", "hypervolume improvement", 1)
	}
	text += fmt.Sprintf("; %s to improve %s", Percent(n.Worthwhile.Value), f.worthwhileText())
	if n.Feasible < 1 {
		text += fmt.Sprintf("; within limits with a probability of %s", Percent(n.Feasible))
	}
	return text
}

// gain formats an improvement.
func (f *Forecast) gain(v float64) string {
	if len(f.objectives) > 1 {
		return numfmt.Format(v)
	}
	return f.objectives[0].Transform().FormatDifference(v, numfmt.Format)
}

// afterLine describes the value after some runs.
func (f *Forecast) afterLine(a RunsForecast) string {
	number := numfmt.Format
	subject := "expected best " + f.Quantity
	if len(f.objectives) > 1 {
		subject = "expected hypervolume"
	}
	return fmt.Sprintf("after %s: %s %s (80 %%: %s to %s; Monte Carlo error %s); %s worthwhile (%s)",
		numfmt.Count(a.Runs, "more run"), subject, strings.TrimSpace(number(a.Value)+" "+f.Unit), number(a.Low),
		number(a.High), number(a.SE), Percent(a.Worthwhile.Value), percentRange(a.Worthwhile))
}
