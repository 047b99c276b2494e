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
	"bandscope/tui/widget"
)

// Messages of the editor: a file was made for the person's own editor, that was left, and what was written there.
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
	text := t.pages[t.at].text
	return func() tea.Msg {
		dir, err := os.MkdirTemp("", "bandscope-note-")
		if err != nil {
			return fileMsg{err: fmt.Errorf("a file for the editor: %w", err)}
		}
		path := filepath.Join(dir, "note.md")
		command, err := editorCommand(path)
		if err == nil {
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		if err != nil {
			return fileMsg{err: errors.Join(err, os.RemoveAll(dir))}
		}
		command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
		return fileMsg{path: path, command: command}
	}
}

// editorCommand is the person's editor on a file: VISUAL, else EDITOR, as a shell reads them, so that they may have
// arguments; else vi.
func editorCommand(path string) (*exec.Cmd, error) {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if editor := strings.TrimSpace(os.Getenv(name)); editor != "" {
			return exec.Command("sh", "-c", editor+` "$1"`, name, path),
				nil //nolint:gosec // the person's own editor, as they said
		}
	}
	if vi, err := exec.LookPath("vi"); err == nil {
		return exec.Command(vi, path), nil //nolint:gosec // a fixed name
	}
	return nil, errors.New("no editor is known: set EDITOR, as in EDITOR=nano")
}

// openFile hands the terminal over to the person's editor.
func (t turn) openFile(msg fileMsg) tea.Cmd {
	if msg.err != nil {
		return t.Fail(msg.err)
	}
	// which is said on the update loop
	return widget.ReleaseTerminal(msg.command.Run, func(err error) tea.Msg { return leftMsg{msg.path, err} })
}

// readFile takes what the person's editor left in the file, and removes the file with its folder.
func readFile(path string, ended error) tea.Msg {
	defer os.RemoveAll(filepath.Dir(path))
	var exit *exec.ExitError
	switch {
	case errors.As(ended, &exit) && exit.ExitCode() == 127:
		return writtenMsg{err: errors.New("the editor was not found: set VISUAL or EDITOR to one that is there")}
	case ended != nil:
		return writtenMsg{err: fmt.Errorf("the editor ended with an error, so that nothing was taken: %w", ended)}
	}
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return writtenMsg{err: fmt.Errorf("what the editor wrote: %w", err)}
	case !info.Mode().IsRegular():
		return writtenMsg{err: errors.New("what the editor wrote is no regular file")}
	case info.Size() > recorder.MaxNote:
		return writtenMsg{err: fmt.Errorf("a note may have %d bytes, this one has %d", recorder.MaxNote, info.Size())}
	}
	b, err := os.ReadFile(path)
	return writtenMsg{text: sanitize.Lines(strings.ReplaceAll(string(b), "\r\n", "\n")), err: err}
}

// written takes what was written in the person's editor, and keeps it.
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
	t.Say("the note is as it was")
	return show
}
