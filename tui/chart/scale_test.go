package chart

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Ticks are at multiples of a round step, all of them within the range, as many as asked for or nearly so, and no two
// labels are the same: each is read as its value, to within a fifth of a step.
func TestTicksTellTheScale(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 5000 {
		lo := rng.NormFloat64() * math.Pow(10, float64(rng.IntN(14)-6))
		hi := lo + math.Abs(lo)*math.Pow(10, -4*rng.Float64()) + math.Pow(10, float64(rng.IntN(14)-6))
		count := 2 + rng.IntN(9)
		list := Ticks(lo, hi, count)
		if n := len(list); n < 2 || n > count+7 || float64(n) < float64(count)/2.6-1 {
			t.Fatalf("%d ticks from %g to %g, asked for %d", n, lo, hi, count)
		}
		step := list[1].Value - list[0].Value
		mantissa := step / math.Pow(10, math.Floor(math.Log10(step*(1+1e-9))))
		if !slices.ContainsFunc([]float64{1, 2, 2.5, 5}, func(m float64) bool { return math.Abs(m-mantissa) < 1e-6 }) {
			t.Fatalf("from %g to %g in steps of %g", lo, hi, step)
		}
		if list[0].Value < lo-1e-6*step || list[0].Value-step > lo+1e-6*step ||
			list[len(list)-1].Value > hi+1e-6*step || list[len(list)-1].Value+step < hi-1e-6*step {
			t.Fatalf("from %g to %g the ticks go from %g to %g by %g", lo, hi, list[0].Value, list[len(list)-1].Value,
				step)
		}
		for i, k := range list {
			if want := list[0].Value + float64(i)*step; math.Abs(k.Value-want) > 1e-6*step ||
				math.Abs(k.Value/step-math.Round(k.Value/step)) > 1e-6 {
				t.Fatalf("tick %d is at %g, the step is %g", i, k.Value, step)
			}
			read, err := strconv.ParseFloat(k.Label, 64)
			if err != nil || math.Abs(read-k.Value) > step/5 {
				t.Fatalf("from %g to %g the tick at %.12g is labelled %q", lo, hi, k.Value, k.Label)
			}
		}
	}
	if Ticks(1, 1, 5) != nil || Ticks(2, 1, 5) != nil || Ticks(math.Inf(-1), 1, 5) != nil ||
		roundTicks(0, 1, 0) != nil {
		t.Error("a range without extent has ticks")
	}
}

func TestShort(t *testing.T) {
	for v, want := range map[float64]string{
		math.Copysign(0, -1): "0", 1: "1", -2.5: "-2.5", 0.12345: "0.123", 123.4: "123", 1234: "1230", 12345: "12300", 99999: "1e5",
		123456: "1.23e5", 1e-7: "1e-7",
		-2.346e-9: "-2.35e-9", 1e21: "1e21", math.Inf(1): "+Inf"} {
		if got := Short(v); got != want && got != strconv.FormatFloat(v, 'f', 0, 64) {
			// whole numbers of up to five digits may stand in full
			t.Errorf("%g is %q, want %q", v, got, want)
		}
	}
}

