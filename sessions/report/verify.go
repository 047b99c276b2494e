package report

import (
	"context"
	"fmt"
	"math"

	"bandscope/functions"
	"bandscope/functions/digits"
	"bandscope/functions/setting"
	"bandscope/sessions"
)

// Tolerance is how far, in the unit cube, a recomputed suggestion may lie from the recorded one: floating point differs in the
// last bits between processors, and a search amplifies that.
const Tolerance = 1e-6

// Divergence is a suggestion that comes out otherwise than it was recorded.
type Divergence struct {
	Step     int
	Recorded [][]setting.Value // problem's units
	Computed [][]setting.Value
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

// Verify recomputes every suggestion of the optimizer on the current branch of a session from the state before it, and compares. It stops at
// the first that lies beyond the tolerance.
func Verify(ctx context.Context, s *sessions.Session, progress sessions.Progress) (Verification, error) {
	made, err := s.Suggestions()
	if err != nil {
		return Verification{}, err
	}
	var v Verification
	for i, m := range made {
		if m.Iteration.By == sessions.ByPerson || m.Iteration.By == sessions.ByImport {
			v.Skipped++
			continue
		}
		if progress != nil {
			progress("verifying step", i+1, len(made))
		}
		computed, err := m.Again(ctx)
		if err != nil {
			return v, fmt.Errorf("step %d: %w", m.Iteration.Step, err)
		}
		v.Checked++
		if computed.Instead() {
			v.Failed++
		}
		size := distance(m.Before.Problem, computed.X, m.Iteration.X)
		if !(size <= Tolerance) {
			domain := m.Before.Problem.Domain
			v.Diverged = &Divergence{Step: m.Iteration.Step, Recorded: setting.Rows(domain, m.Iteration.X), Computed: setting.Rows(domain, computed.X), Size: size, Note: computed.Note}
			return v, nil
		}
		v.Largest = max(v.Largest, size)
	}
	return v, nil
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
