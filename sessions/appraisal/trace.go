package appraisal

import (
	"context"
	"math"
	"slices"
	"sync"

	"bandscope/optimizers/insight"
	"bandscope/sessions"
)

// memory is what is kept with a session: its last appraisals, and what was expected after each of its iterations.
type memory struct {
	mu       sync.Mutex
	order    []string // of the last appraisals, by what they depend on
	kept     map[string]*Appraisal
	expected map[string][]float64 // by the last iteration: the best by the model of each objective, NaN where it has none
}

type memoryKey struct{}

// mostKept is how many appraisals are kept.
const mostKept = 8

func memoryOf(st sessions.State) *memory {
	return st.Kept(memoryKey{}, func() any { return &memory{kept: map[string]*Appraisal{}, expected: map[string][]float64{}} }).(*memory)
}

func (m *memory) at(model string) *Appraisal {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept[model]
}

func (m *memory) put(st sessions.State, a *Appraisal) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept[st.Model()] == nil {
		m.order = append(m.order, st.Model())
	}
	m.kept[st.Model()] = a
	if len(m.order) > mostKept {
		delete(m.kept, m.order[0])
		m.order = m.order[1:]
	}
	if n := len(st.Iterations); n > 0 {
		best := make([]float64, len(a.Objectives))
		for k, o := range a.Objectives {
			if best[k] = math.NaN(); o.Model != nil {
				best[k] = o.Model.Believed[0].Mean
			}
		}
		m.expected[st.Iterations[n-1].ID] = best
	}
}

// Known is the appraisal of a state if it is there.
func Known(st sessions.State) *Appraisal { return memoryOf(st).at(st.Model()) }

// Expected is what the best by the model of an objective was after each iteration, as far as that is known; between those it stays as it was, and is NaN before.
func Expected(st sessions.State, objective int) []float64 {
	m := memoryOf(st)
	m.mu.Lock()
	defer m.mu.Unlock()
	values, last := make([]float64, len(st.Iterations)), math.NaN()
	for i, it := range st.Iterations {
		if best, ok := m.expected[it.ID]; ok && objective < len(best) {
			last = best[objective]
		}
		values[i] = last
	}
	return values
}

// mostBefore is at how many places before a state the model is fitted anew for the trace of what was expected.
const mostBefore = 12

// Before finds what was expected of the first objective at places before a state, as those of its suggestions, evenly spread over them: each takes a fit. Those that are known are not
// asked again.
func Before(ctx context.Context, st sessions.State, suggestions []sessions.Suggestion, progress sessions.Progress) error {
	m, places := memoryOf(st), map[string]sessions.State{}
	for _, s := range suggestions {
		if n := len(s.Before.Iterations); n > 0 && len(s.Before.Problem.Objectives) == len(st.Problem.Objectives) {
			places[s.Before.Iterations[n-1].ID] = s.Before
		}
	}
	for _, n := range spread(len(st.Iterations), mostBefore) {
		id := st.Iterations[n-1].ID
		place, ok := places[id]
		m.mu.Lock()
		_, known := m.expected[id]
		m.mu.Unlock()
		if !ok || known {
			continue
		}
		if progress != nil {
			progress("asking what was expected after step", n, len(st.Iterations))
		}
		in := place.Input()
		b, err := place.Spec.Fit(ctx, in)
		if err != nil {
			return err
		}
		best := slices.Repeat([]float64{math.NaN()}, in.Objectives)
		for k, o := range place.Problem.Objectives {
			at, err := insight.Best(ctx, in, b, k)
			if err = absent(err); err != nil {
				return err
			}
			if at.X != nil {
				best[k] = o.Direction.Sign() * at.Mean
			}
		}
		m.mu.Lock()
		m.expected[id] = best
		m.mu.Unlock()
	}
	return nil
}

// spread are at most so many numbers from 1 to n, evenly spread, the last ones first.
func spread(n, most int) []int {
	var list []int
	for i := range min(n, most) {
		list = append(list, n-i*n/min(n, most))
	}
	return list
}
