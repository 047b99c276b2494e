package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"bandscope/functions/numfmt"
	"bandscope/sessions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/library"
	"bandscope/sessions/sanitize"
)

// statusError is an error with an exit status: 2 for a wrong command line, 3 for a question that this build cannot
// decide although nothing failed.
type statusError struct {
	error
	status int
}

func (e statusError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return statusError{fmt.Errorf(format, args...), 2} }

// asUsage marks an error as one of usage (exit status 2); nil stays nil.
func asUsage(err error) error {
	if err == nil {
		return nil
	}
	return statusError{err, 2}
}

// openSession opens a session by its path or name to continue it, and prints its notices to errs.
func openSession(ctx context.Context, path string, errs io.Writer) (*sessions.Session, error) {
	s, err := sessions.Open(ctx, sessionFile(path, library.DefaultDir()))
	return recorded(ctx, s, err, errs)
}

// readSession opens a session by its path or name without writing to its file, and prints its notices to errs.
func readSession(ctx context.Context, path string, errs io.Writer) (*sessions.Session, error) {
	s, err := sessions.OpenReadOnly(ctx, sessionFile(path, library.DefaultDir()))
	return notify(s, err, errs)
}

// readBranch is readSession at the end of a branch; see goToBranch.
func readBranch(ctx context.Context, text string, errs io.Writer) (*sessions.Session, error) {
	path, name, named := splitBranch(text)
	s, err := readSession(ctx, path, errs)
	if err != nil {
		return nil, err
	}
	return s, goToBranch(s, path, name, named, errs)
}

// goToBranch goes to the end of the branch with a name, or without a name to that of the branch that was recorded last
// without a fork, so that a fork changes nothing for the readers of a file.
func goToBranch(s *sessions.Session, path, name string, named bool, errs io.Writer) error {
	list, err := s.Branches()
	if err != nil {
		return err
	}
	if named {
		b, err := findBranch(path, name, list)
		if err != nil {
			return err
		}
		return s.Switch(b.ID)
	}
	for _, b := range list {
		if b.Current && s.LeaveFork() {
			fmt.Fprintf(errs, "bandscope: this is not the fork %q; write FILE#BRANCH for a branch\n", sanitize.Text(b.Name))
			return nil
		}
	}
	s.Last()
	return nil
}

// splitBranch splits FILE#BRANCH; a file may have # in its name.
func splitBranch(text string) (path, branch string, named bool) {
	if _, err := os.Lstat(text); err == nil {
		return text, "", false
	}
	return strings.Cut(text, "#")
}

// findBranch finds the branch with a name.
func findBranch(path, name string, list []sessions.Branch) (sessions.Branch, error) {
	var names []string
	for _, b := range list {
		if b.Name == name {
			return b, nil
		}
		names = append(names, b.Name)
	}
	return sessions.Branch{}, usagef("%s has no branch %q; it has %s", path, name, strings.Join(names, ", "))
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
		return nil, usagef("--at must be in [0, %d], because the session has %s; got %d", n, numfmt.Count(n, "step"),
			step)
	}
	if step >= 0 {
		s.Seek(step)
	}
	return s, nil
}

// recorded is notify for a session to which the author of the command records.
func recorded(ctx context.Context, s *sessions.Session, err error, errs io.Writer) (*sessions.Session, error) {
	if err == nil {
		s.SetAuthor(authorFrom(ctx))
	}
	return notify(s, err, errs)
}

// notify prints the notices of a session, now and later.
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

// printNotices prints the notices of a session's file above a bar, now and later, with advice behind the last one.
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

// copyAdvice says how to continue a session whose file is read-only, with the command run or lab.
func copyAdvice(command, path string) string {
	return "; bandscope " + command + " --resume " + path + " --save FILE continues in a copy"
}

// interruptedAfter replaces an error after a signal by the number of steps that are done and the command that
// continues.
func interruptedAfter(ctx context.Context, err error, s *sessions.Session) error {
	if ctx.Err() == nil {
		return err
	}
	st := s.State()
	if st.Saved {
		return fmt.Errorf("interrupted after step %d; bandscope run --resume %s continues", len(st.Iterations), st.Path)
	}
	return fmt.Errorf("interrupted after step %d", len(st.Iterations))
}

// lockPatience is how long a command waits for the turn of another process at a session's file.
var lockPatience = eventlog.TurnPatience

// openToWrite opens a session by its path or name to write to it, and prints its notices to errs.
func openToWrite(ctx context.Context, path string, errs io.Writer) (*sessions.Session, error) {
	path = sessionFile(path, library.DefaultDir())
	s, err := sessions.OpenForWriting(ctx, path, lockPatience)
	if locked := (*eventlog.LockedError)(nil); errors.As(err, &locked) {
		amount := locked.By
		if amount == "" {
			amount = "another process"
		}
		return nil, fmt.Errorf("%s: %s is writing to this file and did not finish within %v; nothing was recorded: end it, or try again", path, amount, lockPatience)
	}
	if errors.Is(err, eventlog.ErrReadOnly) {
		return nil, fmt.Errorf("%w%s", err, copyAdvice("run", path))
	}
	return recorded(ctx, s, err, errs)
}

// sessionSuffix is that of a session's file.
const sessionSuffix = ".jsonl"

// sessionFile is the file of a session that is given by its path or, if there is no such file, by its name in dir. If
// neither exists, it is the path.
func sessionFile(supplied, dir string) string {
	if _, err := os.Lstat(supplied); err == nil || dir == "" || supplied != filepath.Base(supplied) {
		return supplied
	}
	path := filepath.Join(dir, strings.TrimSuffix(supplied, sessionSuffix)+sessionSuffix)
	if _, err := os.Lstat(path); err != nil {
		return supplied
	}
	return path
}

// noSession explains why a file cannot be opened. For a word that looks like a command it lists the commands.
func noSession(path string, tree *cobra.Command, err error) error {
	if !errors.Is(err, os.ErrNotExist) || strings.ContainsAny(path, "./\\") {
		return err
	}
	var names []string
	for _, c := range tree.Commands() {
		names = append(names, c.Name())
	}
	return usagef("there is no command or session file %q; the commands are %s", path, strings.Join(names, ", "))
}
