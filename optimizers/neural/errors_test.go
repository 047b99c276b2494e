package neural

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/testbed"
)

// A datum that is poorly known neither holds the network nor makes the features certain, where the whole matrix is used
// and of one network; errors of which none is known change nothing, to the last bit.
func TestErrorsAreInNetworkAndLaw(t *testing.T) {
	_, data := testbed.Observe(t, "forrester", 6)
	const odd, off = 2, 60.0
	data.Y.Set(odd, 0, data.Y.At(odd, 0)+off)
	point := data.X.Slice(odd, odd+1, 0, 1).(*mat.Dense)
	for _, spec := range []optimizers.Spec{NeuralBO, NeuralUCB, NeuralTS} {
		for _, set := range [][]string{
			{}, {"trainer=linear"}, {"trainer=sgd", "epochs=2000"}, {"matrix=diagonal"}, {"gradients=published"}} {
			set = append(set, "width=60", "depth=1")
			band := func(data optimizers.Data) optimizers.Band {
				v, err := testbed.Fit(t, spec, testbed.InputFor(t, spec, 1, data, set...)).Predict(t.Context(), point)
				require.NoError(t, err)
				return v[0]
			}
			plain, parseError, known := band(data), band(testbed.WithErrors(data, 0.05, odd, 200)),
				band(testbed.WithErrors(data, 0.05, odd, 0.05))
			if parseError.Mean[0] > plain.Mean[0]-10 {
				t.Errorf("%s %v: the network is %g at a datum of %g with an error of 200, and %g if all count alike",
					spec.Name, set, parseError.Mean[0], data.Y.At(odd, 0), plain.Mean[0])
			}
			if full := len(set) == 2 || set[0][:7] == "trainer"; full && parseError.SD[0] < 2*known.SD[0] {
				t.Errorf("%s %v: the sd is %g at a datum with an error of 200, and %g with one of 0.05", spec.Name,
					set, parseError.SD[0], known.SD[0])
			}
			if same := band(testbed.WithErrors(data, math.NaN(), odd, math.NaN())); same.Mean[0] != plain.Mean[0] ||
				same.SD[0] != plain.SD[0] {
				t.Errorf("%s %v: %v with errors of which none is known, %v without", spec.Name, set, same, plain)
			}
		}
	}
}
