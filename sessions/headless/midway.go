package headless

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bandscope/functions/setting"
	"bandscope/sessions"
	"bandscope/sessions/change"
	"bandscope/sessions/headless/asking"
	"bandscope/sessions/headless/command"
	"bandscope/sessions/safe"
	"bandscope/sessions/shelf"
)

// ObjectiveOptions say what an objective is to be.
type ObjectiveOptions struct{ change.Objective }

// Flags adds the flags that say so.
func (o *ObjectiveOptions) Flags(f *pflag.FlagSet) {
	f.StringVar(&o.Direction, "direction", "", "of a new one: minimize or maximize")
	f.StringVar(&o.Unit, "unit", "", "of a new one")
	f.StringVar(&o.Range, "range", "", "the least and the greatest value that are expected, as 0,10, or none")
	f.StringVar(&o.Scale, "scale", "", "how its values count: linear, by differences, or log, by factors")
	f.StringVar(&o.Noise, "noise", "", "the standard deviation of a measurement, or none")
	f.StringVar(&o.AtMost, "at-most", "", "a limit, or none")
	f.StringVar(&o.AtLeast, "at-least", "", "a limit, or none")
	f.StringVarP(&o.Method, "optimizer", "o", "", "the method that goes on, where the one that does cannot take so many objectives, or keeps to no limits")
}

// Objective changes an objective of an experiment from here on, and says what was done; without a verb it lists the objectives.
func Objective(ctx context.Context, out, errs io.Writer, path string, words []string, o ObjectiveOptions) error {
	if len(words) == 0 {
		if o != (ObjectiveOptions{}) {
			return command.Usagef("what is to be done? add, drop, turn, expect or limit, and the name")
		}
		return stand(ctx, out, errs, path, func(st sessions.State) (lines []string) {
			for _, ob := range st.Problem.Measured() {
				lines = append(lines, change.Told(ob))
			}
			return lines
		})
	}
	if len(words) == 1 {
		return command.Usagef("which objective? as in bandscope objective %s %s NAME", path, words[0])
	}
	o.Verb, o.Name = words[0], words[1]
	return midway(ctx, out, errs, path, o.Make)
}

// Narrow narrows variables from here on, and says what was done; without words it lists the bounds.
func Narrow(ctx context.Context, out, errs io.Writer, path string, words []string, reason string) error {
	if len(words) == 0 {
		return stand(ctx, out, errs, path, func(st sessions.State) (lines []string) {
			for j, v := range st.Problem.Domain {
				now := v
				if st.Bounds != nil {
					now = st.Bounds[j]
				}
				line := v.Name + " " + setting.Extent(now)
				if v.Unit != "" {
					line += " " + v.Unit
				}
				if now.Low != v.Low || now.High != v.High {
					line += "  (its domain: " + setting.Extent(v) + ")"
				}
				lines = append(lines, line)
			}
			return lines
		})
	}
	return midway(ctx, out, errs, path, func(s *sessions.Session) (string, error) { return change.Narrow(ctx, s, words, reason) })
}

// stand prints lines about where a session stands. Its file is left alone.
func stand(ctx context.Context, out, errs io.Writer, path string, lines func(sessions.State) []string) error {
	s, err := command.Read(ctx, path, errs)
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
func midway(ctx context.Context, out, errs io.Writer, path string, act func(*sessions.Session) (string, error)) (err error) {
	s, err := asking.Write(ctx, path, errs)
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
	case askedRightly(ctx, err), errors.Is(err, sessions.ErrFixed), errors.Is(err, sessions.ErrHeld):
		return err
	}
	return command.Usage{Err: err}
}

// ObjectiveNames are the objectives of the session before, for what is done with one that is there.
func ObjectiveNames(ctx context.Context, before []string, _ string) (list []string) {
	if len(before) < 2 || before[1] == change.Add {
		return nil
	}
	s, err := sessions.Peek(ctx, command.FileOf(before[0], shelf.DefaultDir()))
	if err != nil {
		return nil
	}
	measured := s.State().Problem.Objectives
	if before[1] == change.Limit {
		measured = s.State().Problem.Measured()
	}
	for _, o := range measured {
		list = append(list, word(o.Name, change.Told(o)))
	}
	return list
}

// NarrowWords are a session, and then its variables.
func NarrowWords(dir *string) cobra.CompletionFunc {
	return func(c *cobra.Command, before []string, typed string) ([]string, cobra.ShellCompDirective) {
		words := SessionWords(dir)
		if len(before) > 0 {
			words = narrowedWords
		}
		return offered(c, words, before, typed)
	}
}

// narrowedWords are the variables of the session before, and behind the equals sign of one also that it is free.
func narrowedWords(ctx context.Context, before []string, typed string) []string {
	if strings.Contains(typed, ",") { // the upper bound
		return nil
	}
	list := VariableWords(ctx, before, typed)
	if name, _, ok := strings.Cut(typed, "="); ok {
		list = append(list, word(name+"=free", "its whole domain"))
	}
	return list
}
