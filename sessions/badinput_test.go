package sessions

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/functions/sample"
	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/registry"
	"bandscope/optimizers/testbed"
)

// cheapParams make every method quick.
var cheapParams = map[string]any{"width": 16, "ensemble": 2, "networks": 2, "features": 50, "trees": 10, "restarts": 1,
	"draws": 2, "subproblems": 10, "epochs": 50, "initial": 2}

// badResults are results at points of the unit square that models of smooth functions are not made for.
var badResults = []struct {
	name   string
	points [][]float64 // nil: spread over the square
	values []float64
	scale  functions.Scale
	fact   string // in the legend of a Gaussian process
}{
	{"300 decades", nil, []float64{1e-150, 1e-100, 1e-50, 1, 1e50, 1e100, 1e150, 1e20}, functions.Linear, "clipped"},
	{"300 decades, log", nil, []float64{1e-150, 1e-100, 1e-50, 1, 1e50, 1e100, 1e150, 1e20}, functions.Log, ""},
	{"the largest numbers", nil, []float64{math.MaxFloat64, -math.MaxFloat64, 1, 2, 3, 4, math.MaxFloat64, 5}, functions.Linear, "clipped"},
	{"the smallest numbers", nil, []float64{5e-324, 1e-320, 2e-320, 0, 3e-320, 4e-320, 0, 1e-319}, functions.Linear, ""},
	{"saturated", nil, []float64{1, 1, 1, 1, 1, 1, 0.3, 1}, functions.Linear, "equal results"},
	{"below the floor", nil, []float64{0, -1, 0, -5, 0, 0, -2, 0}, functions.Log, "equal results"},
	{"constant", nil, []float64{3, 3, 3, 3, 3, 3, 3, 3}, functions.Linear, "equal results"},
	{"constant, huge", nil, []float64{3e300, 3e300, 3e300, 3e300, 3e300, 3e300, 3e300, 3e300}, functions.Linear, "clipped"},
	{"a large offset", nil, []float64{1e15 + 1, 1e15 + 2, 1e15, 1e15 + 3, 1e15 + 1, 1e15, 1e15 + 2, 1e15}, functions.Linear, ""},
	{"contradictory", [][]float64{{0.5, 0.5}, {0.5, 0.5}, {0.2, 0.8}, {0.2, 0.8}, {0.9, 0.1}, {0.9, 0.1}},
		[]float64{0, 100, 3, -3, 7, 8}, functions.Linear, "repeats differ"},
	{"one point", [][]float64{{0.5, 0.5}, {0.5, 0.5}, {0.5, 0.5}, {0.5, 0.5}}, []float64{1, 2, 3, 4}, functions.Linear, "repeats differ"},
}

// Whatever the results are, every method suggests a point of the domain, and what it believes is finite.
func TestBadResults(t *testing.T) {
	for _, spec := range sample.Of(registry.All(), 3, 3) {
		for _, bad := range badResults {
			t.Run(spec.Name+"/"+bad.name, func(t *testing.T) {
				o := functions.Objective{Name: "y", Direction: functions.Minimize, Scale: bad.scale}
				if bad.scale == functions.Log {
					o.Range = &[2]float64{1e-12, 1}
				}
				objectives := []functions.Objective{o}
				if !spec.Supports(1, false) {
					o.Name = "other"
					objectives = append(objectives, o)
				}
				params := map[string]any{}
				for _, d := range param.ForInputs(spec.ParamsFor(len(objectives)), 2) {
					if v, ok := cheapParams[d.Key]; ok {
						params[d.Key] = v
					}
				}
				d := &experiment.Declaration{Name: "bad", Variables: functions.Domain{{Name: "x", High: 1}, {Name: "z", High: 2}},
					Objectives: objectives, Budget: 20}
				s, err := New(t.Context(), Config{Problem: "bad", Experiment: d, Optimizer: spec.Name, Seed: 7, Params: params})
				if err != nil {
					t.Skip(err)
				}
				defer s.Close()
				for i, v := range bad.values {
					x := []float64{math.Mod(0.618*float64(i+1), 1), 2 * math.Mod(0.382*float64(i+1)*float64(i+1), 1)}
					if bad.points != nil {
						x = bad.points[i]
					}
					values := []float64{v, v}[:len(objectives)]
					_, err := s.Record(ByPerson, [][]float64{x}, functions.Outcome{Values: values})
					require.NoError(t, err)
				}
				next, err := s.Next(t.Context(), nil)
				require.NoError(t, err)
				for _, v := range next.X.RawMatrix().Data {
					assert.True(t, v >= 0 && v <= 1, "it suggests %v", next.X.RawMatrix().Data)
				}
				b, err := s.Belief(t.Context(), nil)
				require.NoError(t, err)
				finiteBelief(t, b)
				if spec.Family == "Gaussian process" && bad.fact != "" {
					assert.Contains(t, fmt.Sprint(b.Legend().Facts), bad.fact)
				}
			})
		}
	}
}

// finiteBelief fails if something that a belief over two variables computes is not finite.
func finiteBelief(t *testing.T, b optimizers.Belief) {
	t.Helper()
	x := testbed.Probes(7, 2)
	finite := func(subject string, err error, values ...[]float64) {
		t.Helper()
		if errors.Is(err, optimizers.ErrUnsupported) {
			return
		}
		assert.NoError(t, err, subject)
		for _, v := range values {
			assert.True(t, functions.Finite(v), "%s: %v", subject, v)
		}
	}
	bands, err := b.Predict(t.Context(), x)
	for _, band := range bands {
		finite("the band", err, band.Mean, band.SD)
	}
	samples, err := b.Samples(t.Context(), x, 2, 0)
	for _, z := range samples {
		finite("a sample", err, z.RawMatrix().Data)
	}
	acquisition, err := b.Acquisition(t.Context(), x)
	finite("the acquisition function", err, acquisition)
	if l, ok := b.(optimizers.LeaveOneOuter); ok {
		residuals, err := l.LeaveOneOut(t.Context())
		finite("leave-one-out", err)
		for _, r := range residuals {
			finite("leave-one-out", err, r.Mean, r.SD)
		}
	}
	if text := fmt.Sprintf("%+v", b.Legend()); strings.Contains(text, "NaN") || strings.Contains(text, "+Inf") {
		t.Errorf("the legend is %s", text)
	}
}
