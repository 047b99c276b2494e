package explore

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions"
	"bandscope/tui/internal/golden"
	"bandscope/tui/theme"
)

func (d *driver) ctrl(r rune) {
	d.run(d.m.Update(tea.KeyPressMsg{Code: r, Mod: tea.ModCtrl}))
	d.settle()
}

func (d *driver) write(text string) {
	for _, r := range text {
		switch r {
		case ' ':
			d.press("space")
		case '\n':
			d.press("enter")
		default:
			d.press(string(r))
		}
	}
}

// Notes have several lines, are changed afterwards from where one stands, withdrawn, and never lost by a single key.
func TestWritingNotes(t *testing.T) {
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 120, 36, trueColor)
	d.press("space", "space", "n")
	d.shows("new note on step 2")
	d.write("# Two\n\nq and b are *letters* here")
	d.m.Update(tea.PasteMsg{Content: "\npasted"})
	d.press("esc")
	d.shows("not kept yet")
	d.write("!")
	d.ctrl('s')
	texts := func(step int) string {
		var all []string
		for _, n := range d.m.session.State().NotesAt(step) {
			if n.Text != "" {
				all = append(all, n.Text)
			}
		}
		return strings.Join(all, "|")
	}
	if got, want := texts(2), "# Two\n\nq and b are *letters* here\npasted!"; got != want || d.m.mode != stepping {
		t.Fatalf("the notes are %q, want %q", got, want)
	}
	d.shows("notes on step 2")
	d.press("space", "space", "b", "b", "n")
	d.shows("tab changes the note")
	d.press("tab")
	d.shows("note 1 of 1 on step 2")
	d.ctrl('s')
	d.shows("nothing was written yet")
	d.write(" And more.")
	d.ctrl('s')
	if got := texts(2); !strings.HasSuffix(got, "pasted! And more.") || d.m.state.Ahead != 2 {
		t.Errorf("the notes are %q, %d steps ahead", got, d.m.state.Ahead)
	}
	d.press("n")
	d.write("dropped")
	d.press("esc", "esc")
	if d.m.mode != stepping || strings.Contains(texts(2), "dropped") {
		t.Errorf("esc twice does not leave: %q", texts(2))
	}
	d.press("n", "tab")
	d.m.noting.area.SetValue("")
	d.write("x")
	d.press("backspace")
	d.ctrl('s')
	if got := texts(2); got != "" {
		t.Errorf("an emptied note is %q", got)
	}
	d.shows("withdrawn")
	d.press("n")
	d.write("not lost")
	if err := d.m.session.Close(); err != nil {
		t.Fatal(err)
	}
	d.ctrl('s')
	d.shows("the session is closed")
	if d.m.mode != noting || d.m.notePage().text != "not lost" {
		t.Errorf("a note that cannot be recorded is dropped: %q", d.m.notePage().text)
	}
}

// What the person's own editor leaves is taken; an editor that fails, is not there, or leaves too much changes nothing, and says so.
func TestOwnEditor(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("VISUAL", "")
	dir := t.TempDir()
	script := filepath.Join(dir, "an editor")
	if err := os.WriteFile(script, []byte("#!/bin/sh\n[ \"$1\" = --wait ] || exit 9\ncat \"$2\" > "+filepath.Join(dir, "was")+"\nprintf 'from\\r\\nafar\\033[31m\\n' > \"$2\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 120, 36, trueColor)
	d.press("n")
	edit := func(editor string) {
		t.Helper()
		t.Setenv("EDITOR", editor)
		cmd := d.m.ownEditor()
		if cmd == nil {
			t.Fatal(d.m.notice)
		}
		file := cmd().(noteFileMsg)
		info, err := os.Stat(filepath.Dir(file.path))
		if err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("the folder: %v, %v", info, err)
		}
		d.run(d.m.Update(d.m.Update(noteLeftMsg{file.path, file.command.Run()})()))
		d.settle()
		if _, err := os.Stat(filepath.Dir(file.path)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the folder stays: %v", err)
		}
	}
	d.write("begun")
	edit("no-such-editor-at-all")
	d.shows("the editor was not found")
	edit("false")
	d.shows("nothing was taken")
	if d.m.notePage().text != "begun" {
		t.Errorf("the note is %q", d.m.notePage().text)
	}
	edit("'" + script + "' --wait")
	if was, err := os.ReadFile(filepath.Join(dir, "was")); err != nil || string(was) != "begun" {
		t.Errorf("the editor was given %q, %v", was, err)
	}
	if notes := d.m.session.State().NotesAt(0); len(notes) != 1 || notes[0].Text != "from\nafar␛[31m" {
		t.Errorf("the notes are %+v", notes)
	}
	t.Setenv("EDITOR", "")
	t.Setenv("PATH", t.TempDir())
	if _, err := editorCommand("x"); err == nil || !strings.Contains(err.Error(), "EDITOR") {
		t.Errorf("without any editor: %v", err)
	}
	big := filepath.Join(t.TempDir(), "in", "note.md")
	os.Mkdir(filepath.Dir(big), 0o700)
	if err := os.WriteFile(big, make([]byte, sessions.MaxNote+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if msg := readNote(big, nil).(noteWrittenMsg); msg.err == nil {
		t.Error("a note that is too long is read")
	}
	if msg := readNote(filepath.Join(t.TempDir(), "in", "x"), &exec.Error{Name: "vi", Err: exec.ErrNotFound}).(noteWrittenMsg); msg.err == nil {
		t.Error("an editor that could not be started is not said")
	}
}

func TestGoldenNotes(t *testing.T) {
	for _, c := range []struct {
		name  string
		w, h  int
		style theme.Style
	}{
		{"note-80x24", 80, 24, trueColor},
		{"note-120x36", 120, 36, trueColor},
		{"note-200x60-ascii", 200, 60, theme.New(true, theme.NoColor, true)},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 3}, c.w, c.h, c.style)
			d.press("space", "space", "space", "space", "n")
			d.write("# Four points\n\nThe band is narrow where they are, and wide between the second and the third.\n\n- look there next")
			golden.Check(t, c.name, d.screen(), c.style.ASCII)
		})
	}
}

// A session is saved under a name with the ending of its kind; one that cannot be written stays to be mended.
func TestSavingAddsTheEnding(t *testing.T) {
	dir := t.TempDir()
	d := drive(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 3}, 120, 36, trueColor)
	d.press("space", "w")
	d.ctrl('u')
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	d.write(filepath.Join(dir, "file", "x"))
	d.press("enter")
	if !d.m.prompt.Open() {
		t.Fatal("a name that cannot be written is dropped")
	}
	d.shows("save as: ")
	d.ctrl('u')
	d.write(filepath.Join(dir, "run.v2"))
	d.press("enter")
	if _, err := os.Stat(filepath.Join(dir, "run.v2.jsonl")); err != nil {
		t.Errorf("%v:\n%s", err, d.text())
	}
	d.press("E")
	d.write(filepath.Join(dir, "picture"))
	d.press("enter")
	d.shows("the ending chooses what is written")
}
