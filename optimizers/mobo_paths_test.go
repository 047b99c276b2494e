package optimizers

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/functions/pareto"
)

// The region that a front leaves is that of the points which some point of it weakly dominates, each in one cell only.
func TestRemainingRegion(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	for k := 1; k <= 4; k++ {
		front := make([][]float64, 9)
		for i := range front {
			front[i] = make([]float64, k)
			for j := range front[i] {
				front[i][j] = rng.Float64()
			}
		}
		cells := remaining(front, k)
		for range 2000 {
			z := make([]float64, k)
			for j := range z {
				z[j] = 1.2 * rng.Float64()
			}
			inside := 0
			for _, c := range cells {
				in := true
				for j, v := range z {
					in = in && v >= c.lo[j] && v < c.hi[j]
				}
				if in {
					inside++
				}
			}
			want := 0
			for _, f := range front {
				ok := true
				for j, v := range f {
					ok = ok && v <= z[j]
				}
				if ok {
					want = 1
				}
			}
			if inside != want {
				t.Fatalf("K=%d: %v lies in %d cells, want %d", k, z, inside, want)
			}
		}
	}
}

// The entropy that is lost is −log Z − E[log p] + H, by Monte-Carlo over the normals that fall into the region, within five standard errors.
func TestEntropyLost(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 5))
	for _, k := range []int{1, 2, 3} {
		front := make([][]float64, 5)
		for i := range front {
			front[i] = make([]float64, k)
			for j := range front[i] {
				front[i][j] = rng.NormFloat64()
			}
		}
		mean, sd := make([]float64, k), make([]float64, k)
		for j := range mean {
			mean[j], sd[j] = 0.5*rng.NormFloat64(), 0.5+rng.Float64()
		}
		cells := remaining(front, k)
		const draws = 400_000
		var kept []float64 // Σ of squares of those within
		for range draws {
			z, sum := make([]float64, k), 0.0
			for j := range z {
				e := rng.NormFloat64()
				z[j], sum = mean[j]+sd[j]*e, sum+e*e
			}
			for _, f := range front {
				if pareto.Dominates(f, z) {
					kept = append(kept, sum)
					break
				}
			}
		}
		p := float64(len(kept)) / draws
		m, s := stat.MeanStdDev(kept, nil)
		want := -math.Log(p) + (m-float64(k))/2
		se := math.Sqrt((1-p)/(p*draws)) + s/2/math.Sqrt(float64(len(kept)))
		if got := entropyLost(cells, mean, sd); math.Abs(got-want) > 5*se {
			t.Errorf("K=%d: %g, by Monte-Carlo %g ± %g", k, got, want, se)
		}
	}
}

// The moments of a maximum are those of a Monte-Carlo, exactly for two and nearly, as published, for three.
func TestTchebyshevMoments(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for _, c := range []struct {
		w, mean, sd []float64
		tolerance   float64
	}{
		{[]float64{0.3, 0.7}, []float64{-0.2, -0.7}, []float64{0.3, 0.1}, 0},
		{[]float64{0.5, 0.5}, []float64{-0.5, -0.5}, []float64{0, 0.2}, 0},
		{[]float64{0.2, 0.5, 0.3}, []float64{-0.2, -0.6, -0.4}, []float64{0.2, 0.1, 0.2}, 0.003},
	} {
		const draws = 200_000
		values := make([]float64, draws)
		for i := range values {
			z := make([]float64, len(c.w))
			for k := range z {
				z[k] = c.mean[k] + c.sd[k]*rng.NormFloat64()
			}
			values[i] = tchebyshevCost(c.w, z)
		}
		m, s := stat.MeanStdDev(values, nil)
		gotM, gotS := costMoments(c.w, c.mean, c.sd)
		if se := s / math.Sqrt(draws); math.Abs(gotM-m) > 5*se+c.tolerance || math.Abs(gotS-s) > 5*se+c.tolerance {
			t.Errorf("%v: mean %g and sd %g, by Monte-Carlo %g and %g", c.w, gotM, gotS, m, s)
		}
	}
}

