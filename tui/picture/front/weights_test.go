package front

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/model/preference"
	"bandscope/sessions"
	"bandscope/tui/chart"
	"bandscope/tui/picture/internal/trial"
	"bandscope/tui/theme"
)

func outcomeDrawing(t *testing.T, cfg sessions.Config, steps int) Drawing {
	t.Helper()
	s := trial.RunSteps(t, cfg, steps)
	o, err := Compute(context.Background(), s, nil)
	require.NoError(t, err)
	return Drawing{Style: theme.New(true, theme.TrueColor, false), State: s.State(), Outcomes: o, I: 0, J: 1,
		Reveal: true, Moving: -1}
}

// A flat prior is drawn flat: 1 over one weight, 2 over the triangle; a Dirichlet one as its beta law. Nothing of it is
// noise.
func TestPriorsAreDrawnFromTheirClosedForm(t *testing.T) {
	d := outcomeDrawing(t, sessions.Config{Problem: "schaffer", Optimizer: "random", Seed: 1}, 3)
	for _, y := range d.Density().Layers[0].(chart.Area).Y {
		require.InDelta(t, 1, y, 1e-9, "the flat prior is %g somewhere", y)
	}
	d = outcomeDrawing(t, sessions.Config{Problem: "schaffer", Optimizer: "random", Seed: 1,
		Params: map[string]any{"prior": "dirichlet(2, 5)"}}, 3)
	area, beta := d.Density().Layers[0].(chart.Area), distuv.Beta{Alpha: 2, Beta: 5}
	for i, x := range area.X {
		if want := beta.Prob(x); math.Abs(area.Y[i]-want) > 1e-9 {
			t.Fatalf("at %g the prior is %g, want %g", x, area.Y[i], want)
		}
	}
	d = outcomeDrawing(t, sessions.Config{Problem: "dtlz2-k3", Optimizer: "random", Seed: 1}, 3)
	inside := 0
	for _, z := range d.Density().Layers[0].(chart.Heat).Field.Z {
		if math.IsNaN(z) {
			continue
		}
		if inside++; math.Abs(z-2) > 1e-9 {
			t.Fatalf("the flat prior is %g somewhere in the triangle", z)
		}
	}
	if part := float64(inside) / (triangleCols * triangleRows); math.Abs(part-0.5) > 0.02 {
		t.Errorf("the triangle fills %.2f of its square", part)
	}
	d = outcomeDrawing(t, sessions.Config{Problem: "dtlz2-k4", Optimizer: "random", Seed: 1}, 3)
	for k := range 4 { // the margin of a flat law of four weights is Beta(1, 3)
		margin := marginalPDF(d.Outcomes.weightState, k)
		for _, x := range []float64{0.1, 0.5} {
			if want := 3 * math.Pow(1-x, 2); math.Abs(margin(x)-want) > 1e-9 {
				t.Errorf("the law of weight %d is %g at %g, want %g", k, margin(x), x, want)
			}
		}
	}
}

// What has no closed form is estimated smoothly: from draws of known laws the estimate is near them, and no darker at
// the edges.
func TestEstimatedDensities(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	flat := make([]float64, 4000)
	for i := range flat {
		flat[i] = rng.Float64()
	}
	values := []float64{0, 0.02, 0.3, 0.5, 0.98, 1}
	for i, y := range kernelDensity(flat, values) {
		assert.InDelta(t, 1, y, 0.15, "a flat law is estimated as %g at %g", y, values[i])
	}
	draws := make([]preference.Scalarization, 4000)
	for i := range draws {
		w := make([]float64, 3)
		sum := 0.0
		for k := range w {
			w[k] = rng.ExpFloat64()
			sum += w[k]
		}
		for k := range w {
			w[k] /= sum
		}
		draws[i] = preference.Scalarization{Weights: w}
	}
	density := kernelDensity2D(draws)
	sum, n := 0.0, 0.0
	for _, w := range [][]float64{
		{0.33, 0.33, 0.34}, {0.9, 0.05, 0.05}, {0.02, 0.49, 0.49}, {0.49, 0.49, 0.02}, {0.01, 0.01, 0.98}} {
		if got := density(w); math.Abs(got-2) > 0.7 {
			t.Errorf("a flat law over the triangle is estimated as %g at %v", got, w)
		}
		sum, n = sum+density(w), n+1
	}
	assert.InDelta(t, 2, sum/n, 0.35, "it is %g on average", sum/n)
}

