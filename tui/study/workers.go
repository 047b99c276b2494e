package study

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"bandscope/model/parallel"
)

// workerPool are the workers inside of the program. They outlast the screen: whoever goes to the explorer leaves them
// at work.
type workerPool struct {
	stop     context.CancelFunc
	ended    chan struct{} // closed when they have handed over what was in hand
	err      error         // why they ended; to be read when they have
	workers  int
	stopping bool // they were told to stop
	restart  bool // and others are to follow them

	mu        sync.Mutex
	lastError string // what went wrong last and is tried again; empty for nothing that was not said
}

// setError takes note of what goes wrong and is tried again.
func (c *workerPool) setError(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lastError = text
}

// takeError is what was told since it was asked for last.
func (c *workerPool) takeError() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	text := c.lastError
	c.lastError = ""
	return text
}

// startPool puts workers to work.
func startPool(work Work, workers int) *workerPool {
	ctx, stop := context.WithCancel(context.Background())
	c := &workerPool{stop: stop, ended: make(chan struct{}), workers: workers}
	go func() {
		defer close(c.ended)
		if p := parallel.Catch(func() { c.err = work(ctx, workers, c.setError) }); p != nil {
			c.err = fmt.Errorf("internal error: %v; nothing is lost", p.Value)
		}
		if ctx.Err() != nil && errors.Is(c.err, context.Canceled) {
			c.err = nil
		}
	}()
	return c
}

// hasEnded reports whether they have ended.
func (c *workerPool) hasEnded() bool {
	select {
	case <-c.ended:
		return true
	default:
		return false
	}
}

// shutdown tells them to stop, and waits until they have handed over what is in hand or the context ends.
func (c *workerPool) shutdown(ctx context.Context) error {
	c.stop()
	select {
	case <-c.ended:
		return c.err
	case <-ctx.Done():
		return ctx.Err()
	}
}
