package gaussian

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions/lru"
	"bandscope/model/gp"
	"bandscope/optimizers"
	"bandscope/optimizers/testbed"
)

// memoryStore is a store of fits that counts those that are new.
type memoryStore struct {
	values map[string][]float64
	added  int
}

func (s *memoryStore) Load(key string) ([]float64, bool) { v, ok := s.values[key]; return v, ok }

func (s *memoryStore) Save(key string, values []float64) {
	if _, ok := s.values[key]; !ok {
		s.added++
		s.values[key] = values
	}
}

// newProcess empties the cache, as in a process that has just started.
func newProcess(t *testing.T) {
	before := fitCache
	t.Cleanup(func() { fitCache = before })
	fitCache = lru.New[lru.Key](1<<20, func(*gp.GP) int { return 1 })
}

// With the fits of an earlier process, the first step makes one fit: that to the new observation. It equals the fit
// without them to the last bit. Fits without a store use none of them, nor what was made from them.
func TestFirstStepMakesOneFit(t *testing.T) {
	_, data := testbed.Observe(t, "branin", 68)
	store := &memoryStore{values: map[string][]float64{}}
	fitAt := func(n int, fits optimizers.FitStore) []float64 {
		in := testbed.InputFor(t, EI, 2, dataPrefix(data, n), "restarts=1")
		in.Fits = fits
		p, err := Fit(t.Context(), in, 0)
		require.NoError(t, err)
		return p.GP.Mode().Hyperparameters()
	}
	newProcess(t)
	fitAt(67, store)
	if store.added < 4 { // to 50 and to 65 observations and after
		t.Fatalf("%d fits are kept", store.added)
	}
	newProcess(t)
	store.added = 0
	got := fitAt(68, store)
	assert.Equal(t, 1, store.added, "the first step of a process makes %d fits", store.added)
	for key, values := range store.values { // a store that is wrong
		wrong := slices.Clone(values)
		wrong[0] = math.Nextafter(wrong[0], 1)
		store.values[key] = wrong
	}
	if want := fitAt(68, nil); !slices.Equal(got, want) {
		t.Errorf("with the fits of an earlier process it is %v, without %v", got, want)
	}
}

// Few observations are fitted without the store.
func TestFewObservationsAreNotStored(t *testing.T) {
	_, data := testbed.Observe(t, "branin", 20)
	store := &memoryStore{values: map[string][]float64{}}
	in := testbed.InputFor(t, EI, 2, data, "restarts=1")
	in.Fits = store
	if _, err := Fit(t.Context(), in, 0); err != nil {
		t.Fatal(err)
	}
	if store.added > 0 {
		t.Errorf("%d fits are kept", store.added)
	}
}

// Stored values that no fit with the options has are not used.
func TestStoredValuesAreChecked(t *testing.T) {
	_, data := testbed.Observe(t, "branin", 51)
	for _, wrong := range [][]float64{nil, {1}, {1, 1, 1, 1}, {1, 1, 1, 1, 0, 0}, {1, 0, 1, 1e-3, 0}, {1, 1, math.NaN(), 1e-3, 0},
		{1, 1, 1, -1, 0}, {1, math.Inf(1), 1, 1e-3, 0}} {
		newProcess(t)
		in := testbed.InputFor(t, EI, 2, data, "restarts=1")
		in.Fits = &memoryStore{values: map[string][]float64{}}
		f := newPrefix(in, 0, gpOptions(in), 50)
		in.Fits.Save(storeKey(f.key("warm")), wrong)
		if g := f.known("warm"); g != nil {
			t.Errorf("%v is taken for %v", wrong, g.Hyperparameters())
		}
	}
}
