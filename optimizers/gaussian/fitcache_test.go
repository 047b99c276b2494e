package gaussian

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/lru"
	"bandscope/model/gp"
	"bandscope/optimizers"
	"bandscope/optimizers/space"
	"bandscope/optimizers/testbed"
)

// dataPrefix returns the first n observations.
func dataPrefix(d optimizers.Data, n int) optimizers.Data {
	_, dim := d.X.Dims()
	_, k := d.Y.Dims()
	return optimizers.Data{X: d.X.Slice(0, n, 0, dim).(*mat.Dense), Y: d.Y.Slice(0, n, 0, k).(*mat.Dense)}
}

// A fit depends only on the data: it is the same to the last bit whether earlier fits are cached or not, and whatever
// else was fitted in between. This holds with few observations, and with many, where a fit starts from earlier ones.
func TestFitDoesNotDependOnWhatWasFittedBefore(t *testing.T) {
	t.Run("few", func(t *testing.T) { sameByItself(t, "ackley:5", 5, 4, 23, []int{23, 7, 11, 20, 6}) })
	most, jumps := 81, []int{81, 61, 64, 65, 79}
	if testing.Short() {
		most, jumps = 66, jumps[1:4]
	}
	t.Run("many", func(t *testing.T) { sameByItself(t, "branin", 2, 60, most, jumps) })
}

// sameByItself fits the first from to most observations of a function one after the other. It compares some of these
// fits with fits that start with an empty cache.
func sameByItself(t *testing.T, function string, dim, from, most int, jumps []int) {
	_, data := testbed.Observe(t, function, most)
	fitAt := func(n int) *Process {
		in := testbed.InputFor(t, EI, dim, dataPrefix(data, n), "restarts=2")
		b, err := Fit(context.Background(), in, 0)
		require.NoError(t, err)
		return b
	}
	before := fitCache
	defer func() { fitCache = before }()
	forget := func() { fitCache = lru.New[lru.Key](1<<20, func(*gp.GP) int { return 1 }) }
	forget()
	var stepped []*Process
	for n := from; n <= most; n++ {
		stepped = append(stepped, fitAt(n))
	}
	in := testbed.InputFor(t, EI, dim, data, "restarts=2")
	for n := from; n <= most; n++ {
		if _, ok := fitCache.Get(fitKey(in, 0, gpOptions(in), n)); ok != (n == schedule(nil).search(n)) {
			t.Errorf("the fit to %d observations is cached: %v, want only scheduled fits", n, ok)
		}
	}
	_, other := testbed.Observe(t, function, most+17)
	for _, n := range jumps {
		forget()
		in := testbed.InputFor(t, EI, dim, other, "restarts=2")
		if _, err := Fit(context.Background(), in, 0); err != nil {
			t.Fatal(err)
		}
		jumped := fitAt(n)
		a, b := stepped[n-from].GP, jumped.GP
		la, sa, _ := a.Describe()
		lb, sb, _ := b.Describe()
		same := sa == sb && a.Noise() == b.Noise()
		for j := range la {
			same = same && la[j] == lb[j]
		}
		if !same {
			t.Errorf("%d observations: step by step %v %g %g, alone %v %g %g", n, la, sa, a.Noise(), lb, sb, b.Noise())
		}
	}
}

// A correction of an earlier observation makes another data set, with its own fits.
func TestKeptFitsKnowTheirData(t *testing.T) {
	_, data := testbed.Observe(t, "branin", 12)
	in := testbed.InputFor(t, EI, 2, data)
	base := fitKey(in, 0, gpOptions(in), 10)
	changed := map[string]func(in *optimizers.Input){
		"a target": func(in *optimizers.Input) {
			in.Data.Y = mat.DenseCopyOf(in.Data.Y)
			in.Data.Y.Set(3, 0, math.Nextafter(in.Data.Y.At(3, 0), 1e9))
		},
		"an input":   func(in *optimizers.Input) { in.Data.X = mat.DenseCopyOf(in.Data.X); in.Data.X.Set(9, 1, 0.5) },
		"the seed":   func(in *optimizers.Input) { in.Seed++ },
		"the kernel": func(in *optimizers.Input) { *in = testbed.InputFor(t, EI, 2, data, "kernel=se") },
		"the noise":  func(in *optimizers.Input) { *in = testbed.InputFor(t, EI, 2, data, "noise=fixed") },
		"its sd":     func(in *optimizers.Input) { *in = testbed.InputFor(t, EI, 2, data, "noise_sd=0.01") },
		"the priors": func(in *optimizers.Input) { *in = testbed.InputFor(t, EI, 2, data, "hyperprior=off") },
		"the choices": func(in *optimizers.Input) {
			in.Domain = &space.Domain{Inputs: []space.Input{{}, {Levels: []float64{0, 0.5, 1}}}}
		},
		"the restarts": func(in *optimizers.Input) { *in = testbed.InputFor(t, EI, 2, data, "restarts=9") },
	}
	for subject, change := range changed {
		other := in
		change(&other)
		if fitKey(other, 0, gpOptions(other), 10) == base {
			t.Errorf("a change of %s does not change the key of the fit", subject)
		}
	}
	later := in
	later.Data.Y = mat.DenseCopyOf(in.Data.Y)
	later.Data.Y.Set(11, 0, 7)
	if fitKey(later, 0, gpOptions(later), 10) != base {
		t.Error("an observation after the first ten changes the fit to those")
	}
}
