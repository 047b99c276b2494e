package rights

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Places are how many computations of all people run at once. Those that wait begin in the order in which they came.
type Places chan struct{}

// Computing is the computing time of a person, over all of their windows. It is safe for concurrent use.
type Computing struct {
	limit  time.Duration
	places Places

	mu       sync.Mutex
	spent    time.Duration // until since
	since    time.Time
	running  int // computations
	timer    *time.Timer
	watchers map[int]func(error)
	watched  int
}

// NewComputing makes the computing time of a person, whose computations wait for places.
func NewComputing(limit time.Duration, places Places) *Computing {
	c := &Computing{limit: limit, places: places, watchers: map[int]func(error){}}
	c.mu.Lock() // a short limit may end before there is a timer
	defer c.mu.Unlock()
	c.timer = time.AfterFunc(limit, c.check)
	c.timer.Stop()
	return c
}

// Watch has a function called with an error when the time is used up, and whenever a computation would begin after that,
// until stop is called.
func (c *Computing) Watch(over func(error)) (stop func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	id := c.watched
	c.watched++
	c.watchers[id] = over
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.watchers, id)
	}
}

// Spent is the time of all computations until now.
func (c *Computing) Spent() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count(0)
	return c.spent
}

// begin waits for a place, and counts a computation until end is called.
func (c *Computing) begin(ctx context.Context) (end func(), err error) {
	select {
	case c.places <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	c.mu.Lock()
	c.count(+1)
	c.mu.Unlock()
	end = sync.OnceFunc(func() {
		c.mu.Lock()
		c.count(-1)
		c.mu.Unlock()
		<-c.places
	})
	if err := c.over(); err != nil {
		end()
		return nil, err
	}
	return end, nil
}

// count brings the time up to now, and changes the number of computations; c.mu is held.
func (c *Computing) count(delta int) {
	now := time.Now()
	c.spent += time.Duration(c.running) * now.Sub(c.since)
	c.since = now
	c.running += delta
	c.timer.Stop()
	if left := c.limit - c.spent; c.running > 0 && left > 0 {
		c.timer.Reset(left/time.Duration(c.running) + time.Millisecond)
	}
}

// check is called when the time may be used up.
func (c *Computing) check() { _ = c.over() }

// over returns an error if the time is used up, and tells those who watch.
func (c *Computing) over() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count(0)
	if c.spent < c.limit {
		return nil
	}
	err := fmt.Errorf("your computations took %s, and %s are allowed; everything is saved; ask your teacher",
		c.spent.Round(time.Second), c.limit)
	for _, tell := range c.watchers {
		go tell(err)
	}
	return err
}
