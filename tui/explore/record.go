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

// lessonView is the view that the page of a lesson asks for.
type lessonView struct {
	lowerPanel  bool // the traces or the theory, below the page
	showNext    bool // the acquisition and the next point
	showSummary bool // the outlook, with the truth hidden
}

// recordCommands move over the record and add to it.
func recordCommands() []command {
	about := map[string]string{"n": "write or change a note (Markdown) on this step, or a lesson page with questions and claims"}
	return append(player.Notes[*Model](about),
		can(widget.Bind("f", "fork here", "f"), (*Model).askFork).
			Long("fork a branch here, with the same or another method"),
		can(widget.Bind("delete", "correct", "delete"), (*Model).askCorrection).
			Long("correct or drop a result, discard a pending point, or change the bounds of a variable"),
		unless((*Model).noCure, cureKey, (*Model).applyCure).
			Long("make the change of a parameter that the warning about a band names"),
		can(player.VerifyKey, (*Model).askVerify).Long("verify: recompute every recorded suggestion"),
		unless((*Model).wouldRevealAnswer, widget.Bind("ctrl+e", "export", "ctrl+e"), (*Model).askExport).
			Long("export a picture, a report, a recording or the data to a file"),
	)
}

// askVerify recomputes the suggestions of this branch, and says whether they are reproduced.
func (m *Model) askVerify() tea.Cmd {
	return player.Do(m, player.Next{Stop: true, Act: &player.Act{Doing: "verifying", Do: m.verify}})
}

func (m *Model) verify(ctx context.Context, progress sessions.Progress) (string, error) {
	v, err := report.Verify(ctx, m.session, progress)
	switch {
	case ctx.Err() != nil:
		return "stopped; reproduced " + widget.Count(v.Checked, "suggestion") + " so far", nil
	case err != nil:
		return "", err
	case v.FirstDivergence != nil:
		return "", errors.New(v.String())
	}
	return v.String(), nil
}

// fileName is the suggested name of the file to save to.
func (m *Model) fileName() string { return library.NameFor(m.Dir, m.state.Config, m.session.Started()) }

// askFork asks for the name of a branch, and its method.
func (m *Model) askFork() tea.Cmd { return player.Do(m, player.AskFork(m.forkHint(), m.fork)) }

// askExport asks for the file to export to.
func (m *Model) askExport() tea.Cmd { return player.Do(m, m.AskExport()) }

// fork starts a branch at the current step. The text is its name, optionally followed by a colon and a method.
func (m *Model) fork(text string) (string, error) {
	name, method, _ := strings.Cut(text, ":")
	if err := m.session.Fork(name, strings.TrimSpace(method)); err != nil {
		return "", err
	}
	st := m.session.State()
	return fmt.Sprintf("now on branch %q with %s; press F to list the branches", st.Branch, st.Spec.Name), nil
}

// forkHint says how to name a branch and its method.
func (m *Model) forkHint() string {
	p := m.state.Problem
	names := registry.SupportingNames(len(p.Objectives), p.LimitedOutputs() != nil)
	other := slices.IndexFunc(names, func(name string) bool { return name != m.state.Spec.Name })
	return "a branch name, or name: method, for example second try: " + names[other]
}

// askCorrection asks for a correction of the record.
func (m *Model) askCorrection() tea.Cmd {
	m.Stop()
	start := ""
	if n := len(m.state.Iterations); n > 0 {
		start = fmt.Sprintf("step %d = ", n)
	}
	return player.Do(m, player.AskFor("correct", start, "step 7 = 1.25 sd 0.3 at x=0.4 cost 2 · drop step 7 · x in 0..0.5 · x = 0.3 · free x · widen x 0..2 · duration 3d · reject [7] · optional at the end: because …",
		func(text string) player.Act { return m.actOf(Correct{Text: text}) }))
}
