package sessions

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/functions/didyoumean"
	"bandscope/optimizers"
)

// body is an objective that nobody thought of at first.
var body = functions.Objective{Name: "body", Direction: functions.Maximize, Range: &[2]float64{0, 5}}

// brewed is a session on the espresso with so many steps.
func brewed(t *testing.T, optimizer string, n int) (*Session, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := onExperiment(t, espresso, Config{Optimizer: optimizer, Seed: 3})
	require.NoError(t, s.SaveAs(path))
	s.SetEvaluator(barista)
	steps(t, s, n)
	s.SetEvaluator(nil)
	return s, path
}

// sameOnDisk checks that what was written is what is held.
func sameOnDisk(t *testing.T, s *Session, path string) *Session {
	t.Helper()
	was := tell(s.State())
	require.NoError(t, s.Close())
	s = reopen(t, path)
	if now := tell(s.State()); now != was || len(s.Notices()) > 0 {
		t.Fatalf("read back\n%s\nwritten\n%s\n%v", now, was, s.Notices())
	}
	return s
}

// An objective that is added later is missing of what was observed before, which the method is not given until it is
// told.
func TestObjectiveAdded(t *testing.T) {
	s, path := brewed(t, "", 4)
	out := asks(t, s, 2)
	hears(t, s, out[0], functions.Result{Values: named{"extraction": 17}})
	before := s.State()
	require.NoError(t, s.AddObjective(body, ""))
	st := s.State()
	if len(before.Problem.Objectives) != 2 || len(before.Iterations[0].Points[0].Y) != 2 ||
		before.Iterations[0].Points[0].Failed {
		t.Error("an earlier snapshot has changed")
	}
	if got := objectiveNames(st.Problem); !slices.Equal(got, []string{"extraction", "bitterness", "body"}) ||
		len(st.Config.Experiment.Objectives) != 3 {
		t.Errorf("objectives are %v", got)
	}
	want := &Range{From: FromDeclared, Best: []float64{24, 0, 5}, Worst: []float64{14, 10, 0}}
	assert.Equal(t, want, st.Range, "the range")
	if st.Input().Data.Len() != 0 || st.Input().Data.Failed != nil {
		t.Error("the method is given what is incomplete")
	}
	for _, it := range st.Iterations {
		if !slices.Equal(it.Points[0].Missing, []string{"body"}) || !it.Points[0].Failed ||
			it.Points[0].Y[0] != before.Iterations[it.Step-1].Points[0].Y[0] {
			t.Errorf("%+v", it)
		}
	}
	if !slices.Equal(st.Pending[0].Points[0].Missing, []string{"bitterness", "body"}) || st.Pending[1].HasResults() {
		t.Errorf("out are %+v", st.Pending)
	}
	if _, err := s.Ask(t.Context(), nil); err != nil {
		t.Error(err)
	}
	it := hears(t, s, st.Iterations[1], functions.Result{Values: named{"body": 3}, SE: named{"body": 0.2},
		Note: "from the tasting sheet"})
	if it.Incomplete() || it.Points[0].Failed || it.Points[0].Y[2] != 3 || it.Points[0].SE[2] != 0.2 ||
		it.Points[0].Note == "" || it.Points[0].Missing != nil || it.Step != 2 {
		t.Errorf("%+v", it)
	}
	if in := s.State().Input(); in.Data.Len() != 1 || in.Data.Y.At(0, 2) != -3 || in.Data.SE.At(0, 2) != 0.2 {
		t.Errorf("%+v", in.Data)
	}
	for _, r := range []functions.Result{{Values: named{"body": 4}}, {Values: named{"extraction": 3}}} {
		for _, values := range []Iteration{it, st.Iterations[0]} {
			if values.Step == 1 && r.Values["body"] != 0 {
				continue
			}
			if _, err := s.Tell(values.ID, result(t, s, values, r)); !errors.Is(err, ErrAlreadyTold) {
				t.Errorf("told again: %v", err)
			}
		}
	}
	// what is observed from now on has all three, and a correction need not know what is missing
	hears(t, s, s.State().Pending[1], functions.Result{Values: named{"extraction": 17, "bitterness": 2, "body": 1}})
	assert.NoError(t, s.Correct(1, 0, []float64{20, 2, math.NaN()}, "typo"))
	assert.Error(t, s.Correct(1, 0, []float64{20, 2, 3}, "typo"), "a correction told what is missing")
	assert.NoError(t, s.Correct(3, 0, nil, "spilt"))
	s = sameOnDisk(t, s, path)
	if it := s.State().Iterations[2]; it.Incomplete() || !it.Points[0].Failed {
		t.Errorf("withdrawn: %+v", it)
	}
	if _, err := s.Belief(t.Context(), nil); err != nil {
		t.Error(err)
	}
	s.Seek(2)
	if st := s.State(); len(st.Problem.Objectives) != 2 || st.Input().Data.Len() != 2 {
		t.Error("before, there were two objectives")
	}
}

