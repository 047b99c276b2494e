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

// pipe evaluates by one process that is kept: requests go in, a JSON object a line, and answers come out in any order,
// each with the id of its request.
//
// A process that ends, or that writes what is no answer, has failed the evaluation that was out alone; of several
// nobody knows whose fault it was, so that each is asked again, once and alone. After two processes in a row that ended
// before they answered anything no third one is started: the program does not work, and the points stay out. A request
// that a process did not read before it ended is not its failure either, and asked again. A time-out fails the point
// that it is of, and ends the process; so does whoever no longer waits for an answer.
type pipe struct {
	program *Program
	turns   *semaphore.Weighted // an evaluation takes one turn, one that is to be alone takes all

	mu        sync.Mutex
	current   *conversation // nil: none is under way
	fruitless int           // processes in a row that ended before they answered anything
	next      int64         // id
}

// MaxOut bounds how many points may be out at once.
const MaxOut = 1024

func newPipe(p *Program) *pipe {
	return &pipe{program: p, turns: semaphore.NewWeighted(MaxOut)}
}

// conversation is what is said with one process.
type conversation struct {
	process *process
	out     map[int64]waiting // requests that have no answer; nil when the process is of no use any more
	useful  bool              // it answered something
}

// waiting is who waits for an answer.
type waiting struct {
	ctx     context.Context
	problem *functions.Problem
	replies chan reply
}

// reply is what came of a request.
type reply struct {
	answer answer
	ended  string // why there is no answer: the process is of no use any more, for this reason
	alone  bool   // the request was the only one that was out
	unread bool   // the process had not read it
	tail   []string
}

// errAgain says that an evaluation is to be asked again, alone.
var errAgain = errors.New("asked again")

// evaluate asks the process, and once more if it ended while others were out as well, or before it read the request.
func (p *pipe) evaluate(ctx context.Context, ask request) (functions.Outcome, error) {
	o, err := p.inTurn(ctx, ask, 1)
	if errors.Is(err, errAgain) {
		o, err = p.inTurn(ctx, ask, MaxOut)
	}
	return o, err
}

// inTurn asks the process with others or alone.
func (p *pipe) inTurn(ctx context.Context, ask request, weight int64) (functions.Outcome, error) {
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
		p.give(c, id, "another evaluation was stopped")
		return functions.Outcome{}, ctx.Err()
	case <-late:
		p.give(c, id, "it had not answered another request in time")
		return failed(p.program.tookTooLong(), c.process.tail()), nil
	}
}

// conclude makes the outcome of a reply; the first time a request can be asked again.
func (p *pipe) conclude(ask request, r reply, first bool) (functions.Outcome, error) {
	p.mu.Lock()
	fruitless := p.fruitless
	p.mu.Unlock()
	switch {
	case r.ended == "":
		return r.answer.outcome(ask.problem, ask.X.x, "", nil), nil
	case fruitless >= 2:
		return functions.Outcome{}, errors.New(
			failed(fmt.Sprintf("the program does not work: twice in a row it answered nothing; at last %s", r.ended),
				r.tail).Reason + ": its points are still out")
	case first && r.unread:
		return functions.Outcome{}, errAgain
	case r.alone || !first && r.unread:
		return failed(r.ended, r.tail), nil
	}
	return functions.Outcome{}, errAgain
}

// send writes a request to the process, which is started if there is none.
func (p *pipe) send(ctx context.Context, ask request) (*conversation, int64, chan reply, error) {
	if err := p.program.settle(ctx); err != nil {
		return nil, 0, nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.current == nil {
		c := &conversation{out: map[int64]waiting{}}
		pr, err := p.program.start(nil, func(line string) { p.said(c, line) })
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
	c.out[id] = waiting{ctx, ask.problem, replies}
	c.process.write(line, false)
	return c, id, replies, nil
}

// said tells a line of the process to those that wait for it.
func (p *pipe) said(c *conversation, line string) {
	p.mu.Lock()
	var all []context.Context
	for _, w := range c.out {
		all = append(all, w.ctx)
	}
	p.mu.Unlock()
	for _, ctx := range all {
		functions.Say(ctx, line)
	}
}

// give gives up a request, and the process with it: nobody knows when it would answer the next one.
func (p *pipe) give(c *conversation, id int64, why string) {
	p.mu.Lock()
	delete(c.out, id)
	p.mu.Unlock()
	p.part(c, why, false)
}

// part ends a conversation: those that are out are told why. The fault is the process's, unless it was ended for
// something else.
func (p *pipe) part(c *conversation, why string, fault bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.current != c {
		return
	}
	p.current = nil
	if fault && !c.useful {
		p.fruitless++
	}
	unread := c.process.requestsLeft()
	for id, w := range c.out {
		w.replies <- reply{ended: why, alone: fault && len(c.out) == 1, unread: unread[id], tail: c.process.tail()}
	}
	c.out = nil
	p.program.abandon(c.process)
}

// dismiss closes the standard input of the process, by which a program that is kept ends by itself, and waits for that
// a little.
func (p *pipe) dismiss() {
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

// listen reads what a process answers, until it ends or writes what is no answer.
func (p *pipe) listen(c *conversation, stdout *os.File) {
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, maxPrinted)
	for lines.Scan() {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if fault := p.hear(c, lines.Bytes()); fault != "" {
			go p.part(c, fault, true)
			return
		}
	}
	why := ""
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		why = fmt.Sprintf("it printed a line of more than %d KiB", maxPrinted>>10)
	}
	go p.leave(c, why)
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

// leave ends a conversation whose answers are at their end.
func (p *pipe) leave(c *conversation, why string) {
	if why == "" {
		select {
		case <-c.process.gone:
			<-c.process.over // with all that it said
			if why = c.process.status(); why == "" {
				why = "it ended without an answer"
			}
		case <-time.After(grace):
			why = "it closed its standard output"
		}
	}
	p.part(c, why, true)
}

// hear takes a line of the process, and says why it is no answer.
func (p *pipe) hear(c *conversation, line []byte) string {
	a := parse(p.program.problem, line)
	if a.id == nil {
		if a.fault != "" {
			return a.fault
		}
		return "it printed " + excerpt(line) + ", which names no id of a request"
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	w, ok := c.out[*a.id]
	if ok && w.problem != p.program.problem {
		a = parse(w.problem, line)
	}
	if !ok {
		if c.out == nil {
			return "it is ended"
		}
		return fmt.Sprintf("it answered the request %d, which waits for no answer", *a.id)
	}
	delete(c.out, *a.id)
	c.useful, p.fruitless = true, 0
	w.replies <- reply{answer: a, tail: c.process.tail()}
	return ""
}
