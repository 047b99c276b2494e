package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"bandscope/sessions"
	"bandscope/sessions/change"
	"bandscope/sessions/safe"
)

// ObjectiveOptions say what an objective is to be.
type objectiveOptions struct{ change.Objective }

func objectiveCommand() *cobra.Command {
	var o objectiveOptions
	c := &cobra.Command{Use: "objective FILE [add|drop|turn|expect|limit NAME]", Short: "Add, drop or turn an objective of an experiment midway, say what is expected of it, or give what is measured a limit; without a verb list them",
		Example:           "  bandscope objective espresso.jsonl add body --direction maximize --range 0,5 -o mobo-rs-ts\n  bandscope objective espresso.jsonl expect bitterness --range 0,8 --noise 0.2\n  bandscope objective espresso.jsonl drop body\n  bandscope objective espresso.jsonl limit temperature --at-most 96 --unit °C",
		Args:              args(cobra.RangeArgs(1, 3)),
		ValidArgsFunction: completeArgs(keptWords, choices(change.Verbs...), objectiveNames),
		RunE: func(c *cobra.Command, a []string) error {
			return changeObjective(c.Context(), os.Stdout, os.Stderr, a[0], a[1:], o)
		}}
	f := c.Flags()
	f.StringVar(&o.Direction, "direction", "", "of a new one: minimize or maximize")
	f.StringVar(&o.Unit, "unit", "", "of a new one")
	f.StringVar(&o.Range, "range", "", "the least and the greatest value that are expected, as 0,10, or none")
	f.StringVar(&o.Scale, "scale", "", "how its values count: linear, by differences, or log, by factors")
	f.StringVar(&o.Noise, "noise", "", "the standard deviation of a measurement, or none")
	f.StringVar(&o.AtMost, "at-most", "", "a limit, or none")
	f.StringVar(&o.AtLeast, "at-least", "", "a limit, or none")
	f.StringVarP(&o.Method, "optimizer", "o", "", "the method that goes on, where the one that does cannot take so many objectives, or keeps to no limits")
	completeFlag(c, "direction", choices("minimize", "maximize"))
	completeFlag(c, "scale", choices(change.Linear, change.Log))
	completeFlag(c, "optimizer", (&settings{}).OptimizerWords)
	return c
}

// Objective changes an objective of an experiment from here on, and says what was done; without a verb it lists the objectives.
func changeObjective(ctx context.Context, out, errs io.Writer, path string, words []string, o objectiveOptions) error {
	if len(words) == 0 {
		if o != (objectiveOptions{}) {
			return usagef("what is to be done? add, drop, turn, expect or limit, and the name")
		}
		return printState(ctx, out, errs, path, func(st sessions.State) (lines []string) {
			for _, ob := range st.Problem.Measured() {
				lines = append(lines, change.Told(ob))
			}
			return lines
		})
	}
	if len(words) == 1 {
		return usagef("which objective? as in bandscope objective %s %s NAME", path, words[0])
	}
	o.Verb, o.Name = words[0], words[1]
	return changeSession(ctx, out, errs, path, o.Make)
}

// stand prints lines about where a session stands. Its file is left alone.
func printState(ctx context.Context, out, errs io.Writer, path string, lines func(sessions.State) []string) error {
	s, err := readSession(ctx, path, errs)
	if err != nil {
		return err
	}
	s.Last()
	for _, l := range lines(s.State()) {
		if _, err := fmt.Fprintln(out, safe.Text(l)); err != nil {
			return err
		}
	}
	return nil
}

// midway does an act at the end of a session, and prints what it says. What is wrong is wrong with the words, unless it is the file, or that the objectives
// have to stay.
func changeSession(ctx context.Context, out, errs io.Writer, path string, act func(*sessions.Session) (string, error)) (err error) {
	s, err := openToWrite(ctx, path, errs)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	s.Last()
	said, err := act(s)
	switch {
	case err == nil:
		_, err = fmt.Fprintln(out, safe.Text(said))
		return err
	case failedAtRuntime(ctx, err), errors.Is(err, sessions.ErrFixed), errors.Is(err, sessions.ErrHeld):
		return err
	}
	return asUsage(err)
}

// ObjectiveNames are the objectives of the session before, for what is done with one that is there.
func objectiveNames(ctx context.Context, before []string, _ string) (list []string) {
	if len(before) < 2 || before[1] == change.Add {
		return nil
	}
	s := peekBefore(ctx, before)
	if s == nil {
		return nil
	}
	measured := s.State().Problem.Objectives
	if before[1] == change.Limit {
		measured = s.State().Problem.Measured()
	}
	for _, o := range measured {
		list = append(list, candidate(o.Name, change.Told(o)))
	}
	return list
}
