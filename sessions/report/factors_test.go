package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/sessions"
)

// measuredAs is a session of eight results on an experiment whose second objective is measured as it is, with factors
// that count, or as its decimal logarithm.
func measuredAs(t *testing.T, logarithm bool, prior string) *sessions.Session {
	t.Helper()
	second := functions.Objective{Name: "work", Direction: functions.Minimize, Scale: functions.Log,
		Range: &[2]float64{0.1, 160}}
	if logarithm {
		second.Scale, second.Range = functions.Linear, &[2]float64{-1, math.Log10(160)}
	}
	d := &experiment.Declaration{Name: "twin", Variables: functions.Domain{{Name: "x", High: 1}, {Name: "z", High: 1}},
		Objectives: []functions.Objective{{Name: "recall", Direction: functions.Maximize, Range: &[2]float64{0, 100}},
			second}}
	s, err := sessions.New(t.Context(), sessions.Config{Problem: d.Name, Experiment: d, Optimizer: "parego", Seed: 3,
		Params: map[string]any{"prior": prior}})
	require.NoError(t, err)
	for i := range 8 {
		x, z := float64(i)/7, math.Mod(0.37*float64(i), 1)
		work := math.Pow(10, 3*x-1.2)
		y := []float64{80*x - 10*z, work}
		if logarithm {
			y[1] = math.Log10(max(work, 0.1))
		}
		_, err = s.Record(sessions.ByPerson, [][]float64{{x, z}}, functions.Outcome{Values: y})
		require.NoError(t, err)
	}
	return s
}

// Who measures what factors count of is told the same of it as who measures its logarithm, each in their unit:
// hypervolume, regret and the share in the boxes are equal, means are 10 to the mean, and the front has the results as
// they were told.
func TestFactorsAndLogarithms(t *testing.T) {
	logs, plain := measuredAs(t, false, "box(any, 0.5..20)"),
		measuredAs(t, true, fmt.Sprintf("box(any, %v..%v)", math.Log10(0.5), math.Log10(20)))
	near := func(subject string, got, want []float64) {
		t.Helper()
		if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(b)) }) {
			t.Errorf("%s: %v, want %v", subject, got, want)
		}
	}
	a, b := ObjectiveTracesFor(logs.State()), ObjectiveTracesFor(plain.State())
	near("hypervolumes", a.Hypervolume, b.Hypervolume)
	near("Bayes regrets", a.BayesRegret, b.BayesRegret)
	near("shares", a.BoxShare, b.BoxShare)
	if n := len(a.BoxShare); a.Hypervolume[n-1] < 0.1 || a.BoxShare[n-1] == 0 || a.BoxShare[n-1] == 1 {
		t.Errorf("the test tells nothing: %v %v", a.Hypervolume, a.BoxShare)
	}
	reference := referencePoint(logs.State())
	near("reference", []float64{reference[0], math.Log10(reference[1])}, referencePoint(plain.State()))
	front, its := Front(logs.State(), 8), logs.State().Iterations
	for _, y := range front {
		if !slices.ContainsFunc(its, func(it sessions.Iteration) bool { return slices.Equal(it.Points[0].Y, y) }) {
			t.Errorf("the front has %v, which nobody told", y)
		}
	}
	question := InspectOptions{Inputs: [][]float64{{0.3, 0.2}, {0.9, 0.6}}, Samples: 2}
	logged, want := inspected(t, logs, question), inspected(t, plain, question)
	near("means", logarithms(logged.Mean), numbers(want.Mean))
	near("used", logarithms(logged.Used), numbers(want.Used))
	near("deviations", numbers(logged.Log10SD), numbers(want.SD))
	near("samples", logarithms(logged.Samples[1]), numbers(want.Samples[1]))
	if logged.SD != nil || want.Log10SD != nil {
		t.Error("a deviation stands under the name of another")
	}
	if text := DescribeOutcomeRange(logs.State()); !strings.Contains(text, "work 0.1 (best) to 160") {
		t.Errorf("measured by %q", text)
	}
}

func inspected(t *testing.T, s *sessions.Session, q InspectOptions) Objective {
	t.Helper()
	r, err := Inspect(t.Context(), s, q, nil)
	require.NoError(t, err)
	return r.Objectives[1]
}

func numbers(list []Number) (out []float64) {
	for _, v := range list {
		out = append(out, float64(v))
	}
	return out
}

func logarithms(list []Number) (out []float64) {
	for _, v := range list {
		out = append(out, math.Log10(float64(v)))
	}
	return out
}

// Results at one place are one by their geometric mean, weighted by the errors of their logarithms.
func TestReplicatesByFactors(t *testing.T) {
	o := functions.Objective{Name: "rate", Direction: functions.Minimize, Scale: functions.Log,
		Range: &[2]float64{0.01, 100}}
	d := &experiment.Declaration{Name: "twice", Variables: functions.Domain{{Name: "x", High: 1}},
		Objectives: []functions.Objective{o}}
	s, err := sessions.New(t.Context(), sessions.Config{Problem: d.Name, Experiment: d, Optimizer: "random"})
	require.NoError(t, err)
	for _, r := range [][2]float64{{0.1, 0.01}, {10, 1}} {
		// errors of a tenth of the value: the logarithms are known alike
		if _, err := s.Record(sessions.ByPerson, [][]float64{{0.5}},
			functions.Outcome{Values: r[:1], SE: r[1:]}); err != nil {
			t.Fatal(err)
		}
	}
	r := ReplicatesFor(s.State())
	if len(r) != 1 || math.Abs(r[0].Mean[0]-1) > 1e-12 || math.Abs(r[0].SE[0]-0.1/math.Ln10/math.Sqrt2) > 1e-12 {
		t.Errorf("%+v", r)
	}
}
