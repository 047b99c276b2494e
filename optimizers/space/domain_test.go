package space

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// kitchen has an input of every kind.
var kitchen = &Domain{Inputs: []Input{
	{},
	{Levels: []float64{0, 0.5, 1}},
	{Levels: []float64{0, 0.5, 1}, Choice: true},
	{Levels: []float64{0, 0.1, 1}},
	{Levels: []float64{0, 1}, Choice: true, Descriptors: [][]float64{{0, 0.3}, {1, 0.7}}},
}}

// Levels are rounded to the nearest, by a search through all of them.
func TestSnap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		u := make([]float64, 5)
		for j := range u {
			u[j] = rng.Float64()
		}
		snapped := kitchen.Snap(slices.Clone(u))
		for j, in := range kitchen.Inputs {
			if in.Levels == nil {
				require.Equal(t, u[j], snapped[j], "the real input goes from %g to", u[j])
				continue
			}
			nearest := slices.MinFunc(in.Levels, func(a, b float64) int {
				if math.Abs(a-u[j]) < math.Abs(b-u[j]) {
					return -1
				}
				return 1
			})
			if snapped[j] != nearest {
				t.Fatalf("input %d goes from %g to %g, the nearest level is %g", j, u[j], snapped[j], nearest)
			}
		}
		if again := kitchen.Snap(slices.Clone(snapped)); !slices.Equal(again, snapped) {
			t.Fatalf("%v is brought on to %v", snapped, again)
		}
	}
	if in := (Input{Levels: []float64{0.2, 0.4}}); in.Nearest(-1) != 0 || in.Nearest(2) != 1 ||
		in.Nearest(math.NaN()) != 0 {
		t.Error("outside of the levels the nearest is another")
	}
}

// Any two choices are as far from each other as the ends of a real input, and as long as any other for a network.
func TestChoicesAreAllAlike(t *testing.T) {
	rows := mat.NewDense(3, 5, nil)
	for i := range 3 {
		rows.SetRow(i, []float64{0.25, 0.5, float64(i) / 2, 0.1, 0})
	}
	e := kitchen.Encode(rows)
	if _, c := e.Dims(); c != 1+1+3+1+2 {
		t.Fatalf("%d columns", c)
	}
	for i := range 3 {
		for j := range i {
			if d := floats.Distance(e.RawRowView(i), e.RawRowView(j), 2); math.Abs(d-1) > 1e-15 {
				t.Errorf("choices %d and %d are %g apart", i, j, d)
			}
		}
		sum := 0.0
		for _, v := range e.RawRowView(i)[2:5] {
			sum += (2*v - 1) * (2*v - 1)
		}
		assert.InDelta(t, 2, sum, 1e-15, "choice %d has the squared length", i)
	}
	if want := []int{0, 1, 2, 2, 2, 3, 4, 4}; !slices.Equal(kitchen.Columns(5), want) {
		t.Errorf("the columns are of %v, want %v", kitchen.Columns(5), want)
	}
	if want := []int{0, 1, 2, 2, 2, 3, 4, 5}; !slices.Equal(kitchen.SharedLengthscales(5), want) {
		t.Errorf("the hyper-parameters are %v, want %v", kitchen.SharedLengthscales(5), want)
	}
}

// What a model sees is constant on a step, whatever stands within it, and one point is encoded as many are.
func TestEncodedIsConstantOnAStep(t *testing.T) {
	want := []float64{0.25, 0.5, choiceOff, choiceOn, choiceOff, 0.1, 1, 0.7}
	for _, u := range [][]float64{
		{0.25, 0.5, 0.5, 0.1, 1}, {0.25, 0.3, 0.7, 0.06, 0.6}, {0.25, 0.74, 0.26, 0.5, 0.51}} {
		got := kitchen.Encode(mat.NewDense(1, 5, slices.Clone(u))).RawRowView(0)
		if !slices.Equal(got, want) || !slices.Equal(kitchen.EncodeRow(u), want) {
			t.Errorf("%v is encoded as %v and %v, want %v", u, got, kitchen.EncodeRow(u), want)
		}
	}
	grad := make([]float64, 5)
	kitchen.Slope([]float64{7, 1, 2, 3, 4, 5, 6, 8}, grad)
	if !slices.Equal(grad, []float64{7, 0, 0, 0, 0}) {
		t.Errorf("the slope is %v", grad)
	}
}

// Over real inputs nothing is copied and nothing changes.
func TestRealInputsAreThemselves(t *testing.T) {
	x := mat.NewDense(1, 2, []float64{0.3, 0.4})
	for _, d := range []*Domain{nil, {Inputs: make([]Input, 2)}} {
		if d.Encode(x) != x || d.Mixed() || d.Constrained() || !d.Feasible([]float64{3, 4}) ||
			!slices.Equal(d.SharedLengthscales(2), []int{0, 1}) || !slices.Equal(d.Columns(2), []int{0, 1}) {
			t.Error("real inputs are encoded")
		}
		if u := d.Snap([]float64{0.3, 0.4}); u[0] != 0.3 || u[1] != 0.4 {
			t.Errorf("snapped to %v", u)
		}
	}
}

// A point is feasible where all constraints hold, to the tolerance on either side.
func TestFeasible(t *testing.T) {
	d := &Domain{Inputs: make([]Input, 2),
		Linear:    []Linear{{A: []float64{1, 2}, B: 1}, {A: []float64{1, 1}, B: 0.75, Equal: true}},
		Nonlinear: []Constraint{{"root", func(u []float64) float64 { return math.Sqrt(u[0]-0.1) - 0.8 }}}}
	for _, c := range []struct {
		u    []float64
		want bool
	}{{[]float64{0.5, 0.25}, true}, {[]float64{0.5, 0.25 + 0.4e-9}, true}, {[]float64{0.5, 0.25 - 2e-9}, false},
		{[]float64{0.4, 0.35}, false},
		{[]float64{0.75, 0}, false}} {
		assert.Equal(t, c.want, d.Feasible(c.u), "%v is feasible", c.u)
	}
	if (&Domain{Inputs: make([]Input, 1), Nonlinear: []Constraint{
		{"none", func([]float64) float64 { return math.NaN() }}}}).Feasible([]float64{0.5}) {
		t.Error("what is no number counts as fulfilled")
	}
}

// A joint draw is asked once for what lies on one step, and gives the same on all of it; over real numbers it is asked
// as it is.
func TestJointly(t *testing.T) {
	d := &Domain{Inputs: []Input{{}, {Levels: []float64{0, 0.5, 1}}}}
	X := mat.NewDense(4, 2, []float64{0.1, 0.6, 0.2, 0.6, 0.1, 0.4, 0.1, 0.9})
	asked := 0
	draw := func(X *mat.Dense) (*mat.Dense, error) {
		asked, _ = X.Dims()
		z := mat.NewDense(2, asked, nil)
		z.Apply(func(i, j int, _ float64) float64 { return float64(10*i + j) }, z)
		return z, nil
	}
	got, err := d.SampleSteps(X, draw)
	if want := mat.NewDense(2, 4, []float64{0, 1, 0, 2, 10, 11, 10, 12}); err != nil || asked != 3 ||
		!mat.Equal(got, want) {
		t.Errorf("asked of %d rows it is %v (%v)", asked, mat.Formatted(got), err)
	}
	if got, err = (*Domain)(nil).SampleSteps(X, draw); err != nil || asked != 4 || got.At(1, 3) != 13 {
		t.Errorf("over real numbers %d rows are asked for (%v)", asked, err)
	}
}
