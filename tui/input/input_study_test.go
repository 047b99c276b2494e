//go:build study

package input

import (
	"math/rand/v2"
	"testing"
)

// TestTenMillionSequences decodes ten million random sequences, each in two reads.
func TestTenMillionSequences(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 10))
	for range 10_000_000 {
		in := random(rng)
		checkInput(t, []byte(in), rng.IntN(len(in)+1))
	}
}
