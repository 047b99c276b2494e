package acts_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/optimizers/search"
	"bandscope/sessions"
	"bandscope/sessions/acts"
)

// finiteSession is a session on an experiment with 2 × 4 combinations.
func finiteSession(t *testing.T, method, keys string) *sessions.Session {
	t.Helper()
	d, err := experiment.Parse("problem", []byte("name = \"cake\"\n[[variable]]\nname = \"flour\"\nkind = \"choice\"\n"+
		"choices = [\"rye\", \"wheat\"]\n[[variable]]\nname = \"eggs\"\nkind = \"integer\"\nlow = 1\nhigh = 4\n"+
		"[[objective]]\nname = \"taste\"\ndirection = \"maximize\"\n"+keys))
	require.NoError(t, err)
	s, err := sessions.New(t.Context(), sessions.Config{Problem: d.Name, Experiment: d, Optimizer: method, Seed: 5})
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func result(name string, y float64) functions.Result {
	return functions.Result{Values: map[string]float64{name: y}}
}

// A finite space gives each combination once, also if more are asked for, and then ends; with noise it goes on.
func TestFiniteSpaceEnds(t *testing.T) {
	for _, method := range []string{"gp-ei", "gp-ucb", "random"} {
		s := finiteSession(t, method, "")
		seen := map[string]bool{}
		for _, n := range []int{3, 11} {
			points, err := acts.AskPoints(t.Context(), s, acts.AskArgs{Count: new(n), New: true}, nil)
			require.NoError(t, err)
			for _, p := range points {
				if key := fmt.Sprint(p.Input()); seen[key] {
					t.Errorf("%s: %s is suggested twice", method, key)
				} else {
					seen[key] = true
				}
			}
			want := ""
			if n == 11 {
				want = "5 points instead of 11: none of 8 combinations is left: 0 evaluated, 8 pending"
			}
			assert.Equal(t, want, acts.Shortfall(s.State(), len(points), n), method)
		}
		for i, p := range acts.Pending(s) {
			if _, err := acts.TellPoint(s, p.Name, result("taste", float64(i)), false); err != nil {
				t.Fatal(err)
			}
		}
		_, err := acts.AskPoints(t.Context(), s, acts.AskArgs{Count: new(1)}, nil)
		if !search.IsExhausted(err) || s.State().StopReason() != "all 8 combinations are evaluated" || len(seen) != 8 {
			t.Errorf("%s: %v, %q after %d", method, err, s.State().StopReason(), len(seen))
		}
	}
	noisy := finiteSession(t, "gp-ei", "noise = 0.5\n")
	points, err := acts.AskPoints(t.Context(), noisy, acts.AskArgs{Count: new(9)}, nil)
	if err != nil || len(points) != 9 {
		t.Errorf("with noise: %d points, %v", len(points), err)
	}
}

// A plate that is larger than a finite space is filled with what exists, and says so; the same request returns it again.
func TestPlateLargerThanTheSpace(t *testing.T) {
	s := finiteSession(t, "gp-ei", "")
	o := acts.AskArgs{Plate: &acts.PlateArgs{Size: acts.PlateSize{Rows: 3, Columns: 5}}}
	first, err := acts.AskPlate(t.Context(), s, o, nil)
	if err != nil || len(first.Points) != 8 || !strings.HasPrefix(first.Note, "8 points instead of 15: none of 8") {
		t.Fatalf("%d points, %q, %v", len(first.Points), first.Note, err)
	}
	again, err := acts.AskPlate(t.Context(), s, o, nil)
	if err != nil || again.ID != first.ID || again.Note != first.Note {
		t.Errorf("again: %+v, %v", again, err)
	}
}

// Points of the initial design carry their place, also those that are asked for together.
func TestPlacesInTheInitialDesign(t *testing.T) {
	s := finiteSession(t, "gp-ucb", "")
	points, err := acts.AskPoints(t.Context(), s, acts.AskArgs{Count: new(6)}, nil)
	require.NoError(t, err)
	var places []string
	for _, p := range points {
		if p.Design != nil {
			places = append(places, p.Design.String())
		}
	}
	want := make([]string, 5)
	for i := range want {
		want[i] = fmt.Sprintf("point %d of 5 of the initial design", i+1)
	}
	if !slices.Equal(places, want) {
		t.Errorf("%q, want %q", places, want)
	}
	assert.Nil(t, acts.StatusWithoutModel(s).Design, "the next suggestion")
}
