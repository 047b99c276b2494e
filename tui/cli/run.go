package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"sync/atomic"

	"github.com/spf13/cobra"

	"bandscope/functions"
	"bandscope/functions/encoding"
	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/report"
	"bandscope/sessions/sanitize"
)

func runCommand() *cobra.Command {
	var o runOptions
	c := &cobra.Command{Use: "run", Short: "Run an optimization without the screen", Args: args(cobra.NoArgs),
		Example: "  bandscope run -f forrester -o gp-ei -n 25 --seed 7 --save s.jsonl\n" +
			"  bandscope run --resume s.jsonl -n 10 --stop",
		RunE: func(c *cobra.Command, _ []string) error {
			if o.Resume != "" {
				if err := checkUnset(c, "--resume"); err != nil {
					return err
				}
			}
			return runSession(c.Context(), c.OutOrStdout(), os.Stderr, o)
		}}
	o.settings.Flags(c)
	o.Exec.Flags(c.Flags())
	f := c.Flags()
	f.IntVarP(&o.Steps, "steps", "n", 0, "number of iterations to run now; 0 runs to the end of the budget")
	f.StringVar(&o.Save, "save", "", "file to save the session to; it must not exist")
	f.StringVar(&o.Resume, "resume", "", "session file to continue")
	f.BoolVar(&o.Stop, "stop", false, "end when nothing better is expected; the point of that suggestion stays pending")
	f.BoolVar(&o.JSON, "json", false, "print one JSON object per iteration")
	c.MarkFlagFilename("save", "jsonl")
	completeFlag(c, "resume", savedSessionWords)
	return recordsAs(c, sessions.AuthorPerson, sessions.ViaCommand)
}

type runOptions struct {
	settings
	Steps  int    // to take now; 0 is up to the budget
	Save   string // file of a new session
	Resume string // file of a session to continue
	Stop   bool   // end when nothing better is expected
	JSON   bool
	Exec   execOptions // the program that evaluates, if any
}

// runSession steps a session without the screen: results go to out, progress and notices to errs. When ctx ends, the
// finished steps are saved.
func runSession(ctx context.Context, out, errs io.Writer, o runOptions) error {
	s, err := o.open(ctx, errs)
	if err != nil {
		return err
	}
	defer s.Close()
	bar := newBar(errs)
	s.Listen(func(notice string) { bar.Print("bandscope: " + sanitize.Text(notice)) })
	end, err := o.Exec.Attach(ctx, s, func(point functions.PointID, line string) {
		bar.Print(fmt.Sprintf("point %v: %s", point, sanitize.Text(line)))
	})
	if err != nil {
		return err
	}
	defer end()
	if o.Save != "" {
		if err := s.SaveAs(o.Save); err != nil {
			return err
		}
	}
	st := s.State()
	steps := o.stepsFrom(st)
	if !o.JSON {
		fmt.Fprintln(out, st.Title())
	}
	var done atomic.Int64
	bar.Show(0, steps, "")
	run := s.Run
	if o.Stop {
		run = s.RunWhilePromising
	}
	err = run(ctx, steps, o.Exec.Jobs, func(subject string, n, total int) {
		bar.Show(int(done.Load()), steps, progressText(sanitize.Text(subject), n, total))
	}, func(it sessions.Iteration) error {
		bar.Clear()
		st := s.State()
		done.Add(1)
		for _, pt := range it.Points {
			if pt.Reason != "" {
				bar.Print(fmt.Sprintf("point %d failed: %s", it.Number, sanitize.Text(pt.Reason)))
			}
		}
		return writeIteration(out, st, it.Step-1, report.AllTracesFor(st), o.JSON)
	})
	bar.Clear()
	if errors.Is(err, sessions.ErrNothingBetter) {
		err = nil // it is in the summary
	}
	if errors.Is(err, sessions.ErrNoEvaluator) && s.State().Saved {
		_, err = fmt.Fprintf(errs, "%s; it is saved in %s\n", sanitize.Text(err.Error()),
			sanitize.Text(s.Path()))
		return errors.Join(err, s.Close())
	}
	if err != nil {
		return errors.Join(interruptedAfter(ctx, err, s), s.Close())
	}
	if st := s.State(); st.Exhausted() && int(done.Load()) < steps {
		fmt.Fprintln(errs, "bandscope: "+st.StopReason())
	}
	if err := summarize(out, s.State(), o.JSON); err != nil {
		return err
	}
	return s.Close()
}

