package sessions

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/optimizers"
)

// recipe is a mixture of three components with steps, in percent, and a speed.
func recipe(t *testing.T, optimizer string) Config {
	t.Helper()
	text, err := os.ReadFile("../functions/experiment/testdata/recipe.toml")
	require.NoError(t, err)
	d, err := experiment.Parse("recipe.toml", text)
	require.NoError(t, err)
	return Config{Experiment: d, Optimizer: optimizer, Seed: 3, Budget: 20}
}

// foam is a smooth function of the recipe.
func foam(x []float64) float64 {
	return 10 - math.Pow(x[0]/100-0.52, 2)*40 - math.Pow(x[2]/20-0.4, 2)*3 - math.Pow(math.Log(x[3]), 2)
}

// Every suggestion lies on the grid of the steps, its components sum to the total, and both hold for the digits that are
// recorded; over the end of the program, in batches and beside pending points.
func TestMixturesHoldOnTheGrid(t *testing.T) {
	if testing.Short() {
		t.Skip("it computes for long on one goroutine")
	}
	for _, optimizer := range []string{"gp-ei", "gp-ts", "random"} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		cfg := recipe(t, optimizer)
		if optimizer != "random" {
			cfg.Params = map[string]any{"restarts": 1, "hyperparameters": "fitted"}
		}
		s, err := New(t.Context(), cfg)
		if err == nil {
			err = s.SaveAs(path)
		}
		require.NoError(t, err)
		for n := range 9 {
			its, err := s.AskBatch(t.Context(), Batch{Points: 1 + n%2}, nil)
			require.NoError(t, err, optimizer)
			for _, it := range its {
				x := it.Points[0].X
				p := s.State().Problem
				if err := p.Domain.CheckSteps(x); err != nil || math.Abs(x[0]+x[1]+x[2]-100) > 1e-12 {
					t.Errorf("%s suggests %v: %v", optimizer, x, err)
				}
				for j, v := range p.Domain {
					if text := fmt.Sprint(x[j]); len(text) > len(v.Text(x[j])) {
						t.Errorf("%s is recorded as %s and shown as %s", v.Name, text, v.Text(x[j]))
					}
				}
				_, err = s.Tell(it.ID, functions.Outcome{Values: []float64{foam(x)}})
				require.NoError(t, err)
			}
			if n == 4 {
				s.Close()
				if s, err = Open(t.Context(), path); err != nil {
					t.Fatal(err)
				}
			}
		}
		s.Close()
	}
}

// A result may be measured beside the grid, where the model sees the real number; bounds are values of the grid.
func TestResultsBesideTheGrid(t *testing.T) {
	s, err := New(t.Context(), recipe(t, "gp-ei"))
	require.NoError(t, err)
	defer s.Close()
	it, err := s.Ask(t.Context(), nil)
	require.NoError(t, err)
	x := []float64{50.17, 39.83, 10, 1.234}
	if it, err = s.Tell(it.ID, functions.Outcome{Values: []float64{1}, At: x}); err != nil || !slices.Equal(it.Points[0].X, x) {
		t.Fatalf("measured at %v: %v, %v", x, it.Inputs(), err)
	}
	in := s.State().Input()
	if got := s.State().Problem.Domain.FromUnit(mat.Row(nil, 0, in.Data.X)); math.Abs(got[3]-1.234) > 1e-12 {
		t.Errorf("the model sees %v", got)
	}
	want := "speed must be 0.1 plus a multiple of its step 0.1, such as 1.2 or 1.3, got 1.25"
	if err := s.Bound(t.Context(), "speed", 1.25, 3, ""); err == nil || err.Error() != want {
		t.Errorf("%v, want %q", err, want)
	}
	assert.NoError(t, s.Bound(t.Context(), "speed", 1.2, 1.4, ""))
	if it, err := s.Ask(t.Context(), nil); err != nil || !slices.Contains([]float64{1.2, 1.3, 1.4}, it.Points[0].X[3]) {
		t.Errorf("within the bounds %v is suggested, %v", it.Inputs(), err)
	}
}

