// Package rng derives every random stream of the program.
//
// A stream is named by a seed, a step and a purpose, and is found by hashing that name; it never depends on the clock,
// on a global source, or on what other streams were drawn before it. So the same session gives the same suggestions
// whatever ran in parallel or was looked at in between.
package rng

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// New returns the random stream for a purpose at a step of the session with the given seed. More numbers, such as the
// index of an ensemble member, make further independent streams of the same purpose.
func New(seed uint64, step int, purpose string, keys ...uint64) *rand.Rand {
	h := sha256.New()
	var b [8]byte
	put := func(v uint64) {
		binary.LittleEndian.PutUint64(b[:], v)
		h.Write(b[:])
	}
	put(seed)
	put(uint64(step))
	put(uint64(len(purpose)))
	h.Write([]byte(purpose))
	for _, m := range keys {
		put(m)
	}
	var key [32]byte
	h.Sum(key[:0])
	return rand.New(rand.NewChaCha8(key))
}
