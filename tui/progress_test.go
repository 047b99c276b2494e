package tui

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/lesson"
	"bandscope/sessions/lesson/page"
	"bandscope/sessions/library"
	"bandscope/tui/rights"
	"bandscope/tui/widget"
)

// exercised is the file of a lesson of three pages, the second of which asks, with an exercise.
func exercised(t *testing.T, dir string) string {
	t.Helper()
	cfg := sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}
	l := &sessions.Lesson{Title: "a lesson", About: "On chance.", Exercise: &sessions.Exercise{
		Config: sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 5},
		Task:   sessions.Task{Text: "Take two steps: `space`.", Goals: []string{"points > 1", "steps < 3"}}}}
	s, err := sessions.New(t.Context(), cfg, sessions.WithLesson(l))
	require.NoError(t, err)
	path := filepath.Join(dir, "a lesson.jsonl")
	err = errors.Join(s.WritePage("# one", page.Page{}),
		s.WritePage("# two", page.Page{Question: page.Question{Choices: []string{"up", "down"}, Correct: 1}}),
		s.WritePage("# three", page.Page{}), s.SaveAs(path), s.Close())
	require.NoError(t, err)
	return path
}

// read opens a saved lesson in a window.
func read(t *testing.T, path string) *window {
	t.Helper()
	s, err := sessions.Open(t.Context(), path)
	require.NoError(t, err)
	s.First()
	return openWindow(t, Options{Session: s, Rights: rights.Own(filepath.Dir(path))}, 120, 36)
}

// What is read and answered of a lesson is kept; opened again it offers the page where one was. Its last page leads to
// the exercise, which is kept as it is done, and back.
func TestALessonIsReadToTheEnd(t *testing.T) {
	dir := t.TempDir()
	path := exercised(t, dir)
	remaining := func() lesson.LessonProgress {
		t.Helper()
		state, err := lesson.ReadProgress(dir)
		require.NoError(t, err)
		return state[path]
	}
	w := read(t, path)
	w.press("o")
	w.shows("course: type to filter")
	w.press("esc", "enter")
	w.shows("the exercise follows the last page")
	w.press("space")
	if r := remaining(); r.CurrentPage != 2 || r.FarthestPage != 2 || len(r.Answers) != 0 || r.Read.IsZero() {
		t.Errorf("a page was turned: %+v", r)
	}
	require.NoError(t, w.a.close())
	w = read(t, path)
	w.shows("ctrl+l goes to page 2, where you were")
	w.press("ctrl+l")
	w.shows("two")
	w.press("2")
	w.shows("✓ down")
	w.press("space")
	w.shows("this is the last page: enter goes to the exercise")
	if r := remaining(); r.CurrentPage != 3 || r.Correct() != 1 {
		t.Errorf("a question was answered: %+v", r)
	}
	w.press("enter")
	w.shows("Take two steps")
	w.shows("results on the plot > 1: now 0")
	if r := remaining(); r.Exercise.File != "" {
		t.Errorf("nothing was done of the exercise: %+v", r)
	}
	w.press("space")
	w.shows("results on the plot > 1: now 1")
	w.press("enter")
	w.shows("three")
	if r := remaining(); r.Exercise.File != "exercise-a lesson.jsonl" || r.Exercise.Begun.IsZero() ||
		!r.Exercise.Done.IsZero() {
		t.Errorf("a step was taken: %+v", r)
	}
	w.press("enter", "space")
	w.shows("all goals hold")
	done := remaining().Exercise.Done
	assert.False(t, done.IsZero(), "it is not known that the exercise is done")
	w.press("space")
	w.shows("iterations < 3: now 3")
	if r := remaining(); !r.Exercise.Done.Equal(done) || r.Describe(3) != "read · 1 of 1 right · exercise done" {
		t.Errorf("a goal was lost: %+v, %q", r, r.Describe(3))
	}
	w.press("enter")
	w.shows("three")
}

// From the exercise of a lesson enter leads back to its last page, however the lesson was opened, also after steps
// behind its last page, which are kept in a file of their own.
func TestBackFromTheExercise(t *testing.T) {
	dir := t.TempDir()
	file := exercised(t, dir)
	for _, c := range []struct{ name, last, task string }{
		{"prior", "The next lesson adds", "Find a lengthscale with"}, {file, "three", "Take two steps"}} {
		for _, keys := range [][]string{{"G"}, {"G", "space"}} {
			s, err := library.FindLesson(t.Context(), c.name)
			require.NoError(t, err)
			w := openWindow(t, Options{Session: s, Rights: rights.Own(dir)}, 120, 36)
			w.press(append(keys, "enter")...)
			w.shows(c.task)
			w.press("enter")
			w.shows(c.last)
			w.shows("this is the last page")
		}
	}
	w := read(t, file) // the exercise of a file that is written to, then that of a lesson of the course
	w.press("G", "enter")
	w.shows("Take two steps")
	w.take(widget.ActionMsg{Action: widget.Lesson{Name: "prior"}})
	w.press("G", "space", "enter", "space", "enter")
	w.shows("The next lesson adds")
	if name, _ := w.a.explore.Reading(); name != "prior" || w.a.explore.Session().Path() != "" {
		t.Errorf("the lesson is %q, in the file %q", name, w.a.explore.Session().Path())
	}
}

// Ctrl+n opens the next lesson from the last page and from the exercise, of labs too; on another page, after the last
// lesson of the course and in a lesson that is not of the course it says why it does not.
func TestNextLesson(t *testing.T) {
	if testing.Short() {
		t.Skip("TestEveryScreen runs the same jobs")
	}
	dir := t.TempDir()
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3})
	require.NoError(t, err)
	w := openWindow(t, Options{Session: s, Rights: rights.Own(dir)}, 80, 24)
	valueAt := func(title, name string) {
		t.Helper()
		w.shows(title)
		if got, _ := w.a.home().(reader).Reading(); got != name {
			t.Errorf("%s is open, want %s", got, name)
		}
	}
	w.press("ctrl+n")
	w.shows("this is not a lesson")
	for _, c := range []struct{ lesson, next, title string }{
		{"prior", "posterior", "Data and the posterior"},
		{"experiment", "sparsity", "Sparse embeddings"},
		{"sparsity", "coherence", "Coherent forecasts"}} {
		w.take(widget.ActionMsg{Action: widget.Lesson{Name: c.lesson}})
		w.press("ctrl+n")
		w.shows("finish this lesson first")
		w.press("G")
		w.shows("Next lesson: " + c.next)
		w.press("ctrl+n")
		valueAt(c.title, c.next)
	}
	w.press("G", "ctrl+n")
	w.shows("no lesson follows this one")
	w.take(widget.ActionMsg{Action: widget.Lesson{Name: "prior"}})
	w.press("G", "enter", "ctrl+n")
	valueAt("Data and the posterior", "posterior")

	file := exercised(t, dir)
	w.take(widget.ActionMsg{Action: widget.Resume{Path: file}})
	w.press("G", "ctrl+n")
	w.shows("no lesson follows this one")
}
