package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
	"bandscope/tui"
)

type replayOptions struct {
	Verify   bool
	Outcomes bool    // verify outcomes too
	Plain    bool    // print the session, even on a terminal
	JSON     bool    // print the verification as one JSON object
	Speed    float64 // iterations per second on a terminal; 0 prints at once
}

func replayCommand() *cobra.Command {
	var o replayOptions
	var screen tui.Options
	c := &cobra.Command{Use: "replay FILE[#BRANCH]", Short: "Replay a session in the explorer, print it, or verify it",
		Example: "  bandscope replay s.jsonl\n  bandscope replay --verify s.jsonl\n" +
			"  bandscope replay --plain s.jsonl",
		Args: args(cobra.ExactArgs(1)), ValidArgsFunction: completeArgs(sessionWords(&screen.Rights.Sessions)),
		RunE: func(c *cobra.Command, a []string) error {
			if o.Speed < 0 {
				return usagef("--speed must be at least 0, got %g", o.Speed)
			}
			if !o.Plain && !o.Verify && !o.Outcomes && onTerminal() {
				screen.Replay, screen.Speed = true, o.Speed
				return explore(c.Context(), screen, settings{}, execOptions{}, a)
			}
			return replay(c.Context(), os.Stdout, os.Stderr, sessionFile(a[0], screen.Rights.Sessions), o)
		}}
	f := c.Flags()
	f.BoolVar(&o.Verify, "verify", false, "recompute every suggestion and compare it with the record")
	f.BoolVar(&o.Outcomes, "outcomes", false, "like --verify, and also evaluate test functions again and compare")
	f.Float64Var(&o.Speed, "speed", 0, "iterations per second; 0 prints at once, and the screen waits for keys")
	f.BoolVar(&o.Plain, "plain", false, "print the session as text, even on a terminal")
	f.BoolVar(&o.JSON, "json", false, "with --verify or --outcomes: print one JSON object")
	(&programFlag{}).Flags(c)
	screenFlags(c, &screen)
	return c
}

// replay prints the iterations of a session as they are on record, or verifies them.
func replay(ctx context.Context, out, errs io.Writer, path string, o replayOptions) error {
	if o.JSON && !o.Verify && !o.Outcomes {
		return usagef("--json needs --verify or --outcomes; bandscope export --format json writes a session as JSON")
	}
	s, err := readBranch(ctx, path, errs)
	if errors.Is(err, sessions.ErrTraining) && o.JSON {
		return usagef("--json is for sessions of an optimization, and %s is the session of a lab: leave out --json", path)
	}
	if errors.Is(err, sessions.ErrTraining) {
		return replayTraining(ctx, out, errs, path, o.Verify || o.Outcomes)
	}
	if err != nil {
		return err
	}
	st := s.State()
	if o.Verify || o.Outcomes {
		return verifySession(ctx, out, errs, s, o)
	}
	if _, err := fmt.Fprintln(out, st.Title()); err != nil {
		return err
	}
	t := report.AllTracesFor(st)
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
		if err := writeIteration(out, st, i, t, false); err != nil {
			return err
		}
	}
	return nil
}

// verificationJSON is a verification for other programs.
type verificationJSON struct {
	Status      string          `json:"status"` // "repeats", "changed" or "undecided", of suggestions and of outcomes
	Suggestions suggestionsJSON `json:"suggestions"`
	Outcomes    *outcomesJSON   `json:"outcomes,omitempty"`
}

type suggestionsJSON struct {
	Status  string `json:"status"`
	Checked int    `json:"checked"`
	// random points among them, in place of failed suggestions
	Failed  int `json:"failed,omitempty"`
	Skipped int `json:"skipped,omitempty"`
	// of programs that the command line does not name
	NotStarted int     `json:"not_started,omitempty"`
	Tolerance  float64 `json:"tolerance"` // in the unit cube, like all distances
	Largest    float64 `json:"largest_difference"`
	// beyond the tolerance, but rounding errors explain them
	Explained int                 `json:"explained,omitempty"`
	Farthest  float64             `json:"farthest_explained,omitempty"`
	Undecided []report.Divergence `json:"undecided,omitempty"`
	Changed   *report.Divergence  `json:"changed,omitempty"`
}

type outcomesJSON struct {
	Status  string `json:"status"`
	Checked int    `json:"checked"`
	Skipped int    `json:"skipped,omitempty"`
	Text    string `json:"text"`
}

// verifySession recomputes the suggestions and, with o.Outcomes, the outcomes. If a suggestion cannot be decided, the
// exit status is 3.
func verifySession(ctx context.Context, out, errs io.Writer, s *sessions.Session, o replayOptions) error {
	progress, done := newProgress(errs)
	v, err := report.Verify(ctx, s, progress)
	done()
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted after %s without a difference", numfmt.Count(v.Checked, "suggestion"))
	}
	if err != nil {
		return err
	}
	found := verificationJSON{Status: v.Status(), Suggestions: suggestionsJSON{Status: v.Status(), Checked: v.Checked,
		Failed: v.Failed, Skipped: v.Skipped, NotStarted: v.NotStarted, Tolerance: report.Tolerance,
		Largest: v.Largest, Explained: v.Explained, Farthest: v.LargestExplained, Undecided: v.Undecided}}
	var verdict error
	switch v.Status() {
	case report.StatusChanged:
		found.Suggestions.Changed = v.FirstDivergence
		return found.writeJSON(out, o.JSON, errors.New(v.String()))
	case report.StatusUndecided:
		verdict = statusError{errors.New(v.String()), 3}
	default:
		if err := found.printSentence(out, o.JSON, v); err != nil {
			return err
		}
	}
	if !o.Outcomes {
		return found.writeJSON(out, o.JSON, verdict)
	}
	w, err := report.VerifyOutcomes(ctx, s, progress)
	done()
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted after %s without a difference", numfmt.Count(w.Checked, "outcome"))
	}
	if err != nil {
		return err
	}
	found.Outcomes = &outcomesJSON{report.StatusRepeats, w.Checked, w.Skipped, sanitize.Text(w.String())}
	if w.FirstDivergence != nil {
		found.Status, found.Outcomes.Status = report.StatusChanged, report.StatusChanged
		return found.writeJSON(out, o.JSON, errors.New(w.String()))
	}
	if err := found.printSentence(out, o.JSON, w); err != nil {
		return err
	}
	return found.writeJSON(out, o.JSON, verdict)
}

// printSentence writes the verification in a sentence, unless the output is JSON.
func (v verificationJSON) printSentence(out io.Writer, asJSON bool, subject fmt.Stringer) error {
	if asJSON {
		return nil
	}
	_, err := fmt.Fprintln(out, subject)
	return err
}

// writeJSON writes the verification if the output is JSON, and returns the verdict.
func (v verificationJSON) writeJSON(out io.Writer, asJSON bool, verdict error) error {
	if asJSON {
		return errors.Join(verdict, sanitize.JSON(out, v))
	}
	return verdict
}

func writeIteration(out io.Writer, st sessions.State, i int, t report.Traces, asJSON bool) error {
	if asJSON {
		return sanitize.JSON(out, report.RowFor(st, i, t))
	}
	_, err := fmt.Fprintln(out, report.Line(st, i, t))
	return err
}
