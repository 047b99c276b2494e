package acts_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/functions/sheet"
	"bandscope/sessions"
	"bandscope/sessions/acts"
)

func asked(t *testing.T, s *sessions.Session, w acts.AskArgs) []acts.Point {
	t.Helper()
	points, err := acts.AskPoints(t.Context(), s, w, nil)
	require.NoError(t, err)
	return points
}

func names(points []acts.Point) string {
	var list []string
	for _, p := range points {
		list = append(list, p.Name.String())
	}
	return strings.Join(list, " ")
}

// A pending point says where it is, since when, what it was asked for with, and what is known of it already.
func TestPendingPoints(t *testing.T) {
	now := time.Now().Add(-time.Hour)
	s, err := sessions.New(t.Context(), sessions.Config{Optimizer: "random", Seed: 1,
		Experiment: &experiment.Declaration{Name: "p",
			Variables: functions.Domain{{Name: "dose", High: 30}, {Name: "time", High: 3}},
			Objectives: []functions.Objective{{Name: "y", Direction: functions.Minimize},
				{Name: "z", Direction: functions.Minimize}}}}, sessions.WithClock(func() time.Time { return now }))
	require.NoError(t, err)
	now = now.Add(time.Minute)
	points := asked(t, s, acts.AskArgs{Count: new(2), Shared: []string{"dose"}, MinDistance: 0.1})
	for i, p := range points {
		if b := p.Batch; b == nil || b.Place != i+1 || b.Points != 2 || !slices.Equal(b.Shared, []string{"dose"}) ||
			b.MinDistance != 0.1 {
			t.Errorf("point %d of the batch: %+v", i+1, p.Batch)
		}
	}
	named := asked(t, s, acts.AskArgs{Count: new(0), Fixed: inputs(map[string]float64{"dose": 3, "time": 2})})[0]
	if named.By != "person" || named.Batch != nil || !slices.Equal(named.Input(), []float64{3, 2}) {
		t.Errorf("a point that is run anyway: %+v", named)
	}
	_, err = acts.TellPoint(s, points[1].Name, functions.Result{Values: map[string]float64{"z": 4}}, false)
	require.NoError(t, err)
	out := acts.Pending(s)
	require.Equal(t, "1 2 3", names(out), "pending")
	for i, p := range out {
		if age := float64(p.Age); !p.Asked.Equal(now) || age < 59*60-1 || age > 59*60+60 {
			t.Errorf("point %v was asked for at %v, %g s ago", p.Name, p.Asked, age)
		}
		if partly := i == 1; partly != (len(p.Values) == 1 && p.Values["z"] == 4 &&
			slices.Equal(p.Missing, []string{"y"})) || !partly && (p.Values != nil || p.Missing != nil) {
			t.Errorf("point %v: known %v, missing %v", p.Name, p.Values, p.Missing)
		}
	}
	if same := asked(t, s, acts.AskArgs{Count: new(2), Shared: []string{"dose"}, MinDistance: 0.1}); names(same) !=
		"1 2" {
		t.Errorf("the batch that is asked for again is %s", names(same))
	}
	if _, err := acts.TellPoint(s, points[0].Name, functions.Result{Values: map[string]float64{"y": 1, "z": 4}},
		false); err != nil {
		t.Fatal(err)
	}
	if rest := asked(t, s, acts.AskArgs{Count: new(2), Shared: []string{"dose"}, MinDistance: 0.1}); names(rest) !=
		"2" {
		t.Errorf("the rest of the batch is %s", names(rest))
	}
	// each of several points that are run anyway is found, wherever it is among what is pending
	again := asked(t, s, acts.AskArgs{Count: new(1), Fixed: inputs(map[string]float64{"dose": 3, "time": 2}, map[string]float64{"dose": 5, "time": 1})})
	assert.Equal(t, "3 4 2", names(again), "two points that are run anyway, one of them pending, and another")
}

