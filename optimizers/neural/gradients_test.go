package neural

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/functions"
	"bandscope/model/nn"
	"bandscope/optimizers"
	"bandscope/optimizers/acquisition"
	"bandscope/optimizers/testbed"
)

// explicitLaw is scale²·λΦU⁻¹Φᵀ at the rows of x in standardized units, by the p×p matrix, U holding the gradients of
// one network a datum.
func explicitLaw(t *testing.T, b *gradientBelief, nets []*nn.Net, x *mat.Dense, diagonal bool) *mat.Dense {
	t.Helper()
	lambda, m := b.In.Params.Number("lambda"), b.variance()
	p := b.arch.Params()
	u := mat.NewDense(p, p, nil)
	data := b.inputs(b.In.Data.X)
	for i, net := range nets {
		g := net.Jacobian(data.Slice(i, i+1, 0, b.arch.Inputs).(*mat.Dense)).RowView(0)
		u.RankOne(u, 1/m, g, g)
	}
	for i := range p {
		u.Set(i, i, u.At(i, i)+lambda)
		for j := range p {
			if diagonal && i != j {
				u.Set(i, j, 0)
			}
		}
	}
	phi := b.at.Jacobian(b.inputs(x))
	var solved, cov mat.Dense
	require.NoError(t, solved.Solve(u, phi.T()))
	cov.Mul(phi, &solved)
	cov.Scale(b.factor*b.factor*lambda/m, &cov)
	return &cov
}

func repeated(net *nn.Net, n int) []*nn.Net {
	nets := make([]*nn.Net, n)
	for i := range nets {
		nets[i] = net
	}
	return nets
}

// The band is the network and νσ, and the samples are joint draws with that mean and the covariance ν²λ gᵀU⁻¹g'/m, by
// the p×p matrix and within five standard errors.
func TestGradientDrawsFollowTheirLaw(t *testing.T) {
	const draws = 1500
	ctx := context.Background()
	_, data := testbed.Observe(t, "branin", 6)
	x := testbed.Probes(3, 2)
	for _, c := range []struct {
		spec optimizers.Spec
		set  []string
	}{
		{NeuralBO, []string{"width=15", "nu=2"}},
		{NeuralUCB, []string{"width=8", "gamma=1"}},
		{NeuralUCB, []string{"width=8", "gamma=1", "matrix=diagonal", "activation=tanh"}},
		{NeuralTS, []string{"width=8", "init=1/m", "bias=off"}},
		{NeuralTS, []string{"width=8", "matrix=diagonal"}},
	} {
		name := fmt.Sprint(c.spec.Name, c.set)
		b := gradientsFor(testbed.Fit(t, c.spec, testbed.InputFor(t, c.spec, 2, data, c.set...)))
		diagonal := b.In.Params.Has("matrix") && b.In.Params.Choice("matrix") == diagMatrix
		cov := explicitLaw(t, b, repeated(b.at, 6), x, diagonal)
		cov.Scale(b.Scale.SD*b.Scale.SD, cov)
		bands, err := b.Predict(ctx, x)
		require.NoError(t, err)
		samples, err := b.Samples(ctx, x, draws, 0)
		require.NoError(t, err)
		network := b.mean.Eval(b.inputs(x))
		for i := range 3 {
			mean, sd := bands[0].Mean[i], bands[0].SD[i]
			if mean != b.Scale.Value(network[i]) || !scalar.EqualWithinRel(sd*sd, cov.At(i, i), 1e-6) {
				t.Errorf("%s: the band is %g ± %g, want %g ± %g", name, mean, sd, b.Scale.Value(network[i]),
					math.Sqrt(cov.At(i, i)))
			}
			ci := mat.Col(nil, i, samples[0])
			if got := stat.Mean(ci, nil); math.Abs(got-mean) > 5*sd/math.Sqrt(draws) {
				t.Errorf("%s: the mean of the draws is %g, want %g ± %g", name, got, mean, sd/math.Sqrt(draws))
			}
			for j := range 3 {
				se := math.Sqrt((cov.At(i, i)*cov.At(j, j) + cov.At(i, j)*cov.At(i, j)) / draws)
				if got := stat.Covariance(ci, mat.Col(nil, j, samples[0]), nil); math.Abs(got-cov.At(i, j)) > 5*se {
					t.Errorf("%s: covariance %d,%d of the draws is %g, want %g ± %g", name, i, j, got, cov.At(i, j), se)
				}
			}
		}
	}
}

