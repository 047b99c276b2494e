package fast

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
)

// BenchmarkProduct compares a product of two square matrices with gonum's, in 10⁹ operations a second.
func BenchmarkProduct(b *testing.B) {
	for _, n := range []int{16, 64, 200, 1000} {
		rng := rand.New(rand.NewPCG(1, 0))
		x, y, z := random(rng, n*n), random(rng, n*n), make([]float64, n*n)
		for _, by := range []struct {
			name string
			blas blas.Float64
		}{{"gonum", theirs}, {"ours", ours}} {
			b.Run(fmt.Sprintf("%s/%d", by.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					by.blas.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, x, n, y, n, 0, z, n)
				}
				b.ReportMetric(2*float64(n)*float64(n)*float64(n)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "Gflop/s")
			})
		}
	}
}
