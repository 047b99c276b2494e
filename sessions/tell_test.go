package sessions

import (
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/sessions/fitcache"
	"bandscope/sessions/recorder"
)

type named = map[string]float64

// result is what is told of a point of what is out.
func result(t testing.TB, s *Session, it Iteration, r functions.Result) functions.Outcome {
	t.Helper()
	o, err := s.State().Problem.Outcome(it.Points[0].X, r)
	require.NoError(t, err)
	return o
}

// hears tells and expects no error.
func hears(t testing.TB, s *Session, it Iteration, r functions.Result) Iteration {
	t.Helper()
	it, err := s.Tell(it.ID, result(t, s, it, r))
	require.NoError(t, err)
	return it
}

// Everything that can be told of a point is on record, in the session and in its file: standard errors, where it was
// really run, cost and a note.
func TestAllThatIsTold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := onExperiment(t, espresso, Config{Optimizer: "random", Seed: 3})
	require.NoError(t, s.SaveAs(path))
	d := s.State().Problem.Domain
	require.NoError(t, s.Bound(t.Context(), d[0].Name, 15, 16, ""))
	out := asks(t, s, 3)
	if !slices.Equal([]int{out[0].Number, out[1].Number, out[2].Number}, []int{1, 2, 3}) {
		t.Errorf("numbers %+v", out)
	}
	it := hears(t, s, out[1], functions.Result{Values: named{"extraction": 18.2, "bitterness": 3},
		SE: named{"bitterness": 0.5}, At: named{d[0].Name: 19}, Cost: 2, Note: "channelled"})
	want := slices.Clone(out[1].Points[0].X)
	want[0] = 19
	if it.Step != 1 || it.Number != 2 || !slices.Equal(it.Points[0].X, want) || !slices.Equal(it.Points[0].Suggested,
		out[1].Points[0].X) || it.Points[0].SE[1] != 0.5 || !math.IsNaN(it.Points[0].SE[0]) ||
		it.Points[0].Cost != 2 || it.Points[0].Note != "channelled" || it.Points[0].Failed || it.Incomplete() {
		t.Errorf("%+v", it)
	}
	hears(t, s, out[2], functions.Result{Failed: "burnt"})
	hears(t, s, out[0], functions.Result{Values: named{"extraction": 17, "bitterness": 4}})
	in := s.State().Input()
	if u := d.ToUnit(want); !slices.Equal(in.Data.X.RawRowView(0), u) || in.Data.SE.At(0, 1) != 0.5 ||
		!math.IsNaN(in.Data.SE.At(0, 0)) || !math.IsNaN(in.Data.SE.At(1, 1)) || in.Data.Len() != 2 {
		t.Errorf("the method sees %+v", in.Data)
	}
	was := tell(s.State())
	s.Close()
	if now := tell(reopen(t, path).State()); now != was {
		t.Errorf("read back\n%s\nwritten\n%s", now, was)
	}
}

