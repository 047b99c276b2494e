package stats

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions/study"
)

// fixtures are other libraries' numbers; the file names them and their versions, and the script beside it made it.
type fixtures struct {
	Wilcoxon []struct {
		D            []float64
		Method       string
		W, P, Effect float64
	}
	Shift []struct {
		D         []float64
		Middle    float64
		Low, High *float64
	}
	A12 []struct {
		A, B  []float64
		Value float64
	}
	Holm     []struct{ P, Adjusted []float64 }
	Friedman []struct {
		X             [][]float64
		Chi, P, F, FP float64
		Ranks         []float64
		CD            float64
		Order         []int
		Cliques       [][]int
	}
	Range []struct {
		K    int
		P, Q float64
	}
	Sample []struct {
		V, Quartiles []float64
		Mean         float64
		Low, High    *float64
	}
	Runtime []struct {
		Took    []int
		Reached []bool
		Mean    float64
	}
	ECDF []struct {
		Regrets                   [][][][]float64
		Dims                      []int
		Targets, At               []float64
		Shares, Performance, Data [][]float64
	}
}

func read(t *testing.T) (f fixtures) {
	t.Helper()
	text, err := os.ReadFile("testdata/fixtures.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &f))
	return f
}

func near(t *testing.T, subject string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1e-300, math.Abs(want))) && got != want {
		t.Errorf("%s is %v, not %v", subject, got, want)
	}
}

func TestSignedRankIsScipys(t *testing.T) {
	for _, c := range read(t).Wilcoxon {
		got := SignedRankTest(c.D)
		near(t, c.Method+" statistic", min(got.Plus, got.Minus), c.W, 0)
		near(t, c.Method+" p", got.P, c.P, 1e-11)
		near(t, "effect", got.Effect(), c.Effect, 1e-12)
		if got.Exact != (c.Method != "asymptotic") || got.N+got.Zeros != len(c.D) {
			t.Errorf("%s of %d: %+v", c.Method, len(c.D), got)
		}
	}
	if none := SignedRankTest([]float64{0, 0}); !math.IsNaN(none.P) || none.Effect() != 0 || none.Zeros != 2 {
		t.Errorf("%+v", none)
	}
}

// Of several groups the signs are counted over all of them: here by every one of their 2⁹ ways.
func TestSignedRankOfGroups(t *testing.T) {
	groups := [][]float64{{3, -1, 4, 1}, {500, -200, 300, 100, -50}}
	got := SignedRankTest(groups...)
	ranks := []float64{3, 1.5, 4, 1.5, 5, 3, 4, 2, 1}
	if got.Plus != 8.5+11 || got.Minus != 1.5+4 {
		t.Errorf("%+v", got)
	}
	low := 0
	for signs := range 1 << len(ranks) {
		sum := 0.0
		for i, r := range ranks {
			if signs>>i&1 == 1 {
				sum += r
			}
		}
		if sum <= got.Minus {
			low++
		}
	}
	near(t, "p", got.P, 2*float64(low)/512, 1e-15)
	if signedRankTest := SignedRankTest(slices.Concat(groups...)); signedRankTest.P == got.P {
		t.Error("the groups are ranked together")
	}
}

// Both laws agree where the one hands over to the other.
func TestLawsOfSignedRanksMeet(t *testing.T) {
	ranks := make([]float64, exactUpTo)
	for i := range ranks {
		ranks[i] = float64(i + 1)
	}
	for _, w := range []float64{434, 500, 600} { // p from 0.05 to 0.72
		near(t, "p", normalP(ranks, w), exactP(ranks, w), 0.03)
	}
}

func TestLeastP(t *testing.T) {
	for n := 1; n <= 8; n++ {
		d := make([]float64, n)
		for i := range d {
			d[i] = float64(i + 1)
		}
		near(t, "least p", SignedRankTest(d).P, MinP(n), 1e-15)
	}
}

func TestShiftInvertsScipysTest(t *testing.T) {
	for _, c := range read(t).Shift {
		got := EstimateShift(c.D)
		near(t, "middle", got.Estimate, c.Middle, 1e-12)
		if c.Low == nil {
			if !math.IsInf(got.Low, -1) || !math.IsInf(got.High, 1) {
				t.Errorf("%d pairs refuse no shift, but the interval is %+v", len(c.D), got)
			}
			continue
		}
		near(t, "low", got.Low, *c.Low, 1e-12)
		near(t, "high", got.High, *c.High, 1e-12)
	}
	if s := EstimateShift(nil); !math.IsNaN(s.Estimate) {
		t.Errorf("%+v", s)
	}
}

// Beyond the numbers that are counted the interval grows as its neighbour's does.
func TestRefusedHandsOver(t *testing.T) {
	if a, b := outsideInterval(exactUpTo), outsideInterval(exactUpTo+1); b < a || b > a+exactUpTo {
		t.Errorf("%d pairs refuse %d means, one more %d", exactUpTo, a, b)
	}
}

func TestStrongerIsMannWhitneys(t *testing.T) {
	for _, c := range read(t).A12 {
		near(t, "A12", VarghaDelaneyA12(c.A, c.B), c.Value, 1e-15)
		near(t, "A12 the other way", VarghaDelaneyA12(c.B, c.A), 1-c.Value, 1e-15)
	}
}

