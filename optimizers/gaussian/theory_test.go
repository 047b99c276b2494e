package gaussian

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/optimizers"
	"bandscope/optimizers/testbed"
)

// The evidence curve has, at each lengthscale, the evidence of the process with that fixed lengthscale, if nothing else
// is fixed. The maximum of the curve is where the search with a free lengthscale ends.
func TestEvidenceOfTheLengthscale(t *testing.T) {
	_, data := testbed.Observe(t, "forrester", 7)
	for _, set := range [][]string{
		{"hyperprior=off"}, {"hyperprior=off", "kernel=matern52"}, {"hyperprior=off", "noise=fixed", "noise_sd=0.05"},
		{}} {
		fit := func(settings ...string) *Process {
			in := testbed.InputFor(t, EI, 1, data, append(slices.Concat(set, []string{"hyperparameters=fitted"}), settings...)...)
			g, err := Fit(context.Background(), in, 0)
			require.NoError(t, err)
			return g
		}
		found := fit()
		theory, err := found.Theory(context.Background())
		require.NoError(t, err)
		e := theory.Evidence
		for i := 4; i < len(e.At); i += 10 {
			held := fit(fmt.Sprintf("lengthscale=%g", e.At[i]))
			if lengths, _, _ := held.GP.Describe(); math.Abs(lengths[0]-e.At[i]) > 1e-9 {
				t.Fatalf("%v: the lengthscale is %g, want %g", set, lengths[0], e.At[i])
			}
			if want := held.GP.LogMarginalLikelihood(); math.Abs(e.Log[i]-want) > 1e-3 {
				t.Errorf("%v: at %g the evidence is %.5f, want %.5f", set, e.At[i], e.Log[i], want)
			}
		}
		if len(set) == 0 {
			continue // the priors move the fit away from the maximum
		}
		if top, best := slices.Max(e.Log), found.GP.LogMarginalLikelihood(); top > best+1e-5 || top < best-0.1 {
			t.Errorf("%v: the maximum of the curve is %.4f, the search ends at %.4f", set, top, best)
		}
		if r := e.Best / e.Current; r < 0.9 || r > 1.1 {
			t.Errorf("%v: the best of the curve is %g, the search ends at %g", set, e.Best, e.Current)
		}
	}
	_, two := testbed.Observe(t, "branin", 7)
	g, err := Fit(context.Background(), testbed.InputFor(t, EI, 2, two), 0)
	require.NoError(t, err)
	if theory, err := g.Theory(context.Background()); err != nil || theory.Evidence != nil {
		t.Errorf("with two variables the evidence is %v, %v", theory.Evidence, err)
	}
}

// The lengthscale parameter is a number within the bounds of the search, or fitted.
func TestLengthscaleIsChecked(t *testing.T) {
	for text, ok := range map[string]bool{
		"fitted": true, "0.01": true, "10": true, "3e-1": true, "0.009": false, "11": false, "": false, "short": false,
		"NaN": false, "-1": false} {
		if err := validLength(text); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A fixed lengthscale applies to every variable, with any number of observations, and the other hyperparameters are the
// best for it.
func TestLengthscaleIsHeld(t *testing.T) {
	for _, n := range []int{0, 1, 9} {
		some := optimizers.Data{}
		if n > 0 {
			_, some = testbed.Observe(t, "branin", n)
		}
		g, err := Fit(context.Background(), testbed.InputFor(t, EI, 2, some, "lengthscale=0.37", "hyperparameters=fitted"), 0)
		require.NoError(t, err)
		if lengths, _, _ := g.GP.Describe(); lengths[0] != 0.37 || lengths[1] != 0.37 {
			t.Errorf("with %d observations the lengthscales are %v", n, lengths)
		}
	}
}

func BenchmarkEvidence(b *testing.B) {
	for _, n := range []int{10, 50} {
		_, data := testbed.Observe(b, "forrester", n)
		g, err := Fit(context.Background(), testbed.InputFor(b, EI, 1, data), 0)
		require.NoError(b, err)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				g.Theory(context.Background())
			}
		})
	}
}