// A step can change midway, with the bounds; it holds for the suggestions from there on, also after the session is opened
// again, and going back restores the old one.
func TestStepsMidway(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s, err := New(t.Context(), recipe(t, "gp-ei"))
	if err == nil {
		err = s.SaveAs(path)
	}
	require.NoError(t, err)
	step := func(v float64) *float64 { return &v }
	for v, want := range map[float64]string{-1: "the step of speed must be above 0", 100: "the step of speed must be above 0",
		0.7: "speed must be 0.1 plus a multiple of its step 0.7, such as 2.9 or 3.6, got 3.1"} {
		if err := s.Narrow(t.Context(), "", Bounds{"speed", 0.1, 3.1, step(v)}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("a step of %g: %v, want %q", v, err, want)
		}
	}
	require.NoError(t, s.Narrow(t.Context(), "", Bounds{"speed", 0.1, 3.1, step(1.5)}))
	s.Close()
	if s, err = Open(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	seen := map[float64]bool{}
	for range 12 {
		it, err := s.Ask(t.Context(), nil)
		require.NoError(t, err)
		seen[it.Points[0].X[3]] = true
	}
	if len(seen) != 3 || !seen[0.1] || !seen[1.6] || !seen[3.1] {
		t.Errorf("the suggested speeds are %v", seen)
	}
	if d := s.State().Config.Experiment; d.Variables[3].Step != 1.5 {
		t.Errorf("the declaration has the step %g", d.Variables[3].Step)
	}
	require.NoError(t, s.Narrow(t.Context(), "", Bounds{"speed", 0.1, 10, step(0)}))
	if v := s.State().Problem.Domain[3]; v.Step != 0 || s.setup.problem.Domain[3].Step != 0.1 {
		t.Errorf("without a step it has %g, at the start %g", v.Step, s.setup.problem.Domain[3].Step)
	}
}

// Steps that leave no point say so when the session begins.
func TestStepsWithoutAPoint(t *testing.T) {
	cfg := recipe(t, "random")
	d := *cfg.Experiment
	d.Constraints = []string{"water + 0.001 * oil == 33.7123"}
	cfg.Experiment = &d
	want := "no point with the steps of the variables and within the bounds fulfils 'water + oil + soap == 100' and 'water + 0.001 * oil == 33.7123'"
	if _, err := New(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}

// The order of the components in the file does not matter to what a Gaussian process believes, nor to what expected
// improvement suggests.
func TestOrderOfComponents(t *testing.T) {
	order := []int{2, 3, 0, 1}
	cfg, data := recipe(t, "gp-ei"), [][]float64{{50, 40, 10, 1}, {60, 30, 10, 2}, {30, 60, 10, 0.5}, {70, 20, 10, 5},
		{80, 20, 0, 1}, {45, 40, 15, 1.5}, {55, 30, 15, 3}, {40, 55, 5, 2}}
	values := [][]float64{{52.5, 37.5, 10, 1.1}, {22.5, 60, 17.5, 7}, {77.5, 17.5, 5, 0.2}}
	turned := func(x []float64) []float64 {
		y := make([]float64, len(x))
		for i, j := range order {
			y[i] = x[j]
		}
		return y
	}
	same := func(x []float64) []float64 { return x }
	declared := *cfg.Experiment
	for i := range declared.Variables {
		declared.Variables[i].Step = 0 // which rounds what differs
	}
	other := declared
	other.Variables = nil
	for _, j := range order {
		other.Variables = append(other.Variables, declared.Variables[j])
	}
	other.Mixtures = []functions.Mixture{{Components: []string{"oil", "soap", "water"}, Total: 100}}
	var bands [2]optimizers.Band
	var next [2][]float64
	for k, c := range []struct {
		d    *experiment.Declaration
		turn func([]float64) []float64
	}{{&declared, same}, {&other, turned}} {
		cfg.Experiment = c.d
		s, err := New(t.Context(), cfg)
		require.NoError(t, err)
		for _, x := range data {
			it, err := s.AskPoint(c.turn(x))
			if err == nil {
				_, err = s.Tell(it.ID, functions.Outcome{Values: []float64{foam(x)}})
			}
			require.NoError(t, err)
		}
		b, err := s.Belief(t.Context(), nil)
		require.NoError(t, err)
		points := mat.NewDense(len(values), 4, nil)
		for i, x := range values {
			points.SetRow(i, c.d.Variables.ToUnit(c.turn(x)))
		}
		all, err := b.Predict(t.Context(), points)
		require.NoError(t, err)
		bands[k] = all[0]
		it, err := s.Ask(t.Context(), nil)
		require.NoError(t, err)
		next[k] = it.Points[0].X
		s.Close()
	}
	for i := range values {
		if a, b := bands[0], bands[1]; math.Abs(a.Mean[i]-b.Mean[i]) > 1e-4*math.Abs(a.Mean[i]) ||
			math.Abs(a.SD[i]-b.SD[i]) > 1e-3*a.SD[i] {
			t.Errorf("at %v: %g ± %g in one order, %g ± %g in another", values[i], a.Mean[i], a.SD[i], b.Mean[i], b.SD[i])
		}
	}
	for i, v := range turned(next[0]) {
		if math.Abs(v-next[1][i]) > 0.3 {
			t.Errorf("suggested are %v and, in another order, %v", turned(next[0]), next[1])
			break
		}
	}
}
