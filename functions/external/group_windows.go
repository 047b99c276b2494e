package external

import (
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// What understands a command line.
const (
	shell     = "cmd"
	shellFlag = "/c"
)

// group is a job of Windows: a process with all that it starts. When this process has ended, however it did, the system
// ends the job.
type group struct {
	mu  sync.Mutex
	job windows.Handle // 0 after leave
}

// newGroup makes a job. Where this process is killed the system ends the job at once, without a grace.
func newGroup(_, _ time.Duration) (*group, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, os.NewSyscallError("CreateJobObject", err)
	}
	g := &group{job: job}
	if err := g.limit(windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE); err != nil {
		windows.CloseHandle(job)
		return nil, err
	}
	return g, nil
}

// limit sets what happens to the processes of the job.
func (g *group) limit(flags uint32) error {
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = flags
	_, err := windows.SetInformationJobObject(g.job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	return os.NewSyscallError("SetInformationJobObject", err)
}

// start starts a command in the group: a process group of the console, so that ctrl+c does not end it, and a job. What
// the command starts before it is in the job, within microseconds, is not in it.
func (g *group) start(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
	if a := cmd.Args; len(a) == 3 && a[0] == shell && a[1] == shellFlag {
		cmd.SysProcAttr.CmdLine = shell + ` /s /c "` + a[2] + `"` // cmd reads quotes by rules of its own
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	// A process that has ended already cannot be assigned, and needs not be ended.
	_ = cmd.Process.WithHandle(func(h uintptr) { _ = windows.AssignProcessToJobObject(g.job, windows.Handle(h)) })
	return nil
}

// terminate asks the process to end, by ctrl+break; where there is no console, it ends it.
func (g *group) terminate(p *os.Process) {
	if windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(p.Pid)) != nil {
		g.kill(p)
	}
}

// kill ends the processes of the group.
func (g *group) kill(p *os.Process) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1)
	}
	_ = p.Kill()
}

// accounting is JOBOBJECT_BASIC_ACCOUNTING_INFORMATION.
type accounting struct {
	_                        [4]int64 // times
	_, _, activeProcesses, _ uint32
}

// alive reports whether anything is left of the group.
func (g *group) alive() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	var a accounting
	err := windows.QueryInformationJobObject(g.job, windows.JobObjectBasicAccountingInformation,
		uintptr(unsafe.Pointer(&a)), uint32(unsafe.Sizeof(a)), nil)
	return err == nil && a.activeProcesses > 0
}

// leave leaves the rest of the group alone.
func (g *group) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	_ = g.limit(0)
	_ = windows.CloseHandle(g.job)
	g.job = 0
}
