package widenet

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/kernel"
)

// BenchmarkFitGamma chooses γ of 50 data in two dimensions, and of 300 in twenty; its baseline is the 57 looks of a
// grid that golden sections refine.
func BenchmarkFitGamma(b *testing.B) {
	for _, size := range []struct {
		name string
		n, d int
	}{{"50x2", 50, 2}, {"300x20", 300, 20}} {
		rng := rand.New(rand.NewPCG(1, 2))
		X, y := mat.NewDense(size.n, size.d, nil), make([]float64, size.n)
		X.Apply(func(int, int, float64) float64 { return 2*rng.Float64() - 1 }, X)
		for i := range y {
			y[i] = math.Sin(3 * mat.Sum(X.RowView(i)))
		}
		n := kernel.Network{Unit: kernel.Tanh, Depth: 1, SigmaW: 2, SigmaB: 2}
		if _, err := FitGamma(context.Background(), n, Setup{}, X, y); err != nil {
			// the first builds the kernels' tables
			b.Fatal(err)
		}
		b.Run(size.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := FitGamma(context.Background(), n, Setup{}, X, y); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(size.name+"/57Looks", func(b *testing.B) {
			for b.Loop() {
				if _, err := gammas(context.Background(), 57,
					evidenceOverGamma(context.Background(), n, Setup{}, X, y)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkPredict is the mean and the deviation at 1,000 inputs of twenty dimensions after 500 data; the law of
// trained networks, which needs two solves and a product more, is its baseline.
func BenchmarkPredict(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	X, inputs, y := mat.NewDense(500, 20, nil), mat.NewDense(1000, 20, nil), make([]float64, 500)
	for _, m := range []*mat.Dense{X, inputs} {
		m.Apply(func(int, int, float64) float64 { return 2*rng.Float64() - 1 }, m)
	}
	for i := range y {
		y[i] = math.Sin(3 * mat.Sum(X.RowView(i)))
	}
	n := kernel.Network{Unit: kernel.Erf, Depth: 1, SigmaW: 1, SigmaB: 1}
	for _, kind := range []Kind{Posterior, Trained} {
		l, err := New(context.Background(), n, Setup{Kind: kind, Sigma2: 0.01}, X, y)
		require.NoError(b, err)
		b.Run(string(kind), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := l.Predict(context.Background(), inputs); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