// What is dropped is not seen any more, completes what lacked nothing else, and comes back with its values.
func TestObjectiveDropped(t *testing.T) {
	s, path := brewed(t, "random", 3)
	out := asks(t, s, 2)
	hears(t, s, out[0], functions.Result{Values: named{"extraction": 17}, SE: named{"extraction": 0.4},
		At: named{"dose": 19}})
	before := s.State()
	require.NoError(t, s.DropObjective("bitterness", ""))
	st := s.State()
	if len(st.Iterations) != 4 || st.Iterations[3].ID != out[0].ID || st.Iterations[3].Points[0].Y[0] != 17 ||
		st.Iterations[3].Points[0].SE[0] != 0.4 || st.Iterations[3].Points[0].X[0] != 19 || len(st.Pending) != 1 ||
		st.Range != nil {
		t.Fatalf("%+v", st)
	}
	if in := st.Input(); in.Data.Len() != 4 || in.Objectives != 1 || len(st.Iterations[0].Points[0].Y) != 1 ||
		!math.IsNaN(st.Iterations[0].Points[0].Mean) && st.Problem.Objectives[0].Name != "extraction" {
		t.Errorf("%+v", in)
	}
	assert.ErrorContains(t, s.DropObjective("extraction", ""), "the only objective")
	s = sameOnDisk(t, s, path)
	require.NoError(t, s.AddObjective(before.Problem.Objectives[1], ""))
	st = s.State()
	for i, it := range st.Iterations[:3] {
		if it.Incomplete() || !slices.Equal(it.Points[0].Y, before.Iterations[i].Points[0].Y) {
			t.Errorf("back again: %+v, was %+v", it, before.Iterations[i])
		}
	}
	if !st.Iterations[3].Incomplete() || !reflect.DeepEqual(st.Range, before.Range) {
		t.Errorf("%+v, %+v", st.Iterations[3], st.Range)
	}
	sameOnDisk(t, s, path)
}

// What is turned is minimized instead of maximized, by the method and by everything that judges.
func TestObjectiveTurned(t *testing.T) {
	s, path := brewed(t, "random", 3)
	before := s.State()
	require.NoError(t, s.ReverseObjective("extraction"))
	st := s.State()
	if st.Problem.Objectives[0].Direction != functions.Minimize ||
		before.Problem.Objectives[0].Direction != functions.Maximize {
		t.Error("it is not turned, or what was is")
	}
	if a, b := before.Input().Data.Y.At(1, 0),
		st.Input().Data.Y.At(1, 0); a != -b || st.Iterations[1].Points[0].Y[0] != before.Iterations[1].Points[0].Y[0] {
		t.Errorf("%g, before %g", b, a)
	}
	if !slices.Equal(st.Range.Best, []float64{14, 0}) || !slices.Equal(st.Range.Worst, []float64{24, 10}) {
		t.Errorf("the range is %+v", st.Range)
	}
	if list, err := s.Decisions(st.Head); err != nil ||
		!strings.Contains(list[len(list)-1].Text, "minimize extraction and to minimize bitterness") {
		t.Errorf("%+v, %v", list, err)
	}
	sameOnDisk(t, s, path)
}

