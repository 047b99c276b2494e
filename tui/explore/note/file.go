package note

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"bandscope/sessions/recorder"
	"bandscope/sessions/sanitize"
	"bandscope/tui/rights"
	"bandscope/tui/widget"
)

// Messages of the editor: a file for the person's own editor, the end of that editor, and the text it left.
type (
	fileMsg struct {
		path    string
		command *exec.Cmd // the person's editor on it
		err     error
	}
	leftMsg struct {
		path string
		err  error
	}
	writtenMsg struct {
		text string
		err  error
	}
)

// ownEditor opens the page in the person's own editor, through a file in a folder that only they can read.
func (t turn) ownEditor() tea.Cmd {
	if !t.Scene.Rights.Programs {
		return t.Fail(rights.ErrProgram)
	}
	text := t.pages[t.at].text
	return func() tea.Msg {
		dir, err := os.MkdirTemp("", "bandscope-note-")
		if err != nil {
			return fileMsg{err: fmt.Errorf("cannot create a file for the editor: %w", err)}
		}
		path := filepath.Join(dir, "note.md")
		command, err := editorCommand(path)
		if err == nil {
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		if err != nil {
			return fileMsg{err: errors.Join(err, os.RemoveAll(dir))}
		}
		command.Stdin = os.Stdin
		command.Stdout = os.Stdout
		command.Stderr = os.Stderr
		return fileMsg{path: path, command: command}
	}
}

// editorCommand is the person's editor on a file: VISUAL, else EDITOR, as a shell reads them, so that they may have
// arguments; else the editor that the system has.
func editorCommand(path string) (*exec.Cmd, error) {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if editor := strings.TrimSpace(os.Getenv(name)); editor != "" {
			return shellEditor(editor, path), nil
		}
	}
	if found, err := exec.LookPath(systemEditor); err == nil {
		return exec.Command(found, path), nil //nolint:gosec // a fixed name
	}
	return nil, errors.New("no editor is set; set EDITOR, for example EDITOR=nano")
}

// openFile releases the terminal and runs the person's editor.
func (t turn) openFile(msg fileMsg) tea.Cmd {
	if msg.err != nil {
		return t.Fail(msg.err)
	}
	// the message arrives on the update loop
	return widget.ReleaseTerminal(msg.command.Run, func(err error) tea.Msg { return leftMsg{msg.path, err} })
}

// readFile reads the file after the person's editor ended, and removes it with its folder.
func readFile(path string, ended error) tea.Msg {
	defer os.RemoveAll(filepath.Dir(path))
	var exit *exec.ExitError
	switch {
	case errors.As(ended, &exit) && exit.ExitCode() == notFoundStatus:
		return writtenMsg{err: errors.New("the editor was not found; set VISUAL or EDITOR to an installed editor")}
	case ended != nil:
		return writtenMsg{err: fmt.Errorf("the editor ended with an error; the note is unchanged: %w", ended)}
	}
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return writtenMsg{err: fmt.Errorf("cannot read the edited note: %w", err)}
	case !info.Mode().IsRegular():
		return writtenMsg{err: errors.New("the edited note is not a regular file")}
	case info.Size() > recorder.MaxNote:
		return writtenMsg{err: fmt.Errorf("a note can have at most %d bytes, this one has %d", recorder.MaxNote,
			info.Size())}
	}
	b, err := os.ReadFile(path)
	return writtenMsg{text: sanitize.Lines(strings.ReplaceAll(string(b), "\r\n", "\n")), err: err}
}

// written takes the text from the person's editor, and saves it.
func (t turn) written(msg writtenMsg) tea.Cmd {
	if msg.err != nil {
		return t.Fail(msg.err)
	}
	t.pages[t.at].text = strings.TrimRight(msg.text, "\n")
	show := t.show(t.at)
	for _, p := range t.pages {
		if p.changed() {
			return tea.Batch(show, t.save())
		}
	}
	t.Say("the note is unchanged")
	return show
}
