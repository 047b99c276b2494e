package sessions

import (
	"sync"

	"bandscope/sessions/fitcache"
)

// sessionCache is what others keep with a session, each under a key of its own, and the fits that are kept beside its
// file.
type sessionCache struct {
	fits *fitcache.Store

	mu     sync.Mutex
	values map[any]any
}

// Memoize returns a value that a caller keeps with the session of a state; it is made at the first call, so that work
// on one state can be reused for the next. The key has a type of the caller's package, like a key of a context; the
// value must be safe for concurrent use. A state without a session keeps nothing.
func (st State) Memoize(key any, make func() any) any {
	if st.cache == nil {
		return make()
	}
	st.cache.mu.Lock()
	defer st.cache.mu.Unlock()
	v, ok := st.cache.values[key]
	if !ok {
		v = make()
		st.cache.values[key] = v
	}
	return v
}

// withoutCache is a state without a session, whose fits are all made again.
func (st State) withoutCache() State {
	st.cache = nil
	return st
}
