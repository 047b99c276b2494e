package stats

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bandscope/sessions/study"
)

// falling are made-up regrets that fall now and then.
func falling(rng *rand.Rand, steps int, speed float64) []float64 {
	values, v := make([]float64, steps), 10*rng.Float64()
	for i := range values {
		if rng.Float64() < 0.3 {
			v *= 1 - speed*rng.Float64()
		}
		values[i] = v
	}
	return values
}

// made is a made-up study of so many problems, methods and seeds, and steps of one evaluation each.
func made(problems, methods, seeds, steps int) *study.Table {
	rng := rand.New(rand.NewPCG(19, 0))
	regrets := map[string]map[string][][]float64{}
	for p := range problems {
		owners := map[string][][]float64{}
		for m := range methods {
			for range seeds {
				owners[fmt.Sprintf("m%02d", m)] = append(owners[fmt.Sprintf("m%02d", m)],
					falling(rng, steps, 0.2+0.6*float64(m)/float64(methods)))
			}
		}
		regrets[fmt.Sprintf("ackley:%d", p+1)] = owners
	}
	return tableFor(2, regrets)
}

// changed is a table with other traces; the trace of the row it is given may be changed.
func changed(t *study.Table, change func(row *study.Row)) *study.Table {
	c := &study.Table{Declaration: t.Declaration, Rows: slices.Clone(t.Rows)}
	for i := range c.Rows {
		c.Rows[i].Trace.SimpleRegret = slices.Clone(c.Rows[i].Trace.SimpleRegret)
		change(&c.Rows[i])
	}
	return c
}

// told is what ranks, tests and medians say of a study, in words that can be compared.
func told(r *Runs) string {
	var b strings.Builder
	for _, g := range r.Rankings(All, 4) {
		fmt.Fprintf(&b, "%.12g %d %.9f %.9f\n", g.Part, g.Blocks, g.Mean, g.HalfWidth)
	}
	for _, p := range r.Pairs(All, 1) {
		fmt.Fprintf(&b, "%d %d %d %.9f %.9f\n", p.Better, p.Worse, p.Same, p.A12, p.AcrossHolm)
	}
	fmt.Fprintln(&b, r.Friedman(All, 1).Describe())
	for _, p := range r.PerformanceProfiles(All, 0) {
		// the best itself is the one target that does not depend on the scale
		fmt.Fprintf(&b, "%v %.9f\n", p.At, p.Share)
	}
	return b.String()
}

// tested is what the signed ranks say, which depend on how differences compare within a problem.
func tested(r *Runs) string {
	var b strings.Builder
	for _, p := range r.Pairs(All, 1) {
		fmt.Fprintln(&b, p.Describe(r.Methods))
	}
	return b.String()
}

// What compares methods within blocks does not depend on the scale of a problem's values, nor on the order of the seeds
// and rows.
func TestComparisonsAreInvariant(t *testing.T) {
	table := made(3, 4, 8, 20)
	want := told(CurvesFor(table, DefaultAxis))
	scaled := changed(table, func(row *study.Row) {
		for i, v := range row.Trace.SimpleRegret {
			if row.Trace.SimpleRegret[i] = math.Sqrt(v); row.Problem == "ackley:2" {
				row.Trace.SimpleRegret[i] = 1e6 * v * v
			}
		}
	})
	if got := told(CurvesFor(scaled, DefaultAxis)); got != want {
		t.Errorf("with other scales:\n%s\nnot\n%s", got, want)
	}
	units := changed(table, func(row *study.Row) {
		if row.Problem == "ackley:2" {
			for i, v := range row.Trace.SimpleRegret {
				row.Trace.SimpleRegret[i] = 1e6*v + 3
			}
		}
	})
	if got, want := tested(CurvesFor(units, DefaultAxis)), tested(CurvesFor(table, DefaultAxis)); got != want {
		t.Errorf("in other units:\n%s\nnot\n%s", got, want)
	}
	moved := changed(table, func(row *study.Row) { row.Seed = row.Seed*5%11 + 100 })
	slices.SortStableFunc(moved.Rows, func(a, b study.Row) int {
		return cmp.Or(cmp.Compare(a.Problem, b.Problem), cmp.Compare(a.Method, b.Method), cmp.Compare(a.Seed, b.Seed))
	})
	r := CurvesFor(moved, DefaultAxis)
	if got := told(r); got != want {
		t.Errorf("with other seeds:\n%s\nnot\n%s", got, want)
	}
	if got, want := tested(r), tested(CurvesFor(table, DefaultAxis)); got != want {
		t.Errorf("with other seeds:\n%s\nnot\n%s", got, want)
	}
	for m := range r.Methods {
		a, b := CurvesFor(table, DefaultAxis).Band(1, m, 100), r.Band(1, m, 100)
		if !slices.Equal(a.Median, b.Median) || !slices.Equal(a.Low, b.Low) {
			t.Errorf("the band depends on the order of the seeds")
		}
	}
}

