package library

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"bandscope/sessions"
	"bandscope/sessions/lesson"
)

// The lesson that was read last comes next until it is finished, then the first behind it that is not, then the first
// of all.
func TestNextLesson(t *testing.T) {
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	all := []LessonEntry{{Name: "a", Pages: 3}, {Name: "b", Pages: 3, Exercise: &sessions.Exercise{}},
		{Name: "c", Pages: 3}, {Name: "d", Pages: 3}}
	state := lesson.Progress{}
	next := func(want string) {
		t.Helper()
		if l, ok := NextLesson(all, state); l.Name != want || ok != (want != "") {
			t.Errorf("next is %q, want %q", l.Name, want)
		}
	}
	next("a")
	state["b"] = lesson.LessonProgress{FarthestPage: 1, Read: noon}
	next("b")
	state["c"] = lesson.LessonProgress{FarthestPage: 3, Read: noon.Add(time.Hour)}
	next("d")
	state["b"] = lesson.LessonProgress{FarthestPage: 3, Read: noon.Add(2 * time.Hour)}
	next("b") // whose exercise waits
	state["b"] = lesson.LessonProgress{FarthestPage: 3, Read: noon.Add(2 * time.Hour),
		Exercise: lesson.ExerciseProgress{Done: noon}}
	next("d")
	state["d"] = lesson.LessonProgress{FarthestPage: 3}
	next("a")
	state["a"] = lesson.LessonProgress{FarthestPage: 4}
	next("")
	if _, ok := NextLesson(nil, state); ok {
		t.Error("of no lessons one comes next")
	}
}

// The course has its lessons in their order, each in a part that stands together, with two questions at least and an
// exercise; those of labs have none.
func TestTheCourse(t *testing.T) {
	all := Lessons()
	assert.Equal(t, 24, len(all), "there are %d lessons", len(all))
	var parts []string
	names := map[string]bool{}
	for i, l := range all {
		if l.Number != i+1 || names[l.Name] || l.Title == "" || l.About == "" {
			t.Errorf("lesson %d is %d, %s: %q, %q", i+1, l.Number, l.Name, l.Title, l.About)
		}
		names[l.Name] = true
		if len(parts) == 0 || parts[len(parts)-1] != l.Part {
			parts = append(parts, l.Part)
		}
		if l.Questions < 2 || l.Pages < 8 {
			t.Errorf("%s asks %d times on %d pages", l.Name, l.Questions, l.Pages)
		}
		if e := l.Exercise; (e == nil) != (l.Training != "") || e != nil &&
			(len(e.Goals) == 0 || len(strings.Fields(e.Text)) > lesson.MaxWords) {
			t.Errorf("%s has the exercise %+v", l.Name, e)
		}
	}
	if want := []string{
		"foundations", "networks", "several objectives", "cost", "practice", "labs"}; !slices.Equal(parts, want) {
		t.Errorf("its parts are %q", parts)
	}
}
