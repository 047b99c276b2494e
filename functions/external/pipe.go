package external

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"bandscope/functions"
)

// pipe evaluates points with one long-running process: requests go in, one JSON object per line, and answers come out in
// any order, each with the id of its request.
//
// A process that ends, or that writes an invalid answer, fails the evaluation if that was the only pending one. With
// several pending evaluations the fault cannot be assigned to one of them, so each is repeated once, alone. After two
// processes in a row that ended before they answered anything, no third process is started: the program does not work,
// and the points stay pending. A request that a process did not read before it ended does not fail either; it is
// repeated. A timeout fails its own point and ends the process; so does a caller that stops waiting for an answer.
type pipe struct {
	program *Program
	turns   *semaphore.Weighted // an evaluation takes one turn, one that must run alone takes all

	mu                 sync.Mutex
	current            *conversation // nil: none is under way
	fruitlessProcesses int           // processes in a row that ended before they answered anything
	next               int64         // id
}

// MaxPending bounds how many points may be out at once.
const MaxPending = 1024

func newPipe(p *Program) *pipe {
	return &pipe{program: p, turns: semaphore.NewWeighted(MaxPending)}
}

// conversation is the exchange with one process.
type conversation struct {
	process  *process
	pending  map[int64]pendingRequest // requests that have no answer; nil when the process is of no use any more
	answered bool                     // it answered something
}

// pendingRequest is who waits for an answer.
type pendingRequest struct {
	ctx     context.Context
	problem *functions.Problem
	replies chan reply
}

// reply is the result of a request.
type reply struct {
	answer answer
	ended  string // why there is no answer: the process cannot be used any more
	alone  bool   // it was the only pending request
	unread bool   // the process had not read it
	tail   []string
}

// errRetryAlone reports that an evaluation must be repeated, alone.
var errRetryAlone = errors.New("the evaluation must be repeated")

// evaluate sends the request, and once more if the process ended while others were pending as well, or before it read
// the request.
func (p *pipe) evaluate(ctx context.Context, ask request) (functions.Outcome, error) {
	o, err := p.ask(ctx, ask, 1)
	if errors.Is(err, errRetryAlone) {
		o, err = p.ask(ctx, ask, MaxPending)
	}
	return o, err
}

// ask sends a request to the process, together with others or alone.
func (p *pipe) ask(ctx context.Context, ask request, weight int64) (functions.Outcome, error) {
	if err := p.turns.Acquire(ctx, weight); err != nil {
		return functions.Outcome{}, err
	}
	defer p.turns.Release(weight)
	c, id, replies, err := p.send(ctx, ask)
	if err != nil {
		return functions.Outcome{}, err
	}
	var late <-chan time.Time
	if t := p.program.options.Timeout; t > 0 {
		late = time.After(t)
	}
	select {
	case r := <-replies:
		return p.conclude(ask, r, weight == 1)
	case <-ctx.Done():
		p.giveUp(c, id, "another evaluation was stopped")
		return functions.Outcome{}, ctx.Err()
	case <-late:
		p.giveUp(c, id, "the program did not answer another request in time")
		return failed(p.program.timeoutReason(), c.process.tail()), nil
	}
}

// conclude makes the outcome of a reply; a request can be repeated once, where first is true.
func (p *pipe) conclude(ask request, r reply, first bool) (functions.Outcome, error) {
	p.mu.Lock()
	fruitless := p.fruitlessProcesses
	p.mu.Unlock()
	switch {
	case r.ended == "":
		return r.answer.outcome(ask.problem, ask.X.x, "", nil), nil
	case fruitless >= 2:
		return functions.Outcome{}, errors.New(
			failed(fmt.Sprintf("the program failed twice in a row before its first answer: %s", r.ended),
				r.tail).Reason + "; the points are still pending")
	case first && r.unread:
		return functions.Outcome{}, errRetryAlone
	case r.alone || !first && r.unread:
		return failed(r.ended, r.tail), nil
	}
	return functions.Outcome{}, errRetryAlone
}

