package preference

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What the parts of a prior are, beside their text: law, share, values and sides. The parts of a region share what the
// region has.
func TestPartsOfPriors(t *testing.T) {
	side := func(from, end float64, percent bool) Interval {
		return Interval{From: Bound{from, percent}, To: Bound{end, percent}}
	}
	top, mid := []Interval{side(-110, -95, false), side(23, 27, false)},
		[]Interval{side(-80, -70, false), side(16, 22, false)}
	for text, want := range map[string]Prior{
		"flat":                 {{Share: 1, Distribution: Flat}},
		"2.5*half-normal":      {{Share: 2.5, Distribution: Normal}},
		"dirichlet(0.01, 1e6)": {{Share: 1, Distribution: Dirichlet, Alpha: []float64{0.01, 1e6}}},
		"box(60%..80%, any)":   {{Share: 1, Distribution: Box, Box: []Interval{side(60, 80, true), {Any: true}}}},
		"box(1e+2..2e+2, -3..-1)": {{Share: 1, Distribution: Box,
			Box: []Interval{side(100, 200, false), side(-3, -1, false)}}},
		"box(3%..2, 5..1%)": {{Share: 1, Distribution: Box,
			Box: []Interval{{From: Bound{3, true}, To: Bound{2, false}}, {From: Bound{5, false}, To: Bound{1, true}}}}},
		"0.5 top + 0.25 flat": {{Share: 0.5, Distribution: Box, Box: top}, {Share: 0.25, Distribution: Flat}},
		"0.4 top/mid + 3 flat": {{Share: 0.2, Distribution: Box, Box: top}, {Share: 0.2, Distribution: Box, Box: mid},
			{Share: 3, Distribution: Flat}},
		"flat+flat + 2 dirichlet(3)": {{Share: 1, Distribution: Flat}, {Share: 1, Distribution: Flat},
			{Share: 2, Distribution: Dirichlet, Alpha: []float64{3}}},
	} {
		got, err := ParsePrior(text, regions)
		if err != nil || len(got) != len(want) {
			t.Errorf("%s: %d parts (%v), want %d", text, len(got), err, len(want))
			continue
		}
		for i, part := range got {
			if part.Distribution != want[i].Distribution || math.Abs(part.Share-want[i].Share) > 1e-12 ||
				!slices.Equal(part.Alpha, want[i].Alpha) || !slices.Equal(part.Box, want[i].Box) {
				t.Errorf("%s: part %d is %+v, want %+v", text, i, part, want[i])
			}
		}
	}
	for _, text := range []string{
		"dirichlet(0.0099)", "dirichlet(1.1e6)", "dirichlet(1,)", "Inf flat", "box()", "box(1..2, 3..NaN)", "nothing",
		"5", "half-normal(1)", "box", strings.Repeat("+", 3)} {
		if p, err := ParsePrior(text, nil); err == nil {
			t.Errorf("%q is %+v", text, p)
		}
	}
	assert.Error(t, ValidPrior("Top"), "a region's name is in capitals")
	if part := BoxPart(2, []Interval{side(1, 2.5, false), {Any: true}, side(10, 20, true)}); part.Text !=
		"box(1..2.5, any, 10%..20%)" || part.Share != 2 || part.Distribution != Box || len(part.Box) != 3 {
		t.Errorf("a box is %+v", part)
	}
}

