// Package labs is the labs without their screen: a training is begun or gone on with, and told as a table while it runs; what is on record of one is printed, verified, told
// in a few lines, and written as rows for other programs. Options and paths go in, text and JSON come out, and what is under way goes to standard error. The trainings,
// and what is kept of them, are those of package lab; commands that are about sessions of any kind turn here where a file is a lab's.
package labs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"bandscope/optimizers/param"
	"bandscope/sessions/headless/command"
	"bandscope/sessions/lab"
)

// Options say what is trained.
type Options struct {
	Set    []string // parameters, as key=value
	Beside []string // those in which a second run differs, or contrast for what the lab offers
	Seed   uint64   // of weights and minibatches, where Seeded
	Save   string   // file of a new session
	Resume string   // file of a session to go on with
	Steps  int      // updates to train now; 0 goes on to the end
	JSON   bool
	Plain  bool // also on a terminal

	flags *pflag.FlagSet
}

// contrast stands for the parameters in which a lab offers a second run to differ.
const contrast = "contrast"

// Flags declares the flags that set the options.
func (o *Options) Flags(f *pflag.FlagSet) {
	o.flags = f
	f.StringArrayVar(&o.Set, "set", nil, "a parameter of the lab, as key=value; may be repeated; see list labs NAME")
	f.StringArrayVar(&o.Beside, "beside", nil, "lay a second run beside the first that differs in this parameter, as key=value, or in what the lab suggests (contrast); may be repeated")
	f.Uint64Var(&o.Seed, "seed", 1, "of the weights and the minibatches")
	f.StringVar(&o.Save, "save", "", "file to keep the session in; it must not exist")
	f.StringVar(&o.Resume, "resume", "", "file of a lab's session to go on with, in place of NAME")
	f.IntVarP(&o.Steps, "steps", "n", 0, "updates to train without a screen; 0 goes on to the end")
	f.BoolVar(&o.JSON, "json", false, "train without a screen, one JSON object every 10 updates")
	f.BoolVar(&o.Plain, "plain", false, "train without a screen, also on a terminal")
}

// Watched reports whether the training is watched on a screen.
func (o *Options) Watched() bool { return !o.JSON && !o.Plain && o.Steps == 0 && command.OnTerminal() }

// Open begins the session of a lab by its name, or opens the one to go on with, by its path or the name under which it is kept in a folder.
func (o *Options) Open(ctx context.Context, errs io.Writer, dir string, name []string) (*lab.Session, error) {
	if o.Steps < 0 {
		return nil, command.Usagef("-n must be at least 0, got %d", o.Steps)
	}
	if o.Resume != "" {
		for _, flag := range []string{"set", "beside", "seed"} {
			if o.flags.Changed(flag) {
				return nil, command.Usagef("--%s does not go with --resume: the session in the file has its own", flag)
			}
		}
		if len(name) > 0 {
			return nil, command.Usagef("--resume FILE stands in place of the lab's name, which is in the file; got %q besides", name[0])
		}
		s, err := lab.Open(ctx, command.FileOf(o.Resume, dir))
		if err != nil {
			return nil, err
		}
		tellNotices(s, errs)
		s.Last()
		if !s.State().Saved && o.Save == "" {
			return nil, errors.Join(errors.New("the session cannot be appended to: --save FILE goes on with a copy"), s.Close())
		}
		return s, o.save(s)
	}
	if len(name) == 0 {
		return nil, command.Usagef("which lab? %s; list labs tells what they are", strings.Join(names(), " or "))
	}
	l, err := lab.Find(name[0])
	if err != nil {
		return nil, command.Usage{Err: err}
	}
	s, err := o.begin(ctx, l)
	if err != nil {
		return nil, command.Usage{Err: err}
	}
	return s, o.save(s)
}

// save keeps the session in the file that the options name.
func (o *Options) save(s *lab.Session) error {
	if o.Save == "" {
		return nil
	}
	if err := s.SaveAs(o.Save); err != nil {
		return errors.Join(err, s.Close())
	}
	return nil
}

// begin begins a session of a lab.
func (o *Options) begin(ctx context.Context, l *lab.Lab) (*lab.Session, error) {
	set, err := pairs("--set", l.Defaults(), o.Set)
	if err != nil {
		return nil, err
	}
	if o.flags.Changed("seed") {
		if _, twice := set[l.Seed]; twice {
			return nil, fmt.Errorf("--seed and --set %s say the same thing twice", l.Seed)
		}
		set[l.Seed] = float64(o.Seed)
	}
	s, err := lab.New(l, set)
	if err != nil || len(o.Beside) == 0 {
		return s, err
	}
	beside := map[string]any{}
	for _, text := range o.Beside {
		differs := l.Contrast
		if text != contrast {
			if differs, err = pairs("--beside", l.Defaults(), []string{text}); err != nil {
				return nil, err
			}
		}
		maps.Copy(beside, differs)
	}
	_, err = s.Lay(ctx, beside, nil)
	return s, err
}

// pairs reads key=value words; what has its default by them is told as well.
func pairs(flag string, p param.Set, words []string) (map[string]any, error) {
	set := map[string]any{}
	for _, w := range words {
		key, text, ok := strings.Cut(w, "=")
		if key = strings.TrimSpace(key); !ok {
			return nil, fmt.Errorf("%s takes key=value, got %q", flag, w)
		}
		d, err := p.Decl(key)
		if err != nil {
			return nil, err
		}
		if set[key], err = d.Parse(text); err != nil {
			return nil, err
		}
	}
	return set, nil
}

func names() (list []string) {
	for _, l := range lab.Labs() {
		list = append(list, l.Name)
	}
	return list
}

// tellNotices writes what should be known of a session that was opened, and what comes to be known of it later.
func tellNotices(s *lab.Session, errs io.Writer) {
	advice := ""
	if st := s.State(); st.Path != "" && !st.Saved {
		advice = command.Copying("lab", st.Path)
	}
	command.Notices(s, command.NewBar(errs), advice)
}

// every is how many updates lie between two rows of a table.
const every = 10

// Train trains a session without a screen, and prints what is measured on the way. Cancelled, it says how far it came; what was trained is kept.
func Train(ctx context.Context, out, errs io.Writer, s *lab.Session, o *Options) error {
	command.Patient(ctx) // what was trained until a signal is still recorded
	st := s.State()
	first, until := st.Step, st.Of
	if o.Steps > 0 {
		until = first + min(o.Steps, st.Of-first)
	}
	t := newTable(out, st.Lab, o.JSON)
	if err := t.begin(st); err != nil {
		return errors.Join(err, s.Close())
	}
	bar := command.NewBar(errs)
	began := time.Now()
	var err error
	for err == nil && st.Step < until && st.Ended() == "" {
		n, at := min(every-st.Step%every, until-st.Step), st.Step
		before := st
		st, err = s.Step(ctx, n, func(string, int, int) { bar.Show(at-first, until-first, "training") })
		bar.Clear()
		err = errors.Join(err, t.rows(st, before, false))
	}
	if ctx.Err() != nil {
		err = fmt.Errorf("interrupted after update %d of %d%s", st.Step, st.Of, goesOn(st))
	}
	if err == nil {
		err = t.end(st, time.Since(began))
	}
	if err == nil && !slices.ContainsFunc(st.Runs, func(r lab.Run) bool { return r.Failed == "" }) {
		err = errors.New(st.Runs[0].Failed)
	}
	return errors.Join(err, s.Close())
}

// goesOn says how a session is gone on with.
func goesOn(st lab.State) string {
	if !st.Saved {
		return ""
	}
	return "; bandscope lab --resume " + st.Path + " goes on"
}
