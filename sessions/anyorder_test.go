package sessions

import (
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions/recorder"
)

// person does something to a session on an experiment, as a person would who makes mistakes. The error is one that
// nobody expects.
func person(s *Session, rng *rand.Rand) error {
	st := s.State()
	some := slices.Concat(st.Pending, st.Iterations)
	x := st.Problem.Domain.FromUnit([]float64{rng.Float64(), rng.Float64()})
	expected := func(err error) error {
		for _, known := range []error{
			nil, ErrAlreadyTold, ErrNotPending, ErrPreferences, recorder.ErrMoved, ErrNoEvaluator,
			functions.ErrMissing} {
			if errors.Is(err, known) {
				return nil
			}
		}
		return err
	}
	outcome := func() functions.Outcome {
		o := functions.Outcome{Partial: rng.IntN(3) > 0}
		for range st.Problem.Objectives {
			o.Values, o.SE = append(o.Values, rng.NormFloat64()), append(o.SE, rng.Float64()+0.1)
		}
		if k := rng.IntN(len(o.Values)); o.Partial {
			o.Values[k], o.SE[k] = math.NaN(), math.NaN()
		}
		switch rng.IntN(6) {
		case 0:
			o = functions.Outcome{Reason: "burnt"}
		case 1:
			o.At = x
		case 2:
			o.SE, o.Note, o.Cost = nil, "slow", 2
		}
		return o
	}
	switch rng.IntN(14) {
	case 0, 1:
		if len(st.Pending) > 5 {
			return nil
		}
		_, err := s.AskPoint(x)
		return expected(err)
	case 2, 3, 4, 5:
		if len(some) == 0 {
			return nil
		}
		it := some[rng.IntN(len(some))]
		outcomes := make([]functions.Outcome, len(it.Points))
		for i := range outcomes {
			outcomes[i] = outcome()
		}
		_, err := s.Tell(it.ID, outcomes...)
		return expected(err)
	case 6:
		if len(some) == 0 {
			return nil
		}
		_, err := s.Amend(some[rng.IntN(len(some))].ID, 0, outcome(), "misread")
		return expected(err)
	case 7:
		_, err := s.Record(ByPerson, [][]float64{x, x}, outcome(), outcome())
		return expected(err)
	case 8:
		if len(some) == 0 {
			return nil
		}
		return expected(s.RejectByID(some[rng.IntN(len(some))].ID, "too dear"))
	case 9:
		name := []string{"body", "crema"}[rng.IntN(2)]
		o := functions.Objective{Name: name, Direction: functions.Maximize}
		if rng.IntN(2) == 0 {
			o.Range = &[2]float64{0, 5}
		}
		if slices.Contains(objectiveNames(st.Problem), name) {
			return nil
		}
		return expected(s.AddObjective(o, ""))
	case 10:
		if k := len(st.Problem.Objectives); k > 1 {
			return expected(s.DropObjective(st.Problem.Objectives[rng.IntN(k)].Name, ""))
		}
	case 11:
		return expected(s.ReverseObjective(st.Problem.Objectives[0].Name))
	case 12:
		if n := len(st.Iterations); n > 0 {
			step := 1 + rng.IntN(n)
			y := slices.Clone(st.Iterations[step-1].Points[0].Y)
			for k := range y {
				y[k]++ // NaN stays
			}
			if slices.ContainsFunc(y, math.IsNaN) && !st.Iterations[step-1].IncompleteAt(0) || rng.IntN(3) == 0 {
				y = nil
			}
			if y != nil && rng.IntN(2) == 0 {
				point := slices.Clone(st.Iterations[step-1].Points[0].X)
				point[0] = 15 + rng.Float64()
				return expected(s.CorrectOutcome(step, 0,
					functions.Outcome{Values: y, At: point, Cost: 1 + rng.Float64()}, ""))
			}
			return expected(s.Correct(step, 0, y, "typo"))
		}
	default:
		switch rng.IntN(4) {
		case 0:
			s.Back()
		case 1:
			s.Forward()
		case 2:
			s.Last()
		default:
			return expected(s.Fork("", ""))
		}
	}
	return nil
}

// Whatever a person tells, in parts, twice, of other points, with other objectives, forked and gone back: nothing that
// is out is forgotten, earlier states stay what they were, and the file says what the session holds. Methods are given
// finite values alone.
func TestAnythingToldReadsBack(t *testing.T) {
	sequences := uint64(20)
	if testing.Short() {
		sequences = 5
	}
	done := map[string]int{}
	for seed := range sequences {
		rng := rand.New(rand.NewPCG(seed, 3))
		s := onExperiment(t, espresso, Config{Optimizer: "random", Seed: seed})
		path := filepath.Join(t.TempDir(), "s.jsonl")
		require.NoError(t, s.SaveAs(path))
		var seen []State
		var was []string
		for act := range 60 {
			require.NoError(t, person(s, rng), "seed %d, act %d", seed, act)
			for _, it := range s.State().Pending {
				if it.HasResults() && !it.Incomplete() {
					t.Fatalf("seed %d, act %d: it stands between the last of what was told of %s and its observation",
						seed, act, it.ID)
				}
			}
			settled(t, s)
			st := s.State()
			checkData(t, st)
			seen, was = append(seen, st), append(was, tell(st))
			if rng.IntN(12) == 0 {
				s.Close()
				s = reopen(t, path)
				if now := tell(s.State()); now != was[act] || len(s.Notices()) > 0 {
					t.Fatalf("seed %d, act %d: read back\n%s\nwritten\n%s\n%v", seed, act, now, was[act], s.Notices())
				}
			}
		}
		for i, st := range seen {
			require.Equal(t, was[i], tell(st), "seed %d: the state after act %d has changed", seed, i)
		}
		for _, e := range s.rec.Tree.Events() {
			done[e.Kind]++
		}
		s.Close()
	}
	for _, kind := range []string{
		kindSuggested, kindObserved, kindMeasured, kindDeclared, kindCorrected, kindRejected, recorder.KindForked} {
		if done[kind] < 5 {
			t.Errorf("%d %s events", done[kind], kind)
		}
	}
}

// checkData checks that what a method is given fits what is on record.
func checkData(t *testing.T, st State) {
	t.Helper()
	in, n, failed := st.Input(), 0, 0
	for _, it := range slices.Concat(st.Iterations, st.Pending) {
		for _, pt := range it.Points {
			if !it.HasResults() {
				continue
			}
			if len(pt.Y) != len(st.Problem.Objectives) || pt.Failed == functions.Finite(pt.Y) ||
				pt.SE != nil && len(pt.SE) != len(pt.Y) {
				t.Fatalf("%+v", it)
			}
		}
	}
	for _, it := range st.Iterations {
		for i, pt := range it.Points {
			switch {
			case it.IncompleteAt(i):
			case pt.Failed:
				failed++
			default:
				n++
			}
		}
	}
	if in.Data.Len() != n || n > 0 && !functions.Finite(rows(in.Data.Y)) || len(rows(in.Data.Failed)) != failed*in.Dim {
		t.Fatalf("%d data and %d failures, given %+v", n, failed, in.Data)
	}
	if st.Range != nil && len(st.Range.Best) != len(st.Problem.Objectives) {
		t.Fatalf("the range is %+v", st.Range)
	}
}
