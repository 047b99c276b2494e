package sessions

import "sync"

// kept is what others keep with a session, each under a key of its own.
type kept struct {
	mu     sync.Mutex
	values map[any]any
}

// Kept is what somebody keeps with the session that a state is of, made when it is first asked for, so that what was
// computed from one state serves at the next. The key is of a type of the one who keeps it, like that of a value in a
// context; what is kept is safe to be used from several goroutines. A state without a session keeps nothing.
func (st State) Kept(key any, make func() any) any {
	if st.kept == nil {
		return make()
	}
	st.kept.mu.Lock()
	defer st.kept.mu.Unlock()
	v, ok := st.kept.values[key]
	if !ok {
		v = make()
		st.kept.values[key] = v
	}
	return v
}
