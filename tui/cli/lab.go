package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bandscope/optimizers/param"
	"bandscope/sessions"
	"bandscope/sessions/training"
	"bandscope/tui"
)

type trainingOptions struct {
	Set       []string // parameters, as key=value
	SecondRun []string // those in which a second run differs, or contrast for what the lab offers
	Seed      uint64   // of weights and minibatches, where Seeded
	Save      string   // file of a new session
	Resume    string   // file of a session to continue
	Steps     int      // updates to train now; 0 goes on to the end
	JSON      bool
	Plain     bool // also on a terminal

	flags *pflag.FlagSet
}

func labCommand() *cobra.Command {
	var o trainingOptions
	var screen tui.Options
	c := &cobra.Command{Use: "lab NAME", Short: "Watch the training of a small model, update by update",
		Args: args(cobra.MaximumNArgs(1)),
		Long: "Watch the training of a small model, update by update. Without a terminal, or with --plain, the command\n" +
			"trains the model and prints the trace. bandscope list labs lists the labs.",
		ValidArgsFunction: completeArgs(listWords("labs", &defaultDir)),
		Example: "  bandscope lab flops\n  bandscope lab flops --second contrast --save sparse.jsonl\n" +
			"  bandscope lab hierarchy --set lambda_e=0 --seed 2 --plain\n" +
			"  bandscope lab --resume sparse.jsonl -n 100 --json",
		RunE: func(c *cobra.Command, a []string) error {
			s, err := o.Open(c.Context(), os.Stderr, screen.Rights.Sessions, a)
			if err != nil {
				return err
			}
			if o.OnScreen() {
				screen.Opened = s
				return explore(c.Context(), screen, settings{}, execOptions{}, nil)
			}
			return trainSession(c.Context(), os.Stdout, os.Stderr, s, &o)
		}}
	f := c.Flags()
	o.flags = f
	f.StringArrayVar(&o.Set, "set", nil,
		"parameter of the lab, as key=value; may be repeated; see bandscope list labs NAME")
	f.StringArrayVar(&o.SecondRun, "second", nil,
		"add a second run that differs in this parameter, as key=value, or in the parameters that the lab suggests (contrast); may be repeated")
	f.Uint64Var(&o.Seed, "seed", 1, "seed of the weights and the minibatches")
	f.StringVar(&o.Save, "save", "", "file to save the session to; it must not exist")
	f.StringVar(&o.Resume, "resume", "", "session file of a lab to continue, instead of NAME")
	f.IntVarP(&o.Steps, "steps", "n", 0, "number of updates without the screen; 0 trains to the end")
	f.BoolVar(&o.JSON, "json", false, "train without the screen, and print one JSON object every 10 updates")
	f.BoolVar(&o.Plain, "plain", false, "train without the screen, even on a terminal")
	screenFlags(c, &screen)
	c.MarkFlagFilename("save", "jsonl")
	completeFlag(c, "resume", savedSessionWords)
	completeFlag(c, "set", trainingParamWords)
	completeFlag(c, "second", secondRunWords)
	return recordsAs(c, sessions.AuthorPerson, sessions.ViaCommand)
}

// contrast means the parameters in which a lab suggests that a second run differs.
const contrast = "contrast"

// OnScreen reports whether the training is shown on the screen.
func (o *trainingOptions) OnScreen() bool { return !o.JSON && !o.Plain && o.Steps == 0 && onTerminal() }

// Open starts the session of a lab by the lab's name, or opens the session to continue, by its path or its name in dir.
func (o *trainingOptions) Open(ctx context.Context, errs io.Writer, dir string, name []string) (*training.Session,
	error) {
	if o.Steps < 0 {
		return nil, usagef("-n must be at least 0, got %d", o.Steps)
	}
	if o.Resume != "" {
		for _, flag := range []string{"set", "second", "seed"} {
			if o.flags.Changed(flag) {
				return nil, usagef("--%s cannot be used with --resume: the session in the file has its own", flag)
			}
		}
		if len(name) > 0 {
			return nil, usagef("--resume FILE replaces the name of the lab: leave out %q", name[0])
		}
		s, err := training.Open(ctx, sessionFile(o.Resume, dir))
		if err != nil {
			return nil, err
		}
		printTrainingNotices(s, errs)
		s.Last()
		if !s.State().Saved && o.Save == "" {
			return nil, errors.Join(errors.New("the session file cannot be changed: --save FILE continues in a copy"),
				s.Close())
		}
		return s, o.save(s)
	}
	if len(name) == 0 {
		return nil, usagef("which lab? Name %s; bandscope list labs describes them",
			strings.Join(trainingNames(), " or "))
	}
	l, err := training.Find(name[0])
	if err != nil {
		return nil, asUsage(err)
	}
	s, err := o.begin(ctx, l)
	if err != nil {
		return nil, asUsage(err)
	}
	return s, o.save(s)
}

