package report

import (
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

// Where the last bits of the data move a suggestion by more than the tolerance, as where a search has converged or a
// network has kinks, builds that differ in last bits differ by as much. How far they move it is measured: the
// suggestion is made again after data that are nudged by their last bits, as often as new nudges still move it farther,
// or nearer to what is on record. That may then lie so many times farther from one of these suggestions than they lie
// apart, but never farther than shaken.
const (
	maxIdlePerturbations = 16 // without anything new, after which no more are tried
	maxPerturbations     = 48
	maxSpreadRatio       = 10
	maxExplainedDistance = 0.01
	noveltyFactor        = 0.9 // what is new changes one of the two distances by this factor at least
)

// Divergence is a suggestion that comes out otherwise than it was recorded.
type Divergence struct {
	Step     int                `json:"step"`
	Recorded [][]encoding.Value `json:"recorded"` // problem's units
	Computed [][]encoding.Value `json:"recomputed"`
	Size     Number             `json:"difference"`         // the greatest difference of a coordinate, in the unit cube
	Moved    Number             `json:"moved_by_last_bits"` // how far the last bits of the data move it
	Note     string             `json:"note,omitempty"`     // of the method, when it was recomputed
}

// String tells the divergence in a sentence.
func (d Divergence) String() string {
	s := fmt.Sprintf("step %d: recorded %v, recomputed %v: they differ by %s of the domain (tolerance %s; the last "+
		"bits of the data move it by %s)",
		d.Step, d.Recorded, d.Computed, numfmt.Format(float64(d.Size)), numfmt.Exact(Tolerance),
		numfmt.Format(float64(d.Moved)))
	if d.Note != "" {
		s += "; when it was recomputed: " + d.Note
	}
	return s
}

// The outcomes of a verification, for programs.
const (
	StatusRepeats   = "repeats"   // every suggestion comes out as it was recorded
	StatusChanged   = "changed"   // one does not
	StatusUndecided = "undecided" // of some it cannot be decided by this build
)

// Verification is the outcome of Verify.
type Verification struct {
	Checked          int     // suggestions of the optimizer that were recomputed
	Failed           int     // of them, random points in place of suggestions that failed
	Skipped          int     // points that a person chose, or that were imported
	Largest          float64 // the greatest difference within the tolerance
	Explained        int     // of them, suggestions beyond the tolerance that the last bits of the data move as far
	LargestExplained float64 // the greatest difference of these
	// of them, suggestions that the last bits of the data move, though not as far, and whose acquisition does not tell
	// them apart
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

// String tells the outcome in a sentence.
func (v Verification) String() string {
	if v.FirstDivergence != nil {
		return "the session does not repeat itself: " + v.FirstDivergence.String()
	}
	if n := len(v.Undecided); n > 0 {
		return fmt.Sprintf("it cannot be decided here whether the session repeats itself: of %d suggestions "+
			"recomputed %d differ where the last bits of the data move the choice, and are as good by the "+
			"acquisition, first %v. "+
			"The build and the processor that recorded it can decide", v.Checked, n, v.Undecided[0])
	}
	failed := ""
	if v.Failed > 0 {
		failed = fmt.Sprintf(" (%d of them random points, as the method failed)", v.Failed)
	}
	far := ""
	if v.Explained > 0 {
		far = fmt.Sprintf("; but %d by up to %s, as the last bits of the data move them as far", v.Explained,
			numfmt.Format(v.LargestExplained))
	}
	return fmt.Sprintf("verified: %d suggestions recomputed%s, the largest difference %s of the domain (tolerance "+
		"%s)%s; %d points chosen by hand",
		v.Checked, failed, numfmt.Format(v.Largest), numfmt.Exact(Tolerance), far, v.Skipped)
}

// Verify recomputes every suggestion of the optimizer on the current branch of a session from the state before it, and
// compares. It stops at the first that lies beyond the tolerance, unless the last bits of the data explain that, or
// leave it undecided.
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

// rounding is where the last bits of the data move a suggestion.
type rounding struct {
	moved  float64     // how far
	near   float64     // how far the recorded suggestion is from the nearest of them
	points [][]float64 // the points to which they lead, that without a nudge the first; of a batch of one point each
}

// measureRounding measures how far the last bits of the data move a suggestion.
func measureRounding(ctx context.Context, m sessions.Suggestion, computed sessions.Iteration) (s rounding, err error) {
	p := m.Before.Problem
	s = rounding{near: distance(p, computed, m.Iteration), points: computed.Inputs()[:1]}
	last := 0 // the last nudge that said anything new
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

// explains reports whether the last bits of the data explain where the recorded suggestion lies.
func (s rounding) explains() bool { return s.near <= min(maxSpreadRatio*s.moved, maxExplainedDistance) }

// worse reports whether a recorded suggestion that the last bits of the data do not explain is another choice: where
// they do not move the choice, where nothing is chosen by an acquisition, and where the acquisition at the recorded
// point is worse than where they lead, by more than it varies there.
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

// distance is the greatest difference of a coordinate in the unit cube; infinite if the batches differ in size.
func distance(p *functions.Problem, a, b sessions.Iteration) float64 {
	if len(a.Points) != len(b.Points) {
		return math.Inf(1)
	}
	far := 0.0
	for i, pt := range a.Points {
		u, v := p.Domain.ToUnit(pt.X), p.Domain.ToUnit(b.Points[i].X)
		for j := range u {
			far = max(far, math.Abs(u[j]-v[j]))
		}
	}
	return far
}
