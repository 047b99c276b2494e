package stats

import (
	"math"
	"slices"
	"testing"

	"bandscope/sessions/study"
)

// tableFor is a table of simple regrets: of each problem, method and seed what was reached after each evaluation.
func tableFor(dim int, regrets map[string]map[string][][]float64) *study.Table {
	t := &study.Table{Declaration: &study.Declaration{}}
	for _, problem := range sorted(regrets) {
		for _, method := range sorted(regrets[problem]) {
			for s, values := range regrets[problem][method] {
				row := study.Row{Cell: study.Cell{Problem: problem, Method: method, Seed: uint64(s + 1),
					Budget: len(values)}, Dim: dim, Status: study.Done, Steps: len(values)}
				for i, v := range values {
					row.Trace.Evaluations, row.Trace.SimpleRegret = append(row.Trace.Evaluations, i+1),
						append(row.Trace.SimpleRegret, v)
				}
				t.Rows = append(t.Rows, row)
			}
		}
	}
	return t
}

func sorted[V any](m map[string]V) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func TestCurves(t *testing.T) {
	table := tableFor(2, map[string]map[string][][]float64{
		"branin": {"a": {{4, 2, 1}, {3, 3, 3}}, "b": {{9, 9, 0.5}, {2, 1, 0}}}})
	table.Rows[3].Status, table.Rows[3].Trace.Evaluations, table.Rows[3].Trace.SimpleRegret, table.Rows[3].Steps =
		study.Running, []int{1}, []float64{2}, 1
	r := CurvesFor(table, DefaultAxis)
	if p := r.Problems[0]; p.Measure != study.SimpleRegret || p.Axis != Evaluations || !p.Known || p.End != 3 {
		t.Errorf("%+v", p)
	}
	b := r.Band(0, 0, 100)
	if !slices.Equal(b.Median, []float64{3.5, 2.5, 2}) || !slices.Equal(b.High, []float64{3.75, 2.75, 2.5}) {
		t.Errorf("%+v", b)
	}
	b = r.Band(0, 1, 100)
	if b.Median[0] != 5.5 || !math.IsNaN(b.Median[1]) || !slices.Equal(b.N, []int{2, 1, 1}) {
		t.Errorf("one of two seeds has come so far, but there is a band: %+v", b)
	}
}

// A band stands where any of its runs has a value, at most at so many places.
func TestBandsOfOtherSteps(t *testing.T) {
	table := tableFor(2, map[string]map[string][][]float64{"branin": {"a": {{4, 2, 1}, {3, 3, 0}}}})
	table.Rows[1].Trace.Evaluations = []int{2, 3, 7}
	r := CurvesFor(table, DefaultAxis)
	if b := r.Band(0, 0, 100); !slices.Equal(b.At, []float64{1, 2, 3, 7}) || !slices.Equal(b.N, []int{1, 2, 2, 1}) ||
		!slices.Equal(b.Median[1:3], []float64{2.5, 2}) {
		t.Errorf("%+v", b)
	}
	if b := r.Band(0, 0, 3); !slices.Equal(b.At, []float64{1, 4, 7}) {
		t.Errorf("%+v", b)
	}
}

// Over cost a band ends with the budget, whatever the last evaluations overdraw.
func TestBandsEndWithTheBudget(t *testing.T) {
	table := tableFor(2, map[string]map[string][][]float64{
		"branin cost=1 cost_budget=4": {"gone": {{1}}, "random": {{4, 2, 1}, {3, 3, 0}}}})
	table.Rows[1].Trace.Spent, table.Rows[2].Trace.Spent = []float64{1, 3, 5}, []float64{1, 2, 4.5}
	b := CurvesFor(table, DefaultAxis).Band(0, 1, 100)
	if !slices.Equal(b.At, []float64{1, 2, 3, 4}) || !slices.Equal(b.N, []int{2, 2, 2, 2}) ||
		!slices.Equal(b.Median, []float64{3.5, 3.5, 2.5, 2.5}) {
		t.Errorf("%+v", b)
	}
}