// As published, the gradient of each datum is that at the network of the round before it, which is what the method had
// with that many data.
func TestPublishedGradientsAreThoseOfTheirRounds(t *testing.T) {
	ctx := context.Background()
	_, data := testbed.Observe(t, "branin", 7)
	x := testbed.Probes(5, 2)
	set := []string{"width=8", "gradients=published", "gamma=1"}
	b := gradientsFor(testbed.Fit(t, NeuralUCB, testbed.InputFor(t, NeuralUCB, 2, data, set...)))
	var nets []*nn.Net
	for n := range 7 {
		before := optimizers.Data{}
		if n > 0 {
			before = optimizers.Data{X: data.X.Slice(0, n, 0, 2).(*mat.Dense), Y: data.Y.Slice(0, n, 0, 1).(*mat.Dense)}
		}
		nets = append(nets, gradientsFor(testbed.Fit(t, NeuralUCB, testbed.InputFor(t, NeuralUCB, 2, before, set...))).
			at)
	}
	cov := explicitLaw(t, b, nets, x, false)
	_, sd, err := b.Surrogate.Predict(ctx, x)
	require.NoError(t, err)
	for i, s := range sd {
		if !scalar.EqualWithinRel(s*s, cov.At(i, i), 1e-6) {
			t.Errorf("σ² = %g, from the rounds' networks %g", s*s, cov.At(i, i))
		}
	}
	current := gradientsFor(testbed.Fit(t, NeuralUCB, testbed.InputFor(t, NeuralUCB, 2, data, "width=8", "gamma=1")))
	if _, other, _ := current.Surrogate.Predict(ctx, x); scalar.EqualWithinRel(other[0], sd[0], 1e-6) {
		t.Error("current and published gradients give the same σ")
	}
}

// The slopes that the search climbs along, against differences: those of the moments and of a draw.
func TestGradientSlopes(t *testing.T) {
	ctx := context.Background()
	_, data := testbed.Observe(t, "branin", 6)
	values := []float64{0.37, 0.81}
	for _, spec := range []optimizers.Spec{NeuralBO, NeuralUCB, NeuralTS} {
		for _, set := range [][]string{
			{"activation=tanh"}, {"activation=erf", "matrix=diagonal"}, {"bias=off", "trainer=linear"}} {
			b := gradientsFor(testbed.Fit(t, spec,
				testbed.InputFor(t, spec, 2, data, append(set, "width=20", "gamma=1")...)))
			w, err := b.law.Draw(b.In.Stream("test"))
			require.NoError(t, err)
			f := b.function(w)
			dmean, dsd, slope := make([]float64, 2), make([]float64, 2), make([]float64, 2)
			mean, sd := b.Surrogate.(acquisition.Differentiable).Gradient(values, dmean, dsd)
			value := f.Gradient(values, slope)
			for k, c := range []struct {
				value float64
				grad  []float64
			}{{mean, dmean}, {sd, dsd}, {value, slope}} {
				g := func(x []float64) float64 {
					row := mat.NewDense(1, 2, append([]float64(nil), x...))
					m, s, err := b.Surrogate.Predict(ctx, row)
					v, errDraw := f.Values(ctx, row)
					if err != nil || errDraw != nil {
						t.Fatal(err, errDraw)
					}
					return [3]float64{m[0], s[0], v[0]}[k]
				}
				if !scalar.EqualWithinAbs(c.value, g(values), 1e-9) {
					t.Errorf("%s %v: value %d with its slope is %g, want %g", spec.Name, set, k, c.value, g(values))
				}
				for j, want := range fd.Gradient(nil, g, values, &fd.Settings{Formula: fd.Central, Step: 1e-5}) {
					if !scalar.EqualWithinAbsOrRel(c.grad[j], want, 1e-5, 1e-4) {
						t.Errorf("%s %v: slope %d of value %d is %g, by differences %g", spec.Name, set, j, k,
							c.grad[j], want)
					}
				}
			}
		}
	}
}

