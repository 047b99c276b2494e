package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/optimizers"
	"bandscope/sessions"
)

// Tolerance is how far, in the unit cube, a recomputed suggestion may lie from the recorded one: floating point differs
// in the last bits between processors and builds, and a search amplifies that.
const Tolerance = 1e-6

// Rounding errors can move a suggestion by more than the tolerance, for example where a search has converged or a
// network has kinks. Then builds that round differently differ as much. The verification measures this: it recomputes
// the suggestion from data that are perturbed in their last bits, as long as new perturbations move it farther or
// nearer to the record. The recorded suggestion is explained if it lies within maxSpreadRatio times that distance of
// one of them, and within maxExplainedDistance.
const (
	maxIdlePerturbations = 16 // consecutive perturbations without anything new
	maxPerturbations     = 48
	maxSpreadRatio       = 10
	maxExplainedDistance = 0.01
	noveltyFactor        = 0.9 // a new perturbation changes one of the two distances at least by this factor
)

// Divergence is a suggestion that differs from the record when it is recomputed.
type Divergence struct {
	Step     int                `json:"step"`
	Recorded [][]encoding.Value `json:"recorded"` // problem's units
	Computed [][]encoding.Value `json:"recomputed"`
	Size     Number             `json:"difference"`         // the largest difference of a coordinate, in the unit cube
	Moved    Number             `json:"moved_by_last_bits"` // how far rounding errors move it
	Note     string             `json:"note,omitempty"`     // of the method, when it was recomputed
}

// String describes the divergence in a sentence.
func (d Divergence) String() string {
	s := fmt.Sprintf("step %d: recorded %v, recomputed %v: they differ by %s of the domain (tolerance %s; rounding errors move it by %s)",
		d.Step, d.Recorded, d.Computed, numfmt.Format(float64(d.Size)), numfmt.Exact(Tolerance),
		numfmt.Format(float64(d.Moved)))
	if d.Note != "" {
		s += "; when it was recomputed: " + d.Note
	}
	return s
}

// The outcomes of a verification, for programs.
const (
	StatusRepeats   = "repeats"   // every suggestion equals the record
	StatusChanged   = "changed"   // one does not
	StatusUndecided = "undecided" // this build cannot decide some
)

// Verification is the outcome of Verify.
type Verification struct {
	Checked          int     // suggestions of the optimizer that were recomputed
	Failed           int     // random points among them, in place of failed suggestions
	Skipped          int     // points that a person chose, or that were imported
	NotStarted       int     // suggestions of programs that the command line does not name
	Flag             string  // the flag that allows the first of these programs; empty for none
	Largest          float64 // the largest difference within the tolerance
	Explained        int     // suggestions beyond the tolerance that rounding errors explain
	LargestExplained float64 // the largest difference of these
	// suggestions that rounding errors move, but not as far, and whose acquisition values do not differ
	Undecided       []Divergence
	FirstDivergence *Divergence // the first beyond it, nil if none
}

// Status is one of Repeats, Changed and Undecided.
func (v Verification) Status() string {
	switch {
	case v.FirstDivergence != nil:
		return StatusChanged
	case v.Undecided != nil:
		return StatusUndecided
	}
	return StatusRepeats
}

// String describes the result in a sentence.
func (v Verification) String() string {
	if v.FirstDivergence != nil {
		return "the session does not repeat: " + v.FirstDivergence.String()
	}
	if n := len(v.Undecided); n > 0 {
		return fmt.Sprintf("this build cannot decide whether the session repeats: rounding errors move %d of %s, and the acquisition values are the same; the first is %v. The build and the processor that recorded the session can decide", n, numfmt.Count(v.Checked, "suggestion"), v.Undecided[0])
	}
	failed := ""
	if v.Failed > 0 {
		failed = fmt.Sprintf(" (%d of them random points, because the method failed)", v.Failed)
	}
	text := ""
	if v.Explained > 0 {
		text = fmt.Sprintf("; rounding errors explain %s of up to %s", numfmt.Count(v.Explained, "difference"),
			numfmt.Format(v.LargestExplained))
	}
	skipped := ""
	if v.Skipped > 0 {
		skipped = fmt.Sprintf("; skipped %s that a person chose or imported", numfmt.Count(v.Skipped, "point"))
	}
	if v.NotStarted > 0 {
		skipped += fmt.Sprintf("; not checked: %s of a program, which is started only with %s",
			numfmt.Count(v.NotStarted, "suggestion"), v.Flag)
	}
	return fmt.Sprintf("verified: %s recomputed%s; the largest difference is %s of the domain (tolerance %s)%s%s",
		numfmt.Count(v.Checked, "suggestion"), failed, numfmt.Format(v.Largest), numfmt.Exact(Tolerance), text, skipped)
}

