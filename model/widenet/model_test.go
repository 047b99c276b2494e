package widenet

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"bandscope/model/gp"
	"bandscope/model/kernel"
	"bandscope/model/nn"
)

var (
	train = mat.NewDense(4, 1, []float64{-0.9, -0.3, 0.2, 0.7})
	test  = mat.NewDense(3, 1, []float64{-0.6, 0, 0.95})
	y     = []float64{0.5, -1, 0.3, 1.2}
)

func network(u kernel.Unit) kernel.Network {
	return kernel.Network{Unit: u, Depth: 1, SigmaW: 1.5, SigmaB: 0.8}
}

func build(t *testing.T, n kernel.Network, k Kind, sigma2, nu float64) *Model {
	t.Helper()
	l, err := New(context.Background(), n, Setup{Kind: k, Sigma2: sigma2, Nu: nu}, train, y)
	require.NoError(t, err)
	return l
}

// The covariances of Prop. 1 and of App. C, written out with inverses.
func TestAgainstThePrintedFormulas(t *testing.T) {
	for _, u := range []kernel.Unit{kernel.Erf, kernel.ReLU, kernel.Tanh} {
		for kind, c := range map[Kind]struct{ shift, inner float64 }{
			Trained: {0.2, 0.2}, NoPerturbation: {0.2, 0}, NoDistance: {0, 0.2}} {
			n := network(u)
			l := build(t, n, kind, 0.2, 0.7)
			XX, _ := n.Cross(context.Background(), train, train)
			xX, _ := n.Cross(context.Background(), test, train)
			xx, _ := n.Cross(context.Background(), test, test)
			for i := range 4 {
				XX.NTK.Set(i, i, XX.NTK.At(i, i)+c.shift)
				XX.NNGP.Set(i, i, XX.NNGP.At(i, i)+c.inner)
			}
			var inv, B, mean, left, tail, cov mat.Dense
			require.NoError(t, inv.Inverse(XX.NTK))
			B.Mul(xX.NTK, &inv)
			mean.Mul(&B, mat.NewVecDense(4, y))
			left.Mul(&B, xX.NNGP.T())
			tail.Mul(&B, XX.NNGP)
			cov.Mul(&tail, B.T())
			cov.Add(&cov, xx.NNGP)
			cov.Sub(&cov, &left)
			cov.Sub(&cov, left.T())
			cov.Scale(0.49, &cov)
			got, err := l.Covariance(context.Background(), test)
			require.NoError(t, err)
			m, sd, _ := l.Predict(context.Background(), test)
			for i := range 3 {
				if math.Abs(m[i]-mean.At(i, 0)) > 1e-9 || math.Abs(sd[i]*sd[i]-cov.At(i, i)) > 1e-9 {
					t.Errorf("%s %s: %g ± %g, want %g ± %g", u, kind, m[i], sd[i], mean.At(i, 0),
						math.Sqrt(cov.At(i, i)))
				}
				for j := range 3 {
					assert.InDelta(t, cov.At(i, j), got.At(i, j), 1e-9, "%s %s: covariance %d,%d", u, kind, i, j)
				}
			}
		}
	}
}

// Prop. 2 is Gaussian-process regression with the NTK, its deviation times ν.
func TestPosteriorIsGPRegression(t *testing.T) {
	n := network(kernel.ReLU)
	l := build(t, n, Posterior, 0.1, 1.3)
	g, err := gp.New(ofNetwork{n, func(p kernel.Kernels) *mat.Dense { return p.NTK }}, math.Sqrt(0.1), train, y)
	require.NoError(t, err)
	m1, s1, _ := l.Predict(context.Background(), test)
	m2, s2, _ := g.Predict(context.Background(), test)
	for i := range m1 {
		if math.Abs(m1[i]-m2[i]) > 1e-10 || math.Abs(s1[i]-1.3*s2[i]) > 1e-9 {
			t.Errorf("%g ± %g, by regression %g ± %g", m1[i], s1[i], m2[i], 1.3*s2[i])
		}
	}
}

// The NNGP law is Gaussian-process regression with the NNGP kernel.
func TestNNGPIsGPRegression(t *testing.T) {
	n := network(kernel.Tanh)
	g, err := gp.New(ofNetwork{n, func(p kernel.Kernels) *mat.Dense { return p.NNGP }}, math.Sqrt(0.1), train, y)
	require.NoError(t, err)
	l := build(t, n, NNGP, 0.1, 1)
	m1, s1, _ := l.Predict(context.Background(), test)
	m2, s2, _ := g.Predict(context.Background(), test)
	cov, _ := l.Covariance(context.Background(), test)
	for i := range m1 {
		if math.Abs(m1[i]-m2[i]) > 1e-9 || math.Abs(s1[i]-s2[i]) > 1e-9 || math.Abs(cov.At(i, i)-s1[i]*s1[i]) > 1e-9 {
			t.Errorf("%g ± %g, by regression %g ± %g", m1[i], s1[i], m2[i], s2[i])
		}
	}
}

