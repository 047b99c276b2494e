package study

import (
	"encoding/json"
	"math"
	"slices"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/sessions/report"
)

// TraceFor is the trace of a run up to a state of its session.
func TraceFor(st sessions.State) Trace {
	all := report.AllTracesFor(st)
	t := Trace{Spent: slices.Clone(all.Cost)}
	for _, n := range st.Repeats() {
		t.Repeats = append(t.Repeats, float64(n))
	}
	evaluations := 0
	for _, it := range st.Iterations {
		evaluations += len(it.Points)
		t.Evaluations, t.Seconds = append(t.Evaluations, evaluations), append(t.Seconds, it.Seconds)
	}
	if s := all.Multiobjective; s != nil {
		t.Hypervolume, t.BayesRegret = slices.Clone(s.Hypervolume), slices.Clone(s.BayesRegret)
		return t
	}
	t.Best = slices.Clone(all.Best)
	t.SimpleRegret = slices.Clone(all.SimpleRegret)
	t.CumulativeRegret = slices.Clone(all.CumulativeRegret)
	t.WeightedRegret = slices.Clone(all.WeightedRegret)
	return t
}

// Values is the slice of a measure; nil for one that the run does not have, and for DefaultMeasure, which MeasureFor
// resolves.
func (t Trace) Values(m Measure) []float64 {
	switch m {
	case SimpleRegret:
		return t.SimpleRegret
	case BestValue:
		return t.Best
	case CumulativeRegret:
		return t.CumulativeRegret
	case Hypervolume:
		return t.Hypervolume
	case BayesRegret:
		return t.BayesRegret
	case WeightedRegret:
		return t.WeightedRegret
	}
	return nil
}

// Measures are all measures, without DefaultMeasure.
func Measures() []Measure {
	return []Measure{SimpleRegret, BestValue, CumulativeRegret, Hypervolume, BayesRegret, WeightedRegret}
}

func measureNames() (names []string) {
	for _, m := range Measures() {
		names = append(names, string(m))
	}
	return names
}

// MeasureFor is the measure that compares the runs on a problem of the study; the problem's text is a cell's.
func MeasureFor(d *Declaration, problem string) Measure {
	if d.Measure != DefaultMeasure {
		return d.Measure
	}
	p, err := readProblem(problem, d.FirstSeed(), d.Own)
	switch {
	case err != nil:
		return BestValue
	case len(p.function.Objectives) > 1:
		return Hypervolume
	case p.function.Optimum() != nil:
		return SimpleRegret
	}
	return BestValue
}

// GreaterIsBetter reports whether greater values of the measure are better on a problem of the study, whose text is a
// cell's: for the hypervolume, and for the best value if it is maximized.
func (m Measure) GreaterIsBetter(d *Declaration, problem string) bool {
	switch m {
	case Hypervolume:
		return true
	case BestValue:
		p, err := readProblem(problem, 1, d.Own)
		return err == nil && p.function.Objectives[0].Direction == functions.Maximize
	}
	return false
}

// Quantity is the measure on a problem of the study as text. Results beyond the limits of a problem count for no measure;
// the hypervolume and the best value have this in their names.
func (m Measure) Quantity(d *Declaration, problem string) string {
	if m == Hypervolume || m == BestValue {
		if p, err := readProblem(problem, 1, d.Own); err == nil && p.function.LimitedOutputs() != nil {
			return string(m) + WithinLimits
		}
	}
	return string(m)
}

// WithinLimits follows the name of a measure if a problem has limits.
const WithinLimits = " within limits"

// availableFor reports whether a run with this state has the measure.
func (m Measure) availableFor(st sessions.State) bool {
	several := len(st.Problem.Objectives) > 1
	switch m {
	case BestValue:
		return !several
	case SimpleRegret, CumulativeRegret, WeightedRegret:
		return !several && st.Problem.Optimum() != nil
	case Hypervolume:
		return several
	case BayesRegret:
		return several && st.HasWeightPrior()
	}
	return false
}

// traceJSON is a trace as JSON has it: null where there is no number.
type traceJSON struct {
	Evaluations []int      `json:"evaluations,omitempty"`
	Seconds     []*float64 `json:"seconds,omitempty"`
	Spent       []*float64 `json:"spent,omitempty"`
	Repeats     []*float64 `json:"repeats,omitempty"`
	Best        []*float64 `json:"best,omitempty"`
	Simple      []*float64 `json:"simple_regret,omitempty"`
	Cumulative  []*float64 `json:"cumulative_regret,omitempty"`
	Weighted    []*float64 `json:"weighted_regret,omitempty"`
	Hypervolume []*float64 `json:"hypervolume,omitempty"`
	Bayes       []*float64 `json:"bayes_regret,omitempty"`
}

// nullable are numbers of which those that are not finite are nil; nil of nil.
func nullable(v []float64) []*float64 {
	if v == nil {
		return nil
	}
	out := make([]*float64, len(v))
	for i := range v {
		if !math.IsNaN(v[i]) && !math.IsInf(v[i], 0) {
			out[i] = &v[i]
		}
	}
	return out
}

// numbers reverses nullable, with NaN for null; nil of nil.
func numbers(v []*float64) []float64 {
	if v == nil {
		return nil
	}
	out := make([]float64, len(v))
	for i := range v {
		out[i] = math.NaN()
		if v[i] != nil {
			out[i] = *v[i]
		}
	}
	return out
}

// MarshalJSON writes the trace with null for NaN and infinities, and without the slices that the run does not have.
func (t Trace) MarshalJSON() ([]byte, error) {
	return json.Marshal(traceJSON{t.Evaluations, nullable(t.Seconds), nullable(t.Spent), nullable(t.Repeats),
		nullable(t.Best), nullable(t.SimpleRegret), nullable(t.CumulativeRegret), nullable(t.WeightedRegret),
		nullable(t.Hypervolume), nullable(t.BayesRegret)})
}

// UnmarshalJSON reads the output of MarshalJSON.
func (t *Trace) UnmarshalJSON(data []byte) error {
	var j traceJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	*t = Trace{j.Evaluations, numbers(j.Seconds), numbers(j.Spent), numbers(j.Repeats),
		numbers(j.Best), numbers(j.Simple), numbers(j.Cumulative), numbers(j.Weighted), numbers(j.Hypervolume), numbers(j.Bayes)}
	return nil
}