func TestSimplexLattice(t *testing.T) {
	for _, c := range []struct{ k, count, want int }{{1, 10, 1}, {2, 60, 60}, {3, 60, 55}, {4, 60, 56}, {3, 2, 3}} {
		lattice := simplexLattice(c.k, c.count)
		if len(lattice) != c.want {
			t.Errorf("K=%d: %d weight vectors of at most %d, want %d", c.k, len(lattice), c.count, c.want)
		}
		for _, w := range lattice {
			sum := 0.0
			for _, v := range w {
				sum += v
			}
			if math.Abs(sum-1) > 1e-12 {
				t.Errorf("%v sums to %g", w, sum)
			}
		}
	}
}

// Fronts of the processes are fronts, are the same when asked again, and near data those of the draws lie about that of the means.
func TestBelievedFronts(t *testing.T) {
	ctx := context.Background()
	in := input(t, moboTS, 2, observeAll(t, "thesis-xy", 25))
	in.Objectives = 2
	b := fit(t, moboTS, in).(*moboBelief)
	front, err := b.ExpectedFront(ctx)
	if err != nil || len(front) < 20 {
		t.Fatalf("%d points (%v)", len(front), err)
	}
	for _, p := range front {
		bands, err := b.Predict(ctx, mat.NewDense(1, 2, p.X))
		if err != nil {
			t.Fatal(err)
		}
		for k, band := range bands {
			if math.Abs(band.Mean[0]-p.Y[k]) > 1e-9 {
				t.Fatalf("the front has %v where the means are %g", p.Y, band.Mean[0])
			}
		}
		if r := math.Hypot(p.Y[0], p.Y[1]); math.Abs(r-1) > 0.05 { // the true front is a quarter of a circle
			t.Errorf("the expected front passes through %v", p.Y)
		}
	}
	drawn, err := b.DrawnFronts(ctx, 3)
	if err != nil {
		t.Fatal(err)
	}
	more, err := b.DrawnFronts(ctx, 5)
	if err != nil || len(more) != 5 || &more[0][0] != &drawn[0][0] {
		t.Errorf("%d fronts after %d (%v)", len(more), len(drawn), err)
	}
	for _, f := range more {
		for _, p := range f {
			if r := math.Hypot(p.Y[0], p.Y[1]); math.Abs(r-1) > 0.15 {
				t.Errorf("a drawn front passes through %v", p.Y)
			}
		}
	}
}

// A belief that is carried over to another prior is what a new fit gives; other data or another kernel are not carried over to.
func TestCarryingOver(t *testing.T) {
	ctx := context.Background()
	data := observeAll(t, "thesis-xy", 9)
	for _, spec := range []Spec{moboUCB, moboTS} {
		in := input(t, spec, 2, data)
		in.Objectives = 2
		before := fit(t, spec, in).(*moboBelief)
		other := input(t, spec, 2, data, "prior=box(80%..90%, 10%..20%)")
		other.Objectives = 2
		carried, ok := before.Carry(other)
		if !ok {
			t.Fatal("a new prior needs a new fit")
		}
		a, errA := carried.Suggest(ctx)
		b, errB := fit(t, spec, other).Suggest(ctx)
		if errA != nil || errB != nil || !mat.Equal(a.X, b.X) {
			t.Errorf("%s: %v carried over, %v fitted", spec.Name, a.X, b.X)
		}
		matern := input(t, spec, 2, data, "kernel=matern52")
		fewer := other
		fewer.Data = Data{X: data.X.Slice(0, 8, 0, 2).(*mat.Dense), Y: data.Y.Slice(0, 8, 0, 2).(*mat.Dense)}
		for _, in := range []Input{matern, fewer} {
			in.Objectives = 2
			if _, ok := before.Carry(in); ok {
				t.Errorf("%s is carried over to other data or another kernel", spec.Name)
			}
		}
	}
}
