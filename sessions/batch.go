package sessions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/batch"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/fitcache"
	"bandscope/sessions/recorder"
)

// Batch is what several points were asked for together by, and the place of one of them.
type Batch struct {
	Points int      // how many
	Place  int      // from 1; 0 in a request
	Shared []string // the variables whose value all share
	// the distance from each other and from all pending points, in some variable, as a fraction of its range; points
	// that differ in a level are far enough; 0: as the method needs
	MinDistance float64
}

// MaxBatch bounds how many points can be asked for at once.
const MaxBatch = 1000

// SameRequest reports whether two batches were requested in the same way, whatever their places.
func (b Batch) SameRequest(other Batch) bool {
	return b.Points == other.Points && slices.Equal(b.Shared, other.Shared) && b.MinDistance == other.MinDistance
}

// batchData is a batch in a file.
type batchData struct {
	Points int            `json:"points"`
	Place  int            `json:"place"`
	Same   []string       `json:"shared,omitempty"`
	Apart  eventlog.Float `json:"min_distance,omitempty"`
}

func (b *Batch) data() *batchData {
	if b == nil {
		return nil
	}
	return &batchData{b.Points, b.Place, b.Shared, eventlog.Float(b.MinDistance)}
}

// batch reads the batch of a suggestion. The earlier points of the batch must be the latest suggestions, without
// results.
func (st *State) batch(d suggestedData) (*Batch, error) {
	if d.Batch == nil {
		return nil, nil
	}
	b := Batch{d.Batch.Points, d.Batch.Place, d.Batch.Same, float64(d.Batch.Apart)}
	if _, err := st.sharedVariables(b); err != nil {
		return nil, err
	}
	before := Batch{}
	if n := len(st.Pending); n > 0 && st.Pending[n-1].Batch != nil {
		before = *st.Pending[n-1].Batch
	}
	if b.Place < 1 || b.Place > b.Points || len(d.X) != 1 || b.Place > 1 &&
		(before.Place != b.Place-1 || !before.SameRequest(b)) {
		return nil, fmt.Errorf("point %d of a batch of %d does not follow the other points", b.Place, b.Points)
	}
	return &b, nil
}

// sharedVariables are the indices of the variables that a batch shares; the error reports an invalid request.
func (st State) sharedVariables(b Batch) (list []int, err error) {
	for _, name := range b.Shared {
		j, err := st.variable(name)
		if err != nil {
			return nil, err
		}
		if slices.Contains(list, j) {
			return nil, fmt.Errorf("%s occurs twice in the list of shared variables", name)
		}
		list = append(list, j)
	}
	switch {
	case b.Points < 1:
		return nil, fmt.Errorf("a batch needs 1 point or more, got %d", b.Points)
	case !(b.MinDistance >= 0 && b.MinDistance < 1):
		return nil, fmt.Errorf("the minimum distance must be at least 0 and less than 1, as a fraction of a variable's range, got %g", b.MinDistance)
	case len(list) == st.Problem.Dim() && b.Points > 1:
		return nil, errors.New("all variables are shared; at least one must differ between the points")
	}
	return list, nil
}

// CheckBatch returns the error of an invalid request.
func (st State) CheckBatch(b Batch) error {
	_, err := st.sharedVariables(b)
	return err
}

// AskBatch records a batch of suggestions of the method, in addition to the pending points; see Batch. The points are
// chosen one after another; the shared value is the one with the best joint acquisition of all of them (batch.Choose).
// All are recorded, or none. If so many points do not fit, the error says how many do.
func (s *Session) AskBatch(ctx context.Context, b Batch, progress Progress) (list []Iteration, err error) {
	if s.setup.readErr != nil {
		return nil, s.setup.readErr
	}
	err = s.follow(ctx, func() (string, error) {
		st := s.State()
		chosen, err := st.chooseBatch(ctx, b, progress)
		if err == nil {
			list, err = s.recordBatch(st, chosen)
		}
		return st.Head, err
	})
	return list, err
}

// recordBatch records suggestions that were chosen in a state.
func (s *Session) recordBatch(st State, list []Iteration) ([]Iteration, error) {
	e, err := s.rec.Act(func() (entries []recorder.Entry, err error) {
		if s.rec.At.ID != st.Head {
			return nil, recorder.ErrMoved
		}
		for _, it := range list {
			entries = append(entries, s.suggestionEntry(it))
		}
		return entries, nil
	})
	if err != nil {
		return nil, err
	}
	out := s.stateAt(e).Pending
	return slices.Clone(out[len(out)-len(list):]), nil
}

