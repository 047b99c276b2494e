package sessions

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
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
	Skipped  int         // points that a person chose, or that were imported
	Largest  float64     // the greatest difference within the tolerance
	Diverged *Divergence // the first beyond it, nil if none
}

// String tells the outcome in a sentence.
func (v Verification) String() string {
	if v.Diverged != nil {
		return "the session does not repeat itself: " + v.Diverged.String()
	}
	return fmt.Sprintf("verified: %d suggestions recomputed, the largest difference %.3g of the domain (tolerance %g); %d points chosen by hand",
		v.Checked, v.Largest, Tolerance, v.Skipped)
}

// Verify recomputes every suggestion of the optimizer on the current branch from the state before it, and compares. It stops at
// the first that lies beyond the tolerance.
func (s *Session) Verify(ctx context.Context, progress Progress) (Verification, error) {
	made, err := s.suggestions()
	if err != nil {
		return Verification{}, err
	}
	var v Verification
	for i, m := range made {
		if m.recorded.By == ByPerson || m.recorded.By == ByImport {
			v.Skipped++
			continue
		}
		if progress != nil {
			progress("verifying step", i+1, len(made))
		}
		x, err := recompute(ctx, m.before)
		if err != nil {
			return v, fmt.Errorf("step %d: %w", m.recorded.Step, err)
		}
		v.Checked++
		size := distance(m.before.Problem, x, m.recorded.X)
		if !(size <= Tolerance) {
			v.Diverged = &Divergence{Step: m.recorded.Step, Recorded: m.recorded.X, Computed: x, Size: size}
			return v, nil
		}
		v.Largest = max(v.Largest, size)
	}
	return v, nil
}

// made is a suggestion on record, with the state that it was made in.
type made struct {
	before   State
	recorded Iteration
}

// suggestions lists what was suggested on the current branch.
func (s *Session) suggestions() ([]made, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []made
	for _, e := range chain(s.tip) {
		if e.kind != kindSuggested || e.parent == nil {
			continue
		}
		st, err := s.stateAt(e)
		if err != nil {
			return nil, err
		}
		list = append(list, made{*e.parent.state, *st.Pending})
	}
	return list, nil
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
func distance(p *functions.Problem, a, b [][]float64) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	far := 0.0
	for i := range a {
		u, v := p.Domain.ToUnit(a[i]), p.Domain.ToUnit(b[i])
		for j := range u {
			far = max(far, math.Abs(u[j]-v[j]))
		}
	}
	return far
}
