package note

import (
	"os/exec"
	"syscall"
)

// systemEditor is the editor where none is set.
const systemEditor = "notepad"

// notFoundStatus is the exit status of a shell that finds no such program.
const notFoundStatus = 9009

// shellEditor is a person's editor on a file, read by a shell, which reads quotes by rules of its own.
func shellEditor(editor, path string) *exec.Cmd {
	c := exec.Command("cmd")
	c.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /s /c "` + editor + ` "` + path + `""`}
	return c
}
