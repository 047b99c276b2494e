package numfmt

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDigits(t *testing.T) {
	for _, c := range []struct {
		v         float64
		of, given string
	}{
		{0, "0", "0"},
		{math.Copysign(0, -1), "0", "0"},
		{0.1 + 0.2, "0.3", "0.3"},
		{7 * 0.1, "0.7", "0.7"},
		{5.1372, "5.137", "5.1372"},
		{-15.13333, "-15.13", "-15.13333"},
		{math.Pi, "3.142", "3.14159265358979"},
		{1234.5678, "1235", "1234.5678"},
		{12345.678, "12346", "12345.678"},
		{9999999, "9999999", "9999999"},
		{9999.4, "9999", "9999.4"},
		{9999.7, "10000", "9999.7"},
		{-10000, "-10000", "-10000"},
		{1e7, "1e7", "10000000"},
		{12345678, "1.235e7", "12345678"},
		{1e9, "1e9", "1000000000"},
		{2.5e12, "2.5e12", "2500000000000"},
		{2.5e16, "2.5e16", "2.5e16"},
		{0.00012, "0.00012", "0.00012"},
		{0.00001, "1e-5", "1e-5"},
		{-2.04e-8, "-2.04e-8", "-2.04e-8"},
		{2.98765e-8, "2.988e-8", "2.98765e-8"},
		{math.Inf(1), "+Inf", "+Inf"},
		{math.Inf(-1), "-Inf", "-Inf"},
		{math.NaN(), "NaN", "NaN"},
	} {
		assert.Equal(t, c.of, Format(c.v), "Of(%v)", c.v)
		assert.Equal(t, c.given, Exact(c.v), "Given(%v)", c.v)
	}
	assert.Equal(t, "1 2 0.3333", List([]float64{1, 2.00004, 1.0 / 3}, " "), "List")
}

func TestRounded(t *testing.T) {
	for _, c := range [][2]float64{
		{0.1 + 0.2, 0.3}, {7 * 0.1, 0.7}, {-7 * 0.1, -0.7}, {1.0 / 3, 0.333333333333333}, {1e300, 1e300},
		{5e-324, 5e-324},
		{math.MaxFloat64, math.MaxFloat64}, // with fifteen digits it would be beyond all numbers
		{math.Inf(-1), math.Inf(-1)}} {
		assert.Equal(t, c[1], Round(c[0]), "%v becomes", c[0])
	}
	assert.True(t, math.IsNaN(Round(math.NaN())), "what is no number becomes one")
}

// A number that is typed with up to fifteen digits is written so that it reads back as what it was, and with no more
// digits; what is shown is never further from the value than half of its last digit.
func TestDigitsOfAny(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		digits := 1 + rng.IntN(15)
		text := strconv.FormatFloat((rng.Float64()-0.5)*math.Pow(10, float64(rng.IntN(40)-20)), 'e', digits-1, 64)
		v, _ := strconv.ParseFloat(text, 64)
		exact := Exact(v)
		if back, err := strconv.ParseFloat(exact, 64); err != nil || back != v {
			t.Fatalf("%s is written as %s", text, exact)
		}
		if back, err := strconv.ParseFloat(Format(v), 64); err != nil || math.Abs(back-v) > 0.5001e-3*math.Abs(v) {
			t.Fatalf("%s is shown as %s", text, Format(v))
		}
		mantissa, _, _ := strings.Cut(strings.TrimLeft(
			strings.NewReplacer("-", "", ".", "").Replace(strings.SplitN(exact, "e", 2)[0]), "0"), "e")
		if n := len(strings.TrimRight(mantissa, "0")); n > digits {
			t.Fatalf("%s, of %d digits, is written as %s", text, digits, exact)
		}
	}
}