// A point that is run anyway and pending alone is given again.
func TestRunAnywayAgain(t *testing.T) {
	s := begin(t, "random")
	beside := []map[string]float64{{"dose": 17, "time": 28}}
	for range 2 {
		if got := names(asked(t, s, acts.AskArgs{Count: new(0), Fixed: inputs(beside...), Shared: []string{"dose"}, MinDistance: 0.1})); got != "1" {
			// of none that are suggested nothing is shared
			t.Errorf("with what suggestions would share: %s", got)
		}
		assert.Equal(t, "1", names(asked(t, s, acts.AskArgs{Count: new(0), Fixed: inputs(beside...)})), "point")
	}
	assert.Equal(t, "1 2", names(asked(t, s, acts.AskArgs{Count: new(1), Fixed: inputs(beside...)})), "with another")
}

// Of a method that suggests several points at once all are given where one of them is, and each has its result for
// itself.
func TestPointsOfABatch(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "sto-bnts", Seed: 1,
		Params: map[string]any{"batch": 3, "width": 24, "depth": 1, "initial": 1}})
	require.NoError(t, err)
	value := functions.Result{Values: map[string]float64{s.State().Problem.Objectives[0].Name: 1}}
	_, err = acts.TellPoint(s, asked(t, s, acts.AskArgs{Count: new(1)})[0].Name, value, false)
	require.NoError(t, err)
	assert.Equal(t, "2.1 2.2 2.3", names(asked(t, s, acts.AskArgs{Count: new(1)})), "asked for one")
	assert.Equal(t, "2.1 2.2 2.3", names(asked(t, s, acts.AskArgs{Count: new(2)})), "asked for two")
	second := acts.Name{Suggestion: 2, Point: 2}
	if result, err := acts.TellPoint(s, second, value, false); err != nil || result.Step != 0 {
		t.Errorf("%+v, %v", result, err)
	}
	assert.Equal(t, "2.1 2.3", names(acts.Pending(s)), "pending")
	var known acts.AlreadyToldError
	if _, err := acts.TellPoint(s, second, value, false); !errors.As(err, &known) || known.Step != "" || !known.Rest {
		t.Errorf("a second result of a point: %v, %+v", err, known)
	}
	for _, n := range []int{1, 3} {
		_, err = acts.TellPoint(s, acts.Name{Suggestion: 2, Point: n}, value, false)
		assert.NoError(t, err)
	}
	if _, err := acts.TellPoint(s, second, value, false); !errors.As(err, &known) || known.Step != "2.2" || known.Rest {
		t.Errorf("a result of a step: %v, %+v", err, known)
	}
	if _, err := acts.TellPoint(s, acts.Name{Suggestion: 2, Point: 4}, value, false); !errors.Is(err,
		sessions.ErrAlreadyTold) && !errors.Is(err, sessions.ErrNotPending) {
		t.Errorf("the fourth of three: %v", err)
	}
}