// Noiseless laws meet the data without spread, warm starts have none anywhere, and without data a law is its prior.
func TestLimits(t *testing.T) {
	n := network(kernel.Erf)
	for _, k := range []Kind{Trained, Posterior} {
		m, sd, _ := build(t, n, k, 0, 1).Predict(context.Background(), train)
		for i := range m {
			if math.Abs(m[i]-y[i]) > 1e-6 || sd[i] > 1e-3 {
				t.Errorf("%s: %g ± %g at a datum of %g", k, m[i], sd[i], y[i])
			}
		}
	}
	_, sd, _ := build(t, n, WarmStart, 0.2, 1).Predict(context.Background(), test)
	assert.Equal(t, 0.0, mat.Max(mat.NewVecDense(3, sd)), "a warm start spreads by %v", sd)
	nngp, ntk := n.Diag(test)
	for k, want := range map[Kind][]float64{Trained: nngp, Posterior: ntk} {
		prior, err := New(context.Background(), n, Setup{Kind: k, Nu: 2}, nil, nil)
		require.NoError(t, err)
		_, sd, _ := prior.Predict(context.Background(), test)
		for i := range sd {
			assert.InDelta(t, 2*math.Sqrt(want[i]), sd[i], 1e-12, "%s: the prior deviation", k)
		}
	}
}

// matches checks that networks really trained have a law's mean and deviation, within five standard errors and an
// allowance of order 1/width.
func matches(t *testing.T, l *Model, n kernel.Network, fits, width int, opt nn.Options) {
	t.Helper()
	mean, sd, err := l.Predict(context.Background(), test)
	require.NoError(t, err)
	values := mat.NewDense(fits, 3, nil)
	for i := range fits {
		f, err := nn.SimpleSMB(context.Background(),
			nn.Arch{Inputs: 1, Hidden: []int{width}, Activation: nn.Erf, SigmaW: n.SigmaW, SigmaB: n.SigmaB},
			train, y, opt, rand.New(rand.NewPCG(uint64(i), 3)))
		require.NoError(t, err)
		values.SetRow(i, f.Eval(test))
	}
	for i := range 3 {
		m, s := stat.MeanStdDev(mat.Col(nil, i, values), nil)
		if math.Abs(m-mean[i]) > 5*sd[i]/math.Sqrt(float64(fits))+16/float64(width) ||
			math.Abs(s-sd[i]) > 5*sd[i]/math.Sqrt(float64(2*fits))+16/float64(width) {
			t.Errorf("networks have %g ± %g, the law %g ± %g", m, s, mean[i], sd[i])
		}
	}
}

func TestTrainedNetworksFollowTheLaw(t *testing.T) {
	n := network(kernel.Erf)
	matches(t, build(t, n, Trained, 0.2, 1), n, 300, 800, nn.Options{Sigma2: 0.2})
}

// The law of a finite time is that of gradient descent really run on the linearization of wide networks, at small,
// middling and long times, and with the noise of each target known.
func TestDescentFollowsTheLaw(t *testing.T) {
	n := network(kernel.Erf)
	const rate = 0.005
	for _, c := range []struct {
		steps  int
		sigma2 float64
		known  []float64
	}{{8, 0, nil}, {60, 0, nil}, {240, 0, nil}, {60, 0.2, nil}, {20, 0.2, []float64{1, 0.2, 0.5, 3}[:len(y)]}} {
		l, err := New(context.Background(), n,
			Setup{Kind: FiniteTime, Sigma2: c.sigma2, NoiseVars: c.known, Time: rate * float64(c.steps)}, train, y)
		require.NoError(t, err)
		matches(t, l, n, 200, 400, nn.Options{Sigma2: c.sigma2, NoiseVars: c.known, Linear: true,
			Trainer: nn.GradientDescent, Epochs: c.steps, Rate: rate})
	}
}

