package acquisition

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/model"
	"bandscope/model/gp"
	"bandscope/model/kernel"
	"bandscope/optimizers"
)

// process is a Gaussian process as a JointPosterior.
type process struct{ *gp.GP }

func (p process) CrossCovariance(Z *mat.Dense) (CrossCovariance, error) {
	return p.GP.CrossCovariance(Z)
}

// tied returns a process of six observations in two dimensions, with a posterior for scores.
func tied(t *testing.T, noise float64) (process, *Posterior) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := mat.NewDense(6, 2, nil), make([]float64, 6)
	x.Apply(func(int, int, float64) float64 { return rng.Float64() }, x)
	for i := range y {
		y[i] = rng.NormFloat64()
	}
	g, err := gp.New(kernel.Stationary{Form: kernel.Matern52, Scale: 1.1, Lengths: []float64{0.2, 0.3}}, noise, x, y)
	require.NoError(t, err)
	return process{g}, &Posterior{In: optimizers.Input{Dim: 2, Objectives: 1, Seed: 5},
		Scale: model.Standardizer{SD: 1}, Surrogate: process{g}}
}

// points returns n points in the unit square, always the same ones for a seed.
func points(n int, seed uint64) *mat.Dense {
	rng := rand.New(rand.NewPCG(seed, 9))
	x := mat.NewDense(n, 2, nil)
	x.Apply(func(int, int, float64) float64 { return rng.Float64() }, x)
	return x
}

// averaged returns the expected improvement averaged over fantasies of some points.
func averaged(t *testing.T, p *Posterior, jointPosterior JointPosterior, out *mat.Dense, best float64, count int) *fantasies {
	t.Helper()
	f, err := newFantasy(t.Context(), jointPosterior, out, 0)
	require.NoError(t, err)
	s := p.ExpectedImprovement(best)
	if count > 0 {
		s.Fantasies = count
	}
	a, err := newFantasies(t.Context(), p.In, f, s)
	require.NoError(t, err)
	return a
}

// The joint expected improvement of the pending points and the next one, minus that of the pending points alone, equals
// the average over fantasies. The test compares it with joint draws of two and three points, within five standard
// errors.
func TestFantasiesAreTheJointImprovement(t *testing.T) {
	const best, draws = -0.2, 200000
	process, p := tied(t, 0.1)
	for _, pending := range []int{1, 2} {
		out, inputs := points(pending, uint64(3+pending)), points(4, 21)
		many := averaged(t, p, process, out, best, 8192)
		got, err := many.values(t.Context(), inputs)
		require.NoError(t, err)
		for i := range 4 {
			joint := mat.NewDense(pending+1, 2, nil)
			joint.Stack(out, inputs.Slice(i, i+1, 0, 2))
			z, err := process.Sample(t.Context(), joint, draws, rand.New(rand.NewPCG(8, uint64(i))))
			require.NoError(t, err)
			gains := make([]float64, draws)
			for s := range gains {
				least := best
				for _, f := range z.RawRowView(s)[:pending] {
					least = min(least, f)
				}
				gains[s] = max(least-z.At(s, pending), 0) // improvement of the last point over the others
			}
			mean, sd := stat.MeanStdDev(gains, nil)
			if se := sd / math.Sqrt(draws); math.Abs(math.Exp(got[i])-mean) > 5*se {
				t.Errorf("%d pending, point %d: %g, by draws %g ± %g", pending, i, math.Exp(got[i]), mean, se)
			}
		}
	}
}

