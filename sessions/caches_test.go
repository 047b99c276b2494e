package sessions

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"

	"bandscope/optimizers/search"
)

// After any acts and moves, the path, the stops and the data that are kept are those of the place.
func TestKeptPlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	s := start(t, Config{Problem: "branin", Optimizer: "random", Seed: 3, Budget: 20})
	for range 400 {
		switch rng.IntN(10) {
		case 0:
			s.Back()
		case 1:
			s.Seek(rng.IntN(20))
		case 2:
			s.Last()
		case 3:
			s.Fork("", "")
		case 4:
			s.Timeline()
			s.Note("look")
			if line := s.Timeline(); line.Stops[line.At].Note != "look" {
				t.Fatalf("no note at stop %d", line.At)
			}
		case 5:
			if st := s.State(); len(st.Iterations) > 0 {
				s.Correct(1+rng.IntN(len(st.Iterations)), 0, []float64{rng.Float64()}, "misread")
			}
		case 6:
			branches, _ := s.Branches()
			s.Switch(branches[rng.IntN(len(branches))].ID)
		default:
			x := []float64{float64(rng.IntN(3)), float64(rng.IntN(3))}
			if _, err := s.Record(ByPerson, [][]float64{x}, worth(rng.Float64())); err != nil {
				t.Fatal(err)
			}
		}
		s.rec.Lock()
		if want := s.rec.Tip.PathFromRoot(); !slices.Equal(s.rec.PathToTip(), want) {
			t.Fatal("the path is another one")
		}
		line, stops := s.rec.Timeline(), s.stops()
		s.rec.Unlock()
		place := 0
		for i, e := range stops {
			if st, _ := s.rec.Fold(e); line.Stops[i].Step != len(st.Iterations) {
				t.Fatalf("stop %d is at step %d", i, line.Stops[i].Step)
			}
			if e.Depth <= s.rec.At.Depth {
				place = i
			}
		}
		if len(line.Stops) != len(stops) || line.At != place {
			t.Fatalf("at %d of %d stops, want %d of %d", line.At, len(line.Stops), place, len(stops))
		}
		st := s.State()
		require.Equal(t, st.data(), st.Input().Data)
	}
}

// Repeats are the points near any point before them.
func TestRepeats(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	s := start(t, Config{Problem: "hartmann", Optimizer: "random", Seed: 3, Budget: 20})
	want, count := []int{}, 0
	var evaluated [][]float64
	for range 300 {
		x := make([]float64, 6)
		for j := range x {
			x[j] = float64(rng.IntN(2)) / 2
			if rng.IntN(2) == 0 {
				x[j] += float64(rng.IntN(5)) / 2 * search.RepeatRadius
			}
		}
		if slices.ContainsFunc(evaluated, func(v []float64) bool {
			return floats.Distance(v, x, math.Inf(1)) < search.RepeatRadius
		}) {
			count++
		}
		want, evaluated = append(want, count), append(evaluated, x)
		if _, err := s.Record(ByPerson, [][]float64{x}, worth(1)); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.State().Repeats(); !slices.Equal(got, want) || count == 0 || count == len(want) {
		t.Errorf("%v, want %v", got, want)
	}
}
