package stats

import (
	"fmt"
	"testing"
)

// Instances of a function are its runs: every seed of every instance is one, the same for all methods.
func TestJoined(t *testing.T) {
	for problem, want := range map[string]string{
		"bbob-f8:5:i3": "bbob-f8:5 3", "bbob-f8:5:i12 cost=x1": "bbob-f8:5 cost=x1 12",
		"ackley:5 noise=0.1": "ackley:5 noise=0.1 1", "branin": "branin 1", "odd:ix": "odd:ix 1"} {
		if function, n := instanceFor(problem); fmt.Sprint(function, " ", n) != want {
			t.Errorf("%s is %s, %d", problem, function, n)
		}
	}
	single := tableFor(2, map[string]map[string][][]float64{"branin": {"a": {{1}, {2}}}, "bbob-f1:2:i7": {"a": {{1}}}})
	if same, n := JoinInstances(single); same != single || n != 1 {
		t.Error("a table without instances is changed")
	}
	table := tableFor(2, map[string]map[string][][]float64{"bbob-f1:2": {"a": {{4}, {2}}, "b": {{3}, {3}}},
		"bbob-f1:2:i2": {"a": {{1}, {7}}, "b": {{2}, {6}}}, "branin": {"a": {{1}, {1}}, "b": {{1}, {1}}}})
	whole, n := JoinInstances(table)
	r := CurvesFor(whole, DefaultAxis)
	if n != 2 || len(r.Problems) != 2 || len(r.Seeds) != 4 || r.Final(0, 0).N != 4 || r.Final(0, 0).Mean != 3.5 ||
		r.Final(1, 0).N != 2 {
		t.Errorf("%d: %+v", n, r)
	}
	if pair := r.Pairs(0, 1)[0]; pair.Better != 2 || pair.Worse != 2 {
		// the seeds of an instance are compared with each other
		t.Errorf("%+v", pair)
	}
	if table.Rows[0].Problem != "bbob-f1:2" || len(table.Rows) != 12 {
		t.Error("the table itself is changed")
	}
}
