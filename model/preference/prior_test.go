package preference

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var regions = map[string]string{"top": "box(-110..-95, 23..27)", "mid": "box(-80..-70, 16..22)",
	"top/mid": "box(-110..-95, 23..27) + box(-80..-70, 16..22)"}

// What is written is read back, region names are kept, and what is wrong is said.
func TestParsePrior(t *testing.T) {
	for _, c := range []struct{ text, want, err string }{
		{"flat", "flat", ""},
		{" half-normal ", "half-normal", ""},
		{"dirichlet( 2 )", "dirichlet( 2 )", ""},
		{"0.3 top + 0.7*flat", "0.3 top + 0.7 flat", ""},
		{"top/mid", "0.5 box(-110..-95, 23..27) + 0.5 box(-80..-70, 16..22)", ""},
		{"box(60%..80%, any)", "box(60%..80%, any)", ""},
		{"box(1e+2..2e+2, any)", "box(1e+2..2e+2, any)", ""},
		{"", "", "empty"},
		{"flat +", "", "empty"},
		{"mod", "", "regions mid, top, top/mid"},
		{"dirichlet", "", "take values"},
		{"dirichlet(0)", "", "positive"},
		{"dirichlet(-1, 2)", "", "positive"},
		{"dirichlet(NaN)", "", "positive"},
		{"-1 flat", "", "share"},
		{"0 flat", "", "share"},
		{"box(3..2, any)", "", "from the smaller to the larger"},
		{"box(3..3, any)", "", "empty"},
		{"box(3, any)", "", "from..to"},
		{"box(a..b, any)", "", "not a value"},
		{"box(1..Inf, any)", "", "not a value"},
		{"box(1..2", "", "parenthesis"},
		{"flat(2)", "", "do not"},
		{strings.Repeat("flat+", 300) + "flat", "", "characters"},
	} {
		p, err := ParsePrior(c.text, regions)
		if c.err != "" {
			assert.ErrorContains(t, err, c.err, "%q: %v, want an error with %q", c.text, err, c.err)
			continue
		}
		assert.NoError(t, ValidPrior(c.text), "%q is not valid", c.text)
		if err != nil || p.String() != c.want {
			t.Errorf("%q is %q (%v), want %q", c.text, p, err, c.want)
		}
	}
}

func TestCheckPrior(t *testing.T) {
	for _, c := range []struct {
		text string
		k    int
		err  string
	}{{"top", 2, ""}, {"top", 3, "2 sides"}, {"dirichlet(1, 2)", 2, ""}, {"dirichlet(1,2)", 3, "2 values"},
		{"dirichlet(2)", 5, ""}} {
		p, err := ParsePrior(c.text, regions)
		require.NoError(t, err)
		if err := p.Check(c.k); (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s for %d objectives: %v, want %q", c.text, c.k, err, c.err)
		}
	}
}

// plain maps values of 0 to 1 to themselves, and hundredths to their outcome.
func plain(_ int, b Bound) float64 {
	if b.Percent {
		return b.Value / 100
	}
	return b.Value
}

// On a linear front a box's weights aim at outcomes inside the box's cone: under Tchebyshev the best point of u1 + u2 =
// 1 has λ1 u1 = λ2 u2, so that u1/u2 is between the box's extreme ratios, for a small box around the front inside a box
// little larger.
func TestBoxDrawsAimIntoTheBox(t *testing.T) {
	p, err := ParsePrior("box(0.6..0.7, 30%..40%)", nil)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(3, 3))
	inside := 0
	const draws = 2000
	for range draws {
		w := p.Draw(2, true, plain, rng).Weights
		u := w[1] / (w[0] + w[1]) // λ1 u1 = λ2 u2 on u1 + u2 = 1
		if u < 0.6-1e-9 || u > 0.7+1e-9 {
			t.Fatalf("λ = %v aims at u1 = %g", w, u)
		}
		if p.Inside([]float64{u, 1 - u}, plain) {
			inside++
		}
	}
	assert.Equal(t, draws, inside, "%d of %d draws lie inside the box", inside, draws)
}

// A box below the worst of the first outcomes is aimed at all the same: values count from below it.
func TestBoxBelowZero(t *testing.T) {
	p, err := ParsePrior("box(-0.5..-0.3, 1.3..1.5)", nil)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(3, 5))
	for range 500 {
		s := p.Draw(2, true, plain, rng)
		u := (s.Weights[1] - s.Weights[0]*0.6) / (s.Weights[0] + s.Weights[1]) // λ1 (u1 + 0.6) = λ2 u2 on u1 + u2 = 1
		if s.Reference[0] != -0.6 || s.Reference[1] != 0 {
			t.Fatalf("%v counts from %v", s, s.Reference)
		}
		if u < -0.5 || u > -0.2 {
			t.Fatalf("%v aims at u1 = %g", s, u)
		}
	}
}

