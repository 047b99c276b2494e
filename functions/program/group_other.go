//go:build !unix

package program

import (
	"os"
	"os/exec"
)

// What understands a command line.
const (
	shell     = "cmd"
	shellFlag = "/c"
)

// ownGroup does nothing where there are no process groups.
func ownGroup(*exec.Cmd) {}

// terminate ends a process: it cannot be asked to.
func terminate(p *os.Process) { p.Kill() }

// kill ends it.
func kill(p *os.Process) { p.Kill() }

// alive says whether anything is left besides the process itself.
func alive(*os.Process) bool { return false }
