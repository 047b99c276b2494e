package external

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// How long is waited for processes that are to end.
var (
	grace  = time.Second            // between being asked to end and being ended
	linger = 300 * time.Millisecond // for others that hold the pipes when a process has ended
)

// process is one that was started, with all that it started itself and its pipes.
type process struct {
	cmd   *exec.Cmd
	group *group
	stdin *os.File
	stdout,
	stderr *os.File
	left *os.File // what it did not read of its standard input; nil where nobody asks

	gone    chan struct{}  // closed when it has exited on its own or was ended
	over    chan struct{}  // closed when, in addition, nothing is read from it any more
	readers sync.WaitGroup // of standard output and standard error
	writers sync.WaitGroup // of standard input
	waiting error          // how it ended; to be read when gone is closed
	ending  sync.Once
	shut    sync.Once

	mu     sync.Mutex
	last   []string // the last lines of its standard error
	closed bool     // nothing is written to it any more
	unread []byte   // input that nobody read, once over is closed
}

// forbidden says that no program may be started.
var forbidden atomic.Bool

// ErrForbidden is why no program starts after Forbid.
var ErrForbidden = errors.New("this process serves other people, and starts no programs")

// Forbid has every start of a program fail from now on, for the whole life of the process.
func Forbid() { forbidden.Store(true) }

// startProcess starts a command in a new process group. report gets the lines of its standard error; read handles its
// standard output. If this process is killed, the group is ended, after a grace period in which a long-running program
// can end on its own at the end of its input.
func startProcess(cmd *exec.Cmd, persistent bool, report func(string)) (*process, error) {
	if forbidden.Load() {
		return nil, ErrForbidden
	}
	p := &process{cmd: cmd, gone: make(chan struct{}), over: make(chan struct{})}
	alone := time.Duration(0)
	if persistent {
		alone = grace
	}
	var err error
	p.group, err = newGroup(alone, grace)
	if err != nil {
		return nil, err
	}
	theirs := make([]*os.File, 0, 3)
	closeAll := func(files ...*os.File) {
		for _, f := range files {
			if f != nil {
				f.Close()
			}
		}
	}
	for i, ours := range []**os.File{&p.stdin, &p.stdout, &p.stderr} {
		r, w, err := os.Pipe()
		if err != nil {
			p.group.leave()
			closeAll(append(theirs, p.stdin, p.stdout, p.stderr)...)
			return nil, err
		}
		if i == 0 {
			r, w = w, r
		}
		*ours, theirs = r, append(theirs, w)
	}
	cmd.Stdin = theirs[0]
	cmd.Stdout = theirs[1]
	cmd.Stderr = theirs[2]
	err = p.group.start(cmd)
	if persistent && err == nil {
		p.left, theirs[0] = theirs[0], nil
	}
	closeAll(theirs...)
	if err != nil {
		p.group.leave()
		closeAll(p.stdin, p.stdout, p.stderr)
		return nil, err
	}
	p.readers.Add(2)
	go func() {
		defer p.readers.Done()
		eachLine(p.stderr, func(line string) {
			p.mu.Lock()
			p.last = append(p.last, line)
			p.last = p.last[max(0, len(p.last)-maxLines):]
			p.mu.Unlock()
			report(line)
		})
	}()
	return p, nil
}

// read has the standard output read, and then waits for the end. It is called once.
func (p *process) read(f func(stdout *os.File)) {
	go func() {
		defer p.readers.Done()
		f(p.stdout)
	}()
	go p.wait()
}

// wait waits until the process has exited and its pipes are at their end; others that hold these are ended.
func (p *process) wait() {
	p.waiting = p.cmd.Wait()
	close(p.gone)
	drained := make(chan struct{})
	go func() {
		p.readers.Wait()
		close(drained)
	}()
	select {
	case <-drained:
	case <-time.After(linger):
		p.signalAll()
		select {
		case <-drained:
		case <-time.After(linger): // another process outside the group holds them
		}
	}
	p.shut.Do(func() { p.stdin.Close() })
	p.stdout.Close()
	p.stderr.Close()
	<-drained
	p.group.leave()
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.writers.Wait()
	if p.left != nil {
		rest, _ := io.ReadAll(p.left) // nobody has the other end any more
		p.left.Close()
		p.mu.Lock()
		p.unread = append(rest, p.unread...)
		p.mu.Unlock()
	}
	close(p.over)
}

// exited says whether it has.
func (p *process) exited() bool {
	select {
	case <-p.gone:
		return true
	default:
		return false
	}
}

// end ends the process and its group, and returns when that is done.
func (p *process) end() {
	p.signalAll()
	<-p.over
}

// signalAll asks the group to end, and ends it after the grace.
func (p *process) signalAll() {
	p.ending.Do(func() {
		p.group.terminate(p.cmd.Process)
		for began := time.Now(); time.Since(began) < grace; time.Sleep(2 * time.Millisecond) {
			if p.exited() && !p.group.alive() {
				return
			}
		}
		p.group.kill(p.cmd.Process)
	})
}

// write writes to the standard input, in the background; nobody may read it. After the last it is closed.
func (p *process) write(text []byte, last bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		p.unread = append(p.unread, text...)
		return
	}
	p.writers.Go(func() {
		n, _ := p.stdin.Write(text) // the answer shows whether it was read
		if n == 0 {
			p.mu.Lock()
			p.unread = append(p.unread, text...)
			p.mu.Unlock()
		}
		if last {
			p.shut.Do(func() { p.stdin.Close() })
		}
	})
}

// status describes an unsuccessful exit; empty for success.
func (p *process) status() string {
	<-p.gone
	if exit := (*exec.ExitError)(nil); errors.As(p.waiting, &exit) {
		return "the program ended with " + exit.Error()
	}
	if p.waiting != nil {
		return fmt.Sprintf("the program ended: %v", p.waiting)
	}
	return ""
}

// tail are the last lines of the standard error.
func (p *process) tail() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.last)
}

// Bounds of the kept part of the standard error: lines, and characters per line.
const (
	maxLines = 8
	maxLine  = 300
)

// eachLine passes the lines of a stream that are not blank, each cut; a carriage return ends a line as well.
func eachLine(r io.Reader, tell func(string)) {
	in := bufio.NewReader(r)
	line := make([]byte, 0, 4*maxLine)
	flush := func() {
		if text := strings.TrimRight(string(line), " \t"); text != "" {
			tell(cut(text, maxLine))
		}
		line = line[:0]
	}
	for {
		b, err := in.ReadByte()
		switch {
		case err != nil:
			flush()
			return
		case b == '\n' || b == '\r':
			flush()
		case len(line) < cap(line):
			line = append(line, b)
		}
	}
}
