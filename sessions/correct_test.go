package sessions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/functions/experiment"
	"bandscope/functions/numfmt"
)

// A corrected observation changes what is believed from there on, not what stands before; a withdrawn one is out of the
// data; both keep the original.
func TestCorrections(t *testing.T) {
	s := start(t, Config{Problem: "forrester", Optimizer: "gp-ei", Budget: 30})
	steps(t, s, 4)
	before := s.State()
	old := before.Iterations[1].Points[0].Y[0]
	require.NoError(t, s.Correct(2, 0, []float64{-30}, "the decimal point slipped"))
	st := s.State()
	c := st.Iterations[1].Corrections
	if st.Iterations[1].Points[0].Y[0] != -30 || len(c) != 1 || c[0].Old[0] != old ||
		c[0].Reason != "the decimal point slipped" {
		t.Errorf("after the correction %+v", st.Iterations[1])
	}
	if before.Iterations[1].Points[0].Y[0] != old || before.Iterations[1].Corrections != nil {
		t.Error("the state before has changed")
	}
	assert.Equal(t, -30.0, st.Input().Data.Y.At(1, 0), "the method sees")
	if x, y, step, _ := st.Best(); y != -30 || step != 2 {
		t.Errorf("the best is %g at %v of step %d", y, x, step)
	}
	require.NoError(t, s.Correct(2, 0, nil, ""))
	st = s.State()
	if n := st.Input().Data.Len(); n != 3 || !math.IsNaN(st.Iterations[1].Points[0].Y[0]) ||
		len(st.Iterations[1].Corrections) != 2 {
		t.Errorf("after the withdrawal %d data, %+v", n, st.Iterations[1])
	}
	steps(t, s, 2)
	repeats(t, s, 6)
	s.Seek(4)
	s.Back()
	if got := s.State().Iterations[1].Points[0].Y[0]; got != old {
		t.Errorf("before the correction the observation is %g, was %g", got, old)
	}
}

// A rejected suggestion is on record with its reason, and what is suggested instead lies apart from it.
func TestReject(t *testing.T) {
	ctx := context.Background()
	for _, n := range []int{0, 5} {
		s := start(t, Config{Problem: "forrester", Optimizer: "gp-ucb"})
		steps(t, s, n)
		first, err := s.Next(ctx, nil)
		require.NoError(t, err)
		require.NoError(t, s.Reject(ctx, "the oven is broken", nil))
		r := s.State().Rejections
		if len(r) != 1 || r[0].Step != n+1 || r[0].Reason != "the oven is broken" ||
			math.Abs(r[0].X[0][0]-first.X.At(0, 0)) > 1e-12 {
			t.Fatalf("on record %+v", r)
		}
		second, err := s.Next(ctx, nil)
		if err != nil || math.Abs(second.X.At(0, 0)-first.X.At(0, 0)) < 0.049 {
			t.Errorf("after %d steps: %g is suggested instead of %g, %v", n, second.X.At(0, 0), first.X.At(0, 0), err)
		}
		steps(t, s, 2)
		repeats(t, s, len(s.State().Iterations)+len(s.State().Rejections))
	}
}

// A rejected suggestion counts neither as pending nor as an iteration: a list of sessions does not count it, and the
// timeline stops right behind the rejection, before the next suggestion.
func TestRejectedSuggestionsDoNotCount(t *testing.T) {
	s := start(t, Config{Problem: "forrester", Optimizer: "random", Seed: 2})
	asks(t, s, 1)
	require.NoError(t, s.Reject(t.Context(), "", nil))
	it := asks(t, s, 1)[0]
	if _, err := s.Tell(it.ID, worth(1)); err != nil {
		t.Fatal(err)
	}
	require.True(t, s.Back(), "there is nothing before the first result")
	if st := s.State(); len(st.Rejections) != 1 || len(st.Pending) != 0 || len(st.Iterations) != 0 {
		t.Errorf("before the first result: %d rejected, %d pending, %d steps; want the place right behind the rejection", len(st.Rejections), len(st.Pending), len(st.Iterations))
	}
	s.Last()
	asks(t, s, 2)
	require.NoError(t, s.Reject(t.Context(), "", nil))
	text, _ := s.Lines(0)
	if _, suggested, observed, err := ReadSummary(t.Context(), bytes.NewReader(text)); err != nil || suggested != 2 ||
		observed != 1 {
		t.Errorf("a list counts %d suggestions and %d results, %v; one has a result, one is pending and two are rejected", suggested, observed, err)
	}
}

