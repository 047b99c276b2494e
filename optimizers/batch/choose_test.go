package batch

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/baselines"
	"bandscope/optimizers/space"
	"bandscope/optimizers/testbed"
)

// scripted is a method whose acquisition is a function of the point, which is the middle of the bounds but for the last
// input: that tells the points of a batch apart.
func scripted(acquisition func(u []float64) float64) Method {
	return Method{Normalize: slices.Clone[[]float64],
		Next: func(_ context.Context, in optimizers.Input) (optimizers.Suggestion, bool, error) {
			u := make([]float64, in.Dim)
			for j := range u {
				if u[j] = 0.5; in.Low != nil {
					u[j] = (in.Low[j] + in.High[j]) / 2
				}
			}
			u[in.Dim-1] = float64(in.Step%10) / 10
			return optimizers.Suggestion{X: mat.NewDense(1, in.Dim, u), Acquisition: []float64{acquisition(u)}}, false,
				nil
		}}
}

// A number that is shared stays within narrowed bounds and is found to a tenth of their width wherever the best is, as
// two numbers are to three tenths. Progress counts what is tried, of all that will be.
func TestSharedNumbersWithinBounds(t *testing.T) {
	low, high := []float64{0.6, 0.1, 0.1, 0}, []float64{0.9, 0.4, 0.3, 1}
	for _, same := range [][]int{{0}, {1}, {0, 1}} {
		for best := range 9 {
			values := make([]float64, 2)
			for j := range values {
				values[j] = low[j] + (high[j]-low[j])*float64((best+3*j)%9)/8
			}
			m := scripted(func(u []float64) float64 {
				sum := 0.0
				for _, j := range same {
					if u[j] < low[j] || u[j] > high[j] {
						t.Errorf("%v is tried, which is out of bounds", u)
					}
					sum -= (u[j] - values[j]) * (u[j] - values[j])
				}
				return sum
			})
			done, total := -1, 0
			in := optimizers.Input{Dim: 4, Seed: uint64(best), Low: low, High: high,
				Progress: func(subject string, d, n int) {
					if subject == "values to share" {
						if d != done+1 && d != done || total > 0 && n != total || d >= n {
							t.Errorf("progress goes from %d of %d to %d of %d", done, total, d, n)
						}
						done, total = d, n
					}
				}}
			b, err := Choose(t.Context(), in, Request{Points: 3, Shared: same}, m)
			require.NoError(t, err)
			if want := 1 + inSequence + rounds*2*len(same); total != want || b.Compared > want || b.Compared < want/2 {
				t.Errorf("%d values are tried of %d, want %d", b.Compared, total, want)
			}
			distance := 0.0
			for k, j := range same {
				distance = max(distance, math.Abs(b.Shared[k]-values[j])/(high[j]-low[j]))
			}
			if limit := 0.1; len(same) == 1 && distance > limit || distance > 3*limit {
				t.Errorf("inputs %v share %v, the best is %v: off by %.3f of the bounds", same, b.Shared, values, distance)
			}
			for i, s := range b.Suggestions {
				for k, j := range same {
					if s.X.At(0, j) != b.Shared[k] {
						t.Errorf("point %d is at %v, shared is %v", i, s.X.RawRowView(0), b.Shared)
					}
				}
				for j := range in.Dim - 1 {
					if u := s.X.At(0, j); u < low[j] || u > high[j] {
						t.Errorf("point %d is at %v, out of bounds", i, s.X.RawRowView(0))
					}
				}
			}
		}
	}
}