// chooseBatch finds the points of a batch in a state.
func (st State) chooseBatch(ctx context.Context, b Batch, progress Progress) ([]Iteration, error) {
	shared, err := st.sharedVariables(b)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	in := st.inputWithPending()
	in.Progress = progress
	chosen, err := batch.Choose(ctx, in, batch.Request{Points: b.Points, Shared: shared, MinDistance: b.MinDistance},
		st.sequentialMethod())
	if err != nil {
		return nil, err
	}
	each := time.Since(began) / time.Duration(b.Points)
	list := make([]Iteration, 0, b.Points)
	for i, sug := range chosen.Suggestions {
		it := st.newIteration(sug, each)
		it.Batch = &Batch{b.Points, i + 1, b.Shared, b.MinDistance}
		list = append(list, it)
		for _, j := range shared { // to the last digit
			it.Points[0].X[j] = list[0].Points[0].X[j]
		}
	}
	if len(shared) > 0 {
		first := &list[0]
		first.Note = strings.TrimPrefix(first.Note+"; "+st.sharedText(shared, first.Points[0].X, b.Points,
			chosen.Compared), "; ")
	}
	return list, nil
}

// sharedText says why points share their values.
func (st State) sharedText(shared []int, x []float64, points, tried int) string {
	var parts []string
	for _, j := range shared {
		v := st.Problem.Domain[j]
		value := v.Text(x[j])
		parts = append(parts, strings.TrimSpace(v.Name+" = "+value+" "+v.Unit))
	}
	text := strings.Join(parts, ", ")
	switch tried {
	case 0:
		return fmt.Sprintf("%s for all %d points, as for the first one (no acquisition function)", text, points)
	case 1:
		return fmt.Sprintf("%s for all %d points (the only possible value)", text, points)
	}
	return fmt.Sprintf("%s for all %d points (the best joint acquisition of %d values)", text, points, tried)
}

// sequentialMethod asks the method for one point at a time. Its beliefs are kept for one another, beside those of the
// session, which stay.
func (st State) sequentialMethod() batch.Method {
	var cache fitcache.Cache
	asked := 0
	return batch.Method{
		Next: func(ctx context.Context, in optimizers.Input) (optimizers.Suggestion, bool, error) {
			asked++
			key := fmt.Sprint(asked)
			in.Progress = nil
			sug, _, err := cache.Suggest(ctx, key, st.Spec, in, nil)
			if err != nil {
				return sug, false, err
			}
			sug = firstPoint(sug)
			if sug.Acquisition == nil {
				return sug, false, nil
			}
			b, err := cache.Believe(ctx, key, st.Spec, in, nil)
			if err != nil {
				return sug, false, err
			}
			return sug, b.Legend().LowerIsBetter, nil
		},
		Normalize: func(u []float64) []float64 {
			for range 4 { // there and back until the last digit stays
				next := st.Problem.Domain.ToUnit(st.newIteration(
					optimizers.Suggestion{X: mat.NewDense(1, len(u), slices.Clone(u))}, 0).Points[0].X)
				if slices.Equal(next, u) {
					break
				}
				u = next
			}
			return u
		},
	}
}

// firstPoint is the first point of a suggestion, for methods that suggest several points at once.
func firstPoint(s optimizers.Suggestion) optimizers.Suggestion {
	first := func(list []float64) []float64 { return list[:min(len(list), 1)] }
	_, d := s.X.Dims()
	s.Inputs, s.State = nil, nil // the next point of a batch gets it as it comes back from the unit cube
	s.X = s.X.Slice(0, 1, 0, d).(*mat.Dense)
	s.Mean, s.SD = first(s.Mean), first(s.SD)
	if s.Acquisition != nil {
		s.Acquisition = first(s.Acquisition)
	}
	return s
}

// recomputeBatchPoint suggests a point of a batch again in the state before it: the shared values are chosen with the
// first point, and known for the others.
func (st State) recomputeBatchPoint(ctx context.Context, b Batch) (Iteration, error) {
	if b.Place == 1 {
		list, err := st.chooseBatch(ctx, b, nil)
		if err != nil {
			return Iteration{}, err
		}
		return list[0], nil
	}
	shared, err := st.sharedVariables(b)
	if err != nil {
		return Iteration{}, err
	}
	before := st.Pending[len(st.Pending)-1].Points[0].X
	u, values := st.Problem.Domain.ToUnit(before), make([]float64, len(shared))
	for k, j := range shared {
		values[k] = u[j]
	}
	wish := batch.Request{Points: b.Points, Shared: shared, MinDistance: b.MinDistance}
	sug, _, err := st.sequentialMethod().Next(ctx, wish.WithShared(st.inputWithPending(), values))
	if err != nil {
		return Iteration{}, err
	}
	it := st.newIteration(sug, 0)
	for _, j := range shared {
		it.Points[0].X[j] = before[j]
	}
	return it, nil
}
