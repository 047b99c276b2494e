package linalg

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// exact holds, for exp, tanh, erf and cos in this order, a little-endian uint32 n, the bits of n arguments and those of
// the n values, rounded exactly (mpmath 1.3.0 with 200 to 1,400 bits, to the nearest double and ties to even). The
// arguments of every function are one at random of each exponent, subnormals, the extremes, the doubles around the
// borders of its tables and around where it overflows, underflows and becomes constant, and many at random where it
// varies; those of cos have also, of every binade up to 2^17, the doubles nearest to multiples of π/2. Those of exp
// have both signs, those of the others, which are odd or even, only the positive.
//
//go:embed testdata/exact.bin
var exact []byte

type function struct {
	name    string
	slice   func(dst, x []float64)
	scalar  func(float64) float64
	ulp     float64 // that it may be off,
	share   float64 // and the share of the table's values that may be off at all
	parity  float64 // 1 even, −1 odd, 0 neither
	special map[float64]float64
}

var infinity = math.Inf(1)

func functions() []function {
	return []function{
		{"exp", Exp, math.Exp, 1, 0.01, 0, map[float64]float64{infinity: infinity, -infinity: 0, 0: 1}},
		{"tanh", Tanh, math.Tanh, 2, 0.1, -1, map[float64]float64{infinity: 1, -infinity: -1}},
		{"erf", Erf, math.Erf, 2, 0.1, -1, map[float64]float64{infinity: 1, -infinity: -1}},
		{"cos", Cos, math.Cos, 1, 0.02, 1, map[float64]float64{infinity: math.NaN(), -infinity: math.NaN(), 0: 1}},
	}
}

// apart is how many doubles lie between two, 0 for two that are the same.
func apart(got, want float64) float64 {
	if math.IsNaN(got) || math.IsNaN(want) {
		if math.IsNaN(got) && math.IsNaN(want) {
			return 0
		}
		return infinity
	}
	order := func(v float64) float64 {
		b := int64(math.Float64bits(v))
		if b < 0 {
			b = math.MinInt64 - b
		}
		return float64(b)
	}
	a, b := order(got), order(want)
	if math.Abs(a-b) > 1<<52 {
		return math.Abs(a - b)
	}
	return math.Abs(float64(int64(math.Float64bits(got)) - int64(math.Float64bits(want))))
}

func TestElementwiseAgainstExactlyRounded(t *testing.T) {
	rest := exact
	for _, f := range functions() {
		n := int(binary.LittleEndian.Uint32(rest))
		x, want := make([]float64, n), make([]float64, n)
		require.NoError(t, binary.Read(bytes.NewReader(rest[4:]), binary.LittleEndian, x))
		require.NoError(t, binary.Read(bytes.NewReader(rest[4+8*n:]), binary.LittleEndian, want))
		rest = rest[4+16*n:]
		if n < 1000 {
			t.Fatalf("%s has %d values", f.name, n)
		}
		for _, sign := range []float64{1, -1} {
			if sign < 0 && f.parity == 0 {
				continue
			}
			got := make([]float64, n)
			for i, v := range x {
				got[i] = sign * v
			}
			f.slice(got, got)
			worst, wrong, off := 0.0, 0, 0
			for i, v := range x {
				w := want[i]
				if f.name == "cos" && v >= 1<<24 {
					w = math.Cos(v)
				}
				if sign < 0 {
					w *= f.parity
				}
				d := apart(got[i], w)
				worst = max(worst, d)
				if d > 0 {
					off++
				}
				if d > f.ulp || math.Signbit(got[i]) != math.Signbit(w) {
					if wrong++; wrong < 5 {
						t.Errorf("%s(%v) = %v, should be %v, %g ulp apart", f.name, sign*v, got[i], w, d)
					}
				}
			}
			share := float64(off) / float64(n)
			if share > f.share {
				t.Errorf("%s: %.4f of the values are off, at most %g should be", f.name, share, f.share)
			}
			t.Logf("%s, %d values: %g ulp at most, %.4f of them off, %d wrong", f.name, n, worst, share, wrong)
		}
	}
	assert.Equal(t, 0, len(rest), "%d bytes are left", len(rest))
}

