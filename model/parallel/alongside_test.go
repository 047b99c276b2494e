package parallel

import (
	"sync"
	"testing"
)

// As many runs as there are cores have one each; the one that is left has them all.
func TestAlongside(t *testing.T) {
	for _, cores := range []int{1, 2, 4} {
		withCores(t, cores)
		var last most
		var begin, busy, end sync.WaitGroup
		begin.Add(cores)
		busy.Add(cores)
		end.Add(cores)
		for range cores {
			go func() {
				defer end.Done()
				Alongside(func() {
					begin.Done()
					begin.Wait() // for ever if one waits for another's core
					var inside most
					Do(20, func(int) { inside.in() })
					if n := inside.seen.Load(); n != 1 {
						t.Errorf("%d are at work for one run of %d on %d cores", n, cores, cores)
					}
					busy.Done()
					busy.Wait() // nobody leaves before
				})
			}()
		}
		end.Wait()
		Alongside(func() {
			begin.Add(cores)
			Do(cores, func(int) {
				begin.Done()
				begin.Wait() // for ever if one core less is used
				last.in()
			})
		})
		if n := last.seen.Load(); n > int64(cores) {
			t.Errorf("the last: %d are at work on %d cores", n, cores)
		}
	}
}

// A run leaves its place also where it panics.
func TestAlongsideAPanic(t *testing.T) {
	withCores(t, 2)
	if p := Catch(func() { Alongside(func() { panic("part") }) }); p == nil || p.Value != "part" {
		t.Errorf("%v", p)
	}
	if n := alongsideCount.Load(); n != 0 {
		t.Errorf("%d are still there", n)
	}
}
