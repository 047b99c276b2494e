package explore

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/report"
	"bandscope/tui/rights"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// copied runs a command of the explorer, as a key would, and returns what it sends to the clipboard and says.
func (d *driver) copied(name string) (text, message string) {
	d.T.Helper()
	for _, c := range copyCommands() {
		if c.Help().Desc != name {
			continue
		}
		if c.DisabledReason != nil {
			if why := c.DisabledReason(d.M); why != "" {
				return "", why
			}
		}
		var take func(cmd tea.Cmd)
		take = func(cmd tea.Cmd) {
			if cmd == nil {
				return
			}
			switch msg := widget.Perform(rights.Rights{}, cmd).(type) {
			case tea.BatchMsg:
				take(msg[0]) // the others are ticks
			default:
				if fmt.Sprintf("%T", msg) == fmt.Sprintf("%T", tea.SetClipboard("")()) {
					text = fmt.Sprint(msg)
					return
				}
				take(d.M.Update(msg))
			}
		}
		take(c.Do(d.M, tea.KeyPressMsg{}))
		message, _ = d.M.Status.Message()
		return text, message
	}
	d.T.Fatalf("there is no command %q", name)
	return "", ""
}

// The explorer copies the next point, the point under the cursor, the results, and the command that repeats the session.
func TestCopy(t *testing.T) {
	cfg := sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 3, Params: map[string]any{"kernel": "se"}}
	d := driveAfter(t, 0, cfg, 100, 30, theme.New(true, theme.TrueColor, false))
	if text, message := d.copied("copy the table"); (text == "") != (len(d.M.state.Iterations) == 0) {
		t.Errorf("it copies %q and says %q", text, message)
	}
	for range 3 {
		d.Press("space")
	}
	st := d.M.state
	want := report.PointText(st.Problem.Domain, d.M.report.Next[0])
	if text, message := d.copied("copy the point"); text != want || !strings.HasPrefix(text, "x1=") ||
		!strings.Contains(message, "copied the point (next)") || !strings.Contains(message, "byte") {
		t.Errorf("it copies %q and says %q, want %q", text, message, want)
	}
	if text, message := d.copied("copy the table"); text != report.TableText(st) ||
		!strings.Contains(message, "4 results") && !strings.Contains(message, "3 results") {
		t.Errorf("it copies %q and says %q", text, message)
	}
	line := fmt.Sprintf("bandscope run -f branin -o gp-ei --seed 3 --set kernel=se -n %d", len(st.Iterations))
	if text, message := d.copied("copy the command"); text != line ||
		!strings.Contains(message, line) {
		t.Errorf("it copies %q and says %q", text, message)
	}
	d.Press("x")
	d.Press("left")
	pointText := report.PointText(st.Problem.Domain, d.M.overlay().Cursor)
	if text, message := d.copied("copy the point"); text != pointText || pointText == want || !strings.Contains(message, "cursor") {
		t.Errorf("it copies %q and says %q, want %q", text, message, pointText)
	}
	d.Press("esc")
	require.NoError(t, d.M.session.Bound(t.Context(), "x1", 0, 5, ""))
	if text, message := d.copied("copy the command"); text != "" ||
		!strings.Contains(message, "save it") {
		t.Errorf("it copies %q and says %q", text, message)
	}
	d.M.copyText("a text", strings.Repeat("a", maxCopy+1))
	if message, bad := d.M.Status.Message(); !bad || !strings.Contains(message, "export it") {
		t.Errorf("of too long a text it says %q", message)
	}
}
