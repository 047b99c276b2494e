package parallel

import (
	"errors"
	"sync"
	"sync/atomic"
)

// helperCount is the number of goroutines of the process that help callers. A waiting caller lends its core, so it may
// be negative. No goroutine waits for a core: if none is idle, the caller does all the work.
var helperCount atomic.Int64

// call is the work of one Try.
type call struct {
	f       func(i int) error
	n       int
	cores   int
	next    atomic.Int64 // part
	workers atomic.Int64 // running workers, including the caller
	ended   atomic.Bool  // after a failure
	last    chan struct{}

	mu               sync.Mutex
	failed, panicked failure
}

// failure is the failure of the part with the smallest number.
type failure struct {
	part int
	what error
}

func (f *failure) note(part int, subject error) {
	if f.what == nil || part < f.part {
		f.part, f.what = part, subject
	}
}

// note records a failure; that of the part with the smallest number is reported. Panics come before errors.
func (c *call) note(part int, err error) {
	c.ended.Store(true)
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := (*Panic)(nil); errors.As(err, &p) {
		c.panicked.note(part, p)
		return
	}
	c.failed.note(part, err)
}

// work does parts until none are left.
func (c *call) work() {
	defer c.leave() // also if f ends the goroutine
	for !c.ended.Load() {
		i := int(c.next.Add(1)) - 1
		if i >= c.n {
			return
		}
		c.startHelpers(c.n - i - 1)
		if err := callRecovered(i, c.f); err != nil {
			c.note(i, err)
		}
	}
}

// leave ends a worker. The last one to end keeps its core for the caller; the others, and the caller if it must wait,
// release theirs. So at any time no more goroutines work than there are cores.
func (c *call) leave() {
	if c.workers.Add(-1) > 0 {
		helperCount.Add(-1)
		return
	}
	c.last <- struct{}{}
}

// startHelpers starts helpers on idle cores, if enough parts are left. Each worker calls it before each part, because a
// core may have become idle meanwhile.
func (c *call) startHelpers(left int) {
	for left > 0 {
		h := helperCount.Load()
		if h >= int64(c.cores)-1 {
			return
		}
		if helperCount.CompareAndSwap(h, h+1) {
			c.workers.Add(1)
			go c.work()
			left--
		}
	}
}