// Bounds and pins hold from there on, exactly; the data stay; a person may still query outside.
func TestBounds(t *testing.T) {
	ctx := context.Background()
	s := start(t, Config{Problem: "branin", Optimizer: "gp-ei"})
	steps(t, s, 5)
	if err := errors.Join(s.Bound(t.Context(), "x2", 7.3, 7.3, ""),
		s.Bound(t.Context(), "x1", -1.1, 2.7, "only that was allowed")); err != nil {
		t.Fatal(err)
	}
	steps(t, s, 3)
	st := s.State()
	if n := st.Input().Data.Len(); n != 8 {
		t.Errorf("%d data", n)
	}
	for _, it := range st.Iterations[5:] {
		if x := it.Points[0].X; x[1] != 7.3 || x[0] < -1.1 || x[0] > 2.7 {
			t.Errorf("step %d at %v", it.Step, x)
		}
	}
	if _, err := s.Query(ctx, []float64{9, 1}); err != nil {
		t.Error(err)
	}
	require.NoError(t, s.Bound(t.Context(), "x2", 0, 15, ""))
	steps(t, s, 1)
	if x := s.State().Iterations[9].Points[0].X; x[1] == 7.3 || x[0] > 2.7 {
		t.Errorf("with x2 free again: %v", x)
	}
	repeats(t, s, len(s.State().Iterations)-1)
}

// A correction can say another standard error, another place, another cost; what it does not say stays, and earlier
// states stay what they were.
func TestCorrectedOutcome(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s := start(t, Config{Problem: "branin", Optimizer: "gp-ei"})
	require.NoError(t, s.SaveAs(path))
	steps(t, s, 4)
	before := s.State()
	was := before.Iterations[1]
	values := []float64{1, 2}
	for _, o := range []functions.Outcome{
		{SE: []float64{0.25}}, {At: values}, {Cost: 3}, {Values: []float64{7}, SE: []float64{math.NaN()}}} {
		require.NoError(t, s.CorrectOutcome(2, 0, o, "read anew"))
		if len(s.State().Iterations[1].Corrections) == 1 {
			if se := s.State().Input().Data.SE; se == nil || se.At(1, 0) != 0.25 || !math.IsNaN(se.At(0, 0)) {
				t.Errorf("the method sees the errors %v", se)
			}
		}
	}
	st := s.State()
	it := st.Iterations[1]
	truth, _ := st.Problem.TrueValues(values)
	if it.Points[0].Y[0] != 7 || it.Points[0].SE != nil || !slices.Equal(it.Points[0].X, values) ||
		!slices.Equal(it.Points[0].Suggested, was.Points[0].X) ||
		it.Points[0].Cost != 3 || it.Points[0].Truth[0] != truth[0] {
		t.Errorf("%+v", it)
	}
	var texts []string
	for _, c := range it.Corrections {
		texts = append(texts, c.Describe())
	}
	y := numfmt.Exact(was.Points[0].Y[0])
	if want := []string{
		y + " ± ?, because read anew", y + " at " + pointText(s.State().Problem.Domain, was.Points[0].X) +
			", because read anew", y + " with cost 1, because read anew",
		y + " ± 0.25, because read anew"}; !slices.Equal(texts, want) {
		t.Errorf("%q, want %q", texts, want)
	}
	if now := before.Iterations[1]; now.Points[0].X[0] != was.Points[0].X[0] || now.Points[0].SE != nil ||
		now.Points[0].Cost != 1 || now.Points[0].Truth[0] != was.Points[0].Truth[0] {
		t.Error("the state before has changed")
	}
	for _, wrong := range []functions.Outcome{
		{}, {SE: []float64{-1}}, {SE: []float64{1, 2}}, {At: []float64{1e9, 0}}, {Cost: -2}, {Cost: math.Inf(1)},
		{Values: []float64{math.NaN()}}} {
		assert.Error(t, s.CorrectOutcome(2, 0, wrong, ""), "%+v was recorded", wrong)
	}
	assert.Error(t, s.CorrectOutcome(9, 0, functions.Outcome{Cost: 1}, ""), "there is no step 9")
	sameOnDisk(t, s, path)
}