// send writes a request to the process, and starts it if there is none.
func (p *pipe) send(ctx context.Context, ask request) (*conversation, int64, chan reply, error) {
	if err := p.program.waitForExits(ctx); err != nil {
		return nil, 0, nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.current == nil {
		c := &conversation{pending: map[int64]pendingRequest{}}
		pr, err := p.program.start(nil, func(line string) { p.forwardLine(c, line) })
		if err != nil {
			return nil, 0, nil, err
		}
		c.process, p.current = pr, c
		pr.read(func(stdout *os.File) { p.listen(c, stdout) })
	}
	c := p.current
	p.next++
	id := p.next
	line, err := ask.line(id)
	if err != nil {
		return nil, 0, nil, err
	}
	replies := make(chan reply, 1)
	c.pending[id] = pendingRequest{ctx, ask.problem, replies}
	c.process.write(line, false)
	return c, id, replies, nil
}

// forwardLine passes a log line of the process to all pending requests.
func (p *pipe) forwardLine(c *conversation, line string) {
	p.mu.Lock()
	var all []context.Context
	for _, w := range c.pending {
		all = append(all, w.ctx)
	}
	p.mu.Unlock()
	for _, ctx := range all {
		functions.LogLine(ctx, line)
	}
}

// giveUp gives up a request and ends the process, because it is unknown when it would answer the next one.
func (p *pipe) giveUp(c *conversation, id int64, why string) {
	p.mu.Lock()
	delete(c.pending, id)
	p.mu.Unlock()
	p.endConversation(c, why, false)
}

// endConversation ends a conversation and tells all pending requests why. fault is true if the process is to blame.
func (p *pipe) endConversation(c *conversation, why string, fault bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.current != c {
		return
	}
	p.current = nil
	if fault && !c.answered {
		p.fruitlessProcesses++
	}
	unread := c.process.requestsLeft()
	for id, w := range c.pending {
		w.replies <- reply{ended: why, alone: fault && len(c.pending) == 1, unread: unread[id], tail: c.process.tail()}
	}
	c.pending = nil
	p.program.abandon(c.process)
}

// closeInput closes the standard input of the process, so that a long-running program ends on its own, and waits for a
// short time.
func (p *pipe) closeInput() {
	p.mu.Lock()
	c := p.current
	p.current = nil
	p.mu.Unlock()
	if c == nil {
		return
	}
	c.process.shut.Do(func() { c.process.stdin.Close() })
	select {
	case <-c.process.gone:
	case <-time.After(grace):
	}
	p.program.abandon(c.process)
}

// listen reads the answers of a process, until it ends or writes something else.
func (p *pipe) listen(c *conversation, stdout *os.File) {
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, maxPrinted)
	for lines.Scan() {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if fault := p.handleLine(c, lines.Bytes()); fault != "" {
			go p.endConversation(c, fault, true)
			return
		}
	}
	why := ""
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		why = fmt.Sprintf("the program printed a line of more than %d KiB", maxPrinted>>10)
	}
	go p.finish(c, why)
}

// requestsLeft are the ids of the requests that a process had not read when it ended; none as long as that is not
// known.
func (p *process) requestsLeft() map[int64]bool {
	ids := map[int64]bool{}
	select {
	case <-p.over:
	default:
		return ids
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for line := range bytes.Lines(p.unread) {
		var r struct{ ID int64 }
		if json.Unmarshal(line, &r) == nil { // the first may be half read
			ids[r.ID] = true
		}
	}
	return ids
}

// finish ends a conversation whose answers are at their end.
func (p *pipe) finish(c *conversation, why string) {
	if why == "" {
		select {
		case <-c.process.gone:
			<-c.process.over // with all that it said
			why = c.process.status()
			if why == "" {
				why = "the program ended without an answer"
			}
		case <-time.After(grace):
			why = "the program closed its standard output"
		}
	}
	p.endConversation(c, why, true)
}

// handleLine handles a line of the process, and returns the fault of an invalid answer.
func (p *pipe) handleLine(c *conversation, line []byte) string {
	a := parse(p.program.problem, line)
	if a.id == nil {
		if a.fault != "" {
			return a.fault
		}
		return "the program printed " + excerpt(line) + ", which has no request id"
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	w, ok := c.pending[*a.id]
	if ok && w.problem != p.program.problem {
		a = parse(w.problem, line)
	}
	if !ok {
		if c.pending == nil {
			return "the program has ended"
		}
		return fmt.Sprintf("the program answered request %d, which is not pending", *a.id)
	}
	delete(c.pending, *a.id)
	c.answered, p.fruitlessProcesses = true, 0
	w.replies <- reply{answer: a, tail: c.process.tail()}
	return ""
}
