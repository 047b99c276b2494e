package diagnostics

import (
	"context"
	"math"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/sessions"
)

// A band without any width holds nothing; that of a posterior more the wider it promises to be; and what comes of a
// plan depends on nothing but the plan.
func TestRun(t *testing.T) {
	p := CalibrationPlan{Functions: []string{"forrester", "sine-trend"},
		Config: sessions.Config{Optimizer: "neural-greedy",
			Params: map[string]any{"width": 16, "ensemble": 2, "activation": "erf"}}, Key: "band",
		Values: []string{"posterior", "warm-start"}, Seeds: 3, PerVariable: 6}
	rows, err := MeasureCalibration(t.Context(), p, nil)
	if err != nil || len(rows) != 6 {
		t.Fatalf("%v (%v)", rows, err)
	}
	for i, r := range rows {
		if want := append(p.Functions, "")[i/2]; r.Function != want || r.Value != p.Values[i%2] {
			t.Errorf("row %d is of %q, %s", i, r.Function, r.Value)
		}
		if r.Value == "warm-start" {
			if r.Coverage[2] != (MeanInterval{}) || r.Width != (MeanInterval{}) || r.Coverage[2].Covers(0.95) {
				t.Errorf("without any width: %+v", r)
			}
			continue
		}
		if !(r.Coverage[0].Value < r.Coverage[1].Value && r.Coverage[1].Value < r.Coverage[2].Value &&
			r.Width.Value > 0 &&
			r.Coverage[0].HalfWidth > 0) {
			t.Errorf("%+v", r)
		}
	}
	for l := range 3 { // as many seeds of each
		if got, want := rows[4].Coverage[l].Value,
			(rows[0].Coverage[l].Value+rows[2].Coverage[l].Value)/2; math.Abs(got-want) > 1e-12 {
			t.Errorf("of all %g, want %g", got, want)
		}
	}
	if again, err := MeasureCalibration(t.Context(), p, nil); err != nil || !reflect.DeepEqual(again, rows) {
		t.Errorf("again %+v (%v)", again, err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = MeasureCalibration(cancelled, p, nil)
	assert.ErrorIs(t, err, context.Canceled, "cancelled: %v", err)
}

// The interval of a mean is Student's: of 1, 2 and 3 it is 2 ± 4.302653/√3.
func TestMean(t *testing.T) {
	cells := []cell{{{1}}, {{2}}, {{3}}}
	if m := meanInterval(cells, 0, 0); m.Value != 2 || math.Abs(m.HalfWidth-4.302653/math.Sqrt(3)) > 1e-6 ||
		!m.Covers(4.4) || m.Covers(4.5) {
		t.Errorf("%+v", m)
	}
	if m := meanInterval(cells[:1], 0, 0); m.Value != 1 || !math.IsNaN(m.HalfWidth) || m.Covers(1) {
		t.Errorf("of one %+v", m)
	}
}
