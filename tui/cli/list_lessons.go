package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"bandscope/functions/digits"
	"bandscope/sessions/course"
	"bandscope/sessions/safe"
	"bandscope/sessions/shelf"
)

// toldLesson is a lesson with what was done of it, for programs that read lists.
type listedLesson struct {
	shelf.LessonEntry
	Reading course.Reading `json:"reading,omitzero"`
}

// listLessons lists the lessons with what was done of them, by what is kept in a folder; a name lists one of them whole.
func listLessons(out io.Writer, name, dir string, asJSON bool) error {
	all, state := shelf.Lessons(), readings(out, dir, asJSON)
	if name != "" {
		one, err := shelf.FindEntry(name)
		if err != nil {
			return asUsage(err)
		}
		all = []shelf.LessonEntry{one}
	}
	if asJSON {
		told := make([]listedLesson, len(all))
		for i, l := range all {
			told[i] = listedLesson{l, state[l.Name]}
		}
		return safe.JSON(out, told)
	}
	if name != "" {
		return describeLesson(out, all[0], state[name])
	}
	return lessonTable(out, all, state)
}

// readings are what was done of lessons. Of what cannot be read the list says so, and goes on without it.
func readings(out io.Writer, dir string, asJSON bool) course.State {
	state, err := course.Read(dir)
	if err != nil && !asJSON {
		fmt.Fprintln(out, safe.Text(err.Error()))
	}
	return state
}

// tabulate writes lessons by the parts of the course.
func lessonTable(out io.Writer, all []shelf.LessonEntry, state course.State) error {
	name, title := 0, 0
	for _, l := range all {
		name, title = max(name, utf8.RuneCountInString(l.Name)), max(title, utf8.RuneCountInString(l.Title))
	}
	var lines []string
	part := ""
	for _, l := range all {
		if l.Part != part {
			if part != "" {
				lines = append(lines, "")
			}
			part = l.Part
			lines = append(lines, part)
		}
		lines = append(lines, strings.TrimRight(fmt.Sprintf("%4d  %-*s  %-*s  %s", l.Number, name, l.Name, title, l.Title, state[l.Name].Say(l.Pages)), " "))
	}
	_, err := fmt.Fprintln(out, strings.Join(lines, "\n"))
	return err
}

// tellLesson writes all of one lesson.
func describeLesson(out io.Writer, l shelf.LessonEntry, r course.Reading) error {
	lines := []string{fmt.Sprintf("%d  %s: %s", l.Number, l.Name, l.Title), l.About, "",
		fmt.Sprintf("%s: %s, %d of them with a question, %s", l.Part, digits.Count(l.Pages, "page"), l.Questions, l.On())}
	if said := r.Say(l.Pages); said != "" {
		lines = append(lines, said)
	}
	if e := l.Exercise; e != nil {
		lines = append(lines, "", "exercise, on "+e.Config.Problem+" with "+e.Config.Optimizer+":", e.Text, "", "goals: "+strings.Join(e.Goals, ", "))
	}
	lines = append(lines, "", "bandscope lesson "+l.Name)
	_, err := fmt.Fprintln(out, strings.Join(lines, "\n"))
	return err
}

// Course lists the lessons with what was done of them, by what is kept in a folder, and says which one comes next.
func listCourse(out io.Writer, dir string) error {
	all, state := shelf.Lessons(), readings(out, dir, false)
	if err := lessonTable(out, all, state); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out, "\n"+nextLesson(state))
	return err
}

// nextSaid says which lesson comes next.
func nextLesson(state course.State) string {
	l, ok := shelf.NextLesson(shelf.Lessons(), state)
	switch r := state[l.Name]; {
	case !ok:
		return "all lessons are read, and every exercise is done"
	case r.Page == 0:
		return "next: bandscope lesson " + l.Name
	case r.Page >= l.Pages:
		return "next: bandscope lesson " + l.Name + ", whose exercise waits"
	default:
		return fmt.Sprintf("next: bandscope lesson %s, from page %d of %d on", l.Name, max(r.At, 1), l.Pages)
	}
}