// Logarithmic ticks are round, within the range, read as their values, two at least and not too many.
func TestLogTicks(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 3000 {
		lo := math.Pow(10, 20*rng.Float64()-10)
		hi := lo * math.Pow(10, 0.05+12*rng.Float64()*rng.Float64())
		count := 2 + rng.IntN(9)
		list := logTicks(lo, hi, count)
		if len(list) < 2 || len(list) > 2*count+5 {
			t.Fatalf("%d ticks from %g to %g, asked for %d", len(list), lo, hi, count)
		}
		for i, k := range list {
			read, err := strconv.ParseFloat(k.Label, 64)
			if err != nil || math.Abs(read-k.Value) > 0.2*math.Abs(k.Value) || k.Value < lo*(1-1e-6) ||
				k.Value > hi*(1+1e-6) || i > 0 && k.Value <= list[i-1].Value {
				t.Fatalf("from %g to %g the tick at %g is labelled %q", lo, hi, k.Value, k.Label)
			}
		}
	}
	labels := func(lo, hi float64, count int) (all []string) {
		for _, k := range logTicks(lo, hi, count) {
			all = append(all, k.Label)
		}
		return all
	}
	for _, c := range []struct {
		lo, hi float64
		count  int
		want   string
	}{{0.5, 50, 8, "0.5 1 2 5 10 20 50"}, {1e-5, 0.1, 6, "1e-5 1e-4 0.001 0.01 0.1"},
		{1e-10, 1e10, 5, "1e-8 1e-4 1 10000 1e8"}, {2, 3, 4, "2.00 2.25 2.50 2.75 3.00"},
		{1, 100, 5, "1 3 10 30 100"}} {
		assert.Equal(t, c.want, strings.Join(labels(c.lo, c.hi, c.count), " "), "from %g to %g", c.lo, c.hi)
	}
	if logTicks(0, 1, 5) != nil || logTicks(2, 1, 5) != nil || logTicks(1, math.Inf(1), 5) != nil {
		t.Error("what is no range has ticks")
	}
}

func TestTicksAreRound(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		count  int
		want   string
	}{
		{0, 1, 5, "0 0.2 0.4 0.6 0.8 1.0"}, {-7, 17, 5, "-5 0 5 10 15"}, {0, 1, 4, "0 0.25 0.50 0.75 1.00"},
		{0.5, 2.5, 10, "0.6 0.8 1.0 1.2 1.4 1.6 1.8 2.0 2.2 2.4"}, {0, 1e7, 2, "0 5e6 1e7"},
		{-500, 500, 4, "-500 -250 0 250 500"},
	} {
		var got []string
		for _, k := range Ticks(c.lo, c.hi, c.count) {
			got = append(got, k.Label)
		}
		assert.Equal(t, c.want, strings.Join(got, " "), "Ticks(%g, %g, %d)", c.lo, c.hi, c.count)
	}
}

func TestRanges(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct{ lo, hi, from, to float64 }{
		{0, 20, -1, 21}, {-10, 10, -11, 11}, {3, 3, 2.7, 3.3}, {-3, -3, -3.3, -2.7}, {0, 0, -1, 1}, {2, 1, -1, 1},
		{nan, 1, -1, 1}, {0, inf, -1, 1}, {-inf, 0, -1, 1},
		{5, 5 + 1e-14, 4.5, 5.5}, {-1.5e308, 1.5e308, -1.5e308, 1.5e308},
	} {
		if from, target := Pad(c.lo, c.hi); math.Abs(from-c.from) > 1e-9*max(1, math.Abs(c.from)) ||
			math.Abs(target-c.to) > 1e-9*max(1, math.Abs(c.to)) {
			t.Errorf("%g to %g is widened to %g to %g, want %g to %g", c.lo, c.hi, from, target, c.from, c.to)
		}
	}
	if lo, hi := Extent([]float64{nan, 2, -inf, 7, -1, inf}); lo != -1 || hi != 7 {
		t.Errorf("the Finite values go from %g to %g", lo, hi)
	}
	if lo, hi := Extent([]float64{3, 1e155, 5, -1e300, nan, -inf}); lo != 3 || hi != 5 {
		t.Errorf("values of which two dwarf the others go from %g to %g", lo, hi)
	}
	if lo, hi := Extent([]float64{2e155, 1e155}); lo != 1e155 || hi != 2e155 {
		t.Errorf("large values go from %g to %g", lo, hi)
	}
	for _, end := range []float64{math.MaxFloat64, -math.MaxFloat64} { // no label of what is not finite
		for count := 2; count < 12; count++ {
			if list := Ticks(min(0, end), max(0, end), count); len(list) < 2 ||
				slices.ContainsFunc(list, func(k Tick) bool { return !Finite(k.Value) }) {
				t.Errorf("from 0 to %g the ticks are %v", end, list)
			}
		}
	}
	if lo, hi := Extent([]float64{nan, inf}); lo <= hi {
		t.Errorf("no Finite values go from %g to %g", lo, hi)
	}
}
