package modelcheck

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/layout"
	"bandscope/tui/rights"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

var (
	trueColor = theme.New(true, theme.TrueColor, false)
	noColor   = theme.New(true, theme.NoColor, false)
)

// stepped is a session of so many steps.
func stepped(t *testing.T, problem, method string, n int, params map[string]any) *sessions.Session {
	t.Helper()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: problem, Optimizer: method, Seed: 7, Params: params})
	require.NoError(t, err)
	for range n {
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	return s
}

// opened asks a screen for its first report, and presses keys.
func opened(t *testing.T, m widget.Page, w, h int, st theme.Style, names ...string) {
	t.Helper()
	m.Resize(w, h)
	m.Restyle(st)
	explained.Check(t, "before the model is asked", m.Frame(), w, h)
	wait(m, m.Init())
	keys(m, names...)
}

func (p *page[R]) busyJob() bool { return p.jobs.Busy() }

// wait runs a command to its end, as far as it is a job's.
func wait(m widget.Page, cmd tea.Cmd) (sent tea.Msg) {
	if cmd == nil {
		return nil
	}
	sent = cmd()
	if batch, ok := sent.(tea.BatchMsg); ok && m.(interface{ busyJob() bool }).busyJob() {
		return wait(m, m.Update(widget.Perform(rights.Rights{}, batch[0]))) // the other one turns the spinner
	}
	return sent
}

func keys(m widget.Page, names ...string) (sent tea.Msg) {
	for _, n := range names {
		sent = wait(m, m.Update(screentest.Key(n)))
	}
	return sent
}

func text(m widget.Page) string {
	f := m.Frame()
	return ansi.Strip(layout.Render(f, f.W, f.H))
}

// A report that fails leaves the one that is shown; without one the screen says why there is none.
func TestAFailedReportLeavesTheOneThatIsShown(t *testing.T) {
	m := openCheck(t, stepped(t, "forrester", "gp-ei", 4, nil), 80, 24, trueColor)
	fail := func(context.Context, sessions.Progress) (func() tea.Cmd, error) { return nil, errors.New("it broke") }
	before := m.report
	if wait(m, m.start("asking the model", fail)); m.report != before || m.failed != "" ||
		!strings.Contains(text(m), "it broke") {
		t.Errorf("the report is gone, or the failure is not told:\n%s", text(m))
	}
	m.report = nil
	if wait(m, m.start("asking the model", fail)); m.missingReason() != "it broke" {
		t.Errorf("without a report it lacks %q", m.missingReason())
	}
}
