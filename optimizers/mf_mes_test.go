package optimizers

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
)

// halfLines are γ, log Φ(γ), log of the entropy γφ(γ)/(2Φ(γ)) − log Φ(γ), and the latter's derivative: mpmath 1.4.1 with 1,000 digits.
var halfLines = [][4]float64{
	{-1000.0, -500007.82669481218, 1.9915246383039088, -0.00013648662721436951},
	{-300.0, -45006.622732118663, 1.8120102361530418, -0.00054439408493507994},
	{-37.5, -707.66898931750719, 1.3974068662479061, -0.0065743393233683292},
	{-30.0, -454.3212439563432, 1.3408651406662893, -0.0086822021940218332},
	{-12.0, -75.410673001568796, 1.0706886782861424, -0.027809618409172848},
	{-10.001, -53.241383739024042, 1.0082918973753886, -0.035121324862074524},
	{-10.0, -53.231285150512471, 1.0082567738045121, -0.035125817059597402},
	{-9.999, -53.221187552555521, 1.0082216457409319, -0.035130310269543757},
	{-5.0001, -15.065517049221958, 0.74134477650302817, -0.083378137218775597},
	{-5.0, -15.064998393988726, 0.74133643859006989, -0.083380121960075714},
	{-4.9999, -15.064479748428529, 0.74132810047863354, -0.083382106780041189},
	{-3.0, -6.6077262215103495, 0.52062440201565978, -0.14698550661153308},
	{-1.0, -1.8410216450092635, 0.075528540530939019, -0.33577368023037183},
	{0.0, -0.69314718055994531, -0.36651292058166433, -0.57555204953608122},
	{1.0, -0.17275377902344989, -1.1502621798086021, -1.0391815845504505},
	{3.0, -0.0013508099647481938, -4.8273681185485898, -2.7747170387812022},
	{4.9999, -2.8680032213181123e-7, -12.427870940162206, -4.8275730650612183},
	{5.0001, -2.8650297813173647e-7, -12.42883647527237, -4.8277780365462467},
	{8.0, -6.2209605742717861e-16, -31.502325473380921, -7.8823574626313521},
	{20.0, -2.7536241186062337e-89, -198.61137824444925, -19.950495058516045},
	{38.0, -2.8854283600687843e-316, -719.97311642663303, -37.973756906181076},
	{60.0, -1.2375730286433985e-784, -1797.5171859043578, -59.983351831302825},
}

// Value and slope are exact on both sides of the switches between formulas, and far out at both ends, where the slope is what a search climbs by.
func TestHalfLineLoss(t *testing.T) {
	for _, c := range halfLines {
		gamma := c[0]
		if got := logCDF(gamma); math.Abs(got-c[1]) > 2e-15*math.Abs(c[1])*(1+math.Min(gamma*gamma, 30)) {
			t.Errorf("log Φ(%g) = %.17g, want %.17g", gamma, got, c[1])
		}
		v, slope := logHalfLineLoss(gamma)
		if math.Abs(v-c[2]) > 1e-12*(1+math.Abs(c[2])) || math.Abs(slope-c[3]) > 1e-11*math.Abs(c[3]) {
			t.Errorf("γ = %g: %.17g with the slope %.17g, want %.17g and %.17g", gamma, v, slope, c[2], c[3])
		}
	}
	for _, at := range []float64{tailFrom, -tailFrom, -1, 0} { // no jump where the formula changes
		below, slopeBelow := logHalfLineLoss(math.Nextafter(at, -9))
		above, slopeAbove := logHalfLineLoss(math.Nextafter(at, 9))
		if math.Abs(below-above) > 1e-12 || math.Abs(slopeBelow-slopeAbove) > 1e-11 || math.Abs(logCDF(math.Nextafter(at, -9))-logCDF(math.Nextafter(at, 9))) > 2e-14 {
			t.Errorf("at %g it jumps from %g to %g, with the slopes %g and %g", at, below, above, slopeBelow, slopeAbove)
		}
	}
}

