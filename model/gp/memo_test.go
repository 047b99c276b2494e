package gp

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Paths that share a prior draw are the same with and without a memo, to the last bit, also with several goroutines. A
// path of another draw does not use the memo.
func TestMemo(t *testing.T) {
	X, y := data(9, 2, 5)
	k := kernels(2)["se"]
	all, err := New(k, 0.1, X, y)
	require.NoError(t, err)
	path := func(g *GP, seed uint64) *Path {
		t.Helper()
		p, err := g.Path(200, rand.New(rand.NewPCG(seed, 1)))
		require.NoError(t, err)
		return p
	}
	var memo Memo
	for i := range y {
		less, err := all.Without(i)
		require.NoError(t, err)
		plain, shared := path(less, 3), path(less, 3)
		if shared.SetMemo(&memo); shared.memo == nil {
			t.Fatal("a path does not use the memo of its draw")
		}
		var wait sync.WaitGroup
		for range 3 {
			wait.Go(func() {
				for j := range 40 {
					x := []float64{float64(j) / 40, float64(j*j%7) / 7}
					if got, want := shared.At(x), plain.At(x); got != want {
						t.Errorf("without %d it is %g at %v, want %g", i, got, x, want)
					}
				}
			})
		}
		wait.Wait()
	}
	assert.Equal(t, 40, len(memo.known), "%d values are cached", len(memo.known))
	other := path(all, 4)
	if other.SetMemo(&memo); other.memo != nil {
		t.Error("a path of another draw uses the memo")
	}
}