// Levels that are shared are all tried while they are no more than 32 within their bounds, with every number of the
// other inputs pinned.
func TestSharedLevelsWithinBounds(t *testing.T) {
	for name, c := range map[string]struct {
		levels []int // of the inputs that are shared
		low    []float64
		high   []float64
		tried  int // 0: by a sequence and steps
		want   []float64
	}{
		"all":           {[]int{4, 8}, nil, nil, 32, []float64{1, 1}},
		"too many":      {[]int{3, 11}, nil, nil, 0, []float64{1, 1}},
		"within bounds": {[]int{5, 11}, []float64{0.25, 0.3, 0}, []float64{0.75, 0.8, 1}, 18, []float64{0.75, 0.8}},
		"one is pinned": {[]int{5, 11}, []float64{0.5, 0, 0}, []float64{0.5, 1, 1}, 11, []float64{0.5, 1}},
		"both pinned":   {[]int{5, 11}, []float64{0.5, 0.2, 0}, []float64{0.5, 0.2, 1}, 1, []float64{0.5, 0.2}},
	} {
		in := optimizers.Input{Dim: 3, Domain: &space.Domain{
			Inputs: []space.Input{levels(c.levels[0]), levels(c.levels[1]), {}}}, Low: c.low, High: c.high}
		m := scripted(func(u []float64) float64 { return u[0] + u[1] })
		m.Normalize = func(u []float64) []float64 { return in.Domain.Snap(slices.Clone(u)) }
		first := m.Next
		m.Next = func(ctx context.Context, in optimizers.Input) (optimizers.Suggestion, bool, error) {
			s, lower, err := first(ctx, in)
			u := in.Domain.Snap(slices.Clone(s.X.RawRowView(0)))
			s.X, s.Acquisition[0] = mat.NewDense(1, 3, u), u[0]+u[1]
			return s, lower, err
		}
		b, err := Choose(t.Context(), in, Request{Points: 2, Shared: []int{0, 1}}, m)
		require.NoError(t, err, name)
		if c.tried > 0 && b.Compared != c.tried || c.tried == 0 &&
			(b.Compared < 5 || b.Compared > 1+inSequence+rounds*4) {
			t.Errorf("%s: %d values are tried, want %d", name, b.Compared, c.tried)
		}
		if c.tried > 0 && !slices.Equal(b.Shared, c.want) {
			t.Errorf("%s: %v is shared, want %v", name, b.Shared, c.want)
		}
	}
}

