package picture

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/sessions"
	"bandscope/tui/chart"
	"bandscope/tui/picture/internal/trial"
)

// twin is a session of seven steps that measures a rate, or its decimal logarithm.
func twin(t *testing.T, logarithm bool) *sessions.Session {
	t.Helper()
	o := functions.Objective{Name: "rate", Direction: functions.Maximize, Scale: functions.Log,
		Range: &[2]float64{0.01, 100}}
	if logarithm {
		o.Scale, o.Range = functions.Linear, &[2]float64{-2, 2}
	}
	d := &experiment.Declaration{Name: "twin", Variables: functions.Domain{{Name: "x", High: 1}, {Name: "z", High: 1}},
		Objectives: []functions.Objective{o}}
	s := trial.RunSteps(t, sessions.Config{Problem: d.Name, Experiment: d, Optimizer: "gp-ei", Seed: 5}, 0)
	for i := range 7 {
		x, z := math.Mod(0.618*float64(i), 1), math.Mod(0.35*float64(i), 1)
		v := math.Pow(10, 2*math.Sin(5*x)*z-0.1)
		se := 0.1 * v
		if logarithm {
			v, se = math.Log10(v), 0.1/math.Ln10
		}
		if _, err := s.Record(sessions.ByPerson, [][]float64{{x, z}},
			functions.Outcome{Values: []float64{v}, SE: []float64{se}}); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// What is drawn of a rate is 10 to what is drawn of its logarithm: mean, band and samples along a variable, fields over
// two, with the same colours, the range of the axis and the bars of errors.
func TestDrawnByFactors(t *testing.T) {
	ctx := context.Background()
	logs, plain := twin(t, false), twin(t, true)
	st := logs.State()
	values := []float64{0.4, 0.7}
	view := View{X: 0, Samples: 2}
	a, err := ComputeSlice(ctx, logs, view, values, nil)
	require.NoError(t, err)
	b, err := ComputeSlice(ctx, plain, view, values, nil)
	require.NoError(t, err)
	for name, pair := range map[string][2][]float64{
		"mean":   {a.Fields[MeanField].Values(), b.Fields[MeanField].Values()},
		"lower":  {a.Fields[LowerField].Values(), b.Fields[LowerField].Values()},
		"upper":  {a.Fields[UpperField].Values(), b.Fields[UpperField].Values()},
		"sample": {a.Samples[1].Values(), b.Samples[1].Values()}} {
		for _, i := range []int{0, 100, 240} {
			if got, want := math.Log10(pair[0][i]), pair[1][i]; math.Abs(got-want) > 1e-9 {
				t.Errorf("the %s is 10 to the %g, want %g", name, got, want)
			}
		}
	}
	apart, spread := Distance(a, a)
	_, want := Distance(b, b)
	if apart != 0 || math.Abs(spread-want) > 1e-9 {
		t.Errorf("a band is %g from itself, and spread by %g, want %g", apart, spread, want)
	}
	drawings := [2]Drawing{{Style: drawn, State: st, Posterior: a}, {Style: drawn, State: plain.State(), Posterior: b}}
	lo, hi := drawings[0].Range()
	wantLo, wantHi := drawings[1].Range()
	if math.Abs(math.Log10(lo)-wantLo) > 1e-9 || math.Abs(math.Log10(hi)-wantHi) > 1e-9 {
		t.Errorf("the axis goes from %g to %g, want 10 to the %g and the %g", lo, hi, wantLo, wantHi)
	}
	place := func(int, int) float64 { return 0 }
	bars, wantBars := ErrorBars(st, 0, chart.Axis{Min: lo, Max: hi}, place),
		ErrorBars(plain.State(), 0, chart.Axis{Min: wantLo, Max: wantHi}, place)
	if len(bars.Lo) != 7 || len(wantBars.Lo) != 7 || math.Abs(math.Log10(bars.Lo[3])-wantBars.Lo[3]) > 1e-9 ||
		math.Abs(math.Log10(bars.Hi[3])-wantBars.Hi[3]) > 1e-9 {
		t.Errorf("bars go from %v to %v, want 10 to the %v and the %v", bars.Lo, bars.Hi, wantBars.Lo, wantBars.Hi)
	}
	p, err := Compute(ctx, logs, WholePlane(0, 1), values, nil, func(*Posterior) {})
	require.NoError(t, err)
	q, err := Compute(ctx, plain, WholePlane(0, 1), values, nil, func(*Posterior) {})
	require.NoError(t, err)
	if got, want := math.Log10(p.At(MeanField, values)), q.At(MeanField, values); math.Abs(got-want) > 1e-9 {
		t.Errorf("the mean over two variables is 10 to the %g, want %g", got, want)
	}
	if got, want := p.At(SDField, values), q.At(SDField, values); math.Abs(got-want) > 1e-9 {
		t.Errorf("the deviation is %g, want %g", got, want)
	}
	z, _ := p.Improvement(values)
	if want, _ := q.Improvement(values); math.Abs(z-want) > 1e-9 {
		t.Errorf("z is %g, want %g", z, want)
	}
	s := Drawing{State: st, Posterior: p}.Scale(MeanField)
	if w := (Drawing{State: plain.State(), Posterior: q}).Scale(MeanField); !s.Log ||
		math.Abs(math.Log10(s.DisplayValue(s.Hi))-w.Hi) > 1e-9 || math.Abs(s.Lo-w.Lo) > 1e-9 {
		t.Errorf("the colours go from %g to %g, want from %g to %g", s.Lo, s.Hi, w.Lo, w.Hi)
	}
	for _, level := range chart.ContourLevels(s, 4) {
		if reported := s.DisplayValue(level); math.Abs(reported-roundDigit(reported)) > 1e-9*reported {
			t.Errorf("a line of equal values is at %g", reported)
		}
	}
}

// roundDigit keeps one digit.
func roundDigit(v float64) float64 {
	decade := math.Pow(10, math.Floor(math.Log10(v)+1e-9))
	return math.Round(v/decade) * decade
}
