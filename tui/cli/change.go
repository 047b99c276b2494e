package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
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
		Short: "Change the objectives and limits of an experiment; without a verb, list them",
		Long: "Change the objectives and limits of an experiment; without a verb, list them. All results are kept.\n" +
			"\n" +
			"  add     add an objective\n  drop    remove an objective\n" +
			"  turn    reverse the direction of an objective\n" +
			"  expect  change the expectations of an objective: range, scale, noise, worthwhile improvement\n" +
			"  limit   set or remove a limit on an objective or on another measured quantity",
		Example: "  bandscope objective espresso.jsonl add body --direction maximize --range 0,5 -o mobo-rs-ts\n  bandscope objective espresso.jsonl expect bitterness --range 0,8 --noise 0.2\n" +
			"  bandscope objective espresso.jsonl drop body\n  bandscope objective espresso.jsonl limit temperature --at-most 96 --unit °C",
		Args:              args(cobra.RangeArgs(1, 3)),
		ValidArgsFunction: completeArgs(savedSessionWords, choices(asktell.Verbs...), objectiveNames),
		RunE: func(c *cobra.Command, a []string) error {
			return changeObjective(c.Context(), os.Stdout, os.Stderr, a[0], a[1:], o)
		}}
	f := c.Flags()
	f.StringVar(&o.Direction, "direction", "", "direction of a new objective: minimize or maximize")
	f.StringVar(&o.Unit, "unit", "", "unit of a new objective or limit")
	f.StringVar(&o.Range, "range", "", "expected range, as in 0,10, or none")
	f.StringVar(&o.Scale, "scale", "", "scale of the values: linear (differences count) or log (factors count)")
	f.StringVar(&o.Noise, "noise", "", "standard deviation of a measurement, or none")
	f.StringVar(&o.Worthwhile, "worthwhile", "",
		"smallest improvement that is worth an evaluation (on a log scale a factor), or none")
	f.StringVar(&o.AtMost, "at-most", "", "upper limit, or none")
	f.StringVar(&o.AtLeast, "at-least", "", "lower limit, or none")
	f.StringVarP(&o.Method, "optimizer", "o", "",
		"method to continue with, if the current one cannot handle so many objectives or limits")
	completeFlag(c, "direction", choices("minimize", "maximize"))
	completeFlag(c, "scale", choices(asktell.Linear, asktell.Log))
	completeFlag(c, "optimizer", (&settings{}).OptimizerWords)
	return recordsAs(c, sessions.AuthorPerson, sessions.ViaCommand)
}

// changeObjective changes an objective of an experiment and prints the change; without a verb it lists the objectives.
func changeObjective(ctx context.Context, out, errs io.Writer, path string, words []string, o objectiveOptions) error {
	if len(words) == 0 {
		if o != (objectiveOptions{}) {
			return usagef("which change? Give add, drop, turn, expect or limit, and the name of the objective")
		}
		return printState(ctx, out, errs, path, func(st sessions.State) (lines []string) {
			for _, ob := range st.Problem.Outputs() {
				lines = append(lines, asktell.DescribeObjective(ob))
			}
			return lines
		})
	}
	if len(words) == 1 {
		return usagef("which objective? Name it, as in bandscope objective %s %s NAME", path, words[0])
	}
	o.Verb, o.Name = words[0], words[1]
	return changeFile(ctx, out, errs, path, o.Apply)
}

// printState prints lines about the current state of a session. It does not write to the session's file.
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

// changeSession applies act at the end of a session, prints the text that it returns, and closes the session. An error
// is one of usage, unless it comes from the file or the context, or is one of others.
func changeSession(ctx context.Context, out io.Writer, s *sessions.Session, act func(*sessions.Session) (string, error),
	others ...error) error {
	s.Last()
	text, err := act(s)
	rightly := append(others, eventlog.ErrReadOnly, recorder.ErrMoved, recorder.ErrClosed)
	switch disk := (*fs.PathError)(nil); {
	case err == nil:
		err = printLines(out, text)
	case ctx.Err() == nil && !errors.As(err, &disk) &&
		!slices.ContainsFunc(rightly, func(other error) bool { return errors.Is(err, other) }):
		err = asUsage(err)
	}
	return errors.Join(err, s.Close())
}

