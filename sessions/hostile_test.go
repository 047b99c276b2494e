//go:build unix

package sessions

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"bandscope/functions"
)

// hostile is what a hostile program does instead of an answer; it may not return.
func hostile(mode string, args []string) string {
	flood := func(file *os.File, text string, times int) {
		for range times {
			if _, err := file.WriteString(text); err != nil {
				return
			}
		}
	}
	mebibyte := strings.Repeat("x", 1<<20)
	switch mode {
	case "half":
		fmt.Print(`{"x": [{"x1": 1, "x`)
		return ""
	case "floods":
		flood(os.Stdout, mebibyte, 1<<10)
	case "floods lines":
		flood(os.Stdout, strings.Repeat("{}\n", 1<<18), 1<<11)
	case "complains":
		flood(os.Stderr, mebibyte, 1<<6)
		flood(os.Stderr, "more\n", 1<<16)
		return ""
	case "deep":
		return `{"x": ` + strings.Repeat("[", 1<<20) + strings.Repeat("]", 1<<20)
	case "NaN":
		return `{"x": [{"x1": NaN, "x2": 0}]`
	case "1e400":
		return `{"x": [{"x1": 1e400, "x2": 0}]`
	case "control":
		return `{"error": "\u001b[2J\u0007 ` + strings.Repeat("long ", 1000) + `"`
	case "forks":
		child := exec.Command("sleep", "3600")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			return `{"error": "` + err.Error() + `"`
		}
		os.WriteFile(args[1], fmt.Appendf(nil, "%d", child.Process.Pid), 0o600)
		return ""
	}
	return mode
}

// Whatever a program does, a step is an error with a bounded text, the session goes on in bounded memory, and nothing of
// the program is left when the session is closed.
func TestHostilePrograms(t *testing.T) {
	for mode, want := range map[string]string{
		"deaf":         "did not answer within 2s",
		"stillborn":    "the program ended with exit status 3; standard error: no licence",
		"half":         `with: {"x": [{"x1": 1, "x`,
		"floods":       "a line of more than 4 MiB",
		"floods lines": "it has no point",
		"complains":    "the program ended with exit status 3; standard error: more",
		"deep":         "exceeded max depth",
		"NaN":          "invalid character 'N'",
		"1e400":        "1e400",
		"control":      "the program says: �[2J� long",
		"forks":        "the program ended with exit status 3",
	} {
		t.Run(mode, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "child")
			timeout := time.Minute
			if mode == "deaf" {
				timeout = 2 * time.Second
			}
			s := programSession(t, Config{Problem: "branin", Optimizer: optimizer(t, timeout, mode, "1", file), Seed: 3}, 0)
			defer s.Close()
			// the line is longer than a pipe holds
			if err := s.RecordTogether(func() error {
				for i := range 1500 {
					x := []float64{float64(i) / 200, float64(i%100) / 10}
					if _, err := s.Record(ByImport, [][]float64{x}, functions.Outcome{Values: []float64{x[0]}}); err != nil {
						return err
					}
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			_, err := s.Step(t.Context(), nil)
			if err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 2000 || strings.Contains(err.Error(), "\x1b") {
				t.Errorf("got %v, want %s", err, want)
			}
			runtime.ReadMemStats(&after)
			if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > 256<<20 {
				t.Errorf("the heap grew by %d MiB", grown>>20)
			}
			if n := len(s.State().Iterations); n != 1500 {
				t.Errorf("the session has %d steps", n)
			}
			if mode == "deaf" || mode == "floods lines" { // esc
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan error)
				go func() {
					_, err := s.Step(ctx, nil)
					done <- err
				}()
				cancel()
				err = <-done
				assert.ErrorIs(t, err, context.Canceled, "after esc: %v", err)
			}
			assert.NoError(t, s.Close())
			if pid, err := os.ReadFile(file); err == nil {
				if stat, err := os.ReadFile("/proc/" + string(pid) + "/stat"); err == nil && !strings.Contains(string(stat), ") Z ") {
					t.Errorf("the child goes on: %s", stat)
				}
			} else if mode == "forks" {
				t.Error("the program started no child")
			}
		})
	}
}
