package synthetic

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/integrate/quad"
)

// The forms of the Branin function, at a value of it that they take to −1 and at that they take to 1.
func TestBranin(t *testing.T) {
	for _, c := range []struct {
		turned, damped bool
		low, high      float64
	}{{false, false, -1, 1}, {false, true, -0.4, 0.4}, {true, false, 3.75, 2.25}, {true, true, 1.9, 0.9}} {
		low, high := Branin(54.8104-51.9496, c.turned, c.damped), Branin(54.8104+51.9496, c.turned, c.damped)
		if math.Abs(low-c.low) > 1e-12 || math.Abs(high-c.high) > 1e-12 {
			t.Errorf("turned %v, damped %v: %g and %g, want %g and %g", c.turned, c.damped, low, high, c.low, c.high)
		}
	}
}

// The Barker sequences have side lobes of one and none: with thirteen signs an energy of six. Of every length some
// sequence has the least energy, and none less.
func TestAutocorrelation(t *testing.T) {
	if e := Autocorrelation([]float64{1, 1, 1, 1, 1, -1, -1, 1, 1, -1, 1, -1, 1}); e != 6 {
		t.Errorf("the energy of Barker's thirteen is %g", e)
	}
	for length := 3; length <= 11; length++ {
		least, s := math.Inf(1), make([]float64, length)
		for bits := range 1 << length {
			for i := range s {
				s[i] = float64(bits>>i&1)*2 - 1
			}
			least = min(least, Autocorrelation(s))
		}
		if want := MinAutocorrelation(length); least != want || len(LowAutocorrelationSequences(length)) < 4 {
			t.Errorf("of %d signs the least energy is %g, listed %g, by %d sequences", length, least, want,
				len(LowAutocorrelationSequences(length)))
		}
	}
}

// The designs that are published as the best hold to their constraints and cost what is published (Yang, Huyck,
// Karamanoglu & Khan 2013, and Datta & Figueira 2011); a part of a constraint that is exhausted there is exhausted
// here.
func TestPublishedDesigns(t *testing.T) {
	r := 0.8125 / 0.0193
	l := 1_296_000/(math.Pi*r*r) - 4.0/3*r
	if c := PressureVessel(0.8125, 0.4375, r, l); math.Abs(c-6059.714335048436) > 1e-9 ||
		math.Abs(l-176.63659584243) > 1e-9 {
		t.Errorf("the vessel costs %.12g with a length of %.12g", c, l)
	}
	if 0.4375 < 0.00954*r {
		t.Error("the vessel's heads are too thin")
	}
	beam := Beam{true, Materials[0], 0.1875, 1.7821022531266797, 8.25, 0.25}
	assert.InDelta(t, 1.9553, beam.Cost(), 5e-5, "the beam costs")
	for i, s := range beam.Slack() {
		if s < -1e-12 {
			t.Errorf("constraint %d of the beam has %g left", i, s)
		}
	}
}

// The yield is what the two rates come to: the integral of what is made, less what has reacted on since.
func TestYield(t *testing.T) {
	for _, s := range Solvents {
		for _, values := range [][2]float64{{20, 5}, {40, 60}, {60, 120}} {
			a, b := s.Rates(values[0])
			want := 100 * quad.Fixed(func(u float64) float64 {
				return a * math.Exp(-a*u) * math.Exp(-b*(values[1]-u))
			}, 0, values[1], 200, nil, 0)
			if got := s.Yield(values[0], values[1]); !scalar.EqualWithinAbsOrRel(got, want, 1e-9, 1e-9) {
				t.Errorf("%s at %v: %g, want %g", s.Name, values, got, want)
			}
		}
	}
	// Of a reaction that is as fast as the next the yield is the limit, 100 kt·e^(−kt).
	for _, e := range []float64{0, 1e-9} {
		if a, b := 0.05, 0.05*(1+e); math.Abs(consecutive(a, b, 20)-100*math.Exp(-1)) > 1e-6 {
			t.Errorf("rates of %g and %g yield %g", a, b, consecutive(a, b, 20))
		}
	}
}
