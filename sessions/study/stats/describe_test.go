package stats

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/sessions/study"
)

func TestWordsOfPairs(t *testing.T) {
	for name, c := range map[string]struct {
		a, b []float64
		want string
	}{
		"far apart": {[]float64{1, 2, 3, 4, 5, 6}, []float64{2, 4, 6, 8, 10, 12},
			"a against b: better in 6, worse in 0, equal in 0 of 6 pairs; significant difference, p = 0.031; large effect, 1"},
		"too few": {[]float64{1, 2, 3, 4, 5}, []float64{2, 4, 6, 8, 10},
			"a against b: better in 5, worse in 0, equal in 0 of 5 pairs; too few pairs to reach p = 0.05; large effect, 1"},
		"mixed": {[]float64{1, 2, 3, 4, 5, 6, 7}, []float64{8, 3, 1, 7, 1, 3, 5},
			"a against b: better in 3, worse in 4, equal in 0 of 7 pairs; no significant difference, p = 0.83; small effect, -0.1071"},
		"not quite": {[]float64{1, 2, 3, 4, 5, 6}, []float64{2, 0, 6, 8, 10, 12},
			"a against b: better in 5, worse in 1, equal in 0 of 6 pairs; no significant difference, p = 0.094; large effect, 0.8095"},
		"all alike": {[]float64{1, 2}, []float64{1, 2}, "a against b: better in 0, worse in 0, equal in 2 of 2 pairs"},
		"both fail": {[]float64{math.NaN(), 2}, []float64{math.NaN(), 1},
			"a against b: better in 0, worse in 1, equal in 1 of 2 pairs; too few pairs to reach p = 0.05; large effect, -1"},
		"nothing at": {nil, nil, "a and b: nothing to compare yet"},
	} {
		runs := func(v []float64) (rows [][]float64) {
			for _, v := range v {
				rows = append(rows, []float64{v})
			}
			return rows
		}
		table := tableFor(2, map[string]map[string][][]float64{"branin": {"a": runs(c.a), "b": runs(c.b)}})
		if c.a == nil {
			table.Rows = []study.Row{{Cell: study.Cell{Problem: "branin", Method: "a", Seed: 1, Budget: 1}},
				{Cell: study.Cell{Problem: "branin", Method: "b", Seed: 1, Budget: 1}}}
		}
		r := CurvesFor(table, DefaultAxis)
		assert.Equal(t, c.want, r.Pairs(0, 1)[0].Describe(r.Methods), name)
		if all, pairs := r.Pairs(All, 1)[0].Describe(r.Methods), r.Pairs(0, 1)[0].Describe(r.Methods); all != pairs {
			t.Errorf("%s: of one problem %q, of all, which is the same, %q", name, pairs, all)
		}
	}
}

// What is tested with many others has to have more pairs: nine seeds' least value is 1/256.
func TestFewAmongMany(t *testing.T) {
	for methods, want := range map[int]bool{5: false, 6: true} { // 10 and 15 pairs
		r := CurvesFor(made(1, methods, 9, 5), DefaultAxis)
		p := r.Pairs(0, 1)[0]
		if p.Underpowered() != want || strings.Contains(p.Describe(r.Methods),
			"too few pairs to reach p = 0.05 with 15 tests") !=
			want {
			t.Errorf("of %d methods: %s", methods, p.Describe(r.Methods))
		}
	}
}

// Across problems a test speaks from six of them on.
func TestWordsAcrossProblems(t *testing.T) {
	regrets := map[string]map[string][][]float64{}
	for _, problem := range []string{"ackley:2", "branin", "levy:2", "rastrigin:2", "rosenbrock:2", "schwefel:2"} {
		regrets[problem] = map[string][][]float64{"a": {{1}, {2}}, "b": {{3}, {4}}}
	}
	r := CurvesFor(tableFor(2, regrets), DefaultAxis)
	p := r.Pairs(All, 1)[0]
	if want := "a against b: better in 12, worse in 0, equal in 0 of 12 pairs; significant difference, p = 0.0005; large effect, 1; across problems p = 0.031"; p.Describe(r.Methods) != want {
		t.Errorf("%q, not %q", p.Describe(r.Methods), want)
	}
	if p.AcrossHolm != 2.0/64 || p.A12 != 1 || !math.IsNaN(p.Shift.Estimate) {
		t.Errorf("%+v", p)
	}
}

