package optimizers

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/kernel"
	"bandscope/optimizers/param"
	"bandscope/optimizers/space"
)

// seen is an input whose networks see circles, or the cube.
func seen(t *testing.T, dim int, as string) Input {
	t.Helper()
	p, err := param.Defaults([]param.Decl{InputsParam()}).With(InputsKey, as)
	require.NoError(t, err)
	return Input{Dim: dim, Params: p}
}

// As circles all points have one norm, and the product of two is 2Σcos π(u_j − u'_j), whatever the place: so the
// kernels of wide networks are the same everywhere for the same difference, while over the cube the variance grows from
// the middle to the corners.
func TestCirclesFavourNoPlace(t *testing.T) {
	X := mat.NewDense(4, 3, []float64{0.5, 0.5, 0.5, 0, 0, 1, 0.1, 0.2, 0.9, 0.4, 0.5, 0.2})
	in := seen(t, 3, InputsCircles)
	z := in.Centered(X)
	if _, c := z.Dims(); c != 6 || in.Columns() != 6 {
		t.Fatalf("%d columns, said to be %d", c, in.Columns())
	}
	for i := range 4 {
		for k := range 4 {
			want := 0.0
			for j := range 3 {
				want += 2 * math.Cos(math.Pi*(X.At(i, j)-X.At(k, j)))
			}
			if got := floats.Dot(z.RawRowView(i), z.RawRowView(k)); math.Abs(got-want) > 1e-12 {
				t.Errorf("points %d and %d: the product is %g, want %g", i, k, got, want)
			}
		}
	}
	net := kernel.Network{Unit: kernel.ReLU, Depth: 2, SigmaW: 1.5}
	apply := func(in Input) (middle, corner float64) {
		_, tangent := net.Diag(in.Centered(X))
		return tangent[0], tangent[1]
	}
	if middle, corner := apply(in); math.Abs(middle-corner) > 1e-12 {
		t.Errorf("the prior variance is %g in the middle and %g in a corner", middle, corner)
	}
	if middle, corner := apply(seen(t, 3, InputsCube)); !(corner > middle) {
		t.Errorf("over the cube the prior variance is %g in the middle and %g in a corner", middle, corner)
	}
}

// The slope by the inputs is that of central differences, over real inputs and beside one that takes levels, which has
// none.
func TestSlopesOfWhatNetworksSee(t *testing.T) {
	levels := &space.Domain{Inputs: []space.Input{{}, {Levels: []float64{0, 0.5, 1}}, {}}}
	weights := []float64{0.3, -1.2, 0.8, 0.5, 2, -0.7}
	for _, as := range []string{InputsCircles, InputsCube} {
		for _, d := range []*space.Domain{nil, levels} {
			in := seen(t, 3, as)
			in.Domain = d
			value := func(x []float64) float64 {
				z := in.CenteredRow(x)
				v := 0.0
				for j, c := range z {
					v += math.Sin(weights[j] * c)
				}
				return v
			}
			x := []float64{0.2, 0.5, 0.9}
			centeredRow := in.CenteredRow(x)
			amounts, got := make([]float64, len(centeredRow)), make([]float64, 3)
			for j, c := range centeredRow {
				amounts[j] = weights[j] * math.Cos(weights[j]*c)
			}
			in.CenteredGradient(centeredRow, amounts, got)
			for j := range x {
				want := 0.0
				if d == nil || !d.Discrete(j) {
					const h = 1e-6
					up, down := append([]float64(nil), x...), append([]float64(nil), x...)
					up[j] += h
					down[j] -= h
					want = (value(up) - value(down)) / (2 * h)
				}
				assert.InDelta(t, want, got[j], 1e-7, "%s, levels %v: the slope by input %d", as, d != nil, j)
			}
		}
	}
}
