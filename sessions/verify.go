package sessions

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
)

// Tolerance is how far, in the unit cube, a recomputed suggestion may lie from the recorded one: floating point differs in the
// last bits between processors, and a search amplifies that.
const Tolerance = 1e-6

// Divergence is a suggestion that comes out otherwise than it was recorded.
type Divergence struct {
	Step     int
	Recorded [][]float64 // problem's units
	Computed [][]float64
	Size     float64 // the greatest difference of a coordinate, in the unit cube
}

// String tells the divergence in a sentence.
func (d Divergence) String() string {
	return fmt.Sprintf("step %d: recorded %v, recomputed %v: they differ by %.3g of the domain (tolerance %g)",
		d.Step, d.Recorded, d.Computed, d.Size, Tolerance)
}

// Verification is the outcome of Verify.
type Verification struct {
	Checked  int         // suggestions of the optimizer that were recomputed
	Skipped  int         // points that a person chose
	Largest  float64     // the greatest difference within the tolerance
	Diverged *Divergence // the first beyond it, nil if none
}

// Verify recomputes every suggestion of the optimizer on the current branch from the state before it, and compares. It stops at
// the first that lies beyond the tolerance.
func (s *Session) Verify(ctx context.Context, progress Progress) (Verification, error) {
	s.mu.Lock()
	set, events := s.setup, chain(s.tip)
	s.mu.Unlock()
	total := 0
	for _, e := range events {
		if e.kind == kindSuggested {
			total++
		}
	}
	var v Verification
	st := State{Config: set.config, Problem: set.problem, Spec: set.spec, Params: set.params}
	for _, e := range events {
		before := st
		if err := st.apply(e); err != nil {
			return v, err
		}
		if e.kind != kindSuggested {
			continue
		}
		if st.Pending.By == "person" {
			v.Skipped++
			continue
		}
		if progress != nil {
			progress("verifying step", v.Checked+v.Skipped+1, total)
		}
		x, err := recompute(ctx, before)
		if err != nil {
			return v, fmt.Errorf("step %d: %w", st.Pending.Step, err)
		}
		v.Checked++
		size := distance(set, x, st.Pending.X)
		if !(size <= Tolerance) {
			v.Diverged = &Divergence{Step: st.Pending.Step, Recorded: st.Pending.X, Computed: x, Size: size}
			return v, nil
		}
		v.Largest = max(v.Largest, size)
	}
	return v, nil
}

// recompute is what the optimizer suggests in a state, in the problem's units.
func recompute(ctx context.Context, st State) ([][]float64, error) {
	in := st.Input()
	if u, ok := optimizers.InitialPoint(in); ok {
		return [][]float64{st.Problem.Domain.FromUnit(u)}, nil
	}
	b, err := st.Spec.Fit(ctx, in)
	if err != nil {
		return nil, err
	}
	sug, err := b.Suggest(ctx)
	if err != nil {
		return nil, err
	}
	n, _ := sug.X.Dims()
	x := make([][]float64, n)
	for i := range x {
		x[i] = st.Problem.Domain.FromUnit(mat.Row(nil, i, sug.X))
	}
	return x, nil
}

// distance is the greatest difference of a coordinate in the unit cube; infinite if the batches differ in size.
func distance(s setup, a, b [][]float64) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	far := 0.0
	for i := range a {
		u, v := s.problem.Domain.ToUnit(a[i]), s.problem.Domain.ToUnit(b[i])
		for j := range u {
			far = max(far, math.Abs(u[j]-v[j]))
		}
	}
	return far
}