// The densities of all laws are those of their draws: they integrate to the part's share over a grid, and give the
// draws' means and second moments, within five standard errors.
func TestDensityOfDraws(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 6))
	for _, c := range []struct {
		text string
		grid [][]float64
	}{
		{"flat", edge(2000)}, {"dirichlet(3)", edge(2000)}, {"dirichlet(1.5, 4)", edge(2000)},
		{"half-normal", edge(2000)}, {"box(0.2..0.6, 0.5..0.9)", edge(20000)},
		{"box(-0.5..-0.3, 1.1..1.5)", edge(20000)}, {"box(0..0.4, 0.3..0.9)", edge(20000)},
		{"3 box(0.5..0.7, any) + half-normal", edge(20000)},
		{"flat", triangle(150)}, {"dirichlet(2, 3, 1.5)", triangle(150)}, {"half-normal", triangle(150)},
		{"box(0.2..0.6, 0.3..0.9, 0.4..0.8)", triangle(400)},
	} {
		for _, reciprocal := range []bool{false, true} {
			p, err := ParsePrior(c.text, nil)
			require.NoError(t, err)
			k := len(c.grid[0])
			cell := 1.0 / float64(len(c.grid))
			if k == 3 {
				cell /= 2 // the area of the triangle of λ1 and λ2
			}
			for part := range p {
				sum, mean, second := 0.0, 0.0, 0.0
				for _, w := range c.grid {
					v := cell * math.Exp(p.LogDensity(part, w, reciprocal, plain))
					sum, mean, second = sum+v, mean+v*w[0], second+v*w[0]*w[0]
				}
				if share := p[part].Share / p.total(); math.Abs(sum-share) > 0.01 {
					t.Errorf("K=%d, %s, reciprocal %v: the density of part %d integrates to %g, want %g", k, c.text,
						reciprocal, part, sum, share)
				}
				var m1, m2, m4, n float64
				for range 40000 {
					if s, position := p.DrawPart(k, reciprocal, plain, rng); position == part {
						w := s.Weights[0]
						m1, m2, m4, n = m1+w, m2+w*w, m4+w*w*w*w, n+1
					}
				}
				m1, m2, m4 = m1/n, m2/n, m4/n
				if math.Abs(m1-mean/sum) > 5*math.Sqrt((m2-m1*m1)/n)+2e-3 ||
					math.Abs(m2-second/sum) > 5*math.Sqrt((m4-m2*m2)/n)+2e-3 {
					t.Errorf("K=%d, %s, reciprocal %v: the draws of part %d have moments %g, %g; by the density %g, %g", k, c.text, reciprocal, part, m1, m2, mean/sum, second/sum)
				}
			}
		}
	}
}

// A mixture draws from its parts by their shares.
func TestMixtureShares(t *testing.T) {
	p, err := ParsePrior("3 box(0.9..1, 0..0.1) + box(0..0.1, 0.9..1)", nil)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(3, 4))
	first := 0.0
	const draws = 4000
	for range draws {
		if w := p.Draw(2, false, plain, rng).Weights; w[0] > 0.5 {
			first++
		}
	}
	if sd := math.Sqrt(0.75 * 0.25 / draws); math.Abs(first/draws-0.75) > 5*sd {
		t.Errorf("%g of the draws are of the first part, want 0.75 ± %g", first/draws, sd)
	}
}

// Whatever is read is written so that it is read again to the same text, and draws are weights.
func FuzzParsePrior(f *testing.F) {
	for _, s := range []string{
		"flat", "0.3 top + 0.7 flat", "box(60%..80%, any)", "dirichlet(1, 2)", "half-normal+top/mid", "1e-300 flat"} {
		f.Add(s)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePrior(text, regions)
		if err != nil {
			return
		}
		again, err := ParsePrior(p.String(), regions)
		if err != nil || again.String() != p.String() {
			t.Fatalf("%q is written %q, and that %q (%v)", text, p, again, err)
		}
		if p.Check(2) != nil {
			return
		}
		for _, w := range p.Draw(2, true, plain, rng).Weights {
			if !(w >= 0 && w <= 1) {
				t.Fatalf("%q draws %g", text, w)
			}
		}
	})
}
