// Package headless is the program without its screen: it steps, replays, verifies, exports, compares and lists sessions, for people in a hurry
// and for other programs. Options go in as structures, results go out on standard output, and what is under way on standard error; an error says
// by its type whether the command was wrong. The engine is that of package sessions: nothing is computed here that it does not compute, and no flag
// is read here.
package headless

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"sync"
	"time"

	"charm.land/bubbles/v2/progress"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"bandscope/functions/digits"
	"bandscope/sessions"
	"bandscope/sessions/log"
	"bandscope/sessions/report"
	"bandscope/sessions/safe"
	"bandscope/sessions/shelf"
)

// Usage is an error of the caller: the words of a command are off. Programs end with status 2 for it.
type Usage struct{ Err error }

func (u Usage) Error() string { return u.Err.Error() }

// Unwrap returns the error itself.
func (u Usage) Unwrap() error { return u.Err }

func usagef(format string, args ...any) error { return Usage{fmt.Errorf(format, args...)} }

// Setting is a configuration as flags give it.
type Setting struct {
	Function  string
	File      string // of the experiment, in place of a function; empty for none
	Optimizer string // empty is the default for the function
	Seed      uint64
	Noise     float64
	Budget    int
	Set       []string // key=value

	Cost          string  // an expression of the variables, empty for the problem's own
	CostBudget    float64 // what the evaluations may cost together, 0 for no such bound
	Import        string  // a CSV file of earlier observations, empty for none
	Prior         string  // over the weights of several objectives; empty is the default
	Scalarization string
}

// Config reads the setting; what it names wrongly is an error of usage.
func (s Setting) Config() (sessions.Config, error) {
	cfg, err := s.about()
	if err != nil {
		return cfg, Usage{err}
	}
	values, err := parseSet(cfg, s.pairs())
	if err != nil {
		return cfg, Usage{err}
	}
	cfg.Params = values
	return cfg, nil
}

// about is what the setting says without the parameters of the method.
func (s Setting) about() (sessions.Config, error) {
	cfg := sessions.Config{Problem: s.Function, Optimizer: s.Optimizer, Seed: s.Seed, Noise: s.Noise, Budget: s.Budget, Cost: s.Cost, CostBudget: s.CostBudget}
	if s.File == "" {
		return cfg, nil
	}
	return cfg.WithExperiment(s.File)
}

// Start makes a session of the setting.
func (s Setting) Start(ctx context.Context) (*sessions.Session, error) {
	if s.Import != "" {
		return s.startFrom(ctx, s.Import)
	}
	cfg, err := s.Config()
	if err != nil {
		return nil, err
	}
	session, err := sessions.New(cfg)
	if err != nil {
		return nil, Usage{err}
	}
	return session, nil
}

// RunOptions say what Run does.
type RunOptions struct {
	Setting
	Steps  int    // to take now; 0 goes on to the budget
	Save   string // file of a new session
	Resume string // file of a session to go on with
	JSON   bool
}

// Run steps a session without a screen: results to out, progress and notices to errs. Cancelled, it stops after what was done
// so far, which is saved.
func Run(ctx context.Context, out, errs io.Writer, o RunOptions) error {
	s, err := o.open(ctx, errs)
	if err != nil {
		return err
	}
	defer s.Close()
	if o.Save != "" {
		if err := s.SaveAs(o.Save); err != nil {
			return err
		}
	}
	st := s.State()
	steps := o.Steps
	if steps == 0 && st.Config.CostBudget > 0 {
		steps = math.MaxInt32 // the cost ends it
	} else if steps == 0 {
		steps = max(st.Config.Budget-len(st.Iterations), 0)
	}
	if !o.JSON {
		fmt.Fprintln(out, st.Title())
	}
	bar := newBar(errs)
	for i := range steps {
		if st := s.State(); st.Config.CostBudget > 0 && st.Over() != "" {
			break
		}
		bar.show(i, steps, "")
		_, err := s.Step(ctx, func(what string, done, total int) { bar.show(i, steps, detail(what, done, total)) })
		if bar.clear(); errors.Is(err, sessions.ErrNoEvaluator) && s.State().Saved {
			_, err = fmt.Fprintf(errs, "%s; it waits in %s\n", safe.Text(err.Error()), safe.Text(s.Path()))
			return errors.Join(err, s.Close())
		}
		if err != nil {
			return errors.Join(interrupted(ctx, err, s), s.Close())
		}
		st := s.State()
		if err := writeRow(out, st, len(st.Iterations)-1, report.AllTracesOf(st), o.JSON); err != nil {
			return err
		}
	}
	if err := summarize(out, s.State(), o.JSON); err != nil {
		return err
	}
	return s.Close()
}

