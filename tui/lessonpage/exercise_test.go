package lessonpage

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/tui/explore/note"
	"bandscope/tui/internal/explained"
	"bandscope/tui/theme"
)

// The goals stand below the task, each with how far it is; that all hold is said once, and stays known when one is
// lost.
func TestSheet(t *testing.T) {
	st := theme.New(true, theme.NoColor, true)
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3},
		sessions.WithTask(&sessions.Task{Lesson: "kernel", Text: "Take one step.",
			Goals: []string{"points = 1", "steps < 2"}}))
	require.NoError(t, err)
	sheet := New(s)
	texts := func() (text string) {
		for _, p := range sheet.Page(st).Passages {
			text += p.Text + "\n"
		}
		var b note.Panel
		explained.Check(t, "the exercise", b.Panel(st, sheet.Page(st), 40, 20), 40, 20)
		return text
	}
	if text, title := texts(), sheet.Page(st).Title; !strings.HasPrefix(text, "Take one step.\n\n**Goals**") ||
		!strings.Contains(text, "o results on the plot = 1: ...") || title != "exercise: kernel" {
		t.Errorf("%s: %s", title, text)
	}
	for _, c := range []struct {
		points, steps string
		done, says    bool
	}{{"o results on the plot = 1: now 0", "O iterations < 2: **holds (0)**", false, false},
		{"O results on the plot = 1: **holds (1)**", "holds (1)", true, true},
		{"now 2", "o iterations < 2: now 2", false, true}, {"now 3", "now 3", false, true}} {
		snapshot := s.Snapshot()
		done, err := sheet.Take(sheet.Measure(t.Context(), snapshot).(MeasuredMsg), noon)
		text := texts()
		if err != nil || done != c.done || !sheet.Measured(snapshot.State().Head) || !strings.Contains(text, c.points) ||
			!strings.Contains(text, c.steps) || strings.Contains(text, "**Done**") != c.says ||
			sheet.Done().IsZero() == c.says {
			t.Errorf("%v, done %v: %s", err, done, text)
		}
		_, err = s.Step(context.Background(), nil)
		require.NoError(t, err)
	}
	if done, err := sheet.Take(MeasuredMsg{err: context.Canceled}, noon); done || err != nil {
		t.Errorf("given up: %v, %v", done, err)
	}
	_, err = sheet.Take(MeasuredMsg{err: errors.New("no quantity")}, noon)
	assert.Error(t, err, "what cannot be measured is not told")
	plain, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random"})
	if err != nil || New(plain) != nil {
		t.Errorf("a session without a task has a sheet, %v", err)
	}
}
