//go:build !unix

package external

import (
	"os"
	"os/exec"
	"time"
)

// What understands a command line.
const (
	shell     = "cmd"
	shellFlag = "/c"
)

// group is nothing where there are no process groups: a process is ended without what it started, and goes on where
// this one is killed.
type group struct{}

func newGroup(_, _ time.Duration) (*group, error) { return &group{}, nil }

// enter does nothing.
func (*group) enter(*exec.Cmd) {}

// terminate ends a process: it cannot be asked to.
func (*group) terminate(p *os.Process) { p.Kill() }

// kill ends it.
func (*group) kill(p *os.Process) { p.Kill() }

// alive reports whether anything is left except the process itself.
func (*group) alive() bool { return false }

// leave does nothing.
func (*group) leave() {}
