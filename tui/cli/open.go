package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bandscope/sessions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/library"
	"bandscope/sessions/sanitize"
)

// statusError is an error that ends the program with a status of its own: 2 where the words of a command are wrong, 3
// where what was asked cannot be decided here, though nothing failed.
type statusError struct {
	error
	status int
}

func (e statusError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return statusError{fmt.Errorf(format, args...), 2} }

// asUsage marks an error as one of the caller; nil stays nil.
func asUsage(err error) error {
	if err == nil {
		return nil
	}
	return statusError{err, 2}
}

// openSession opens a session, by its path or the name under which it is kept, to go on with, and writes what should be
// known of it to errs.
func openSession(ctx context.Context, path string, errs io.Writer) (*sessions.Session, error) {
	s, err := sessions.Open(ctx, sessionFile(path, library.DefaultDir()))
	return notify(s, err, errs)
}

// readSession opens a session, by its path or the name under which it is kept, to tell of it, and writes what should be
// known of it to errs. Its file is left alone.
func readSession(ctx context.Context, path string, errs io.Writer) (*sessions.Session, error) {
	s, err := sessions.OpenReadOnly(ctx, sessionFile(path, library.DefaultDir()))
	return notify(s, err, errs)
}

// readAt is readSession at one of its steps; -1 is the last.
func readAt(ctx context.Context, path string, step int, errs io.Writer) (*sessions.Session, error) {
	s, err := readSession(ctx, path, errs)
	if err != nil {
		return nil, err
	}
	s.Last()
	n := len(s.State().Iterations)
	if step < -1 || step > n {
		return nil, usagef("--at must be in [0, %d], the session has %d steps; got %d", n, n, step)
	}
	if step >= 0 {
		s.Seek(step)
	}
	return s, nil
}

// notify writes what should be known of a session that was opened, and what comes to be known of it later.
func notify(s *sessions.Session, err error, errs io.Writer) (*sessions.Session, error) {
	if err != nil {
		return nil, err
	}
	if st := s.State(); st.ReadOnly {
		printNotices(s, newBar(errs), copyAdvice("run", st.Path))
	} else {
		printNotices(s, newBar(errs), "")
	}
	return s, nil
}

// printNotices prints above a bar what should be known of a session's file, with an advice behind it, and what comes to
// be known of it later.
func printNotices(s interface {
	Notices() []string
	Listen(func(notice string))
}, bar *progressBar, advice string) {
	notices := s.Notices()
	for i, n := range notices {
		if i == len(notices)-1 {
			n += advice
		}
		bar.Print("bandscope: " + sanitize.Text(n))
	}
	s.Listen(func(n string) { bar.Print("bandscope: " + sanitize.Text(n)) })
}

// copyAdvice says how a session goes on whose file is read-only, by the command run or lab.
func copyAdvice(command, path string) string {
	return "; bandscope " + command + " --resume " + path + " --save FILE goes on in a copy"
}

// interruptedAfter says of an error that a signal led to how far the session came, and how it goes on.
func interruptedAfter(ctx context.Context, err error, s *sessions.Session) error {
	if ctx.Err() == nil {
		return err
	}
	st := s.State()
	if st.Saved {
		return fmt.Errorf("interrupted after step %d; bandscope run --resume %s goes on", len(st.Iterations), st.Path)
	}
	return fmt.Errorf("interrupted after step %d", len(st.Iterations))
}

// lockPatience is how long a command waits for another process to leave a session's file.
var lockPatience = 5 * time.Second

// openToWrite opens a session, by its path or the name under which it is kept, that is to be written to, and writes
// what should be known of it to errs.
func openToWrite(ctx context.Context, path string, errs io.Writer) (*sessions.Session, error) {
	path = sessionFile(path, library.DefaultDir())
	s, err := sessions.OpenForWriting(ctx, path, lockPatience)
	if locked := (*eventlog.LockedError)(nil); errors.As(err, &locked) {
		by := locked.By
		if by == "" {
			by = "another process"
		}
		return nil, fmt.Errorf("%s: %s writes to this file, and did not leave it within %v: end it there, or try "+
			"again; nothing was recorded", path, by, lockPatience)
	}
	if errors.Is(err, eventlog.ErrReadOnly) {
		return nil, fmt.Errorf("%w%s", err, copyAdvice("run", path))
	}
	return notify(s, err, errs)
}

// sessionSuffix is that of a session's file.
const sessionSuffix = ".jsonl"

// sessionFile is the file of a session that is given by its path or, where there is no such file, by the name under
// which it is kept in a folder. Where there is neither, it is the path.
func sessionFile(given, dir string) string {
	if _, err := os.Lstat(given); err == nil || dir == "" || given != filepath.Base(given) {
		return given
	}
	path := filepath.Join(dir, strings.TrimSuffix(given, sessionSuffix)+sessionSuffix)
	if _, err := os.Lstat(path); err != nil {
		return given
	}
	return path
}

// noSession explains why a file cannot be opened; of a word that looks like a command of a tree the commands are named.
func noSession(path string, tree *cobra.Command, err error) error {
	if !errors.Is(err, os.ErrNotExist) || strings.ContainsAny(path, "./\\") {
		return err
	}
	var names []string
	for _, c := range tree.Commands() {
		names = append(names, c.Name())
	}
	return usagef("there is no command and no session file %q; the commands are %s", path, strings.Join(names, ", "))
}