func (o RunOptions) open(ctx context.Context, errs io.Writer) (*sessions.Session, error) {
	if o.Steps < 0 {
		return nil, usagef("-n must be at least 0, got %d", o.Steps)
	}
	if o.Resume == "" {
		if o.File != "" && o.Save == "" {
			return nil, usagef("nobody is attached who evaluates %s: --save FILE says where its points wait", o.File)
		}
		return o.Start(ctx)
	}
	s, err := Open(ctx, o.Resume, errs)
	if err != nil {
		return nil, err
	}
	if s.State().ReadOnly && o.Save == "" {
		s.Close()
		return nil, errors.New("the session cannot be appended to: --save FILE goes on with a copy")
	}
	s.Last()
	if o.File != "" {
		if changed := s.Declared(o.File); changed != "" {
			fmt.Fprintln(errs, "bandscope: "+safe.Text(changed))
		}
	}
	return s, nil
}

// Open opens a session, by its path or the name under which it is kept, to go on with, and writes what should be known of it to errs.
func Open(ctx context.Context, path string, errs io.Writer) (*sessions.Session, error) {
	s, err := sessions.OpenContext(ctx, FileOf(path, shelf.DefaultDir()))
	return notify(s, err, errs)
}

// Read opens a session, by its path or the name under which it is kept, to tell of it, and writes what should be known of it to errs. Its file is left alone.
func Read(ctx context.Context, path string, errs io.Writer) (*sessions.Session, error) {
	s, err := sessions.Peek(ctx, FileOf(path, shelf.DefaultDir()))
	return notify(s, err, errs)
}

func notify(s *sessions.Session, err error, errs io.Writer) (*sessions.Session, error) {
	if err != nil {
		return nil, err
	}
	for _, n := range s.Notices() {
		fmt.Fprintln(errs, "bandscope: "+safe.Text(n))
	}
	return s, nil
}

func interrupted(ctx context.Context, err error, s *sessions.Session) error {
	if ctx.Err() == nil {
		return err
	}
	st := s.State()
	if st.Saved {
		return fmt.Errorf("interrupted after step %d; bandscope run --resume %s goes on", len(st.Iterations), st.Path)
	}
	return fmt.Errorf("interrupted after step %d", len(st.Iterations))
}

func writeRow(out io.Writer, st sessions.State, i int, t report.Traces, asJSON bool) error {
	if asJSON {
		return safe.JSON(out, report.RowOf(st, i, t))
	}
	_, err := fmt.Fprintln(out, report.Line(st, i, t))
	return err
}

// summarize ends a run: the best point, the regret and the time.
func summarize(out io.Writer, st sessions.State, asJSON bool) error {
	x, y, step, ok := st.Best()
	t := report.AllTracesOf(st)
	seconds := 0.0
	for _, it := range st.Iterations {
		seconds += it.Seconds
	}
	last := func(v []float64) report.Number {
		if len(v) == 0 {
			return report.Number(math.NaN())
		}
		return report.Number(v[len(v)-1])
	}
	if asJSON {
		sum := map[string]any{"summary": true, "steps": len(st.Iterations), "best": nil, "best_x": nil, "best_step": nil,
			"simple_regret": last(t.Simple), "cumulative_regret": last(t.Cumulative), "seconds": report.Number(seconds)}
		if t.Several != nil {
			sum["hypervolume"] = last(t.Several.Hypervolume)
			if m := report.MeasuredOf(st); m != nil {
				sum["measured_by"] = m
			}
			if t.Several.BayesRegret != nil {
				sum["bayes_regret"] = last(t.Several.BayesRegret)
			}
			if t.Several.Share != nil {
				sum["share"] = last(t.Several.Share)
			}
			sum["front"] = log.CastRows[report.Number](report.Front(st, len(st.Iterations)))
		} else if ok {
			sum["best"], sum["best_x"], sum["best_step"] = y, x, step
		}
		if st.Costly() {
			sum["total_cost"], sum["weighted_regret"] = report.Number(st.Spent()), last(t.Weighted)
		}
		return safe.JSON(out, sum)
	}
	line := fmt.Sprintf("%d steps", len(st.Iterations))
	if t.Several != nil {
		line += " · hypervolume " + digits.Of(float64(last(t.Several.Hypervolume)))
		if t.Several.BayesRegret != nil {
			line += " · Bayes regret " + digits.Of(float64(last(t.Several.BayesRegret)))
		}
		if t.Several.Share != nil {
			line += fmt.Sprintf(" · %.0f %% inside the boxes", 100*float64(last(t.Several.Share)))
		}
	} else if ok {
		line += fmt.Sprintf(" · best %s at step %d", digits.Of(y), step)
	}
	if r := last(t.Simple); !math.IsNaN(float64(r)) {
		line += fmt.Sprintf(" · simple regret %s · cumulative %s", digits.Of(float64(r)), digits.Of(float64(last(t.Cumulative))))
	}
	if st.Costly() {
		line += " · cost " + digits.Of(st.Spent())
	}
	line = fmt.Sprintf("%s · %.2f s to suggest\n", line, seconds)
	if m := report.MeasuredBy(st); m != "" {
		line += m + "\n"
	}
	_, err := io.WriteString(out, line)
	return err
}