// objectiveNames are the objectives of the session before, for verbs that change an existing one.
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
		Short:   "Change the bounds of variables; without arguments, list them",
		Long:    "Change the bounds of variables; without arguments, list them. All results are kept, and new suggestions\nrespect the new bounds. NAME=LOW,HIGH sets bounds, NAME=LOW,HIGH,STEP also the step of the suggested\nvalues, NAME=VALUE pins a variable, NAME=free restores its domain.",
		Example: "  bandscope narrow espresso.jsonl\n  bandscope narrow espresso.jsonl dose=16,18 --because 'too bitter above'\n  bandscope narrow espresso.jsonl dose=free",
		Args:    args(cobra.MinimumNArgs(1)), ValidArgsFunction: completeFurther(savedSessionWords, boundWords),
		RunE: func(c *cobra.Command, a []string) error {
			return narrowVariables(c.Context(), os.Stdout, os.Stderr, a[0], a[1:], reason)
		}}
	c.Flags().StringVar(&reason, "because", "", "reason, which is recorded with the change")
	return recordsAs(c, sessions.AuthorPerson, sessions.ViaCommand)
}

// narrowVariables changes the bounds of variables and prints the change; without words it lists the bounds.
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
	var o correctionOptions
	c := &cobra.Command{Use: "correct FILE CHANGE | correct FILE --point N NAME=VALUE...",
		Short: "Correct a reported result, discard a suggestion, or change a bound",
		Long: "Correct a session. CHANGE is one of these; \"because …\" behind it records the reason:\n\n" +
			"  step 7 = 1.25    the result of step 7 is 1.25; separate values with commas\n" +
			"  step 7 sd 0.3    its standard error is 0.3\n" +
			"  step 7 at x=0.4  it was measured at x = 0.4\n" +
			"  step 7 cost 2    it cost 2\n" +
			"  point 9 = 18.5   the reported value of the pending point 9 is 18.5\n" +
			"  drop step 7      withdraw the result of step 7\n" +
			"  reject           discard the oldest pending point; reject 7 discards point 7\n" +
			"  x in 0..0.5      change the bounds of x; x = 0.3 pins it\n" +
			"  free x           restore the whole domain of x\n" +
			"  duration 3d      a result usually takes 3 days; none if it is not known\n\n" +
			"With --point or --step, name the values that were wrong; the others stay.",
		Example: "  bandscope correct espresso.jsonl 'step 7 = 18.5, 3 because the decimal point slipped'\n" +
			"  bandscope correct espresso.jsonl 'step 7 = 1.25 sd 0.3 cost 2'\n" +
			"  bandscope correct espresso.jsonl --point 9 extraction=18.5 --because misread",
		Args: args(cobra.MinimumNArgs(2)), ValidArgsFunction: completeArgs(savedSessionWords, changeWords),
		RunE: func(c *cobra.Command, a []string) error {
			if o.Point == "" && o.Step == "" {
				if len(a) > 2 || o.Reason != "" {
					return usagef("the change is one argument in quotes, such as 'step 7 = 1.25 because misread'; --because goes with --point or --step")
				}
				return correctSession(c.Context(), os.Stdout, os.Stderr, a[0], a[1])
			}
			change, err := o.correction(a[1:])
			if err != nil {
				return asUsage(err)
			}
			return changeFile(c.Context(), os.Stdout, os.Stderr, a[0], change.Apply)
		}}
	f := c.Flags()
	f.StringVar(&o.Point, "point", "", "number of the pending point whose partial result is wrong")
	f.StringVar(&o.Step, "step", "", "number of the step whose result is wrong")
	f.StringVar(&o.Reason, "because", "", "reason, which is recorded with the change")
	return recordsAs(c, sessions.AuthorPerson, sessions.ViaCommand)
}

// correctionOptions name the result that a correction is about.
type correctionOptions struct{ Point, Step, Reason string }

// correction is the correction by words such as yield=3.2.
func (o correctionOptions) correction(words []string) (c asktell.Correction, err error) {
	if o.Point != "" && o.Step != "" {
		return c, errors.New("--point is about a pending point and --step about a reported result; give one of them")
	}
	c = asktell.Correction{Pending: o.Point != "", Reason: o.Reason, Values: map[string]float64{}}
	c.Name, err = asktell.ParseName(cmp.Or(o.Point, o.Step))
	if err != nil {
		return c, err
	}
	for _, w := range words {
		name, text, ok := strings.Cut(w, "=")
		value, err := strconv.ParseFloat(text, 64)
		if !ok || name == "" || err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
			return c, fmt.Errorf("a correction is NAME=VALUE, as in yield=3.2; got %q", w)
		}
		if _, twice := c.Values[name]; twice {
			return c, fmt.Errorf("%s is given twice", name)
		}
		c.Values[name] = value
	}
	return c, nil
}

// correctSession applies a correction, given as text, at the end of a session, and prints the change.
func correctSession(ctx context.Context, out, errs io.Writer, path, text string) error {
	s, err := openToWrite(ctx, path, errs)
	if err != nil {
		return err
	}
	return changeSession(ctx, out, s, func(s *sessions.Session) (string, error) {
		return asktell.ApplyCorrection(ctx, s, text, nil)
	})
}
