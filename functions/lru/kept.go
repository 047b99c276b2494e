// Package lru remembers results by all that they depend on, up to so many bytes. What is kept is what would be computed
// again, so that nothing but the time depends on it: a key, made of everything that a result is a function of, goes in
// with the result, and the result comes out until others have taken its place. What a result is, and what it depends
// on, its owner knows.
package lru

import (
	"container/list"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"math"
	"sync"
)

// Results are kept up to so many bytes; those that were used longest ago give way. They may be used from several
// goroutines.
type Results[K comparable, V any] struct {
	most int
	size func(V) int

	mu   sync.Mutex
	used int
	by   map[K]*list.Element
	last *list.List // of entries, the one used last at the front
}

type entry[K comparable, V any] struct {
	key   K
	value V
	size  int
}

// New keeps results up to most bytes; size tells those of one, about.
func New[K comparable, V any](most int, size func(V) int) *Results[K, V] {
	return &Results[K, V]{most: most, size: size, by: map[K]*list.Element{}, last: list.New()}
}

// Get returns the result with the key, if it is still kept.
func (r *Results[K, V]) Get(key K) (V, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, ok := r.by[key]
	if !ok {
		var none V
		return none, false
	}
	r.last.MoveToFront(e)
	return e.Value.(entry[K, V]).value, true
}

// Put keeps a result. One that is kept already stays, being the same; one that is larger than all that may be kept is
// not kept.
func (r *Results[K, V]) Put(key K, value V) {
	r.mu.Lock()
	defer r.mu.Unlock()
	size := r.size(value)
	if _, ok := r.by[key]; ok || size > r.most {
		return
	}
	r.by[key] = r.last.PushFront(entry[K, V]{key, value, size})
	for r.used += size; r.used > r.most; {
		oldest := r.last.Remove(r.last.Back()).(entry[K, V])
		delete(r.by, oldest.key)
		r.used -= oldest.size
	}
}

// Key stands for all that a result depends on.
type Key [sha256.Size]byte

// Digest makes a key of what is added to it, one thing after another. What was added so far has a key too: that of the
// first data, then that of all.
type Digest struct{ h hash.Hash }

// NewDigest has nothing added to it.
func NewDigest() Digest { return Digest{sha256.New()} }

// Text adds values as they are printed.
func (d Digest) Text(values ...any) { fmt.Fprintln(d.h, values...) }

// Numbers adds numbers to the last bit.
func (d Digest) Numbers(values ...float64) {
	var b [8]byte
	for _, v := range values {
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
		d.h.Write(b[:])
	}
}

// Key is that of what was added so far.
func (d Digest) Key() Key { return Key(d.h.Sum(nil)) }