// blockingContext is a context whose first look from a search waits until it is released.
type blockingContext struct {
	context.Context
	once           sync.Once
	begun, release chan struct{}
	looks          atomic.Int64
}

func (c *blockingContext) Err() error {
	c.looks.Add(1)
	c.once.Do(func() {
		close(c.begun)
		<-c.release
	})
	return c.Context.Err()
}

// While a feasible point is searched for within new bounds, the session answers and records; the search ends with its
// context, and what it checked is checked again where the bounds are others by then.
func TestNarrowHoldsNothingWhileItSearches(t *testing.T) {
	begin := func(t *testing.T) *Session {
		t.Helper()
		x := &experiment.Declaration{Name: "waves",
			Objectives: []functions.Objective{{Name: "y", Direction: functions.Minimize}}}
		var sum []string
		for j := range 2 {
			v := functions.Variable{Name: fmt.Sprintf("v%d", j), High: 1}
			x.Variables, sum = append(x.Variables, v), append(sum, fmt.Sprintf("sin(3*%s)*%s", v.Name, v.Name))
		}
		x.Constraints = []string{strings.Join(sum, " + ") + " >= 1"} // nanValues within [0, 0.2]²
		s, err := New(t.Context(), Config{Experiment: x, Optimizer: "random"})
		require.NoError(t, err)
		t.Cleanup(func() { s.Close() })
		return s
	}
	bounds := []Bounds{{"v0", 0, 0.2, nil}, {"v1", 0, 0.2, nil}}
	for name, c := range map[string]struct {
		meanwhile func(s *Session, end context.CancelFunc)
		low       float64 // of v0 afterwards
		want      string
	}{
		"left alone": {func(*Session, context.CancelFunc) {}, 0, "no point that fulfils"},
		"ended":      {func(_ *Session, end context.CancelFunc) { end() }, 0, context.Canceled.Error()},
		"an act meanwhile": {func(s *Session, _ context.CancelFunc) {
			s.Bound(t.Context(), "v0", 0.1, 1, "")
		}, 0.1, "no point that fulfils"},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t)
			within, end := context.WithCancel(t.Context())
			ctx := &blockingContext{Context: within, begun: make(chan struct{}), release: make(chan struct{})}
			narrowed, looked := make(chan error, 1), make(chan struct{})
			go func() { narrowed <- s.Narrow(ctx, "", bounds...) }()
			<-ctx.begun
			go func() {
				s.State()
				c.meanwhile(s, end)
				close(looked)
			}()
			select {
			case <-looked:
			case <-time.After(20 * time.Second):
				t.Error("the session does not answer during the search")
			}
			close(ctx.release)
			if err := <-narrowed; err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("narrowing ends with %v, want %s", err, c.want)
			}
			if b := s.State().Bounds; b != nil && (b[0].Low != c.low || b[0].High != 1 || b[1].High != 1) ||
				b == nil && c.low != 0 {
				t.Errorf("the bounds are %v", b)
			}
			if looks := ctx.looks.Load(); c.want != context.Canceled.Error() && looks < 1000 {
				t.Errorf("the search looked %d times whether its context has ended", looks)
			}
			end()
		})
	}

	// Both acts hold where they go together, and the one that ends last is refused where they do not.
	for _, c := range []struct{ low, high, want float64 }{{0.6, 1, 0.8}, {0.4, 0.45, 0}} {
		s := begin(t)
		ctx := &blockingContext{Context: t.Context(), begun: make(chan struct{}), release: make(chan struct{})}
		narrowed := make(chan error, 1)
		go func() { narrowed <- s.Narrow(ctx, "", Bounds{"v1", 0.8, 1, nil}) }()
		<-ctx.begun
		require.NoError(t, s.Bound(t.Context(), "v0", c.low, c.high, ""))
		close(ctx.release)
		if err := <-narrowed; (err == nil) != (c.want > 0) || s.State().Bounds[0].Low != c.low ||
			s.State().Bounds[1].Low != c.want {
			t.Errorf("v0 within [%g, %g] in the meantime: the bounds are %v (%v)", c.low, c.high, s.State().Bounds, err)
		}
	}
}
