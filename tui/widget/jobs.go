package widget

import (
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"charm.land/bubbles/v2/spinner"
	tea "charm.land/bubbletea/v2"

	"bandscope/model/parallel"
	"bandscope/tui/rights"
)

// spinnerDelay is how long a computation may take before the screen says that it is running, and spinnerRate how often
// the spinner turns.
const (
	spinnerDelay = 150 * time.Millisecond
	spinnerRate  = 100 * time.Millisecond
)

// generations numbers the jobs of all screens, so that a message reaches the screen that started the job.
var generations atomic.Int64

// Jobs runs one computation at a time off the update loop. Starting one cancels the one before, whose result is then
// dropped when it comes. It is used from the update loop only; the computations run on goroutines of their own.
type Jobs struct {
	gen    int64
	ctx    context.Context
	cancel context.CancelFunc
	report *report
	turns  int
}

// report is the progress of a running computation.
type report struct {
	sync.Mutex
	what        string
	done, total int
}

func (r *report) set(stage string, done, total int) {
	r.Lock()
	defer r.Unlock()
	r.what = stage
	r.done = done
	r.total = total
}

// DoneMsg brings the result of a computation; Jobs.Take opens it.
type DoneMsg struct {
	gen int64
	msg tea.Msg
}

// TickMsg turns the spinner of a running computation.
type TickMsg struct{ gen int64 }

// PanicMsg is the result of a computation that panicked: the program goes on, and shows the reason.
type PanicMsg struct {
	Reason string
	Stack  string
}

// Error says what happened.
func (p PanicMsg) Error() string { return "internal error: " + p.Reason + "; the session is safe" }

// Start runs f with a context that ends when the job is stopped or the person leaves, and a function that takes reports of
// its progress. It counts as a computation of the person. Its command does not compute: it asks for the job, which
// Perform runs.
func (j *Jobs) Start(doing string, f func(ctx context.Context,
	progress func(stage string, done, total int)) tea.Msg) tea.Cmd {
	j.begin(doing)
	ctx, report := j.ctx, j.report
	return tea.Batch(j.request(true, func() tea.Msg { return f(ctx, report.set) }), tick(j.gen, spinnerDelay))
}

// StartAct is Start for what takes next to no processor time, such as recording an answer: it counts as no computation.
func (j *Jobs) StartAct(doing string, f func(ctx context.Context) tea.Msg) tea.Cmd {
	j.begin(doing)
	ctx := j.ctx
	return tea.Batch(j.request(false, func() tea.Msg { return f(ctx) }), tick(j.gen, spinnerDelay))
}

// begin ends the job before, and begins another one.
func (j *Jobs) begin(doing string) {
	j.Stop()
	j.ctx, j.cancel = context.WithCancel(context.Background())
	j.report, j.turns = &report{what: doing}, 0
}

// Continue waits for more of the running job: f is run like the job itself, and the job stays busy until it is taken.
func (j *Jobs) Continue(f func() tea.Msg) tea.Cmd { return j.request(true, f) }

// request asks for a part of the running job.
func (j *Jobs) request(computes bool, f func() tea.Msg) tea.Cmd {
	job := jobMsg{gen: j.gen, ctx: j.ctx, cancel: j.cancel, computes: computes, do: f}
	return func() tea.Msg { return job }
}

// jobMsg asks for a job; it reaches no page.
type jobMsg struct {
	gen      int64
	ctx      context.Context
	cancel   context.CancelFunc
	computes bool
	do       func() tea.Msg
}

// run runs the job with the rights of a person.
func (j jobMsg) run(r rights.Rights) (msg tea.Msg) {
	leaves := context.AfterFunc(r.Lasting(), j.cancel)
	context.AfterFunc(j.ctx, func() { leaves() })
	if j.computes {
		end, err := r.Compute(j.ctx)
		if err != nil {
			return nil // it was stopped, or the person is let go: nobody takes its result
		}
		defer end()
	}
	if p := parallel.Catch(func() { msg = j.do() }); p != nil {
		msg = PanicMsg{fmt.Sprint(p.Value), string(p.Stack)}
	}
	return DoneMsg{j.gen, msg}
}

