package picture

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/sessions"
	"bandscope/tui/picture/internal/trial"
)

// Every node of every field is the belief, or the problem, evaluated there; and a slice through a point is the belief
// along its line.
func TestPlanesAndSlicesAreTheBelief(t *testing.T) {
	ctx := context.Background()
	for _, cfg := range []sessions.Config{
		{Problem: "branin", Optimizer: "gp-ei", Seed: 2}, {Problem: "hartmann:3", Optimizer: "gp-ts", Seed: 2},
		{Problem: "currin", Optimizer: "gp-ei", Seed: 2}} {
		s := trial.RunSteps(t, cfg, 9)
		sign := s.State().Problem.Objectives[0].Direction.Sign() // a belief is about what is minimized
		st := s.State()
		view := View{Axes: TwoVariables, X: 1, Y: 0, Low: [2]float64{0.25, 0}, High: [2]float64{0.75, 0.5}, Draw: 0}
		stages := 0
		p, err := Compute(ctx, s, view, nil, nil, func(*Posterior) { stages++ })
		require.NoError(t, err)
		b, _ := s.Belief(ctx, nil)
		for _, node := range [][2]int{{0, 0}, {7, 31}, {60, 60}, {13, 2}} {
			u := st.Problem.Domain.ToUnit(Anchor(st))
			u[1] = 0.25 + 0.5*float64(node[0])/60
			u[0] = 0.5 * float64(node[1]) / 60
			x := st.Problem.Domain.FromUnit(u)
			inputs := mat.NewDense(1, len(u), u)
			band, _ := b.Predict(ctx, inputs)
			acq, _ := b.Acquisition(ctx, inputs)
			truth, _ := st.Problem.TrueValues(x)
			for kind, want := range map[FieldKind]float64{
				TrueField: truth[0], MeanField: sign * band[0].Mean[0], SDField: band[0].SD[0],
				AcquisitionField: acq[0]} {
				if got := p.At(kind, x); math.Abs(got-want) > 1e-8*(1+math.Abs(want)) {
					t.Errorf("%s: %s is %g at %v, want %g", cfg.Problem, p.Name(kind), got, x, want)
				}
			}
		}
		inputs := st.Problem.Domain.FromUnit([]float64{0.3, 0.6, 0.2}[:st.Problem.Dim()])
		line, err := ComputeSlice(ctx, s, View{X: 1}, inputs, nil)
		require.NoError(t, err)
		for _, i := range []int{0, 100, 240} {
			x := append([]float64(nil), inputs...)
			x[1] = line.Grid()[i]
			band, _ := b.Predict(ctx, mat.NewDense(1, len(x), st.Problem.Domain.ToUnit(x)))
			if math.Abs(line.Fields[MeanField].Z[i]-sign*band[0].Mean[0]) > 1e-8*(1+math.Abs(line.Fields[MeanField].Z[i])) {
				t.Errorf("%s: the slice is %g at %v, the belief %g", cfg.Problem, line.Fields[MeanField].Z[i], x, band[0].Mean[0])
			}
			if low, high := line.Fields[MeanField].Z[i]-2*band[0].SD[0],
				line.Fields[MeanField].Z[i]+2*band[0].SD[0]; math.Abs(line.Fields[LowerField].Z[i]-low)+
				math.Abs(line.Fields[UpperField].Z[i]-high) > 1e-7*(1+high-low) {
				t.Errorf("%s: the band goes from %g to %g at %v, two deviations from %g to %g", cfg.Problem,
					line.Fields[LowerField].Z[i], line.Fields[UpperField].Z[i], x, low, high)
			}
		}
	}
}

// A window keeps inside of the one before, and halves it.
func TestZoom(t *testing.T) {
	v := WholePlane(0, 1)
	for _, values := range [][2]float64{{0, 1}, {0.5, 0.5}, {0.9, 0.2}} {
		z := v.Zoomed(values)
		for k := range 2 {
			if z.Low[k] < v.Low[k] || z.High[k] > v.High[k] ||
				math.Abs((z.High[k]-z.Low[k])-(v.High[k]-v.Low[k])/2) > 1e-12 || values[k] < z.Low[k]-1e-12 ||
				values[k] > z.High[k]+1e-12 {
				t.Errorf("around %v: %v to %v", values, z.Low, z.High)
			}
		}
	}
}

func TestImprovement(t *testing.T) {
	s := trial.RunSteps(t, sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 2}, 6)
	st := s.State()
	p, err := Compute(context.Background(), s, WholePlane(0, 1), nil, nil, func(*Posterior) {})
	require.NoError(t, err)
	_, best, _, _ := st.Best()
	x := []float64{2, 3}
	z, ok := p.Improvement(x)
	if want := (best - p.At(MeanField, x)) / p.At(SDField, x); !ok || math.Abs(z-want) > 1e-12 {
		t.Errorf("z is %g, want %g", z, want)
	}
}

