package lessons

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"bandscope/functions/digits"
	"bandscope/sessions"
	"bandscope/sessions/headless/command"
	"bandscope/sessions/lab"
	held "bandscope/sessions/lab/claims"
	"bandscope/sessions/safe"
	"bandscope/sessions/shelf"
	"bandscope/tui/explore/claims"
)

// checking is what lessons are checked with.
type checking struct{ all, json bool }

// verdict is what was found of a lesson.
type verdict struct {
	Lesson string   `json:"lesson"`
	Pages  int      `json:"pages"`
	Claims int      `json:"claims"`
	Broken []broken `json:"broken"`

	Solved bool          `json:"solved,omitempty"` // of a script: the way to the goals of its exercise was gone
	Goals  []claims.Goal `json:"goals,omitempty"`  // of a session that is an exercise
}

// broken is a claim that is not true.
type broken struct {
	Page  int    `json:"page"` // from 1; 0 of the exercise
	Title string `json:"title"`
	Claim string `json:"claim"`
	Why   string `json:"why"`
}

func (b broken) String() string {
	if b.Page == 0 {
		return fmt.Sprintf("%s: %s: %s", b.Title, b.Claim, b.Why)
	}
	return fmt.Sprintf("page %d, %q: %s: %s", b.Page, b.Title, b.Claim, b.Why)
}

// check checks lessons by their names or files, one after the other, and writes what it found. That a claim is not true is an error in the end.
func (o checking) check(ctx context.Context, out, errs io.Writer, names []string) error {
	bar := command.NewBar(errs)
	checked, wrong, lessons, open, goals := 0, 0, 0, 0, 0
	for i, name := range names {
		bar.Show(i, len(names), "checking "+safe.Text(name))
		v, err := o.look(ctx, name, func(_ string, done, total int) {
			if total > 0 {
				bar.Show(i*100+done*100/total, len(names)*100, "checking "+safe.Text(name))
			}
		})
		bar.Clear()
		if err != nil {
			if len(names) > 1 {
				err = fmt.Errorf("%s: %w", safe.Text(name), err)
			}
			return err
		}
		if err := o.write(out, v, len(names) > 1); err != nil {
			return err
		}
		checked, goals, open = checked+v.Claims, goals+len(v.Goals), open+len(v.Goals)-v.held()
		if wrong += len(v.Broken); len(v.Broken) > 0 {
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

// write writes what was found of a lesson, one of several.
func (o checking) write(out io.Writer, v verdict, several bool) error {
	if o.json {
		return safe.JSON(out, v)
	}
	before := ""
	if several {
		before = safe.Text(v.Lesson) + ": "
	}
	if v.Goals != nil {
		v.writeGoals(out, before)
		return nil
	}
	for _, b := range v.Broken {
		fmt.Fprintln(out, before+safe.Text(b.String()))
	}
	if len(v.Broken) > 0 {
		return nil
	}
	solved := ""
	if v.Solved {
		solved = ", and the exercise can be done as the script says"
	}
	_, err := fmt.Fprintf(out, "%s%s on %s %s true%s\n", before, digits.Count(v.Claims, "claim"), digits.Count(v.Pages, "page"), map[bool]string{true: "is", false: "are"}[v.Claims == 1], solved)
	return err
}

// look checks a lesson, a script of one, or an exercise.
func (o checking) look(ctx context.Context, name string, progress sessions.Progress) (verdict, error) {
	v := verdict{Lesson: name, Broken: []broken{}}
	if filepath.Ext(name) == ".md" {
		err := v.performed(ctx, name, progress)
		return v, err
	}
	if s, err := sessions.Peek(ctx, name); err == nil && s.Task() != nil {
		err := v.goals(ctx, s)
		return v, err
	}
	s, err := shelf.FindLesson(ctx, name)
	if errors.Is(err, sessions.ErrLab) {
		l, err := shelf.FindLabLesson(ctx, name)
		if err != nil {
			return v, command.Wrong(err)
		}
		v.take(l)
		return v, nil
	}
	if err != nil {
		return v, command.Wrong(err)
	}
	if err := v.pages(ctx, s, progress); err != nil || s.Lesson().Exercise == nil {
		return v, err
	}
	_, err = v.begun(ctx, s.Lesson().Exercise)
	return v, err
}

// pages checks what the pages of a lesson claim.
func (v *verdict) pages(ctx context.Context, s *sessions.Session, progress sessions.Progress) error {
	v.Pages = len(s.Timeline().Stops)
	checked, found, err := claims.Check(ctx, s, progress)
	v.Claims = checked
	for _, b := range found {
		v.Broken = append(v.Broken, broken(b))
	}
	return err
}

// take takes what the pages of a lab's lesson claim of its trace.
func (v *verdict) take(l *lab.Session) {
	checked, found := held.Check(l)
	v.Pages, v.Claims = len(l.Timeline().Stops), checked
	for _, b := range found {
		v.Broken = append(v.Broken, broken(b))
	}
}
