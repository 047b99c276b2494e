// Package command is what every command without a screen has in common: how it ends, at a signal and with which exit status, which errors are of its words, how it
// opens a session by a path or a name, and the bar that shows on standard error how far it is. What a command does is said in the packages
// above: headless, asking and look.
package command

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

// Usagef makes one.
func Usagef(format string, args ...any) error { return Usage{fmt.Errorf(format, args...)} }

// Wrong marks an error as one of the caller; nil stays nil.
func Wrong(err error) error {
	if err == nil {
		return nil
	}
	return Usage{err}
}

// Open opens a session, by its path or the name under which it is kept, to go on with, and writes what should be known of it to errs.
func Open(ctx context.Context, path string, errs io.Writer) (*sessions.Session, error) {
	s, err := sessions.Open(ctx, FileOf(path, shelf.DefaultDir()))
	return Notify(s, err, errs)
}

// Read opens a session, by its path or the name under which it is kept, to tell of it, and writes what should be known of it to errs. Its file is left alone.
func Read(ctx context.Context, path string, errs io.Writer) (*sessions.Session, error) {
	s, err := sessions.Peek(ctx, FileOf(path, shelf.DefaultDir()))
	return Notify(s, err, errs)
}

// Notify writes what should be known of a session that was opened, and what comes to be known of it later.
func Notify(s *sessions.Session, err error, errs io.Writer) (*sessions.Session, error) {
	if err != nil {
		return nil, err
	}
	if st := s.State(); st.ReadOnly {
		Notices(s, NewBar(errs), Copying("run", st.Path))
	} else {
		Notices(s, NewBar(errs), "")
	}
	return s, nil
}

// Notices prints above a bar what should be known of a session's file, with an advice behind it, and what comes to be known of it later.
func Notices(s interface {
	Notices() []string
	Listen(func(notice string))
}, bar *Bar, advice string) {
	notices := s.Notices()
	for i, n := range notices {
		if i == len(notices)-1 {
			n += advice
		}
		bar.Print("bandscope: " + safe.Text(n))
	}
	s.Listen(func(n string) { bar.Print("bandscope: " + safe.Text(n)) })
}

// Copying says how a session goes on whose file is read-only, by the command run or lab.
func Copying(command, path string) string {
	return "; bandscope " + command + " --resume " + path + " --save FILE goes on in a copy"
}

// Interrupted says of an error that a signal led to how far the session came, and how it goes on.
func Interrupted(ctx context.Context, err error, s *sessions.Session) error {
	if ctx.Err() == nil {
		return err
	}
	st := s.State()
	if st.Saved {
		return fmt.Errorf("interrupted after step %d; bandscope run --resume %s goes on", len(st.Iterations), st.Path)
	}
	return fmt.Errorf("interrupted after step %d", len(st.Iterations))
}