// gradientsFor is the network with its features under a belief.
func gradientsFor(b optimizers.Belief) *gradientBelief {
	switch b := b.(type) {
	case acquisition.ScoredBelief:
		return b.Model.(*gradientBelief)
	case acquisition.SampledBelief:
		return b.Model.(*gradientBelief)
	}
	return nil
}

// NeuralUCB's acquisition is the network − γσ of its own band, and its suggestion has none lower around it.
func TestNeuralUCBIsTheBound(t *testing.T) {
	ctx := context.Background()
	_, data := testbed.Observe(t, "branin", 7)
	b := testbed.Fit(t, NeuralUCB, testbed.InputFor(t, NeuralUCB, 2, data))
	x := testbed.Probes(2000, 2)
	bands, _ := b.Predict(ctx, x)
	acq, _ := b.Acquisition(ctx, x)
	s, err := b.Suggest(ctx)
	require.NoError(t, err)
	for i := range acq {
		if want := bands[0].Mean[i] - bands[0].SD[i]; math.Abs(acq[i]-want) > 1e-9*(1+math.Abs(want)) {
			t.Fatalf("the bound is %g, want %g", acq[i], want)
		}
		if acq[i] < s.Acquisition[0] {
			t.Fatalf("the bound falls to %g, the suggestion has %g", acq[i], s.Acquisition[0])
		}
	}
}

// NeuralBO's features are those of one initialization: σ is the same whatever was observed, and falls as data are
// added.
func TestNeuralBOFeaturesAreFixed(t *testing.T) {
	ctx := context.Background()
	_, data := testbed.Observe(t, "branin", 8)
	sigma := func(data optimizers.Data) []float64 {
		b := gradientsFor(testbed.Fit(t, NeuralBO, testbed.InputFor(t, NeuralBO, 2, data, "width=64")))
		_, sd, err := b.Surrogate.Predict(ctx, testbed.Probes(20, 2))
		require.NoError(t, err)
		return sd
	}
	all := sigma(data)
	other := mat.NewDense(8, 1, []float64{3, 1, 4, 1, 5, 9, 2, 6})
	fewer := sigma(optimizers.Data{X: data.X.Slice(0, 6, 0, 2).(*mat.Dense), Y: data.Y.Slice(0, 6, 0, 1).(*mat.Dense)})
	for i, v := range sigma(optimizers.Data{X: data.X, Y: other}) {
		assert.Equal(t, all[i], v, "other values give σ")
		if all[i] > fewer[i]*(1+1e-9) {
			t.Errorf("two more data raise σ from %g to %g", fewer[i], all[i])
		}
	}
}

// Every trainer trains, a divergence is told of, and what ends the context ends the fit.
func TestGradientTrainers(t *testing.T) {
	_, data := testbed.Observe(t, "branin", 10)
	x := testbed.Probes(5, 2)
	for _, spec := range []optimizers.Spec{NeuralBO, NeuralUCB, NeuralTS} {
		rmse := map[string]float64{}
		for _, trainer := range []string{trainSolve, trainLinear, trainSGD, trainAdam} {
			b := gradientsFor(testbed.Fit(t, spec,
				testbed.InputFor(t, spec, 2, data, "width=100", "depth=1", "trainer="+trainer, "epochs=300",
					"rate=0.002")))
			bands, err := b.Predict(context.Background(), x)
			if err != nil || !functions.Finite(bands[0].Mean) || !functions.Finite(bands[0].SD) {
				t.Errorf("%s, %s: %v, %v", spec.Name, trainer, bands, err)
			}
			rmse[trainer] = b.mean.Report.RMSE
		}
		if rmse[trainSolve] > rmse[trainSGD] || rmse[trainSGD] > 0.99 || rmse[trainAdam] > 0.99 {
			t.Errorf("%s: the trainers' errors are %v", spec.Name, rmse)
		}
	}
	b := testbed.Fit(t, NeuralBO, testbed.InputFor(t, NeuralBO, 2, data, "trainer=sgd", "rate=1", "epochs=400"))
	if l := b.Legend(); len(l.Warnings) != 1 {
		t.Errorf("a rate that is too large gives the warnings %v", l.Warnings)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := NeuralUCB.Fit(ctx, testbed.InputFor(t, NeuralUCB, 2, data)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
