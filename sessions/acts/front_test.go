package acts_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/sessions"
	"bandscope/sessions/acts"
)

// Of several objectives the status has the front by the model: each of its points with what the belief predicts there,
// in the problem's own directions, and none beaten by another. A few of them are its ends and what lies between, far
// from each other.
func TestStatusTellsTheFrontByTheModel(t *testing.T) {
	ctx := context.Background()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "thesis-xy", Optimizer: "mobo-rs-ts", Seed: 3})
	require.NoError(t, err)
	defer s.Close()
	_, err = s.Step(ctx, nil)
	require.NoError(t, err)
	if status, err := acts.StatusOf(ctx, s, nil); err != nil || status.FrontCaveat == "" {
		t.Errorf("the first of three first points: doubt %q (%v)", status.FrontCaveat, err)
	}
	for range 6 {
		_, err = s.Step(ctx, nil)
		require.NoError(t, err)
	}
	status, err := acts.StatusOf(ctx, s, nil)
	require.NoError(t, err)
	front := status.ModelFront
	if len(front) < 10 {
		t.Fatalf("%d points are on the front by the model", len(front))
	}
	b, err := s.Belief(ctx, nil)
	require.NoError(t, err)
	st := s.State()
	for i, e := range front {
		bands, err := b.Predict(ctx, mat.NewDense(1, 2, st.Problem.Domain.ToUnit(e.Input())))
		require.NoError(t, err)
		for k, o := range st.Problem.Objectives {
			mean := o.Direction.Sign() * bands[k].Mean[0]
			if math.Abs(float64(e.Value[o.Name])-mean) > 1e-6 || math.Abs(float64(e.SD[o.Name])-bands[k].SD[0]) > 1e-6 {
				t.Errorf("point %d: %s is %g ± %g, predicted %g ± %g", i, o.Name, e.Value[o.Name], e.SD[o.Name], mean,
					bands[k].SD[0])
			}
		}
		if i > 0 && (e.Value["f1"] <= front[i-1].Value["f1"] || e.Value["f2"] >= front[i-1].Value["f2"]) {
			t.Errorf("point %d, %v, does not follow %v on a front of two maximized objectives", i, e.Value,
				front[i-1].Value)
		}
	}
	few := status.ModelClusters
	if len(few) != 8 || few[0].Index != 0 || few[7].Index != len(front)-1 {
		t.Errorf("the representatives of %d points are %v", len(front), few)
	}
}
