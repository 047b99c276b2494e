// Package headless is the program without its screen: it steps, replays, verifies, exports, compares and lists sessions, for people in a hurry
// and for other programs. Options go in as structures, results go out on standard output, and what is under way on standard error; an error says
// by its type whether the command was wrong. The engine is that of package sessions: nothing is computed here that it does not compute, and no flag
// is read here.
package headless

import (
	"context"
	"fmt"
	"io"

	"bandscope/sessions"
	"bandscope/sessions/safe"
	"bandscope/sessions/shelf"
)

// Usage is an error of the caller: the words of a command are off. Programs end with status 2 for it.
type Usage struct{ Err error }

func (u Usage) Error() string { return u.Err.Error() }

// Unwrap returns the error itself.
func (u Usage) Unwrap() error { return u.Err }

func usagef(format string, args ...any) error { return Usage{fmt.Errorf(format, args...)} }

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
