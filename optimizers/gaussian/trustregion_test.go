package gaussian

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/search"
	"bandscope/optimizers/space"
	"bandscope/optimizers/testbed"
)

// published is a trust region as the tutorial of BoTorch 0.18 keeps it (class TurboState and update_state), for values
// that are minimized.
type published struct {
	length               float64
	successes, failures  int
	tolerance            int
	best                 float64
	restarts             int
	design, dim, perStep int
	values               []float64
}

func (p *published) observe(values []float64) {
	for len(values) > 0 {
		if len(p.values) < p.design {
			p.values, values = append(p.values, values[0]), values[1:]
			p.best = slices.Min(p.values)
			continue
		}
		if len(values) < p.perStep {
			return
		}
		batch := values[:p.perStep]
		values = values[p.perStep:]
		if slices.Min(batch) < p.best-1e-3*math.Abs(p.best) {
			p.successes++
			p.failures = 0
		} else {
			p.successes = 0
			p.failures++
		}
		if p.successes == 3 {
			p.length = math.Min(2*p.length, 1.6)
			p.successes = 0
		} else if p.failures == p.tolerance {
			p.length /= 2
			p.failures = 0
		}
		p.best = math.Min(p.best, slices.Min(batch))
		if p.length < math.Pow(0.5, 7) {
			*p = published{length: 0.8, tolerance: p.tolerance, restarts: p.restarts + 1, design: p.design, dim: p.dim,
				perStep: p.perStep}
		}
	}
}

// regionInput is an input of turbo after some values at one point.
func regionInput(t *testing.T, dim int, values []float64, set ...string) optimizers.Input {
	data := optimizers.Data{X: mat.NewDense(len(values), dim, slices.Repeat([]float64{0.5}, dim*len(values))),
		Y: mat.NewDense(len(values), 1, values)}
	return testbed.InputFor(t, TuRBO, dim, data, append([]string{"initial=4"}, set...)...)
}

// The length, the counters and the restarts of a trust region are those of the published program, for values that
// mostly become better, for values that do not, and in batches.
func TestTrustRegionsChangeAsPublished(t *testing.T) {
	for _, c := range []struct{ dim, q, n int }{{3, 1, 300}, {12, 1, 400}, {7, 4, 400}, {30, 10, 900}} {
		for seed := range uint64(5) {
			rng := rand.New(rand.NewPCG(1, seed))
			values := make([]float64, c.n)
			for i := range values { // long slopes with rests
				values[i] = rng.NormFloat64() - float64(i)*0.02*float64((i/40)%2)
			}
			tolerance := int(math.Ceil(math.Max(4/float64(c.q), float64(c.dim)/float64(c.q))))
			want := published{length: 0.8, tolerance: tolerance, design: 4, dim: c.dim, perStep: c.q}
			want.observe(values)
			h := followRegions(regionInput(t, c.dim, values, fmt.Sprint("update_every=", c.q)))
			got := h.regions[0]
			if got.length != want.length || got.successes != want.successes || got.failures != want.failures ||
				got.restarts != want.restarts || h.rules.failureTolerance != tolerance {
				t.Errorf("d = %d, q = %d, seed %d: length %g, %d successes, %d failures, %d restarts; want %+v", c.dim,
					c.q, seed, got.length, got.successes, got.failures, got.restarts, want)
			}
		}
	}
}

// Three successes double the length, and max(4, d) failures halve it.
func TestTrustRegionByHand(t *testing.T) {
	for _, c := range []struct {
		values []float64
		length float64
	}{{[]float64{9, 9, 9, 9}, 0.8}, {[]float64{9, 9, 9, 9, 8, 7}, 0.8}, {[]float64{9, 9, 9, 9, 8, 7, 6}, 1.6},
		{[]float64{9, 9, 9, 9, 8, 7, 6, 5, 4, 3}, 1.6}, {[]float64{9, 9, 9, 9, 8, 7, 7, 6}, 0.8},
		{[]float64{9, 9, 9, 9, 8.999, 8.998, 8.997}, 0.8}, // gains below 0.1 %
		{[]float64{9, 9, 9, 9, 9, 9, 9, 9}, 0.8}, {[]float64{9, 9, 9, 9, 9, 9, 9, 9, 9}, 0.4}} {
		if got := followRegions(regionInput(t, 5, c.values)).regions[0].length; got != c.length {
			t.Errorf("after %v the length is %g, want %g", c.values, got, c.length)
		}
	}
}

