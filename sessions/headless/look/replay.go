package look

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/pflag"

	"bandscope/functions/setting"
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
	JSON     bool    // of what is verified one JSON object
	Speed    float64 // iterations a second on a terminal; 0 prints at once
}

// Flags adds the flags that say so.
func (o *ReplayOptions) Flags(f *pflag.FlagSet) {
	f.BoolVar(&o.Verify, "verify", false, "recompute every suggestion and compare")
	f.BoolVar(&o.Outcomes, "outcomes", false, "verify, and evaluate every point anew and compare, where the problem evaluates itself")
	f.Float64Var(&o.Speed, "speed", 0, "iterations a second; 0 prints at once, and on the screen waits for keys")
	f.BoolVar(&o.Plain, "plain", false, "print the session as text, also on a terminal")
	f.BoolVar(&o.JSON, "json", false, "with --verify or --outcomes: print what was found as one JSON object")
}

// Plays reports whether the session is to be played on a screen, if there is one.
func (o ReplayOptions) Plays() bool { return !o.Plain && !o.Verify && !o.Outcomes }

// Replay prints the iterations of a session as they are on record, or verifies them.
func Replay(ctx context.Context, out, errs io.Writer, path string, o ReplayOptions) error {
	if o.JSON && !o.Verify && !o.Outcomes {
		return command.Usagef("--json goes with --verify or --outcomes; export writes a session as JSON")
	}
	s, err := command.Read(ctx, path, errs)
	if errors.Is(err, sessions.ErrLab) && o.JSON {
		return command.Usagef("--json tells of sessions of a search; %s is of a training", path)
	}
	if errors.Is(err, sessions.ErrLab) {
		return labs.Replay(ctx, out, errs, path, o.Verify || o.Outcomes)
	}
	if err != nil {
		return err
	}
	s.Last()
	st := s.State()
	if o.Verify || o.Outcomes {
		return verify(ctx, out, errs, s, o)
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

// verified is what was found, for other programs.
type verified struct {
	Status      string           `json:"status"` // "repeats", "changed" or "undecided", of suggestions and of outcomes
	Suggestions suggestionsFound `json:"suggestions"`
	Outcomes    *outcomesFound   `json:"outcomes,omitempty"`
}

type suggestionsFound struct {
	Status    string       `json:"status"`
	Checked   int          `json:"checked"`
	Failed    int          `json:"failed,omitempty"` // of them, random points in place of suggestions that failed
	Skipped   int          `json:"skipped,omitempty"`
	Tolerance float64      `json:"tolerance"` // of the domain, as all distances
	Largest   float64      `json:"largest_difference"`
	Explained int          `json:"explained,omitempty"` // beyond the tolerance, as the last bits of the data move them as far
	Farthest  float64      `json:"farthest_explained,omitempty"`
	Undecided []difference `json:"undecided,omitempty"`
	Changed   *difference  `json:"changed,omitempty"`
}

type difference struct {
	Step     int               `json:"step"`
	Recorded [][]setting.Value `json:"recorded"`
	Computed [][]setting.Value `json:"recomputed"`
	Size     report.Number     `json:"difference"`
	Moved    report.Number     `json:"moved_by_last_bits"`
	Note     string            `json:"note,omitempty"`
}

type outcomesFound struct {
	Status  string `json:"status"`
	Checked int    `json:"checked"`
	Passed  int    `json:"skipped,omitempty"`
	Text    string `json:"text"`
}

func differenceOf(d report.Divergence) difference {
	return difference{d.Step, d.Recorded, d.Computed, report.Number(d.Size), report.Number(d.Moved), d.Note}
}

// verify recomputes the suggestions, and if it is asked to the outcomes after them. Where a suggestion cannot be decided the error is a command.Undecided.
func verify(ctx context.Context, out, errs io.Writer, s *sessions.Session, o ReplayOptions) error {
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
	found := verified{Status: v.Status(), Suggestions: suggestionsFound{Status: v.Status(), Checked: v.Checked, Failed: v.Failed, Skipped: v.Skipped, Tolerance: report.Tolerance,
		Largest: v.Largest, Explained: v.Shaken, Farthest: v.Farthest}}
	for _, d := range v.Undecided {
		found.Suggestions.Undecided = append(found.Suggestions.Undecided, differenceOf(d))
	}
	var verdict error
	switch v.Status() {
	case report.Changed:
		changed := differenceOf(*v.Diverged)
		found.Suggestions.Changed = &changed
		return found.tell(out, o.JSON, errors.New(v.String()))
	case report.Undecided:
		verdict = command.Undecided{Err: errors.New(v.String())}
	default:
		if err := found.say(out, o.JSON, v); err != nil {
			return err
		}
	}
	if !o.Outcomes {
		return found.tell(out, o.JSON, verdict)
	}
	w, err := report.VerifyOutcomes(ctx, s, progress)
	bar.Clear()
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted after %d outcomes, which repeat themselves", w.Checked)
	}
	if err != nil {
		return err
	}
	found.Outcomes = &outcomesFound{report.Repeats, w.Checked, w.Passed, safe.Text(w.String())}
	if w.Diverged != nil {
		found.Status, found.Outcomes.Status = report.Changed, report.Changed
		return found.tell(out, o.JSON, errors.New(w.String()))
	}
	if err := found.say(out, o.JSON, w); err != nil {
		return err
	}
	return found.tell(out, o.JSON, verdict)
}

// say writes a sentence about what repeats itself, unless the output is JSON.
func (v verified) say(out io.Writer, asJSON bool, what fmt.Stringer) error {
	if asJSON {
		return nil
	}
	_, err := fmt.Fprintln(out, what)
	return err
}

// tell writes all as JSON, if it is to, and passes the verdict on.
func (v verified) tell(out io.Writer, asJSON bool, verdict error) error {
	if asJSON {
		return errors.Join(verdict, safe.JSON(out, v))
	}
	return verdict
}

// WriteRow writes an iteration.
func WriteRow(out io.Writer, st sessions.State, i int, t report.Traces, asJSON bool) error {
	if asJSON {
		return safe.JSON(out, report.RowOf(st, i, t))
	}
	_, err := fmt.Fprintln(out, report.Line(st, i, t))
	return err
}
