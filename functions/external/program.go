// Package external evaluates points with an external program: one process per point, or one long-running process that
// speaks one JSON object per line. It takes a point and returns an outcome; every failure of the program is the reason
// of a failed outcome. The output of a program is data of a bounded size. Processes are ended with all their children.
// The caller chooses the command and never takes it from a file; it also decides which points are evaluated, how many
// at once, and which results are recorded.
package external

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/mattn/go-shellwords"

	"bandscope/functions"
)

// Options say which program is started, and how.
type Options struct {
	Command   string        // split into words at blanks that are not quoted; nothing in it is expanded
	Shell     bool          // the command is a shell's: sh -c
	KeepAlive bool          // one process evaluates all points, a JSON object a line; otherwise one is started for each
	Timeout   time.Duration // after which a point without an answer has failed; 0 for none
}

// ErrClosed is returned by an evaluation after Close, or that Close ended.
var ErrClosed = errors.New("the program was stopped")

// Program evaluates points by processes. It is a functions.Evaluator, and is to be closed. An outcome that failed says
// why: by the program's own word, by its exit status, because it took longer than it may, or because it did not answer
// as it should. An error says that nothing could be started, or that the context ended; the process, with all that it
// started, is ended then before another one starts.
type Program struct {
	problem *functions.Problem
	options Options
	words   []string // the command
	pipe    *pipe    // nil: a process a point

	ctx     context.Context // until it is closed
	end     context.CancelFunc
	running sync.WaitGroup // processes

	mu     sync.Mutex
	closed bool
	ending map[*process]bool // those that are to end before another one starts
}

// New makes an evaluator of a problem by a program; it starts nothing yet. The error reports an invalid command.
func New(problem *functions.Problem, o Options) (*Program, error) {
	words, err := commandWords(o)
	if err != nil {
		return nil, err
	}
	if o.Timeout < 0 {
		return nil, fmt.Errorf("the timeout must be above 0, got %v", o.Timeout)
	}
	p := &Program{problem: problem, options: o, words: words, ending: map[*process]bool{}}
	p.ctx, p.end = context.WithCancel(context.Background())
	if o.KeepAlive {
		p.pipe = newPipe(p)
	}
	return p, nil
}

// commandWords are the words of the command; the first is a program that can be started.
func commandWords(o Options) ([]string, error) {
	words := []string{shell, shellFlag, o.Command}
	if !o.Shell {
		var err error
		words, err = splitWords(o.Command)
		if err != nil {
			return nil, fmt.Errorf("%w%s", err, shellHint(err))
		}
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		return nil, fmt.Errorf("the command %q cannot be started: %w", o.Command, err)
	}
	return words, nil
}

// wordsError is a command that cannot be split into words.
type wordsError struct{ text string }

func (e *wordsError) Error() string { return e.text }

// shellHint names the flag that runs a command in a shell, for one that cannot be split.
func shellHint(err error) string {
	if errors.As(err, new(*wordsError)) {
		return ", or use --shell to run the command in a shell"
	}
	return ""
}

// splitWords splits a command at blanks that are not quoted, as a shell does; nothing in it is expanded. On Windows, a
// backslash is one of a path.
func splitWords(command string) ([]string, error) {
	if runtime.GOOS == "windows" {
		command = literalBackslashes(command)
	}
	parser := shellwords.NewParser()
	words, err := parser.Parse(command)
	switch {
	case err != nil:
		return nil, &wordsError{fmt.Sprintf("the command %q cannot be split into words; close every quote, quote every parenthesis", command)}
	case parser.Position >= 0:
		return nil, &wordsError{fmt.Sprintf("the command %q contains %q, which only a shell understands; quote it",
			command, []rune(command)[parser.Position])}
	case len(words) == 0 || words[0] == "":
		return nil, errors.New("the command is empty")
	}
	return words, nil
}

// literalBackslashes escapes the backslashes of a command that escape no quote, so that they are part of a word.
func literalBackslashes(command string) string {
	var b strings.Builder
	quote := byte(0) // within which a character is; 0 for none
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case c == '\\' && quote != '\'':
			b.WriteByte(c)
			if rest := command[i+1:]; strings.HasPrefix(rest, `"`) || quote == 0 && strings.HasPrefix(rest, "'") {
				i++
				c = command[i]
			}
		case c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		}
		b.WriteByte(c)
	}
	return b.String()
}

