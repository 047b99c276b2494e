package look

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/pflag"

	"bandscope/sessions"
	"bandscope/sessions/headless/command"
	"bandscope/sessions/headless/labs"
	"bandscope/sessions/report"
	"bandscope/sessions/safe"
)

// ReplayOptions say how Replay plays.
type ReplayOptions struct {
	Verify   bool
	Outcomes bool    // verify them too
	Plain    bool    // print it, also where there is a terminal to play it on
	Speed    float64 // iterations a second on a terminal; 0 prints at once
}

// Flags adds the flags that say so.
func (o *ReplayOptions) Flags(f *pflag.FlagSet) {
	f.BoolVar(&o.Verify, "verify", false, "recompute every suggestion and compare")
	f.BoolVar(&o.Outcomes, "outcomes", false, "verify, and evaluate every point anew and compare, where the problem evaluates itself")
	f.Float64Var(&o.Speed, "speed", 0, "iterations a second; 0 prints at once, and on the screen waits for keys")
	f.BoolVar(&o.Plain, "plain", false, "print the session as text, also on a terminal")
}

// Plays reports whether the session is to be played on a screen, if there is one.
func (o ReplayOptions) Plays() bool { return !o.Plain && !o.Verify && !o.Outcomes }

// Replay prints the iterations of a session as they are on record, or verifies them.
func Replay(ctx context.Context, out, errs io.Writer, path string, o ReplayOptions) error {
	s, err := command.Read(ctx, path, errs)
	if errors.Is(err, sessions.ErrLab) {
		return labs.Replay(ctx, out, errs, path, o.Verify || o.Outcomes)
	}
	if err != nil {
		return err
	}
	s.Last()
	st := s.State()
	if o.Verify || o.Outcomes {
		return verify(ctx, out, errs, s, o.Outcomes)
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

// verify recomputes the suggestions, and if it is asked to the outcomes after them.
func verify(ctx context.Context, out, errs io.Writer, s *sessions.Session, outcomes bool) error {
	bar := command.NewBar(errs)
	progress := func(what string, done, total int) { bar.Show(done, total, safe.Text(what)) }
	v, err := report.Verify(ctx, s, progress)
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
	if _, err = fmt.Fprintln(out, v); err != nil || !outcomes {
		return err
	}
	w, err := report.VerifyOutcomes(ctx, s, progress)
	bar.Clear()
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted after %d outcomes, which repeat themselves", w.Checked)
	}
	if err != nil {
		return err
	}
	if w.Diverged != nil {
		return errors.New(w.String())
	}
	_, err = fmt.Fprintln(out, w)
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
