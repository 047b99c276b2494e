package headless

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"bandscope/sessions"
	"bandscope/sessions/headless/command"
	"bandscope/sessions/headless/look"
)

// stopping ends a context when a line of text was written.
type stopping struct {
	bytes.Buffer
	cancel context.CancelFunc
	line   string
}

func (s *stopping) Write(p []byte) (int, error) {
	if strings.Contains(string(p), s.line) {
		s.cancel()
	}
	return s.Buffer.Write(p)
}

// A replay ends between two lines, and says where.
func TestReplayHeedsItsContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := Run(t.Context(), io.Discard, io.Discard, RunOptions{Setting: Setting{Function: "forrester", Optimizer: "random", Seed: 1}, Steps: 6, Save: path}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out := &stopping{cancel: cancel, line: "step   3"}
	err := look.Replay(ctx, out, io.Discard, path, look.ReplayOptions{})
	if err == nil || err.Error() != "interrupted after step 3 of 6" || strings.Contains(out.String(), "step   4") {
		t.Errorf("%v after %s", err, out.String())
	}
	if status := command.Status(ctx, io.Discard, err); status != 1 {
		t.Errorf("status %d without a signal", status)
	}
	if _, err := sessions.Open(path); err != nil {
		t.Error(err)
	}
}
