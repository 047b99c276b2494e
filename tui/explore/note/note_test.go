package note

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/sessions"
	"bandscope/sessions/recorder"
	"bandscope/tui/explore/mode"
	"bandscope/tui/internal/explained"
	"bandscope/tui/internal/modetest"
	"bandscope/tui/internal/screentest"
	"bandscope/tui/rights"
	"bandscope/tui/widget"
)

// noted is a session with two notes on step 1.
func noted(t *testing.T) *sessions.Session {
	t.Helper()
	s := modetest.Session(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 1)
	for _, text := range []string{"first", "second"} {
		require.NoError(t, s.Note(text))
	}
	return s
}

func TestKeys(t *testing.T) {
	s := noted(t)
	scene := modetest.Scene(s)
	id := scene.State.NotesAt(1)
	lost := mode.Say{Text: "the note is not saved; press ctrl+s to save it, or esc again to discard it", Bad: true}
	for _, c := range []struct {
		name string
		keys string
		want []widget.Action
	}{
		{"nothing to keep", "ctrl+s", []widget.Action{
			mode.Say{Text: "there are no changes to save; press esc to leave"}}},
		{"left", "esc", []widget.Action{mode.Leave{}}},
		{"left by ctrl+c", "ctrl+c", []widget.Action{mode.Leave{}}},
		{"a new note", "a enter b ctrl+s", []widget.Action{Write{[]Text{{"", "a\nb"}}}}},
		{"only space", "space enter space ctrl+s esc",
			[]widget.Action{mode.Say{Text: "there are no changes to save; press esc to leave"}, mode.Leave{}}},
		{"commands are text", "q b space x ctrl+s", []widget.Action{Write{[]Text{{"", "qb x"}}}}},
		{"one that is there", "tab ! ctrl+s", []widget.Action{Write{[]Text{{id[0].ID, "first!"}}}}},
		{"the last by shift+tab", "shift+tab ! ctrl+s", []widget.Action{Write{[]Text{{id[1].ID, "second!"}}}}},
		{"all that were changed", "n tab ! tab ? ctrl+s",
			[]widget.Action{Write{[]Text{{"", "n"}, {id[0].ID, "first!"}, {id[1].ID, "second?"}}}}},
		{"round", "tab tab tab n ctrl+s", []widget.Action{Write{[]Text{{"", "n"}}}}},
		{"withdrawn", "tab ctrl+u ctrl+s", []widget.Action{Write{[]Text{{id[0].ID, ""}}}}},
		{"esc asks", "a esc", []widget.Action{lost}},
		{"esc twice drops", "a esc esc", []widget.Action{lost, mode.Leave{}}},
		{"esc asks again behind another key", "a esc b esc", []widget.Action{lost, lost}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := newEditor()
			if got, want := modetest.Start(e, scene), []widget.Action{
				mode.Enter{Mode: e}, mode.Say{Text: "press tab to edit one of the 2 existing notes"}}; !reflect.DeepEqual(got, want) {
				t.Fatalf("it starts with %+v, want %+v", got, want)
			}
			assert.Equal(t, c.want, modetest.Press(e, scene, strings.Fields(c.keys)...), c.keys)
		})
	}
}

func TestPastingAndLength(t *testing.T) {
	scene := modetest.Scene(modetest.Session(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 0))
	e := newEditor()
	modetest.Start(e, scene)
	explained.Check(t, "a new note", e.Panel(scene, 80, 10), 80, 10)
	if got := modetest.Press(e, scene, "tab"); !reflect.DeepEqual(got,
		[]widget.Action{mode.Say{Text: "there is no other note here"}}) {
		t.Errorf("tab of one note: %+v", got)
	}
	modetest.Take(e, scene, tea.PasteMsg{Content: strings.Repeat("ab\n", longNoteLines+1)})
	got := modetest.Press(e, scene, "x")
	if say, ok := got[0].(mode.Say); !ok || !strings.Contains(say.Text, "too long to edit here") {
		t.Errorf("a long note takes a key: %+v", got)
	}
	if shown := modetest.Text(e.Panel(scene, 80, 10)); !strings.Contains(shown, "Press ctrl+o to open it") {
		t.Errorf("the panel of a long note:\n%s", shown)
	}
	explained.Check(t, "a long note", e.Panel(scene, 80, 10), 80, 10)
}

