package sessions

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions/lesson/page"
	"bandscope/sessions/recorder"
)

// Notes are written and rewritten from anywhere: the way ahead stays, the newest text is read everywhere, also after
// reopening, and what was said before stays on record.
func TestNotesAreEditedAfterwards(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	s, err := New(t.Context(), Config{Problem: "forrester", Optimizer: "random", Seed: 3})
	require.NoError(t, err)
	must := func(err error) {
		t.Helper()
		require.NoError(t, err)
	}
	step := func() {
		t.Helper()
		_, err := s.Step(t.Context(), nil)
		must(err)
	}
	step()
	step()
	must(s.Note("frist"))
	step()
	step()
	must(s.SaveAs(path))

	s.Seek(2)
	must(s.Revise(s.State().NotesAt(2)[0].ID, " first "))
	must(s.Note("second, from afar"))
	must(s.Mark())
	s.Seek(1)
	must(s.Note("on the first step"))
	must(s.Note("once more"))
	check := func(when string) {
		t.Helper()
		state := s.State()
		assert.Equal(t, 3, state.Ahead, "%s: %d steps ahead, want 3: a note cut them off", when, state.Ahead)
		if len(state.NotesAt(2)) > 0 {
			t.Errorf("%s: standing at step 1, notes of step 2 are known", when)
		}
		if list, err := s.Branches(); err != nil || len(list) != 1 {
			t.Errorf("%s: %d branches, %v", when, len(list), err)
		}
		s.Last()
		st := s.State()
		texts := func(step int) string { return strings.Join(texts(st, step), "|") }
		if texts(1) != "on the first step\n\nonce more" || !strings.Contains(texts(2), "first") ||
			strings.Contains(texts(2), "frist") || !strings.Contains(texts(2), "second, from afar") {
			t.Errorf("%s: the notes are %q and %q", when, texts(1), texts(2))
		}
		if !slices.ContainsFunc(st.NotesAt(2), func(n recorder.Note) bool { return n.Mark }) {
			t.Errorf("%s: step 2 is not marked", when)
		}
		line := s.Timeline()
		if line.Stops[1].Note != "on the first step" || line.Stops[2].Note == "" || !line.Stops[2].Mark {
			t.Errorf("%s: the timeline has %+v", when, line.Stops)
		}
		s.Seek(1)
	}
	check("at once")
	must(s.Close())
	s, err = Open(t.Context(), path)
	must(err)
	check("reopened")
	id := ""
	s.Seek(2)
	for _, n := range s.State().NotesAt(2) {
		if n.Text == "first" {
			id = n.ID
		}
	}
	must(s.Revise(id, ""))
	if st := s.State(); slices.Contains(texts(st, 2), "first") || len(texts(st, 2)) != 1 {
		t.Errorf("withdrawn, the notes are %q", texts(st, 2))
	}
	assert.Error(t, s.Revise("0123456789abcdef", "x"), "a note that is not there is revised")
	assert.Error(t, s.Revise(id, strings.Repeat("x", recorder.MaxNote+1)), "a note that is too long is taken")
	must(s.Close())
	log, err := os.ReadFile(path)
	must(err)
	for _, want := range []string{`"text":"frist"`, `"text":"first"`, `"kind":"annotated"`} {
		assert.Contains(t, string(log), want, "the file does not keep %s", want)
	}
}

// texts are those of the notes on a step.
func texts(st State, step int) []string {
	var list []string
	for _, n := range st.NotesAt(step) {
		if n.Text != "" {
			list = append(list, n.Text)
		}
	}
	return list
}

// A page of a lesson can be written later where another one stands, asks something else when it is revised, and is no
// place any more when it is withdrawn; all of it is in the file.
func TestPagesAreRevised(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lesson.jsonl")
	s, err := New(t.Context(), Config{Problem: "forrester", Optimizer: "random", Seed: 1},
		WithLesson(&Lesson{Title: "A", About: "b."}))
	require.NoError(t, err)
	must := func(err error) {
		t.Helper()
		require.NoError(t, err)
	}
	must(s.SaveAs(path))
	choice := page.Page{Question: page.Question{Choices: []string{"up", "down"}, Correct: 1},
		Claims: []string{"points = 1"}}
	must(s.WritePage("# One", page.Page{}))
	steps(t, s, 1)
	must(s.WritePage("# Two", page.Page{Ask: true}))
	steps(t, s, 1)
	must(s.WritePage("# Three", page.Page{}))
	s.GoTo(1)
	must(s.WritePage("# Between", choice))
	pages := func() (report string) {
		for _, stop := range s.Timeline().Stops {
			report += stop.Note + map[bool]string{true: "?"}[stop.Ask] + " "
		}
		return report
	}
	require.Equal(t, "One Between? Two? Three ", pages(), "the pages")
	s.GoTo(2)
	two := s.State().LastNote().ID
	must(s.RevisePage(two, "# Two", choice))
	must(s.Revise(two, "# Second"))
	if s.RevisePage(two, "x", page.Page{Question: page.Question{Choices: []string{"one"}}}) == nil {
		t.Error("a question with one choice is taken")
	}
	must(s.Close())
	s = reopen(t, path)
	s.GoTo(2)
	if n := s.State().LastNote(); pages() != "One Between? Second? Three " || n.Ask || len(n.Choices) != 2 ||
		n.Claims[0] != "points = 1" {
		t.Errorf("read again they are %s, the second %+v", pages(), n)
	}
	must(s.Revise(two, ""))
	assert.Equal(t, "One Between? Three ", pages(), "without it they")
}
