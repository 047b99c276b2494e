package pipe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"bandscope/model/parallel"
	"bandscope/sessions"
	"bandscope/sessions/acts"
	"bandscope/sessions/sanitize"
)

// server answers requests. Each session has a queue, whose requests are carried out one after the other.
type server struct {
	Options
	cancel context.CancelCauseFunc // ends the service, when a write fails

	writing sync.Mutex
	out     io.Writer

	mu      sync.Mutex
	queues  map[string]*queue // by the name in requests
	running map[string]context.CancelFunc
	all     sync.WaitGroup // of the requests
	watches []context.CancelFunc
}

func newServer(o Options, out io.Writer, cancel context.CancelCauseFunc) *server {
	return &server{Options: o, cancel: cancel, out: out, queues: map[string]*queue{},
		running: map[string]context.CancelFunc{}}
}

// maxQueue bounds how many requests about a session wait.
const maxQueue = 10_000

// queue are the waiting requests about a session.
type queue struct {
	mu      sync.Mutex
	waiting []func(*worker)
	busy    bool
	worker  worker
}

// worker is what requests about a session share.
type worker struct {
	giveUp func() // cancels the prefetch; may be nil
	heard  int    // how many notices of the session's file were passed on
	begun  bool
}

// add adds work; false if too much is waiting.
func (q *queue) add(work func(*worker)) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) >= maxQueue {
		return false
	}
	q.waiting = append(q.waiting, work)
	if !q.busy {
		q.busy = true
		go q.run()
	}
	return true
}

func (q *queue) run() {
	for {
		q.mu.Lock()
		if len(q.waiting) == 0 {
			q.busy = false
			q.mu.Unlock()
			return
		}
		work := q.waiting[0]
		q.waiting = q.waiting[1:]
		q.mu.Unlock()
		work(&q.worker)
	}
}

