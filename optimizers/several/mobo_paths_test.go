package several

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"bandscope/optimizers"
	"bandscope/optimizers/testbed"
)

// The region that a front leaves is that of the points which some point of it weakly dominates, each in one cell only; the rest below the reference is what
// improves on it.
func TestRegions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	for k := 1; k <= 5; k++ {
		front := randomFront(rng, 9, k, k%2 == 0)
		reference := slices.Repeat([]float64{0.9}, k)
		cells, better := remaining(front, k), improving(front, reference)
		for range 2000 {
			z := make([]float64, k)
			for j := range z {
				z[j] = 1.2 * rng.Float64()
			}
			under := 0
			for _, f := range front {
				if nowhereWorse(f, z) {
					under = 1
				}
			}
			if n := holding(cells, z); n != under {
				t.Fatalf("K=%d: %v lies in %d cells, want %d", k, z, n, under)
			}
			if n := holding(better, z); (n == 1) != (under == 0 && nowhereWorse(z, reference)) || n > 1 {
				t.Fatalf("K=%d: %v lies in %d boxes that improve", k, z, n)
			}
		}
	}
}

func nowhereWorse(a, b []float64) bool {
	for k, v := range a {
		if v > b[k] {
			return false
		}
	}
	return true
}

// holding is how many cells hold a point.
func holding(cells []cell, z []float64) int {
	n := 0
	for _, c := range cells {
		in := true
		for j, v := range z {
			in = in && v >= c.lo[j] && v < c.hi[j]
		}
		if in {
			n++
		}
	}
	return n
}

// Cut by one half-line in one objective, what is lost is the closed form log(√(2πe)σ) − [log(√(2πe)σΦ(β)) − βφ(β)/(2Φ(β))], whatever the others are.
func TestEntropyLostToAHalfLine(t *testing.T) {
	// γ and the log of the entropy that is lost to the half-line [−γ, ∞): mpmath 1.4.1 with 1,000 digits.
	for _, c := range [][2]float64{
		{-37.5, 1.3974068662479061},
		{-10.0, 1.0082567738045121},
		{-5.0, 0.74133643859006989},
		{-3.0, 0.52062440201565978},
		{-1.0, 0.075528540530939019},
		{0.0, -0.36651292058166433},
		{1.0, -1.1502621798086021},
		{3.0, -4.8273681185485898},
	} {
		want := math.Exp(c[1])
		sd, inf := 0.7, math.Inf(1)
		for _, cells := range [][]cell{{{[]float64{2 - sd*c[0]}, []float64{inf}}}, {{[]float64{2 - sd*c[0], -inf}, []float64{inf, inf}}},
			{{[]float64{2 - sd*c[0], -inf}, []float64{inf, 1}}, {[]float64{2 - sd*c[0], 1}, []float64{inf, inf}}}} {
			k := len(cells[0].lo)
			if got := entropyLost(cells, []float64{2, 1.5}[:k], []float64{sd, 0.1}[:k]); math.Abs(got-want) > 1e-9*want+1e-15*c[0]*c[0]*c[0]*c[0] {
				t.Errorf("cut at β = %g: %.12g, want %.12g", c[0], got, want)
			}
		}
	}
}