// Zooming halves the window in each direction around a place, within the window before: the place stays in it, in its
// middle unless an edge is near.
func TestZoomedWindow(t *testing.T) {
	v := View{Axes: TwoVariables, X: 2, Y: 0, Low: [2]float64{0.2, 0}, High: [2]float64{0.6, 1}, Draw: 3}
	for _, c := range []struct{ at, low, high [2]float64 }{
		{[2]float64{0.4, 0.5}, [2]float64{0.3, 0.25}, [2]float64{0.5, 0.75}},
		{[2]float64{0.35, 0.6}, [2]float64{0.25, 0.35}, [2]float64{0.45, 0.85}},
		{[2]float64{0.2, 1}, [2]float64{0.2, 0.5}, [2]float64{0.4, 1}},
		{[2]float64{0.6, 0}, [2]float64{0.4, 0}, [2]float64{0.6, 0.5}},
		{[2]float64{0.58, 0.1}, [2]float64{0.4, 0}, [2]float64{0.6, 0.5}},
	} {
		z := v.Zoomed(c.at)
		for k := range 2 {
			if math.Abs(z.Low[k]-c.low[k]) > 1e-12 || math.Abs(z.High[k]-c.high[k]) > 1e-12 {
				t.Errorf("around %v the window is %v to %v, want %v to %v", c.at, z.Low, z.High, c.low, c.high)
			}
		}
		if z.X != 2 || z.Y != 0 || z.Draw != 3 {
			t.Errorf("zooming changes more than the window: %+v", z)
		}
	}
	// The fields of a zoomed window lie where it does: a place has the same value in it as in the whole.
	s := trial.RunSteps(t, sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 2}, 6)
	st := s.State()
	whole := WholePlane(0, 1)
	zoomed := whole.Zoomed([2]float64{0.7, 0.2}).Zoomed([2]float64{0.6, 0.3})
	point := st.Problem.Domain.FromUnit([]float64{0.65, 0.3})
	for _, view := range []View{whole, zoomed} {
		p, err := Compute(context.Background(), s, view, nil, nil, func(*Posterior) {})
		require.NoError(t, err)
		want, _ := st.Problem.TrueValues(point)
		if got := p.At(TrueField, point); !(math.Abs(got-want[0]) <= 0.5) {
			t.Errorf("in the window %v to %v the function is %g there, want %g", view.Low, view.High, got, want[0])
		}
		corner := p.newGrid(5).x
		for k, j := range []int{view.X, view.Y} {
			if corner.At(0, j) != view.Low[k] || math.Abs(corner.At(24, j)-view.High[k]) > 1e-12 {
				t.Errorf("the grid reaches from %g to %g, the window from %g to %g", corner.At(0, j), corner.At(24, j),
					view.Low[k], view.High[k])
			}
		}
	}
}

// Whatever a method has or has not, each field of a plane is known when the plane is whole: drawn, or said to be
// absent.
func TestEveryFieldIsKnown(t *testing.T) {
	for _, optimizer := range []string{"random", "gp-ei", "gp-ts"} {
		s := trial.RunSteps(t, sessions.Config{Problem: "branin", Optimizer: optimizer, Seed: 2}, 5)
		for draw := range 2 {
			view := WholePlane(0, 1)
			view.Draw = uint64(draw)
			p, err := Compute(context.Background(), s, view, nil, nil, func(*Posterior) {})
			require.NoError(t, err)
			for kind, known := range p.Known {
				if !known && len(p.Fields[kind].Z) == 0 {
					t.Errorf("%s, draw %d: whether there is field %d is not known", optimizer, draw, kind)
				}
			}
		}
	}
}

// The mean and the standard deviation are those of the objective that the view is of.
func TestPlaneOfAnObjective(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "thesis-xy", Optimizer: "mobo-rs-ts", Seed: 3})
	require.NoError(t, err)
	for range 5 {
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	st := s.State()
	b, err := s.Belief(t.Context(), nil)
	require.NoError(t, err)
	middle := []float64{0.5, 0.5} // a node
	bands, err := b.Predict(t.Context(), mat.NewDense(1, 2, middle))
	require.NoError(t, err)
	for k, o := range st.Problem.Objectives {
		v := WholePlane(0, 1)
		v.Objective = k
		p, err := Compute(t.Context(), s, v, nil, nil, func(*Posterior) {})
		require.NoError(t, err)
		x := st.Problem.Domain.FromUnit(middle)
		if got, want := p.At(MeanField, x), o.Transform().Invert(bands[k].Mean[0]); math.Abs(got-want) > 1e-9 {
			t.Errorf("the mean of %s is %g, want %g", o.Name, got, want)
		}
		if got, want := p.At(SDField, x), bands[k].SD[0]; math.Abs(got-want) > 1e-9 {
			t.Errorf("the sd of %s is %g, want %g", o.Name, got, want)
		}
	}
}