// Perform runs a command, and the job that it asks for with the rights of a person.
func Perform(r rights.Rights, cmd tea.Cmd) tea.Msg {
	msg := cmd()
	if job, ok := msg.(jobMsg); ok {
		return job.run(r)
	}
	return msg
}

// Permit is a command that also performs the jobs that it asks for, with the rights of a person. All commands of pages
// pass through it: without it no job runs.
func Permit(r rights.Rights, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		msg := Perform(r, cmd)
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i := range batch {
				batch[i] = Permit(r, batch[i])
			}
		}
		return msg
	}
}

// Take opens the result of the running job; it is false for the result of a job that was stopped.
func (j *Jobs) Take(m DoneMsg) (tea.Msg, bool) {
	if m.gen != j.gen || j.cancel == nil {
		return nil, false
	}
	return m.msg, true
}

// Workers are jobs of a screen, each with the function that takes its results.
type Workers []struct {
	*Jobs
	Done func(tea.Msg) tea.Cmd
}

// Take passes a result to the function of its job; false for the result of another job, or of one that was stopped.
func (w Workers) Take(m DoneMsg) (tea.Cmd, bool) {
	for _, worker := range w {
		if inner, ok := worker.Jobs.Take(m); ok {
			return worker.Done(inner), true
		}
	}
	return nil, false
}

// Busy reports whether one of the jobs is running.
func (w Workers) Busy() (busy bool) {
	for _, worker := range w {
		busy = busy || worker.Jobs.Busy()
	}
	return busy
}

// Stop cancels the running jobs.
func (w Workers) Stop() {
	for _, worker := range w {
		worker.Jobs.Stop()
	}
}

// Release closes the unused result of a stopped job, off the update loop; failed makes the message of an error.
func Release(m DoneMsg, failed func(error) tea.Msg) tea.Cmd {
	c, ok := m.msg.(io.Closer)
	if !ok {
		return nil
	}
	return func() tea.Msg {
		if err := c.Close(); err != nil {
			return failed(err)
		}
		return nil
	}
}

// Finish ends the running job, which has no more results.
func (j *Jobs) Finish() {
	if j.cancel != nil {
		j.cancel()
		j.cancel = nil
	}
}

// Stop cancels the running job, and reports whether there was one.
func (j *Jobs) Stop() bool {
	busy := j.Busy()
	j.Finish()
	j.gen = generations.Add(1)
	return busy
}

// Busy reports whether a computation is running.
func (j *Jobs) Busy() bool { return j.cancel != nil }

// Doing describes the running job; empty where none runs.
func (j *Jobs) Doing() string {
	if !j.Busy() {
		return ""
	}
	j.report.Lock()
	defer j.report.Unlock()
	return j.report.what
}

// Late reports whether a computation has run for longer than spinnerDelay.
func (j *Jobs) Late() bool { return j.Busy() && j.turns > 0 }

// Tick turns the spinner and asks for the next turn, as long as the job runs.
func (j *Jobs) Tick(m TickMsg) tea.Cmd {
	if m.gen != j.gen || !j.Busy() {
		return nil
	}
	j.turns++
	return tick(m.gen, spinnerRate)
}

func tick(gen int64, after time.Duration) tea.Cmd {
	return tea.Tick(after, func(time.Time) tea.Msg { return TickMsg{gen} })
}

// Status is the spinner with the description and the progress of the job; empty if nothing runs, or not for long, or the
// job has no description.
func (j *Jobs) Status(ascii bool) string {
	if !j.Late() || j.Doing() == "" {
		return ""
	}
	frames := spinner.MiniDot.Frames
	if ascii {
		frames = spinner.Line.Frames
	}
	j.report.Lock()
	defer j.report.Unlock()
	s := fmt.Sprintf("%s %s", frames[j.turns%len(frames)], j.report.what)
	if j.report.total > 0 {
		s += fmt.Sprintf(" %d/%d", j.report.done, j.report.total)
	}
	return s + " (esc stops)"
}
