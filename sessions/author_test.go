package sessions_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bandscope/functions"
	"bandscope/sessions"
	"bandscope/sessions/eventlog"
)

// Each event names its author on its own line, the file keeps it, and events without one have the lines of before.
func TestAuthorsAreRecorded(t *testing.T) {
	s, err := sessions.New(t.Context(), sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := s.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	ann := sessions.Author{Kind: sessions.AuthorPerson, Name: "ann", Via: sessions.ViaCommand}
	bot := sessions.Author{Kind: sessions.AuthorAgent, Name: "a\x1b[31mb\u202e" + strings.Repeat("ü", 100), Via: sessions.ViaMCP}
	if _, err := s.Step(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	s.SetAuthor(ann)
	it, err := s.Ask(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	s.SetAuthor(bot)
	bot = s.Author()
	if n := len([]rune(bot.Name)); n != 64 || !strings.HasPrefix(bot.Name, "a[31mbü") {
		t.Errorf("the name is %q with %d characters", bot.Name, n)
	}
	if _, err := s.Tell(it.ID, functions.Outcome{Values: []float64{1}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Note("a note"); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	if strings.Contains(strings.Join(lines[:3], ""), `"via"`) ||
		!strings.HasSuffix(lines[3], `,"author":{"kind":"person","name":"ann","via":"command"}}`) {
		t.Errorf("the lines are\n%s", text)
	}
	again, err := sessions.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := s.Step(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	s.SetAuthor(sessions.Author{Kind: sessions.AuthorPerson, Name: "teacher", Via: sessions.ViaSSH})
	heron := sessions.Author{Kind: sessions.AuthorClass, Name: "heron", Via: sessions.ViaWeb}
	if err := s.AnswerBy(heron, [2]int{1, 0}, [2]int{2, 0}, sessions.PreferA); err != nil {
		t.Fatal(err)
	}
	if err := s.Answer([2]int{1, 0}, [2]int{3, 0}, sessions.PreferB); err != nil {
		t.Fatal(err)
	}
	var authors []string
	for _, c := range s.Contributions() {
		authors = append(authors, c.String())
	}
	if got := strings.Join(authors, ", "); got != "teacher via ssh, heron via web" {
		t.Errorf("the authors are %s", got)
	}
}

// The record of a class is no session, and opening it says what it is.
func TestClassIsNoSession(t *testing.T) {
	tree, err := eventlog.NewTree(struct {
		eventlog.Header
		Class struct{} `json:"class"`
	}{Header: eventlog.NewHeader("test", time.Unix(0, 0))})
	if err != nil {
		t.Fatal(err)
	}
	line := string(tree.Root().Line) + "\n"
	if _, err := sessions.Read(t.Context(), strings.NewReader(line)); !errors.Is(err, sessions.ErrClass) {
		t.Errorf("reading: %v", err)
	}
	if _, _, _, err := sessions.ReadSummary(t.Context(), strings.NewReader(line)); !errors.Is(err, sessions.ErrClass) {
		t.Errorf("the summary: %v", err)
	}
}
