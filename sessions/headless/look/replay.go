package look

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"bandscope/sessions"
	"bandscope/sessions/headless/command"
	"bandscope/sessions/report"
	"bandscope/sessions/safe"
)

// ReplayOptions say how Replay plays.
type ReplayOptions struct {
	Verify bool
	Speed  float64 // iterations a second on a terminal; 0 prints at once
}

// Replay prints the iterations of a session as they are on record, or verifies them.
func Replay(ctx context.Context, out, errs io.Writer, path string, o ReplayOptions) error {
	s, err := command.Read(ctx, path, errs)
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
	if o.Speed > 0 && command.IsTerminal(out) {
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
		if err := WriteRow(out, st, i, t, false); err != nil {
			return err
		}
	}
	return nil
}

func verify(ctx context.Context, out, errs io.Writer, s *sessions.Session) error {
	bar := command.NewBar(errs)
	v, err := report.Verify(ctx, s, func(what string, done, total int) { bar.Show(done, total, what) })
	bar.Clear()
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

// WriteRow writes an iteration.
func WriteRow(out io.Writer, st sessions.State, i int, t report.Traces, asJSON bool) error {
	if asJSON {
		return safe.JSON(out, report.RowOf(st, i, t))
	}
	_, err := fmt.Fprintln(out, report.Line(st, i, t))
	return err
}
