package labs

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bandscope/sessions/library"
	"bandscope/tui/labs/panel"
	"bandscope/tui/player"
)

// Every page of a lesson of a lab can be read at once in a small window, also with a marked answer, or below that of a question that was skipped;
// it has at most 60 words, and is about a view that its picture has.
func TestPagesOfLessons(t *testing.T) {
	read := 0
	for _, l := range library.Lessons() {
		if l.Training == "" {
			continue
		}
		s, err := library.OpenTrainingLesson(l.Name)
		require.NoError(t, err)
		m := New(s, "")
		m.Resize(80, 24)
		views, ok := m.picture.(panel.ViewSelector)
		if !ok || views.View("no such view") {
			t.Fatalf("%s: the picture of the lab %s shows what is not there, or no view by its name", l.Name,
				l.Training)
		}
		for i, stop := range s.Timeline().Stops {
			s.GoTo(i)
			m.showState(s.State())
			page := m.state.LastNote()
			_, body, _ := strings.Cut(page.Text, "\n")
			if n := len(strings.Fields(body)); n > 60 {
				t.Errorf("%s, page %d, %q, has %d words", l.Name, i+1, stop.Note, n)
			}
			if !views.View(page.View) {
				t.Errorf("%s, page %d, %q, is about the view %q, which there is not", l.Name, i+1, stop.Note, page.View)
			}
			if n := player.NotesScroll(m); n > 0 {
				t.Errorf("%s, page %d, %q, is %d lines longer than the window", l.Name, i+1, stop.Note, n)
			}
			if stop.Ask {
				for k := range page.Choices {
					m.Reader.Choice.Answer(m.Line, page.Question, k)
					if n := player.NotesScroll(m); n > 0 {
						t.Errorf("%s, page %d, %q, is %d lines too long with the reason of choice %d", l.Name, i+1,
							stop.Note, n, k+1)
					}
				}
				m.Reader.Choice.Pass(m.Line, page.Question)
				m.Reader.Choice.Pass(m.Line, page.Question)
			}
			read++
		}
	}
	if read < 20 {
		t.Errorf("%d pages", read)
	}
}

// A page that is turned shows the view that it is about; what the reader turns to then stays until the next page.
func TestPageShowsItsView(t *testing.T) {
	s, err := library.OpenTrainingLesson("coherence")
	require.NoError(t, err)
	d := begin(t, New(s, ""), 80, 24, trueColor)
	for _, turn := range []struct{ keys, shows string }{
		{"", "forecasts of the held-out days"}, {"tab", "root and the mean of its 64 leaves"},
		{"h h", "root and the mean of its 64 leaves"}, {"space tab", "test error by level"},
		{"b", "forecasts of the held-out days"},
	} {
		d.Press(strings.Fields(turn.keys)...)
		if got := d.Screen(); !strings.Contains(got, turn.shows) {
			t.Errorf("after %q there is no %q:\n%s", turn.keys, turn.shows, got)
		}
	}
}
