package lessons

import (
	"context"
	"errors"
	"fmt"
	"io"

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
}

// broken is a claim that is not true.
type broken struct {
	Page  int    `json:"page"` // from 1
	Title string `json:"title"`
	Claim string `json:"claim"`
	Why   string `json:"why"`
}

func (b broken) String() string {
	return fmt.Sprintf("page %d, %q: %s: %s", b.Page, b.Title, b.Claim, b.Why)
}

// check checks lessons by their names or files, one after the other, and writes what it found. That a claim is not true is an error in the end.
func (o checking) check(ctx context.Context, out, errs io.Writer, names []string) error {
	bar := command.NewBar(errs)
	checked, wrong, lessons := 0, 0, 0
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
		checked += v.Claims
		if wrong += len(v.Broken); len(v.Broken) > 0 {
			lessons++
		}
	}
	switch {
	case wrong > 0 && len(names) > 1:
		return fmt.Errorf("%d of %d claims are not true, in %d of %d lessons", wrong, checked, lessons, len(names))
	case wrong > 0:
		return fmt.Errorf("%d of %d claims are not true", wrong, checked)
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
	for _, b := range v.Broken {
		fmt.Fprintln(out, before+safe.Text(b.String()))
	}
	if len(v.Broken) > 0 {
		return nil
	}
	_, err := fmt.Fprintf(out, "%s%d claims on %d pages are true\n", before, v.Claims, v.Pages)
	return err
}

// look checks a lesson.
func (o checking) look(ctx context.Context, name string, progress sessions.Progress) (verdict, error) {
	v := verdict{Lesson: name, Broken: []broken{}}
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
	found := []claims.Broken{}
	v.Pages = len(s.Timeline().Stops)
	v.Claims, found, err = claims.Check(ctx, s, progress)
	for _, b := range found {
		v.Broken = append(v.Broken, broken(b))
	}
	return v, err
}

// take takes what the pages of a lab's lesson claim of its trace.
func (v *verdict) take(l *lab.Session) {
	checked, found := held.Check(l)
	v.Pages, v.Claims = len(l.Timeline().Stops), checked
	for _, b := range found {
		v.Broken = append(v.Broken, broken(b))
	}
}
