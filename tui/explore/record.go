package explore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/optimizers/registry"
	"bandscope/sessions"
	"bandscope/sessions/library"
	"bandscope/sessions/report"
	"bandscope/tui/player"
	"bandscope/tui/widget"
)

// lessonView is what the page of a lesson that is read wants to be seen.
type lessonView struct {
	lowerPanel  bool // the traces or the theory, below it
	showNext    bool // the acquisition and the next point
	showSummary bool // the outlook, and the truth hidden
}

// recordCommands move on the record and write on it.
func recordCommands() []command {
	about := map[string]string{"n": "write a note (Markdown) on the step, or a page of a lesson with what it asks " +
		"and claims, or change one"}
	return append(player.Notes(playerOf, about),
		can(widget.Bind("f", "fork here", "f"), (*Model).AskFork).Long("fork here, with another method if you like"),
		can(widget.Bind("K", "correct, drop, reject, pin or bound", "K"), (*Model).askCorrection).
			Long("correct or drop an observation, reject the suggestion, narrow, pin or free a variable"),
		can(player.VerifyKey, (*Model).AskVerify).Long("verify: recompute every suggestion on record"),
		unless((*Model).wouldRevealAnswer, widget.Bind("E", "export: picture, report, recording, data", "E"),
			(*Model).AskExport),
	)
}

// Verify computes what is on record on this branch again, and says whether it repeats itself.
func (m *Model) Verify(ctx context.Context, progress sessions.Progress) (string, error) {
	v, err := report.Verify(ctx, m.session, progress)
	switch {
	case ctx.Err() != nil:
		return fmt.Sprintf("stopped after %d suggestions, which repeat themselves", v.Checked), nil
	case err != nil:
		return "", err
	case v.FirstDivergence != nil:
		return "", errors.New(v.String())
	}
	return v.String(), nil
}

// Export writes the session off the update loop by a function of the window.
func (m *Model) Export(path string, write func(ctx context.Context, path string, s *sessions.Session,
	progress sessions.Progress) error) tea.Cmd {
	return m.Player.Export(path, func(ctx context.Context, progress sessions.Progress) error {
		return write(ctx, path, m.session, progress)
	})
}

// FileName is that of the file that is offered to save to.
func (m *Model) FileName() string { return library.NameFor(m.Dir, m.state.Config, m.session.Started()) }

// Fork begins a branch where the session stands: its name, and the method that goes on behind a colon.
func (m *Model) Fork(text string) (string, error) {
	name, method, _ := strings.Cut(text, ":")
	if err := m.session.Fork(name, strings.TrimSpace(method)); err != nil {
		return "", err
	}
	st := m.session.State()
	return fmt.Sprintf("on the branch %q with %s from here on; T shows all branches", st.Branch, st.Spec.Name), nil
}

// ForkHint tells how another method goes on.
func (m *Model) ForkHint() string {
	p := m.state.Problem
	names := registry.SupportingNames(len(p.Objectives), p.LimitedOutputs() != nil)
	other := slices.IndexFunc(names, func(name string) bool { return name != m.state.Spec.Name })
	return "a name, and if another method is to go on from here its name behind a colon, as in second try: " +
		names[other]
}

// askCorrection asks for a correction of the record.
func (m *Model) askCorrection() tea.Cmd {
	m.Stop()
	start := ""
	if n := len(m.state.Iterations); n > 0 {
		start = fmt.Sprintf("step %d = ", n)
	}
	return m.Ask("correct", start, "step 7 = 1.25 sd 0.3 at x=0.4 cost 2 · drop step 7 · x in 0..0.5 · x = 0.3 · "+
		"free x · reject [7] · each with: because …",
		func(text string) player.Act { return m.actOf(Correct{Text: text}) })
}
