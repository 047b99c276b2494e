package modelcheck

import (
	"context"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/internal/explained"
	"bandscope/tui/layout"
	"bandscope/tui/rights"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// firstJob runs only the first job of a screen, and returns the command that follows it.
func firstJob(t *testing.T, m widget.Page, w, h int) tea.Cmd {
	t.Helper()
	m.Resize(w, h)
	m.Restyle(theme.New(true, theme.NoColor, false))
	batch, ok := m.Init()().(tea.BatchMsg)
	require.True(t, ok, "no job begins")
	return m.Update(widget.Perform(rights.Rights{}, batch[0]))
}

// shows reports what a screen does not show.
func shows(t *testing.T, m widget.Page, want ...string) {
	t.Helper()
	got := strings.Join(strings.Fields(strings.NewReplacer("│", " ", "\n", " ").Replace(text(m))), " ")
	for _, words := range want {
		if !strings.Contains(got, words) {
			t.Errorf("%q is not shown:\n%s", words, text(m))
		}
	}
}

// The answer is shown while the slow parts are still computed, which are shown after it; before, the screen says what is
// computed.
func TestTheAnswerComesFirst(t *testing.T) {
	s := stepped(t, "branin", "gp-ei", 12, map[string]any{"restarts": 1})
	check := NewCheck(s)
	check.Resize(80, 24)
	check.Restyle(trueColor)
	shows(t, check, "can the model be believed?", "Checking GP-EI on 12 results")
	next := firstJob(t, check, 80, 24)
	shows(t, check, check.report.Verdict.Text)
	if !check.jobs.Busy() || !check.report.Brief || check.objective().First != nil {
		t.Errorf("the first report is %+v", check.report.CheckOptions)
	}
	explained.Check(t, "with the answer alone", check.Frame(), 80, 24)
	if wait(check, next); check.report.Brief || check.objective().First == nil || check.jobs.Busy() {
		t.Errorf("the last report is %+v", check.report.CheckOptions)
	}
	why, err := NewExplain(s)
	require.NoError(t, err)
	why.Resize(80, 24)
	why.Restyle(trueColor)
	shows(t, why, "why this point?", "Finding what decides the choice of GP-EI after 12 steps")
	next = firstJob(t, why, 120, 36)
	shows(t, why, "why this point: ", why.report.Reason.Text, "drawing the acquisition…", "leaving out each result…")
	explained.Check(t, "with the reason alone", why.Frame(), 120, 36)
	if wait(why, next); why.report.Influence == nil || why.acquisition().Empty() {
		t.Error("the picture or the results that are left out are missing")
	}
	shows(t, why, "the choice depends on")
}

// A computation that fails is an answer too.
func TestTheAnswerOfAFailure(t *testing.T) {
	m := NewCheck(stepped(t, "forrester", "gp-ei", 3, nil))
	m.Resize(80, 24)
	m.Restyle(trueColor)
	wait(m, m.start("checking", func(context.Context, sessions.Progress) (func() tea.Cmd, error) {
		return nil, context.DeadlineExceeded
	}))
	shows(t, m, "There is no answer: context deadline exceeded.")
}

// The answer stays when the computation of the rest is stopped, and the panels without it say so.
func TestTheRestIsStopped(t *testing.T) {
	m, err := NewExplain(stepped(t, "forrester", "gp-ei", 7, map[string]any{"restarts": 1}))
	require.NoError(t, err)
	firstJob(t, m, 120, 36)
	keys(m, "esc")
	shows(t, m, m.report.Reason.Text)
	if strings.Count(text(m), stoppedText) != 2 || strings.Contains(text(m), "…") {
		t.Errorf("something is said to be computed:\n%s", text(m))
	}
}

// A small window shows one view after the other, whole; a large one shows all of them and says so. The answer is the
// first thing that is explained.
func TestViews(t *testing.T) {
	s := stepped(t, "branin", "gp-ei", 10, map[string]any{"restarts": 1})
	why := openExplain(t, s, 80, 24, trueColor)
	for _, c := range []struct {
		m    widget.Page
		want []string // a title of each view
	}{
		{openCheck(t, s, 80, 24, trueColor), []string{"coverage of the bands", "PIT histogram", "alternatives"}},
		{why, []string{"parts of the acquisition", "what would change the choice"}},
	} {
		for i := range 2 * len(c.want) {
			shows(t, c.m, c.want[i%len(c.want)])
			explained.Check(t, c.want[i%len(c.want)], c.m.Frame(), 80, 24)
			keys(c.m, "tab")
		}
		keys(c.m, "shift+tab")
		shows(t, c.m, c.want[len(c.want)-1])
		c.m.Resize(120, 36)
		shows(t, c.m, c.want...)
		keys(c.m, "tab")
		shows(t, c.m, "all views are shown in this window")
		if first := layout.Arrange(c.m.Frame(), 120, 36).ByImportance()[0]; first.Name != "answer" {
			t.Errorf("%s is explained first", first.Name)
		}
	}
}