// stepsFrom is the number of steps to take; without -n, those up to the budget.
func (o runOptions) stepsFrom(st sessions.State) int {
	switch {
	case o.Steps != 0:
		return o.Steps
	case st.Config.CostBudget > 0:
		return math.MaxInt32 // the cost ends it
	}
	return max(st.Config.Budget-len(st.Iterations), 0)
}

func (o runOptions) open(ctx context.Context, errs io.Writer) (*sessions.Session, error) {
	if o.Steps < 0 {
		return nil, usagef("-n must be at least 0, got %d", o.Steps)
	}
	if err := o.Exec.Check(); err != nil {
		return nil, err
	}
	if o.Resume == "" {
		if file := o.experimentFile(); file != "" && o.Save == "" && !o.Exec.Enabled() {
			if _, err := eventlog.Stat(file); err != nil {
				return nil, err
			}
		}
		s, err := o.Start(ctx)
		if err != nil {
			return nil, err
		}
		if o.Save == "" && !o.Exec.Enabled() && s.ManualEvaluation() {
			return nil, errors.Join(usagef("%s has no evaluator: --exec CMD sets one, or --save FILE keeps the points for your own evaluation", o.experimentFile()), s.Close())
		}
		s.SetAuthor(authorFrom(ctx))
		return s, printLines(errs, o.defaultNotice(s.State())...)
	}
	if err := o.AllowProgram(); err != nil {
		return nil, err
	}
	s, err := openSession(ctx, o.Resume, errs)
	if err != nil {
		return nil, err
	}
	if s.State().ReadOnly && o.Save == "" {
		s.Close()
		return nil, errors.New("the session file cannot be changed: --save FILE continues in a copy")
	}
	s.Last()
	if o.File != "" {
		if changed := s.CompareDeclaration(o.File); changed != "" {
			fmt.Fprintln(errs, "bandscope: "+sanitize.Text(changed))
		}
	}
	return s, nil
}

// summarize prints the best point, the regret and the time of a run.
func summarize(out io.Writer, st sessions.State, asJSON bool) error {
	t := report.AllTracesFor(st)
	seconds := 0.0
	for _, it := range st.Iterations {
		seconds += it.Seconds
	}
	if asJSON {
		return sanitize.JSON(out, summary(st, t, seconds))
	}
	text := fmt.Sprintf("%s · suggestions took %.2f s\n", summaryLine(st, t), seconds)
	if steps := st.NothingBetterSteps(); len(steps) > 0 {
		text += fmt.Sprintf("%s (%s, the first at step %d)\n", sessions.ErrNothingBetter,
			numfmt.Count(len(steps), "suggestion"), steps[0])
	}
	if m := report.DescribeOutcomeRange(st); m != "" {
		text += m + "\n"
	}
	_, err := io.WriteString(out, text)
	return err
}

