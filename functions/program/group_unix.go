//go:build unix

package program

import (
	"os"
	"os/exec"
	"syscall"
)

// What understands a command line.
const (
	shell     = "sh"
	shellFlag = "-c"
)

// ownGroup has a command run in a process group of its own.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// terminate asks a process and its group to end.
func terminate(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGTERM) }

// kill ends them.
func kill(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGKILL) }

// alive says whether anything is left of the group.
func alive(p *os.Process) bool { return syscall.Kill(-p.Pid, 0) == nil }