func TestElementwiseSpecialValues(t *testing.T) {
	for _, f := range functions() {
		f.special[math.NaN()] = math.NaN()
		for x, want := range f.special {
			for _, n := range []int{1, 8, 19} { // alone, in a vector, in its rest
				v := make([]float64, n)
				for i := range v {
					v[i] = 0.25
				}
				v[n-1] = x
				f.slice(v, v)
				if apart(v[n-1], want) != 0 || n > 1 && apart(v[0], f.scalar(0.25)) > 2 {
					t.Errorf("%s(%v) = %v in %d, should be %v", f.name, x, v[n-1], n, want)
				}
			}
		}
		v := []float64{math.Copysign(0, -1)}
		if f.slice(v, v); math.Signbit(v[0]) != (f.parity < 0) {
			t.Errorf("%s(−0) = %v", f.name, v[0])
		}
	}
}

// A value is the same wherever it stands, in whatever length, and whether it replaces its argument; nothing beyond is
// written.
func TestElementwiseLengths(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 1))
	for _, f := range functions() {
		x := make([]float64, 71)
		for i := range x {
			x[i] = 3 * rng.NormFloat64()
		}
		want := make([]float64, len(x))
		for i, v := range x {
			f.slice(want[i:i+1], []float64{v})
			if apart(want[i], f.scalar(v)) > 3 {
				t.Fatalf("%s(%v) = %v", f.name, v, want[i])
			}
		}
		for n := range len(x) {
			dst, same := make([]float64, n+1), append([]float64(nil), x[:n+1]...)
			f.slice(dst[:n], x[:n])
			f.slice(same[:n], same[:n])
			for i := range n {
				if dst[i] != want[i] || same[i] != want[i] {
					t.Fatalf("%s of %d: value %d is %v and %v, should be %v", f.name, n, i, dst[i], same[i], want[i])
				}
			}
			if dst[n] != 0 || same[n] != x[n] {
				t.Fatalf("%s of %d wrote beyond", f.name, n)
			}
		}
		func() {
			defer func() {
				assert.NotNil(t, recover(), "%s takes slices of different lengths", f.name)
			}()
			f.slice(make([]float64, 2), make([]float64, 3))
		}()
	}
}

// The library's own functions are within one unit of the last place, so that these must be within three of them; but
// math.Exp overflows too early on amd64, and math.Cos is exact near its zeros only to an absolute error.
func FuzzElementwise(f *testing.F) {
	for _, v := range []float64{
		0, 0.3, -0.7, 1, 5.5, -19, 700, -720, 65535.9, 1e5, 1e300, 5e-324, math.NaN(), infinity} {
		f.Add(math.Float64bits(v))
	}
	f.Fuzz(func(t *testing.T, bits uint64) {
		x := math.Float64frombits(bits)
		for _, f := range functions() {
			v := []float64{x, 1, x, 2, 3, 4, 5, 6, x}
			f.slice(v, v)
			want := f.scalar(x)
			near := apart(v[0], want) <= 3 || f.name == "exp" && x > 709 || f.name == "cos" &&
				math.Abs(v[0]-want) < 1e-18
			if !near || apart(v[2], v[0]) != 0 || apart(v[8], v[0]) != 0 {
				t.Errorf("%s(%v) = %v, should be %v", f.name, x, v, want)
			}
		}
	})
}

// BenchmarkElementwise sets every function beside the library's, a million values at a time.
func BenchmarkElementwise(b *testing.B) {
	rng := rand.New(rand.NewPCG(18, 2))
	for _, f := range functions() {
		x, dst := make([]float64, 1_000_000), make([]float64, 1_000_000)
		for i := range x {
			x[i] = 2 * rng.NormFloat64()
		}
		b.Run(f.name+"/math", func(b *testing.B) {
			for b.Loop() {
				for i, v := range x {
					dst[i] = f.scalar(v)
				}
			}
		})
		b.Run(f.name+"/fast", func(b *testing.B) {
			for b.Loop() {
				f.slice(dst, x)
			}
		})
	}
}
