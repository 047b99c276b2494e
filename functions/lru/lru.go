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

// Cache are kept up to so many bytes; those that were used longest ago give way. They may be used from several
// goroutines.
type Cache[K comparable, V any] struct {
	maxBytes int
	size     func(V) int

	mu        sync.Mutex
	usedBytes int
	entries   map[K]*list.Element
	recency   *list.List // of entries, the one used last at the front
}

type entry[K comparable, V any] struct {
	key   K
	value V
	size  int
}

// New keeps results up to most bytes; size tells those of one, about.
func New[K comparable, V any](most int, size func(V) int) *Cache[K, V] {
	return &Cache[K, V]{maxBytes: most, size: size, entries: map[K]*list.Element{}, recency: list.New()}
}

// Get returns the result with the key, if it is still kept.
func (r *Cache[K, V]) Get(key K) (V, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, ok := r.entries[key]
	if !ok {
		var none V
		return none, false
	}
	r.recency.MoveToFront(e)
	return e.Value.(entry[K, V]).value, true
}

// Put keeps a result. One that is kept already stays, being the same; one that is larger than all that may be kept is
// not kept.
func (r *Cache[K, V]) Put(key K, value V) {
	r.mu.Lock()
	defer r.mu.Unlock()
	size := r.size(value)
	if _, ok := r.entries[key]; ok || size > r.maxBytes {
		return
	}
	r.entries[key] = r.recency.PushFront(entry[K, V]{key, value, size})
	for r.usedBytes += size; r.usedBytes > r.maxBytes; {
		oldest := r.recency.Remove(r.recency.Back()).(entry[K, V])
		delete(r.entries, oldest.key)
		r.usedBytes -= oldest.size
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