// The information across fidelities is H(u) − H(u | v ≥ −γ) for γ, ρ: adaptive quadrature of the density's entropy, mpmath 1.4.1 with 30 digits.
func TestFidelityInformation(t *testing.T) {
	for _, c := range [][3]float64{
		{-20, 0.05, 0.0012484783245838}, {-20, 0.5, 0.14343066125895}, {-20, 0.9, 0.82514272147541},
		{-20, 0.99, 1.9017402847368}, {-20, 0.9999, 3.1790073035771}, {-20, 0.999999, 3.3941762592294},
		{-6, 0.05, 0.0012215063174472}, {-6, 0.5, 0.13985914335886}, {-6, 0.9, 0.78194169474743},
		{-6, 0.99, 1.6063854438109}, {-6, 0.9999, 2.1841338084383}, {-6, 0.999999, 2.2534697444586},
		{-2, 0.05, 0.0011083787252281}, {-2, 0.5, 0.12515834457551}, {-2, 0.9, 0.63866331732943},
		{-2, 0.99, 1.1260275031181}, {-2, 0.9999, 1.3798473955165}, {-2, 0.999999, 1.4069393791608},
		{-0.5, 0.05, 0.0009152366729148}, {-0.5, 0.5, 0.10104879583166}, {-0.5, 0.9, 0.46556040380876},
		{-0.5, 0.99, 0.74762998320204}, {-0.5, 0.9999, 0.87609068902557}, {-0.5, 0.999999, 0.88918503571139},
		{0, 0.05, 0.00079640870776236}, {0, 0.5, 0.086778862226977}, {0, 0.9, 0.38124417815216},
		{0, 0.99, 0.59156220012071}, {0, 0.9999, 0.68295602066425}, {0, 0.999999, 0.69212803188925},
		{1, 0.05, 0.00046310665843469}, {1, 0.5, 0.048727219506706}, {1, 0.9, 0.19232610891301},
		{1, 0.99, 0.27875356684687}, {1, 0.9999, 0.31286867318621}, {1, 0.999999, 0.3161862928634},
		{3, 0.05, 1.6666793869219e-5}, {3, 0.5, 0.0016717633123203}, {3, 0.9, 0.0056448679509168},
		{3, 0.99, 0.0073851715207639}, {3, 0.9999, 0.0079503431289614}, {3, 0.999999, 0.0080018946292157},
		{6, 0.05, 4.5569121466915e-11}, {6, 0.5, 4.5569131708942e-9}, {6, 0.9, 1.4789498573861e-8},
		{6, 0.99, 1.8272534294234e-8}, {6, 0.9999, 1.9135135823749e-8}, {6, 0.999999, 1.9206460644285e-8},
	} {
		gamma, rho := c[0], c[1]
		s := math.Sqrt((1 - rho) * (1 + rho))
		v, _, _ := logFidelityInformation(gamma, s)
		if got := math.Exp(v); math.Abs(got-c[2]) > 1e-7*c[2] {
			t.Errorf("γ = %g, ρ = %g: %.12g, want %.12g (%.1e)", gamma, rho, got, c[2], got/c[2]-1)
		}
	}
}

// fidelityInput is what a method sees of a problem with a fidelity.
func fidelityInput(t testing.TB, spec Spec, n int, set ...string) Input {
	in := costly(t, spec, "branin-fidelity", n, set...)
	in.Fidelity = &Fidelity{Index: 2, Full: 1, Text: "l = 5"}
	return in
}

// What is shown is the entropy that the law of an observation loses when the value at full fidelity is cut below each draw y*, over the cost: by
// Monte-Carlo from the joint law of the two, whose covariance is that of joint posterior samples' closed form.
func TestFidelityBelief(t *testing.T) {
	ctx := context.Background()
	in := fidelityInput(t, mfMES, 12, "noise=fixed", "noise_sd=0.3")
	b := fit(t, mfMES, in).(fidelityBelief)
	b.best = []float64{-0.9, -0.3, 0.2} // not so far below everything that nothing is told of them
	rng := rand.New(rand.NewPCG(6, 6))
	X := probes(6, 3)
	X.Set(5, 2, 1) // one at full fidelity
	shown, err := b.Acquisition(ctx, X)
	if err != nil {
		t.Fatal(err)
	}
	n, _ := in.Data.X.Dims()
	y := b.scale.Apply(in.Data.Column(0))
	for i := range shown {
		// The joint law by the textbook's formula: K** − K* (K + σ²I)⁻¹ K*ᵀ.
		two := mat.NewDense(2, 3, append(mat.Row(nil, i, X), X.At(i, 0), X.At(i, 1), 1))
		k := b.gp.Kernel()
		noisy := mat.NewDense(n, n, nil)
		noisy.Copy(k.Gram(in.Data.X))
		for j := range n {
			noisy.Set(j, j, noisy.At(j, j)+0.3*0.3)
		}
		var solved, law, mean mat.Dense
		if err := solved.Solve(noisy, k.Cross(in.Data.X, two)); err != nil {
			t.Fatal(err)
		}
		law.Mul(k.Cross(two, in.Data.X), &solved)
		law.Sub(k.Cross(two, two), &law)
		mean.Mul(solved.T(), mat.NewDense(n, 1, y))
		sdFull := math.Sqrt(law.At(1, 1))
		rho := law.At(0, 1) / sdFull / math.Sqrt(law.At(0, 0)+0.3*0.3)
		s := math.Sqrt(1 - rho*rho)
		want, variance := 0.0, 0.0
		for _, best := range b.best {
			gamma := (mean.At(1, 0) - best) / sdFull
			const draws = 100_000
			var sum, squares float64
			for range draws {
				v := rng.NormFloat64()
				for v < -gamma {
					v = rng.NormFloat64()
				}
				u := rho*v + s*rng.NormFloat64()
				density := math.Log(math.Erfc(-(gamma+rho*u)/s/math.Sqrt2)/math.Erfc(-gamma/math.Sqrt2)) - u*u/2 + 0.5 // p(u | v ≥ −γ), and H(u)
				sum, squares = sum+density, squares+density*density
			}
			m := sum / draws
			want, variance = want+m/3, variance+(squares/draws-m*m)/draws/9
		}
		cost := in.CostAt(X.RawRowView(i))
		if se := math.Sqrt(variance); math.Abs(shown[i]*cost-want) > 4*se || want < 5*se {
			t.Errorf("at %v: %.6g, by Monte-Carlo %.6g ± %.1g", mat.Row(nil, i, X), shown[i]*cost, want, se)
		}
	}
}

