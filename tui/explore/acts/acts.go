// Package acts holds what the explorer's own keys do with a session, as values: a step, a mark, a branch, a correction, a file. They are done off the
// update loop, each says what it did, and the explorer keeps on disk what they record. What a mode does with a session is the mode's; how the keys ask
// for a name or a path, and what is looked at afterwards, is the explorer's.
package acts

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/sessions/change"
	"bandscope/sessions/report"
	"bandscope/sessions/shelf"
	"bandscope/tui/explore/mode"
	"bandscope/tui/screen"
)

// The acts.
type (
	// Step does an iteration of a session on a problem.
	Step struct{ Problem *functions.Problem }
	// Ask gives out what the method suggests to be evaluated, besides what is out already.
	Ask struct{}
	// Mark marks the step, or takes its mark away.
	Mark struct{}
	// Fork begins a branch where the session stands, on which another method goes on unless that is empty.
	Fork struct{ Name, Method string }
	// Correct corrects the record by a sentence, such as step 7 = 1.25.
	Correct struct{ Text string }
	// Verify recomputes what is on record on this branch, and says whether it repeats itself.
	Verify struct{}
	// Save keeps the session in a file; without a path in a new one in a folder.
	Save struct{ Path, Dir string }
	// Export writes the session to a file by a function.
	Export struct {
		Path  string
		Write func(ctx context.Context, path string, s *sessions.Session, progress sessions.Progress) error
	}
)

var (
	_ mode.Change     = Step{}
	_ mode.Change     = Ask{}
	_ mode.Change     = Mark{}
	_ mode.Change     = Fork{}
	_ mode.Change     = Correct{}
	_ mode.Unrecorded = Verify{}
	_ mode.Unrecorded = Save{}
	_ mode.Unrecorded = Export{}
)

// Doing says what is done.
func (Step) Doing() string    { return "stepping" }
func (Ask) Doing() string     { return "asking for the next point" }
func (Mark) Doing() string    { return "marking" }
func (Fork) Doing() string    { return "forking" }
func (Correct) Doing() string { return "correcting" }
func (Verify) Doing() string  { return "verifying" }
func (Save) Doing() string    { return "saving" }
func (Export) Doing() string  { return "exporting" }

// Unrecorded says that nothing new is on record.
func (Verify) Unrecorded() {}
func (Save) Unrecorded()   {}
func (Export) Unrecorded() {}

// Do does the iteration. A point that went out though nobody could evaluate it is said, with the reason.
func (i Step) Do(ctx context.Context, s *sessions.Session, progress sessions.Progress) (string, error) {
	it, err := s.Step(ctx, progress)
	switch {
	case err == nil:
		return screen.Iteration(i.Problem, it), nil
	case it.ID != "" && ctx.Err() == nil:
		return screen.Out(i.Problem, it), err
	}
	return "", err
}

// Do gives the point out.
func (Ask) Do(ctx context.Context, s *sessions.Session, progress sessions.Progress) (string, error) {
	it, err := s.Ask(ctx, progress)
	if err != nil {
		return "", err
	}
	return screen.Asked(s.State().Problem, it), nil
}

// Do marks the step.
func (Mark) Do(_ context.Context, s *sessions.Session, _ sessions.Progress) (string, error) {
	return told("marked", s.Mark())
}

// Do begins the branch.
func (f Fork) Do(_ context.Context, s *sessions.Session, _ sessions.Progress) (string, error) {
	if err := s.Fork(f.Name, f.Method); err != nil {
		return "", err
	}
	st := s.State()
	return fmt.Sprintf("on the branch %q with %s from here on; T shows all branches", st.Branch, st.Spec.Name), nil
}

// ForkOf reads a branch as it is typed: a name, and a method behind a colon.
func ForkOf(text string) Fork {
	name, method, _ := strings.Cut(text, ":")
	return Fork{name, strings.TrimSpace(method)}
}

// Do corrects the record.
func (c Correct) Do(ctx context.Context, s *sessions.Session, progress sessions.Progress) (string, error) {
	return told(change.Make(ctx, s, c.Text, progress))
}

// Do recomputes the record.
func (Verify) Do(ctx context.Context, s *sessions.Session, progress sessions.Progress) (string, error) {
	v, err := report.Verify(ctx, s, progress)
	switch {
	case ctx.Err() != nil:
		return fmt.Sprintf("stopped after %d suggestions, which repeat themselves", v.Checked), nil
	case err != nil:
		return "", err
	case v.Diverged != nil:
		return "", errors.New(v.String())
	}
	return v.String(), nil
}

// Do saves the session.
func (f Save) Do(_ context.Context, s *sessions.Session, _ sessions.Progress) (string, error) {
	if f.Path == "" {
		f.Path = shelf.NewPath(f.Dir, s.State().Config, s.Started())
	}
	return told("saved as "+f.Path, s.SaveAs(f.Path))
}

// Do writes the file.
func (e Export) Do(ctx context.Context, s *sessions.Session, progress sessions.Progress) (string, error) {
	return told("exported to "+e.Path, e.Write(ctx, e.Path, s, progress))
}

// told is what is said of an act; of one that failed nothing is.
func told(said string, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return said, nil
}
