package explore

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/lesson"
	"bandscope/sessions/library"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/lessonpage"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// exercised is a session with a task, of which so many steps are done.
func exercised(t *testing.T, steps int) *sessions.Session {
	t.Helper()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 9,
		Params: map[string]any{"initial": 3}}, sessions.WithTask(&sessions.Task{Lesson: "kernel",
		Text: "Bring the simple regret below 0.1 with **at most nine** evaluations: `space` takes a step, `x` a point of your own. Look at the band before you choose.", Goals: []string{"regret < 0.1", "points < 10"}}))
	require.NoError(t, err)
	for range steps {
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	return s
}

func TestGoldenExercises(t *testing.T) {
	for _, c := range []struct {
		name  string
		w, h  int
		style theme.Style
		keys  string
	}{
		{"exercise-80x24", 80, 24, noColor, ""},
		{"exercise-120x36-done", 120, 36, trueColor, "x 0 . 7 5 7 enter enter"},
	} {
		d := driveSession(t, exercised(t, 4), c.w, c.h, c.style)
		d.Press(strings.Fields(c.keys)...)
		d.told(t, c.name)
		screentest.Check(t, c.name, d.Screen(), c.style.ASCII)
	}
}

// In an exercise the truth is hidden until it is asked for; when all goals hold at once that is said, and known from
// then on.
func TestExercise(t *testing.T) {
	d := driveSession(t, exercised(t, 4), 120, 36, trueColor)
	if d.M.reveal {
		t.Errorf("the truth is shown:\n%s", d.Text())
	}
	if name, r := d.M.Reading(); name != "kernel" || !r.Exercise.Done.IsZero() {
		t.Errorf("%q, %+v", name, r)
	}
	d.Press(strings.Fields("x 0 . 7 5 7 enter enter")...)
	d.Shows("exercise done, all goals hold")
	d.Shows("Next lesson: noise (ctrl+n)")
	d.Shows("ctrl+n next lesson")
	d.Press("b")
	d.Shows("Done before")
	if _, r := d.M.Reading(); r.Exercise.Done.IsZero() {
		t.Error("what was done is forgotten")
	}
	if _, r := New(exercised(t, 0), "").Reading(); r.Exercise != (lesson.ExerciseProgress{}) {
		t.Errorf("nothing was done, and %+v is told", r)
	}
}

// A run ends where another step would miss a goal on the number of steps or results; the step key goes on.
func TestRunStopsAtTheCountOfAGoal(t *testing.T) {
	for _, c := range []struct {
		goals []string
		want  int
	}{
		{[]string{"points = 12", "log-evidence > -12"}, 12},
		{[]string{"regret < -1", "steps < 7"}, 6},
	} {
		s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 9},
			sessions.WithTask(&sessions.Task{Text: "Run.", Goals: c.goals}))
		require.NoError(t, err)
		d := driveSession(t, s, 120, 36, trueColor)
		d.M.Speed = widget.MaxSpeed
		for range 2 {
			d.Press("r")
			d.Shows("paused at a goal")
			require.Len(t, d.M.state.Iterations, c.want)
		}
		d.Press("space")
		require.Len(t, d.M.state.Iterations, c.want+1)
	}
}

// The task of every exercise of the course is read whole in the smallest window, with its goals, however long their
// numbers are.
func TestTasksFit(t *testing.T) {
	for _, l := range library.Lessons() {
		if l.Exercise == nil {
			continue
		}
		s, err := sessions.New(t.Context(), l.Exercise.Config, sessions.WithTask(&l.Exercise.Task))
		if err != nil {
			t.Errorf("%s: %v", l.Name, err)
			continue
		}
		m := New(s, "")
		m.Resize(lessonpage.Width, lessonpage.Height)
		m.Restyle(trueColor)
		longest := m.Notes()
		for i := range longest.Passages {
			longest.Passages[i].Text = strings.ReplaceAll(longest.Passages[i].Text, ": …", ": now -0.00123")
		}
		if over := m.NotesPanel.MaxScroll(m.Style, longest, m.layout().side, m.layout().height); over > 0 {
			t.Errorf("%s: the task is too long for its panel by up to %d lines: %v", l.Name, over, m.Notes())
		}
	}
}
