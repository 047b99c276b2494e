package headless

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"bandscope/sessions"
	"bandscope/sessions/report"
)

// ReplayOptions say how Replay plays.
type ReplayOptions struct {
	Verify bool
	Speed  float64 // iterations a second on a terminal; 0 prints at once
}

// Replay prints the iterations of a session as they are on record, or verifies them.
func Replay(ctx context.Context, out, errs io.Writer, path string, o ReplayOptions) error {
	s, err := Read(ctx, path, errs)
	if err != nil {
		return err
	}
	s.Last()
	st := s.State()
	if o.Verify {
		return verify(ctx, out, errs, s)
	}
	if _, err := fmt.Fprintln(out, st.Title()); err != nil {
		return err
	}
	t := report.AllTracesOf(st)
	pause := time.Duration(0)
	if o.Speed > 0 && isTerminal(out) {
		pause = time.Duration(float64(time.Second) / o.Speed)
	}
	for i := range st.Iterations {
		if i > 0 && pause > 0 {
			select {
			case <-time.After(pause):
			case <-ctx.Done():
			}
		}
		if ctx.Err() != nil {
			return fmt.Errorf("interrupted after step %d of %d", i, len(st.Iterations))
		}
		if err := writeRow(out, st, i, t, false); err != nil {
			return err
		}
	}
	return nil
}

func verify(ctx context.Context, out, errs io.Writer, s *sessions.Session) error {
	bar := newBar(errs)
	v, err := report.Verify(ctx, s, func(what string, done, total int) { bar.show(done, total, what) })
	bar.clear()
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted after %d suggestions, which repeat themselves", v.Checked)
	}
	if err != nil {
		return err
	}
	if v.Diverged != nil {
		return errors.New(v.String())
	}
	_, err = fmt.Fprintln(out, v)
	return err
}
