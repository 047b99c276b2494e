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
	"bandscope/sessions/eventlog"
)

// Each event names its author on its own line, the file keeps it, and events without one have the lines of before.
func TestAuthorsAreRecorded(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 1})
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "s.jsonl")
	require.NoError(t, s.SaveAs(path))
	ann := sessions.Author{Kind: sessions.AuthorPerson, Name: "ann", Via: sessions.ViaCommand}
	bot := sessions.Author{Kind: sessions.AuthorAgent, Name: "a\x1b[31mb\u202e" + strings.Repeat("ü", 100), Via: sessions.ViaMCP}
	_, err = s.Step(t.Context(), nil)
	require.NoError(t, err)
	s.SetAuthor(ann)
	it, err := s.Ask(t.Context(), nil)
	require.NoError(t, err)
	s.SetAuthor(bot)
	bot = s.Author()
	if n := len([]rune(bot.Name)); n != 64 || !strings.HasPrefix(bot.Name, "a[31mbü") {
		t.Errorf("the name is %q with %d characters", bot.Name, n)
	}
	_, err = s.Tell(it.ID, functions.Outcome{Values: []float64{1}})
	require.NoError(t, err)
	require.NoError(t, s.Note("a note"))
	require.NoError(t, s.Close())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	lines := strings.Split(string(text), "\n")
	if strings.Contains(strings.Join(lines[:3], ""), `"via"`) ||
		!strings.HasSuffix(lines[3], `,"author":{"kind":"person","name":"ann","via":"command"}}`) {
		t.Errorf("the lines are\n%s", text)
	}
	again, err := sessions.Open(t.Context(), path)
	require.NoError(t, err)
	defer again.Close()
	done := again.State().Iterations
	if done[0].AskedBy.Known() || done[0].ToldBy.Known() || done[1].AskedBy != ann || done[1].ToldBy != bot {
		t.Errorf("the authors are %v %v, %v %v", done[0].AskedBy, done[0].ToldBy, done[1].AskedBy, done[1].ToldBy)
	}
	all := again.Contributions()
	if len(all) != 2 || all[0].Author != bot || all[0].Results != 1 || all[0].Others != 1 || all[0].Suggestions != 0 ||
		all[1].Author != ann || all[1].Suggestions != 1 || all[1].Results != 0 {
		t.Errorf("the contributions are %+v", all)
	}
}

// An answer by another author names that author, and the session's own acts still name the session's.
func TestAnswerByNamesItsAuthor(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "branin-currin", Seed: 1, Budget: 8})
	require.NoError(t, err)
	for range 3 {
		_, err = s.Step(t.Context(), nil)
		require.NoError(t, err)
	}
	s.SetAuthor(sessions.Author{Kind: sessions.AuthorPerson, Name: "teacher", Via: sessions.ViaSSH})
	heron := sessions.Author{Kind: sessions.AuthorClass, Name: "heron", Via: sessions.ViaWeb}
	require.NoError(t, s.AnswerBy(heron, [2]int{1, 0}, [2]int{2, 0}, sessions.PreferA))
	require.NoError(t, s.Answer([2]int{1, 0}, [2]int{3, 0}, sessions.PreferB))
	var authors []string
	for _, c := range s.Contributions() {
		authors = append(authors, c.String())
	}
	assert.Equal(t, "teacher via ssh, heron via web", strings.Join(authors, ", "), "the authors")
}

// The record of a class is no session, and opening it says what it is.
func TestClassIsNoSession(t *testing.T) {
	tree, err := eventlog.NewTree(struct {
		eventlog.Header
		Class struct{} `json:"class"`
	}{Header: eventlog.NewHeader("test", time.Unix(0, 0))})
	require.NoError(t, err)
	line := string(tree.Root().Line) + "\n"
	_, err = sessions.Read(t.Context(), strings.NewReader(line))
	assert.ErrorIs(t, err, sessions.ErrClass, "reading: %v", err)
	_, _, _, err = sessions.ReadSummary(t.Context(), strings.NewReader(line))
	assert.ErrorIs(t, err, sessions.ErrClass, "the summary: %v", err)
}
