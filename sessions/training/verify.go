package training

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"

	"bandscope/functions/numfmt"
	"bandscope/functions/training"
	"bandscope/sessions"
	"bandscope/sessions/eventlog"
)

// Tolerance is how far a number that is computed again may be from the one on record, as a share of it, or of a
// thousandth where it is less than that.
const Tolerance = 1e-6

// Difference is a number that comes out otherwise than it was recorded.
type Difference struct {
	Run, Update        int // both from 1
	Column             Column
	Recorded, Computed float64
	// how the training ended on record, or now, where it did so only once; the numbers are 0 then
	Failed string
}

// Verification is the outcome of Verify.
type Verification struct {
	Updates         int         // that were trained again
	Largest         float64     // the greatest difference within the tolerance, as a share
	FirstDifference *Difference // the first beyond it, nil if none
	RecordedOn      string      // the platform that it was recorded on, where that is another
}

// String tells the outcome in a sentence.
func (v Verification) String() string {
	d := v.FirstDifference
	if d == nil {
		return fmt.Sprintf("verified: %s trained again, the largest difference %s of what is on record (tolerance %s)",
			numfmt.Count(v.Updates, "update"), numfmt.Format(v.Largest), numfmt.Exact(Tolerance))
	}
	which := ""
	if d.Run > 1 {
		which = " of the second run"
	}
	text := fmt.Sprintf("the training does not repeat itself: update %d%s: %s is %s on record, and %s when it is "+
		"trained again (tolerance %s)",
		d.Update, which, d.Column.Key, numfmt.Exact(d.Recorded), numfmt.Exact(d.Computed), numfmt.Exact(Tolerance))
	if d.Failed != "" {
		text = fmt.Sprintf("the training does not repeat itself: update %d%s: it ended once, and once not: %s",
			d.Update, which, d.Failed)
	}
	if v.RecordedOn != "" {
		text += fmt.Sprintf("; it was recorded on %s, and on another kind of processor a training goes apart by "+
			"rounding", v.RecordedOn)
	}
	return text
}

// Verify trains everything on the current branch again, from the beginning, and compares it with the record. It stops
// at the first number that is beyond the tolerance.
func (s *Session) Verify(ctx context.Context, progress sessions.Progress) (v Verification, err error) {
	if here := runtime.GOOS + "/" + runtime.GOARCH; s.platform != here {
		v.RecordedOn = s.platform
	}
	s.rec.Lock()
	way := s.rec.Tip.PathFromRoot()
	s.rec.Unlock()
	fresh := NewTrainer(s.spec)
	total := 0
	for _, e := range way {
		if e.Kind == kindTrained {
			total++
		}
	}
	done := 0
	for _, e := range way {
		if e.Kind != kindTrained {
			continue
		}
		if progress != nil {
			progress("training again", done, total)
		}
		done++
		if err := s.verify(ctx, fresh, e, &v); err != nil || v.FirstDifference != nil {
			return v, err
		}
	}
	return v, nil
}

// verify trains the updates of an event again.
func (s *Session) verify(ctx context.Context, fresh *Trainer, e *eventlog.Event, v *Verification) error {
	s.rec.Lock()
	before, err := s.rec.Fold(e.Parent)
	s.rec.Unlock()
	var data trainedData
	if err == nil {
		err = json.Unmarshal(e.Data, &data)
	}
	if err != nil {
		return err
	}
	for i, c := range before.plans() {
		if len(data.Runs[i].Rows) == 0 && data.Runs[i].Failed == "" {
			continue
		}
		m, err := fresh.ModelAt(ctx, c, nil)
		if err != nil {
			return err
		}
		if err := v.compare(ctx, *before, i+1, m.Copy(), data.Runs[i], func(m Model) {
			fresh.AddCheckpoint(c.Stages, m)
		}); err != nil || v.FirstDifference != nil {
			return err
		}
	}
	return nil
}

// compare trains a model by the updates of a run on record.
func (v *Verification) compare(ctx context.Context, before State, run int, m Model, r trainedRun,
	end func(Model)) error {
	diverged := (*training.DivergenceError)(nil)
	rows, err := r.reorder(before.cols, len(before.Spec.Columns))
	if err != nil {
		return err
	}
	for i, want := range rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := m.Step(); errors.As(err, &diverged) {
			v.FirstDifference = &Difference{Run: run, Update: m.At() + 1, Failed: err.Error()}
			return nil
		} else if err != nil {
			return err
		}
		v.Updates++
		if len(r.Rows[i]) == 0 { // nothing of it is on record
			continue
		}
		for k, got := range m.Row() {
			if far := relativeDifference(got, want[k]); far > Tolerance {
				v.FirstDifference = &Difference{Run: run, Update: m.At(), Column: before.Spec.Columns[k],
					Recorded: want[k],
					Computed: got}
				return nil
			} else if far > v.Largest {
				v.Largest = far
			}
		}
	}
	end(m)
	if r.Failed == "" {
		return nil
	}
	if err := m.Copy().Step(); !errors.As(err, &diverged) {
		v.FirstDifference = &Difference{Run: run, Update: m.At() + 1, Failed: r.Failed}
	}
	return nil
}

// relativeDifference is how far two numbers are from each other, as a share of the greater one, or of a thousandth; two
// that are not finite, in the same way, are not apart.
func relativeDifference(a, b float64) float64 {
	if a == b || math.IsNaN(a) && math.IsNaN(b) {
		return 0
	}
	if far := math.Abs(a-b) / max(1e-3, math.Abs(a), math.Abs(b)); !math.IsNaN(far) {
		return far
	}
	return math.Inf(1)
}
