package sessions_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/sessions"
)

// What others recorded since a person was last there is counted by author; closing the session on a screen ends it, and
// opening it to read, or at a command, does not.
func TestNews(t *testing.T) {
	zone := time.FixedZone("CET", 3600)
	now := time.Date(2026, 3, 1, 16, 30, 0, 0, time.UTC)
	path := filepath.Join(t.TempDir(), "s.jsonl")
	ann := sessions.Author{Kind: sessions.AuthorPerson, Name: "ann", Via: sessions.ViaCommand}
	ben := sessions.Author{Kind: sessions.AuthorPerson, Name: "ben", Via: sessions.ViaPipe}
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 1},
		sessions.WithClock(func() time.Time { now = now.Add(5 * time.Minute); return now }))
	require.NoError(t, err)
	require.NoError(t, s.SaveAs(path))
	must := func(err error) {
		t.Helper()
		require.NoError(t, err)
	}
	s.SetAuthor(ben)
	iteration, err := s.Ask(t.Context(), nil)
	must(err)
	if n, ok := s.NewsFor(ben); ok {
		t.Errorf("an author's own acts are news: %+v", n)
	}
	if n, ok := s.NewsFor(ann); ok {
		t.Errorf("news for a person who was never there: %+v", n)
	}
	s.SetAuthor(ann)
	_, err = s.Tell(iteration.ID, functions.Outcome{Values: []float64{1}})
	must(err)
	must(s.Correct(1, 0, []float64{2}, "misread"))
	_, err = s.Step(t.Context(), nil)
	must(err)
	must(s.Note("a note"))
	s.SetAuthor(sessions.Author{Kind: sessions.AuthorAgent, Name: "bot", Via: sessions.ViaMCP})
	_, err = s.Ask(t.Context(), nil)
	must(err)
	must(s.Close())

	now = time.Date(2026, 3, 2, 9, 0, 0, 0, zone)
	const want = "since yesterday 17:40: 1 suggestion, 2 results, 1 correction, 1 note by ann; 1 suggestion by bot via mcp"
	report := func(author sessions.Author, open func() (*sessions.Session, error)) string {
		t.Helper()
		s, err := open()
		must(err)
		defer func() { must(s.Close()) }()
		s.SetAuthor(author)
		n, ok := s.NewsFor(author)
		if !ok {
			return ""
		}
		return n.Sentence(now)
	}
	read := func() (*sessions.Session, error) { return sessions.OpenReadOnly(t.Context(), path) }
	write := func() (*sessions.Session, error) { return sessions.Open(t.Context(), path) }
	screen := ben
	screen.Via = sessions.ViaExplorer
	for i, author := range []sessions.Author{screen, ben, screen} { // the first only reads
		open := write
		if i == 0 {
			open = read
		}
		assert.Equal(t, want, report(author, open), "%d: the news for %v", i, author)
	}
	text, err := os.ReadFile(path)
	must(err)
	if n := strings.Count(string(text), `"kind":"visited"`); n != 1 {
		t.Errorf("there are %d marks of visits, want 1:\n%s", n, text)
	}
	assert.Equal(t, "", report(screen, write), "the second time the news for %v", screen)
	if again, err := os.ReadFile(path); err != nil || string(again) != string(text) {
		t.Errorf("closing without news adds %q, %v", again[len(text):], err)
	}
}
