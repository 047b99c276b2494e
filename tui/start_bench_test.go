//go:build unix

package tui_test

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"bandscope/sessions"
)

// BenchmarkOpenLongSession starts the program with a session of 2,000 steps in a pseudo-terminal until the screen shows
// the last step.
func BenchmarkOpenLongSession(b *testing.B) {
	s, err := sessions.New(b.Context(), sessions.Config{Problem: "branin", Optimizer: "random", Seed: 1, Budget: 2000})
	require.NoError(b, err)
	for range 2000 {
		_, err = s.Step(b.Context(), nil)
		require.NoError(b, err)
	}
	dir := b.TempDir()
	require.NoError(b, s.SaveAs(filepath.Join(dir, "long.jsonl")))
	_, err = buildOnce()
	require.NoError(b, err)
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		term := start(b, 120, 36, dir, s.Path())
		term.wait("step 2000")
		took = append(took, time.Since(began))
		term.cmd.Process.Kill()
		<-term.ended
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-median")
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "ms-most")
}