// What would change the meaning of what is there is refused, with what to do.
func TestObjectivesRefused(t *testing.T) {
	s, _ := brewed(t, "mobo-rs-ucb", 3)
	says := func(err error, sentinel error, text string) {
		t.Helper()
		if err == nil || sentinel != nil && !errors.Is(err, sentinel) || !strings.Contains(err.Error(), text) {
			t.Errorf("got %v, want %q", err, text)
		}
	}
	says(s.ReverseObjective("extractio"), didyoumean.ErrUnknown, "did you mean extraction?")
	says(s.AddObjective(functions.Objective{Name: "dose", Direction: functions.Minimize}, ""), nil, "dose")
	says(s.AddObjective(functions.Objective{Name: "body"}, ""), nil, "direction")
	require.NoError(t, s.Answer([2]int{1, 0}, [2]int{2, 0}, PreferA))
	says(s.ReverseObjective("extraction"), ErrPreferences, "take back 1 answer first")
	require.NoError(t, s.Retract(1))
	require.NoError(t, s.Edit("prior", "dirichlet(2, 5)"))
	says(s.AddObjective(body, ""), ErrPreferences, "set it to flat first")
	require.NoError(t, s.Edit("prior", "flat"))
	assert.NoError(t, s.AddObjective(body, ""))
	says(s.DropObjective("bitterness", "no-such"), nil, "no-such")

	session, _ := brewed(t, "random", 2)
	require.NoError(t, session.DropObjective("bitterness", "gp-ei"))
	says(session.AddObjective(body, ""), nil, "gp-ei optimizes one objective, but espresso has 2; use one of")
	if err := session.AddObjective(body, "mobo-rs-ucb"); err != nil || session.State().Spec.Name != "mobo-rs-ucb" {
		t.Error(err)
	}
	truth := start(t, Config{Problem: "branin-currin", Optimizer: "random", Seed: 2})
	says(truth.ReverseObjective("branin"), ErrFixedObjectives, "branin-currin")
}

// A suggestion keeps its number, whatever comes of it, and one of several that are out is refused by its id.
func TestNumbered(t *testing.T) {
	s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 3})
	out := asks(t, s, 3)
	require.NoError(t, s.RejectByID(out[1].ID, "too dear"))
	if _, err := s.Tell(out[2].ID, worth(1)); err != nil {
		t.Fatal(err)
	}
	asks(t, s, 1)
	st := s.State()
	for n, want := range map[int]bool{1: true, 3: false, 4: true} {
		if it, out, err := st.IterationByNumber(n); err != nil || out != want || it.Number != n {
			t.Errorf("%d: %+v, %v, %v", n, it, out, err)
		}
	}
	for n, want := range map[int]string{
		2: "discarded, because too dear", 0: "the last one is 4", 5: "the last one is 4"} {
		if _, _, err := st.IterationByNumber(n); !errors.Is(err, ErrNotPending) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%d: %v", n, err)
		}
	}
	if err := s.RejectByID(out[1].ID, ""); !errors.Is(err, ErrNotPending) {
		t.Error(err)
	}
	if err := s.RejectByID(out[2].ID, ""); !errors.Is(err, ErrAlreadyTold) {
		t.Error(err)
	}
}

// What is believed follows the objectives, also before anything is known, and what was suggested is suggested again.
func TestBeliefsFollowObjectives(t *testing.T) {
	for _, optimizer := range []string{"", "parego"} {
		s := onExperiment(t, espresso, Config{Optimizer: optimizer, Seed: 3, Params: map[string]any{"initial": 2}})
		belief := func(n int) {
			t.Helper()
			b, err := s.Belief(t.Context(), nil)
			require.NoError(t, err, optimizer)
			if bands, err := b.Predict(t.Context(), mat.NewDense(1, 2, []float64{0.5, 0.5})); err != nil ||
				len(bands) != n {
				t.Errorf("%s: %d bands, %v", optimizer, len(bands), err)
			}
			if it, err := s.Ask(t.Context(), nil); err != nil || len(it.Points) == 0 || strings.Contains(it.Note,
				"failed") {
				t.Errorf("%s: %+v, %v", optimizer, it, err)
			}
		}
		does := func(err error) {
			t.Helper()
			require.NoError(t, err, optimizer)
		}
		belief(2)
		does(s.AddObjective(body, ""))
		belief(3)
		does(s.ReverseObjective("body"))
		belief(3)
		for i := range 4 {
			_, err := s.Record(ByPerson, [][]float64{{14.5 + float64(i), 22 + 3*float64(i*i%5)}},
				functions.Outcome{Values: []float64{18 + float64(i), 3, float64(i % 3)}})
			does(err)
		}
		belief(3)
		does(s.DropObjective("extraction", ""))
		belief(2)
		if made, err := s.Suggestions(); err != nil || len(made) != 9 {
			t.Errorf("%s: %d suggestions, %v", optimizer, len(made), err)
		}
		repeats(t, s, 5)
	}
}

