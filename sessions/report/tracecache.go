package report

import (
	"slices"
	"sync"
	"sync/atomic"

	"bandscope/functions"
	"bandscope/functions/pareto"
	"bandscope/sessions"
)

// traceCacheKey is the key of a session's cache. With other objectives everything is computed again.
type traceCacheKey struct{ problem *functions.Problem }

// traceCacheFor is the cache of the session of a state.
func traceCacheFor(st sessions.State) *traceCache {
	return st.Memoize(traceCacheKey{st.Problem}, func() any { return &traceCache{} }).(*traceCache)
}

// traceCache caches values along the iterations of a session, so that the cost of one more iteration does not grow. The
// states of a session share it; it may be used from several goroutines.
type traceCache struct {
	mu     sync.Mutex
	tracks []*track // the last used is at the end

	fronts sync.Mutex // holds the front
	front  pareto.Archive
	seen   []sessions.Iteration // of the front
}

// Bounds of the cache in addition to the last used track: the number of tracks, enough for a few branches, and the
// bytes of their values, twice as many as the tracks of a million iterations need.
const (
	maxTracks     = 24
	maxTrackBytes = 256 << 20
)

// track is some values per iteration under one key, which names all that they depend on but the iterations.
type track struct {
	mu      sync.Mutex // holds the fold
	key     string
	begin   func() func(sessions.Iteration) []float64
	add     func(sessions.Iteration) []float64 // folds one iteration more
	done    []sessions.Iteration               // those that are folded
	columns [][]float64
	bytes   atomic.Int64 // of the columns
}

// values are the columns of a fold over some iterations: begin starts it, what it returns takes one iteration after the
// other.
func (m *traceCache) values(key string, its []sessions.Iteration,
	begin func() func(sessions.Iteration) []float64) [][]float64 {
	t := m.track(key, its, begin)
	t.mu.Lock()
	defer t.mu.Unlock()
	if !isPrefix(t.done, its) { // another took the track for another branch meanwhile
		t = &track{begin: begin}
	}
	if t.add == nil {
		t.add = t.begin()
	}
	for _, it := range its[min(len(t.done), len(its)):] {
		for c, v := range t.add(it) {
			if c == len(t.columns) {
				t.columns = append(t.columns, nil)
			}
			t.columns[c] = append(t.columns[c], v)
		}
	}
	if len(its) > len(t.done) {
		t.done = its
		t.bytes.Store(8 * int64(len(t.columns)) * int64(len(its)))
	}
	out := make([][]float64, len(t.columns))
	for c, v := range t.columns {
		out[c] = v[:len(its):len(its)]
	}
	return out
}

// Repeats is how many evaluations of a state were at points that were evaluated before.
func Repeats(st sessions.State) int {
	counts := traceCacheFor(st).values("repeats", st.Iterations, func() func(sessions.Iteration) []float64 {
		count := st.RepeatCounter()
		return func(it sessions.Iteration) []float64 { return []float64{float64(count(it))} }
	})
	if len(counts) == 0 {
		return 0
	}
	return int(counts[0][len(st.Iterations)-1])
}

// track finds the track of a key along some iterations, or begins one.
func (m *traceCache) track(key string, its []sessions.Iteration,
	begin func() func(sessions.Iteration) []float64) *track {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := len(m.tracks) - 1; i >= 0; i-- {
		t := m.tracks[i]
		if t.key != key || !t.mu.TryLock() {
			continue
		}
		same := isPrefix(t.done, its)
		t.mu.Unlock()
		if same {
			m.tracks = append(slices.Delete(m.tracks, i, i+1), t)
			return t
		}
	}
	m.evict()
	t := &track{key: key, begin: begin}
	m.tracks = append(m.tracks, t)
	return t
}

// evict forgets the oldest tracks, so that one more can be kept.
func (m *traceCache) evict() {
	sum, keep := int64(0), len(m.tracks)
	for keep > 0 && len(m.tracks)-keep+1 < maxTracks && sum <= maxTrackBytes {
		keep--
		sum += m.tracks[keep].bytes.Load()
	}
	if sum > maxTrackBytes {
		keep++
	}
	m.tracks = slices.Delete(m.tracks, 0, keep)
}

// isPrefix reports whether one of two lists of iterations begins with the other. The states along a branch share one
// array; in a copy, made when it grew or for a correction, all iterations without a correction still share their
// values.
func isPrefix(a, b []sessions.Iteration) bool {
	n := min(len(a), len(b))
	if n == 0 || &a[0] == &b[0] {
		return true
	}
	for i := range n {
		if !shared(a[i].Points, b[i].Points) {
			return false
		}
	}
	return true
}

// shared reports whether two slices are the same one.
func shared[T any](a, b []T) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

// observedFront is the front of the observations of some iterations that are within all limits, in the problem's units.
func (m *traceCache) observedFront(p *functions.Problem, its []sessions.Iteration) [][]float64 {
	m.fronts.Lock()
	defer m.fronts.Unlock()
	if len(m.seen) > len(its) || !isPrefix(m.seen, its) {
		m.front, m.seen = pareto.Archive{}, nil
	}
	for _, it := range its[len(m.seen):] {
		for _, pt := range it.Points {
			if pt.Failed || !p.Feasible(pt.Y) {
				continue
			}
			counted := make([]float64, 2*len(p.Objectives)) // and behind that, as they were observed
			for k, o := range p.Objectives {
				counted[k], counted[len(p.Objectives)+k] = o.Transform().Apply(pt.Y[k]), pt.Y[k]
			}
			m.front.Add(counted[:len(p.Objectives)])
		}
	}
	m.seen = its
	out := make([][]float64, len(m.front.Points))
	for i, v := range m.front.Points {
		out[i] = slices.Clone(v[len(v) : 2*len(v)])
	}
	return out
}
