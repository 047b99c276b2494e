//go:build unix

package tui_test

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"bandscope/sessions"
)

// BenchmarkOpenLongSession starts the program with a session of 2,000 steps in a pseudo-terminal until the screen shows
// the last step.
func BenchmarkOpenLongSession(b *testing.B) {
	s, err := sessions.New(b.Context(), sessions.Config{Problem: "branin", Optimizer: "random", Seed: 1, Budget: 2000})
	if err != nil {
		b.Fatal(err)
	}
	for range 2000 {
		if _, err := s.Step(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
	}
	dir := b.TempDir()
	if err := s.SaveAs(filepath.Join(dir, "long.jsonl")); err != nil {
		b.Fatal(err)
	}
	if _, err := buildOnce(); err != nil {
		b.Fatal(err)
	}
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
