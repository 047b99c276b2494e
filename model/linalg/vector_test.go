package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
)

// Solutions of one right-hand side are gonum's to the last bit, for every triangle, and the other triangle is not read.
func TestVectorSolves(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 0))
	for _, n := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 40, 41, 42, 43, 100} {
		for _, ul := range triangles {
			for _, tA := range transposes {
				for _, d := range []blas.Diag{blas.NonUnit, blas.Unit} {
					for _, inc := range []int{1, 2, -1} {
						lda := max(1, n) + rng.IntN(3)
						a := aTriangle(rng, n, lda)
						for i := range n {
							for j := range n {
								if ul == blas.Lower && j > i || ul == blas.Upper && j < i {
									a[i*lda+j] = math.NaN()
								}
							}
						}
						got := random(rng, max(2*n, 1))
						want := slices.Clone(got)
						theirs.Dtrsv(ul, tA, d, n, a, lda, want, inc)
						ours.Dtrsv(ul, tA, d, n, a, lda, got, inc)
						if !slices.Equal(got, want) {
							t.Errorf("%s: %v, want %v", fmt.Sprintf("%c%c%c n %d step %d", ul, tA, d, n, inc), got, want)
						}
					}
				}
			}
		}
	}
}

// BenchmarkVectorSolve solves for one right-hand side of 40 values.
func BenchmarkVectorSolve(b *testing.B) {
	const n = 40
	rng := rand.New(rand.NewPCG(1, 0))
	a, x, y := aTriangle(rng, n, n), random(rng, n), make([]float64, n)
	for _, amounts := range []struct {
		name string
		blas blas.Float64
	}{{"gonum", theirs}, {"ours", ours}} {
		for _, tA := range []blas.Transpose{blas.NoTrans, blas.Trans} {
			b.Run(fmt.Sprintf("%s/%c", amounts.name, tA), func(b *testing.B) {
				for b.Loop() {
					copy(y, x)
					amounts.blas.Dtrsv(blas.Lower, tA, blas.NonUnit, n, a, n, y, 1)
				}
			})
		}
	}
}