// Some of an outcome keeps the point out until the rest is told, also over a restart; what is told twice is refused,
// and what was wrong is amended.
func TestToldInParts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := onExperiment(t, espresso, Config{Optimizer: "random", Seed: 3})
	require.NoError(t, s.SaveAs(path))
	out := asks(t, s, 2)
	it := hears(t, s, out[0], functions.Result{Values: named{"bitterness": 3}, SE: named{"bitterness": 0.5},
		Note: "first", At: named{"dose": 18}})
	if !it.Incomplete() || !slices.Equal(it.Points[0].Missing, []string{"extraction"}) || it.Points[0].Y[1] != 3 ||
		it.Points[0].X[0] != 18 {
		t.Errorf("%+v", it)
	}
	if st := s.State(); len(st.Pending) != 2 || len(st.Iterations) != 0 || st.Pending[0].Points[0].X[0] != 18 ||
		st.Pending[1].HasResults() {
		t.Errorf("%+v", st)
	}
	if _, err := s.Tell(out[0].ID, result(t, s, it, functions.Result{Values: named{"bitterness": 4}})); !errors.Is(err,
		ErrAlreadyTold) {
		t.Errorf("the same objective again: %v", err)
	}
	if next, err := s.Next(t.Context(), nil); err != nil ||
		!slices.Equal(s.State().Problem.Domain.FromUnit(next.X.RawRowView(0)), out[1].Points[0].X) {
		t.Errorf("the next to be evaluated is %v, %v", next, err) // and not the one that somebody is about to tell
	}
	s.Close()
	s = reopen(t, path)
	if it, err := s.Amend(out[0].ID, 0, functions.Outcome{Values: []float64{math.NaN(), 5}, Partial: true},
		"misread"); err != nil || it.Points[0].Y[1] != 5 || it.Points[0].Suggested != nil ||
		!slices.Equal(it.Points[0].X, out[0].Points[0].X) || !math.IsNaN(it.Points[0].SE[1]) ||
		it.Points[0].Note != "" {
		t.Errorf("%+v, %v", it, err)
	}
	it = hears(t, s, out[0], functions.Result{Values: named{"extraction": 20}, SE: named{"extraction": 1},
		Note: "second"})
	if it.Incomplete() || !slices.Equal(it.Points[0].Y, []float64{20, 5}) || it.Points[0].SE[0] != 1 ||
		it.Points[0].Note != "second" || it.Step != 1 || len(s.State().Pending) != 1 {
		t.Errorf("%+v", it)
	}
	if _, err := s.Amend(out[0].ID, 0, functions.Outcome{Values: []float64{1, 2}}, ""); !errors.Is(err,
		ErrAlreadyTold) {
		t.Errorf("amended what is told: %v", err)
	}
	// some, and then that it failed
	hears(t, s, out[1], functions.Result{Values: named{"bitterness": 2}})
	if it = hears(t, s, out[1], functions.Result{Failed: "spilt"}); !it.Points[0].Failed ||
		it.Points[0].Reason != "spilt" || it.Points[0].Y[1] != 2 || it.Incomplete() {
		t.Errorf("%+v", it)
	}
	was := tell(s.State())
	s.Close()
	if now := tell(reopen(t, path).State()); now != was {
		t.Errorf("read back\n%s\nwritten\n%s", now, was)
	}
}

// A batch is told point by point, in any order.
func TestBatchToldInParts(t *testing.T) {
	s := onExperiment(t, espresso, Config{Optimizer: "random", Seed: 3})
	domain := s.State().Problem.Domain
	x := [][]float64{domain.FromUnit([]float64{0, 0, 0}[:len(domain)]),
		domain.FromUnit([]float64{1, 1, 1}[:len(domain)])}
	later := functions.Outcome{Partial: true}
	it, err := s.Record(ByPerson, x, later, functions.Outcome{Values: []float64{18, 3}})
	if err != nil || !it.Incomplete() || it.IncompleteAt(1) || !it.IncompleteAt(0) || it.By != ByPerson {
		t.Fatalf("%+v, %v", it, err)
	}
	_, err = s.Tell(it.ID, later, functions.Outcome{Values: []float64{18, 3}})
	assert.ErrorIs(t, err, ErrAlreadyTold, "the second point again: %v", err)
	_, err = s.Tell(it.ID, later, later)
	assert.ErrorIs(t, err, functions.ErrMissing, "nothing: %v", err)
	if it, err = s.Tell(it.ID, functions.Outcome{Reason: "burnt"}, later); err != nil || it.Incomplete() ||
		!it.Points[0].Failed || it.Points[1].Failed || it.Points[1].Y[0] != 18 || it.Points[1].Cost != 1 {
		t.Errorf("%+v, %v", it, err)
	}
}

// A result that nobody suggested, and the same point again, are data like any other, on problems with a truth too.
func TestRecorded(t *testing.T) {
	s := start(t, Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3})
	for n := range 3 {
		it, err := s.Record(ByPerson, [][]float64{{0.25}},
			functions.Outcome{Values: []float64{float64(n)}, SE: []float64{0.1}})
		if err != nil || it.Step != n+1 || it.Points[0].Truth == nil || it.Incomplete() {
			t.Fatalf("%+v, %v", it, err)
		}
	}
	if in := s.State().Input(); in.Data.Len() != 3 || in.Data.SE.At(2, 0) != 0.1 {
		t.Errorf("%+v", in.Data)
	}
	if _, err := s.Belief(t.Context(), nil); err != nil {
		t.Error(err)
	}
	if _, err := s.Record(ByPerson, [][]float64{{2}}, worth(1)); err == nil {
		t.Error("a point outside of the domain is recorded")
	}
	if it, err := s.Record(ByPerson, [][]float64{{0.5}},
		functions.Outcome{Values: []float64{1}, At: []float64{0.75}}); err != nil || it.Points[0].X[0] != 0.75 ||
		it.Points[0].Truth[0] == it.Points[0].Y[0] {
		t.Errorf("%+v, %v", it, err)
	}
}

