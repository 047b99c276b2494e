package picture

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/tui/chart"
)

// Errors are drawn of the results that have one which is longer than a point; of very many results none are.
func TestErrorBars(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 1})
	require.NoError(t, err)
	bars := func() chart.Errors {
		return ErrorBars(s.State(), 0, chart.Axis{Min: -10, Max: 10}, func(k, i int) float64 {
			return s.State().Iterations[k].Points[i].X[0]
		})
	}
	for i, se := range []float64{1, 0.1, math.NaN(), 0.5} {
		if _, err := s.Record(sessions.ByPerson, [][]float64{{float64(i) / 10}},
			functions.Outcome{Values: []float64{5}, SE: []float64{se}}); err != nil {
			t.Fatal(err)
		}
	}
	if l := bars(); !slices.Equal(l.At, []float64{0, 0.3}) || !slices.Equal(l.Lo, []float64{3, 4}) ||
		!slices.Equal(l.Hi, []float64{7, 6}) {
		t.Errorf("the bars are %+v", l)
	}
	for i := range maxErrors {
		if _, err := s.Record(sessions.ByPerson, [][]float64{{float64(i) / 50}},
			functions.Outcome{Values: []float64{5}, SE: []float64{1}}); err != nil {
			t.Fatal(err)
		}
	}
	if l := bars(); len(l.At) > 0 {
		t.Errorf("of very many results %d bars are drawn", len(l.At))
	}
}
