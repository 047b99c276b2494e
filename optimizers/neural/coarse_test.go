package neural

import (
	"context"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/model/nn"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
	"bandscope/optimizers/testbed"
)

// A likeness of a wide network foretells its values everywhere; of a narrow one there is none, nor of what is too rough
// for it.
func TestLikenessOfAWideNetwork(t *testing.T) {
	ctx := context.Background()
	x := testbed.Probes(200, 2)
	both := func(width int, gamma float64, f Function) (points, values []float64) {
		in := testbed.InputFor(t, Greedy, 2, optimizers.Data{})
		arch := nn.Arch{Inputs: 2, Hidden: []int{width}, Activation: nn.Tanh, SigmaW: gamma, SigmaB: gamma}
		if f == nil {
			f = nn.New(arch, rand.New(rand.NewPCG(1, uint64(width))))
		}
		coarse, err := coarseApproximation(ctx, in, arch, f, search.NewSpace(in), rand.New(rand.NewPCG(2, 3)))
		require.NoError(t, err)
		if coarse == nil {
			return nil, nil
		}
		if points, err = coarse(ctx, x); err != nil {
			t.Fatal(err)
		}
		return points, f.Eval(in.Centered(x))
	}
	for _, gamma := range []float64{0.5, 2} {
		if points, values := both(5000, gamma, nil); points == nil || stat.RSquaredFrom(points, values, nil) < 0.98 {
			t.Errorf("γ = %g: the likeness foretells %g of the variance", gamma, stat.RSquaredFrom(points, values, nil))
		}
	}
	if points, _ := both(500, 2, nil); points != nil {
		t.Error("a network of 500 units has one")
	}
	if points, _ := both(5000, 2, waves{}); points != nil {
		t.Error("waves that no probes tell have one")
	}
}

// waves are as rough as a function can be.
type waves struct{}

func (waves) Eval(X *mat.Dense) []float64 {
	n, _ := X.Dims()
	v := make([]float64, n)
	for i := range v {
		v[i] = math.Sin(300*X.At(i, 0)) * math.Cos(200*X.At(i, 1))
	}
	return v
}

func (waves) Gradient([]float64, []float64) float64 { return 0 }

// A search that looks at a wide network through its likeness first reaches what one reaches that looks at it
// everywhere.
func TestSearchThroughALikeness(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(3) {
		in := testbed.InputFor(t, Greedy, 1, optimizers.Data{})
		arch := nn.Arch{Inputs: 1, Hidden: []int{2048}, Activation: nn.Tanh, SigmaW: 3, SigmaB: 3}
		f := nn.New(arch, rand.New(rand.NewPCG(1, seed)))
		draw, space := DrawFor(in, f), search.NewSpace(in)
		_, want, err := search.Maximize(ctx, space, draw.MinTarget(), rand.New(rand.NewPCG(2, seed)), nil)
		require.NoError(t, err)
		var looks atomic.Int64
		draw.Values = func(ctx context.Context, X *mat.Dense) ([]float64, error) {
			n, _ := X.Dims()
			looks.Add(int64(n))
			return DrawFor(in, f).Values(ctx, X)
		}
		if draw.Approximate, err = coarseApproximation(ctx, in, arch, f, space, rand.New(rand.NewPCG(3, seed))); err !=
			nil ||
			draw.Approximate == nil {
			t.Fatalf("there is no likeness (%v)", err)
		}
		_, got, err := search.Maximize(ctx, space, draw.MinTarget(), rand.New(rand.NewPCG(2, seed)), nil)
		if err != nil || got < want-1e-6 {
			t.Errorf("seed %d: the search reaches %g through the likeness (%v), %g without", seed, got, err, want)
		}
		if looks.Load() > 400 {
			t.Errorf("seed %d: the whole network is looked at %d times", seed, looks.Load())
		}
	}
}

// BenchmarkSearchThroughALikeness minimizes a network of width 5000 over two variables; its baseline looks at it
// everywhere.
func BenchmarkSearchThroughALikeness(b *testing.B) {
	ctx := context.Background()
	in := testbed.InputFor(b, Greedy, 2, optimizers.Data{})
	arch := nn.Arch{Inputs: 2, Hidden: []int{5000}, Activation: nn.Tanh, SigmaW: 2, SigmaB: 2}
	f := nn.New(arch, rand.New(rand.NewPCG(1, 1)))
	for _, name := range []string{"likeness", "everywhere"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				draw, space := DrawFor(in, f), search.NewSpace(in)
				if name == "likeness" {
					var err error
					if draw.Approximate, err = coarseApproximation(ctx, in, arch, f, space,
						rand.New(rand.NewPCG(3, 3))); err != nil {
						b.Fatal(err)
					}
				}
				if _, _, err := search.Maximize(ctx, space, draw.MinTarget(), rand.New(rand.NewPCG(2, 2)), nil); err !=
					nil {
					b.Fatal(err)
				}
			}
		})
	}
}
