package costaware

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers/normdist"
	"bandscope/optimizers/testbed"
)

// The information across fidelities is H(u) − H(u | v ≥ −γ) for γ, ρ: adaptive quadrature of the density's entropy,
// mpmath 1.4.1 with 30 digits.
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

// What is shown is the entropy that the law of an observation loses when the value at full fidelity is cut below each
// draw y*, over the cost: by Monte-Carlo from the joint law of the two, whose covariance is that of joint posterior
// samples' closed form.
func TestFidelityBelief(t *testing.T) {
	ctx := context.Background()
	in := testbed.WithFidelity(t, MFMES, 12, "noise=fixed", "noise_sd=0.3", "hyperparameters=fitted")
	b := testbed.Fit(t, MFMES, in).(fidelityBelief)
	b.Best = []float64{-0.9, -0.3, 0.2} // not so far below everything that nothing is told of them
	rng := rand.New(rand.NewPCG(6, 6))
	X := testbed.Probes(6, 3)
	X.Set(5, 2, 1) // one at full fidelity
	shown, err := b.Acquisition(ctx, X)
	require.NoError(t, err)
	n, _ := in.Data.X.Dims()
	y := b.Scale.Apply(in.Data.Column(0))
	for i := range shown {
		// The joint law by the textbook's formula: K** − K* (K + σ²I)⁻¹ K*ᵀ.
		two := mat.NewDense(2, 3, append(mat.Row(nil, i, X), X.At(i, 0), X.At(i, 1), 1))
		k := b.GP.Mode().Kernel()
		noisy := mat.NewDense(n, n, nil)
		noisy.Copy(k.Gram(in.Data.X))
		for j := range n {
			noisy.Set(j, j, noisy.At(j, j)+0.3*0.3)
		}
		var solved, law, mean mat.Dense
		require.NoError(t, solved.Solve(noisy, k.Cross(in.Data.X, two)))
		law.Mul(k.Cross(two, in.Data.X), &solved)
		law.Sub(k.Cross(two, two), &law)
		mean.Mul(solved.T(), mat.NewDense(n, 1, y))
		sdFull := math.Sqrt(law.At(1, 1))
		rho := law.At(0, 1) / sdFull / math.Sqrt(law.At(0, 0)+0.3*0.3)
		s := math.Sqrt(1 - rho*rho)
		want, variance := 0.0, 0.0
		for _, best := range b.Best {
			gamma := (mean.At(1, 0) - best) / sdFull
			const draws = 100_000
			var sum, squares float64
			for range draws {
				v := rng.NormFloat64()
				for v < -gamma {
					v = rng.NormFloat64()
				}
				u := rho*v + s*rng.NormFloat64()
				// p(u | v ≥ −γ), and H(u)
				density := math.Log(math.Erfc(-(gamma+rho*u)/s/math.Sqrt2)/math.Erfc(-gamma/math.Sqrt2)) - u*u/2 + 0.5
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
	in := testbed.WithFidelity(t, MFMES, 12, "noise=fixed", "noise_sd=1e-6", "hyperparameters=fitted")
	b := testbed.Fit(t, MFMES, in).(fidelityBelief)
	X := testbed.Probes(40, 3)
	for i := range 40 {
		X.Set(i, 2, 1)
	}
	shown, err := b.Acquisition(context.Background(), X)
	require.NoError(t, err)
	mean, sd, err := b.GP.Predict(context.Background(), X)
	require.NoError(t, err)
	for i, v := range shown {
		want := 0.0
		for _, best := range b.Best {
			lost, _ := normdist.LogHalfLineLoss((mean[i] - best) / sd[i])
			want += math.Exp(lost) / float64(len(b.Best))
		}
		if want /= in.CostAt(X.RawRowView(i)); math.Abs(v-want) > 1e-4*want {
			t.Errorf("%v: %g, max-value entropy search says %g", mat.Row(nil, i, X), v, want)
		}
	}
}

// The information is the mean over the draws of the hyperparameters.
func TestFidelityBeliefOverDraws(t *testing.T) {
	in := testbed.WithFidelity(t, MFMES, 12)
	b := testbed.Fit(t, MFMES, in).(fidelityBelief)
	X := testbed.Probes(10, 3)
	got, err := b.Acquisition(t.Context(), X)
	require.NoError(t, err)
	want := make([]float64, 10)
	all := b.withPending
	for k := range all {
		part := b
		part.withPending = all[k : k+1]
		v, err := part.Acquisition(t.Context(), X)
		require.NoError(t, err)
		floats.AddScaled(want, 1/float64(len(all)), v)
	}
	if len(all) < 2 || !floats.EqualApprox(got, want, 1e-12) {
		t.Errorf("over %d draws it is %v, want %v", len(all), got, want)
	}
}

// The slope is that of differences, at every fidelity but the full one, where the information has an edge.
func TestFidelitySlopes(t *testing.T) {
	b := testbed.Fit(t, MFMES, testbed.WithFidelity(t, MFMES, 12, "noise=fixed", "noise_sd=0.01")).(fidelityBelief)
	valueAt := func(x []float64) float64 {
		v, err := b.values(context.Background(), mat.NewDense(1, 3, append([]float64(nil), x...)))
		require.NoError(t, err)
		return v[0]
	}
	X := testbed.Probes(8, 3)
	for i := range 8 {
		x, grad := mat.Row(nil, i, X), make([]float64, 3)
		if v := b.value(x, grad); math.Abs(v-valueAt(x)) > 1e-9*(1+math.Abs(v)) {
			t.Errorf("%v: %g with the slope, %g without", x, v, valueAt(x))
		}
		for j, want := range fd.Gradient(nil, valueAt, x, &fd.Settings{Formula: fd.Central, Step: 1e-5}) {
			if math.Abs(grad[j]-want) > 1e-4*(1+math.Abs(want)) {
				t.Errorf("%v: the slope by variable %d is %g, by differences %g", x, j, grad[j], want)
			}
		}
	}
}

// Draws of the best value are of that at full fidelity, and below what was seen there, not below what was seen
// elsewhere.
func TestBestValueAtFullFidelity(t *testing.T) {
	for _, values := range []string{"gumbel", "sampled"} {
		in := testbed.WithFidelity(t, MFMES, 20, "maxima="+values, "draws=6", "noise=fixed", "noise_sd=1e-4")
		for i := range 20 { // elsewhere everything is lower by far
			level := 1.0
			if i%2 == 0 {
				level = 0.1
			}
			in.Data.X.Set(i, 2, level)
			in.Data.Y.Set(i, 0, in.Data.Y.At(i, 0)+1000*level)
		}
		b := testbed.Fit(t, MFMES, in).(fidelityBelief)
		low, high := math.Inf(1), math.Inf(1)
		for i := range 20 {
			if i%2 == 0 {
				low = min(low, in.Data.Y.At(i, 0))
			} else {
				high = min(high, in.Data.Y.At(i, 0))
			}
		}
		for _, y := range b.Best {
			if v := b.Scale.Value(y); v < high-600 || v > high {
				t.Fatalf("%s: the best value is drawn as %g; the least seen at full fidelity is %g, elsewhere %g", values,
					v, high, low)
			}
		}
	}
}