// Points are as far apart as is asked for, from each other and from what is pending, in some number, or else differ in
// a level; where a method finds no such point the error says how many it found.
func TestRoomForPointsApart(t *testing.T) {
	d := &space.Domain{Inputs: []space.Input{{}, levels(2)}}
	valueAt := func(apart float64, points ...[]float64) Method { // suggests them in turn
		return Method{Normalize: slices.Clone[[]float64],
			Next: func(_ context.Context, in optimizers.Input) (optimizers.Suggestion, bool, error) {
				if in.MinDistance != apart && !(apart == 0 && in.MinDistance > 0 && in.MinDistance < 1e-6) {
					t.Errorf("the method is to keep %g apart, want %g", in.MinDistance, apart)
				}
				n := 0
				if in.Pending != nil {
					n, _ = in.Pending.Dims()
				}
				return optimizers.Suggestion{X: mat.NewDense(1, 2, points[n-1])}, false, nil
			}}
	}
	pending := mat.NewDense(1, 2, []float64{0.5, 0})
	for name, c := range map[string]struct {
		apart  float64
		points [][]float64
		want   string // of the error
	}{
		"far enough":       {0.2, [][]float64{{0.3, 0}, {0.1, 0}}, ""},
		"by another level": {0.2, [][]float64{{0.5, 1}, {0.7, 0}}, ""},
		"near what pends": {0.2, [][]float64{{0.31, 0}, {0.1, 0}},
			"cannot find 2 points that are 0.2 apart: found only 0; ask for fewer or reduce the distance"},
		"near the first": {0.2, [][]float64{{0.3, 0}, {0.4, 0}}, "found only 1"},
		"the same": {0, [][]float64{{0.3, 0}, {0.3, 0}},
			"cannot find 2 points that differ: found only 1; ask for fewer"},
		"a little apart":    {0, [][]float64{{0.3, 0}, {0.3001, 0}}, ""},
		"levels are enough": {0.9, [][]float64{{0.5, 1}, {0.5, 1}}, "found only 1"},
	} {
		in := optimizers.Input{Dim: 2, Domain: d, Pending: pending}
		b, err := Choose(t.Context(), in, Request{Points: 2, MinDistance: c.apart}, valueAt(c.apart, c.points...))
		if c.want == "" && (err != nil || len(b.Suggestions) != 2) {
			t.Errorf("%s: %d points, %v", name, len(b.Suggestions), err)
		}
		if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) ||
			strings.HasSuffix(c.want, "fewer") && !strings.HasSuffix(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// Where no value that is shared has room the error says for how many points the best one has; where a method fails with
// every value, it is the method's error.
func TestNoValueHasRoom(t *testing.T) {
	triangle := &space.Domain{Inputs: []space.Input{levels(4), levels(4)},
		Nonlinear: []space.Constraint{{Text: "x + y <= 1", Func: func(u []float64) float64 { return u[0] + u[1] - 1 }}}}
	in := testbed.InputFor(t, baselines.Random, 2, optimizers.Data{}, "initial=1")
	in.Domain = triangle
	random := method(baselines.Random)
	for name, acquisition := range map[string][]float64{"by acquisition": {1}, "without one": nil} {
		m := random
		m.Next = func(ctx context.Context, in optimizers.Input) (optimizers.Suggestion, bool, error) {
			s, lower, err := random.Next(ctx, in)
			s.Acquisition = acquisition
			return s, lower, err
		}
		want := "cannot find 5 points that differ, with the same values of the shared variables: found only 4; ask for fewer"
		if _, err := Choose(t.Context(), in, Request{Points: 5, Shared: []int{0}}, m); err == nil ||
			err.Error() != want {
			t.Errorf("%s: %v", name, err)
		}
		failed := errors.New("the method has failed")
		m.Next = func(ctx context.Context, in optimizers.Input) (optimizers.Suggestion, bool, error) {
			if in.Low != nil {
				return optimizers.Suggestion{}, false, failed
			}
			s, lower, err := random.Next(ctx, in)
			s.Acquisition = acquisition
			return s, lower, err
		}
		if _, err := Choose(t.Context(), in, Request{Points: 2, Shared: []int{0}}, m); !errors.Is(err, failed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Around the best value that was tried the search steps both ways by a fourteenth of the bounds, and around the best
// then by half of that.
func TestStepsAroundTheBest(t *testing.T) {
	const low, high = 0.2, 0.6
	for _, best := range []float64{0.2, 0.31, 0.4, 0.57} {
		var tried []float64
		m := scripted(func(u []float64) float64 {
			if len(tried) == 0 || tried[len(tried)-1] != u[0] {
				tried = append(tried, u[0])
			}
			return -math.Abs(u[0] - best)
		})
		in := optimizers.Input{Dim: 2, Seed: 1, Low: []float64{low, 0}, High: []float64{high, 1}}
		if _, err := Choose(t.Context(), in, Request{Points: 1, Shared: []int{0}}, m); err != nil {
			t.Fatal(err)
		}
		nearest := func() float64 {
			return slices.MinFunc(tried, func(a, b float64) int {
				return cmp.Compare(math.Abs(a-best), math.Abs(b-best))
			})
		}
		all := tried
		tried = all[:1+inSequence]
		for _, step := range []float64{(high - low) / 14, (high - low) / 28} {
			from := nearest()
			for _, amounts := range []float64{-step, step} {
				want := min(max(from+amounts, low), high)
				if slices.ContainsFunc(tried, func(v float64) bool { return math.Abs(v-want) < 1e-12 }) {
					continue // it is not tried again
				}
				if tried = all[:len(tried)+1]; math.Abs(tried[len(tried)-1]-want) > 1e-12 {
					t.Errorf("best at %g: %g is tried behind %v, want %g", best, tried[len(tried)-1],
						tried[:len(tried)-1], want)
				}
			}
		}
	}
}

// A choice that is shared with a number is not stepped along.
func TestChoicesAreNotSteppedAlong(t *testing.T) {
	total := 0
	in := optimizers.Input{Dim: 3, Domain: &space.Domain{
		Inputs: []space.Input{{}, {Levels: []float64{0, 0.5, 1}, Choice: true}, {}}}, Progress: func(
		_ string, _, n int) {
		total = n
	}}
	m := scripted(func(u []float64) float64 { return u[0] })
	m.Normalize = func(u []float64) []float64 { return in.Domain.Snap(slices.Clone(u)) }
	b, err := Choose(t.Context(), in, Request{Points: 2, Shared: []int{0, 1}}, m)
	if want := 1 + inSequence + rounds*2; err != nil || total != want || b.Compared > want {
		t.Errorf("%d of %d values are tried, want %d, %v", b.Compared, total, want, err)
	}
}

// A value is judged by the first points of its batch, and the others are chosen beside them: every point is chosen
// beside all before it.
func TestLongBatches(t *testing.T) {
	const points = judged + 4
	m := scripted(func(u []float64) float64 { return u[0] })
	next := m.Next
	m.Next = func(ctx context.Context, in optimizers.Input) (optimizers.Suggestion, bool, error) {
		n := 0
		if in.Pending != nil {
			n, _ = in.Pending.Dims()
		}
		assert.Equal(t, in.Step, n, "point %d is chosen beside %d others", in.Step+1, n)
		s, lower, err := next(ctx, in)
		s.X.Set(0, 1, float64(in.Step)/points)
		return s, lower, err
	}
	in := optimizers.Input{Dim: 2, Domain: &space.Domain{Inputs: []space.Input{levels(3), {}}}}
	b, err := Choose(t.Context(), in, Request{Points: points, Shared: []int{0}}, m)
	if err != nil || len(b.Suggestions) != points || b.Shared[0] != 1 || b.Compared != 3 {
		t.Fatalf("%d points at %v, %d values, %v", len(b.Suggestions), b.Shared, b.Compared, err)
	}
	for i, s := range b.Suggestions {
		if s.X.At(0, 0) != 1 || s.X.At(0, 1) != float64(i)/points {
			t.Errorf("point %d is at %v", i+1, s.X.RawRowView(0))
		}
	}
}

// The search stops with its context wherever it is, and gives no batch then.
func TestChoosingStopsAnywhere(t *testing.T) {
	count := func(stop int) (calls int, err error) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		m := scripted(func(u []float64) float64 { return -u[0] })
		next := m.Next
		m.Next = func(ctx context.Context, in optimizers.Input) (optimizers.Suggestion, bool, error) {
			if calls++; calls == stop {
				cancel()
				return optimizers.Suggestion{}, false, ctx.Err()
			}
			return next(ctx, in)
		}
		b, err := Choose(ctx, optimizers.Input{Dim: 2}, Request{Points: judged + 1, Shared: []int{0}}, m)
		if err != nil && b.Suggestions != nil {
			t.Errorf("%d points come with %v", len(b.Suggestions), err)
		}
		return calls, err
	}
	all, err := count(0)
	if err != nil || all < 50 {
		t.Fatalf("%d points, %v", all, err)
	}
	for stop := 1; stop <= all; stop++ {
		if calls, err := count(stop); calls != stop || !errors.Is(err, context.Canceled) {
			t.Errorf("stopped at point %d of %d: %d points, %v", stop, all, calls, err)
		}
	}
}

// A value whose acquisition is no number is worse than any other.
func TestAcquisitionThatIsNoNumber(t *testing.T) {
	m := along(func(u float64) float64 {
		if u < 0.5 {
			return math.NaN()
		}
		return -u
	}, false)
	b, err := Choose(t.Context(), optimizers.Input{Dim: 2, Seed: 3}, Request{Points: 2, Shared: []int{0}}, m)
	if err != nil || b.Shared[0] < 0.5 || b.Shared[0] > 0.7 {
		t.Errorf("%v, %v", b.Shared, err)
	}
}

// The search stops with its context, also where the method then has another error.
func TestChoosingStops(t *testing.T) {
	for name, acquisition := range map[string][]float64{"by acquisition": {1}, "without one": nil} {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		m := Method{Normalize: slices.Clone[[]float64],
			Next: func(context.Context, optimizers.Input) (optimizers.Suggestion, bool, error) {
				if calls++; calls == 2 {
					cancel()
					return optimizers.Suggestion{}, false, errors.New("another error")
				}
				return optimizers.Suggestion{X: mat.NewDense(1, 2, []float64{0.5, 0.5}), Acquisition: acquisition},
					false,
					nil
			}}
		if _, err := Choose(ctx, optimizers.Input{Dim: 2}, Request{Points: 2, Shared: []int{0}}, m); !errors.Is(err,
			context.Canceled) || calls != 2 {
			t.Errorf("%s: %v after %d points", name, err, calls)
		}
	}
}