// The number of fantasies that a search uses gives an estimate that is as good as one by independent draws, at any
// point. Over independent scramblings of the sequence, its spread is at most the standard error of a mean of as many
// independent draws, within five standard errors of a spread over so few scramblings. Its mean is that of very many
// draws within five standard errors, so the estimate is unbiased. The spread of the integrand then bounds the error. It
// is large compared with the mean where a point improves only together with rare outcomes.
func TestFantasiesAgainstIndependentDraws(t *testing.T) {
	const best, scramblings = -0.2, 24
	process, p := tied(t, 0.1)
	for _, pending := range []int{1, 2} {
		out, position := points(pending, uint64(3+pending)), points(12, 21)
		many := averaged(t, p, process, out, best, 8192)
		mean, sd, pull, err := many.moments(t.Context(), position)
		require.NoError(t, err)
		estimates := make([][]float64, 12)
		for s := range uint64(scramblings) {
			p.In.Seed = 100 + s
			v, err := averaged(t, p, process, out, best, 0).values(t.Context(), position)
			require.NoError(t, err)
			for i := range v {
				estimates[i] = append(estimates[i], math.Exp(v[i]))
			}
		}
		for i, e := range estimates {
			single := make([]float64, len(many.of))
			for s, score := range many.of {
				v, _, _ := score(mean[i]+mat.Dot(mat.NewVecDense(pending, pull.RawRowView(i)), many.draws.RowView(s)),
					sd[i])
				single[s] = math.Exp(v)
			}
			exact, spread := stat.MeanStdDev(single, nil)
			got, error := stat.MeanStdDev(e, nil)
			if limit := spread / math.Sqrt(improvementFantasies); error > limit*(1+5/math.Sqrt(2*(scramblings-1))) {
				t.Errorf("%d pending, point %d: %g ± %g, the error of independent draws is %g",
					pending, i, got, error, limit)
			}
			if se := error / math.Sqrt(scramblings); math.Abs(got-exact) > 5*se+spread/8192 {
				t.Errorf("%d pending, point %d: %g ± %g over scramblings, %g with many", pending, i, got, se, exact)
			}
			t.Logf("%d pending: %.3g has an error of %.1f %%, independent draws %.1f %%",
				pending, exact, 100*error/exact, 100*spread/math.Sqrt(improvementFantasies)/exact)
		}
	}
}

// A pending point that is uncorrelated with all others has no effect: the average equals the closed form for one point.
// At a pending point there is no improvement left.
func TestFantasiesFarAway(t *testing.T) {
	process, p := tied(t, 0.1)
	// a value of 1.1 standard deviations that is hardly ever below −3
	a := averaged(t, p, process, mat.NewDense(1, 2, []float64{40, 40}), -3, 4096)
	position := points(5, 7)
	got, err := a.values(t.Context(), position)
	require.NoError(t, err)
	want, err := scoreTarget(process, p.ExpectedImprovement(-3)).Values(t.Context(), position)
	require.NoError(t, err)
	for i := range want {
		assert.InDelta(t, want[i], got[i], 0.01, "at point %d: %g, the closed form is %g", i, got[i], want[i])
	}
	here := averaged(t, p, process, position, 0.2, 0)
	if got, err = here.values(t.Context(), position); err != nil || got[0] > -8 {
		t.Errorf("at a pending point %v is left (%v)", got, err)
	}
}

// The gradient of the average equals differences, and the value with the gradient is that without.
func TestSlopesOfFantasies(t *testing.T) {
	process, p := tied(t, 0.1)
	for _, pending := range []int{1, 3} {
		a := averaged(t, p, process, points(pending, 11), 0.2, 0)
		slope, position := a.gradient, points(4, 12)
		values, err := a.values(t.Context(), position)
		require.NoError(t, err)
		f, err := newFantasy(t.Context(), process, points(pending, 11), 0.1)
		require.NoError(t, err)
		bound := scoreTarget(f, p.LowerBound(1.5))
		for i := range 4 {
			for name, value := range map[string]func(x, grad []float64) float64{
				"improvement": slope, "bound": bound.Gradient} {
				grad, other, x := make([]float64, 2), make([]float64, 2), position.RawRowView(i)
				v := value(x, grad)
				if name == "improvement" && math.Abs(v-values[i]) > 1e-9 {
					t.Errorf("at point %d it is %g and %g", i, v, values[i])
				}
				want := fd.Gradient(nil, func(u []float64) float64 {
					return value(u, other)
				}, x, &fd.Settings{Formula: fd.Central})
				for j := range grad {
					if math.Abs(grad[j]-want[j]) > 1e-4*(1+math.Abs(want[j])) {
						t.Errorf("%s with %d pending, at point %d: the slope is %g, by differences %g",
							name, pending, i, grad[j], want[j])
					}
				}
			}
		}
	}
}

// The predicted band is the standard deviation after conditioning on noisy observations, and the mean does not change.
func TestForeseenBand(t *testing.T) {
	process, _ := tied(t, 0.3)
	out, position := points(3, 13), points(6, 14)
	f, err := newFantasy(t.Context(), process, out, 0.3)
	require.NoError(t, err)
	after, err := process.Believe(t.Context(), out)
	require.NoError(t, err)
	mean, sd, err := f.Predict(t.Context(), position)
	require.NoError(t, err)
	m, _, _ := process.Predict(t.Context(), position)
	_, s, _ := after.Predict(t.Context(), position)
	for i := range m {
		if math.Abs(mean[i]-m[i]) > 1e-12 || math.Abs(sd[i]-s[i]) > 1e-8 {
			t.Errorf("at point %d: %g ± %g, want %g ± %g", i, mean[i], sd[i], m[i], s[i])
		}
	}
}
