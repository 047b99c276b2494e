package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions/study"
)

// TestBesidePrinted has means, medians and intervals worked out by hand: of 1, 2, 3, 4 the mean is 2.5, the deviation
// √(5/3), half the interval 3.18245·√(5/3)/2 with the quantile of Student's law of three degrees from tables.
func TestBesidePrinted(t *testing.T) {
	table := tableFor(2, map[string]map[string][][]float64{
		"branin":    {"a": {{9, 1}, {8, 2}, {7, 3}, {6, 4}}, "b": {{5, 5}}},
		"forrester": {"a": {{3, 3}, {3, 1}}},
	})
	half := 0.1
	table.Declaration.Published = []study.PublishedNumber{
		{Problem: "branin", Method: "a", Value: 4.7, Interval: &half, Source: "t"},
		{Problem: "branin", Method: "a", Value: 4.3, Interval: &half, Source: "t", Statistic: "median"},
		{Method: "a", Evaluations: 1, Value: 3, Source: "t", Statistic: "mean"},
		{Problem: "branin", Value: 5, Source: "t"},
		{Problem: "forrester", Method: "theirs", Value: 5, Source: "t"},
	}
	nan := math.NaN()
	want := []struct {
		problem, method  string
		runs             int
		value, low, high float64
		agrees, ok       bool
	}{
		{"branin", "a", 4, 2.5, 0.4457396, 4.5542604, false, true}, // 4.6 is too much
		{"branin", "a", 4, 2.5, 1.75, 3.25, false, true},
		{"branin", "a", 4, 7.5, 5.4457396, 9.5542604, false, true},
		{"forrester", "a", 2, 3, 3, 3, true, true},
		{"branin", "a", 4, 2.5, 0.4457396, 4.5542604, false, true},
		{"branin", "b", 1, 5, nan, nan, false, false},
		{"forrester", "theirs", 0, nan, nan, nan, false, false},
	}
	got := ComparePublished(table)
	require.Equal(t, len(want), len(got), "%d of %d: %+v", len(got), len(want), got)
	same := func(a, b float64) bool { return math.Abs(a-b) < 1e-6 || math.IsNaN(a) && math.IsNaN(b) }
	for i, w := range want {
		b := got[i]
		value, low, high := b.Interval()
		agrees, ok := b.Agrees()
		if b.Problem != w.problem || b.Method != w.method || b.Runs != w.runs || !same(value, w.value) ||
			!same(low, w.low) || !same(high, w.high) || agrees != w.agrees || ok != w.ok ||
			b.Measure != study.SimpleRegret {
			t.Errorf("%d: %s %s, %d runs: %g in [%g, %g], %v %v", i, b.Problem, b.Method, b.Runs, value, low, high,
				agrees, ok)
		}
	}
	half = 0.2 // 4.5 is within
	if agrees, ok := ComparePublished(table)[0].Agrees(); !agrees || !ok {
		t.Error("4.7 ± 0.2 does not agree with up to 4.55")
	}
}

// TestBesideAnotherMeasure: what is greater is better is told as it is, and a measure of its own is taken.
func TestBesideAnotherMeasure(t *testing.T) {
	table := tableFor(2, map[string]map[string][][]float64{"zdt1": {"a": {{0, 0}, {0, 0}}}})
	for i := range table.Rows {
		tr := &table.Rows[i].Trace
		tr.SimpleRegret, tr.Hypervolume, tr.BayesRegret = nil, []float64{0.5, 0.5 + 0.25*float64(i)},
			[]float64{0.1, 0.1}
	}
	table.Declaration.Published = []study.PublishedNumber{{Problem: "zdt1", Method: "a", Value: 0.625, Source: "t"},
		{Problem: "zdt1", Method: "a", Measure: study.BayesRegret, Value: 0.2, Source: "t"}}
	got := ComparePublished(table)
	if b := got[0]; b.Measure != study.Hypervolume || b.Ours.Mean != 0.625 || b.Ours.Max != 0.75 {
		t.Errorf("%+v", b)
	}
	if b := got[1]; b.Measure != study.BayesRegret || b.Ours.Mean != 0.1 {
		t.Errorf("%+v", b)
	}
}