// Without noise an evaluation at full fidelity tells what max-value entropy search says of it, over its cost.
func TestFullFidelityIsMES(t *testing.T) {
	in := fidelityInput(t, mfMES, 12, "noise=fixed", "noise_sd=1e-6")
	b := fit(t, mfMES, in).(fidelityBelief)
	X := probes(40, 3)
	for i := range 40 {
		X.Set(i, 2, 1)
	}
	shown, err := b.Acquisition(context.Background(), X)
	if err != nil {
		t.Fatal(err)
	}
	mean, sd, err := b.gp.Predict(context.Background(), X)
	if err != nil {
		t.Fatal(err)
	}
	of := logMaxValueEntropy(b.best)
	for i, v := range shown {
		want, _, _ := of(mean[i], sd[i])
		if want = math.Exp(want) / in.CostAt(X.RawRowView(i)); math.Abs(v-want) > 1e-4*want {
			t.Errorf("%v: %g, max-value entropy search says %g", mat.Row(nil, i, X), v, want)
		}
	}
}

// The slope is that of differences, at every fidelity but the full one, where the information has an edge.
func TestFidelitySlopes(t *testing.T) {
	b := fit(t, mfMES, fidelityInput(t, mfMES, 12, "noise=fixed", "noise_sd=0.01")).(fidelityBelief)
	at := func(x []float64) float64 {
		v, err := b.values(context.Background(), mat.NewDense(1, 3, append([]float64(nil), x...)))
		if err != nil {
			t.Fatal(err)
		}
		return v[0]
	}
	X := probes(8, 3)
	for i := range 8 {
		x, grad := mat.Row(nil, i, X), make([]float64, 3)
		if v := b.value(x, grad); math.Abs(v-at(x)) > 1e-9*(1+math.Abs(v)) {
			t.Errorf("%v: %g with the slope, %g without", x, v, at(x))
		}
		for j, want := range fd.Gradient(nil, at, x, &fd.Settings{Formula: fd.Central, Step: 1e-5}) {
			if math.Abs(grad[j]-want) > 1e-4*(1+math.Abs(want)) {
				t.Errorf("%v: the slope by variable %d is %g, by differences %g", x, j, grad[j], want)
			}
		}
	}
}

// Draws of the best value are of that at full fidelity, and below what was seen there, not below what was seen elsewhere.
func TestBestValueAtFullFidelity(t *testing.T) {
	for _, way := range []string{"gumbel", "sampled"} {
		in := fidelityInput(t, mfMES, 20, "maxima="+way, "draws=6", "noise=fixed", "noise_sd=1e-4")
		for i := range 20 { // elsewhere everything is lower by far
			level := 1.0
			if i%2 == 0 {
				level = 0.1
			}
			in.Data.X.Set(i, 2, level)
			in.Data.Y.Set(i, 0, in.Data.Y.At(i, 0)+1000*level)
		}
		b := fit(t, mfMES, in).(fidelityBelief)
		low, high := math.Inf(1), math.Inf(1)
		for i := range 20 {
			if i%2 == 0 {
				low = min(low, in.Data.Y.At(i, 0))
			} else {
				high = min(high, in.Data.Y.At(i, 0))
			}
		}
		for _, y := range b.best {
			if v := b.scale.Value(y); v < high-600 || v > high {
				t.Fatalf("%s: the best value is drawn as %g; the least seen at full fidelity is %g, elsewhere %g", way, v, high, low)
			}
		}
	}
}
