package lru

import (
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What was used longest ago gives way to what is new, once all together have more bytes than may be kept; what is too
// large is not kept, nor does anything give way to it.
func TestResultsAreBoundedInBytes(t *testing.T) {
	r := New[string](10, func(v []byte) int { return len(v) })
	holds := func() (keys []string) {
		for _, k := range []string{"a", "b", "c", "d", "e", "f"} {
			r.mu.Lock()
			_, ok := r.entries[k]
			r.mu.Unlock()
			if ok {
				keys = append(keys, k)
			}
		}
		return keys
	}
	for i, c := range []struct {
		do   func()
		want []string
	}{
		{func() { r.Put("a", make([]byte, 4)) }, []string{"a"}},
		{func() { r.Put("b", make([]byte, 4)) }, []string{"a", "b"}},
		{func() { r.Get("a") }, []string{"a", "b"}},
		{func() { r.Put("c", make([]byte, 4)) }, []string{"a", "c"}},
		{func() { r.Put("d", make([]byte, 11)) }, []string{"a", "c"}},
		{func() { r.Put("a", make([]byte, 9)) }, []string{"a", "c"}},
		{func() { r.Put("e", make([]byte, 2)) }, []string{"a", "c", "e"}},
		{func() { r.Put("f", make([]byte, 10)) }, []string{"f"}},
	} {
		c.do()
		if got := holds(); !slices.Equal(got, c.want) {
			t.Errorf("after step %d it holds %v, want %v", i, got, c.want)
		}
	}
	if v, ok := r.Get("f"); !ok || len(v) != 10 {
		t.Errorf("what was put comes out as %v", v)
	}
	if v, ok := r.Get("a"); ok || v != nil {
		t.Errorf("what gave way comes out as %v", v)
	}
	var wait sync.WaitGroup
	for i := range 4 {
		wait.Go(func() {
			for n := range 200 {
				r.Put(string(rune('g'+(n+i)%7)), make([]byte, n%5))
				r.Get(string(rune('g' + n%7)))
			}
		})
	}
	wait.Wait()
	if sum := 0; r.usedBytes > 10 || len(r.entries) != r.recency.Len() {
		t.Errorf("it holds %d bytes, %d keys, %d results", r.usedBytes, len(r.entries), r.recency.Len())
	} else {
		for e := r.recency.Front(); e != nil; e = e.Next() {
			sum += e.Value.(entry[string, []byte]).size
		}
		assert.Equal(t, r.usedBytes, sum, "it counts %d bytes of", r.usedBytes)
	}
}

// Two keys are the same if all that was added is, to the last bit and in the same order.
func TestKeys(t *testing.T) {
	key := func(add ...func(Digest)) Key {
		d := NewDigest()
		for _, a := range add {
			a(d)
		}
		return d.Key()
	}
	text := func(v ...any) func(Digest) { return func(d Digest) { d.Text(v...) } }
	numbers := func(v ...float64) func(Digest) { return func(d Digest) { d.Numbers(v...) } }
	seen := map[Key]int{}
	for i, k := range []Key{
		key(), key(text(1, 2)), key(text(12)), key(text(1), text(2)), key(numbers(1, 2)), key(numbers(2, 1)),
		key(numbers(1, math.Nextafter(2, 3))), key(numbers(0)),
		key(numbers(math.Copysign(0, -1)))} {
		if other, ok := seen[k]; ok {
			t.Errorf("%d and %d have the same key", other, i)
		}
		seen[k] = i
	}
	assert.Equal(t, key(numbers(1, 2)), key(numbers(1), numbers(2)), "the same numbers have another key")
	d := NewDigest()
	d.Numbers(1)
	first := d.Key()
	d.Numbers(2)
	if first != key(numbers(1)) || d.Key() != key(numbers(1, 2)) {
		t.Error("the key of what was added so far changes what is added")
	}
}
