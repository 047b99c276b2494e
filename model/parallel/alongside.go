package parallel

import "sync/atomic"

// alongsideCount is the number of goroutines within Alongside.
var alongsideCount atomic.Int64

// Alongside calls f in one of several concurrent goroutines that each do so, such as the runs of a study. Each of them
// has its own core, and calls of this package within f only use idle ones; the last one left can use all. The caller
// may start more of them than there are cores.
func Alongside(f func()) {
	if alongsideCount.Add(1) > 1 { // the first one is the caller that is counted as a core already
		helperCount.Add(1)
	}
	defer func() {
		if alongsideCount.Add(-1) > 0 {
			helperCount.Add(-1)
		}
	}()
	f()
}