// A study that goes on compares what all methods have come to: without the last rows it says what it says of the blocks
// that are whole.
func TestOnlyWholeBlocksCount(t *testing.T) {
	table := made(2, 3, 6, 10)
	short := changed(table, func(row *study.Row) {
		if row.Problem == "ackley:2" && row.Method == "m02" && row.Seed > 4 {
			row.Status, row.Steps, row.Trace = study.Waiting, 0, study.Trace{}
		}
	})
	without := &study.Table{Declaration: table.Declaration}
	for _, row := range table.Rows {
		if row.Problem != "ackley:2" || row.Seed <= 4 {
			without.Rows = append(without.Rows, row)
		}
	}
	r := CurvesFor(short, DefaultAxis)
	for name, label := range map[string]func(r *Runs) any{
		"rankings": func(r *Runs) any { return r.Rankings(All, 3) }, "the test": func(r *Runs) any {
			return r.Friedman(All, 1)
		}, "targets": func(r *Runs) any { return r.ECDF(All) },
		"profiles": func(r *Runs) any { return r.PerformanceProfiles(All, 0.1) }, "pairs with it": func(r *Runs) any {
			return r.Pairs(1, 1)[1]
		},
	} {
		if got, want := fmt.Sprint(label(r)), fmt.Sprint(label(CurvesFor(without, DefaultAxis))); got != want {
			t.Errorf("%s:\n%s\nnot\n%s", name, got, want)
		}
	}
	if with, without := r.Pairs(All, 1)[0],
		CurvesFor(table, DefaultAxis).Pairs(All, 1)[0]; with.N != 12 || with.Test != without.Test {
		// of the two that have come so far
		t.Errorf("%+v, not %+v", with, without)
	}
	for problem, want := range map[int][2]int{All: {10, 12}, 0: {6, 6}, 1: {4, 6}} {
		if blocks, all := r.Blocks(problem, 1); len(blocks) != want[0] || all != want[1] {
			t.Errorf("of problem %d %d of %d blocks", problem, len(blocks), all)
		}
	}
}

// A cell that failed is worse than every other, from where it ended.
func TestFailedCellsAreLast(t *testing.T) {
	table := tableFor(2, map[string]map[string][][]float64{
		"branin": {"good": {{1, 1, 1, 1}}, "gone": {{0.5, 0.5, 0.5, 0.5}}, "slow": {{9, 9, 9, 9}}}})
	table.Rows[0].Status, table.Rows[0].Steps = study.Failed, 2
	table.Rows[0].Trace.Evaluations, table.Rows[0].Trace.SimpleRegret = []int{1, 2}, []float64{0.5, 0.5}
	r := CurvesFor(table, DefaultAxis)
	for _, c := range []struct {
		part float64
		want []float64
	}{{0.5, []float64{0.5, 1, 9}}, {1, []float64{math.Inf(1), 1, 9}}} {
		blocks, _ := r.Blocks(All, c.part)
		if len(blocks) != 1 || !slices.Equal(blocks[0].Values, c.want) {
			t.Errorf("after %v of the budget %v", c.part, blocks)
		}
	}
	if s := r.Final(0, 0); s.N != 0 {
		t.Errorf("a cell that failed has a final value: %+v", s)
	}
}

