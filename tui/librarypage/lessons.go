package librarypage

import (
	"fmt"

	"github.com/charmbracelet/x/ansi"

	"bandscope/sessions/lesson"
	"bandscope/sessions/library"
	"bandscope/sessions/sanitize"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// lessonItems are lessons, with the command that opens one, and the reader's progress.
func lessonItems(command string, lessons []library.LessonEntry, read lesson.Progress) []item {
	var items []item
	for _, l := range lessons {
		it := item{value: l.Name, about: l.Title, group: l.Part,
			more: []string{l.Title, "", l.About, "",
				fmt.Sprintf("%s: %s; %s", l.Part, pagesText(l), l.Subject())}}
		if e := l.Exercise; e != nil {
			it.more = append(it.more, "", fmt.Sprintf("an exercise at the end, on %s with %s", e.Config.Problem,
				e.Config.Optimizer))
		}
		if progress := read[l.Name].Describe(l.Pages); progress != "" {
			it.more = append(it.more, "", progress)
		}
		it.more = append(it.more, "", "bandscope "+command+" "+l.Name)
		items = append(items, it)
	}
	return items
}

// pagesText counts the pages of a lesson, and those with a question.
func pagesText(l library.LessonEntry) string {
	text := widget.Count(l.Pages, "page")
	if l.Questions > 0 {
		text += fmt.Sprintf(", %d with a question", l.Questions)
	}
	return text
}

// putLessons takes the progress of lessons. At first, it selects the next lesson to read.
func (m *Model) putLessons(read lesson.Progress) {
	first := m.progress == nil
	m.progress = read
	m.relist(fieldLessons, lessonItems("lesson", m.lessons, read))
	m.relist(fieldGallery, lessonItems("gallery", m.gallery, read))
	if next, ok := library.NextLesson(m.lessons, read); ok && first && m.field != fieldLessons {
		m.selectValue(fieldLessons, next.Name)
	}
}

// shelf is the list of lessons of the current field: the course or the gallery.
func (m *Model) shelf() []library.LessonEntry {
	if m.field == fieldGallery {
		return m.gallery
	}
	return m.lessons
}

// lesson is a lesson of the list.
func (m *Model) lesson(name string) library.LessonEntry {
	for _, l := range m.shelf() {
		if l.Name == name {
			return l
		}
	}
	return library.LessonEntry{Name: name}
}

// partRow is the heading of a part of the list of lessons, with how much of it is finished.
func (m *Model) partRow(part string, w int) *layout.Box {
	done, all := 0, 0
	for _, l := range m.shelf() {
		if l.Part != part {
			continue
		}
		all++
		if l.Finished(m.progress) {
			done++
		}
	}
	count := ""
	if done > 0 {
		count = fmt.Sprintf("%d of %d ", done, all)
	}
	st := m.Style
	return layout.Text(w, layout.Fit(" "+st.PaintBold(st.Text, sanitize.Text(part)), w-len(count))+
		st.Paint(st.Dim, count)).
		Number(sanitize.Text(part), "", fmt.Sprintf("A part of the %s: %s, %d of %d finished.",
			fields[m.field].name, sanitize.Text(part), done, all))
}

// lessonRow is a lesson in the list: a mark for its progress, its number and name, its title if there is space, and its
// progress in words. A session of the gallery has its title alone.
func (m *Model) lessonRow(l library.LessonEntry, selected bool, w int) string {
	st, r := m.Style, m.progress[l.Name]
	mark, color := theme.GlyphHollow, st.Faint
	switch {
	case l.Finished(m.progress):
		mark, color = theme.GlyphFilled, st.Accent
	case r.FarthestPage > 0 || !r.Exercise.Begun.IsZero():
		mark, color = theme.GlyphTarget, st.Accent
	}
	const before = 9 // the columns before the name
	name := fmt.Sprintf("%2d  %s", l.Number, l.Name)
	if m.field == fieldGallery { // whose titles are short
		name = fmt.Sprintf("%2d  %s", l.Number, ansi.Truncate(sanitize.Text(l.Title), max(w-before, 0), "…"))
		name = st.Plain(name)
	}
	line := "   "
	if selected {
		line, name = " "+st.PaintBold(st.Accent, st.Pointer()+" "), st.PaintBold(st.Accent, name)
	} else {
		name = st.Paint(st.Text, name)
	}
	line += st.Paint(color, st.Glyph(mark)) + " " + name
	progress := r.DescribePages(l.Pages)
	if w >= 80 {
		progress = r.Describe(l.Pages)
	}
	if progress != "" {
		progress = st.Plain(progress) + " "
	}
	if m.field == fieldGallery {
		return layout.Fit(line, w)
	}
	longest := 0
	for _, l := range m.shelf() {
		longest = max(longest, len(l.Name))
	}
	room := w - before - longest - 2 - ansi.StringWidth(progress) - 2
	if room >= ansi.StringWidth(l.Title) || progress == "" {
		line = layout.Fit(line, before+longest+2) +
			st.Paint(st.Dim, ansi.Truncate(st.Plain(sanitize.Text(l.Title)), max(room, 0), st.Plain("…")))
	}
	return layout.Fit(line, w-ansi.StringWidth(progress)) + st.Paint(st.Dim, progress)
}

// lessonBelow is the description of a lesson below the list.
func (m *Model) lessonBelow(name string, w int) *layout.Box {
	st, l := m.Style, m.lesson(name)
	body := layout.Column(layout.Sentence(st, st.Text, l.Title, w, 99), layout.Sentence(st, st.Dim, l.About, w, 99))
	if progress := m.progress[name].Describe(l.Pages); progress != "" {
		body.Below(layout.Sentence(st, st.Accent, progress, w, 99))
	}
	return body
}