// summary is the result of a session for other programs.
func summary(st sessions.State, t report.Traces, seconds float64) map[string]any {
	sum := map[string]any{"summary": true, "steps": len(st.Iterations), "best": nil, "best_x": nil, "best_step": nil,
		"simple_regret": lastValueOrNaN(t.SimpleRegret), "cumulative_regret": lastValueOrNaN(t.CumulativeRegret),
		"seconds": report.Number(seconds), "nothing_better_steps": st.NothingBetterSteps()}
	if several := t.Multiobjective; several != nil {
		sum["hypervolume"] = lastValueOrNaN(several.Hypervolume)
		if m := report.OutcomeRangeFor(st); m != nil {
			sum["measured_by"] = m
		}
		if several.BayesRegret != nil {
			sum["bayes_regret"] = lastValueOrNaN(several.BayesRegret)
		}
		if several.BoxShare != nil {
			sum["share"] = lastValueOrNaN(several.BoxShare)
		}
		sum["front"] = eventlog.CastRows[report.Number](report.Front(st, len(st.Iterations)))
	} else if x, y, step, ok := st.Best(); ok {
		sum["best"] = y
		sum["best_x"] = encoding.EncodeRow(st.Problem.Domain, x)
		sum["best_step"] = step
	}
	if st.HasCosts() {
		sum["total_cost"], sum["weighted_regret"] = report.Number(st.TotalCost()), lastValueOrNaN(t.WeightedRegret)
	}
	return sum
}

// summaryLine is the result of a session for people.
func summaryLine(st sessions.State, t report.Traces) string {
	line := numfmt.Count(len(st.Iterations), "step")
	last := func(v []float64) float64 { return float64(lastValueOrNaN(v)) }
	if several := t.Multiobjective; several != nil {
		line += " · " + several.HypervolumeText()
		if several.BayesRegret != nil {
			line += " · " + several.RegretName() + " " + numfmt.Format(last(several.BayesRegret))
		}
		if several.BoxShare != nil {
			line += fmt.Sprintf(" · %.0f %% inside the boxes", 100*last(several.BoxShare))
		}
	} else if _, y, step, ok := st.Best(); ok {
		line += fmt.Sprintf(" · best %s at step %d", numfmt.Format(y), step)
	}
	if r := last(t.SimpleRegret); !math.IsNaN(r) {
		line += fmt.Sprintf(" · simple regret %s · cumulative regret %s", numfmt.Format(r),
			numfmt.Format(last(t.CumulativeRegret)))
	}
	if st.HasCosts() {
		line += " · cost " + numfmt.Format(st.TotalCost())
	}
	return line
}

// lastValueOrNaN is the last of values; NaN where there are none.
func lastValueOrNaN(v []float64) report.Number {
	if len(v) == 0 {
		return report.Number(math.NaN())
	}
	return report.Number(v[len(v)-1])
}

func newCommand() *cobra.Command {
	var o settings
	c := &cobra.Command{Use: "new FILE", Short: "Create a session for ask and tell, such as your own experiment",
		Args: args(cobra.ExactArgs(1)),
		Long: "Create a session for bandscope ask and bandscope tell: on your own experiment (--problem), or on a test function\n(-f). You evaluate the points.",
		Example: "  bandscope new espresso.jsonl --problem espresso.toml\n" +
			"  bandscope new branin.jsonl -f branin -o gp-ei",
		RunE: func(c *cobra.Command, a []string) error {
			if !c.Flags().Changed("problem") && !c.Flags().Changed("function") {
				return usagef("nothing to optimize: add --problem FILE for your own experiment, or -f NAME for a test function")
			}
			if onTerminal() {
				if err := o.askBudget(os.Stdin, os.Stdout); err != nil {
					return err
				}
			}
			return newSession(c.Context(), os.Stdout, a[0], o)
		}}
	o.Flags(c)
	return c
}

// newSession starts a session for ask and tell in a new file.
func newSession(ctx context.Context, out io.Writer, path string, o settings) error {
	s, err := o.Start(ctx)
	if err != nil {
		return err
	}
	if err := s.SaveAs(path); err != nil {
		return errors.Join(err, s.Close())
	}
	lines := append([]string{s.State().Title()}, o.defaultNotice(s.State())...)
	lines = append(lines, o.designNotices(s.State())...)
	err = printLines(out, append(lines, fmt.Sprintf("bandscope ask %s prints the first point to evaluate", path))...)
	return errors.Join(err, s.Close())
}
