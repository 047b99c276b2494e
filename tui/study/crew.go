package study

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"bandscope/model/parallel"
)

// crew are the workers inside of the program. They outlast the screen: whoever goes to the explorer leaves them at
// work.
type crew struct {
	stop    context.CancelFunc
	ended   chan struct{} // closed when they have handed over what was in hand
	err     error         // why they ended; to be read when they have
	workers int
	leaving bool // they were told to stop
	again   bool // and others are to follow them

	mu   sync.Mutex
	told string // what went wrong last and is tried again; empty for nothing that was not said
}

// tell takes note of what goes wrong and is tried again.
func (c *crew) tell(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.told = text
}

// news is what was told since it was asked for last.
func (c *crew) news() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	text := c.told
	c.told = ""
	return text
}

// hire puts workers to work.
func hire(work Work, workers int) *crew {
	ctx, stop := context.WithCancel(context.Background())
	c := &crew{stop: stop, ended: make(chan struct{}), workers: workers}
	go func() {
		defer close(c.ended)
		if p := parallel.Catch(func() { c.err = work(ctx, workers, c.tell) }); p != nil {
			c.err = fmt.Errorf("internal error: %v; nothing is lost", p.Value)
		}
		if ctx.Err() != nil && errors.Is(c.err, context.Canceled) {
			c.err = nil
		}
	}()
	return c
}

// gone reports whether they have ended.
func (c *crew) gone() bool {
	select {
	case <-c.ended:
		return true
	default:
		return false
	}
}

// dismiss tells them to stop, and waits until they have handed over what is in hand or the context ends.
func (c *crew) dismiss(ctx context.Context) error {
	c.stop()
	select {
	case <-c.ended:
		return c.err
	case <-ctx.Done():
		return ctx.Err()
	}
}