// save keeps the session in the file that the options name.
func (o *trainingOptions) save(s *training.Session) error {
	if o.Save == "" {
		return nil
	}
	if err := s.SaveAs(o.Save); err != nil {
		return errors.Join(err, s.Close())
	}
	return nil
}

// begin begins a session of a lab.
func (o *trainingOptions) begin(ctx context.Context, l *training.Spec) (*training.Session, error) {
	set, err := parseDecls("--set", l.Defaults(), o.Set)
	if err != nil {
		return nil, err
	}
	if o.flags.Changed("seed") {
		if _, twice := set[l.Seed]; twice {
			return nil, fmt.Errorf("--seed and --set %s set the same parameter: use one of them", l.Seed)
		}
		set[l.Seed] = float64(o.Seed)
	}
	s, err := training.New(l, set)
	if err != nil || len(o.SecondRun) == 0 {
		return s, err
	}
	second := map[string]any{}
	for _, text := range o.SecondRun {
		differs := l.SecondRun
		if text != contrast {
			differs, err = parseDecls("--second", l.Defaults(), []string{text})
			if err != nil {
				return nil, err
			}
		}
		maps.Copy(second, differs)
	}
	_, err = s.AddRun(ctx, second, nil)
	return s, err
}

// parseDecls reads key=value words. The result also contains values that equal their defaults.
func parseDecls(flag string, p param.Set, words []string) (map[string]any, error) {
	set := map[string]any{}
	for _, w := range words {
		key, text, ok := strings.Cut(w, "=")
		key = strings.TrimSpace(key)
		if !ok {
			return nil, fmt.Errorf("%s takes key=value, got %q", flag, w)
		}
		d, err := p.Decl(key)
		if err != nil {
			return nil, err
		}
		set[key], err = d.Parse(text)
		if err != nil {
			return nil, err
		}
	}
	return set, nil
}

func trainingNames() (list []string) {
	for _, l := range training.Specs() {
		list = append(list, l.Name)
	}
	return list
}

// printTrainingNotices prints the notices of a session, now and later.
func printTrainingNotices(s *training.Session, errs io.Writer) {
	advice := ""
	if st := s.State(); st.Path != "" && !st.Saved {
		advice = copyAdvice("lab", st.Path)
	}
	printNotices(s, newBar(errs), advice)
}

// rowEvery is how many updates lie between two rows of a table.
const rowEvery = 10

// trainSession trains a session without the screen and prints its measurements. When ctx ends, the error says at which
// update; the updates until then are kept.
func trainSession(ctx context.Context, out, errs io.Writer, s *training.Session, o *trainingOptions) error {
	deferExit(ctx) // the updates before a signal are still recorded
	st := s.State()
	first, until := st.Step, st.Total
	if o.Steps > 0 {
		until = first + min(o.Steps, st.Total-first)
	}
	t := newTrainingTable(out, st.Spec, o.JSON)
	if err := t.begin(st); err != nil {
		return errors.Join(err, s.Close())
	}
	bar := newBar(errs)
	began := time.Now()
	s.SetAuthor(authorFrom(ctx))
	var err error
	for err == nil && st.Step < until && st.Ended() == "" {
		n, step := min(rowEvery-st.Step%rowEvery, until-st.Step), st.Step
		before := st
		st, err = s.Step(ctx, n, func(string, int, int) { bar.Show(step-first, until-first, "training") })
		bar.Clear()
		err = errors.Join(err, t.rows(st, before, false))
	}
	if ctx.Err() != nil {
		err = fmt.Errorf("interrupted after update %d of %d%s", st.Step, st.Total, resumeAdvice(st))
	}
	if err == nil {
		err = t.end(st, time.Since(began))
	}
	if err == nil && !slices.ContainsFunc(st.Runs, func(r training.Run) bool { return r.Failed == "" }) {
		err = errors.New(st.Runs[0].Failed)
	}
	return errors.Join(err, s.Close())
}

// resumeAdvice says how to continue a session.
func resumeAdvice(st training.State) string {
	if !st.Saved {
		return ""
	}
	return "; bandscope lab --resume " + st.Path + " continues"
}