// Costs are positive and finite, and an error lists the pending points: up to twelve of them, and how many more there
// are.
func TestResultsThatAreRefused(t *testing.T) {
	s := begin(t, "random")
	whole := map[string]float64{"extraction": 18, "bitterness": 3}
	refused := func(n int, r functions.Result, want string) {
		t.Helper()
		if _, err := acts.TellPoint(s, acts.Name{Suggestion: n}, r, false); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	refused(1, functions.Result{Values: whole}, "no pending points: ask for one first")
	asked(t, s, acts.AskArgs{Count: new(12)})
	for _, cost := range []float64{-1, math.NaN(), math.Inf(1), math.Inf(-1)} {
		refused(1, functions.Result{Values: whole, Cost: cost}, "the cost must be positive and finite")
	}
	refused(99, functions.Result{Values: whole}, "pending: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12")
	if _, err := acts.TellPoint(s, acts.Name{Suggestion: 99}, functions.Result{},
		false); strings.Contains(err.Error(), "more") {
		t.Errorf("twelve are pending: %v", err)
	}
	for n := 2; n <= 3; n++ {
		if result, err := acts.TellPoint(s, acts.Name{Suggestion: n}, functions.Result{Values: whole}, false); err !=
			nil || result.Step != n-1 {
			t.Fatalf("%+v, %v", result, err)
		}
	}
	refused(3, functions.Result{Values: whole}, "(it is step 2); pending: 1, 4, 5")
	var known acts.AlreadyToldError
	if _, err := acts.TellPoint(s, acts.Name{Suggestion: 3}, functions.Result{Values: whole}, false); !errors.As(err,
		&known) || known.Step != "2" || known.Rest {
		t.Errorf("a second result of a step: %v, %+v", err, known)
	}
	asked(t, s, acts.AskArgs{Count: new(5), New: true})
	refused(18, functions.Result{Values: whole},
		"; pending: 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, and 3 more")
	require.NoError(t, s.Reject(t.Context(), "", nil))
	refused(1, functions.Result{Values: whole}, "; pending: 4, 5")
	if got := names(asked(t, s, acts.AskArgs{Count: new(1)})); got != "4" {
		t.Errorf("after the first is rejected %s is given", got)
	}
}

// Values of an objective that is added later are reported for the steps that lack it, the first and the others, and for
// no other step.
func TestTellingALaterObjective(t *testing.T) {
	s := begin(t, "random")
	for range 3 {
		p := asked(t, s, acts.AskArgs{Count: new(1)})[0]
		if _, err := acts.TellPoint(s, p.Name, functions.Result{
			Values: map[string]float64{"extraction": 18, "bitterness": 3}}, false); err != nil {
			t.Fatal(err)
		}
	}
	require.NoError(t, s.AddObjective(functions.Objective{Name: "price", Direction: functions.Minimize}, ""))
	for i, n := range []int{1, 3} {
		result, err := acts.TellPoint(s, acts.Name{Suggestion: n},
			functions.Result{Values: map[string]float64{"price": float64(n)}}, false)
		if err != nil || result.Step != n || result.Values["price"] != acts.Number(n) || len(result.Missing) != 0 {
			t.Errorf("the price of step %d: %+v, %v", n, result, err)
		}
		if y := s.State().Iterations[n-1].Points[0].Y; y[2] != float64(n) {
			t.Errorf("%d: step %d has %v", i, n, y)
		}
	}
	if it := s.State().Iterations[1]; !it.Incomplete() {
		t.Errorf("step 2 lacks its price: %+v", it)
	}
}

// A table does not change what is on record: results of a point that failed, and a failure of a point that has results.
// What is beyond the expected range is taken by force.
func TestTableAgainstWhatIsOnRecord(t *testing.T) {
	s := begin(t, "random")
	points := asked(t, s, acts.AskArgs{Count: new(3)})
	const head = "point,dose,time,extraction,bitterness,failed\n"
	table := func(rows string, force bool) (acts.TableResult, error) {
		return acts.TellTable(t.Context(), s, strings.NewReader(head+rows), sheet.Options{}, force, nil)
	}
	if reported, err := table("1,,,,,leak\n2,,,18,3,\n", false); err != nil || len(reported.Results) != 2 {
		t.Fatalf("%+v, %v", reported, err)
	}
	for _, rows := range []string{"1,,,18,3,\n", "2,,,,,leak\n"} {
		if reported, err := table(rows, false); !errors.Is(err, sessions.ErrAlreadyTold) {
			t.Errorf("%q: %+v, %v", rows, reported, err)
		}
	}
	before := s.State().Head
	for rows, want := range map[string]string{
		",strong,30,18,3,\n": `line 2, column 2 ("dose"): dose must be`, ",16,30,18,much,\n": `line 2, column 5 ("bitterness"): "much" is not`,
		",16,30,18,3,\n,16,30\n": "line 3: the row has 3 cells, but the header has 6"} {
		if _, err := table(rows, false); err == nil || !strings.Contains(err.Error(), want) ||
			s.State().Head != before {
			t.Errorf("%q: %v, want %q", rows, err, want)
		}
	}
	x := points[0].Input()
	if reported, err := table(fmt.Sprintf(",%v,%v,18,3,\n", x[0], x[1]), false); err != nil || len(reported.Results) != 1 {
		t.Errorf("a new result where one failed: %+v, %v", reported, err)
	}
	if reported, err := table("3,,,99,3,\n,16,30,99,4,\n", true); err != nil || len(reported.Results) != 2 ||
		reported.Results[0].Values["extraction"] != 99 {
		t.Errorf("by force: %+v, %v", reported, err)
	}
}

// A table of more rows than are read is refused before its rows are looked at.
func TestTableOfTooManyRows(t *testing.T) {
	s := begin(t, "random")
	const most = 100_000
	for rows, want := range map[int]string{
		most: "line 2: a point has a number such as", most + 1: "line 100002: the table has more than 100000 rows"} {
		text := "point,extraction\n" + strings.Repeat("x,1\n", rows)
		if _, err := acts.TellTable(t.Context(), s, strings.NewReader(text), sheet.Options{}, false, nil); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%d rows: %v", rows, err)
		}
	}
}

