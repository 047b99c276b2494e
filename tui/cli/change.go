package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bandscope/functions/encoding"
	"bandscope/sessions"
	"bandscope/sessions/asktell"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

type objectiveOptions struct{ asktell.Objective }

func objectiveCommand() *cobra.Command {
	var o objectiveOptions
	c := &cobra.Command{Use: "objective FILE [add|drop|turn|expect|limit NAME]",
		Short: "Add, drop or turn an objective of an experiment midway, say what is expected of it, or give what is " +
			"measured a limit; without a verb list them",
		Example: "  bandscope objective espresso.jsonl add body --direction maximize --range 0,5 -o " +
			"mobo-rs-ts\n  bandscope objective espresso.jsonl expect bitterness --range 0,8 --noise 0.2\n" +
			"  bandscope objective espresso.jsonl drop body\n  bandscope objective espresso.jsonl limit temperature " +
			"--at-most 96 --unit °C",
		Args:              args(cobra.RangeArgs(1, 3)),
		ValidArgsFunction: completeArgs(savedSessionWords, choices(asktell.Verbs...), objectiveNames),
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
	f.StringVarP(&o.Method, "optimizer", "o", "",
		"the method that goes on, where the one that does cannot take so many objectives, or keeps to no limits")
	completeFlag(c, "direction", choices("minimize", "maximize"))
	completeFlag(c, "scale", choices(asktell.Linear, asktell.Log))
	completeFlag(c, "optimizer", (&settings{}).OptimizerWords)
	return c
}

// changeObjective changes an objective of an experiment from here on, and says what was done; without a verb it lists
// the objectives.
func changeObjective(ctx context.Context, out, errs io.Writer, path string, words []string, o objectiveOptions) error {
	if len(words) == 0 {
		if o != (objectiveOptions{}) {
			return usagef("what is to be done? add, drop, turn, expect or limit, and the name")
		}
		return printState(ctx, out, errs, path, func(st sessions.State) (lines []string) {
			for _, ob := range st.Problem.Outputs() {
				lines = append(lines, asktell.DescribeObjective(ob))
			}
			return lines
		})
	}
	if len(words) == 1 {
		return usagef("which objective? as in bandscope objective %s %s NAME", path, words[0])
	}
	o.Verb, o.Name = words[0], words[1]
	return changeFile(ctx, out, errs, path, o.Apply)
}

// printState prints lines about where a session stands. Its file is left alone.
func printState(ctx context.Context, out, errs io.Writer, path string, lines func(sessions.State) []string) error {
	s, err := readSession(ctx, path, errs)
	if err != nil {
		return err
	}
	s.Last()
	return printLines(out, lines(s.State())...)
}

// changeFile is changeSession of a session in a file, whose objectives may have to stay.
func changeFile(ctx context.Context, out, errs io.Writer, path string,
	act func(*sessions.Session) (string, error)) error {
	s, err := openToWrite(ctx, path, errs)
	if err != nil {
		return err
	}
	return changeSession(ctx, out, s, act, sessions.ErrFixedObjectives, sessions.ErrPreferences)
}

// changeSession does an act at the end of a session, prints what it says, and closes the session. What is wrong is
// wrong with the words, unless it is the file, the context, or one of some other errors.
func changeSession(ctx context.Context, out io.Writer, s *sessions.Session, act func(*sessions.Session) (string, error),
	others ...error) error {
	s.Last()
	said, err := act(s)
	rightly := append(others, eventlog.ErrReadOnly, recorder.ErrMoved, recorder.ErrClosed)
	switch disk := (*fs.PathError)(nil); {
	case err == nil:
		err = printLines(out, said)
	case ctx.Err() == nil && !errors.As(err, &disk) &&
		!slices.ContainsFunc(rightly, func(other error) bool { return errors.Is(err, other) }):
		err = asUsage(err)
	}
	return errors.Join(err, s.Close())
}

// objectiveNames are the objectives of the session before, for what is done with one that is there.
func objectiveNames(ctx context.Context, before []string, _ string) (list []string) {
	if len(before) < 2 || before[1] == asktell.AddObjective {
		return nil
	}
	s := peekBefore(ctx, before)
	if s == nil {
		return nil
	}
	measured := s.State().Problem.Objectives
	if before[1] == asktell.LimitObjective {
		measured = s.State().Problem.Outputs()
	}
	for _, o := range measured {
		list = append(list, candidate(o.Name, asktell.DescribeObjective(o)))
	}
	return list
}

func narrowCommand() *cobra.Command {
	var reason string
	c := &cobra.Command{Use: "narrow FILE [NAME=LOW,HIGH]...",
		Short: "Narrow variables from here on with all data kept, pin them (NAME=VALUE), or free them (NAME=free); " +
			"without any list the bounds",
		Args: args(cobra.MinimumNArgs(1)), ValidArgsFunction: completeFurther(savedSessionWords, boundWords),
		RunE: func(c *cobra.Command, a []string) error {
			return narrowVariables(c.Context(), os.Stdout, os.Stderr, a[0], a[1:], reason)
		}}
	c.Flags().StringVar(&reason, "because", "", "the reason, which is kept on record")
	return c
}

// narrowVariables narrows variables from here on, and says what was done; without words it lists the bounds.
func narrowVariables(ctx context.Context, out, errs io.Writer, path string, words []string, reason string) error {
	if len(words) == 0 {
		return printState(ctx, out, errs, path, func(st sessions.State) (lines []string) {
			for j, v := range st.Problem.Domain {
				now := v
				if st.Bounds != nil {
					now = st.Bounds[j]
				}
				line := v.Name + " " + encoding.FormatRange(now)
				if v.Unit != "" {
					line += " " + v.Unit
				}
				if now.Low != v.Low || now.High != v.High {
					line += "  (its domain: " + encoding.FormatRange(v) + ")"
				}
				lines = append(lines, line)
			}
			return lines
		})
	}
	return changeFile(ctx, out, errs, path, func(s *sessions.Session) (string, error) {
		return asktell.Narrow(ctx, s, words, reason)
	})
}

// boundWords are the variables of the session before, and behind the equals sign of one also that it is free.
func boundWords(ctx context.Context, before []string, typed string) []string {
	if strings.Contains(typed, ",") { // the upper bound
		return nil
	}
	list := variableWords(ctx, before, typed)
	if name, _, ok := strings.Cut(typed, "="); ok {
		list = append(list, candidate(name+"=free", "its whole domain"))
	}
	return list
}

func correctCommand() *cobra.Command {
	return &cobra.Command{Use: "correct FILE CHANGE",
		Short: "Correct a session: step 7 = 1.25 [sd 0.3] [at x=0.4] [cost 2], point 9 = 18.5, drop step 7, x in " +
			"0..0.5, x = 0.3, free x, reject [7]; because …",
		Args: args(cobra.ExactArgs(2)), ValidArgsFunction: completeArgs(savedSessionWords, changeWords),
		RunE: func(c *cobra.Command, a []string) error {
			return correctSession(c.Context(), os.Stdout, os.Stderr, a[0], a[1])
		}}
}

// correctSession makes a correction, given as text, at the end of a session, and says what was done.
func correctSession(ctx context.Context, out, errs io.Writer, path, text string) error {
	s, err := openSession(ctx, path, errs)
	if err != nil {
		return err
	}
	if s.State().ReadOnly {
		return errors.Join(errors.New("the session cannot be appended to"), s.Close())
	}
	return changeSession(ctx, out, s, func(s *sessions.Session) (string, error) {
		return asktell.ApplyCorrection(ctx, s, text, nil)
	})
}