// Verify recomputes every suggestion of the optimizer on the current branch of a session from the state before it, and
// compares. It stops at the first difference beyond the tolerance, unless rounding errors explain it or leave it
// undecided.
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
		if err := v.verify(ctx, m); err != nil {
			return v, fmt.Errorf("step %d: %w", m.Iteration.Step, err)
		}
		if v.FirstDivergence != nil {
			break
		}
	}
	return v, nil
}

// verify recomputes one suggestion, and compares.
func (v *Verification) verify(ctx context.Context, m sessions.Suggestion) error {
	computed, err := m.Recompute(ctx)
	if flag, ok := sessions.ProgramFlag(err); ok {
		v.NotStarted++
		v.Flag = cmp.Or(v.Flag, flag)
		return nil
	}
	if err != nil {
		return err
	}
	v.Checked++
	if computed.IsFallback() {
		v.Failed++
	}
	size := distance(m.Before.Problem, computed, m.Iteration)
	if size <= Tolerance {
		v.Largest = max(v.Largest, size)
		return nil
	}
	s, err := measureRounding(ctx, m, computed)
	if err != nil {
		return err
	}
	domain := m.Before.Problem.Domain
	d := Divergence{Step: m.Iteration.Step, Recorded: encoding.EncodeRows(domain, m.Iteration.Inputs()),
		Computed: encoding.EncodeRows(domain, computed.Inputs()), Size: Number(size), Moved: Number(s.moved),
		Note: computed.Note}
	if s.explains() {
		v.Explained++
		v.LargestExplained = max(v.LargestExplained, size)
		return nil
	}
	worse, err := s.worse(ctx, m)
	if err != nil {
		return err
	}
	if worse {
		v.FirstDivergence = &d
	} else {
		v.Undecided = append(v.Undecided, d)
	}
	return nil
}

// rounding is the effect of rounding errors on a suggestion.
type rounding struct {
	moved  float64     // how far they move it
	near   float64     // distance of the recorded suggestion from the nearest recomputed one
	points [][]float64 // the recomputed points, the first without a perturbation; the first point of a batch
}

// measureRounding measures how far rounding errors in the data move a suggestion.
func measureRounding(ctx context.Context, m sessions.Suggestion, computed sessions.Iteration) (s rounding, err error) {
	p := m.Before.Problem
	s = rounding{near: distance(p, computed, m.Iteration), points: computed.Inputs()[:1]}
	last := 0 // the last perturbation with something new
	for pattern := range maxPerturbations {
		if pattern >= last+maxIdlePerturbations {
			break
		}
		again, err := m.Perturb(uint64(pattern)).Recompute(ctx)
		if err != nil {
			return s, err
		}
		if apart := distance(p, again, computed); !math.IsInf(apart, 1) {
			if apart*noveltyFactor > max(s.moved, Tolerance) {
				last = pattern + 1
			}
			s.moved = max(s.moved, apart)
		}
		if near := distance(p, again, m.Iteration); near < s.near {
			if near < noveltyFactor*s.near && s.moved > Tolerance {
				last = pattern + 1
			}
			s.near = near
		}
		s.points = append(s.points, again.Points[0].X)
		if s.explains() {
			break
		}
	}
	return s, nil
}

// explains reports whether rounding errors explain the recorded suggestion.
func (s rounding) explains() bool { return s.near <= min(maxSpreadRatio*s.moved, maxExplainedDistance) }

// worse reports whether a recorded suggestion that rounding errors do not explain is another choice: if they do not
// move the choice, if the method has no acquisition function, or if the acquisition at the recorded point is worse than
// at the recomputed points by more than it varies among them.
func (s rounding) worse(ctx context.Context, m sessions.Suggestion) (bool, error) {
	if s.moved <= Tolerance || len(m.Iteration.Points) != 1 {
		return true, nil
	}
	values, lower, err := m.Acquisition(ctx, append(m.Iteration.Inputs(), s.points...))
	if errors.Is(err, optimizers.ErrUnsupported) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	if !lower {
		floats.Scale(-1, values)
	}
	recorded, led := values[0], values[1:]
	if math.IsNaN(recorded) {
		return true, nil
	}
	best, worst := floats.Min(led), floats.Max(led)
	return recorded > worst+(worst-best), nil
}

// distance is the largest difference of a coordinate in the unit cube; infinite if the batches differ in size.
func distance(p *functions.Problem, a, b sessions.Iteration) float64 {
	if len(a.Points) != len(b.Points) {
		return math.Inf(1)
	}
	largest := 0.0
	for i, pt := range a.Points {
		u, v := p.Domain.ToUnit(pt.X), p.Domain.ToUnit(b.Points[i].X)
		for j := range u {
			largest = max(largest, math.Abs(u[j]-v[j]))
		}
	}
	return largest
}
