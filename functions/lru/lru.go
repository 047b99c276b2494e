// Package lru caches results by a key of everything that they depend on, up to a number of bytes. A cached result
// equals a computed one, so that only the time depends on the cache. The least recently used results are dropped first.
// The owner of a cache defines what a result is and what it depends on.
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

// Cache holds results up to a number of bytes; the least recently used ones are dropped. It may be used from several
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

// New keeps results up to most bytes; size estimates the bytes of one result.
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

// Key identifies all that a result depends on.
type Key [sha256.Size]byte

// Digest makes a key from a sequence of data. Every prefix of the sequence has a key too.
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

// Key is the key of the data added so far.
func (d Digest) Key() Key { return Key(d.h.Sum(nil)) }