func TestHolmIsStatsmodels(t *testing.T) {
	for _, c := range read(t).Holm {
		for i, p := range Holm(append(slices.Clone(c.P), math.NaN()))[:len(c.P)] {
			near(t, "adjusted", p, c.Adjusted[i], 1e-14)
		}
	}
	if p := Holm([]float64{0.01, math.NaN()}); p[0] != 0.01 || !math.IsNaN(p[1]) {
		t.Errorf("what is not tested counts: %v", p)
	}
}

func TestFriedmanIsScipys(t *testing.T) {
	for _, c := range read(t).Friedman {
		f := FriedmanTest(c.X, len(c.X[0]))
		near(t, "χ²", f.Chi, c.Chi, 1e-11)
		near(t, "its p", f.ChiP, c.P, 1e-9)
		near(t, "F", f.F, c.F, 1e-11)
		near(t, "its p", f.FP, c.FP, 1e-9)
		near(t, "critical difference", f.Nemenyi, c.CD, 1e-6)
		for m, r := range f.Ranks {
			near(t, "rank", r, c.Ranks[m], 1e-13)
		}
		if !slices.Equal(f.Order, c.Order) || !slices.EqualFunc(f.Cliques, c.Cliques, slices.Equal) {
			t.Errorf("order %v, cliques %v, not %v and %v", f.Order, f.Cliques, c.Order, c.Cliques)
		}
	}
}

func TestFriedmanOfLittle(t *testing.T) {
	for name, x := range map[string][][]float64{
		"nothing": nil, "one block": {{1, 2, 3}}, "all the same": {{1, 1, 1}, {2, 2, 2}}} {
		f := FriedmanTest(x, 3)
		if !math.IsNaN(f.FP) || !math.IsNaN(f.ChiP) || len(f.Order) != 3 {
			t.Errorf("%s: %+v", name, f)
		}
		assert.NotEqual(t, "", f.Describe(), "%s: no words", name)
	}
	f := FriedmanTest([][]float64{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, 3) // as far apart as can be: χ² = N(k − 1)
	if near(t, "χ²", f.Chi, 6, 1e-14); f.FP != 0 {
		t.Errorf("%+v", f)
	}
}

func TestStudentizedRangeIsScipys(t *testing.T) {
	for _, c := range read(t).Range {
		near(t, "quantile", StudentizedRange(c.K, c.P), c.Q, 1e-6)
	}
}

func TestSampleIsNumpys(t *testing.T) {
	for _, c := range read(t).Sample {
		s := Summarize(append(slices.Clone(c.V), math.NaN()))
		for i, got := range []float64{s.Low, s.Median, s.High} {
			near(t, "quartile", got, c.Quartiles[i], 1e-13)
		}
		near(t, "mean", s.Mean, c.Mean, 1e-13)
		if c.Low == nil {
			if !math.IsNaN(s.Student) || !math.IsNaN(s.Normal) {
				t.Errorf("one number has an interval: %+v", s)
			}
			continue
		}
		near(t, "low", s.Mean-s.Student, *c.Low, 1e-9)
		near(t, "high", s.Mean+s.Student, *c.High, 1e-9)
		near(t, "normal", s.Normal, 1.96*s.SD/math.Sqrt(float64(s.N)), 0)
	}
}

func TestRuntimeIsCocopps(t *testing.T) {
	for _, c := range read(t).Runtime {
		var runs [][]float64
		for i, took := range c.Took {
			values := slices.Repeat([]float64{1}, took)
			if c.Reached[i] {
				values[took-1] = 1e-3
			}
			runs = append(runs, values)
		}
		r := CurvesFor(tableFor(2, map[string]map[string][][]float64{"branin": {"a": runs}}), DefaultAxis)
		for _, got := range r.Runtimes(0, 0) {
			switch {
			case got.Target >= 1: // at once
				near(t, "aRT", got.Mean, 1, 0)
			case got.Target < 1e-3*0.999:
				if !math.IsInf(got.Mean, 1) || got.Reached != 0 || got.Runs != len(runs) {
					t.Errorf("a target that nobody reached: %+v", got)
				}
			default:
				near(t, "aRT", got.Mean, c.Mean, 1e-15)
			}
		}
	}
}

// The targets are those of cocopp, shares and profiles are counted by numpy.
func TestSharesAreNumpys(t *testing.T) {
	for _, c := range read(t).ECDF {
		table := &study.Table{Declaration: &study.Declaration{}}
		for p, methods := range c.Regrets {
			for m, seeds := range methods {
				for s, values := range seeds {
					row := study.Row{Cell: study.Cell{Problem: fmt.Sprintf("ackley:%d", c.Dims[p]),
						Method: fmt.Sprint("m", m), Seed: uint64(s), Budget: len(values)}, Dim: c.Dims[p],
						Status: study.Done, Steps: len(values), Trace: study.Trace{SimpleRegret: values}}
					for i := range values {
						row.Trace.Evaluations = append(row.Trace.Evaluations, i+1)
					}
					table.Rows = append(table.Rows, row)
				}
			}
		}
		r := CurvesFor(table, DefaultAxis)
		for k, target := range r.Targets(0) {
			near(t, "target", target, c.Targets[k], 1e-11)
		}
		for name, label := range map[string]struct {
			got  []StepFunction
			want [][]float64
		}{"ECDF": {r.ECDF(All), c.Shares}, "performance": {r.PerformanceProfiles(All, 0.001), c.Performance},
			"data": {r.DataProfiles(All, 0.001), c.Data}} {
			for m, steps := range label.got {
				for i, x := range c.At {
					near(t, fmt.Sprint(name, " of method ", m, " at ", x), steps.Value(x), label.want[m][i], 1e-12)
				}
			}
		}
	}
}