// What an event tells of a part fits what is out, or it is refused with a reason; an observation says all there is,
// whatever was told in parts before.
func TestMeasuredThatMisfits(t *testing.T) {
	for data, want := range map[string]string{
		`{"point":0,"y":{"bitterness":3}}`:                                     "",
		`{"point":0,"failed":"burnt"}`:                                         "",
		`{"point":0,"y":{"extraction":3}}`:                                     "extraction: the result is already reported",
		`{"point":0,"y":{"extraction":3},"replaces":true}`:                     "",
		`{"point":1,"y":{"bitterness":3}}`:                                     "point 2 of 1",
		`{"point":-1,"y":{"bitterness":3}}`:                                    "point 0 of 1",
		`{"point":0,"y":{"bitternes":3}}`:                                      `no objective "bitternes"`,
		`{"point":0,"y":{"bitterness":"NaN"}}`:                                 "the value is not finite",
		`{"point":0,"y":{"bitterness":3},"x":[1,2]}`:                           "not an input",
		`{"suggestion":"0123456789abcdef","point":0,"failed":"burnt"}`:         "not suggested",
		`{"suggestion":"OBSERVED","point":0,"failed":"burnt"}`:                 "more of step 1 than the missing values",
		`{"suggestion":"OBSERVED","point":0,"y":{"extraction":3}}`:             "already reported",
		`{"suggestion":"OBSERVED","point":0,"y":{"extraction":3},"x":[17,30]}`: "more of step 1",
	} {
		s := onExperiment(t, espresso, Config{Optimizer: "random", Seed: 3})
		done := asks(t, s, 1)[0]
		hears(t, s, done, functions.Result{Values: named{"extraction": 17, "bitterness": 3}})
		it := asks(t, s, 1)[0]
		hears(t, s, it, functions.Result{Values: named{"extraction": 17}, At: named{"dose": 19.5}})
		data = strings.ReplaceAll(data, "OBSERVED", done.ID)
		_, err := s.rec.Act(func() ([]recorder.Entry, error) {
			return []recorder.Entry{{Kind: kindMeasured, Data: json.RawMessage(data)}}, nil
		})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v, want %q", data, err, want)
		}
		if want == "" {
			continue
		}
		if _, err := s.rec.Act(func() ([]recorder.Entry, error) {
			return []recorder.Entry{{Kind: kindObserved, Data: json.RawMessage(`{"y":[[18,2]]}`)}}, nil
		}); err != nil {
			t.Fatal(err)
		}
		if got := s.State().Iterations[1]; !slices.Equal(got.Points[0].X, it.Points[0].X) ||
			got.Points[0].Suggested != nil || got.Points[0].SE != nil || got.Points[0].Missing != nil {
			t.Fatalf("observed %+v", got)
		}
	}
}

// What is suggested besides what is out depends on where that was really evaluated, which is told before its outcome.
func TestSuggestedBesideWhatWasRunElsewhere(t *testing.T) {
	s, _ := brewed(t, "parego", 5)
	out := asks(t, s, 1)[0]
	before, _, err := s.State().propose(t.Context(), &s.fits, nil)
	require.NoError(t, err)
	x := s.State().Problem.Domain.FromUnit(before.X.RawRowView(0)) // it was run just there
	hears(t, s, out, functions.Result{Values: named{"extraction": 17}, At: named{"dose": x[0], "time": x[1]}})
	cached, _, err := s.State().propose(t.Context(), &s.fits, nil)
	require.NoError(t, err)
	if again, _, err := s.State().propose(t.Context(), &fitcache.Cache{}, nil); err != nil ||
		!mat.Equal(again.X, cached.X) || mat.Equal(cached.X, before.X) {
		t.Errorf("suggested %v, again %v, before %v, %v", cached.X, again.X, before.X, err)
	}
}
