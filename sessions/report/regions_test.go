package report

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/functions/encoding"
	"bandscope/sessions"
)

// The regions that a method searches are in the problem's units, and the suggestion lies in them.
func TestInspectRegions(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "branin", Optimizer: "turbo", Seed: 3})
	require.NoError(t, err)
	defer s.Close()
	inspected := func() Inspection {
		r, err := Inspect(t.Context(), s, InspectOptions{Inputs: [][]float64{{1, 2}}}, nil)
		require.NoError(t, err)
		return r
	}
	if r := inspected(); r.Regions != nil {
		t.Errorf("regions during the initial design: %+v", r.Regions)
	}
	for range 12 {
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	r := inspected()
	if len(r.Regions) != 1 || r.Regions[0].Name != "trust region" {
		t.Fatalf("regions are %+v", r.Regions)
	}
	width := 1.0
	for j, v := range s.State().Problem.Domain {
		x, low, high := realValue(t, r.Suggestion[0][j]), realValue(t, r.Regions[0].Low[j]), realValue(t, r.Regions[0].High[j])
		if x < low || x > high || low < v.Low || high > v.High {
			t.Errorf("%s = %g is suggested, of a region from %g to %g in [%g, %g]", v.Name, x, low, high, v.Low, v.High)
		}
		width *= (high - low) / (v.High - v.Low)
	}
	if !(width > 0 && width < 1) {
		t.Errorf("the region is %g of the domain", width)
	}
}

// realValue is a value of a real variable.
func realValue(t *testing.T, v encoding.Value) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(v.String(), 64)
	require.NoError(t, err)
	return x
}