// The status of a single objective has its best result and what the model expects at its best, as the belief predicts
// it, on the scale on which the objective is counted, and how much another result is expected to improve on it.
func TestStatusOfOneObjective(t *testing.T) {
	for name, scale := range map[string]functions.Scale{"plain": "", "log": functions.Log} {
		s, err := sessions.New(t.Context(), sessions.Config{Optimizer: "gp-ei", Seed: 2, Budget: 9,
			Experiment: &experiment.Declaration{Name: "p", Variables: functions.Domain{{Name: "x", High: 1}},
				Objectives: []functions.Objective{{Name: "y", Direction: functions.Maximize, Scale: scale,
					Range: &[2]float64{0.01, 100}}}}})
		require.NoError(t, err)
		if status, err := acts.StatusOf(t.Context(), s, nil); err != nil || status.Best != nil ||
			status.BestMean != nil || status.Steps != 0 || status.Pending == nil || status.Budget != 9 ||
			status.Cost != nil {
			t.Errorf("%s, before anything: %+v, %v", name, status, err)
		}
		for i, x := range []float64{0.1, 0.3, 0.55, 0.8, 0.95} {
			if _, err := addResult(s, functions.Result{At: map[string]float64{"x": x},
				Values: map[string]float64{"y": 3 + 2*math.Sin(3*x) + 0.01*float64(i)}}, false); err != nil {
				t.Fatal(err)
			}
		}
		status, err := acts.StatusOf(t.Context(), s, nil)
		require.NoError(t, err)
		if status.Front != nil || status.ModelFront != nil || status.Steps != 5 || status.Best == nil ||
			status.Best.Step != 3 || !slices.Equal(acts.PointOf(*status.Best), []float64{0.55}) {
			t.Fatalf("%s: %+v", name, status)
		}
		if status.BestMean == nil || status.Stopping == "" {
			t.Fatalf("%s: the model expects nothing: %+v", name, status)
		}
		b, err := s.Belief(t.Context(), nil)
		require.NoError(t, err)
		bands, err := b.Predict(t.Context(), mat.NewDense(1, 1, acts.PointOf(*status.BestMean)))
		require.NoError(t, err)
		mean, sd := -bands[0].Mean[0], status.BestMean.SD
		if status.BestMean.Log10 != nil {
			sd = status.BestMean.Log10
		}
		if log := scale == functions.Log; log {
			mean = math.Pow(10, mean)
			if status.BestMean.Log10 == nil || status.BestMean.SD != nil || status.ImprovementLog10 == nil ||
				status.Improvement != nil {
				t.Errorf("factors count: %+v", status)
			}
		} else if status.BestMean.Log10 != nil || status.Improvement == nil || status.ImprovementLog10 != nil {
			t.Errorf("differences count: %+v", status)
		}
		if v := float64(status.BestMean.Value["y"]); math.Abs(v-mean) > 1e-6 || sd == nil ||
			math.Abs(float64(*sd)-bands[0].SD[0]) > 1e-9 {
			t.Errorf("%s: the best by the model is %g ± %v, the belief says %g ± %g", name, v, sd, mean, bands[0].SD[0])
		}
	}
}

// The status tells what all steps have cost, where that counts, and which results the model does not understand.
func TestStatusTellsCostsAndStrangers(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Optimizer: "gp-ei", Seed: 2, CostBudget: 30,
		Experiment: &experiment.Declaration{Name: "p", Cost: "1 + x", Variables: functions.Domain{{Name: "x", High: 1}},
			Objectives: []functions.Objective{{Name: "y", Direction: functions.Maximize, Noise: 0.05}}}})
	require.NoError(t, err)
	sum := 0.0
	for i := range 11 {
		x := float64(i) / 10
		y := math.Sin(3 * x)
		if i == 4 {
			y -= 3
		}
		sum += 1 + x
		if _, err := addResult(s, functions.Result{At: map[string]float64{"x": x},
			Values: map[string]float64{"y": y}}, false); err != nil {
			t.Fatal(err)
		}
	}
	status, err := acts.StatusOf(t.Context(), s, nil)
	require.NoError(t, err)
	if status.CostBudget != 30 || status.Cost == nil || math.Abs(float64(*status.Cost)-sum) > 1e-9 {
		t.Errorf("of a budget of %g %v is spent, want %g", status.CostBudget, status.Cost, sum)
	}
	if !slices.ContainsFunc(status.Outliers, func(r acts.Outlier) bool {
		return r.Point == "5" && r.Objective == "y" && r.Z < -2
	}) {
		t.Errorf("the fifth result is far below the others: %+v", status.Outliers)
	}
}

