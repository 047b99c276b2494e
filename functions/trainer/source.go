package trainer

import "math"

// Source is a stream of random numbers, identified by its seed and its number: a counter hashed by the finalizer of
// SplitMix64 (Steele, Lea & Flood 2014). It is short enough to be written again in any language, to compare data and
// weights with another implementation.
type Source struct{ base, drawn uint64 }

// NewSource is the stream of a seed, from its start.
func NewSource(seed, stream uint64) *Source {
	return &Source{base: mix(seed*0xD1342543DE82EF95 + stream)}
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// Uint64 is the next 64 random bits.
func (s *Source) Uint64() uint64 {
	s.drawn++
	return mix(s.base + s.drawn*0x9E3779B97F4A7C15)
}

// Float64 is a number in [0, 1), of one word.
func (s *Source) Float64() float64 { return float64(s.Uint64()>>11) * 0x1p-53 }

// IntN is a whole number in [0, k), of one word.
func (s *Source) IntN(k int) int { return int(s.Float64() * float64(k)) }

// Normals is n standard normal numbers, by Box and Muller, from 2⌈n/2⌉ words; for odd n the last number is discarded.
func (s *Source) Normals(n int) []float64 {
	z := make([]float64, 0, n+1)
	for len(z) < n {
		u1 := float64(s.Uint64()>>11+1) * 0x1p-53
		u2 := float64(s.Uint64()>>11) * 0x1p-53
		sin, cos := math.Sincos(2 * math.Pi * u2)
		r := math.Sqrt(-2 * math.Log(u1))
		z = append(z, r*cos, r*sin)
	}
	return z[:n]
}

// Copy is an independent stream that continues at the same position.
func (s *Source) Copy() *Source {
	c := *s
	return &c
}