func TestAxes(t *testing.T) {
	row := study.Row{Cell: study.Cell{Problem: "branin cost=1 cost_budget=8", Method: "random", Seed: 1, Budget: 4},
		Dim: 2, Status: study.Running, Steps: 2,
		Trace: study.Trace{Evaluations: []int{3, 6}, Spent: []float64{1.5, 4}, SimpleRegret: []float64{5, 2}}}
	for axis, want := range map[Axis][]float64{
		DefaultAxis: {1.5, 4, 8}, Cost: {1.5, 4, 8}, Evaluations: {3, 6, 12},
		Iterations: {1, 2, 4}} {
		r := CurvesFor(&study.Table{Declaration: &study.Declaration{}, Rows: []study.Row{row}}, axis)
		c := r.Curves(0, 0)[0]
		if got := append(slices.Clone(c.At), c.Budget); !slices.Equal(got, want) {
			t.Errorf("axis %d: %v, not %v", axis, got, want)
		}
		for x, value := range map[float64]float64{
			want[0] * 0.9: math.NaN(), want[0]: 5, want[1]: 2, want[1] * 1.1: math.NaN()} {
			if got := c.Value(x); got != value && !(math.IsNaN(got) && math.IsNaN(value)) {
				t.Errorf("axis %d: at %v %v, not %v", axis, x, got, value)
			}
		}
	}
	thinned := row // to its last number
	thinned.Trace = study.Trace{Evaluations: []int{6}, SimpleRegret: []float64{2}}
	c := CurvesFor(&study.Table{Declaration: &study.Declaration{}, Rows: []study.Row{thinned}}, Iterations).
		Curves(0, 0)[0]
	if !slices.Equal(c.At, []float64{2}) || c.Budget != 4 {
		t.Errorf("of a thinned trace %v up to %v", c.At, c.Budget)
	}
}

// What is greater is better has its sign turned, and a run that is done counts to the end of its budget.
func TestMeasures(t *testing.T) {
	single := func(problem string, measure study.Measure, trace study.Trace) (*Runs, Curve) {
		trace.Evaluations = []int{1, 2, 3}
		r := CurvesFor(&study.Table{Declaration: &study.Declaration{Measure: measure},
			Rows: []study.Row{{Cell: study.Cell{Problem: problem, Method: "random", Seed: 1, Budget: 5}, Dim: 2,
				Status: study.Done, Steps: 3, Trace: trace}}}, DefaultAxis)
		return r, r.Curves(0, 0)[0]
	}
	r, c := single("zdt1:3", study.DefaultMeasure, study.Trace{Hypervolume: []float64{1, 3, 4}})
	if r.Problems[0].Measure != study.Hypervolume || r.Problems[0].Sign != -1 ||
		!slices.Equal(c.Progress, []float64{-1, -3, -4}) || c.Final() != -4 || c.Value(5) != -4 {
		t.Errorf("%+v %+v", r.Problems[0], c)
	}
	r, c = single("branin", study.CumulativeRegret,
		study.Trace{SimpleRegret: []float64{3, 1, 1}, CumulativeRegret: []float64{3, 4, 9}, Best: []float64{4, 2, 2}})
	if !r.Problems[0].Known || !slices.Equal(c.Values, []float64{3, 4, 9}) ||
		!slices.Equal(c.Progress, []float64{3, 1, 1}) {
		t.Errorf("%+v %+v", r.Problems[0], c)
	}
	nan := math.NaN()
	r, c = single("branin", study.BestValue, study.Trace{Best: []float64{nan, 2, 1}})
	if first, ok := c.first(); r.Problems[0].Known || r.Problems[0].Sign != 1 || first != 2 || !ok {
		t.Errorf("%+v %+v", r.Problems[0], c)
	}
	r, c = single("rover", study.DefaultMeasure, study.Trace{Best: []float64{-2, 1, 3}}) // a reward
	if r.Problems[0].Known || r.Problems[0].Sign != -1 || !slices.Equal(c.Values, []float64{2, -1, -3}) ||
		!slices.Equal(c.Progress, c.Values) {
		t.Errorf("%+v %+v", r.Problems[0], c)
	}
	if _, c = single("rover", study.CumulativeRegret, study.Trace{Best: []float64{-2, 1, 3}}); !slices.Equal(c.Progress,
		[]float64{2, -1, -3}) || !math.IsNaN(c.Values[0]) {
		t.Errorf("%+v", c)
	}
	if _, c = single("branin", study.BayesRegret, study.Trace{BayesRegret: []float64{3, 1, 2}}); !slices.Equal(c.Progress,
		[]float64{3, 1, 1}) {
		t.Errorf("%+v", c)
	}
}

func BenchmarkStudyOf5000Cells(b *testing.B) {
	table := made(10, 10, 50, 100)
	for b.Loop() {
		r := CurvesFor(table, DefaultAxis)
		for p := range r.Problems {
			for m := range r.Methods {
				r.Band(p, m, 200)
			}
		}
		r.Rankings(All, 20)
		r.ECDF(All)
		r.PerformanceProfiles(All, 0.1)
		r.DataProfiles(All, 0.1)
		r.Pairs(All, 1)
		r.Friedman(All, 1)
	}
}
