// Package classroom keeps the record of a class: who is there, by pseudonym, the questions with their answers, the races
// against methods, and the progress in lessons. The record is a log of events in one file, like a session, and its
// state is their fold. Acts go in, from any goroutine; states come out, which never change. An act returns when its
// event is on disk; acts of the same moment are flushed together. The package knows no network and no screen.
package classroom

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"bandscope/sessions"
	"bandscope/sessions/eventlog"
	"bandscope/sessions/recorder"
)

// Class is the record of a class. Its methods may be called from several goroutines.
type Class struct {
	recorder.Recorder[State]
	rec   *recorder.Record[State]
	title string

	mu        sync.Mutex
	queue     []*act // acts that wait for the next flush
	flushing  bool   // a goroutine records the queue
	listeners map[int]func(State)
	nextKey   int
}

// act is something to record.
type act struct {
	decide func(State) (change, error) // nil without an error if there is nothing to record
	done   chan error
}

// header is the first line of the file.
type header struct {
	eventlog.Header
	Class classData `json:"class"`
}

// classData is what the header says of the class.
type classData struct {
	Title string `json:"title"`
}

// Option is an option of New and Create.
type Option func(*Class)

// WithClock sets the clock, which is read once at the start and once for each event.
func WithClock(now func() time.Time) Option { return func(c *Class) { c.rec.Now = now } }

// New starts the record of a class in memory; SaveAs gives it a file.
func New(title string, options ...Option) (*Class, error) {
	title = strings.TrimSpace(title)
	if title == "" {
		title = "class"
	}
	if err := checkText("the title", title, maxTitle); err != nil {
		return nil, err
	}
	c := newClass(title)
	for _, o := range options {
		o(c)
	}
	return c, c.rec.Begin(func(started time.Time) any {
		return header{eventlog.NewHeader(sessions.ProgramVersion(), started), classData{Title: title}}
	})
}

// Create is New with a file, which must not exist.
func Create(path, title string, options ...Option) (*Class, error) {
	c, err := New(title, options...)
	if err != nil {
		return nil, err
	}
	return c, c.SaveAs(path)
}

// Open reads the record of a class for appending. A last line that was cut off is ignored; a damaged file, one that
// another process writes to and one that is not writable are errors.
func Open(ctx context.Context, path string) (*Class, error) {
	return recorder.OpenForWriting(ctx, path, eventlog.TurnPatience, fromLog)
}

// OpenReadOnly reads the record of a class as it is now; the file is neither locked nor written. Notices reports
// damage.
func OpenReadOnly(ctx context.Context, path string) (*Class, error) {
	return recorder.OpenReadOnly(ctx, path, fromLog)
}

// Read makes the record of a class in memory from a log, as far as it is whole.
func Read(ctx context.Context, in io.Reader) (*Class, error) {
	c, _, err := recorder.Read(ctx, in, fromLog)
	return c, err
}

// ErrNoClass is returned for a file that is not the record of a class.
var ErrNoClass = errors.New("this is not the record of a class")

// fromLog is the class of a log before its first event.
func fromLog(found *eventlog.Contents) (*Class, error) {
	var h struct {
		Class *classData `json:"class"`
	}
	if err := json.Unmarshal(found.Tree.Root().Data, &h); err != nil {
		return nil, err
	}
	if h.Class == nil {
		return nil, ErrNoClass
	}
	if err := checkText("the title", h.Class.Title, maxTitle); err != nil {
		return nil, err
	}
	return newClass(h.Class.Title), nil
}

func newClass(title string) *Class {
	c := &Class{title: title, listeners: map[int]func(State){}}
	c.rec, c.Recorder = recorder.New[State](time.Now)
	c.rec.Rules = recorder.Rules[State]{
		Root:  func(id string) State { return State{Place: recorder.Place{Head: id}, Title: title, id: id} },
		Fold:  fold,
		Steps: func(State) int { return 0 },
		Stops: func() []*eventlog.Event { return nil },
	}
	return c
}

// State is the current state. Acts that are being recorded may be in it before they are on disk.
func (c *Class) State() State {
	c.rec.Lock()
	defer c.rec.Unlock()
	return *c.rec.State()
}

// Subscribe calls a function with the state after every change, one call at a time, until cancel is called. The
// function must not block, and must not act on the class.
func (c *Class) Subscribe(listener func(State)) (cancel func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := c.nextKey
	c.nextKey++
	c.listeners[key] = listener
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.listeners, key)
	}
}

// record records what decide returns and waits until it is on disk. The first goroutine records and flushes for all
// that come meanwhile, so that answers of one moment need few flushes.
func (c *Class) record(decide func(State) (change, error)) error {
	a := &act{decide, make(chan error, 1)}
	c.mu.Lock()
	c.queue = append(c.queue, a)
	first := !c.flushing
	c.flushing = true
	c.mu.Unlock()
	if first {
		c.flush()
	}
	return <-a.done
}

// flush records the queue until it is empty.
func (c *Class) flush() {
	for {
		c.mu.Lock()
		acts := c.queue
		c.queue = nil
		if len(acts) == 0 {
			c.flushing = false
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
		errs, changed := make([]error, len(acts)), false
		failed := c.RecordTogether(func() error {
			for i, a := range acts {
				e, err := c.recordOne(a)
				errs[i], changed = err, changed || e != nil
			}
			return nil
		})
		if changed {
			c.notify()
		}
		for i, a := range acts {
			if errs[i] == nil && failed != nil {
				errs[i] = fmt.Errorf("recording the class: %w", failed)
			}
			a.done <- errs[i]
		}
	}
}

// recordOne records an act.
func (c *Class) recordOne(a *act) (*eventlog.Event, error) {
	return c.rec.Act(func() ([]recorder.Entry, error) {
		st := *c.rec.State()
		ch, err := a.decide(st)
		if err == nil && ch != nil {
			err = ch.check(st)
		}
		if err != nil || ch == nil {
			return nil, err
		}
		return []recorder.Entry{{Kind: ch.kind(), Data: ch}}, nil
	})
}

// notify calls the listeners with the current state.
func (c *Class) notify() {
	st := c.State()
	c.mu.Lock()
	keys := make([]int, 0, len(c.listeners))
	for k := range c.listeners {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	var list []func(State)
	for _, k := range keys {
		list = append(list, c.listeners[k])
	}
	c.mu.Unlock()
	for _, l := range list {
		l(st)
	}
}