// What is wanted recorded is recorded, in order; what could not be stays to be kept elsewhere, what was is not recorded
// twice.
func TestWrite(t *testing.T) {
	s := noted(t)
	scene := modetest.Scene(s)
	e := newEditor()
	modetest.Start(e, scene)
	modetest.Press(e, scene, "n", "tab", "!")
	for h := 2; h < 12; h++ {
		explained.Check(t, "a note that is changed", e.Panel(scene, 40, h), 40, h)
	}
	e.pages[2].id, e.pages[2].text = "no such note", "lost?"
	w := modetest.Press(e, scene, "ctrl+s")[0].(Write)
	_, err := w.Do(t.Context(), s, nil)
	require.Error(t, err, "a note that is not there is changed")
	assert.Nil(t, modetest.Take(e, scene, mode.Changed{Err: err}), "a failure")
	if again := modetest.Press(e, scene, "ctrl+s"); !reflect.DeepEqual(again,
		[]widget.Action{Write{[]Text{{"no such note", "lost?"}}}}) {
		t.Errorf("kept again: %+v", again)
	}
	var texts []string
	for _, n := range s.State().NotesAt(1) {
		texts = append(texts, n.Text)
	}
	assert.Equal(t, "first!|second|n", strings.Join(texts, "|"), "on record")
	assert.Equal(t, []widget.Action{mode.Leave{}}, modetest.Take(e, scene, mode.Changed{}), "a success")
	assert.Nil(t, modetest.Take(e, scene, mode.Changed{}), "another change")
}

// What the person's own editor leaves is taken; an editor that fails, is not there, or leaves too much changes nothing,
// and says so.
func TestOwnEditor(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("VISUAL", "")
	dir := t.TempDir()
	script := filepath.Join(dir, "an editor")
	if err := os.WriteFile(script, []byte("#!/bin/sh\n[ \"$1\" = --wait ] || exit 9\ncat \"$2\" > "+
		filepath.Join(dir, "was")+"\nprintf 'from\\r\\nafar\\033[31m\\n' > \"$2\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := modetest.Session(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 0)
	scene := modetest.Scene(s)
	scene.Rights = rights.Own("")
	e := newEditor()
	modetest.Start(e, scene)
	edit := func(editor string) []widget.Action {
		t.Helper()
		t.Setenv("EDITOR", editor)
		cmd, _ := e.Update(scene, screentest.Key("ctrl+o"))
		file, ok := cmd().(fileMsg)
		if !ok || file.err != nil {
			t.Fatal(file.err)
		}
		info, err := os.Stat(filepath.Dir(file.path))
		if err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("the folder: %v, %v", info, err)
		}
		read, _ := e.Update(scene, leftMsg{file.path, file.command.Run()})
		actions := modetest.Take(e, scene, read())
		_, err = os.Stat(filepath.Dir(file.path))
		assert.ErrorIs(t, err, os.ErrNotExist, "the folder stays: %v", err)
		return actions
	}
	refused := func(editor, why string) {
		t.Helper()
		got := edit(editor)
		if say, ok := got[0].(mode.Say); len(got) != 1 || !ok || !say.Bad || !strings.Contains(say.Text, why) {
			t.Errorf("%s gives %+v", editor, got)
		}
	}
	modetest.Type(e, scene, "begun")
	refused("no-such-editor-at-all", "the editor was not found")
	refused("false", "the note is unchanged")
	assert.Equal(t, "begun", e.pages[0].text, "the note")
	if got, want := edit("'"+script+"' --wait"), []widget.Action{
		Write{[]Text{{"", "from\nafar␛[31m"}}}}; !reflect.DeepEqual(got, want) {
		t.Errorf("what the editor wrote gives %+v, want %+v", got, want)
	}
	if was, err := os.ReadFile(filepath.Join(dir, "was")); err != nil || string(was) != "begun" {
		t.Errorf("the editor was given %q, %v", was, err)
	}
	e.open = false
	assert.Nil(t, modetest.Take(e, scene, writtenMsg{text: "late"}), "what is written behind the mode")
	t.Setenv("EDITOR", "")
	t.Setenv("PATH", t.TempDir())
	if _, err := editorCommand("x"); err == nil || !strings.Contains(err.Error(), "EDITOR") {
		t.Errorf("without any editor: %v", err)
	}
	big := filepath.Join(t.TempDir(), "in", "note.md")
	os.Mkdir(filepath.Dir(big), 0o700)
	require.NoError(t, os.WriteFile(big, make([]byte, recorder.MaxNote+1), 0o600))
	if msg := readFile(big, nil).(writtenMsg); msg.err == nil {
		t.Error("a note that is too long is read")
	}
	if msg := readFile(filepath.Join(t.TempDir(), "in", "x"), &exec.Error{Name: "vi", Err: exec.ErrNotFound}).(writtenMsg); msg.err == nil {
		t.Error("an editor that could not be started is not said")
	}
}
