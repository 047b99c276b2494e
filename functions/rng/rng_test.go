package rng

import (
	"encoding/hex"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/stat"
)

func TestStreamsAreNamed(t *testing.T) {
	draw := func(seed uint64, step int, purpose string, keys ...uint64) uint64 {
		return New(seed, step, purpose, keys...).Uint64()
	}
	base := draw(1, 2, "samples", 3)
	assert.Equal(t, draw(1, 2, "samples", 3), base, "the same name gives another stream")
	for name, other := range map[string]uint64{"seed": draw(2, 2, "samples", 3), "step": draw(1, 3, "samples", 3),
		"purpose": draw(1, 2, "sample", 3), "number": draw(1, 2, "samples", 4), "no number": draw(1, 2, "samples")} {
		assert.NotEqual(t, base, other, "another %s gives the same stream", name)
	}
}

// Neighbouring streams are independent: their correlation over 20,000 draws is within four standard errors of none.
func TestStreamsAreIndependent(t *testing.T) {
	const n = 20_000
	a, b := make([]float64, n), make([]float64, n)
	ra, rb := New(7, 1, "x"), New(7, 2, "x")
	for i := range n {
		a[i], b[i] = ra.NormFloat64(), rb.NormFloat64()
	}
	if c := stat.Correlation(a, b, nil); math.Abs(c) > 4/math.Sqrt(n) {
		t.Errorf("the correlation is %g", c)
	}
}

// Sessions on record are repeated from these streams: what a name means stays. The keys are SHA-256 by Python's hashlib
// of seed, step, length of the purpose, purpose and numbers, all numbers as eight bytes, the lowest first.
func TestStreamsStay(t *testing.T) {
	for _, c := range []struct {
		key  string
		name *rand.Rand
	}{
		{"8c3c08abc3b74f0c5de1acc844eff420765b3e99cd423b7f1c8a5fb8797fdc54", New(1, 2, "samples", 3)},
		{"5197c3ddd1d284fcb40afa766bbfcb3ca13d4c310d788a3e4ac0d20bfe4d4f00", New(math.MaxUint64, 0, "")},
	} {
		var key [32]byte
		if _, err := hex.Decode(key[:], []byte(c.key)); err != nil {
			t.Fatal(err)
		}
		if got, want := c.name.Uint64(), rand.New(rand.NewChaCha8(key)).Uint64(); got != want {
			t.Errorf("the stream begins with %d, want %d", got, want)
		}
	}
}
