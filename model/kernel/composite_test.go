package kernel

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"
)

// expressions have all kernels, in sums and products, with the values of their hyperparameters in one dimension and, by
// hand, the same covariance.
var expressions = []struct {
	text   string
	values []float64
	at     func(x, y float64) float64
}{
	{"se", []float64{1.5, 0.3}, func(x, y float64) float64 { return 2.25 * math.Exp(-(x-y)*(x-y)/0.18) }},
	{"matern12", []float64{2, 0.4}, func(x, y float64) float64 { return 4 * math.Exp(-math.Abs(x-y)/0.4) }},
	{"matern32", []float64{1, 0.4}, func(x, y float64) float64 {
		r := math.Sqrt(3) * math.Abs(x-y) / 0.4
		return (1 + r) * math.Exp(-r)
	}},
	{"rq", []float64{1, 0.3, 0.7}, func(x, y float64) float64 { return math.Pow(1+(x-y)*(x-y)/(2*0.7*0.09), -0.7) }},
	{"periodic", []float64{1.2, 0.8, 0.35}, func(x, y float64) float64 {
		return 1.44 * math.Exp(-2*math.Pow(math.Sin(math.Pi*(x-y)/0.35)/0.8, 2))
	}},
	{"linear", []float64{0.7, 0.5}, func(x, y float64) float64 { return 0.49 * (0.25 + (2*x-1)*(2*y-1)) }},
	{"0.5*linear + 0.2", []float64{0, 2, 0}, func(x, y float64) float64 {
		return 0.5*(4+(2*x-1)*(2*y-1)) + 0.2
	}},
	{"(se + linear)*periodic(period=0.5)", []float64{1.1, 0.2, 0.6, 0.3, 0.9, 0}, func(x, y float64) float64 {
		sum := 1.21*math.Exp(-(x-y)*(x-y)/0.08) + 0.36*(0.09+(2*x-1)*(2*y-1))
		return sum * math.Exp(-2*math.Pow(math.Sin(2*math.Pi*(x-y))/0.9, 2))
	}},
	{"linear*linear", []float64{0.5, 0.4, 1.3}, func(x, y float64) float64 {
		p := (2*x - 1) * (2*y - 1)
		return 0.25 * (0.16 + p) * (1.69 + p)
	}},
}

func kernelOf(t interface{ Fatal(...any) }, text string, d int, values []float64) *Composite {
	e, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return e.Family(d, nil, 0).Kernel(values)
}

func TestCompositeValues(t *testing.T) {
	X, Y := mat.NewDense(4, 1, []float64{0, 0.31, 0.5, 0.98}), mat.NewDense(3, 1, []float64{0.31, 0.66, 1})
	for _, c := range expressions {
		k := kernelOf(t, c.text, 1, c.values)
		gram, cross, diag := k.Gram(X), k.Cross(X, Y), k.Diag(X)
		check := func(subject string, got, x, y float64) {
			if want := c.at(x, y); math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
				t.Errorf("%s: %s of %g and %g is %.14g, want %.14g", c.text, subject, x, y, got, want)
			}
		}
		for i := range 4 {
			x := X.At(i, 0)
			check("the variance", diag[i], x, x)
			for j := range 4 {
				check("the Gram matrix", gram.At(i, j), x, X.At(j, 0))
			}
			for j := range 3 {
				check("the covariance across", cross.At(i, j), x, Y.At(j, 0))
				check("the covariance", k.At([]float64{x}, []float64{Y.At(j, 0)}), x, Y.At(j, 0))
			}
		}
	}
}

// Drawn functions have mean 0 and the covariance of the kernel, within 4.5 standard errors.
func TestFeaturesHaveTheCovariance(t *testing.T) {
	const draws = 20_000
	rng := rand.New(rand.NewPCG(5, 6))
	for _, c := range expressions {
		k := kernelOf(t, c.text, 1, c.values)
		for _, pair := range [][2]float64{{0.2, 0.2}, {0.2, 0.33}, {0.9, 0.35}} {
			sum, products, squares := 0.0, 0.0, 0.0
			for range draws {
				f := k.Features(4, rng)
				a, b := f.at(pair[0]), f.at(pair[1])
				sum, products, squares = sum+a, products+a*b, squares+a*a*b*b
			}
			mean := products / draws
			se := math.Sqrt((squares/draws - mean*mean) / draws)
			if want := c.at(pair[0], pair[1]); math.Abs(mean-want) > 4.5*se {
				t.Errorf("%s: the covariance of draws at %v is %g ± %g, want %g", c.text, pair, mean, se, want)
			}
			if want := math.Sqrt(c.at(pair[0], pair[0]) / draws); math.Abs(sum/draws) > 4.5*want {
				t.Errorf("%s: the mean of draws is %g ± %g", c.text, sum/draws, want)
			}
		}
	}
}

