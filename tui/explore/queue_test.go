package explore

import (
	"strings"
	"testing"

	"bandscope/sessions"
	"bandscope/tui/internal/modetest"
)

// The status line says how many steps wait.
func TestQueuedStepsAreShown(t *testing.T) {
	d := driveAfter(t, 2, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 80, 24, trueColor)
	d.M.Queue()
	d.M.Queue()
	if line := modetest.Text(d.M.statusLine()); !strings.Contains(line, "+2 queued") {
		t.Errorf("got %q", line)
	}
}
