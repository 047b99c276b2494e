//go:build unix

package note

import "os/exec"

// systemEditor is the editor where none is set.
const systemEditor = "vi"

// notFoundStatus is the exit status of a shell that finds no such program.
const notFoundStatus = 127

// shellEditor is a person's editor on a file, read by a shell.
func shellEditor(editor, path string) *exec.Cmd {
	return exec.Command("sh", "-c", editor+` "$1"`, "editor", path) //nolint:gosec // the person's own editor
}
