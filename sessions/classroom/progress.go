package classroom

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// LessonStep is what a person has done in a lesson: reached a page, answered its question, or done the exercise.
type LessonStep struct {
	Lesson   string `json:"lesson"`
	Page     int    `json:"page,omitempty"`     // that was reached, or whose question was answered, from 1
	Pages    int    `json:"pages,omitempty"`    // of the lesson
	Answered bool   `json:"answered,omitempty"` // the question of the page was answered
	Correct  bool   `json:"correct,omitempty"`  // the answer is right
	Exercise bool   `json:"exercise,omitempty"` // the exercise is done
}

// lessonStep is a LessonStep of a person, by the place in the list of people.
type lessonStep struct {
	person int
	LessonStep
}

// maxPages is the number of pages of a lesson at most.
const maxPages = 1000

// Check reports the first fault of a step.
func (s LessonStep) Check() error {
	if err := checkText("the name of the lesson", s.Lesson, maxName); err != nil {
		return err
	}
	if s.Page < 0 || s.Pages < 0 || s.Pages > maxPages || s.Page > max(s.Pages, maxPages) {
		return fmt.Errorf("a lesson has at most %d pages, got page %d of %d", maxPages, s.Page, s.Pages)
	}
	if !s.Answered && s.Correct || s.Answered && s.Page == 0 {
		return errors.New("an answer is to the question of a page")
	}
	if s.Page == 0 && !s.Exercise {
		return errors.New("a step in a lesson reaches a page, answers a question or does the exercise")
	}
	return nil
}

// Reading is how far a person is in a lesson.
type Reading struct {
	Person   int // the place in State.People
	Lesson   string
	Page     int // the last page that was reached
	Pages    int // of the lesson; 0 if unknown
	Correct  int // questions whose first answer was right
	Wrong    int // and wrong
	Exercise bool
}

// Read reports whether the person has reached the last page.
func (r Reading) Read() bool { return r.Pages > 0 && r.Page >= r.Pages }

// LessonQuestion is how a question of a lesson was answered first, before the answer was known.
type LessonQuestion struct {
	Lesson   string
	Page     int
	Answered int
	Wrong    int
}

// Progress is what the class has done in the lessons.
type Progress struct {
	Lessons   []string         // in the order of their names
	Readings  []Reading        // by person, then lesson
	Questions []LessonQuestion // those with most wrong answers first
}

// Progress folds the steps of the class in the lessons.
func (st State) Progress() Progress {
	type place struct {
		person int
		lesson string
	}
	type page struct {
		lesson string
		page   int
	}
	type reader struct {
		person int
		page
	}
	var p Progress
	readings := map[place]*Reading{}
	questions := map[page]*LessonQuestion{}
	seen := map[reader]bool{}
	for _, s := range st.steps {
		if !slices.Contains(p.Lessons, s.Lesson) {
			p.Lessons = append(p.Lessons, s.Lesson)
		}
		r := readings[place{s.person, s.Lesson}]
		if r == nil {
			r = &Reading{Person: s.person, Lesson: s.Lesson}
			readings[place{s.person, s.Lesson}] = r
		}
		r.Page = max(r.Page, s.Page)
		r.Pages = max(r.Pages, s.Pages)
		r.Exercise = r.Exercise || s.Exercise
		position := page{s.Lesson, s.Page}
		if !s.Answered || seen[reader{s.person, position}] {
			continue
		}
		seen[reader{s.person, position}] = true
		q := questions[position]
		if q == nil {
			q = &LessonQuestion{Lesson: s.Lesson, Page: s.Page}
			questions[position] = q
		}
		q.Answered++
		if s.Correct {
			r.Correct++
		} else {
			r.Wrong++
			q.Wrong++
		}
	}
	slices.Sort(p.Lessons)
	for _, r := range readings {
		p.Readings = append(p.Readings, *r)
	}
	slices.SortFunc(p.Readings, func(a, b Reading) int {
		return cmp.Or(a.Person-b.Person, cmp.Compare(a.Lesson, b.Lesson))
	})
	for _, q := range questions {
		p.Questions = append(p.Questions, *q)
	}
	slices.SortFunc(p.Questions, func(a, b LessonQuestion) int {
		return cmp.Or(b.Wrong-a.Wrong, a.Answered-b.Answered, cmp.Compare(a.Lesson, b.Lesson),
			a.Page-b.Page)
	})
	return p
}

// has reports whether a step adds nothing to those on record: the page was reached, its question answered, or the
// exercise done.
func (st State) has(person int, s LessonStep) bool {
	return slices.ContainsFunc(st.steps, func(old lessonStep) bool {
		if s.Answered {
			return old.person == person && old.Lesson == s.Lesson && old.Page == s.Page && old.Answered
		}
		return old.person == person && old.Lesson == s.Lesson && old.Page >= s.Page && old.Pages >= s.Pages &&
			(old.Exercise || !s.Exercise)
	})
}

// Record records what a person has done in a lesson. A page that was reached before is not recorded again.
func (c *Class) Record(person string, s LessonStep) error {
	return c.record(func(st State) (change, error) {
		if st.has(st.index(person), s) {
			return nil, nil
		}
		return &progressedData{person, s}, nil
	})
}
