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
// last bits between processors and builds, and a search amplifies that.
const Tolerance = 1e-6

// Where data lie close together, as they do when a search has converged, their covariances are nearly singular, and the last bits are amplified by more than that.
// How much is measured: the suggestion is made again after data that are nudged by their last bits. What is on record may then lie so many times farther from one
// of these suggestions than they lie apart, which has only some nudges to be seen in; but never farther than shaken.
const (
	nudges = 16
	times  = 10
	shaken = 0.01
)

// Divergence is a suggestion that comes out otherwise than it was recorded.
type Divergence struct {
	Step     int
	Recorded [][]setting.Value // problem's units
	Computed [][]setting.Value
	Size     float64 // the greatest difference of a coordinate, in the unit cube
	Moved    float64 // how far the last bits of the data move it
	Note     string  // of the method, when it was recomputed
}

// String tells the divergence in a sentence.
func (d Divergence) String() string {
	s := fmt.Sprintf("step %d: recorded %v, recomputed %v: they differ by %s of the domain (tolerance %s; the last bits of the data move it by %s)",
		d.Step, d.Recorded, d.Computed, digits.Of(d.Size), digits.Given(Tolerance), digits.Of(d.Moved))
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
	Shaken   int         // of them, suggestions beyond the tolerance that the last bits of the data move as far
	Farthest float64     // the greatest difference of these
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
	far := ""
	if v.Shaken > 0 {
		far = fmt.Sprintf("; but %d by up to %s, as the last bits of the data move them as far", v.Shaken, digits.Of(v.Farthest))
	}
	return fmt.Sprintf("verified: %d suggestions recomputed%s, the largest difference %s of the domain (tolerance %s)%s; %d points chosen by hand",
		v.Checked, failed, digits.Of(v.Largest), digits.Given(Tolerance), far, v.Skipped)
}

// Verify recomputes every suggestion of the optimizer on the current branch of a session from the state before it, and compares. It stops at
// the first that lies beyond the tolerance, and farther than the last bits of the data move it.
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
		if size <= Tolerance {
			v.Largest = max(v.Largest, size)
			continue
		}
		moved, explained, err := shakes(ctx, m, computed)
		if err != nil {
			return v, fmt.Errorf("step %d: %w", m.Iteration.Step, err)
		}
		if !explained {
			domain := m.Before.Problem.Domain
			v.Diverged = &Divergence{Step: m.Iteration.Step, Recorded: setting.Rows(domain, m.Iteration.X), Computed: setting.Rows(domain, computed.X), Size: size, Moved: moved, Note: computed.Note}
			return v, nil
		}
		v.Shaken++
		v.Farthest = max(v.Farthest, size)
	}
	return v, nil
}

// shakes measures how far the last bits of the data move a suggestion, and reports whether that explains where the recorded one lies.
func shakes(ctx context.Context, m sessions.Suggestion, computed sessions.Iteration) (moved float64, explained bool, err error) {
	p := m.Before.Problem
	near := distance(p, computed.X, m.Iteration.X) // of the recorded one to the nearest that is computed
	for pattern := range uint64(nudges) {
		again, err := m.Nudged(pattern).Again(ctx)
		if err != nil {
			return 0, false, err
		}
		if apart := distance(p, again.X, computed.X); !math.IsInf(apart, 1) {
			moved = max(moved, apart)
		}
		near = min(near, distance(p, again.X, m.Iteration.X))
		if near <= min(times*moved, shaken) {
			return moved, true, nil
		}
	}
	return moved, false, nil
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