// Without a known optimum the targets lie between the start and the best of the study.
func TestTargetsOfTheStudy(t *testing.T) {
	table := &study.Table{Declaration: &study.Declaration{Measure: study.BestValue}}
	for s, best := range [][]float64{{12, 7, 2}, {math.NaN(), 10, 4}, {8, 8, 8}} {
		table.Rows = append(table.Rows, study.Row{
			Cell: study.Cell{Problem: "branin", Method: "random", Seed: uint64(s), Budget: 3}, Dim: 2,
			Status: study.Done, Steps: 3,
			Trace: study.Trace{Evaluations: []int{1, 2, 3}, Best: best}})
	}
	r := CurvesFor(table, DefaultAxis)
	targets := r.Targets(0)
	for k, want := range map[int]float64{0: 10, 10: 2.8, 50: 2 + 8e-5} {
		near(t, "target", targets[k], want, 1e-12)
	}
	for x, want := range map[float64]float64{0.5: 2. / 153, 1: (3 + 1 + 2.) / 153, 1.5: (51 + 7 + 2.) / 153} {
		// 8 is 2 + 8·10^-0.125, 7 has -0.204, 4 has -0.602
		near(t, "share", r.ECDF(All)[0].Value(x), want, 1e-12)
	}
	if none := CurvesFor(&study.Table{Declaration: &study.Declaration{Measure: study.BestValue},
		Rows: []study.Row{{Cell: study.Cell{Problem: "branin", Method: "random", Budget: 3}}}},
		DefaultAxis); none.Targets(0) != nil ||
		none.Runtimes(0, 0) != nil || none.ECDF(All)[0].Value(1) != 0 {
		t.Error("a study without results has targets")
	}
}

// Problems count alike however many of their blocks are whole, and solved is a part of the way from the start.
func TestProblemsCountAlike(t *testing.T) {
	table := tableFor(1, map[string]map[string][][]float64{
		"ackley:1": {"a": {{100, 1e-9}, {100, 1e-9}}, "b": {{100, 60}, {100, 40}}}, // b comes to half of the way once
		"levy:1":   {"a": {{1000, 1000}}, "b": {{1000, 900}}},
	})
	r := CurvesFor(table, DefaultAxis)
	// Regrets of 100 reach one target of 51, 60 and 40 three: 10^1.8 is 63 and 10^1.6 is 39.8.
	for m, want := range [][]float64{{1. / 102, 0.5}, {1. / 102, 2. / 102}} {
		for i, x := range []float64{1, 2} {
			near(t, "share", r.ECDF(All)[m].Value(x), want[i], 1e-12)
		}
	}
	for m, want := range []float64{2. / 3, 2. / 3} {
		near(t, "solved", r.PerformanceProfiles(All, 0.5)[m].Value(100), want, 1e-12)
	}
}

// All pairs are corrected together.
func TestPairsAreCorrected(t *testing.T) {
	r := CurvesFor(made(1, 4, 9, 10), DefaultAxis)
	var p []float64
	for _, pair := range r.Pairs(All, 1) {
		p = append(p, pair.Test.P)
	}
	want := Holm(p)
	for i, pair := range r.Pairs(All, 1) {
		if pair.Holm != want[i] || pair.Holm == pair.Test.P && pair.Holm < 1 && i != slices.Index(p, slices.Max(p)) {
			t.Errorf("%v is corrected to %v, not %v", pair.Test.P, pair.Holm, want[i])
		}
	}
}

func TestChance(t *testing.T) {
	for p, want := range map[float64]string{
		math.NaN(): "–", 3e-5: "<0.0001", 0.0049: "0.0049", 0.0498: "0.050", 0.4: "0.40", 1: "1.00"} {
		assert.Equal(t, want, FormatP(p), "%v", p)
	}
}

// The test speaks at 5 %, whatever Friedman's own form says.
func TestWordsOfFriedman(t *testing.T) {
	f := Friedman{Blocks: 12, Ranks: []float64{1.25, 1.75}, Chi: 3, ChiP: 0.083, F: 3.667, FP: 0.049, Nemenyi: 0.5658}
	const numbers = "Friedman's χ² = 3, p = 0.083; Iman and Davenport's F = 3.667, p = 0.049; 12 blocks; critical difference 0.5658. "
	assert.Equal(t, numbers+"At least one method differs from the others.", f.Describe())
	f.FP = 0.051
	if got := f.Describe(); got != strings.Replace(numbers, "0.049", "0.051", 1)+
		"The methods do not differ significantly." {
		t.Error(got)
	}
}