// The entropy that is lost is H(z) + E log p(z), with the density p of the law that is cut, by Monte-Carlo over the normals that fall into the region, within five
// standard errors.
func TestEntropyLost(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 5))
	for _, k := range []int{1, 2, 3} {
		for range 3 {
			front := make([][]float64, 5)
			for i := range front {
				front[i] = make([]float64, k)
				for j := range front[i] {
					front[i][j] = rng.NormFloat64()
				}
			}
			mean, sd := make([]float64, k), make([]float64, k)
			whole := 0.0 // H(z)
			for j := range mean {
				mean[j], sd[j] = 0.5*rng.NormFloat64(), 0.5+rng.Float64()
				whole += distuv.Normal{Mu: mean[j], Sigma: sd[j]}.Entropy()
			}
			const draws = 100_000
			var logs []float64 // of the density of those within, but for the region's probability
			for range draws {
				z, log := make([]float64, k), 0.0
				for j := range z {
					law := distuv.Normal{Mu: mean[j], Sigma: sd[j]}
					z[j] = mean[j] + sd[j]*rng.NormFloat64()
					log += law.LogProb(z[j])
				}
				if slices.ContainsFunc(front, func(f []float64) bool { return nowhereWorse(f, z) }) {
					logs = append(logs, log)
				}
			}
			p := float64(len(logs)) / draws
			m, s := stat.MeanStdDev(logs, nil)
			want := whole + m - math.Log(p)
			se := math.Sqrt((1-p)/(p*draws)) + s/math.Sqrt(float64(len(logs)))
			got := entropyLost(remaining(front, k), mean, sd)
			if math.Abs(got-want) > 5*se {
				t.Errorf("K=%d: %g, by Monte-Carlo %g ± %g", k, got, want, se)
			}
			if tail := tailEntropyLost(remaining(front, k), mean, sd); math.Abs(tail-got) > 1e-9 {
				t.Errorf("K=%d: %g by logarithms, %g without", k, tail, got)
			}
		}
	}
}

// Information is never negative, whatever the posterior and the fronts; up to four objectives no front's share is.
func TestInformationIsNotNegative(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 5))
	for k := 1; k <= 6; k++ {
		for range 300 {
			front := make([][]float64, 1+rng.IntN(8))
			for i := range front {
				front[i] = make([]float64, k)
				for j := range front[i] {
					front[i][j] = rng.NormFloat64()
				}
			}
			b := &informationBelief{cells: [][]cell{remaining(front, k)}}
			mean, sd := make([]float64, k), make([]float64, k)
			for j := range mean {
				mean[j], sd[j] = 3*rng.NormFloat64(), math.Exp(2*rng.NormFloat64()-1)
			}
			lost := entropyLost(b.cells[0], mean, sd)
			if v := b.information(mean, sd); !(v >= 0) || math.IsInf(v, 1) || k <= 4 && lost < -1e-9 {
				t.Errorf("K=%d: the front %v tells %g of %v ± %v, and loses %g", k, front, v, mean, sd, lost)
			}
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
	in := testbed.InputFor(t, MOBOTS, 2, testbed.ObserveAll(t, "thesis-xy", 25))
	in.Objectives = 2
	b := testbed.Fit(t, MOBOTS, in).(*belief)
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
	data := testbed.ObserveAll(t, "thesis-xy", 9)
	for _, spec := range []optimizers.Spec{MOBOUCB, MOBOTS} {
		in := testbed.InputFor(t, spec, 2, data)
		in.Objectives = 2
		before := testbed.Fit(t, spec, in).(*belief)
		other := testbed.InputFor(t, spec, 2, data, "prior=box(80%..90%, 10%..20%)")
		other.Objectives = 2
		carried, ok := before.Carry(other)
		if !ok {
			t.Fatal("a new prior needs a new fit")
		}
		a, errA := carried.Suggest(ctx)
		b, errB := testbed.Fit(t, spec, other).Suggest(ctx)
		if errA != nil || errB != nil || !mat.Equal(a.X, b.X) {
			t.Errorf("%s: %v carried over, %v fitted", spec.Name, a.X, b.X)
		}
		matern := testbed.InputFor(t, spec, 2, data, "kernel=matern52")
		fewer := other
		fewer.Data = optimizers.Data{X: data.X.Slice(0, 8, 0, 2).(*mat.Dense), Y: data.Y.Slice(0, 8, 0, 2).(*mat.Dense)}
		for _, in := range []optimizers.Input{matern, fewer} {
			in.Objectives = 2
			if _, ok := before.Carry(in); ok {
				t.Errorf("%s is carried over to other data or another kernel", spec.Name)
			}
		}
	}
}
