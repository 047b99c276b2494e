package front

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/tui/picture/internal/trial"
	"bandscope/tui/theme"
)

// attained is the region of a session's first two objectives that is shown in a plot of cols×rows cells from (x0, y0),
// at the bottom left, to (x1, y1).
func attained(t *testing.T, st sessions.State, cols, rows int, x0, y0, x1, y1 float64) (held []bool,
	evaluate func(x, y float64) (col, row float64)) {
	t.Helper()
	all, err := ComputeAttainable(t.Context(), st)
	require.NoError(t, err)
	d := Drawing{Style: theme.New(true, theme.TrueColor, false), State: st, J: 1, Reveal: true, Moving: -1,
		Attainable: all, Outcomes: &Outcomes{}}
	evaluate = func(x, y float64) (float64, float64) {
		return (x - x0) / (x1 - x0) * float64(cols), (y1 - y) / (y1 - y0) * float64(rows)
	}
	return d.region().Cells(cols, rows, evaluate), evaluate
}

// Of problems whose attainable region has a closed form every cell of it is shown, and none that lies wholly outside:
// no gap of a sample, and nothing beyond the front. What lies inside is 1 or more.
func TestAttainable(t *testing.T) {
	for _, c := range []struct {
		problem        string
		cols, rows     int
		x0, y0, x1, y1 float64
		inside         func(x, y float64) float64
	}{
		{"thesis-xy", 34, 16, 0, 0, 1.05, 1.05, func(x, y float64) float64 { return 2 - math.Hypot(x, y) }},
		{"thesis-xy", 120, 60, 0.5, 0, 1.05, 0.3, func(x, y float64) float64 { return 2 - math.Hypot(x, y) }},
		{"zdt1", 74, 19, 0, 0, 1, 6, func(x, y float64) float64 { return y + math.Sqrt(max(x, 0)) }},
		{"zdt2", 100, 40, 0, 0, 1, 6, func(x, y float64) float64 { return y + x*x }},
		{"zdt3:2", 100, 60, 0, -1, 1, 1.2, func(x, y float64) float64 {
			return y + math.Sqrt(max(x, 0)) + x*math.Sin(10*math.Pi*x)
		}},
		{"dtlz2-k2", 74, 19, 0, 0, 1, 1.2, math.Hypot},
	} {
		st := trial.RunSteps(t, sessions.Config{Problem: c.problem, Optimizer: "random", Seed: 4}, 1).State()
		held, _ := attained(t, st, c.cols, c.rows, c.x0, c.y0, c.x1, c.y1)
		w, h := (c.x1-c.x0)/float64(c.cols), (c.y1-c.y0)/float64(c.rows)
		missing, beyond := 0, 0
		for row := range c.rows {
			for col := range c.cols {
				x, y := c.x0+(float64(col)+0.5)*w, c.y1-(float64(row)+0.5)*h
				least, most := math.Inf(1), math.Inf(-1)
				for _, corner := range [][2]float64{
					{x - w/2, y - h/2}, {x + w/2, y - h/2}, {x - w/2, y + h/2}, {x + w/2, y + h/2}} {
					v := c.inside(corner[0], corner[1])
					least, most = min(least, v), max(most, v)
				}
				switch in := held[row*c.cols+col]; {
				case least >= 1 && !in:
					missing++
				case most < 1-1e-9 && in:
					beyond++
				}
			}
		}
		if whole := st.Problem.Dim() == 2; missing > 0 || beyond > c.cols*c.rows/100 || whole && beyond > 0 {
			t.Errorf("%s in %d×%d cells: %d of the region are missing, %d beyond it are shown", c.problem, c.cols,
				c.rows, missing, beyond)
		}
	}
	held, position := attained(t, trial.RunSteps(t, sessions.Config{Problem: "branin-currin", Optimizer: "random", Seed: 4},
		1).State(), 74, 19, -8, 1, 160, 14)
	for f1 := 20.0; f1 <= 120; f1 += 2.5 {
		for f2 := 3.0; f2 <= 11.5; f2 += 0.25 {
			if col, row := position(f1, f2); !held[int(row)*74+int(col)] {
				t.Errorf("branin-currin: (%g, %g) is not shown", f1, f2)
			}
		}
	}
}

// What was measured lies in the region, where noise is added its true outcome; limits hold in all of it; what is given
// up ends.
func TestMeasuredIsAttainable(t *testing.T) {
	for _, cfg := range []sessions.Config{
		{Problem: "thesis-xy", Seed: 4, Noise: 0.3}, {Problem: "branin4-currin4", Seed: 2},
		{Problem: "gp-draws", Seed: 1}, {Problem: "binh-korn", Seed: 3}} {
		cfg.Optimizer = "random"
		st := trial.RunSteps(t, cfg, 8).State()
		all, err := ComputeAttainable(t.Context(), st)
		if err != nil || len(all.Outcomes) < 1000 {
			t.Fatalf("%s: %v, %d outcomes", cfg.Problem, err, len(all.Outcomes))
		}
		region := Drawing{State: st, J: 1, Attainable: all, Outcomes: &Outcomes{}}.region()
		for i, it := range st.Iterations {
			y := it.Points[0].Judged()
			if !st.Problem.Feasible(y) {
				continue
			}
			if k := slices.Index(region.X, y[0]); k < 0 || region.Y[k] != y[1] {
				t.Errorf("%s: outcome %d, %v, is not in the region", cfg.Problem, i, y)
			}
		}
		for _, y := range all.Outcomes {
			require.True(t, st.Problem.Feasible(y), "%s: %v is beyond a limit", cfg.Problem, y)
		}
	}
	st := trial.RunSteps(t, sessions.Config{Problem: "zdt1", Optimizer: "random", Seed: 4}, 1).State()
	half, err := functions.ParseConstraint("x1 <= 0.5", st.Problem.Domain)
	require.NoError(t, err)
	constrained := st
	problem := *st.Problem
	problem.Constraints, constrained.Problem = []functions.Constraint{half}, &problem
	if all, err := ComputeAttainable(t.Context(), constrained); err != nil || len(all.Outcomes) < 1000 ||
		slices.ContainsFunc(all.Outcomes, func(y []float64) bool { return y[0] > 0.5+1e-9 }) {
		t.Errorf("a constraint does not hold: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = ComputeAttainable(ctx, st)
	assert.ErrorIs(t, err, context.Canceled, "given up: %v", err)
	st.Problem.Truth = nil
	if all, err := ComputeAttainable(t.Context(), st); all != nil || err != nil {
		t.Errorf("without a truth: %v, %v", all, err)
	}
}
