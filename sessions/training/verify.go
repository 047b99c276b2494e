package training

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"

	"bandscope/functions/numfmt"
	"bandscope/functions/trainer"
	"bandscope/sessions"
	"bandscope/sessions/eventlog"
)

// Tolerance is the maximum relative difference between a recorded number and the recomputed one. Below 0.001 it is
// relative to 0.001.
const Tolerance = 1e-6

// Difference is a recomputed number that differs from the recorded one.
type Difference struct {
	Run, Update        int // both from 1
	Column             Column
	Recorded, Computed float64
	// why the training diverged, if only the recorded or only the repeated one did; the numbers are 0 then
	Failed string
}

// Verification is the outcome of Verify.
type Verification struct {
	Updates         int         // trained again
	Largest         float64     // the largest relative difference within the tolerance
	FirstDifference *Difference // the first beyond it, nil if none
	RecordedOn      string      // the platform that recorded it, if it is another one
}

// String describes the outcome in a sentence.
func (v Verification) String() string {
	d := v.FirstDifference
	if d == nil {
		return fmt.Sprintf("verified: %s; the largest relative difference is %s (tolerance %s)",
			numfmt.Count(v.Updates, "update"), numfmt.Format(v.Largest), numfmt.Exact(Tolerance))
	}
	which := ""
	if d.Run > 1 {
		which = " of the second run"
	}
	text := fmt.Sprintf("the training cannot be reproduced: at update %d%s, %s is %s in the record but %s when trained again (tolerance %s)",
		d.Update, which, d.Column.Key, numfmt.Exact(d.Recorded), numfmt.Exact(d.Computed), numfmt.Exact(Tolerance))
	if d.Failed != "" {
		text = fmt.Sprintf("the training cannot be reproduced: it ended at update %d%s only once: %s",
			d.Update, which, d.Failed)
	}
	if v.RecordedOn != "" {
		text += fmt.Sprintf("; it was recorded on %s, and rounding can differ on another platform", v.RecordedOn)
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
	path := s.rec.Tip.PathFromRoot()
	s.rec.Unlock()
	fresh := NewTrainer(s.spec)
	total := 0
	for _, e := range path {
		if e.Kind == kindTrained {
			total++
		}
	}
	done := 0
	for _, e := range path {
		if e.Kind != kindTrained {
			continue
		}
		if progress != nil {
			progress("training the record again", done, total)
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

// compare trains a model by the recorded updates of a run, and compares the measurements.
func (v *Verification) compare(ctx context.Context, before State, run int, m Model, r trainedRun,
	end func(Model)) error {
	diverged := (*trainer.DivergenceError)(nil)
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
		if len(r.Rows[i]) == 0 { // not recorded
			continue
		}
		for k, got := range m.Row() {
			if distance := relativeDifference(got, want[k]); distance > Tolerance {
				v.FirstDifference = &Difference{Run: run, Update: m.At(), Column: before.Spec.Columns[k],
					Recorded: want[k],
					Computed: got}
				return nil
			} else if distance > v.Largest {
				v.Largest = distance
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

// relativeDifference is the difference of two numbers relative to the larger one, at least 0.001. It is 0 for equal
// infinities and for two NaN.
func relativeDifference(a, b float64) float64 {
	if a == b || math.IsNaN(a) && math.IsNaN(b) {
		return 0
	}
	if distance := math.Abs(a-b) / max(1e-3, math.Abs(a), math.Abs(b)); !math.IsNaN(distance) {
		return distance
	}
	return math.Inf(1)
}
