package sessions

import "sync"

// sessionCache is what others keep with a session, each under a key of its own.
type sessionCache struct {
	mu     sync.Mutex
	values map[any]any
}

// Memoize is what somebody keeps with the session that a state is of, made when it is first asked for, so that what was
// computed from one state serves at the next. The key is of a type of the one who keeps it, like that of a value in a
// context; what is kept is safe to be used from several goroutines. A state without a session keeps nothing.
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