// queue is the queue of a session by its name; that of the session of requests without a name has the name "".
func (s *server) queue(name string) *queue {
	if name != "" && s.Folder != nil {
		if path, err := s.Folder.Path(name); err == nil {
			name = path
			if s.Session != nil && s.Folder.Holds(path, s.Session) {
				name = ""
			}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.queues[name] == nil {
		s.queues[name] = &queue{}
	}
	return s.queues[name]
}

// reply is a line of the output.
type reply struct {
	ID       json.RawMessage `json:"id,omitempty"`
	OK       any             `json:"ok,omitempty"`
	Points   any             `json:"points,omitempty"` // of an ask that fails midway
	Error    *acts.Error     `json:"error,omitempty"`
	Progress *Progress       `json:"progress,omitempty"`
	Event    any             `json:"event,omitempty"`
	Notice   string          `json:"notice,omitempty"`
}

// Progress is how far a long act is.
type Progress struct {
	What  string `json:"what"`
	Done  int    `json:"done"`
	Total int    `json:"total"` // 0 if it is not known
}

// write writes a line. If that fails, the service ends.
func (s *server) write(v any) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	err := sanitize.JSON(s.out, v)
	if err != nil {
		s.cancel(err)
	}
	return err
}

// stop waits for what runs, after the context has ended.
func (s *server) stop() { s.all.Wait() }

// finish answers the waiting requests, and ends watches, which would go on.
func (s *server) finish() {
	s.mu.Lock()
	for _, end := range s.watches {
		end()
	}
	s.watches = nil
	s.mu.Unlock()
	s.all.Wait()
}

// take takes a line.
func (s *server) take(ctx context.Context, l Line) {
	if l.Err != nil {
		s.fail(nil, acts.NewError(acts.CodeRequest, l.Err))
		return
	}
	r, err := ParseRequest(l.Text)
	switch {
	case err != nil:
		s.fail(r.ID, err)
	case r.Cancel != nil:
		s.mu.Lock()
		end, ok := s.running[string(r.Cancel)]
		s.mu.Unlock()
		if ok {
			end()
		}
		if r.ID != nil {
			s.write(reply{ID: r.ID, OK: map[string]bool{"cancelled": ok}})
		}
	default:
		s.enqueue(ctx, r)
	}
}

// fail answers with an error.
func (s *server) fail(id json.RawMessage, err error) {
	var e *acts.Error
	if !errors.As(err, &e) {
		e = acts.NewError(acts.CodeFailed, err)
	}
	if e.Hint == "" {
		known := *e
		e, known.Hint = &known, "an act is one of "+strings.Join(acts.Names(), ", ")
	}
	s.write(reply{ID: id, Error: e})
}

func (w *worker) stopPrefetch() {
	if w.giveUp != nil {
		w.giveUp()
		w.giveUp = nil
	}
}

// notices are the notices about the session's file since the last answer.
func (w *worker) notices(s *sessions.Session) string {
	all := s.Notices()
	if !w.begun {
		w.begun, w.heard = true, min(w.heard, len(all))
	}
	text := strings.Join(all[w.heard:], "; ")
	w.heard = len(all)
	return text
}

// enqueue queues a request.
func (s *server) enqueue(service context.Context, r Request) {
	ctx, end := context.WithCancel(service)
	if r.ID != nil {
		s.mu.Lock()
		_, used := s.running[string(r.ID)]
		if !used {
			s.running[string(r.ID)] = end
		}
		s.mu.Unlock()
		if used {
			end()
			s.fail(r.ID, acts.NewError(acts.CodeRequest, fmt.Errorf("a request with the id %s is running", r.ID)))
			return
		}
	}
	s.all.Add(1)
	over := func() {
		end()
		s.all.Done()
	}
	if !s.queue(r.Session).add(func(w *worker) {
		if !r.Act.Waits {
			defer over()
			if session := s.perform(ctx, r, w); session != nil && service.Err() == nil {
				w.giveUp = prefetch(service, session)
			}
			return
		}
		s.mu.Lock() // a watch does not keep others waiting
		s.watches = append(s.watches, end)
		s.mu.Unlock()
		begun := make(chan struct{})
		go func() {
			defer over()
			s.watch(ctx, r, sync.OnceFunc(func() { close(begun) }))
		}()
		<-begun
	}) {
		s.release(r.ID)
		s.fail(r.ID, acts.NewError(acts.CodeBusy, fmt.Errorf("%d requests about this session are waiting", maxQueue)))
		over()
	}
}

// session is the session of a request.
func (s *server) session(ctx context.Context, name string) (*sessions.Session, error) {
	switch {
	case name == "" && s.Session != nil:
		return s.Session, nil
	case name == "":
		e := acts.NewError(acts.CodeRequest, errors.New("which session? The request needs \"session\""))
		e.Hint = `name the file, as in {"session": "s.jsonl", "act": "status"}`
		return nil, e
	case s.Folder == nil:
		return nil, acts.NewError(acts.CodeRequest, errors.New("no session can be named here"))
	}
	return s.Folder.Session(ctx, name)
}

// perform carries out a request and answers it. It returns the session if it has a new result.
func (s *server) perform(ctx context.Context, r Request, w *worker) *sessions.Session {
	turn := acts.Turn{Paint: s.Paint, Folder: s.Folder, Name: r.Session, Progress: s.progress(r.ID)}
	answer, err := acts.Answer(nil), ctx.Err()
	if err != nil {
		e := acts.NewError(acts.CodeFailed, err)
		e.Hint, err = "the request was cancelled before its turn", e
	} else if r.Act.Creates {
		if s.Folder == nil || r.Session == "" {
			err = acts.NewError(acts.CodeRequest, errors.New("create needs the name of the session"))
		}
	} else {
		turn.Session, err = s.session(ctx, r.Session)
	}
	if err == nil {
		if r.Act.Changes { // also ask: its own fit reports progress, and can be cancelled
			w.stopPrefetch()
		}
		caught := parallel.PanicToError(func() error {
			answer, err = r.Act.Perform(ctx, turn, r.Arguments)
			return nil
		})
		if caught != nil {
			err = acts.NewError(acts.CodeFailed, caught)
		}
	}
	a := reply{ID: r.ID}
	if turn.Session != nil {
		a.Notice = w.notices(turn.Session)
	}
	if err != nil {
		if found, ok := answer.(acts.AskAnswer); ok && len(found.Points) > 0 {
			a.Points = found.Points
		}
		if !errors.As(err, &a.Error) {
			a.Error = acts.NewError(acts.CodeFailed, err)
		}
	} else {
		a.OK = answer
	}
	s.release(r.ID)
	s.write(a)
	if _, result := answer.(acts.TellAnswer); result && err == nil {
		return turn.Session
	}
	return nil
}

// watch follows a session; begun is called when the events before it are known.
func (s *server) watch(ctx context.Context, r Request, begun func()) {
	defer begun()
	session, err := s.session(ctx, r.Session)
	var answer acts.Answer
	if err == nil {
		answer, err = r.Act.Perform(ctx, acts.Turn{Session: session, Begun: begun,
			Emit: func(event any) error { return s.write(reply{ID: r.ID, Event: event}) }}, r.Arguments)
	}
	s.release(r.ID)
	if err != nil {
		s.fail(r.ID, err)
		return
	}
	s.write(reply{ID: r.ID, OK: answer})
}

// release gives an id free, before the last answer with it: the client may use it again.
func (s *server) release(id json.RawMessage) {
	if id != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.running, string(id))
	}
}

// When a long act answers with lines of progress: after how long for the first time, and how often.
const (
	progressAfter = time.Second
	progressEvery = 500 * time.Millisecond
)

// progress writes how far a request is, if that takes long.
func (s *server) progress(id json.RawMessage) sessions.Progress {
	var mu sync.Mutex
	next := time.Now().Add(progressAfter)
	return func(subject string, done, total int) {
		mu.Lock()
		defer mu.Unlock()
		if now := time.Now(); id != nil && now.After(next) {
			next = now.Add(progressEvery)
			s.write(reply{ID: id, Progress: &Progress{subject, done, total}})
		}
	}
}