// The status of several objectives has the results that no other beats, each with its place and its step, without those
// that failed or are beyond a limit.
func TestStatusTellsTheFront(t *testing.T) {
	most := 9.0
	s, err := sessions.New(t.Context(), sessions.Config{Optimizer: "random", Seed: 1,
		Experiment: &experiment.Declaration{Name: "p", Variables: functions.Domain{{Name: "x", High: 1}},
			Objectives: []functions.Objective{{Name: "y", Direction: functions.Maximize},
				{Name: "z", Direction: functions.Minimize}},
			Limits: []functions.Objective{{Name: "heat", AtMost: &most}}}})
	require.NoError(t, err)
	for i, v := range [][]float64{{1, 1, 5}, {2, 3, 5}, {3, 2, 5}, {9, 0, 10}, nil, {3, 2, 7}, {0, 2, 5}} {
		r := functions.Result{At: map[string]float64{"x": float64(i) / 10}, Failed: "spilt"}
		if v != nil {
			r.Failed, r.Values = "", map[string]float64{"y": v[0], "z": v[1], "heat": v[2]}
		}
		_, err = addResult(s, r, false)
		require.NoError(t, err)
	}
	status, err := acts.StatusOf(t.Context(), s, nil)
	require.NoError(t, err)
	var got []string
	for _, b := range status.Front {
		got = append(got, fmt.Sprintf("step %d at %g: %g, %g, %g", b.Step, acts.PointOf(b)[0], b.Value["y"], b.Value["z"],
			b.Value["heat"]))
	}
	slices.Sort(got)
	want := []string{"step 1 at 0: 1, 1, 5", "step 3 at 0.2: 3, 2, 5", "step 6 at 0.5: 3, 2, 7"}
	if !slices.Equal(got, want) || status.Best != nil {
		t.Errorf("the front is %q, want %q", got, want)
	}
}

// A point says since when it waits and when its result is due, in the reader's time zone; without a declared duration
// nothing is due.
func TestWhenResultsAreDue(t *testing.T) {
	zone := time.FixedZone("CET", 3600)
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, zone)
	start := now.Add(-20 * time.Hour)
	s, err := sessions.New(t.Context(), sessions.Config{Optimizer: "random", Seed: 1,
		Experiment: &experiment.Declaration{Name: "p", Duration: "1d",
			Variables:  functions.Domain{{Name: "dose", High: 30}},
			Objectives: []functions.Objective{{Name: "y", Direction: functions.Minimize}}}},
		sessions.WithClock(func() time.Time { return start }))
	require.NoError(t, err)
	p := asked(t, s, acts.AskArgs{Count: new(1)})[0]
	if p.Due == nil || !p.Due.Equal(start.Add(24*time.Hour)) || !p.Overdue {
		t.Errorf("the result is due at %v, overdue %v", p.Due, p.Overdue)
	}
	for after, want := range map[time.Duration]string{
		0:                               "pending for 20 h since yesterday 13:00, due 13:00",
		4 * time.Hour:                   "pending for 24 h since yesterday 13:00, due 13:00",
		5 * time.Hour:                   "pending for 25 h since yesterday 13:00, was due 13:00",
		30 * time.Hour:                  "pending for 2 days since 2026-03-01 13:00, was due yesterday 13:00",
		-20*time.Hour + 119*time.Second: "pending for 119 s, due tomorrow 13:00",
	} {
		assert.Equal(t, want, p.Waiting(now.Add(after)), "after %v it", after)
	}
	if p.Due = nil; p.Waiting(now) != "pending for 20 h since yesterday 13:00" {
		t.Errorf("without a duration: %q", p.Waiting(now))
	}
}
