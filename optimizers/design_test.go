package optimizers

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/samplemv"

	"bandscope/functions/stream"
)

// initial is the point of the initial design, without anything in its place; false if the design is over.
func initial(t testing.TB, in Input) ([]float64, bool) {
	t.Helper()
	if !InDesign(in) {
		return nil, false
	}
	s, err := InitialPoint(t.Context(), in)
	if err != nil || s.Note != "" && in.Avoid == nil {
		t.Fatalf("%q, %v", s.Note, err)
	}
	return mat.Row(nil, 0, s.X), true
}

// A design that fails, or whose point was refused, says what took its place; one that is cancelled suggests nothing.
func TestFailedDesign(t *testing.T) {
	spec, err := Find("random")
	if err != nil {
		t.Fatal(err)
	}
	in := input(t, *spec, 2, Data{X: mat.NewDense(1, 2, []float64{math.NaN(), 0}), Y: mat.NewDense(1, 1, nil)}, "design=uncertainty", "initial=4")
	in.Step = 1
	failed, err := InitialPoint(t.Context(), in)
	if err != nil || !strings.Contains(failed.Note, "Latin hypercube in place of the design by uncertainty, which failed: ") {
		t.Fatalf("%q, %v", failed.Note, err)
	}
	lhs := input(t, *spec, 2, Data{}, "initial=4")
	lhs.Step = 1
	if x, _ := initial(t, lhs); failed.X.At(0, 0) != x[0] || failed.X.At(0, 1) != x[1] {
		t.Errorf("it suggests %v, the Latin hypercube %v", mat.Formatted(failed.X), x)
	}
	lhs.Avoid = [][]float64{mat.Row(nil, 0, failed.X)}
	if s, err := InitialPoint(t.Context(), lhs); err != nil || !strings.Contains(s.Note, "which was rejected") {
		t.Errorf("%q, %v", s.Note, err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	in.Data = Data{}
	if s, err := InitialPoint(ended, in); !errors.Is(err, context.Canceled) || s.X != nil {
		t.Errorf("cancelled: %+v, %v", s, err)
	}
}

// calls is a context that ends after its error was asked for so many times.
type calls struct {
	context.Context
	left int
}

func (c *calls) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// The sample from which a search begins is given up in its middle, and is the same with a context as without.
func TestSampleUnderAContext(t *testing.T) {
	space := Space{Dim: 100}
	ctx := &calls{context.Background(), 1000}
	if _, err := sample(ctx, space, stream.New(1, 0, "sample"), nil); !errors.Is(err, context.Canceled) || ctx.left < -2 {
		t.Errorf("%v, asked %d times after its end", err, -ctx.left)
	}
	got, err := sample(t.Context(), Space{Dim: 3}, stream.New(1, 0, "sample"), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := mat.NewDense(candidateCount(3), 3, nil)
	rng := stream.New(1, 0, "sample")
	samplemv.Halton{Kind: samplemv.Owen, Q: distmv.NewUnitUniform(3, rng), Src: rng}.Sample(want)
	if !mat.Equal(got, want) {
		t.Error("it is another sample")
	}
}

// The design by uncertainty looks where nobody has looked and nobody is looking: a point that is out counts like one whose outcome is known.
func TestDesignWithPointsOut(t *testing.T) {
	spec, err := Find("random")
	if err != nil {
		t.Fatal(err)
	}
	at := mat.NewDense(2, 2, []float64{0.2, 0.7, 0.9, 0.4})
	point := func(data Data, out *mat.Dense) *mat.Dense {
		in := input(t, *spec, 2, data, "design=uncertainty", "initial=4")
		in.Step, in.Out = 2, out
		s, err := InitialPoint(t.Context(), in)
		if err != nil || s.Note != "" {
			t.Fatalf("%q, %v", s.Note, err)
		}
		return s.X
	}
	rows := func(i, j int) *mat.Dense { return mat.DenseCopyOf(at.Slice(i, j, 0, 2)) }
	done := point(Data{X: at, Y: mat.NewDense(2, 1, nil)}, nil)
	for name, got := range map[string]*mat.Dense{
		"both out": point(Data{}, at),
		"one out":  point(Data{X: rows(0, 1), Y: mat.NewDense(1, 1, nil)}, rows(1, 2)),
	} {
		if !mat.EqualApprox(got, done, 1e-9) {
			t.Errorf("%s: %v, with both done %v", name, mat.Formatted(got), mat.Formatted(done))
		}
	}
	if alone := point(Data{X: rows(0, 1), Y: mat.NewDense(1, 1, nil)}, nil); mat.EqualApprox(alone, done, 1e-3) {
		t.Error("the point that is out does not matter")
	}
}
