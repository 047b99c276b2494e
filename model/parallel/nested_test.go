package parallel

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// withCores runs a test on so many cores, and sees that it leaves none taken.
func withCores(t *testing.T, cores int) {
	before := runtime.GOMAXPROCS(cores)
	t.Cleanup(func() {
		runtime.GOMAXPROCS(before)
		if n := helperCount.Load(); n != 0 {
			t.Errorf("%d goroutines still count as helping", n)
		}
	})
}

// most counts who is inside at once.
type most struct{ inside, seen atomic.Int64 }

func (m *most) in() {
	now := m.inside.Add(1)
	for seen := m.seen.Load(); now > seen && !m.seen.CompareAndSwap(seen, now); seen = m.seen.Load() {
	}
	for range 20 { // whoever else may be is let in
		runtime.Gosched()
	}
	m.inside.Add(-1)
}

// The outermost call has all cores; while it has, one within it does its parts by itself, one after another, however
// deep.
func TestNestedWorkHasOneThread(t *testing.T) {
	const cores = 4
	withCores(t, cores)
	var all most
	var begin, end sync.WaitGroup
	begin.Add(cores)
	end.Add(cores)
	Do(cores, func(i int) {
		begin.Done()
		begin.Wait() // for ever if one core less is used
		var inside most
		Do(3, func(int) {
			SplitHalves(10, true, func(int, int) {
				inside.in()
				all.in()
			})
		})
		if n := inside.seen.Load(); n != 1 {
			t.Errorf("part %d is done by %d at once", i, n)
		}
		end.Done()
		end.Wait() // no core becomes idle before
	})
	if n := all.seen.Load(); n > cores {
		t.Errorf("%d are at work on %d cores", n, cores)
	}
}

// Whatever is nested how, and whatever fails, never more are at work than there are cores, those that wait not counted.
func TestNeverMoreThanCores(t *testing.T) {
	for _, cores := range []int{2, 3, 4} {
		withCores(t, cores)
		var m most
		wrong := errors.New("wrong")
		var nest func(depth, seed int) error
		nest = func(depth, seed int) error {
			return Try(1+seed%5, func(i int) error {
				m.in()
				if depth == 0 {
					if (seed+i)%17 == 16 {
						return wrong
					}
					return nil
				}
				_ = nest(depth-1, seed+3*i+1) // what fails within does not end the rest
				m.in()
				return nil
			})
		}
		for seed := range 20 {
			require.NoError(t, nest(3, seed))
		}
		if n := m.seen.Load(); n > int64(cores) {
			t.Errorf("%d are at work on %d cores", n, cores)
		}
	}
}

// Of two runs that take both cores the longer one has both when the other has ended, also for work that it is in the
// midst of.
func TestTheLastRunHasTheIdleCore(t *testing.T) {
	withCores(t, 2)
	both := errors.New("both")
	err := Try(2, func(i int) error {
		if i == 0 {
			return nil
		}
		var inside atomic.Int64
		return Try(10_000_000, func(int) error {
			defer inside.Add(-1)
			if inside.Add(1) == 2 {
				return both
			}
			runtime.Gosched()
			return nil
		})
	})
	assert.ErrorIs(t, err, both, "the idle core is not used")
}

// The caller may be the one to panic, while others are at work.
func TestAPanicWaitsForTheOthers(t *testing.T) {
	withCores(t, 2)
	var begin sync.WaitGroup
	begin.Add(2)
	var ended atomic.Int64
	defer func() {
		if p, ok := recover().(*Panic); !ok || p.Value != "part 0" {
			t.Errorf("recovered %v", p)
		}
		if n := ended.Load(); n != 1 {
			t.Errorf("%d have ended", n)
		}
	}()
	Do(2, func(i int) {
		begin.Done()
		begin.Wait()
		if i == 0 {
			panic("part 0")
		}
		for range 100 {
			runtime.Gosched()
		}
		ended.Add(1)
		panic("part 1")
	})
}
