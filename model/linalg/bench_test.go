package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	lapack "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"
)

// BenchmarkProduct compares a product of two square matrices with gonum's, in 10⁹ operations a second.
func BenchmarkProduct(b *testing.B) {
	for _, n := range []int{16, 64, 200, 1000} {
		rng := rand.New(rand.NewPCG(1, 0))
		x, y, z := random(rng, n*n), random(rng, n*n), make([]float64, n*n)
		for _, amounts := range []struct {
			name string
			blas blas.Float64
		}{{"gonum", theirs}, {"ours", ours}} {
			b.Run(fmt.Sprintf("%s/%d", amounts.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					amounts.blas.Dgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, x, n, y, n, 0, z, n)
				}
				b.ReportMetric(2*float64(n)*float64(n)*float64(n)*float64(b.N)/float64(b.Elapsed().Nanoseconds()),
					"Gflop/s")
			})
		}
	}
}

// BenchmarkAfterwards computes exponentials one by one after 64 at once, which costs no more than before them.
func BenchmarkAfterwards(b *testing.B) {
	x, y := random(rand.New(rand.NewPCG(1, 0)), 64), make([]float64, 64)
	for b.Loop() {
		Exp(y, x)
		for i, v := range x {
			y[i] -= math.Exp(v)
		}
	}
}

// BenchmarkInverse compares Cholesky's factor of a matrix of order 1,000 and the inverse from it with gonum's.
func BenchmarkInverse(b *testing.B) {
	const n = 1000
	half, a, z := random(rand.New(rand.NewPCG(1, 0)), n*n), make([]float64, n*n), make([]float64, n*n)
	theirs.Dsyrk(blas.Lower, blas.NoTrans, n, n, 1e-3, half, n, 0, a, n)
	for i := range n {
		a[i*n+i]++
	}
	for _, amounts := range []struct {
		name   string
		blas   blas.Float64
		lapack interface {
			Dpotrf(blas.Uplo, int, []float64, int) bool
			Dpotri(blas.Uplo, int, []float64, int) bool
		}
	}{{"gonum", theirs, lapack.Implementation{}}, {"ours", ours, factors{}}} {
		b.Run(amounts.name, func(b *testing.B) {
			blas64.Use(amounts.blas)
			defer blas64.Use(ours)
			for b.Loop() {
				copy(z, a)
				if !amounts.lapack.Dpotrf(blas.Lower, n, z, n) || !amounts.lapack.Dpotri(blas.Lower, n, z, n) {
					b.Fatal("no factor")
				}
			}
			b.ReportMetric(float64(n)*float64(n)*float64(n)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "Gflop/s")
		})
	}
}

// BenchmarkSquares measures the distances of 1,000 points.
func BenchmarkSquares(b *testing.B) {
	const n = 1000
	for _, d := range []int{2, 20, 100} {
		x, dst := mat.NewDense(n, d, random(rand.New(rand.NewPCG(1, 0)), n*d)), mat.NewDense(n, n, nil)
		b.Run(fmt.Sprint(d), func(b *testing.B) {
			for b.Loop() {
				Squares(dst, x, x)
			}
		})
	}
}
