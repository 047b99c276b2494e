package optimizers

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
)

// costly is what a method sees of a problem with a cost, after n data.
func costly(t testing.TB, spec Spec, name string, n int, set ...string) Input {
	t.Helper()
	p, data := observe(t, name, n)
	in := input(t, spec, p.Dim(), data, set...)
	if p.Cost != nil {
		in.Cost = func(u []float64) float64 { return p.Cost.Func(p.Domain.FromUnit(u)) }
	}
	return in
}

func suggestion(t testing.TB, spec Spec, in Input) []float64 {
	t.Helper()
	s, err := fit(t, spec, in).Suggest(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return mat.Row(nil, 0, s.X)
}

// ratios are the information ratio R at the rows of X.
func ratios(t testing.TB, b costIDSBelief, X *mat.Dense) []float64 {
	t.Helper()
	v, err := b.scored.values(context.Background(), b.score, X)
	if err != nil {
		t.Fatal(err)
	}
	for i := range v {
		v[i] = math.Exp(-v[i])
	}
	return v
}

// With a constant cost and ρ = ∞ the cost-aware method is the plain one (algorithms of Paria 2022, thesis, §4.4), which chooses where the confidence bound
// is least.
func TestCostIDSIsIDSWhereAllCostsTheSame(t *testing.T) {
	for _, name := range []string{"forrester", "branin", "branin-fidelity"} {
		for _, n := range []int{4, 15} {
			in := costly(t, costIDS, name, n, "rho_inf=on")
			in.Cost = func([]float64) float64 { return 7 }
			a, b := suggestion(t, costIDS, in), suggestion(t, ids, costly(t, ids, name, n))
			ucb := suggestion(t, gpUCB, costly(t, gpUCB, name, n))
			for j := range a {
				if math.Abs(a[j]-b[j]) > 1e-6 || math.Abs(b[j]-ucb[j]) > 1e-4 {
					t.Errorf("%s after %d data: cost-ids suggests %v, ids %v, gp-ucb %v", name, n, a, b, ucb)
					break
				}
			}
		}
	}
}

// At the optimizer of the confidence bound the ratio equals β, and nowhere is it less; what cost-ids suggests keeps to R ≤ ρR*, and what it shows is λR.
func TestInformationRatio(t *testing.T) {
	ctx := context.Background()
	for _, name := range []string{"forrester-cost", "branin-cost", "branin-fidelity"} {
		in := costly(t, costIDS, name, 12, "rho=1.7")
		beta := betaOf(in)
		b := fit(t, costIDS, in).(costIDSBelief)
		ucb := suggestion(t, gpUCB, costly(t, gpUCB, name, 12))
		if at := ratios(t, b, mat.NewDense(1, len(ucb), ucb)); math.Abs(at[0]/beta-1) > 1e-6 {
			t.Errorf("%s: at the confidence bound the ratio is %v, β is %g", name, at, beta)
		}
		X := probes(2000, len(ucb))
		all := ratios(t, b, X)
		if slices.Min(all) < beta*(1-1e-4) {
			t.Errorf("%s: the least ratio is %g, β is %g", name, slices.Min(all), beta)
		}
		shown, err := b.Acquisition(ctx, X)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range shown {
			if want := math.Log10(all[i] * in.CostAt(X.RawRowView(i))); math.Abs(v-want) > 1e-9 {
				t.Fatalf("%s: λR is shown as %g, want %g", name, v, want)
			}
		}
		s, err := b.Suggest(ctx)
		if err != nil {
			t.Fatal(err)
		}
		x := mat.Row(nil, 0, s.X)
		chosen := ratios(t, b, s.X)
		if chosen[0] > 1.7*beta*(1+1e-6) || in.CostAt(x)*chosen[0] > in.CostAt(ucb)*beta*(1+1e-6) {
			t.Errorf("%s: the ratio %g of %g costs %g; the bound's optimizer %g", name, chosen[0], beta, in.CostAt(x), in.CostAt(ucb))
		}
		allowed, err := b.Allowed(ctx, X)
		for i := range allowed {
			if allowed[i] != (all[i] <= 1.7*beta*(1+1e-9)) && math.Abs(all[i]/beta-1.7) > 1e-6 {
				t.Fatalf("%s: R = %g R*, allowed %v, %v", name, all[i]/beta, allowed[i], err)
			}
		}
	}
}

// Without the constraint cheap points that teach nothing are chosen, and it is said; with it they are not.
func TestDegenerateCase(t *testing.T) {
	steep := func(u []float64) float64 { return math.Exp(30 * u[0]) }
	in := costly(t, costIDS, "forrester", 14, "rho_inf=on")
	in.Cost = steep
	s, err := fit(t, costIDS, in).Suggest(context.Background())
	if err != nil || s.X.At(0, 0) > 0.1 || !strings.Contains(s.Note, "teaches little") {
		t.Errorf("it suggests %g, and says %q; %v", s.X.At(0, 0), s.Note, err)
	}
	in = costly(t, costIDS, "forrester", 14)
	in.Cost = steep
	if s, err = fit(t, costIDS, in).Suggest(context.Background()); err != nil || strings.Contains(s.Note, "teaches little") {
		t.Errorf("with the constraint it says %q; %v", s.Note, err)
	}
}

// EI per cost is EI divided by the cost, everywhere.
func TestEIPerCost(t *testing.T) {
	ctx := context.Background()
	in := costly(t, eiPerCost, "branin-cost", 10)
	X := probes(200, 2)
	per, err := fit(t, eiPerCost, in).Acquisition(ctx, X)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := fit(t, gpEI, costly(t, gpEI, "branin-cost", 10)).Acquisition(ctx, X)
	if err != nil {
		t.Fatal(err)
	}
	for i := range per {
		if want := plain[i] / in.CostAt(X.RawRowView(i)); math.Abs(per[i]-want) > 1e-9*math.Abs(want)+1e-300 {
			t.Fatalf("EI per cost is %g, EI divided by the cost %g", per[i], want)
		}
	}
}

// The closed form of max-value entropy search is the definition H(f) − E H(f | f ≥ y*), by drawing from truncated normal laws.
func TestMESIsItsDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	best := []float64{-1.2, -0.7, -2}
	of := logMaxValueEntropy(best)
	for _, c := range [][2]float64{{0, 1}, {-0.5, 0.8}, {-1, 0.3}, {1.5, 0.6}, {-1.1, 1.4}} {
		mean, sd := c[0], c[1]
		density := func(f float64) float64 { return -(f-mean)*(f-mean)/(2*sd*sd) - math.Log(sd) - 0.5*math.Log(2*math.Pi) }
		const draws = 400_000
		want, variance := 0.0, 0.0
		for _, y := range best {
			inside := math.Erfc((y-mean)/sd/math.Sqrt2) / 2 // Pr[f ≥ y]
			var sum, squares float64
			n := 0
			for range draws {
				if f := mean + sd*rng.NormFloat64(); f >= y {
					v := density(f) - math.Log(inside) // −entropy of the truncated law
					sum, squares, n = sum+v, squares+v*v, n+1
				}
			}
			m := sum / float64(n)
			want += (0.5*math.Log(2*math.Pi*math.E*sd*sd) + m) / float64(len(best))
			variance += (squares/float64(n) - m*m) / float64(n) / float64(len(best)*len(best))
		}
		got, byMean, bySD := of(mean, sd)
		if got = math.Exp(got); math.Abs(got-want) > 4*math.Sqrt(variance) {
			t.Errorf("at μ = %g, σ = %g the information is %g, by draws %g ± %g", mean, sd, got, want, math.Sqrt(variance))
		}
		dm := fd.Derivative(func(m float64) float64 { v, _, _ := of(m, sd); return v }, mean, &fd.Settings{Formula: fd.Central})
		ds := fd.Derivative(func(s float64) float64 { v, _, _ := of(mean, s); return v }, sd, &fd.Settings{Formula: fd.Central})
		if math.Abs(dm-byMean) > 1e-6 || math.Abs(ds-bySD) > 1e-6 {
			t.Errorf("derivatives %g and %g, by differences %g and %g", byMean, bySD, dm, ds)
		}
	}
}