// Results far away, as of an import, neither shrink nor grow the trust region; failed evaluations are failures.
func TestWhatCountsForATrustRegion(t *testing.T) {
	in := regionInput(t, 4, slices.Repeat([]float64{9}, 4+4*4)) // halved four times: 0.05
	length := followRegions(in).regions[0].length
	require.Equal(t, 0.05, length, "the length")
	data := optimizers.Data{X: mat.NewDense(50, 4, slices.Repeat([]float64{0.9}, 200)),
		Y: mat.NewDense(50, 1, slices.Repeat([]float64{9}, 50))}
	in.Data = optimizers.Data{X: search.Stack(in.Data.X, data.X), Y: search.Stack(in.Data.Y, data.Y)}
	if r := followRegions(in).regions[0]; r.length != length || r.restarts != 0 {
		t.Errorf("results far away change the length from %g to %g", length, r.length)
	}
	in = regionInput(t, 4, slices.Repeat([]float64{9}, 4+3))
	in.Data.Failed, in.Data.FailedAfter = mat.NewDense(1, 4, slices.Repeat([]float64{0.5}, 4)), []int{7}
	if r := followRegions(in).regions[0]; r.length != 0.4 {
		t.Errorf("after three failures and a failed evaluation the length is %g, want 0.4", r.length)
	}
}

// The sides are proportional to the lengthscales, and their product is that of a cube.
func TestSidesOfATrustRegion(t *testing.T) {
	lengths := []float64{0.1, 0.4, math.NaN(), 2.5, 0.3}
	weights, product := sideWeights(lengths, 5), 1.0
	for j, w := range weights {
		product *= w
		if j != 2 && math.Abs(w/weights[0]-lengths[j]/lengths[0]) > 1e-12 {
			t.Errorf("the sides are %v for lengthscales %v", weights, lengths)
		}
	}
	if math.Abs(product-1) > 1e-12 || weights[2] != 1 {
		t.Errorf("the sides are %v with the product %g", weights, product)
	}
}

// limited is an input with a limit on a quantity, at most 1.
func limited(in optimizers.Input, quantity ...float64) optimizers.Input {
	in.Limits = []optimizers.Limit{{Name: "q", Min: math.Inf(-1), Max: 1, Objective: -1}}
	in.Data.Limits = mat.NewDense(len(quantity), 1, quantity)
	return in
}

// With limits the smaller excess is better, then the smaller value, and both are successes.
func TestTrustRegionsWithLimits(t *testing.T) {
	values := []float64{1, 2, 3, 4, 5, 6, 7, 5, 3}
	in := limited(regionInput(t, 5, values), 4, 5, 6, 7, 3, 2, 0.5, 0.5, 2)
	h := followRegions(in)
	// less excess, less excess, feasible: the length doubles; then a success and a failure
	if r := h.regions[0]; r.length != 1.6 || r.successes != 0 || r.failures != 1 || r.best != 7 {
		t.Errorf("the trust region is %+v", r)
	}
	if r := followRegions(regionInput(t, 5, values)).regions[0]; r.best != 0 || r.length != 0.4 {
		t.Errorf("without limits the trust region is %+v", r)
	}
}

// Suggestions lie in the box, on the levels, within the constraints, and differ from the center in at least one input;
// in 30 variables some stay at the center and 20 change on average.
func TestSuggestionsLieInTheTrustRegion(t *testing.T) {
	levels := make([]float64, 11)
	for i := range levels {
		levels[i] = float64(i) / 10
	}
	mixed := &space.Domain{Inputs: make([]space.Input, 30)}
	mixed.Inputs[3], mixed.Inputs[8] = space.Input{Levels: levels}, space.Input{Levels: levels[:6], Choice: true}
	sum := slices.Repeat([]float64{0}, 30)
	sum[0], sum[1] = 1, 1
	for name, domain := range map[string]*space.Domain{"real": nil, "mixed": mixed,
		"constrained": {Inputs: make([]space.Input, 30), Linear: []space.Linear{{A: sum, B: 0.9}}}} {
		_, data := testbed.Observe(t, "ackley:30", 12)
		data.X.Apply(func(_, j int, v float64) float64 {
			if j < 2 {
				v *= 0.4
			}
			return v
		}, data.X)
		for i := range 12 {
			domain.Snap(data.X.RawRowView(i))
		}
		changed := 0.0
		for step := range 10 {
			in := testbed.InputFor(t, TuRBO, 30, data, "initial=4", "restarts=1")
			in.Domain, in.Step = domain, 12+step
			b := testbed.Fit(t, TuRBO, in).(*regionsBelief)
			s, err := b.Suggest(t.Context())
			require.NoError(t, err)
			x, p := s.X.RawRowView(0), b.places[0]
			inside, err := b.Feasible(t.Context(), s.X)
			if err != nil || !inside[0] || !domain.Feasible(x) || !slices.Equal(domain.Snap(slices.Clone(x)), x) {
				t.Errorf("%s: the suggestion %v is not in the box from %v to %v", name, x, p.low, p.high)
			}
			for j, v := range x {
				if v != p.center[j] {
					changed++
				}
			}
		}
		if name == "real" && (changed/10 < 16 || changed/10 > 24) { // 20 ± 2.6 / √10 of each
			t.Errorf("%s: %g inputs change on average, want 20", name, changed/10)
		}
	}
}
