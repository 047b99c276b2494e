package lessonpage

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	"bandscope/sessions"
	"bandscope/sessions/lesson"
	"bandscope/sessions/recorder"
)

// A lesson that is opened is read to its first page, and the reader is where they were before until they turn a page;
// the page of before is offered until it is reached.
func TestPlace(t *testing.T) {
	valueAt := func(page, total int) recorder.Timeline {
		return recorder.Timeline{Stops: make([]recorder.Stop, total), At: page}
	}
	p := NewReadingPosition(&sessions.Lesson{Name: "one"}, "", valueAt(0, 4))
	for _, page := range []int{-1, 0, 1, 5} {
		if p.Offer(page); p.OfferedPage() != 0 {
			t.Errorf("page %d is offered", page)
		}
	}
	p.Offer(4)
	p.MoveTo(valueAt(0, 4))
	if r := p.Read(valueAt(0, 4), nil); p.OfferedPage() != 4 || p.Advice() == "" || p.End(valueAt(2, 4)) ||
		!reflect.DeepEqual(r, lesson.LessonProgress{FarthestPage: 1}) {
		t.Errorf("opened: %+v, offered is %d", r, p.OfferedPage())
	}
	p.MoveTo(valueAt(1, 4))
	right := map[int]bool{1: true}
	if r := p.Read(valueAt(1, 4), right); p.OfferedPage() != 4 || p.Advice() != "" ||
		!reflect.DeepEqual(r, lesson.LessonProgress{CurrentPage: 2, FarthestPage: 2, Answers: right}) {
		t.Errorf("turned: %+v, offered is %d", r, p.OfferedPage())
	}
	p.MoveTo(valueAt(3, 4))
	assert.Equal(t, 0, p.OfferedPage(), "the page that was reached is offered")
	p.MoveTo(valueAt(0, 4))
	if r := p.Read(valueAt(0, 4), nil); r.CurrentPage != 1 {
		t.Errorf("turned back: %+v", r)
	}
	if r := p.Read(valueAt(6, 7), nil); r.CurrentPage != 4 || !p.End(valueAt(6, 7)) || !p.End(valueAt(3, 4)) {
		// steps of one's own behind the last page
		t.Errorf("behind the end: %+v", r)
	}
	if p := NewReadingPosition(&sessions.Lesson{}, "/a.jsonl", valueAt(0, 4)); p.Name != "/a.jsonl" {
		t.Errorf("a file's name is %q", p.Name)
	}
	if p := NewReadingPosition(nil, "/a.jsonl", valueAt(0, 4)); p.Name != "" {
		t.Errorf("what is no lesson has the name %q", p.Name)
	}
}
