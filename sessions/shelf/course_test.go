package shelf

import (
	"testing"
	"time"

	"bandscope/sessions"
	"bandscope/sessions/course"
)

// The lesson that was read last comes next until it is finished, then the first behind it that is not, then the first of all.
func TestNextLesson(t *testing.T) {
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	all := []LessonEntry{{Name: "a", Pages: 3}, {Name: "b", Pages: 3, Exercise: &sessions.Exercise{}}, {Name: "c", Pages: 3}, {Name: "d", Pages: 3}}
	state := course.State{}
	next := func(want string) {
		t.Helper()
		if l, ok := NextLesson(all, state); l.Name != want || ok != (want != "") {
			t.Errorf("next is %q, want %q", l.Name, want)
		}
	}
	next("a")
	state["b"] = course.Reading{Page: 1, Read: noon}
	next("b")
	state["c"] = course.Reading{Page: 3, Read: noon.Add(time.Hour)}
	next("d")
	state["b"] = course.Reading{Page: 3, Read: noon.Add(2 * time.Hour)}
	next("b") // whose exercise waits
	state["b"] = course.Reading{Page: 3, Read: noon.Add(2 * time.Hour), Exercise: course.Exercise{Done: noon}}
	next("d")
	state["d"] = course.Reading{Page: 3}
	next("a")
	state["a"] = course.Reading{Page: 4}
	next("")
	if _, ok := NextLesson(nil, state); ok {
		t.Error("of no lessons one comes next")
	}
}
