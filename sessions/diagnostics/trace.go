package diagnostics

import (
	"context"
	"math"
	"sync"

	"bandscope/functions/lru"
	"bandscope/optimizers"
	"bandscope/optimizers/inspection"
	"bandscope/sessions"
)

// summaryCache is cached with a session: its last summaries, by the model that they depend on, and the best expected
// values after its iterations.
type summaryCache struct {
	*lru.Cache[string, *Summary]
	mu sync.Mutex
	// by the last iteration: the best posterior mean of each objective; NaN for none
	expected map[string][]float64
}

type summaryKey struct{}

func summariesFor(st sessions.State) *summaryCache {
	return st.Memoize(summaryKey{}, func() any {
		return &summaryCache{Cache: lru.New[string](maxCached, func(*Summary) int { return 1 }),
			expected: map[string][]float64{}}
	}).(*summaryCache)
}

func (m *summaryCache) put(st sessions.State, a *Summary) {
	m.Put(st.ModelID(), a)
	m.mu.Lock()
	defer m.mu.Unlock()
	if n := len(st.Iterations); n > 0 {
		best := make([]float64, len(a.Objectives))
		for k, o := range a.Objectives {
			best[k] = math.NaN()
			if o.ModelBest != nil {
				best[k] = o.ModelBest.Normals[0].Mean
			}
		}
		m.expected[st.Iterations[n-1].ID] = best
	}
}

// CachedSummary is the cached summary of a state; nil if there is none.
func CachedSummary(st sessions.State) *Summary {
	a, _ := summariesFor(st).Get(st.ModelID())
	return a
}

// BestMeanTrace is the best posterior mean of an objective after each iteration. Between the iterations for which it is
// known it keeps its value; before the first it is NaN.
func BestMeanTrace(st sessions.State, objective int) []float64 {
	m := summariesFor(st)
	m.mu.Lock()
	defer m.mu.Unlock()
	values, last := make([]float64, len(st.Iterations)), math.NaN()
	for i, it := range st.Iterations {
		if best := m.expected[it.ID]; objective < len(best) && !math.IsNaN(best[objective]) {
			last = best[objective]
		}
		values[i] = last
	}
	return values
}

// maxTraceFits bounds how many earlier models FitTrace fits.
const maxTraceFits = 12

// HasTrace reports whether FitTrace has nothing left to fit.
func HasTrace(st sessions.State) bool { return len(summariesFor(st).unknown(st)) == 0 }

// unknown are the iterations after which FitTrace still has to fit, the last ones first: every one, or with many every
// second, fourth and so on, so that one more iteration adds at most one fit.
func (m *summaryCache) unknown(st sessions.State) []int {
	m.mu.Lock()
	defer m.mu.Unlock()
	every := 1
	for len(st.Iterations)/every > maxTraceFits {
		every *= 2
	}
	var list []int
	for n := len(st.Iterations) / every * every; n > 0; n -= every {
		if _, ok := m.expected[st.Iterations[n-1].ID]; !ok {
			list = append(list, n)
		}
	}
	return list
}

// FitTrace fits the models before a state's suggestions and records the best posterior mean of each objective. It skips
// those that are known, and iterations without a suggestion after them.
func FitTrace(ctx context.Context, st sessions.State, suggestions []sessions.Suggestion,
	progress sessions.Progress) error {
	m, places := summariesFor(st), map[string]sessions.State{}
	for _, s := range suggestions {
		if n := len(s.Before.Iterations); n > 0 && len(s.Before.Problem.Objectives) == len(st.Problem.Objectives) {
			places[s.Before.Iterations[n-1].ID] = s.Before
		}
	}
	for _, n := range m.unknown(st) {
		if progress != nil {
			progress("fitting the model of step", n, len(st.Iterations))
		}
		id, best := st.Iterations[n-1].ID, []float64(nil)
		if place, ok := places[id]; ok {
			var err error
			best, err = bestMeans(ctx, place)
			if err != nil {
				return err
			}
		}
		m.mu.Lock()
		m.expected[id] = best
		m.mu.Unlock()
	}
	return nil
}

// bestMeans is the best posterior mean of each objective in a state; NaN for none.
func bestMeans(ctx context.Context, st sessions.State) ([]float64, error) {
	in := st.Input()
	b, err := st.Spec.Fit(ctx, in)
	if err != nil {
		return nil, err
	}
	best := make([]float64, in.Objectives)
	for k, o := range st.Problem.Objectives {
		minimum, err := inspection.MinimizeMean(ctx, in, b, k)
		err = optimizers.IgnoreUnsupported(err)
		if err != nil {
			return nil, err
		}
		best[k] = math.NaN()
		if minimum.X != nil {
			best[k] = o.Transform().Invert(minimum.Mean)
		}
	}
	return best, nil
}
