//go:build unix

package external

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// What understands a command line.
const (
	shell     = "sh"
	shellFlag = "-c"
)

// group is a process group, with a process that leads it and guards it: when this process has ended, however it did,
// the pipe that the guard reads is at its end, and it ends the group.
type group struct {
	guard *exec.Cmd
	hold  *os.File // nobody else has it open
}

// newGroup makes a process group. Where this process is killed its processes are left alone for a while, then asked to
// end, and ended after the grace.
func newGroup(alone, grace time.Duration) (*group, error) {
	theirs, ours, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer theirs.Close()
	const script = "trap '' INT HUP; read -r line || { trap '' TERM; sleep %.3f; kill -TERM 0; sleep %.3f; kill -KILL 0; }"
	g := &group{guard: exec.Command(shell, shellFlag, fmt.Sprintf(script, alone.Seconds(), grace.Seconds())),
		hold: ours}
	g.guard.Stdin = theirs
	g.guard.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := g.guard.Start(); err != nil {
		ours.Close()
		return nil, err
	}
	go g.guard.Wait()
	return g, nil
}

// start starts a command in the group.
func (g *group) start(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: g.guard.Process.Pid}
	return cmd.Start()
}

// terminate asks all processes of the group to end.
func (g *group) terminate(*os.Process) { g.signal(syscall.SIGTERM) }

// kill ends them.
func (g *group) kill(*os.Process) { g.signal(syscall.SIGKILL) }

func (g *group) signal(sig syscall.Signal) { syscall.Kill(-g.guard.Process.Pid, sig) }

// alive says whether anything is left of the group.
func (g *group) alive() bool { return syscall.Kill(-g.guard.Process.Pid, 0) == nil }

// leave ends the guard and leaves the rest of the group alone.
func (g *group) leave() {
	g.hold.WriteString("\n")
	g.hold.Close()
}
