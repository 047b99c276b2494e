package diagnostics

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/optimizers/forecast"
	"bandscope/sessions"
)

// yielding is an experiment to maximize, with results of a parabola.
func yielding(t *testing.T, o functions.Objective) *sessions.Session {
	t.Helper()
	d := &experiment.Declaration{Name: "reactor", Variables: []functions.Variable{{Name: "dose", Low: 0, High: 1}},
		Objectives: []functions.Objective{o}}
	s, err := sessions.New(t.Context(), sessions.Config{Experiment: d, Optimizer: "gp-ei", Seed: 1, Budget: 12,
		Params: map[string]any{"initial": 3}})
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	for _, x := range []float64{0, 0.15, 0.3, 0.5, 0.7, 1} {
		y := 50 - 100*(x-0.62)*(x-0.62) + 3*math.Sin(9*x)
		_, err = s.Record(sessions.ByPerson, [][]float64{{x}}, functions.Outcome{Values: []float64{y}})
		require.NoError(t, err)
	}
	return s
}

// A forecast is in the units and in the direction of the objective, uses the declared amount, is cached, and says so in
// its sentences.
func TestForecastOfAnObjective(t *testing.T) {
	o := functions.Objective{Name: "yield", Unit: "%", Direction: functions.Maximize, Worthwhile: 2}
	s := yielding(t, o)
	f, err := ForecastRuns(t.Context(), s, nil)
	require.NoError(t, err)
	if again, err := ForecastRuns(t.Context(), s, nil); err != nil || again != f {
		t.Errorf("it is computed again (%v)", err)
	}
	if f.Assumed != nil || f.Worthwhile[0] != 2 || f.Quantity != "yield" || len(f.After) != 4 {
		t.Fatalf("the forecast is %+v", f)
	}
	last := f.Now
	for i, runs := range []int{1, 5, 6, 10} {
		a := f.After[i]
		if a.Runs != runs || a.Value < last-a.SE || a.Low > a.High || a.High < a.Value {
			t.Errorf("after %d runs: %+v, before %g", runs, a, last)
		}
		last = a.Value
	}
	text := strings.Join(f.Lines(), "\n")
	for _, want := range []string{"next run: expected improvement ", "to improve yield by 2 % or more",
		"after 10 more runs: expected best yield ", " that 10 more runs improve yield by 2 % or more"} {
		assert.Contains(t, text, want, "%q is missing in\n%s", want, text)
	}
	assert.NotContains(t, text, "assumed", "a declared amount is assumed:\n%s", text)
}

// Without a declared amount 1 % of the spread of the results is assumed, and more can only be less likely.
func TestForecastWithoutADeclaredAmount(t *testing.T) {
	o := functions.Objective{Name: "yield", Direction: functions.Maximize}
	s := yielding(t, o)
	f, err := ForecastRuns(t.Context(), s, nil)
	require.NoError(t, err)
	low, high := math.Inf(1), math.Inf(-1)
	for _, r := range Results(s.State()) {
		low, high = min(low, r.Y[0]), max(high, r.Y[0])
	}
	if want := (high - low) / 100; len(f.Assumed) != 1 || math.Abs(f.Worthwhile[0]-want) > 1e-9 {
		t.Errorf("assumed is %v of %v, want %g", f.Worthwhile, f.Assumed, want)
	}
	if text := strings.Join(f.Lines(), "\n"); !strings.Contains(text, "no worthwhile improvement of yield is declared") {
		t.Errorf("it does not say so:\n%s", text)
	}
	o.Worthwhile = 1000
	forecastRuns, err := ForecastRuns(t.Context(), yielding(t, o), nil)
	require.NoError(t, err)
	if forecastRuns.Next.Worthwhile.Value > 1e-6 || !forecastRuns.Stop && forecastRuns.Caveat == "" ||
		forecastRuns.Next.Worthwhile.Value >= f.Next.Worthwhile.Value {
		t.Errorf("1000 more have probability %+v, stop %t", forecastRuns.Next.Worthwhile, forecastRuns.Stop)
	}
}

// The advice: stop at a low upper end, otherwise continue, and none where the model cannot be trusted.
func TestAdvice(t *testing.T) {
	f := Forecast{Quantity: "yield", Worthwhile: []float64{0.5}, objectives: []functions.Objective{{Name: "yield",
		Unit: "%"}}, After: []RunsForecast{{Runs: 10, Worthwhile: forecast.Probability{Value: 0.72, Low: 0.66,
		High: 0.77}}}}
	if got, want := f.Advice(), "continue: 72 % (66 to 77 %) that 10 more runs improve yield by 0.5 % or more"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	f.Stop, f.After[0].Worthwhile = true, forecast.Probability{High: 0.03}
	if got, want := f.Advice(), "stop: at most 3 % that 10 more runs improve yield by 0.5 % or more"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	f.Caveat = "2 of 9 results are outliers of the model"
	if got, want := f.Advice(), "no advice on stopping: "+f.Caveat; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
