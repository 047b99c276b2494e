package optimizers

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/model/gp"
	"bandscope/model/kernel"
)

// Samples at more inputs than a joint draw is made at follow the band as the others do: in the problem's units, with its mean and its standard deviation.
func TestManySamplesFollowTheBand(t *testing.T) {
	ctx := context.Background()
	_, data := observe(t, "branin", 7)
	x := probes(jointRows+1, 2)
	const draws = 3
	for _, spec := range []Spec{gpEI, ntkTS} {
		b := fit(t, spec, input(t, spec, 2, data, "auto_gamma=off"))
		samples, err := b.Samples(ctx, x, draws, 3)
		if err != nil {
			t.Fatal(err)
		}
		band, err := b.Predict(ctx, x)
		if err != nil {
			t.Fatal(err)
		}
		square, n := 0.0, 0.0
		for j, sd := range band[0].SD {
			for i := range draws {
				z := (samples[0].At(i, j) - band[0].Mean[j]) / sd
				square, n = square+z*z, n+1
			}
		}
		// Of few functions the mean square over all inputs is about 1: their values at different inputs are not independent.
		if m := square / n; m < 0.4 || m > 2.2 {
			t.Errorf("%s: samples are off the mean by %.2f standard deviations in the mean square", spec.Name, m)
		}
		again, err := b.Samples(ctx, x, draws, 3)
		if err != nil || !mat.Equal(samples[0], again[0]) {
			t.Errorf("%s: the same draw is another (%v)", spec.Name, err)
		}
		if other, _ := b.Samples(ctx, x, draws, 4); mat.Equal(samples[0], other[0]) {
			t.Errorf("%s: another draw is the same", spec.Name)
		}
	}
}

// Which methods fit how many objectives, and what they declare for them.
func TestRegistry(t *testing.T) {
	several := []string{"mobo-rs-ucb", "mobo-rs-ts", "parego", "smsego", "ehvi", "moead-ego", "pesmo", "random"}
	if got := FittingNames(2); !slices.Equal(got, several) {
		t.Errorf("for two objectives there are %v, want %v", got, several)
	}
	if got := FittingNames(1); !slices.Equal(got, Names()) {
		t.Errorf("for one objective there are %v", got)
	}
	if Default(1) != "neural-greedy" || Default(2) != "mobo-rs-ts" || Default(3) != "mobo-rs-ts" {
		t.Errorf("one begins with %s and %s", Default(1), Default(2))
	}
	for _, s := range All() {
		if found, err := Find(s.Name); err != nil || found.Name != s.Name {
			t.Errorf("%s is not found: %v", s.Name, err)
		}
		if one, two := s.Declared(1), s.Declared(2); len(one) != len(s.Params) || len(two) != len(s.Params)+len(s.Judge) || len(two) > 0 && len(s.Judge) > 0 && two[0].Key != s.Judge[0].Key {
			t.Errorf("%s declares %d and %d parameters", s.Name, len(one), len(two))
		}
		steered := slices.Contains([]string{"mobo-rs-ucb", "mobo-rs-ts"}, s.Name)
		if s.Steered() != steered {
			t.Errorf("%s is steered: %v", s.Name, s.Steered())
		}
	}
}

// The expected improvement is an integral over the normal law, in whatever units.
func TestExpectedImprovementIsTheIntegral(t *testing.T) {
	for _, c := range [][3]float64{{0, 1, 0}, {0, 1, 1.3}, {5, 2, 3}, {-100, 30, -140}, {0.2, 0.01, 0.21}} {
		law := distuv.Normal{Mu: c[0], Sigma: c[1]}
		want := quad.Fixed(func(f float64) float64 { return (c[2] - f) * law.Prob(f) }, c[0]-12*c[1], c[2], 400, nil, 0)
		if got := ExpectedImprovement(c[0], c[1], c[2]); math.Abs(got-want) > 1e-9*(c[1]+want) {
			t.Errorf("below %g of %g ± %g it is %g, want %g", c[2], c[0], c[1], got, want)
		}
	}
}

