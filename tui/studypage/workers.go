package studypage

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"bandscope/model/parallel"
	"bandscope/tui/rights"
)

// workerPool are the workers inside of the program. They outlast the screen.
type workerPool struct {
	stop     context.CancelFunc
	ended    chan struct{} // closed when they have saved their progress
	err      error         // why they ended; to be read when they have
	workers  int
	stopping bool // they are to stop
	restart  bool // and others are to follow them

	mu        sync.Mutex
	lastError string // the last error that is retried; empty if there is none, or it was shown
}

// setError keeps an error that is retried.
func (c *workerPool) setError(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lastError = text
}

// takeError returns the error since the last call.
func (c *workerPool) takeError() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	text := c.lastError
	c.lastError = ""
	return text
}

// startPool starts workers, which end with the person.
func startPool(r rights.Rights, work Work, workers int) *workerPool {
	ctx, stop := context.WithCancel(r.Lasting())
	c := &workerPool{stop: stop, ended: make(chan struct{}), workers: workers}
	go func() {
		defer close(c.ended)
		if p := parallel.Catch(func() { c.err = work(ctx, r, workers, c.setError) }); p != nil {
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

// shutdown stops them, and waits until they have saved their progress or the context ends.
func (c *workerPool) shutdown(ctx context.Context) error {
	c.stop()
	select {
	case <-c.ended:
		return c.err
	case <-ctx.Done():
		return ctx.Err()
	}
}
