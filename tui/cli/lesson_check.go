package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/lesson"
	"bandscope/sessions/library"
	"bandscope/sessions/sanitize"
	"bandscope/sessions/training"
	"bandscope/tui/lessonpage"
)

type lessonCheck struct{ all, json, csv bool }

func lessonCheckCommand() *cobra.Command {
	var o lessonCheck
	c := &cobra.Command{Use: "check NAME|FILE...",
		Short: "Check that the claims of lessons are true, or that the goals of an exercise hold",
		Long: "Check that the claims of lessons about their pictures are true. The command performs a script (.md)\n" +
			"first. For the session of an exercise, it checks whether the goals hold.",
		Args: args(cobra.ArbitraryArgs),
		Example: "  bandscope lesson check posterior\n  bandscope lesson check --all\n" +
			"  bandscope lesson check mine.md mine.jsonl --json\n" +
			"  bandscope lesson check exercises/*.jsonl --csv > marks.csv",
		ValidArgsFunction: completeArgs(lessonWords),
		RunE: func(c *cobra.Command, names []string) error {
			switch {
			case o.all && len(names) > 0:
				return usagef("--all checks all lessons of the course and the gallery: leave out the names")
			case o.all:
				for _, l := range append(library.Lessons(), library.Gallery()...) {
					names = append(names, l.Name)
				}
			case len(names) == 0:
				return usagef("which lesson? Name a lesson or a file, or use --all")
			}
			if o.csv {
				return o.mark(c.Context(), c.OutOrStdout(), names)
			}
			return o.check(c.Context(), c.OutOrStdout(), c.ErrOrStderr(), names)
		}}
	c.Flags().BoolVar(&o.all, "all", false, "check all lessons of the course and the gallery")
	c.Flags().BoolVar(&o.csv, "csv", false, "mark exercises: print a table with a row per file, also of files that cannot be read")
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON object per lesson")
	c.MarkFlagsMutuallyExclusive("csv", "json")
	return c
}

type lessonCheckResult struct {
	Lesson string        `json:"lesson"`
	Pages  int           `json:"pages"`
	Claims int           `json:"claims"`
	Broken []brokenClaim `json:"broken"`

	Solved bool              `json:"solved,omitempty"` // the solution in a script reaches the goals of its exercise
	Goals  []lessonpage.Goal `json:"goals,omitempty"`  // of a session that is an exercise
}

type brokenClaim struct {
	Page  int    `json:"page"` // from 1; 0 is the exercise
	Title string `json:"title"`
	Claim string `json:"claim"`
	Why   string `json:"reason"`
}

func (b brokenClaim) String() string {
	if b.Page == 0 {
		return fmt.Sprintf("%s: %s: %s", b.Title, b.Claim, b.Why)
	}
	return fmt.Sprintf("page %d, %q: %s: %s", b.Page, b.Title, b.Claim, b.Why)
}

// check checks lessons by their names or files and writes the result of each. It returns an error at the end if a claim
// is not true.
func (o lessonCheck) check(ctx context.Context, out, errs io.Writer, names []string) error {
	bar := newBar(errs)
	checked := 0
	wrong := 0
	lessons := 0
	open := 0
	goals := 0
	for i, name := range names {
		bar.Show(i, len(names), "checking "+sanitize.Text(name))
		v, err := o.checkOne(ctx, name, func(_ string, done, total int) {
			if total > 0 {
				bar.Show(i*100+done*100/total, len(names)*100, "checking "+sanitize.Text(name))
			}
		})
		bar.Clear()
		if err != nil {
			if len(names) > 1 {
				err = fmt.Errorf("%s: %w", sanitize.Text(name), err)
			}
			return err
		}
		if err := o.write(out, v, len(names) > 1); err != nil {
			return err
		}
		checked = checked + v.Claims
		goals = goals + len(v.Goals)
		open = open + len(v.Goals) - v.goalsMet()
		wrong += len(v.Broken)
		if len(v.Broken) > 0 {
			lessons++
		}
	}
	switch {
	case wrong > 0 && len(names) > 1:
		return fmt.Errorf("%d of %d claims are not true, in %d of %d lessons", wrong, checked, lessons, len(names))
	case wrong > 0:
		return fmt.Errorf("%d of %d claims are not true", wrong, max(checked, wrong))
	case open > 0:
		return fmt.Errorf("%d of %d goals hold", goals-open, goals)
	}
	return nil
}

func (o lessonCheck) write(out io.Writer, v lessonCheckResult, several bool) error {
	if o.json {
		return sanitize.JSON(out, v)
	}
	before := ""
	if several {
		before = sanitize.Text(v.Lesson) + ": "
	}
	if v.Goals != nil {
		v.writeGoals(out, before)
		return nil
	}
	for _, b := range v.Broken {
		fmt.Fprintln(out, before+sanitize.Text(b.String()))
	}
	if len(v.Broken) > 0 {
		return nil
	}
	solved := ""
	if v.Solved {
		solved = ", and the solution in the script reaches the goals of the exercise"
	}
	_, err := fmt.Fprintf(out, "%s%s on %s %s true%s\n", before, numfmt.Count(v.Claims, "claim"),
		numfmt.Count(v.Pages, "page"), map[bool]string{true: "is", false: "are"}[v.Claims == 1], solved)
	return err
}