// A box below the front is one of which more can be had, with a point that is better in all that it asks for; one at
// the front is neither too low nor out of reach; one beyond is out of reach. A side that asks for nothing is none of
// it.
func TestWhatCanBeHadOfABox(t *testing.T) {
	fronts := [][][]float64{{{0, 1}, {0.5, 0.5}, {1, 0}}, {{0, 0.9}, {0.4, 0.45}, {1, 0}},
		{{0.1, 1}, {0.6, 0.6}, {1, 0.1}}}
	for _, c := range []struct {
		prior        string
		far, exceeds int
	}{
		{"box(0%..20%, 0%..20%)", 0, 1}, {"box(40%..60%, 40%..60%)", 0, 0}, {"box(80%..90%, 80%..90%)", 1, 0},
		{"box(any, 0%..20%)", 0, 1},
		// the last: one of three fronts is better, none of the others comes into it
		{"box(any, any)", 0, 0}, {"box(53%..58%, 53%..58%)", 0, 0},
		{"box(0%..20%, 0%..20%) + box(80%..90%, 80%..90%)", 1, 1}, {"flat", 0, 0},
	} {
		s := trial.RunSteps(t, sessions.Config{Problem: "schaffer", Optimizer: "mobo-rs-ts", Seed: 1,
			Params: map[string]any{"prior": c.prior}}, 3)
		st := s.State()
		o := &Outcomes{Lo: []float64{0, 0}, Hi: []float64{1, 1}}
		for _, front := range fronts {
			var minimized [][]float64
			for _, u := range front {
				minimized = append(minimized, []float64{1 - u[0], 1 - u[1]})
			}
			o.FrontSamples = append(o.FrontSamples, minimized)
		}
		o.computeWeights(st)
		if len(o.Unreached) != c.far || len(o.Exceeded) != c.exceeds {
			t.Errorf("%s: %d out of reach and %d too low, want %d and %d", c.prior, len(o.Unreached), len(o.Exceeded),
				c.far, c.exceeds)
		}
		for _, low := range o.Exceeded {
			if u := st.Outcome(low.At, o.Lo, o.Hi); u[1] <= 0.2 || c.prior[:7] != "box(any" && u[0] <= 0.2 ||
				low.Fronts != 3 {
				t.Errorf("%s: %v of %d fronts is not better", c.prior, u, low.Fronts)
			}
		}
	}
}

// Every place of the triangle of weights has weights that are positive and sum to 1, nearly those of which it is the
// corner: also on the edges, where laws may be infinite; what is beyond the edges has none.
func TestWeightsOfTheTriangle(t *testing.T) {
	for i := range 21 {
		for j := range 21 {
			x, y := float64(i)/20, float64(j)/20
			w, ok := weightsAt(x, y)
			if inside := x >= y/2-1e-12 && x <= 1-y/2+1e-12; ok != inside {
				t.Fatalf("(%g, %g) is inside: %v", x, y, ok)
			}
			if !ok {
				continue
			}
			if position, up := corner(w); min(w[0], w[1], w[2]) <= 0 || math.Abs(w[0]+w[1]+w[2]-1) > 1e-12 ||
				math.Abs(position-x)+math.Abs(up-y) > 1e-3 {
				t.Errorf("the weights at (%g, %g) are %v, of which (%g, %g) is the place", x, y, w, position, up)
			}
		}
	}
	for k, want := range [][2]float64{{0, 0}, {1, 0}, {0.5, 1}} {
		w := []float64{0, 0, 0}
		w[k] = 1
		if x, y := corner(w); x != want[0] || y != want[1] {
			t.Errorf("weight %d alone is at (%g, %g)", k, x, y)
		}
	}
}
