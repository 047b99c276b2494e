package optimizers

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/digits"
	"bandscope/model/kernel"
	"bandscope/model/law"
)

// Theory is what a belief's covariance function says of the data, whatever their values are: how much is learned, and how smooth the
// functions are.
type Theory struct {
	Kernel      string    // the covariance function
	Noise2      float64   // σ², in the kernel's units
	Noise       string    // the same as it is told: of a fitted process σ in the objective's units, of networks their parameter
	Gain        []float64 // information gain ½ log det(I + σ⁻²K) after each of the n data (Srinivas et al. 2010)
	Eigenvalues []float64 // of K, the greatest first, length n
	Evidence    *Evidence // the marginal likelihood over a hyper-parameter; nil where the method has none to show
}

// Evidence is the log marginal likelihood of the data over one hyper-parameter.
type Evidence struct {
	Name    string    // of the hyper-parameter
	At, Log []float64 // the curve
	Current float64   // the value in use
	Best    float64   // the maximizer
}

// Theorist is a belief with a covariance function.
type Theorist interface {
	// Theory returns what the covariance function says of the data; the error says what went wrong, such as too few data.
	Theory(ctx context.Context) (Theory, error)
}

// leastTheoryNoise2 stands for no noise at all, with which every datum would tell infinitely much.
const leastTheoryNoise2 = 1e-6

// theoryOf finds the gain and the eigenvalues of a kernel matrix.
func theoryOf(kernel string, K *mat.SymDense, noise2 float64, told string) (Theory, error) {
	t := Theory{Kernel: kernel, Noise2: noise2, Noise: told}
	var err error
	if t.Gain, t.Eigenvalues, err = law.Spectrum(K, t.Noise2); err != nil {
		return t, fmt.Errorf("the theory of the %s: %w", kernel, err)
	}
	return t, nil
}

// errNoData says why there is no theory before the first datum.
var errNoData = fmt.Errorf("the theory needs data: %w", ErrAbsent)

// Theory is that of the process's fitted covariance function; σ² is the fitted noise, with what was added to the diagonal besides.
func (b *gpBelief) Theory(context.Context) (Theory, error) {
	if b.in.Data.Len() == 0 {
		return Theory{}, errNoData
	}
	noise2 := b.gp.Noise()*b.gp.Noise() + b.gp.Jitter()
	return theoryOf("fitted kernel", b.gp.Kernel().Gram(b.in.Data.X), noise2, "σ = "+digits.Of(math.Sqrt(noise2)*b.scale.SD))
}

// Theory is that of the neural tangent kernel at infinite width, with the evidence of γ where the method has one.
func (b *netBelief) Theory(ctx context.Context) (Theory, error) {
	return ntkTheory(ctx, b.wide(), b.x, b.y, b.options().Sigma2, b.in.Params.Number("nu"), b.in.Params.Has("auto_gamma"))
}

// ntkTheory is the theory of a neural tangent kernel with noise σ² and scale ν, with the evidence of γ if that is wanted.
func ntkTheory(ctx context.Context, n kernel.Network, x *mat.Dense, y []float64, sigma2, nu float64, evidence bool) (Theory, error) {
	if x == nil {
		return Theory{}, errNoData
	}
	pair, err := n.Cross(ctx, x, x)
	if err != nil {
		return Theory{}, err
	}
	noise2, told := sigma2, "σ² = "+digits.Given(sigma2)
	if noise2 == 0 {
		noise2 = leastTheoryNoise2
		told = "σ² 0 as " + digits.Of(noise2)
	}
	t, err := theoryOf("neural tangent kernel", mat.NewSymDense(len(y), pair.NTK.RawMatrix().Data), noise2, told)
	if err != nil || !evidence || len(y) < 2 {
		return t, err
	}
	e, err := law.FitGamma(ctx, n, sigma2, nu, x, y)
	if err != nil {
		return t, err
	}
	t.Evidence = &Evidence{Name: "γ", At: e.Gamma, Log: e.Log, Current: n.SigmaW, Best: e.Best}
	return t, nil
}