// checkOne checks a lesson, a script of one, or an exercise.
func (o lessonCheck) checkOne(ctx context.Context, name string, progress sessions.Progress) (lessonCheckResult, error) {
	v := lessonCheckResult{Lesson: name, Broken: []brokenClaim{}}
	if filepath.Ext(name) == ".md" {
		err := v.checkScript(ctx, name, progress)
		return v, err
	}
	if s, err := sessions.OpenReadOnly(ctx, name); err == nil && s.Task() != nil {
		err := v.goals(ctx, s)
		return v, err
	}
	s, err := library.FindLesson(ctx, name)
	if errors.Is(err, sessions.ErrTraining) {
		l, err := library.FindTrainingLesson(ctx, name)
		if err != nil {
			return v, asUsage(err)
		}
		v.addTrainingClaims(l)
		return v, nil
	}
	if err != nil {
		return v, asUsage(err)
	}
	if err := v.pages(ctx, s, progress); err != nil || s.Lesson().Exercise == nil {
		return v, err
	}
	_, err = v.beginExercise(ctx, s.Lesson().Exercise)
	return v, err
}

// pages checks the claims on the pages of a lesson.
func (v *lessonCheckResult) pages(ctx context.Context, s *sessions.Session, progress sessions.Progress) error {
	v.Pages = len(s.Timeline().Stops)
	checked, found, err := lessonpage.Check(ctx, s, progress)
	v.Claims = checked
	for _, b := range found {
		v.Broken = append(v.Broken, brokenClaim(b))
	}
	return err
}

// addTrainingClaims checks the claims of a lab's lesson about its trace.
func (v *lessonCheckResult) addTrainingClaims(l *training.Session) {
	checked, found := lesson.Check(l)
	v.Pages, v.Claims = len(l.Timeline().Stops), checked
	for _, b := range found {
		v.Broken = append(v.Broken, brokenClaim(b))
	}
}

// checkScript performs a script, checks its pages and runs the solution of its exercise.
func (v *lessonCheckResult) checkScript(ctx context.Context, path string, progress sessions.Progress) error {
	text, m, err := performScript(ctx, path, progress)
	if err != nil {
		return err
	}
	if m.training != nil {
		v.addTrainingClaims(m.training)
		return m.training.Close()
	}
	defer m.session.Close()
	if err := v.pages(ctx, m.session, progress); err != nil {
		return err
	}
	_, exercise, err := lesson.CutExercise(text, filesBeside(path))
	if err != nil || exercise == nil {
		return err
	}
	return v.checkSolution(ctx, exercise, progress)
}

// beginExercise checks that the exercise of a lesson can start, and that its goals can be measured and do not hold
// already. It returns its session, or nil if it cannot start.
func (v *lessonCheckResult) beginExercise(ctx context.Context, e *sessions.Exercise) (*sessions.Session, error) {
	s, err := sessions.New(ctx, e.Config, sessions.WithTask(&e.Task))
	if err != nil {
		v.addBroken("it can start", err.Error())
		return nil, nil
	}
	goals, err := lessonpage.Measure(ctx, s.Snapshot(), &e.Task)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		v.addBroken("its goals can be measured", err.Error())
		return nil, nil
	case lessonpage.AllReached(goals):
		v.addBroken("its goals do not hold at the start", "all of them hold")
	}
	return s, nil
}

// checkSolution runs the solution of an exercise and checks that it reaches the goals.
func (v *lessonCheckResult) checkSolution(ctx context.Context, e *lesson.Exercise, progress sessions.Progress) error {
	s, err := v.beginExercise(ctx, &e.Exercise)
	if err != nil || s == nil {
		return err
	}
	for _, act := range e.Solve {
		if err := lesson.Do(ctx, s, act, progress); err != nil {
			return fmt.Errorf("solving the exercise: %s: %w", act, err)
		}
	}
	goals, err := lessonpage.Measure(ctx, s.Snapshot(), &e.Task)
	v.Solved = lessonpage.AllReached(goals)
	for _, g := range goals {
		if !g.Holds {
			v.addBroken(g.Claim+" after the solution", g.ProgressText())
		}
	}
	return err
}

// addBroken adds a claim about the exercise that is not true.
func (v *lessonCheckResult) addBroken(claim, why string) {
	v.Broken = append(v.Broken, brokenClaim{Title: "the exercise", Claim: claim, Why: why})
}

// goals measures the goals of an exercise in the current state of its session.
func (v *lessonCheckResult) goals(ctx context.Context, s *sessions.Session) (err error) {
	v.Lesson = s.Task().Lesson
	v.Goals, err = lessonpage.Measure(ctx, s.Snapshot(), s.Task())
	return err
}

// writeGoals writes the progress towards each goal of an exercise.
func (v *lessonCheckResult) writeGoals(out io.Writer, before string) {
	for _, g := range v.Goals {
		fmt.Fprintln(out, before+sanitize.Text(g.Claim+": "+g.ProgressText()))
	}
}

// goalsMet counts the goals that hold.
func (v *lessonCheckResult) goalsMet() (n int) {
	for _, g := range v.Goals {
		if g.Holds {
			n++
		}
	}
	return n
}
