package cli

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/sessions/asktell"
)

func steerCommand() *cobra.Command {
	var prior, box, prefer string
	var retract int
	var asJSON bool
	c := &cobra.Command{Use: "steer FILE [a|b|tie|unsure]",
		Short: "Say which part of a Pareto front matters",
		Long: "Say which part of a Pareto front matters, from now on. Give one of:\n\n" +
			"  --prior    a prior over weights, as in bandscope guide steering\n" +
			"  --box      the outcomes that you want, by objective\n" +
			"  --prefer   two steps whose results you compare; you prefer the first one (a), unless you say b, tie or unsure\n" +
			"  --retract  the number of an answer to take back",
		Example: "  bandscope steer espresso.jsonl --prior 'dirichlet(18,6)'\n" +
			"  bandscope steer espresso.jsonl --box 'extraction 18..20, bitterness 0..3'\n" +
			"  bandscope steer espresso.jsonl --prefer 3:7 b",
		Args: args(cobra.RangeArgs(1, 2)),
		ValidArgsFunction: completeArgs(savedSessionWords,
			choices(sessions.PreferA, sessions.PreferB, sessions.Tie, sessions.Unsure)),
		RunE: func(c *cobra.Command, a []string) (err error) {
			arguments := acts.SteerArgs{Prior: prior, Retract: retract}
			if box != "" {
				arguments.Box, err = acts.ParseBox(box)
				if err != nil {
					return actError(err)
				}
			}
			if prefer != "" {
				arguments.Prefer, err = parsePair(prefer)
				if err != nil {
					return err
				}
			}
			if len(a) == 2 {
				arguments.Answer = a[1]
			}
			return actRun{act: acts.Steer, path: a[0], args: arguments, json: asJSON}.run(c.Context(), os.Stdout, os.Stderr)
		}}
	f := c.Flags()
	f.StringVar(&prior, "prior", "", "prior over weights, such as flat, dirichlet(18,6) or 0.3 top + 0.7 flat")
	f.StringVar(&box, "box", "", "outcomes that you want, as in 'yield 70..85, impurity 0..5'")
	f.StringVar(&prefer, "prefer", "", "two steps whose results you compare, as in 3:7")
	f.IntVar(&retract, "retract", 0, "number of an answer to take back")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	completeFlag(c, "prior", priorWords)
	return recordsAs(c, sessions.AuthorPerson, sessions.ViaCommand)
}

// parsePair reads two steps, as in 3:7 or 3.2:7.
func parsePair(text string) (*[2]acts.StepPoint, error) {
	first, second, ok := strings.Cut(text, ":")
	var pair [2]acts.StepPoint
	for i, word := range []string{first, second} {
		n, err := asktell.ParseName(word)
		if err != nil || !ok {
			return nil, usagef("--prefer compares two steps, as in 3:7, got %q", text)
		}
		pair[i] = n
	}
	return &pair, nil
}

// priorWords are the priors that the session before suggests.
func priorWords(ctx context.Context, before []string, _ string) []string {
	s := peekBefore(ctx, before)
	if s == nil {
		return nil
	}
	d, ok := s.State().Params.ByRole(optimizers.RolePrior)
	if !ok {
		return nil
	}
	return s.State().SuggestedValues(d)
}

func setCommand() *cobra.Command {
	var method, duration string
	var asJSON bool
	c := &cobra.Command{Use: "set FILE [KEY=VALUE]...",
		Short: "Change the method of a session or its parameters from now on",
		Long: "Change the method of a session or its parameters from now on, and print where the next point moves.\n" +
			"Another method begins a branch, as on the screen; bandscope list optimizers NAME lists its parameters.\n" +
			"With --duration, change how long a result usually takes; pending points are due by it.",
		Example: "  bandscope set s.jsonl kernel=se\n  bandscope set espresso.jsonl -o ehvi --json\n" +
			"  bandscope set espresso.jsonl --duration 36h",
		Args: args(cobra.MinimumNArgs(1)), ValidArgsFunction: completeFurther(savedSessionWords, parameterWords),
		RunE: func(c *cobra.Command, a []string) error {
			parameters, err := acts.ParseParameters(a[1:])
			if err != nil {
				return actError(err)
			}
			return actRun{act: acts.Set, path: a[0], args: acts.SetArgs{Method: method, Parameters: parameters,
				Duration: duration}, json: asJSON}.run(c.Context(), os.Stdout, os.Stderr)
		}}
	c.Flags().StringVarP(&method, "optimizer", "o", "", "method that goes on")
	c.Flags().StringVar(&duration, "duration", "", "how long a result usually takes, such as 90min or 2d; none if it is not known")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	completeFlag(c, "optimizer", (&settings{}).OptimizerWords)
	return recordsAs(c, sessions.AuthorPerson, sessions.ViaCommand)
}

// parameterWords are the parameters of the session before, each with an equals sign, and behind it values to try.
func parameterWords(ctx context.Context, before []string, typed string) (list []string) {
	s := peekBefore(ctx, before)
	if s == nil {
		return nil
	}
	key, _, valued := strings.Cut(typed, "=")
	for _, d := range s.State().Params.Decls() {
		list = append(list, declWords(d, key, valued, s.State().Config.Problem)...)
	}
	slices.Sort(list)
	return list
}

func noteCommand() *cobra.Command {
	var o acts.NoteArgs
	var step int
	var asJSON bool
	c := &cobra.Command{Use: "note FILE [TEXT]", Short: "Write a note on a step, or mark the step",
		Long: "Write a note in Markdown on a step, or mark the step. Without --step the note is about the last\n" +
			"step, or the one to which bandscope branch went.",
		Example: "  bandscope note s.jsonl 'a new grinder'\n  bandscope note s.jsonl --step 3 --mark",
		Args:    args(cobra.RangeArgs(1, 2)), ValidArgsFunction: completeArgs(savedSessionWords),
		RunE: func(c *cobra.Command, a []string) error {
			if len(a) == 2 {
				o.Text = a[1]
			}
			if c.Flags().Changed("step") {
				o.Step = &step
			}
			return actRun{act: acts.Note, path: a[0], args: o, json: asJSON, stay: true}.run(c.Context(), os.Stdout,
				os.Stderr)
		}}
	c.Flags().IntVar(&step, "step", 0, "step that the note is about")
	c.Flags().BoolVar(&o.Mark, "mark", false, "mark the step")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return recordsAs(c, sessions.AuthorPerson, sessions.ViaCommand)
}