// at evaluates a drawn function of one input, from the definition.
func (f Features) at(x float64) (sum float64) {
	for i, w := range f.Weight {
		v := w * math.Cos(f.Freq.At(i, 0)*x+f.Phase[i])
		for _, a := range f.Affine {
			v *= a.At(i, 0) + a.At(i, 1)*x
		}
		sum += v
	}
	return sum
}

// randomExpression draws the text of an expression.
func randomExpression(rng *rand.Rand, depth int) string {
	operation := 0
	if depth > 0 {
		operation = rng.IntN(5)
	}
	next := func() string { return randomExpression(rng, depth-1) }
	switch operation {
	case 1:
		return next() + " + " + next()
	case 2:
		return "(" + next() + ")*(" + next() + ")"
	case 3:
		return "0.7*(" + next() + ")"
	case 4:
		return next() + " + 0.3"
	}
	return Names()[rng.IntN(len(Names()))]
}

// Every expression is positive semi-definite for any values of its hyperparameters and any inputs, some of them equal.
func TestExpressionsArePositiveSemidefinite(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 400 {
		text := randomExpression(rng, 3)
		e, err := Parse(text)
		require.NoError(t, err)
		n, d := 2+rng.IntN(8), 1+rng.IntN(3)
		family := e.Family(d, nil, 0)
		values := make([]float64, len(family.Hyperparameters()))
		for i, h := range family.Hyperparameters() {
			values[i] = h.Box[0] * math.Pow(h.Box[1]/h.Box[0], rng.Float64())
		}
		X := mat.NewDense(n, d, nil)
		X.Apply(func(int, int, float64) float64 { return rng.Float64() }, X)
		X.SetRow(n-1, X.RawRowView(0))
		g := family.Kernel(values).Gram(X)
		var eigen mat.EigenSym
		require.True(t, eigen.Factorize(g, false), "%s has no eigenvalues", text)
		if least := eigen.Values(nil)[0]; !(least > -1e-10*mat.Trace(g)) {
			t.Errorf("%s with %v has the eigenvalue %g, of trace %g", text, values, least, mat.Trace(g))
		}
	}
}

// Inputs that share a lengthscale also share a period, and fixed lengthscales are those of the kernels of distances
// alone.
func TestFamilyOfSharedInputs(t *testing.T) {
	e, err := Parse("se*periodic + rq(length=0.7)")
	require.NoError(t, err)
	count := func(shared []int, length float64) (all, fixed int) {
		for _, h := range e.Family(3, shared, length).Hyperparameters() {
			all++
			if h.Fixed > 0 {
				fixed++
			}
		}
		return all, fixed
	}
	for _, c := range []struct {
		shared     []int
		length     float64
		all, fixed int
	}{{nil, 0, 15, 3}, {[]int{0, 1, 1}, 0, 11, 2}, {nil, 0.2, 15, 6}} {
		if all, fixed := count(c.shared, c.length); all != c.all || fixed != c.fixed {
			t.Errorf("%v, %g: %d hyperparameters, %d of them fixed; want %d and %d", c.shared, c.length, all, fixed, c.all,
				c.fixed)
		}
	}
	k := e.Family(3, []int{0, 1, 1}, 0).Kernel([]float64{1, 0.3, 0.6, 0.9, 2, 0.4, 0.5, 1, 0, 0, 2})
	a := k.At([]float64{0.1, 0.2, 0.3}, []float64{0.4, 0.7, 0.1})
	b := k.At([]float64{0.1, 0.3, 0.2}, []float64{0.4, 0.1, 0.7})
	if math.Abs(a-b) > 1e-14 {
		t.Errorf("the covariance is %g, and %g with the inputs exchanged that share their hyperparameters", a, b)
	}
}

func BenchmarkComposite(b *testing.B) {
	X := inputs(50, 2, 1, 3)
	stationary := Stationary{Form: Matern52, Scale: 1, Lengths: []float64{0.3, 0.4}}
	for name, k := range map[string]Kernel{"matern52": stationary,
		"composite matern52":   kernelOf(b, "matern52", 2, []float64{1, 0.3, 0.4}),
		"periodic*se + linear": kernelOf(b, "periodic*se + linear", 2, []float64{1, 1, 1, 0.4, 0.4, 0.3, 0.4, 1, 1})} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				k.Gram(X)
			}
		})
	}
}