// At time 0 the law is that of initialization, in the end it is Prop. 1's.
func TestTimeRunsFromInitializationToTheEnd(t *testing.T) {
	ctx := context.Background()
	n := network(kernel.Tanh)
	for _, sigma2 := range []float64{0, 0.3} {
		begin, _ := New(ctx, n, Setup{Kind: FiniteTime, Sigma2: sigma2, Nu: 0.7}, train, y)
		prior, _ := New(ctx, n, Setup{Kind: Trained, Nu: 0.7}, nil, nil)
		end, _ := New(ctx, n, Setup{Kind: FiniteTime, Sigma2: sigma2, Nu: 0.7, Time: 1e9}, train, y)
		trained := build(t, n, Trained, sigma2, 0.7)
		for _, pair := range [][2]*Model{{begin, prior}, {end, trained}} {
			a, err := pair[0].Covariance(ctx, test)
			require.NoError(t, err)
			b, _ := pair[1].Covariance(ctx, test)
			ma, _, _ := pair[0].Predict(ctx, test)
			mb, _, _ := pair[1].Predict(ctx, test)
			for i := range 3 {
				if math.Abs(ma[i]-mb[i]) > 1e-6 || math.Abs(a.At(i, 0)-b.At(i, 0)) > 1e-6 {
					t.Errorf("σ²=%g: mean %g, covariance %g; want %g, %g", sigma2, ma[i], a.At(i, 0), mb[i], b.At(i, 0))
				}
			}
		}
	}
}

// Joint samples have the law's mean and covariance, within five standard errors.
func TestSamples(t *testing.T) {
	const count = 5000
	l := build(t, network(kernel.ReLU), Trained, 0.1, 1)
	s, err := l.Sample(context.Background(), test, count, rand.New(rand.NewPCG(1, 2)))
	require.NoError(t, err)
	mean, _, _ := l.Predict(context.Background(), test)
	cov, _ := l.Covariance(context.Background(), test)
	for i := range 3 {
		ci := mat.Col(nil, i, s)
		assert.InDelta(t, mean[i], stat.Mean(ci, nil), 5*math.Sqrt(cov.At(i, i)/count), "mean %d", i)
		for j := range 3 {
			se := math.Sqrt((cov.At(i, i)*cov.At(j, j) + cov.At(i, j)*cov.At(i, j)) / count)
			if c := stat.Covariance(ci, mat.Col(nil, j, s), nil); math.Abs(c-cov.At(i, j)) > 5*se {
				t.Errorf("covariance %d,%d is %g, want %g", i, j, c, cov.At(i, j))
			}
		}
	}
}

func TestErrors(t *testing.T) {
	for _, n := range []kernel.Network{
		{Unit: "sine", Depth: 1, SigmaW: 1}, {Unit: kernel.Erf, SigmaW: 1}, {Unit: kernel.Erf, Depth: 1}} {
		if _, err := New(context.Background(), n, Setup{Kind: Trained}, train, y); err == nil {
			t.Errorf("%+v is accepted", n)
		}
	}
	if _, err := New(context.Background(), network(kernel.Erf), Setup{Kind: Trained}, train, y[:2]); err == nil {
		t.Error("missing targets are accepted")
	}
}

// BenchmarkRefit is what a new observation costs: four laws refitted on 50 data and told at 200 inputs.
func BenchmarkRefit(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	X, inputs, v := mat.NewDense(50, 1, nil), mat.NewDense(200, 1, nil), make([]float64, 50)
	for i := range 50 {
		X.Set(i, 0, 2*rng.Float64()-1)
		v[i] = math.Sin(3 * X.At(i, 0))
	}
	for i := range 200 {
		inputs.Set(i, 0, float64(i)/100-1)
	}
	for _, u := range []kernel.Unit{kernel.Erf, kernel.ReLU, kernel.Tanh} {
		b.Run(string(u), func(b *testing.B) {
			for b.Loop() {
				for _, k := range []Kind{Trained, Posterior, NNGP, FiniteTime} {
					l, err := New(context.Background(), network(u), Setup{Kind: k, Sigma2: 1e-4, Time: 5}, X, v)
					require.NoError(b, err)
					l.Predict(context.Background(), inputs)
				}
			}
		})
	}
}

// ofNetwork is one of the two kernels of a network as a covariance function of its own.
type ofNetwork struct {
	kernel.Network
	of func(kernel.Kernels) *mat.Dense
}

func (k ofNetwork) Cross(A, B *mat.Dense) *mat.Dense {
	p, err := k.Network.Cross(context.Background(), A, B)
	if err != nil {
		panic(err)
	}
	return k.of(p)
}

func (k ofNetwork) Gram(X *mat.Dense) *mat.SymDense {
	n, _ := X.Dims()
	return mat.NewSymDense(n, k.Cross(X, X).RawMatrix().Data)
}

func (k ofNetwork) Diag(X *mat.Dense) []float64 {
	n, _ := X.Dims()
	v := make([]float64, n)
	for i := range v {
		x := X.Slice(i, i+1, 0, X.RawMatrix().Cols).(*mat.Dense)
		v[i] = k.Cross(x, x).At(0, 0)
	}
	return v
}
