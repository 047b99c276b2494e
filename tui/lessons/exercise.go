package lessons

import (
	"context"
	"fmt"
	"io"

	"bandscope/sessions"
	"bandscope/sessions/safe"
	"bandscope/sessions/script"
	"bandscope/tui/explore/claims"
)

// performed checks a script: it is performed, its pages are checked, and the way to the goals of its exercise is gone.
func (v *verdict) performed(ctx context.Context, path string, progress sessions.Progress) error {
	text, m, err := perform(ctx, path, progress)
	if err != nil {
		return err
	}
	if m.lab != nil {
		v.take(m.lab)
		return m.lab.Close()
	}
	defer m.session.Close()
	if err := v.pages(ctx, m.session, progress); err != nil {
		return err
	}
	_, exercise, err := script.CutExercise(text, beside(path))
	if err != nil || exercise == nil {
		return err
	}
	return v.solved(ctx, exercise, progress)
}

// begun checks that the exercise of a lesson can be begun, and that its goals can be measured and do not hold already. It returns its session; nil where that
// cannot be.
func (v *verdict) begun(ctx context.Context, e *sessions.Exercise) (*sessions.Session, error) {
	s, err := sessions.New(ctx, e.Config, sessions.WithTask(&e.Task))
	if err != nil {
		v.wrong("it can be begun", err.Error())
		return nil, nil
	}
	goals, err := claims.Measure(ctx, s.Snapshot(), &e.Task)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		v.wrong("its goals can be measured", err.Error())
		return nil, nil
	case claims.Reached(goals):
		v.wrong("its goals do not hold at its beginning", "all of them do")
	}
	return s, nil
}

// solved goes the way to the goals of an exercise.
func (v *verdict) solved(ctx context.Context, e *script.Exercise, progress sessions.Progress) error {
	s, err := v.begun(ctx, &e.Exercise)
	if err != nil || s == nil {
		return err
	}
	for _, act := range e.Solve {
		if err := script.Do(ctx, s, act, progress); err != nil {
			return fmt.Errorf("solving the exercise: %s: %w", act, err)
		}
	}
	goals, err := claims.Measure(ctx, s.Snapshot(), &e.Task)
	v.Solved = claims.Reached(goals)
	for _, g := range goals {
		if !g.Holds {
			v.wrong(g.Claim+" after the way to it", g.Said())
		}
	}
	return err
}

// wrong takes what is not true of the exercise.
func (v *verdict) wrong(claim, why string) {
	v.Broken = append(v.Broken, broken{Title: "the exercise", Claim: claim, Why: why})
}

// goals measures the goals of a session that is an exercise, where it was left.
func (v *verdict) goals(ctx context.Context, s *sessions.Session) (err error) {
	v.Lesson = s.Task().Lesson
	v.Goals, err = claims.Measure(ctx, s.Snapshot(), s.Task())
	return err
}

// writeGoals writes how far the goals of an exercise are.
func (v *verdict) writeGoals(out io.Writer, before string) {
	for _, g := range v.Goals {
		fmt.Fprintln(out, before+safe.Text(g.Claim+": "+g.Said()))
	}
}

// held counts the goals that hold.
func (v *verdict) held() (n int) {
	for _, g := range v.Goals {
		if g.Holds {
			n++
		}
	}
	return n
}