// Before the first datum no method has a theory, a band is the prior's, and the legend says so.
func TestBeforeTheFirstDatum(t *testing.T) {
	ctx := context.Background()
	for _, spec := range []Spec{gpEI, ntkUCB, neuralGreedy, neuralUCB} {
		b := fit(t, spec, input(t, spec, 2, Data{}, "width=16", "ensemble=2"))
		if _, err := b.(Theorist).Theory(ctx); !errors.Is(err, ErrAbsent) {
			t.Errorf("%s has a theory of no data: %v", spec.Name, err)
		}
	}
	for _, spec := range []Spec{gpEI, ntkUCB} {
		before := fit(t, spec, input(t, spec, 2, Data{})).Legend()
		_, data := observe(t, "branin", 4)
		after := fit(t, spec, input(t, spec, 2, data)).Legend()
		if before.Samples != "prior samples" || after.Samples != "posterior samples" || before.Band == after.Band {
			t.Errorf("%s: %q with %q before, %q with %q after", spec.Name, before.Samples, before.Band, after.Samples, after.Band)
		}
	}
	for _, c := range []struct {
		v    []float64
		want string
	}{{[]float64{1, 2, 3, 4}, "1 2 3 4"}, {[]float64{1, 2, 3, 4, 5}, "1 2 3 …"}, {[]float64{0.5}, "0.5"}} {
		if got := firstFew(c.v); got != c.want {
			t.Errorf("%v is written %q", c.v, got)
		}
	}
}

// What was observed without noise bounds the region that a drawn front leaves, what was observed with noise does not; a front with too many cells is thinned.
func TestCellsOfDrawnFronts(t *testing.T) {
	k := kernel.Stationary{Form: kernel.SE, Scale: 1, Lengths: []float64{1}}
	belief := func(noises ...float64) *informationBelief {
		b := &informationBelief{frontBelief: &frontBelief{moboBelief: &moboBelief{in: Input{Objectives: 2}}, front: [][]float64{{0.1, 0.2}}}}
		for _, noise := range noises {
			g, err := gp.New(k, noise, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			b.parts = append(b.parts, &gpBelief{gp: g})
		}
		return b
	}
	drawn := [][]float64{{0, 1}, {0.5, 0.5}, {1, 0}}
	for _, c := range []struct {
		noises []float64
		want   int // cells that hold (0.3, 0.4), which only the observed point dominates
	}{{[]float64{0, 0}, 1}, {[]float64{1e-4, 1e-4}, 1}, {[]float64{0.1, 0.1}, 0}, {[]float64{0, 0.1}, 0}} {
		cells := belief(c.noises...).cellsOf(drawn)
		if got := holding(cells, []float64{0.3, 0.4}); got != c.want {
			t.Errorf("noise %v: (0.3, 0.4) lies in %d cells, want %d", c.noises, got, c.want)
		}
		if holding(cells, []float64{0.6, 0.7}) != 1 || holding(cells, []float64{0.05, 0.05}) != 0 {
			t.Errorf("noise %v: the region is another", c.noises)
		}
	}
	var circle [][]float64
	for i := range 3 * informationCells {
		s, c := math.Sincos(math.Pi / 2 * float64(i) / (3*informationCells - 1))
		circle = append(circle, []float64{1 - s, 1 - c})
	}
	cells := belief(0.1, 0.1).cellsOf(circle)
	if len(cells) > informationCells || len(cells) < informationCells/3 {
		t.Errorf("a front of %d points has %d cells", len(circle), len(cells))
	}
	if holding(cells, []float64{0.31, 0.31}) != 1 || holding(cells, []float64{0.28, 0.28}) != 0 { // the circle is at 1 − √½ = 0.293
		t.Error("a thinned front is elsewhere")
	}
}

// The name of an acquisition says where it may be maximized.
func TestCostIDSNamesItsConstraint(t *testing.T) {
	_, data := observe(t, "forrester", 5)
	for set, want := range map[string]string{"rho=2.5": "cost × information ratio (log10), lower is better; where R ≤ 2.5 R*", "rho_inf=on": "cost × information ratio (log10), lower is better"} {
		in := input(t, costIDS, 1, data, set)
		if got := fit(t, costIDS, in).Legend().Acquisition; got != want {
			t.Errorf("with %s the acquisition is %q, want %q", set, got, want)
		}
	}
}
