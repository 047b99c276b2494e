package note

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/modetest"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

func TestOn(t *testing.T) {
	s := noted(t)
	active := func() (text string) {
		for _, p := range NotesPage(modetest.Scene(s).Notes).Passages {
			text += p.Text
		}
		return text
	}
	assert.Equal(t, "first\n\n---\n\nsecond", active(), "on the step")
	require.NoError(t, s.Revise(s.State().NotesAt(1)[0].ID, ""))
	assert.Equal(t, "second", active(), "behind a note that was withdrawn")
	s.Back()
	if got := NotesPage(modetest.Scene(s).Notes); got.Passages != nil {
		t.Errorf("on another step is %+v", got)
	}
}

// Passages stand below each other as they would in one text, each is described by itself as far as it is seen, and what
// has no description is quoted.
func TestPassages(t *testing.T) {
	st := theme.New(true, theme.NoColor, false)
	text := Page{Title: "a task", Description: "What is to be done here.",
		Passages: []Passage{{Text: "Do *this*.\n\n**Goals**:", Name: "task", Description: "The task is this."},
			{Text: "one = 1", Name: "goal", Description: "The first goal is this.", NoGap: true},
			{Text: "two", Name: "goal", Description: "The second goal is this.", NoGap: true}}}
	text = text.WithNotes(modetest.Scene(noted(t)).Notes)
	whole := Page{Passages: []Passage{{Text: "Do *this*.\n\n**Goals**:\\\none = 1\\\ntwo\n\n---\n\nfirst\n\n---\n\n" +
		"second"}}}
	var b, other Panel
	inside := func(text string) string { return text[strings.Index(text, "\n"):] }
	if got, want := modetest.Text(b.Panel(st, text, 30, 16)),
		modetest.Text(other.Panel(st, whole, 30, 16)); inside(got) != inside(want) {
		t.Errorf("drawn are\n%s\nwant\n%s", got, want)
	}
	for top := range 12 {
		b.top = top
		explained.Check(t, fmt.Sprintf("from line %d", top), b.Panel(st, text, 30, 6), 30, 6)
	}
	b.Rewind()
	var texts []string
	for _, p := range layout.Arrange(b.Panel(st, text, 30, 11), 30, 11).DescribedBoxes() {
		texts = append(texts, p.Name+": "+p.Description())
	}
	if got, want := strings.Join(texts, "|"),
		"a task: What is to be done here.|task: The task is this.|goal: The first goal is this.|goal: The second goal is this.|text: The text: “first second”, from line 1, with 5 more lines below; page down scrolls."; got != want {
		t.Errorf("described is %s\nwant %s", got, want)
	}
}

// A text that is longer than its panel is scrolled to its end and back, and says at both that it is there.
func TestScrolling(t *testing.T) {
	st := theme.New(true, theme.NoColor, false)
	var lines []string
	for i := range 20 {
		lines = append(lines, fmt.Sprintf("- line %d", i))
	}
	text, b := LessonPage("notes", strings.Join(lines, "\n"), false), Panel{}
	shows := func(want ...string) {
		t.Helper()
		shown := modetest.Text(b.Panel(st, text, 30, 10))
		for _, w := range want {
			assert.Contains(t, shown, w, "not shown is %q:\n%s", w, shown)
		}
	}
	most := b.MaxScroll(st, text, 30, 10)
	if most != 13 || b.MaxScroll(st, text, 30, 22) != 0 || b.MaxScroll(st, text, 30, 21) != 2 {
		t.Errorf("over are %d, %d, %d", most, b.MaxScroll(st, text, 30, 22), b.MaxScroll(st, text, 30, 21))
	}
	shows("line 0", "line 6", "… page down")
	assert.Equal(t, "this is the beginning of the note", b.Scroll(-5, most), "above the beginning")
	assert.Equal(t, "", b.Scroll(5, most), "scrolled")
	shows("line 5", "line 11", "… page down")
	b.Scroll(5, most)
	b.Scroll(5, most)
	shows("line 13", "line 19")
	assert.Equal(t, "this is the end of the note", b.Scroll(5, most), "below the end")
	if b.Rewind(); b.top != 0 {
		t.Errorf("rewound to %d", b.top)
	}
	b.Scroll(5, most)
	text = LessonPage("notes", "short", false)
	shows("short")
}

// Below the text of a lesson's page is the first term that it marks, where at least six rows are free and it fits; the
// formula waits for the answer to a question.
func TestTermOfAPage(t *testing.T) {
	st := theme.New(true, theme.NoColor, false)
	const sentence, formula = "The average amount", "EI = (y*"
	const other = "A distribution over functions"
	for _, c := range []struct {
		name, text    string
		asks          bool
		h             int
		term, formula bool
	}{
		{name: "in bold", text: "A **good thing**, **expected improvement**, and a **kernel**.", h: 20, term: true, formula: true},
		{name: "command", text: "More: `bandscope explain EI`", h: 20, term: true, formula: true},
		{name: "question", text: "The **EI**.", asks: true, h: 20, term: true},
		{name: "no mark", text: "The EI, *EI* and `EI`.", h: 20},
		{name: "it just fits", text: "**EI**", h: 9, asks: true, term: true},
		{name: "few rows", text: "**GP**", h: 8, asks: true},
		{name: "enough rows", text: "**GP**", h: 9, asks: true, term: true},
		{name: "too long with its formula", text: "**EI**", h: 9},
	} {
		var b Panel
		panel := b.Panel(st, LessonPage("a lesson", c.text, c.asks), 34, c.h)
		shown := modetest.Text(panel)
		assert.Equal(t, c.term, strings.Contains(shown, sentence) || strings.Contains(shown, other),
			"%s: the term:\n%s", c.name, shown)
		assert.Equal(t, c.formula, strings.Contains(shown, formula), "%s: the formula:\n%s", c.name, shown)
		explained.Check(t, c.name, panel, 34, c.h)
	}
	var b Panel
	notes := NotesPage(modetest.Scene(noted(t)).Notes)
	notes.Passages[0].Text = "**EI**"
	assert.NotContains(t, modetest.Text(b.Panel(st, notes, 34, 20)), sentence, "below notes")
}