// Evaluate has the program evaluate an input.
func (p *Program) Evaluate(ctx context.Context, x []float64) (functions.Outcome, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(p.ctx, cancel)()
	if err := p.waitForExits(ctx); err != nil {
		return functions.Outcome{}, p.closedError(err)
	}
	ask := request{problem: p.problem, PointID: functions.PointIDFrom(ctx)}
	if ask.Problem != nil {
		ask.problem = ask.Problem
	}
	ask.Experiment, ask.X = ask.problem.Name, namedInput{ask.problem.Domain, x}
	o, err := functions.Outcome{}, error(nil)
	if p.pipe != nil {
		o, err = p.pipe.evaluate(ctx, ask)
	} else {
		o, err = p.once(ctx, ask)
	}
	return o, p.closedError(err)
}

// closedError is ErrClosed for what ended because the program was closed.
func (p *Program) closedError(err error) error {
	if err != nil && p.ctx.Err() != nil {
		return ErrClosed
	}
	return err
}

// Close ends all processes, and waits until they have ended.
func (p *Program) Close() error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	if p.pipe != nil {
		p.pipe.closeInput()
	}
	p.end()
	p.running.Wait()
	return p.waitForExits(context.Background())
}

// waitForExits waits until the processes that are to end have ended.
func (p *Program) waitForExits(ctx context.Context) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		p.mu.Lock()
		var single *process
		for single = range p.ending {
			break
		}
		p.mu.Unlock()
		if single == nil {
			return nil
		}
		select {
		case <-single.over:
		case <-ctx.Done():
		}
	}
}

// start starts a process with additional environment variables.
func (p *Program) start(env []string, report func(string)) (*process, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, ErrClosed
	}
	cmd := exec.Command(p.words[0], p.words[1:]...)
	cmd.Env = append(os.Environ(), env...)
	pr, err := startProcess(cmd, p.options.KeepAlive, report)
	if err != nil {
		return nil, fmt.Errorf("the command %q cannot be started: %w", p.options.Command, err)
	}
	p.running.Go(func() { <-pr.over })
	return pr, nil
}

// abandon ends a process in the background; no other one starts before it has ended.
func (p *Program) abandon(pr *process) {
	p.mu.Lock()
	p.ending[pr] = true
	p.mu.Unlock()
	go func() {
		pr.end()
		p.mu.Lock()
		delete(p.ending, pr)
		p.mu.Unlock()
	}()
}

// stop ends a process, and waits for it as long as the context lasts.
func (p *Program) stop(ctx context.Context, pr *process) error {
	p.abandon(pr)
	select {
	case <-pr.over:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// once evaluates by a process of its own.
func (p *Program) once(ctx context.Context, ask request) (functions.Outcome, error) {
	line, err := ask.line(0)
	if err != nil {
		return functions.Outcome{}, err
	}
	pr, err := p.start(ask.environment(), func(line string) { functions.LogLine(ctx, line) })
	if err != nil {
		return functions.Outcome{}, err
	}
	printed := make(chan []byte, 1)
	tooMuch := make(chan struct{})
	pr.read(func(stdout *os.File) {
		text, all := readBounded(stdout)
		printed <- text
		if !all {
			close(tooMuch)
		}
	})
	pr.write(line, true)
	var late <-chan time.Time
	if p.options.Timeout > 0 {
		late = time.After(p.options.Timeout)
	}
	reason := ""
	for reason == "" {
		select {
		case <-ctx.Done():
			p.abandon(pr)
			return functions.Outcome{}, ctx.Err()
		case <-late:
			late = nil
			if !pr.exited() { // otherwise what it left behind is on its way
				reason = p.timeoutReason()
			}
			continue
		case <-tooMuch:
			reason = fmt.Sprintf("the program printed more than %d KiB", maxPrinted>>10)
			continue
		case <-pr.over:
		}
		select {
		case <-tooMuch:
			continue
		default:
		}
		return parse(ask.problem, <-printed).outcome(ask.problem, ask.X.x, pr.status(), pr.tail()), nil
	}
	if err := p.stop(ctx, pr); err != nil {
		return functions.Outcome{}, err
	}
	return failed(reason, pr.tail()), nil
}

func (p *Program) timeoutReason() string {
	return fmt.Sprintf("the program did not answer within %v", p.options.Timeout)
}