// What is expected of an objective can be said midway: it is what outcomes are measured by from there on, and the
// method is told the noise.
func TestObjectiveExpected(t *testing.T) {
	s, path := brewed(t, "", 3)
	before := s.State()
	if err := s.SetExpectation(functions.Objective{Name: "bitterness", Range: &[2]float64{1, 8}, Scale: functions.Linear,
		Noise: 0.25}); err != nil {
		t.Fatal(err)
	}
	st := s.State()
	want := &Range{From: FromDeclared, Best: []float64{24, 1}, Worst: []float64{14, 8}}
	if !reflect.DeepEqual(st.Range, want) || st.Input().Noise[1] != 0.25 || before.Input().Noise[1] == 0.25 ||
		before.Range.Worst[1] != 10 {
		t.Errorf("the range is %+v, the noise %v", st.Range, st.Input().Noise)
	}
	if o := st.Problem.Objectives[1]; *o.Range != [2]float64{
		1, 8} || o.Direction != functions.Minimize || st.Input().Data.Len() != 3 {
		t.Errorf("%+v", o)
	}
	if err := s.SetExpectation(functions.Objective{Name: "bitterness", Range: nil, Scale: functions.Linear,
		Noise: 0}); err != nil {
		// outcomes are measured as they were
		t.Fatal(err)
	}
	if st := s.State(); !reflect.DeepEqual(st.Range, want) || st.Problem.Objectives[1].Range != nil ||
		st.Input().Noise[1] != 0 {
		t.Errorf("%+v", st.Range)
	}
	for _, wrong := range []error{
		s.SetExpectation(functions.Objective{Name: "bitterness", Range: &[2]float64{3, 3}, Scale: functions.Linear,
			Noise: 0}),
		s.SetExpectation(functions.Objective{Name: "bitterness", Range: nil, Scale: functions.Linear,
			Noise: -1}),
		s.SetExpectation(functions.Objective{Name: "bitternes", Range: nil, Scale: functions.Linear,
			Noise: 1}),
		s.SetExpectation(functions.Objective{Name: "bitterness", Range: nil, Scale: functions.Linear,
			Noise: 0})} {
		assert.Error(t, wrong, "it was declared so")
	}
	s.SetEvaluator(barista)
	steps(t, s, 1)
	s.SetEvaluator(nil)
	repeats(t, s, 4)
	sameOnDisk(t, s, path)
}

// Where a prior or answers hold the objectives, the noise of one can be said all the same.
func TestNoiseIsNotHeld(t *testing.T) {
	s, _ := brewed(t, "", 3)
	d, _ := s.State().Params.ByRole(optimizers.RolePrior)
	require.NoError(t, s.Edit(d.Key, "dirichlet(2)"))
	if err := s.SetExpectation(functions.Objective{Name: "extraction", Range: &[2]float64{14, 24}, Scale: functions.Linear,
		Noise: 0.5}); err != nil {
		t.Error(err)
	}
	if err := s.SetExpectation(functions.Objective{Name: "extraction", Range: &[2]float64{14, 25}, Scale: functions.Linear,
		Noise: 0.5}); !errors.Is(err,
		ErrPreferences) {
		t.Errorf("another range: %v", err)
	}
}

// Where the program ended between what completes a point and its observation, the next start records that; nobody goes
// back to between them.
func TestCompletedPointIsObserved(t *testing.T) {
	s, path := brewed(t, "random", 2)
	out := asks(t, s, 1)
	hears(t, s, out[0], functions.Result{Values: named{"extraction": 17}})
	require.NoError(t, s.DropObjective("bitterness", ""))
	want := s.State().Iterations
	for s.Back() {
		if st := s.State(); slices.ContainsFunc(st.Pending, Iteration.complete) {
			t.Fatalf("it stands where %+v is out", st.Pending)
		}
	}
	for s.Forward() {
		if st := s.State(); slices.ContainsFunc(st.Pending, Iteration.complete) {
			t.Fatalf("it stands where %+v is out", st.Pending)
		}
	}
	s.Close()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	index := bytes.LastIndex(text, []byte(`"kind":"observed"`))
	require.NoError(t, os.WriteFile(path, text[:index+20], 0o600))
	s = reopen(t, path)
	if got := s.State(); len(got.Pending) != 0 || len(got.Iterations) != len(want) ||
		got.Iterations[2].Points[0].Y[0] != 17 {
		t.Errorf("%+v", got.Pending)
	}
}
