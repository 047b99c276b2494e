package sessions

import (
	"context"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a snapshot tells stays that of where it was taken, also what is first asked of it after the session has gone
// elsewhere.
func TestSnapshotsAreOfOnePlace(t *testing.T) {
	ctx := context.Background()
	s := start(t, Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3})
	steps(t, s, 5)
	taken := s.Snapshot()
	if st := s.State(); !reflect.DeepEqual(taken.State().Iterations, st.Iterations) || taken.State().Head != st.Head ||
		!reflect.DeepEqual(taken.Timeline(), s.Timeline()) {
		t.Error("it is not of where the session stands")
	}
	next, err := s.Next(ctx, nil)
	require.NoError(t, err)
	want := next.X.At(0, 0)
	steps(t, s, 1)
	for range 5 { // so that nothing is kept of it
		s.Query(ctx, []float64{0.25})
		_, err = s.Belief(ctx, nil)
		require.NoError(t, err)
	}
	then, err := taken.Next(ctx, nil)
	if err != nil || then.X.At(0, 0) != want {
		t.Errorf("next is %v, %v; it was %v", then.X, err, want)
	}
	if b, err := taken.Belief(ctx, nil); err != nil || b == nil {
		t.Error(err)
	}
	if st, line := taken.State(), taken.Timeline(); len(st.Iterations) != 5 || line.At != 5 ||
		line.Stops[line.At].Step != 5 {
		t.Errorf("it moved along: %d iterations, at %d", len(st.Iterations), line.At)
	}
}