// Outcomes are inside of a prior where they are in one of its boxes, borders included; a side that asks for nothing
// holds everything.
func TestInside(t *testing.T) {
	p, err := ParsePrior("box(0.2..0.4, 10%..30%) + flat + box(0.8..0.9, any)", nil)
	require.NoError(t, err)
	if len(p.Boxes()) != 2 {
		t.Errorf("there are %d boxes", len(p.Boxes()))
	}
	for _, c := range []struct {
		u    []float64
		want bool
	}{
		{[]float64{0.3, 0.2}, true}, {[]float64{0.2, 0.1}, true}, {[]float64{0.4, 0.3}, true},
		{[]float64{0.19, 0.2}, false}, {[]float64{0.41, 0.2}, false},
		{[]float64{0.3, 0.09}, false}, {[]float64{0.3, 0.31}, false}, {[]float64{0.85, -7}, true},
		{[]float64{0.85, 9}, true}, {[]float64{0.95, 0.2}, false}, {[]float64{0.6, 0.2}, false},
	} {
		assert.Equal(t, c.want, p.Inside(c.u, plain), "%v is inside", c.u)
	}
	lo, hi := Span([]Interval{{From: Bound{0.4, false}, To: Bound{20, true}}, {Any: true}}, plain)
	if lo[0] != 0.2 || hi[0] != 0.4 || !math.IsInf(lo[1], -1) || !math.IsInf(hi[1], 1) {
		t.Errorf("a box spans %v to %v", lo, hi)
	}
}

// A side that asks for nothing wants any outcome from the worst to the best alike: of one side in [a, a+ε] and one
// free, λ2/λ1 is uniform in [0, 1]/a.
func TestFreeSides(t *testing.T) {
	p, err := ParsePrior("box(0.5..0.5001, any)", nil)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(3, 9))
	const draws = 4000
	sum, square := 0.0, 0.0
	for range draws {
		w := p.Draw(2, false, plain, rng).Weights
		u := 0.5 * w[1] / w[0]
		sum, square = sum+u/draws, square+u*u/draws
	}
	if math.Abs(sum-0.5) > 5*math.Sqrt(1.0/12/draws) || math.Abs(square-1.0/3) > 5*math.Sqrt(4.0/45/draws) {
		t.Errorf("the free side's outcomes have moments %g and %g, want 1/2 and 1/3", sum, square)
	}
}

// Particles by hand: the effective number, draws by mass, and systematic draws, whose counts are n times the mass up to
// one.
func TestParticlesByMass(t *testing.T) {
	masses := []float64{0.5, 0.02, 0.08, 0.4}
	q := &Posterior{}
	for i, m := range masses {
		q.Particles = append(q.Particles, Particle{Mass: m, Part: i})
	}
	if want := 1 / (0.25 + 0.0004 + 0.0064 + 0.16); math.Abs(q.EffectiveSampleSize()-want) > 1e-12 {
		t.Errorf("the effective number is %g, want %g", q.EffectiveSampleSize(), want)
	}
	rng := rand.New(rand.NewPCG(4, 4))
	const draws = 20000
	counts := make([]float64, 4)
	for range draws {
		counts[q.SampleParticle(rng).Part]++
	}
	for i, m := range masses {
		if math.Abs(counts[i]/draws-m) > 5*math.Sqrt(m*(1-m)/draws) {
			t.Errorf("particle %d is drawn %g times of %d", i, counts[i], draws)
		}
	}
	for _, n := range []int{3, 10, 25, 400} {
		for _, first := range []float64{0, 0.3, 0.5, 0.999} {
			got := make([]float64, 4)
			last := 0
			for _, p := range systematic(q.Particles, n, first) {
				if p.Part < last || p.Mass != 1/float64(n) {
					t.Fatalf("particle %d of mass %g comes after %d", p.Part, p.Mass, last)
				}
				last = p.Part
				got[p.Part]++
			}
			for i, m := range masses {
				if math.Abs(got[i]-m*float64(n)) >= 1+1e-9 {
					t.Errorf("%d systematic draws take particle %d %g times", n, i, got[i])
				}
			}
		}
	}
	if few := q.subsample(4); len(few) != 4 || few[0].Mass != 0.5 {
		t.Errorf("few particles are %v", few)
	}
	if few := q.subsample(2); len(few) != 2 || few[0].Part != 0 || few[1].Part != 3 {
		t.Errorf("two particles that stand for four are %v", few)
	}
}
