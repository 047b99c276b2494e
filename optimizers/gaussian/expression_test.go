package gaussian

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/functions/numfmt"
	"bandscope/model/kernel"
	"bandscope/optimizers"
	"bandscope/optimizers/testbed"
)

// Every method suggests a point with a sum and a product of kernels, without data, with few and with many, and also
// while points are pending.
func TestMethodsWithExpressions(t *testing.T) {
	for _, spec := range []optimizers.Spec{EI, UCB, TS, MES} {
		for n, text := range map[int]string{0: "se + linear", 9: "(rq + linear)*periodic", 52: "periodic*matern12 + 0.2"} {
			_, data := testbed.Observe(t, "branin", max(n, 1))
			if n == 0 {
				data = optimizers.Data{}
			}
			in := testbed.InputFor(t, spec, 2, data, "kernel="+text, "restarts=1", "initial=2")
			if n > 0 {
				in.Pending = mat.NewDense(1, 2, []float64{0.3, 0.6})
			}
			in.Step = n
			b := testbed.Fit(t, spec, in)
			s, err := b.Suggest(t.Context())
			require.NoError(t, err, "%s with %s and %d observations", spec.Name, text, n)
			for _, v := range s.X.RawMatrix().Data {
				if !(v >= 0 && v <= 1) {
					t.Errorf("%s with %s suggests %v", spec.Name, text, s.X.RawMatrix().Data)
				}
			}
		}
	}
}

// The acquisition's gradient is right for kernels whose variance varies, so that the suggestion is at a maximum of the
// acquisition along a fine grid.
func TestSuggestionWithExpressionIsTheMaximum(t *testing.T) {
	_, data := testbed.Observe(t, "forrester", 5)
	for _, text := range []string{"se + linear", "periodic*se", "linear*linear + matern32"} {
		in := testbed.InputFor(t, EI, 1, data, "kernel="+text, "hyperparameters=fitted", "initial=2")
		in.Step = 5
		b := testbed.Fit(t, EI, in)
		s, err := b.Suggest(t.Context())
		require.NoError(t, err)
		grid := mat.NewDense(2001, 1, nil)
		for i := range 2001 {
			grid.Set(i, 0, float64(i)/2000)
		}
		values, err := b.Acquisition(t.Context(), grid)
		require.NoError(t, err)
		best := math.Inf(-1)
		for _, v := range values {
			best = max(best, v)
		}
		acquisition, err := b.Acquisition(t.Context(), s.X)
		if err != nil || acquisition[0] < best-1e-6*math.Abs(best) {
			t.Errorf("%s: the acquisition is %g at the suggestion %g, and %g on a grid: %v", text, acquisition[0], s.X.At(0, 0),
				best, err)
		}
	}
}

// A legend names the hyperparameters of an expression with their kernels, in the unit of the variable and in the cube.
func TestLegendOfAnExpression(t *testing.T) {
	_, data := testbed.Observe(t, "forrester", 6)
	in := testbed.InputFor(t, EI, 1, data,
		"kernel=0.49*periodic(length=0.8, period=0.25)*se(length=0.5) + linear(bias=0.4)", "hyperparameters=fitted")
	in.Widths = []float64{2}
	l := testbed.Fit(t, EI, in).Legend()
	natural, unit := map[string]string{}, map[string]string{}
	for _, f := range l.Facts {
		natural[f.Name] = f.Value
		for _, e := range f.Estimates {
			unit[f.Name] = numfmt.Format(e.Value)
		}
	}
	for _, c := range []struct{ got, want map[string]string }{
		{natural, map[string]string{"relative lengthscale": "0.8", "period": "0.5", "lengthscale": "1", "bias": "0.4"}},
		{unit, map[string]string{"relative lengthscale": "0.8", "period": "0.25", "lengthscale": "0.5", "bias": "0.4",
			"signal sd (periodic*se)": "0.7"}},
	} {
		for name, want := range c.want {
			assert.Equal(t, want, c.got[name], "%s in %v", name, c.got)
		}
		assert.NotEqual(t, "", c.got["signal sd (linear)"], "the signal of the linear term has no fact in %v", c.got)
	}
	assert.Equal(t, "periodic × squared exponential + linear", l.Kernel)
}

// Texts of the parameter are read in any case and written in one form; a wrong one names the kernels.
func TestKernelParameter(t *testing.T) {
	in := testbed.InputFor(t, EI, 1, optimizers.Data{})
	for text, want := range map[string]string{"SE": "se", "Se+Linear": "se + linear", "MATERN52": "matern52"} {
		p, err := in.Params.WithText("kernel", text)
		if err != nil || p.Choice("kernel") != want {
			t.Errorf("%q is %q, want %q: %v", text, p.Choice("kernel"), want, err)
		}
	}
	if _, err := in.Params.WithText("kernel", "rbf"); err == nil || !strings.Contains(err.Error(), "matern52") {
		t.Errorf("the error names no kernels: %v", err)
	}
	decl, _ := in.Params.Decl("kernel")
	for _, text := range decl.Choices {
		if e, err := kernel.Parse(text); err != nil || e.String() != text {
			t.Errorf("the choice %q is read as %q: %v", text, e, err)
		}
	}
}
