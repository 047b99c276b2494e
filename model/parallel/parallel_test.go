package parallel

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

// onCores runs a test on one core and on several.
func onCores(t *testing.T, f func(t *testing.T)) {
	for _, cores := range []int{1, 4} {
		t.Run(fmt.Sprint(cores), func(t *testing.T) {
			before := runtime.GOMAXPROCS(cores)
			defer runtime.GOMAXPROCS(before)
			f(t)
		})
	}
}

func TestEveryPartIsDoneOnce(t *testing.T) {
	onCores(t, func(t *testing.T) {
		for _, n := range []int{0, 1, 2, 3, 100} {
			done := make([]atomic.Int64, n)
			Do(n, func(i int) { done[i].Add(1) })
			for i := range done {
				if got := done[i].Load(); got != 1 {
					t.Errorf("of %d, part %d is done %d times", n, i, got)
				}
			}
			for _, worthwhile := range []bool{false, true} {
				covered := make([]atomic.Int64, n)
				SplitHalves(n, worthwhile, func(from, end int) {
					for i := from; i < end; i++ {
						covered[i].Add(1)
					}
				})
				for i := range covered {
					if got := covered[i].Load(); got != 1 {
						t.Errorf("of %d in halves, part %d is done %d times", n, i, got)
					}
				}
			}
		}
	})
}

// An error ends the work: no part is begun once one has failed, but those that other cores have in hand; the first by
// number is returned.
func TestAnErrorEndsTheWork(t *testing.T) {
	onCores(t, func(t *testing.T) {
		wrong := errors.New("wrong")
		var begun atomic.Int64
		err := Try(100_000, func(i int) error {
			begun.Add(1)
			if i >= 2 {
				return fmt.Errorf("part %d: %w", i, wrong)
			}
			return nil
		})
		if !errors.Is(err, wrong) || !strings.HasPrefix(err.Error(), "part 2:") {
			t.Errorf("got %v", err)
		}
		if n := begun.Load(); n > 20 {
			t.Errorf("%d parts are begun", n)
		}
	})
}

// A panic in a worker, or in a worker's worker, is the caller's.
func TestAPanicIsTheCallers(t *testing.T) {
	onCores(t, func(t *testing.T) {
		cause := errors.New("index out of range")
		defer func() {
			v := recover()
			err, ok := v.(error)
			if !ok || !errors.Is(err, cause) {
				t.Fatalf("recovered %v", v)
			}
			if p := (*Panic)(nil); errors.As(err, &p) && !strings.Contains(p.Error(), "parallel_test.go") {
				t.Errorf("it does not tell where it began: %s", p.Error())
			}
		}()
		Do(3, func(i int) {
			Do(3, func(j int) {
				if i == 1 && j == 1 {
					panic(cause)
				}
			})
		})
		t.Error("no panic")
	})
}
