package sessions

import (
	"context"
	"fmt"
	"math"
	"strings"

	"bandscope/functions"
	"bandscope/functions/digits"
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
	Note     string  // of the method, when it was recomputed
}

// String tells the divergence in a sentence.
func (d Divergence) String() string {
	s := fmt.Sprintf("step %d: recorded %v, recomputed %v: they differ by %s of the domain (tolerance %s)",
		d.Step, d.Recorded, d.Computed, digits.Of(d.Size), digits.Given(Tolerance))
	if d.Note != "" {
		s += "; when it was recomputed: " + d.Note
	}
	return s
}

// Verification is the outcome of Verify.
type Verification struct {
	Checked  int         // suggestions of the optimizer that were recomputed
	Failed   int         // of them, random points in place of suggestions that failed
	Skipped  int         // points that a person chose, or that were imported
	Largest  float64     // the greatest difference within the tolerance
	Diverged *Divergence // the first beyond it, nil if none
}

// String tells the outcome in a sentence.
func (v Verification) String() string {
	if v.Diverged != nil {
		return "the session does not repeat itself: " + v.Diverged.String()
	}
	failed := ""
	if v.Failed > 0 {
		failed = fmt.Sprintf(" (%d of them random points, as the method failed)", v.Failed)
	}
	return fmt.Sprintf("verified: %d suggestions recomputed%s, the largest difference %s of the domain (tolerance %s); %d points chosen by hand",
		v.Checked, failed, digits.Of(v.Largest), digits.Given(Tolerance), v.Skipped)
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
		computed, err := m.again(ctx)
		if err != nil {
			return v, fmt.Errorf("step %d: %w", m.recorded.Step, err)
		}
		v.Checked++
		if strings.HasPrefix(computed.Note, insteadNote) {
			v.Failed++
		}
		size := distance(m.before.Problem, computed.X, m.recorded.X)
		if !(size <= Tolerance) {
			v.Diverged = &Divergence{Step: m.recorded.Step, Recorded: m.recorded.X, Computed: computed.X, Size: size, Note: computed.Note}
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
	for _, e := range s.tip.Way() {
		if e.Kind != kindSuggested || e.Parent == nil {
			continue
		}
		st, err := s.folds.at(e)
		if err != nil {
			return nil, err
		}
		list = append(list, made{*s.folds[e.Parent], st.Out[len(st.Out)-1]})
	}
	return list, nil
}

// again suggests anew what is on record, by the way that Step takes.
func (m made) again(ctx context.Context) (Iteration, error) {
	sug, spent, err := (&fit{turn: newTurn()}).suggest(ctx, m.before, nil)
	if err != nil {
		return Iteration{}, err
	}
	return m.before.pointsOf(sug, spent), nil
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
