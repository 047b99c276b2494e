package parallel

import (
	"errors"
	"sync"
	"sync/atomic"
)

// helperCount is how many goroutines of the process help callers. A caller that waits has lent its core, so it may be
// less than none. Nobody ever waits for a core: who finds none does the work alone.
var helperCount atomic.Int64

// call is the work of one Try.
type call struct {
	f       func(i int) error
	n       int
	cores   int
	next    atomic.Int64 // part
	workers atomic.Int64 // that have not ended, the caller among them
	ended   atomic.Bool  // after a failure
	last    chan struct{}

	mu               sync.Mutex
	failed, panicked failure
}

// failure is the one of the least part.
type failure struct {
	part int
	what error
}

func (f *failure) note(part int, what error) {
	if f.what == nil || part < f.part {
		f.part, f.what = part, what
	}
}

// note keeps what is told of if nothing else fails: the failure of the least part. Panics come before errors.
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

// work does parts until there are none.
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

// leave ends a worker. The last to end keeps its core for the caller to go on with; the others, and the caller if it
// must wait, leave theirs to whoever asks. So there are never more at work than there are cores for.
func (c *call) leave() {
	if c.workers.Add(-1) > 0 {
		helperCount.Add(-1)
		return
	}
	c.last <- struct{}{}
}

// startHelpers has idle cores do parts too, if so many are left. Each worker asks before each part, for a core may
// become idle meanwhile.
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
