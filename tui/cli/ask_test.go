package cli

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/sessions/eventlog"
)

// Whoever writes to a session's file and does not leave it is named after a while, and nothing is recorded.
func TestAnotherProcessStays(t *testing.T) {
	defer func(usual time.Duration) { lockPatience = usual }(lockPatience)
	lockPatience = 20 * time.Millisecond
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 1})
	require.NoError(t, err)
	require.NoError(t, errors.Join(s.SaveAs(path), s.Close()))
	other := eventlog.NewLock(path)
	if ok, err := other.TryLock(); err != nil || !ok {
		t.Fatal(err)
	}
	_, d := actCommand(acts.Ask.Act, "")
	err = d.run(t.Context(), io.Discard, io.Discard, acts.Ask.Act, path, nil)
	if err == nil || !strings.Contains(err.Error(), "is writing to this file and did not finish within 20ms") ||
		!strings.Contains(err.Error(), "nothing was recorded") {
		t.Errorf("%v", err)
	}
	require.NoError(t, other.Unlock())
	assert.NoError(t, d.run(t.Context(), io.Discard, io.Discard, acts.Ask.Act, path, nil))
}
