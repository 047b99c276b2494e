package headless

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"text/tabwriter"

	"bandscope/functions/digits"
	"bandscope/sessions"
	"bandscope/sessions/change"
	"bandscope/sessions/headless/command"
	"bandscope/sessions/log"
	"bandscope/sessions/recorder"
	"bandscope/sessions/report"
	"bandscope/sessions/safe"
)

// side is one branch that is compared.
type side struct {
	session *sessions.Session
	branch  sessions.Branch
}

// find opens FILE or FILE#BRANCH; without a branch it is the one on which the session was left.
func find(ctx context.Context, text string, errs io.Writer) (side, error) {
	path, name, named := strings.Cut(text, "#")
	s, err := command.Read(ctx, path, errs)
	if err != nil {
		return side{}, err
	}
	list, err := s.Branches()
	if err != nil {
		return side{}, err
	}
	var names []string
	for _, b := range list {
		if named && b.Name == name || !named && b.Current {
			return side{s, b}, nil
		}
		names = append(names, b.Name)
	}
	return side{}, command.Usagef("%s has no branch %q; it has %s", path, name, strings.Join(names, ", "))
}

// Diff compares what was decided in two sessions, or on two branches, each given as FILE or FILE#BRANCH. One alone is told by its branches.
func Diff(ctx context.Context, out, errs io.Writer, texts []string) error {
	a, err := find(ctx, texts[0], errs)
	if err != nil {
		return err
	}
	if len(texts) == 1 {
		return branches(out, a.session)
	}
	b, err := find(ctx, texts[1], errs)
	if err != nil {
		return err
	}
	left, err := a.session.Decisions(a.branch.ID)
	if err != nil {
		return err
	}
	right, err := b.session.Decisions(b.branch.ID)
	if err != nil {
		return err
	}
	for _, line := range report.Diff(left, right).Lines("a", "b") {
		if _, err := fmt.Fprintln(out, line); err != nil {
			return err
		}
	}
	for _, s := range []struct {
		name string
		side side
	}{{"a", a}, {"b", b}} {
		fmt.Fprintf(out, "%s: ", s.name)
		if err := summarize(out, s.side.branch.State, false); err != nil {
			return err
		}
	}
	return nil
}

// branches lists the branches of a session.
func branches(out io.Writer, s *sessions.Session) error {
	list, err := s.Branches()
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for _, b := range list {
		from, here := "", ""
		if b.Of >= 0 {
			from = fmt.Sprintf("from %s, step %d", list[b.Of].Name, b.From)
		}
		if b.Current {
			here = "here"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", safe.Text(b.Name), b.State.Spec.Name, digits.Count(len(b.State.Iterations), "step"), safe.Text(from), here)
	}
	return w.Flush()
}

// Correct makes a correction, given as text, at the end of a session, and says what was done.
func Correct(ctx context.Context, out, errs io.Writer, path, text string) (err error) {
	s, err := command.Open(ctx, path, errs)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if s.State().ReadOnly {
		return errors.New("the session cannot be appended to")
	}
	s.Last()
	said, err := change.Make(ctx, s, text, nil)
	switch {
	case err == nil:
		_, err = fmt.Fprintln(out, safe.Text(said))
		return err
	case askedRightly(ctx, err):
		return err
	}
	return command.Usage{Err: err}
}

// askedRightly reports whether an act failed though the words for it were right.
func askedRightly(ctx context.Context, err error) bool {
	var disk *fs.PathError
	return errors.As(err, &disk) || errors.Is(err, log.ErrReadOnly) || errors.Is(err, recorder.ErrMoved) || errors.Is(err, recorder.ErrClosed) || ctx.Err() != nil
}
