package gaussian

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/lru"
	"bandscope/model/gp"
	"bandscope/optimizers"
	"bandscope/optimizers/testbed"
)

// Searches are scheduled every five observations while there are few, then whenever their number has grown by a
// quarter.
func TestScheduledSearches(t *testing.T) {
	for n, want := range map[int]int{
		0: 0, 1: 0, 4: 0, 5: 5, 23: 20, 49: 45, 50: 50, 64: 50, 65: 65, 84: 65, 85: 85, 109: 85, 110: 110, 1000: 860} {
		assert.Equal(t, want, (schedule)(nil).search(n), "with %d observations the last scheduled search is at", n)
	}
}

// No search and no check is scheduled within an import: it is at the end of the import. Without a scheduled number in
// it, an import changes nothing.
func TestScheduleAfterImports(t *testing.T) {
	for _, c := range []struct {
		imports [][2]int
		n       int
		search  int
		checks  []int
	}{
		{nil, 62, 50, []int{50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62}},
		{[][2]int{{0, 100}}, 60, 60, []int{60}}, // the session before all was imported
		{[][2]int{{0, 100}}, 100, 100, []int{100}},
		{[][2]int{{0, 100}}, 104, 100, []int{100, 102, 104}},
		{[][2]int{{0, 100}}, 125, 125, []int{125}},
		{[][2]int{{0, 4}}, 4, 0, []int{0}},
		{[][2]int{{0, 7}}, 9, 7, []int{7, 8, 9}},
		{[][2]int{{0, 7}}, 12, 10, []int{10, 11, 12}},
		{[][2]int{{52, 60}}, 62, 50, []int{50, 51, 52, 60, 61, 62}},
		{[][2]int{{0, 100}, {110, 300}}, 301, 300, []int{300}},
		{[][2]int{{0, 100}, {110, 300}}, 314, 300, []int{300, 307, 314}},
		{[][2]int{{0, 3}, {60, 64}}, 64, 50, []int{50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 64}},
	} {
		s := scheduleFor(c.imports, c.n)
		assert.Equal(t, c.search, s.search(c.n), "%v: with %d observations the last search is at", c.imports, c.n)
		if got := s.checks(c.n); !slices.Equal(got, c.checks) {
			t.Errorf("%v: with %d observations the checks are at %v, want %v", c.imports, c.n, got, c.checks)
		}
	}
}

// The fit to imported observations is the one from scratch, and no fit to a part of them is made. In a session of the
// first format, the chain of fits begins with the first 50 of them.
func TestImportedObservationsAreFittedAtOnce(t *testing.T) {
	_, data := testbed.Observe(t, "branin", 70)
	data.Imports = [][2]int{{0, 68}}
	before := fitCache
	defer func() { fitCache = before }()
	count := func(in optimizers.Input) (*Process, int) {
		fitCache = lru.New[lru.Key](1<<20, func(*gp.GP) int { return 1 })
		p, err := Fit(t.Context(), in, 0)
		require.NoError(t, err)
		fits := 0
		for n := range 69 {
			for _, which := range [][]any{nil, {"warm"}} {
				if _, ok := fitCache.Get(newPrefix(in, 0, gpOptions(in), n).key(which...)); ok {
					fits++
				}
			}
		}
		return p, fits
	}
	in := testbed.InputFor(t, EI, 2, data, "restarts=1")
	_, made := count(in)
	if made != 2 { // from scratch, which is also the scheduled one
		t.Errorf("%d fits were made to a part of the observations", made)
	}
	in.Data.Imports = nil
	if _, made := count(in); made < 8 {
		t.Errorf("without an import only %d fits were made to a part of the observations", made)
	}
	in.Data = dataPrefix(data, 68)
	in.Data.Imports = data.Imports
	p, _ := count(in)
	scratch, err := FitFromScratch(t.Context(), in, 0)
	require.NoError(t, err)
	if !slices.Equal(p.GP.Mode().Hyperparameters(), scratch.GP.Mode().Hyperparameters()) {
		t.Errorf("the fit is %v, from scratch %v", p.GP.Mode().Hyperparameters(), scratch.GP.Mode().Hyperparameters())
	}
}

// The key of a fit has the imports among its observations, and not those after them.
func TestKeysOfImports(t *testing.T) {
	_, data := testbed.Observe(t, "branin", 20)
	in := testbed.InputFor(t, EI, 2, data)
	key := func(n int, imports ...[2]int) lru.Key {
		in.Data.Imports = imports
		return fitKey(in, 0, gpOptions(in), n)
	}
	if key(10) == key(10, [2]int{0, 8}) || key(10, [2]int{0, 8}) == key(10, [2]int{0, 9}) {
		t.Error("an import does not change the key")
	}
	if key(10) != key(10, [2]int{10, 20}) || key(10, [2]int{0, 10}) != key(10, [2]int{0, 20}) {
		t.Error("an import after the observations changes the key")
	}
}

// Without an observation, the ranges of imports are those of the others.
func TestImportsWithoutAnObservation(t *testing.T) {
	d := optimizers.Data{X: mat.NewDense(9, 1, nil), Y: mat.NewDense(9, 1, nil), Imports: [][2]int{{0, 3}, {5, 6}}}
	for i, want := range map[int][][2]int{0: {{0, 2}, {4, 5}}, 2: {{0, 2}, {4, 5}}, 3: {{0, 3}, {4, 5}}, 5: {{0, 3}},
		6: {{0, 3}, {5, 6}}} {
		if got := d.Without(i).Imports; !slices.Equal(got, want) {
			t.Errorf("without observation %d the imports are %v, want %v", i, got, want)
		}
	}
	assert.Equal(t, [2]int{0, 3}, d.Imports[0], "the data were changed")
}