func detail(what string, done, total int) string {
	if total > 0 {
		return fmt.Sprintf("%s %d/%d", what, done, total)
	}
	return what
}

// bar is a progress bar on a terminal; elsewhere it shows nothing. It may be used from several goroutines.
type bar struct {
	mu    sync.Mutex
	w     io.Writer
	model progress.Model
	shown time.Time
}

func newBar(w io.Writer) *bar {
	if !isTerminal(w) {
		return &bar{}
	}
	return &bar{w: colorprofile.NewWriter(w, os.Environ()), model: progress.New(progress.WithWidth(32), progress.WithoutPercentage())}
}

// isTerminal says whether what is written can be seen by a person at once.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// show draws the bar, at most ten times a second.
func (b *bar) show(done, total int, what string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.w == nil || time.Since(b.shown) < 100*time.Millisecond {
		return
	}
	b.shown = time.Now()
	fmt.Fprintf(b.w, "\r\x1b[K%s %d/%d %s", b.model.ViewAs(float64(done)/float64(max(total, 1))), done, total, what)
}

func (b *bar) clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.w != nil {
		fmt.Fprint(b.w, "\r\x1b[K")
	}
}

// ReplayOptions say how Replay plays.
type ReplayOptions struct {
	Verify bool
	Speed  float64 // iterations a second on a terminal; 0 prints at once
}

// Replay prints the iterations of a session as they are on record, or verifies them.
func Replay(ctx context.Context, out, errs io.Writer, path string, o ReplayOptions) error {
	s, err := Read(ctx, path, errs)
	if err != nil {
		return err
	}
	s.Last()
	st := s.State()
	if o.Verify {
		return verify(ctx, out, errs, s)
	}
	if _, err := fmt.Fprintln(out, st.Title()); err != nil {
		return err
	}
	t := report.AllTracesOf(st)
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
		if err := writeRow(out, st, i, t, false); err != nil {
			return err
		}
	}
	return nil
}

func verify(ctx context.Context, out, errs io.Writer, s *sessions.Session) error {
	bar := newBar(errs)
	v, err := report.Verify(ctx, s, func(what string, done, total int) { bar.show(done, total, what) })
	bar.clear()
	if ctx.Err() != nil {
		return fmt.Errorf("interrupted after %d suggestions, which repeat themselves", v.Checked)
	}
	if err != nil {
		return err
	}
	if v.Diverged != nil {
		return errors.New(v.String())
	}
	_, err = fmt.Fprintln(out, v)
	return err
}

// parseSet reads key=value pairs.
func parseSet(cfg sessions.Config, pairs []string) (map[string]any, error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	params, err := cfg.Defaults()
	if err != nil {
		return nil, err
	}
	for _, p := range pairs {
		key, value, ok := strings.Cut(p, "=")
		if !ok {
			return nil, fmt.Errorf("--set takes key=value, got %q", p)
		}
		if params, err = params.WithText(strings.TrimSpace(key), value); err != nil {
			return nil, err
		}
	}
	return params.Changed(), nil
}