// Drawn paths have the best values of exact joint draws on a grid; the Gumbel law has those of values that are independent, which is its assumption.
func TestBestValues(t *testing.T) {
	ctx := context.Background()
	for _, way := range []string{"gumbel", "sampled"} {
		in := costly(t, mes, "forrester", 5, "maxima="+way)
		g, err := fitGP(ctx, in, 0)
		if err != nil {
			t.Fatal(err)
		}
		grid := mat.NewDense(201, 1, nil)
		for i := range 201 {
			grid.Set(i, 0, float64(i)/200)
		}
		z, err := g.gp.Sample(ctx, grid, 600, in.Stream("exact"))
		if err != nil {
			t.Fatal(err)
		}
		exact := make([]float64, 600)
		for i := range exact {
			exact[i] = slices.Min(z.RawRowView(i))
		}
		places := candidates(in.Space(), in.Stream("places"), nil)
		if way == "gumbel" {
			mean, sd, err := g.gp.Predict(ctx, places)
			if err != nil {
				t.Fatal(err)
			}
			rng := in.Stream("independent")
			for i := range exact {
				exact[i] = math.Inf(1)
				for k := range mean {
					exact[i] = min(exact[i], mean[k]+sd[k]*rng.NormFloat64())
				}
			}
		}
		draw := g.gumbelMinima
		if way == "sampled" {
			draw = g.sampledMinima
		}
		got, err := draw(ctx, places, 300)
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(exact)
		slices.Sort(got)
		spread := exact[540] - exact[60]
		if math.Abs(got[150]-exact[300]) > 0.15*spread {
			t.Errorf("%s: the median best value is %g, exactly %g (spread %g)", way, got[150], exact[300], spread)
		}
	}
}

// A constant cost changes nothing but the number that is shown.
func TestConstantCostChangesNoChoice(t *testing.T) {
	for _, pair := range [][2]Spec{{eiPerCost, gpEI}, {costMES, mes}, {mfMES, mes}} {
		in := costly(t, pair[0], "branin", 9)
		in.Cost = func([]float64) float64 { return 3 }
		a, b := suggestion(t, pair[0], in), suggestion(t, pair[1], costly(t, pair[1], "branin", 9))
		p, err := functions.Find("branin", 0)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(a[0]-b[0]) > 1e-3 || math.Abs(a[1]-b[1]) > 1e-3 {
			t.Errorf("%s suggests %v, %s %v", pair[0].Name, p.Domain.FromUnit(a), pair[1].Name, p.Domain.FromUnit(b))
		}
	}
}
